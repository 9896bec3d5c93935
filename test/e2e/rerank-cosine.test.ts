/**
 * `@msgpack/msgpack` asks that DataView and RangeError are of one realm.
 *
 * @jest-environment node
 */
import { AnswerReader } from '../support/answer-reader.ts';
import { folderOf } from '../support/open-servable.ts';
import type { Rank, RankedList } from '../support/score-server.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('a server that reranks with the default model', () => {
  const folder = tempFolder();
  const NAME = 'all-MiniLM-L6-v2-rerank';
  let server: ServerProcess;
  let reader: AnswerReader;

  beforeAll(async () => {
    const graph = folderOf('graphs/all-MiniLM-L6-v2-rerank.yaml');
    folder.write('config.yaml', `models:\n  - name: ${NAME}\n    graph: ${graph}\n`);
    const config = `${folder.path}/config.yaml`;
    server = await startServerProcess(['--config_path', config, '--max_batch_size', '300000']);
    reader = new AnswerReader(server.url);
  }, 60_000);

  afterAll(async () => {
    const { code } = await server.stop();
    folder.remove();
    expect(code).toBe(0);
  });

  test('ranks by meaning, and says by what', async () => {
    const documents = ['How to bake bread', 'Lava flows from the crater', 'A tax return'];
    const query = 'volcanic eruptions';
    const answer = (await reader.ask('/v3/rerank', { query, documents })) as RankedList;
    expect(answer.results.map(({ index }) => index)[0]).toBe(1);
    expect(answer.model).toBe(NAME);
    for (const { relevance_score: score } of answer.results) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
    }
    const raw = (await reader.ask('/rerank', {
      query,
      texts: documents,
      raw_scores: true,
    })) as Rank[];
    answer.results.forEach(({ index, relevance_score: score }, at) => {
      expect(raw[at]?.index).toBe(index);
      expect((1 + (raw[at]?.score ?? NaN)) / 2).toBeCloseTo(score, 5);
    });
    const { type, scoring } = (await (await fetch(`${server.url}/v3/models/${NAME}`)).json()) as {
      type: string;
      scoring: string;
    };
    expect([type, scoring]).toEqual(['rerank', 'cosine']);
  });

  test('embeds with no reranker, and classifies with none', async () => {
    const embedded = await reader.failure('/v3/embeddings', { model: NAME, input: 'a' });
    expect(embedded).toMatchObject({ status: 400, code: 'wrong_node_type' });
    const classified = await reader.failure('/predict', { inputs: 'a' });
    expect(classified).toMatchObject({ status: 400, code: 'invalid_field', param: 'model' });
  });

  test('takes exactly 1 GiB of padded token ids, and refuses a document more', async () => {
    const documents = Array.from({ length: 262_144 }, () => '');
    const ask = { query: 'q', documents, top_n: 3 };
    const { results } = (await reader.ask('/v3/rerank', ask)) as RankedList;
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2]);
    const more = { query: 'q', documents: [...documents, ''] };
    const failure = await reader.failure('/v3/rerank', more);
    expect(failure).toMatchObject({ status: 400, code: 'tensor_too_large', param: 'documents' });
  });
});
