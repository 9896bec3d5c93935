import { execFileSync } from 'node:child_process';
import { readyText } from '../../../src/cli/ready-text.ts';
import type {
  ClassifyServable,
  EmbeddingsServable,
  ModelStatus,
  RerankServable,
} from '../../../src/graph/servable.ts';

function model(name: string): ModelStatus {
  const servable: EmbeddingsServable = {
    task: 'embeddings',
    name,
    limits: { maxBatchSize: 1024, contextLength: 512 },
    facts: { fields: { dimensions: 384 }, output: { name: 'embedding', shape: [384] } },
    dimensions: 384,
    hasTokenRows: true,
    tokenize: () => Promise.resolve([]),
    embed: () => Promise.reject(new Error('not here')),
    close: () => Promise.resolve(),
  };
  return { name, created: 0, state: 'ready', servable, reason: null };
}

describe('readyText()', () => {
  test('shows the URL, the models with their limits and a command to try', () => {
    expect(readyText('http://127.0.0.1:8000', [model('org/one'), model('two')])).toBe(
      [
        'Ready on http://127.0.0.1:8000',
        '  org/one: embeddings, dimensions 384, context_length 512, max_batch_size 1024',
        '  two: embeddings, dimensions 384, context_length 512, max_batch_size 1024',
        'Try it:',
        `  curl http://127.0.0.1:8000/v3/embeddings -H 'Content-Type: application/json' -d '{"model":"org/one","input":"Hello, world"}'`,
        '',
      ].join('\n'),
    );
  });

  test('quotes any name for the shell', () => {
    const name = `it's "$HOME" \\ \`x\``;
    const line =
      readyText('http://h', [model(name)])
        .split('\n')
        .at(-2) ?? '';
    const command = line.replace('curl', 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim().split('\n');
    expect(JSON.parse(words.at(-1) ?? '')).toEqual({ model: name, input: 'Hello, world' });
  });

  test('shows what a reranker and a classifier have, and a request that they take', () => {
    const { limits, tokenize, close } = model('m').servable as EmbeddingsServable;
    const base = { name: 'm', limits, tokenize, close };
    const output = { name: 'score', shape: [] };
    const rerank: RerankServable = {
      ...base,
      task: 'rerank',
      facts: { fields: { scoring: 'cosine' }, output },
      score: () => Promise.reject(new Error('not here')),
    };
    const classify: ClassifyServable = {
      ...base,
      task: 'classify',
      facts: { fields: { labels: ['bad', 'good'] }, output },
      labels: ['bad', 'good'],
      classify: () => Promise.reject(new Error('not here')),
    };
    const limitsText = 'context_length 512, max_batch_size 1024';
    const ranked = readyText('http://h', [{ ...model('m'), servable: rerank }]);
    expect(ranked).toContain(`\n  m: rerank, scoring cosine, ${limitsText}\n`);
    expect(ranked).toContain('  curl http://h/v3/rerank -H');
    expect(ranked).toContain('"query":"a greeting","documents":[');
    const classified = readyText('http://h', [{ ...model('m'), servable: classify }]);
    expect(classified).toContain(`\n  m: classify, labels bad|good, ${limitsText}\n`);
    expect(classified).toContain('  curl http://h/classify -H');
    expect(classified).toContain('"input":["Hello, world"]');
  });

  test('names a model that has nothing to tell yet', () => {
    const failed = { ...model('m'), servable: null };
    expect(readyText('http://h', [failed])).toContain('\n  m\n');
  });
});
