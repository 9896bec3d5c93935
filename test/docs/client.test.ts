import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { EMBED_FLAGS } from '../../src/cli/embed/embed-flags.ts';
import type { ErrorKind } from '../../src/client/index.ts';
import { DEFAULTS, type PreferenceFields } from '../../src/client/preference-options.ts';
import {
  answerAnything,
  RecordingStub,
  sendJson,
  type Recorded,
} from '../support/recording-stub.ts';
import type { ServerResponse } from 'node:http';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
const BUNDLE = join(ROOT, 'dist/client-bundle/client.js');

/** Every preference: the compiler checks that none is missing. */
const FIELDS: Readonly<Record<keyof PreferenceFields, true>> = {
  maxConcurrentRequests: true,
  batchSize: true,
  timeoutS: true,
  maxCharsPerRequest: true,
  pinInitialEndpointOnce: true,
  hedgeDelay: true,
  totalTimeoutS: true,
  hedgeBudgetPct: true,
  retryBudgetPct: true,
  maxRetries: true,
  initialBackoffMs: true,
  cancelToken: true,
  primaryApiKeyOverride: true,
  extraHeaders: true,
  nonRetryableStatusCodes: true,
  traceContext: true,
  signal: true,
  honorRetryAfter: true,
  attemptIds: true,
  failFast: true,
  vectors: true,
  limits: true,
};

const KINDS: Readonly<Record<ErrorKind, true>> = {
  invalid_parameter: true,
  http: true,
  connect: true,
  network: true,
  local_timeout: true,
  remote_timeout: true,
  serialization: true,
  cancelled: true,
};

/** Rows of the table that follows `<!-- name -->`, each as its cells. */
function rows(name: string): readonly (readonly string[])[] {
  const [, after = ''] = PAGE.split(`<!-- ${name} -->\n`);
  const [table = ''] = after.split(/\n(?!\|)/);
  return table
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** TypeScript blocks of the page; those marked `run` are run. */
function blocks(): readonly { readonly run: boolean; readonly code: string }[] {
  const found = PAGE.matchAll(/^```ts( run)?\n([\s\S]*?)^```$/gm);
  return Array.from(found, ([, run, code = '']) => ({ run: run !== undefined, code }));
}

describe('docs/client.md', () => {
  test('has a row for every preference, with its default', () => {
    const table = rows('preferences').flatMap(([names = '', value = '']) =>
      Array.from(names.matchAll(/`(\w+)`/g), ([, name = '']) => [name, value] as const),
    );
    expect(table.map(([name]) => name).sort()).toEqual(Object.keys(FIELDS).sort());
    for (const [name, value] of Object.entries(DEFAULTS)) {
      expect([name, new Map(table).get(name as keyof typeof DEFAULTS)]).toEqual([
        name,
        `\`${value}\``,
      ]);
    }
  });

  test('has a row for every kind of error', () => {
    const kinds = rows('kinds').map(([kind = '']) => kind.replaceAll('`', ''));
    expect(kinds.sort()).toEqual(Object.keys(KINDS).sort());
  });

  test('has a row for every flag of tensorgate embed', () => {
    const table = EMBED_FLAGS.map(({ name, value, fallback, help }) => [
      `\`--${name}${value === null ? '' : ` ${value.replace('|', '\\|')}`}\``.replaceAll(
        '\\|',
        ' or ',
      ),
      fallback === null ? '' : `\`${fallback}\``,
      help,
    ]);
    expect(rows('embed-flags')).toEqual(table);
  });

  test('its TypeScript blocks compile', () => {
    const folder = mkdtempSync(join(ROOT, 'test/.docs-'));
    try {
      const files = blocks().map(({ code }, at) => {
        const file = join(folder, `block-${at}.ts`);
        writeFileSync(file, code);
        return file;
      });
      const program = ts.createProgram(files, {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.NodeNext,
        lib: ['lib.es2023.d.ts'],
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        paths: { 'tensorgate/client': [join(ROOT, 'dist/client/index.d.ts')] },
      });
      const faults = ts.getPreEmitDiagnostics(program);
      expect(
        faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      ).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const runnable = blocks().filter(({ run }) => run);

  test.each(runnable.map(({ code }) => code))('runs %#', async (code) => {
    const stub = await RecordingStub.open(answer);
    const compiled = ts
      .transpileModule(code, {
        compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
      })
      .outputText.replaceAll("'tensorgate/client'", JSON.stringify(BUNDLE))
      .replaceAll('http://localhost:8000', stub.url);
    const child = spawn(process.execPath, ['--input-type=module', '--eval', compiled]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const [code_] = (await once(child, 'close')) as [number];
    await stub.close();
    expect({ code: code_, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/\d/) as string,
    });
  });
});

/** As a tensorgate server would, with vectors of the stub. */
function answer(request: Recorded, response: ServerResponse): void {
  if (request.path.startsWith('/v3/models/')) {
    const limits = {
      max_body_bytes: 2_000_000,
      max_batch_size: 1024,
      max_padded_bytes: 1024 ** 3,
      context_length: 512,
    };
    sendJson(response, { id: 'm', limits });
  } else if (request.body.includes('no such model')) {
    sendJson(response, { error: { message: 'no', code: 'model_not_found' } }, 404);
  } else answerAnything(request, response);
}
