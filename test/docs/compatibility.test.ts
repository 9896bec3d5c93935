import { readFileSync } from 'node:fs';
import { KNOWN_DEVIATIONS } from '../../src/tokenizer/deviations.ts';
import { folderOf } from '../support/open-servable.ts';

const PAGE = readFileSync(folderOf('docs/compatibility.md'), 'utf8');

describe('docs/compatibility.md', () => {
  test('has a row for every known deviation of the tokenizer engines, and no other', () => {
    const [, after = ''] = PAGE.split('<!-- deviations -->\n');
    const [table = ''] = after.split(/\n(?!\|)/);
    const rows = table.split('\n').slice(2);
    expect(rows).toEqual(
      Object.entries(KNOWN_DEVIATIONS).map(([kind, reason]) => `| ${kind} | ${reason} |`),
    );
  });
});
