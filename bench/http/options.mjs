import { URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { MODEL_NAME, VARIANTS } from './server-process.mjs';
import { WORKLOADS, workloadNamed } from './texts.mjs';
import { loopbackUrl } from './url.mjs';

export const HELP = `Usage: npm run bench -- [options]

  --workloads LIST   of ${Object.keys(WORKLOADS).join(', ')} (default: all)
  --variants LIST    model files: exact, int8 (default: exact)
  --encodings LIST   base64, float (default: base64)
  --rounds N         (default: 3)
  --seconds S        of each measurement (default: 4)
  --warmup S         before each measurement (default: 0.5)
  --build NAME=FILE  a build's main.js; repeat to compare builds (default: tensorgate=dist/main.js)
  --peer NAME=URL    a running server's embeddings route on this machine; may be repeated; may end in
                     #model=NAME (default: ${MODEL_NAME}) and &pid=N (for its memory and CPU time)
  --seed N           of the texts (default: 1)
  --json FILE        where all figures go
  --help
`;

/** @param {readonly string[]} args */
export function benchOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      workloads: { type: 'string', default: Object.keys(WORKLOADS).join(',') },
      variants: { type: 'string', default: 'exact' },
      encodings: { type: 'string', default: 'base64' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
      warmup: { type: 'string', default: '0.5' },
      build: { type: 'string', multiple: true, default: ['tensorgate=dist/main.js'] },
      peer: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    ...values,
    workloads: listOf(values.workloads, (name) => (workloadNamed(name), name)),
    variants: listOf(values.variants, (name) => oneOf(Object.keys(VARIANTS), name)),
    encodings: listOf(values.encodings, (name) => oneOf(['base64', 'float'], name)),
    rounds: numberOf('rounds', values.rounds),
    seconds: numberOf('seconds', values.seconds),
    warmup: numberOf('warmup', values.warmup),
    seed: numberOf('seed', values.seed),
    builds: values.build.map(named).map(([name, main]) => ({ name, main })),
    peers: values.peer.map(named).map(([name, url]) => ({ name, ...peerOf(url) })),
  };
}

function listOf(text, check) {
  return text.split(',').map(check);
}

function oneOf(allowed, name) {
  if (allowed.includes(name)) return name;
  throw new Error(`"${name}" is none of ${allowed.join(', ')}`);
}

function numberOf(flag, text) {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`--${flag} takes a number above 0, not "${text}"`);
}

/** `name=value` */
function named(text) {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`"${text}" is not of the form NAME=VALUE`);
  return [name, value];
}

function peerOf(text) {
  const url = loopbackUrl(text);
  const extras = new URLSearchParams(url.hash.slice(1));
  url.hash = '';
  const pid = extras.get('pid');
  return {
    url: url.href,
    model: extras.get('model') ?? MODEL_NAME,
    pid: pid === null ? null : numberOf('peer', pid),
  };
}
