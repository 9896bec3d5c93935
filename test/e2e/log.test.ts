import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { RawConnection, requestHead } from '../support/raw-connection.ts';
import { ROOT, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const TINY = join(ROOT, 'test/fixtures/tiny-bert-embeddings');
const MODEL = ['--task', 'embeddings', '--model_name', 'tiny', '--model_path', TINY];

interface Line {
  readonly message: string;
  readonly id?: string;
}

/** The lines of a server's log so far. */
function linesOf(server: ServerProcess): readonly Line[] {
  const lines = server.stderr().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

describe('the log', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess(MODEL);
  });
  afterAll(async () => {
    await server.stop();
  });

  test('has one line for a request, and nothing that its client would keep to itself', async () => {
    const response = await fetch(`${server.url}/v3/embeddings?key=SECRET`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer SECRET',
        'x-request-id': 'my id',
        'x-other': 'SECRET',
      },
      body: JSON.stringify({ model: 'tiny', input: ['SECRET', 'a'], user: 'SECRET' }),
    });
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number } };
    await fetch(`${server.url}/SECRET/path`, { headers: { 'x-request-id': 'unknown path' } });
    await fetch(`${server.url}/v3/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'unknown model' },
      body: JSON.stringify({ model: 'SECRET', input: 'SECRET' }),
    });
    await server.written('"unknown model"');
    expect(linesOf(server).filter(({ id }) => id === 'my id')).toEqual([
      {
        level: 'INFO',
        time: expect.any(String) as string,
        message: 'Request',
        id: 'my id',
        method: 'POST',
        route: '/v3/embeddings',
        model: 'tiny',
        status: 200,
        code: null,
        inputs: 2,
        tokens: usage.prompt_tokens,
        total_ms: expect.any(Number) as number,
        tokenize_ms: expect.any(Number) as number,
        queue_ms: expect.any(Number) as number,
        inference_ms: expect.any(Number) as number,
      },
    ]);
    expect(server.stderr()).not.toContain('SECRET');
  });

  test('has a line for what was no request', async () => {
    const connection = await RawConnection.open(server.port);
    await connection.write('SECRET\r\n\r\n');
    const { headers } = await connection.response();
    connection.close();
    const id = headers['x-request-id'] ?? '';
    await server.written(id);
    expect(linesOf(server).find((line) => line.id === id)).toMatchObject({
      route: null,
      status: 400,
      code: 'bad_request',
    });
    expect(server.stderr()).not.toContain('SECRET');
  });
});

test('probes leave no line, but with --log_level DEBUG', async () => {
  const ids = await Promise.all(
    ['INFO', 'DEBUG'].map(async (level) => {
      const server = await startServerProcess([...MODEL, '--log_level', level]);
      for (const [id, path] of [
        ['probe', '/v2/health/live'],
        ['list', '/v3/models'],
      ] as const) {
        await fetch(`${server.url}${path}`, { headers: { 'x-request-id': id } });
      }
      await server.stop();
      return linesOf(server).flatMap(({ id }) => id ?? []);
    }),
  );
  expect(ids).toEqual([['list'], ['probe', 'list']]);
});

test('a server whose log nobody reads serves and ends all the same', async () => {
  const flags = [...MODEL, '--rest_port', '0'];
  // Nothing is taken from its stderr: the pipe is full after some lines.
  const child = spawn(process.execPath, [join(ROOT, 'dist/main.js'), ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  while (!stdout.includes('Try it')) await once(child.stdout, 'data');
  const port = Number(/:(\d+)$/m.exec(stdout)?.[1]);
  const connection = await RawConnection.open(port);
  const request = requestHead('GET', '/v2', [`x-request-id: ${'x'.repeat(256)}`]);
  const [rounds, requests] = [20, 50];
  for (let round = 0; round < rounds; round += 1) {
    await connection.write(request.repeat(requests));
    for (let answered = 0; answered < requests; answered += 1) {
      expect((await connection.response()).status).toBe(200);
    }
  }
  connection.close();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  // The rest of the lines found no room any more.
  const log = await child.stderr.setEncoding('utf8').reduce((all, part) => `${all}${part}`, '');
  expect(log.split('"Request"').length - 1).toBeLessThan(rounds * requests);
});
