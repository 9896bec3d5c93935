import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FLAGS } from '../../src/cli/flags.ts';
import { flagDefault } from '../../src/cli/help.ts';
import type { Flag } from '../../src/cli/flag.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { expected } from '../../src/schema/wording.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8');

/** Rows of the table that follows `<!-- name -->` on the page, each as its cells. */
function rows(name: string): readonly (readonly string[])[] {
  const [, after = ''] = PAGE.split(`<!-- ${name} -->\n`);
  const [table = ''] = after.split(/\n(?!\|)/);
  const lines = table.split('\n').slice(2);
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function code(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `\`${text}\``;
}

function rowOf(flag: Flag): readonly string[] {
  const { name, schema, help, overrides } = flag;
  const setting = overrides && `${overrides.part === 'server' ? 'server.' : ''}${overrides.key}`;
  return [`\`--${name}\``, expected(schema), code(flagDefault(flag)), code(setting), help];
}

describe('docs/cli.md', () => {
  test('has a row for every flag as it is, and no other', () => {
    expect(rows('flags')).toEqual(FLAGS.map(rowOf));
  });

  test('has a row for every exit code, and no other', () => {
    const codes = rows('exit-codes').map(([exitCode]) => Number(exitCode));
    expect(codes).toEqual([0, 1, 70, ...Object.values(EXIT_CODES)].sort((a, b) => a - b));
  });
});
