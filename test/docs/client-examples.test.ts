import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { RecordingStub } from '../support/recording-stub.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test.each<[string, string[], RegExp]>([
  ['client-search.mjs', ['cats'], /^(?:-?[\d.]+ .+\n){4}$/],
  ['client-many.mjs', ['200'], /^200 texts, 200 tokens, [\d.]+ s\n$/],
])('examples/%s', async (name, args, expected) => {
  const stub = await RecordingStub.open();
  const child = spawn(process.execPath, [resolve(ROOT, 'examples', name), ...args], {
    cwd: ROOT,
    env: { ...process.env, TENSORGATE_URL: stub.url },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  await stub.close();
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(expected) as string });
});
