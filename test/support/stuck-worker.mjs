import { parentPort } from 'node:worker_threads';

// Answers as an inference thread does, but a run never ends, as one that hangs in native code.
parentPort.on('message', ({ id, method }) => {
  if (method === 'run') return;
  const info = { inputs: ['input_ids'], outputs: [] };
  parentPort.postMessage({ id, value: method === 'open' ? info : null });
});
