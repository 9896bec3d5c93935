/**
 * Writes docs/schema/*.json from the tables in the code. Run `npm run build` before it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { schemaFiles } from '../dist/config/schema-files.js';
import { NODE_TYPES } from '../dist/graph/nodes/index.js';

const folder = new URL('../docs/schema/', import.meta.url);

mkdirSync(folder, { recursive: true });
for (const [name, text] of schemaFiles(NODE_TYPES)) {
  writeFileSync(new URL(name, folder), text);
  console.log(`docs/schema/${name}`);
}
