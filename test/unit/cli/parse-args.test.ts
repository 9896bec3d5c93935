import { parseArgs } from '../../../src/cli/parse-args.ts';
import { thrown } from '../../support/thrown.ts';

function parsed(...args: string[]): Record<string, unknown> {
  return Object.fromEntries(parseArgs(args));
}

describe('parseArgs()', () => {
  test('finds nothing in nothing', () => {
    expect(parsed()).toEqual({});
  });

  test('takes a value behind the flag or behind an equals sign', () => {
    expect(parsed('--rest_port', '9000', '--config_path=a=b.yaml')).toEqual({
      rest_port: 9000,
      config_path: 'a=b.yaml',
    });
  });

  test.each([
    [['--normalize'], true],
    [['--normalize', 'true'], true],
    [['--normalize', 'false'], false],
    [['--normalize=true'], true],
    [['--normalize=false'], false],
  ])('reads %j', (args, normalize) => {
    expect(parsed(...args)).toEqual({ normalize });
  });

  test('leaves a flag behind a boolean one alone', () => {
    expect(parsed('--normalize', '--truncate', '--model_name', 'false')).toEqual({
      normalize: true,
      truncate: true,
      model_name: 'false',
    });
  });

  test.each([
    ['--max_batch_size', '1', 1],
    ['--max_batch_size', '4294967295', 4_294_967_295],
    ['--rest_port', '0', 0],
    ['--rest_port', '65535', 65_535],
    ['--grace_s', '0.5', 0.5],
    ['--num_streams', 'auto', 'auto'],
    ['--num_streams', '2', 2],
    ['--log_level', 'DEBUG', 'DEBUG'],
    ['--model_name', '123', '123'],
    ['--model_name', '-1', '-1'],
  ])('reads %s %s', (flag, text, value) => {
    expect(parsed(flag, text)).toEqual({ [flag.slice(2)]: value });
  });

  test.each([
    ['0', 'not 0'],
    ['-1', 'not "-1"'],
    ['abc', 'not "abc"'],
    ['1.5', 'not 1.5'],
    ['1e3', 'not "1e3"'],
    ['', 'not ""'],
    ['+1', 'not "+1"'],
    [' 1', 'not " 1"'],
    ['1_000', 'not "1_000"'],
    ['0x10', 'not "0x10"'],
    ['Infinity', 'not "Infinity"'],
    ['٣', 'not "٣"'],
    ['007', 'not "007"'],
    ['00', 'not "00"'],
    ['4294967296', 'not 4294967296'],
    ['9'.repeat(400), 'not Infinity'],
  ])('refuses a max_batch_size of "%s"', (text, not) => {
    const message = `--max_batch_size: must be a whole number from 1 to 4294967295, ${not}`;
    for (const args of [['--max_batch_size', text], [`--max_batch_size=${text}`]]) {
      expect(thrown(() => parseArgs(args))).toMatchObject({ fault: 'usage', message });
    }
  });

  test.each([
    [['--rest_port', '65536'], '--rest_port: must be a whole number from 0 to 65535, not 65536'],
    [['--rest_port'], '--rest_port: needs a value, a whole number from 0 to 65535'],
    [['--rest_port', '--help'], '--rest_port: needs a value, a whole number from 0 to 65535'],
    [['--grace_s', '00.5'], '--grace_s: must be a number from 0 to 86400, not "00.5"'],
    [['--grace_s', '-1'], '--grace_s: must be a number from 0 to 86400, not "-1"'],
    [['--pooling', 'mean'], '--pooling: must be one of CLS, LAST, MEAN, not "mean"'],
    [['--normalize', 'yes'], '--normalize: must be true or false, not "yes"'],
    [['--num_streams', '0'], '--num_streams: must be auto or a whole number from 1 to 1024, not 0'],
    [['--model_name', ''], '--model_name: must be a non-empty string, not ""'],
    [['--help', 'me'], '--help: must be true or false, not "me"'],
    [['--rest_port', '1', '--rest_port=1'], '--rest_port: is given twice, and one value counts'],
    [['--rest-port', '1'], 'Unknown flag --rest-port: did you mean --rest_port?'],
    [['--rest_prot=1'], 'Unknown flag --rest_prot: did you mean --rest_port?'],
    [['-rest_port', '1'], 'Unknown flag -rest_port: did you mean --rest_port?'],
    [['-h'], 'Unknown flag -h: see --help'],
    [['--no-normalize'], 'Unknown flag --no-normalize: did you mean --normalize?'],
    [['--constructor'], 'Unknown flag --constructor: see --help'],
    [['--__proto__=1'], 'Unknown flag --__proto__: see --help'],
    [['--a\nb'], 'Unknown flag --a\\nb: see --help'],
    [['config.yaml'], 'Unexpected argument "config.yaml": settings are flags, see --help'],
    [['--', '--help'], 'Unexpected argument "--": settings are flags, see --help'],
    [['-'], 'Unexpected argument "-": settings are flags, see --help'],
    [[''], 'Unexpected argument "": settings are flags, see --help'],
  ])('refuses %j', (args, message) => {
    expect(thrown(() => parseArgs(args))).toMatchObject({ fault: 'usage', message });
  });
});
