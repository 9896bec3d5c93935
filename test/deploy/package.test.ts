import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/server-process.ts';

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

test('the package holds all that a server needs, and nothing of the workshop', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  const [packed] = JSON.parse(stdout) as readonly Packed[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  expect(paths).toEqual(
    expect.arrayContaining([
      ...Object.values(manifest.bin),
      'dist/inference/worker.js',
      'dist/tokenizer/xenova-worker.js',
      'config.yaml',
      'graphs/all-MiniLM-L6-v2.yaml',
      'models/all-MiniLM-L6-v2/model.onnx',
      'models/all-MiniLM-L6-v2/tokenizer.json',
      'models/all-MiniLM-L6-v2/config.json',
      'models/all-MiniLM-L6-v2/1_Pooling/config.json',
      'models/all-MiniLM-L6-v2/LICENSE',
      'deploy/container/Containerfile',
      'LICENSE',
      'README.md',
    ]),
  );
  const others = paths.filter((path) =>
    /^(?:src|test|bench|scripts|coverage|\.|node_modules)/.test(path),
  );
  expect(others).toEqual([]);
});
