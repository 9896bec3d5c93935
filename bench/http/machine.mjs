import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** What figures depend on. */
export function machine() {
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    onnxruntime: versionOf('onnxruntime-node'),
    tensorgate: JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')).version,
  };
}

function versionOf(name) {
  const file = resolve(ROOT, 'node_modules', name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
