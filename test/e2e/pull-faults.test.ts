import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fault, ONNX, PULL, pullBench, type PullBench } from '../support/pull-bench.ts';
import { runToEnd } from '../support/server-process.ts';

let bench: PullBench;

beforeEach(async () => {
  bench = await pullBench();
});

afterEach(async () => {
  const whole = bench.there().filter((name) => !name.endsWith('.part'));
  await bench.remove();
  expect(whole).toEqual([]);
});

describe('--pull that fails', () => {
  test('names a model that is not on the hub', async () => {
    const flags = ['--pull', '--source_model', 'acme/none', '--model_repository_path', 'models'];
    const { code, line } = fault(await runToEnd(flags, bench.options()));
    expect(code).toBe(64);
    expect(line).toMatch(
      /^--source_model: the hub at 127\.0\.0\.1:\d+ has no model "acme\/none" with a config\.json$/,
    );
    expect(bench.there()).toEqual([]);
  });

  test('names a file that the model does not have', async () => {
    expect(fault(await bench.pull('--model_file', 'onnx/model_int8.onnx'))).toEqual({
      code: 64,
      line: '--model_file: the model "acme/tiny" has no onnx/model_int8.onnx',
    });
    expect(bench.there()).toEqual([]);
  });

  test('says what to do where the hub wants a token', async () => {
    bench.hub.behaviour.token = 'hf_secret';
    const { code, line } = fault(await runToEnd(PULL, bench.options({ HF_TOKEN: 'hf_wrong' })));
    expect(code).toBe(69);
    expect(line).toMatch(
      /^Cannot download config\.json: the hub at 127\.0\.0\.1:\d+ answered 401; there is no such model, or it needs a token: check --source_model, or set HF_TOKEN$/,
    );
    expect(line).not.toContain('hf_wrong');
  });

  test('says that the hub has a fault', async () => {
    bench.hub.behaviour.status = 503;
    const { code, line } = fault(await bench.pull());
    expect(code).toBe(69);
    expect(line).toMatch(/ answered 503; try again later$/);
  });

  test('says that there is no way to the hub', async () => {
    const closed = createServer();
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const env = { HF_ENDPOINT: `http://127.0.0.1:${port}` };
    expect(fault(await runToEnd(PULL, bench.options(env)))).toEqual({
      code: 69,
      line: `Cannot reach the hub at 127.0.0.1:${port}: connection refused; check the network, or set HF_ENDPOINT`,
    });
  });

  test('names an endpoint that is none', async () => {
    expect(fault(await runToEnd(PULL, bench.options({ HF_ENDPOINT: 'hub' })))).toEqual({
      code: 64,
      line: 'HF_ENDPOINT: must be a URL that begins with http or https',
    });
  });

  (existsSync('/dev/full') ? test : test.skip)('says that the disk is full', async () => {
    mkdirSync(join(bench.folder.path, 'models/acme/tiny/onnx'), { recursive: true });
    // A device on which there is no space, ever.
    symlinkSync('/dev/full', join(bench.folder.path, 'models/acme/tiny', `${ONNX}.part`));
    expect(fault(await bench.pull())).toEqual({
      code: 74,
      line: `Cannot write ${ONNX}: no space is left on the disk; what has come is kept, and the same command goes on from there`,
    });
  });
});
