// Embeds many texts and shows what large jobs need: node examples/client-many.mjs 10000
// The server is TENSORGATE_URL, else http://localhost:8000. Ctrl-C cancels what is in flight.
import { PerformanceClient, PerformanceClientError } from 'tensorgate/client';

const MODEL = 'sentence-transformers/all-MiniLM-L6-v2';
const count = Number(process.argv[2] ?? 1000);
const url = process.env.TENSORGATE_URL ?? 'http://localhost:8000';
const controller = new AbortController();
process.once('SIGINT', () => controller.abort());

const client = new PerformanceClient(url, {
  apiKey: process.env.BASETEN_API_KEY ?? 'unused',
  logger: { warn: (message, fields) => console.error(message, fields) },
});
const texts = Array.from({ length: count }, (_, i) => `text number ${i}`);
try {
  const response = await client.embed(texts, MODEL, null, null, null, {
    batchSize: 64,
    maxConcurrentRequests: 16,
    limits: 'server',
    vectors: 'float32',
    timeoutS: 60,
    retryBudgetPct: 0.1,
    failFast: false,
    signal: controller.signal,
  });
  const { total_time: seconds, usage, errors = [] } = response;
  console.log(
    `${response.data.length} texts, ${usage.total_tokens} tokens, ${seconds.toFixed(2)} s`,
  );
  for (const { start, end, error } of errors) console.log(`${start}-${end - 1}: ${error.message}`);
} catch (error) {
  if (!(error instanceof PerformanceClientError)) throw error;
  console.error(`${error.kind}: ${error.message}`);
  process.exitCode = 1;
}
await client.close();
