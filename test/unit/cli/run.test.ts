import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Host } from '../../../src/cli/host.ts';
import { helpText } from '../../../src/cli/help.ts';
import { run } from '../../../src/cli/run.ts';
import { recordingHost } from '../../support/recording-host.ts';

const MODEL = resolve(import.meta.dirname, '../../fixtures/tiny-bert-embeddings');

/** A command line's end: exit code and output. */
async function ran(args: readonly string[], changes: Partial<Host> = {}): Promise<object> {
  const host = recordingHost(changes);
  const code = await run(args, host);
  return { code, stdout: host.stdout(), stderr: host.stderr() };
}

describe('run()', () => {
  test('prints help', async () => {
    await expect(ran(['--help'])).resolves.toEqual({ code: 0, stdout: helpText(), stderr: '' });
  });

  test('prints the version', async () => {
    await expect(ran(['--version'])).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
  });

  test('tells of a wrong flag in a line, with exit code 64', async () => {
    await expect(ran(['--port'])).resolves.toEqual({
      code: 64,
      stdout: '',
      stderr: 'Unknown flag --port: see --help\n',
    });
  });

  test('tells of a wrong configuration in a line, with exit code 78', async () => {
    await expect(ran(['--config_path', '/no/config.yaml'])).resolves.toEqual({
      code: 78,
      stdout: '',
      stderr: '/no/config.yaml: cannot read the file: no such file or folder\n',
    });
  });

  test('tells of a port that is taken in a line, with exit code 69', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    const model = ['--task', 'embeddings', '--model_name', 'm', '--model_path', MODEL];
    const end = await ran([...model, `--rest_port=${port}`]);
    taken.close();
    expect(end).toMatchObject({
      code: 69,
      stdout: '',
      stderr: expect.stringMatching(/^Cannot listen on 127\.0\.0\.1:\d+: .*\n$/) as string,
    });
  });

  test('tells of its own fault and where it is in a line, with exit code 70', async () => {
    function write(): void {
      throw new TypeError('no way');
    }
    await expect(ran(['--help'], { write })).resolves.toMatchObject({
      code: 70,
      stderr: expect.stringMatching(
        /^Internal error, please report it: TypeError: no way at \S.*\n$/,
      ) as string,
    });
  });
});
