import { post, requestHead } from '../../support/raw-connection.ts';
import { tinyEmbedding, TinyServable, TinyServer } from '../../support/tiny-server.ts';

const PATH = '/v3/embeddings';

interface List {
  readonly object: string;
  readonly data: readonly { object: string; index: number; embedding: number[] | string }[];
  readonly model: string;
  readonly usage: { prompt_tokens: number; total_tokens: number };
}

describe('a big answer', () => {
  test('comes in chunks, whole and in order', async () => {
    const server = await TinyServer.start();
    const input = Array.from({ length: 1024 }, (_, index) => `text ${index}`.repeat(3));
    const connection = await server.connect();
    await connection.write(post(PATH, JSON.stringify({ model: 'org/tiny', input })));
    const response = await connection.response();
    expect(response.headers['transfer-encoding']).toBe('chunked');
    const { data } = JSON.parse(response.body.toString()) as List;
    expect(data.map(({ embedding }) => Float32Array.from(embedding as number[]))).toEqual(
      input.map(tinyEmbedding),
    );
    await server.stop();
  });

  test('waits for a slow client, and stops when it is gone', async () => {
    const long = new Float32Array(500_000).fill(0.123456789);
    const servable = new TinyServable({ embed: () => long });
    const server = await TinyServer.start({ servable });
    const body = JSON.stringify({ model: 'org/tiny', input: ['a', 'b', 'c', 'd'] });
    const slow = await server.connect();
    slow.socket.pause();
    await slow.write(post(PATH, body));
    await server.arrived(1);
    // Others are served meanwhile.
    expect((await server.send(requestHead('GET', '/v2'))).status).toBe(200);
    slow.close();
    await server.over(2);
    expect(server.events).toContainEqual(expect.objectContaining({ code: 'client_closed' }));
    const patient = await server.connect();
    await patient.write(post(PATH, body.replace(',"b","c","d"', '')));
    const response = await patient.response();
    expect(response.body.length).toBeGreaterThan(5_000_000);
    await server.stop();
    expect(server.internalErrors).toEqual([]);
  });
});
