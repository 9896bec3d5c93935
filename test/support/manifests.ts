import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './server-process.ts';

/** A value of a manifest, at any depth. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Folder of the Kubernetes manifests. */
export const KUBERNETES = join(ROOT, 'deploy/kubernetes');

/**
 * Reads manifests, one of each kind.
 *
 * @param folder - Its YAML files are read, and not those of folders in it.
 * @returns Each by its kind.
 */
export function manifestsIn(folder: string): ReadonlyMap<string, Manifest> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return new Map(
    files.map((name) => {
      const manifest = parse(readFileSync(join(folder, name), 'utf8')) as Manifest;
      return [String(manifest['kind']), manifest];
    }),
  );
}

/**
 * A value in a manifest.
 *
 * @param manifest - Holds it.
 * @param path - Keys and indexes with dots, as `spec.ports.0.name`.
 * @returns The value; undefined if it isn't there.
 */
export function valueAt(manifest: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Manifest | undefined)?.[key], manifest);
}
