import { FLAGS } from '../../../src/cli/flags.ts';
import { flagDefault, flagUsage, helpText } from '../../../src/cli/help.ts';

describe('helpText()', () => {
  const text = helpText();

  test.each(FLAGS.map((flag) => [flag.name, flag] as const))('tells of --%s', (_name, flag) => {
    expect(text).toContain(`\n  ${flagUsage(flag)}`);
    const oneLine = text.replaceAll(/\n {30}/g, ' ');
    expect(oneLine).toContain(flag.help);
    if (flagDefault(flag) !== '') expect(oneLine).toContain(`Default: ${flagDefault(flag)}.`);
  });

  test('fits a terminal of 100 columns', () => {
    expect(text.split('\n').filter((line) => line.length > 98)).toEqual([]);
    expect(text.endsWith('.\n')).toBe(true);
  });
});
