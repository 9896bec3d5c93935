// Searches texts by meaning: node examples/client-search.mjs "a question"
// The server is TENSORGATE_URL, else http://localhost:8000.
import { PerformanceClient } from 'tensorgate/client';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const TEXTS = [
  'The cat sleeps on the warm windowsill.',
  'Interest rates rose again in spring.',
  'A kitten plays with a ball of wool.',
  'The train to the coast leaves at noon.',
];

const question = process.argv[2] ?? 'young animals';
const url = process.env.TENSORGATE_URL ?? 'http://localhost:8000';
const client = new PerformanceClient(url, process.env.BASETEN_API_KEY ?? 'unused');
const response = await client.embed([question, ...TEXTS], MODEL, null, null, null, {
  vectors: 'float32',
});
const [query, ...rows] = response.data.map(({ embedding }) => embedding);
// The vectors have length 1, so their product is the cosine of the angle between them.
const score = (row) => row.reduce((sum, value, i) => sum + value * query[i], 0);
const found = rows
  .map((row, i) => ({ text: TEXTS[i], score: score(row) }))
  .sort((one, other) => other.score - one.score);
for (const { text, score: value } of found) console.log(value.toFixed(3), text);
await client.close();
