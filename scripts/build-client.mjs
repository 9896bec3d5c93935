import { build } from 'esbuild';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Bundles the client: ESM and CJS for Node, and an ESM build with `fetch` alone for browsers and
 * edge runtimes. Its declarations are those of the compiler; CommonJS gets a copy of them.
 */
const ROOT = resolve(import.meta.dirname, '..');
const OUT = join(ROOT, 'dist/client-bundle');

/** Targets are those of the package's `engines`, and browsers of two years ago. */
const COMMON = { bundle: true, sourcemap: true, sourcesContent: false, legalComments: 'none' };
const NODE = { ...COMMON, platform: 'node', target: 'node20.19' };

await build({
  ...NODE,
  entryPoints: [join(ROOT, 'src/client/index.ts')],
  format: 'esm',
  outfile: join(OUT, 'client.js'),
});
await build({
  ...NODE,
  entryPoints: [join(ROOT, 'src/client/index.ts')],
  format: 'cjs',
  outfile: join(OUT, 'client.cjs'),
});
await build({
  ...COMMON,
  platform: 'neutral',
  target: 'es2022',
  mainFields: ['module', 'main'],
  entryPoints: [join(ROOT, 'src/client/index-fetch.ts')],
  format: 'esm',
  outfile: join(OUT, 'client.fetch.js'),
});
await copyDeclarations();

/** Puts the declarations where the nearest package.json says CommonJS. */
async function copyDeclarations() {
  const from = join(ROOT, 'dist/client');
  const to = join(OUT, 'cjs');
  const files = await readdir(from, { recursive: true });
  await mkdir(to, { recursive: true });
  await writeFile(join(to, 'package.json'), '{"type":"commonjs"}\n');
  for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
    const target = join(to, relative(from, join(from, file)));
    await mkdir(dirname(target), { recursive: true });
    await cp(join(from, file), target);
  }
}
