import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProxyStub } from '../support/proxy-stub.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'client-tls-'));
const KEY = join(folder, 'key.pem');
const CERTIFICATE = join(folder, 'certificate.pem');

/** Makes a certificate for localhost; false where there is no openssl. */
function makeCertificate(): boolean {
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    KEY,
  ];
  const { status } = spawnSync('openssl', ['req', '-x509', ...key, '-out', CERTIFICATE, ...name]);
  return status === 0;
}

const made = makeCertificate();
const describeWithTls = made ? describe : describe.skip;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ bytes, version: request.httpVersion }));
  });
}

/** Sends two rounds of requests in a process that trusts the certificate, or doesn't. */
async function send(url: string, settings: object, trusted = true): Promise<unknown> {
  const code = `
    import { PerformanceClient } from 'tensorgate/client';
    const client = new PerformanceClient('${url}', ${JSON.stringify({ apiKey: 'key', ...settings })});
    const round = () => client.batchPost('/x', ['x'.repeat(200_000), 1], { maxRetries: 0 });
    const seen = await round().then(async ({ data }) => [data, (await round()).data], (e) => e.message);
    process.stdout.write(JSON.stringify(seen));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: ROOT,
    env: trusted ? { ...process.env, NODE_EXTRA_CA_CERTS: CERTIFICATE } : process.env,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return JSON.parse(output) as unknown;
}

describeWithTls(`over TLS${made ? '' : ' (skipped: there is no openssl)'}`, () => {
  describe.each([1, 2])('HTTP/%i', (httpVersion) => {
    let server: ReturnType<typeof createServer>;
    let url: string;

    beforeAll(async () => {
      const options = { key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) };
      server =
        httpVersion === 1
          ? createServer(options, answer)
          : // The compatibility API has the members that are used.
            (createSecureServer(options, answer as never) as unknown as typeof server);
      server.listen(0);
      await once(server, 'listening');
      url = `https://localhost:${(server.address() as AddressInfo).port}`;
    });

    afterAll(async () => {
      server.close();
      await once(server, 'close');
    });

    const version = `${httpVersion}.${httpVersion === 1 ? 1 : 0}`;
    const round = [
      { bytes: 200_002, version },
      { bytes: 1, version },
    ];

    test('straight', async () => {
      expect(await send(url, { httpVersion })).toEqual([round, round]);
    });

    test('through the tunnel of a proxy', async () => {
      const proxy = await ProxyStub.open();
      expect(await send(url, { httpVersion, proxy: proxy.url })).toEqual([round, round]);
      expect(proxy.lines[0]).toBe(`CONNECT ${url.slice('https://'.length)}`);
      await proxy.close();
    });

    test('a certificate that is not trusted is a connect error', async () => {
      expect(await send(url, { httpVersion }, false)).toMatch(/\(Connect\).*self-signed/s);
    });
  });
});
