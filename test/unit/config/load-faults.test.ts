import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/load.ts';
import { EXIT_CODES, StartError } from '../../../src/errors.ts';
import { NODE_TYPES } from '../../../src/graph/nodes/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CONFIG = 'models:\n  - name: m\n    graph: graphs/m.yaml\n';
const GRAPH = `nodes:
  - name: Executor
    type: embeddings
    options:
      models_path: ../models/m
`;

const folder = tempFolder();

beforeEach(() => {
  folder.write('models/m/model.onnx', '');
  folder.write('models/m/tokenizer.json', '{}');
  folder.write('config.yaml', CONFIG);
  folder.write('graphs/m.yaml', GRAPH);
});
afterAll(folder.remove);

/** The one line that an operator reads. */
function refusal(file = 'config.yaml'): string {
  const overrides = { server: {}, node: {} };
  try {
    loadConfig(file, { nodeTypes: NODE_TYPES, overrides, cwd: folder.path });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    expect(EXIT_CODES[error.fault]).toBe(78);
    expect(error.message).not.toContain('\n');
    return error.message;
  }
  return 'nothing was refused';
}

describe('loadConfig() refuses in config.yaml', () => {
  const path = 'must be a non-empty string';
  test.each([
    ['', '1: the file is empty'],
    ['# models:\n', '1: the file is empty'],
    ['5', '1: must be an object, not 5'],
    ['{}', '1: models: is required'],
    ['models:', '1: models: must be a non-empty list, not null'],
    ['models: []', '1: models: must be a non-empty list, not an empty list'],
    ['models:\n- m', '2: models[0]: must be an object, not "m"'],
    ['models:\n- name: m', '2: models[0].graph: is required'],
    ['models:\n- graph: g.yaml', '2: models[0].name: is required'],
    ['models:\n\t- name: m', '2: a tab indents this line, and YAML allows only spaces there'],
    ['models: 1\nmodels: 2', '2: the key models is already there, above'],
    ['models: 1\n---\nmodels: 2', '2: a second document begins here, and only one is allowed'],
    ...['123', 'true', '0x10', '1e3', '~', '[a]'].map((name) => [
      CONFIG.replace('name: m', `name: ${name}`),
      `2: models[0].name: ${path}, not ${
        { '0x10': '16', '1e3': '1000', '~': 'null', '[a]': 'a list of 1 item' }[name] ?? name
      }`,
    ]),
    [
      CONFIG.replace('name: m', 'name: yes'),
      '2: models[0].name: must be true or "yes" in quotes, not a bare yes',
    ],
    [CONFIG.replace('name: m', 'name: ""'), `2: models[0].name: ${path}, not ""`],
    [CONFIG.replace('graph: graphs/m.yaml', 'graph: 5'), `3: models[0].graph: ${path}, not 5`],
    [
      `${CONFIG}  - name: m\n    graph: g`,
      '4: models[1].name: "m" is already the name of models[0]',
    ],
    [
      CONFIG.replace('graph:', 'grahp:'),
      '3: models[0].grahp: unknown key, did you mean graph; allowed: name, graph',
    ],
    [`${CONFIG}sever: {}`, '4: sever: unknown key, did you mean server; allowed: server, models'],
    [`__proto__: {}\n${CONFIG}`, '1: __proto__: unknown key; allowed: server, models'],
    [`${CONFIG}server:`, '4: server: must be an object, not null'],
    [
      `${CONFIG}server:\n  rest_prot: 1`,
      '5: server.rest_prot: unknown key, did you mean rest_port; allowed: rest_bind_address, rest_port, drain_delay_s, grace_s, queue_tokens, log_level, metrics_enable',
    ],
    ...['-1', '65536', '80.5', '"8000"', 'null'].map((port) => [
      `${CONFIG}server:\n  rest_port: ${port}`,
      `5: server.rest_port: must be a whole number from 0 to 65535, not ${port}`,
    ]),
    [
      `${CONFIG}server: {log_level: info}`,
      '4: server.log_level: must be one of TRACE, DEBUG, INFO, WARNING, ERROR, not "info"',
    ],
    [
      `${CONFIG}server: {grace_s: -1}`,
      '4: server.grace_s: must be a number from 0 to 86400, not -1',
    ],
    [
      CONFIG.replace('graphs/m', 'graphs/n'),
      '3: models[0].graph: cannot read graphs/n.yaml: no such file or folder',
    ],
    [
      CONFIG.replace('graphs/m.yaml', 'graphs'),
      '3: models[0].graph: cannot read graphs: it is a folder',
    ],
  ])('%j', (text = '', message = '') => {
    folder.write('config.yaml', text);
    expect(refusal()).toBe(`config.yaml:${message}`);
  });

  test('what is not UTF-8', () => {
    folder.write('config.yaml', Buffer.from('# ok\n# caf\u00e9\n', 'latin1'));
    expect(refusal()).toBe('config.yaml:2: the text is not UTF-8');
  });
});

describe('loadConfig() refuses a file that cannot be read', () => {
  test.each([
    ['absent.yaml', 'no such file or folder'],
    ['graphs', 'it is a folder'],
    ['config.yaml/x', 'a part of the path is not a folder'],
  ])('%s', (file, reason) => {
    expect(refusal(file)).toBe(`${file}: cannot read the file: ${reason}`);
  });
});

describe('loadConfig() refuses in a graph file', () => {
  const at = 'nodes[0].options';
  const batch = 'must be a whole number from 1 to 4294967295';
  test.each([
    ['', '1: the file is empty'],
    ['nodes: []', '1: nodes: must be a list of exactly 1 item, not an empty list'],
    [
      GRAPH + GRAPH.replace('nodes:\n', ''),
      '1: nodes: must be a list of exactly 1 item, not a list of 2 items',
    ],
    [
      GRAPH.replace('type: embeddings', 'kind: x'),
      '3: nodes[0].kind: unknown key; allowed: name, type, options',
    ],
    [GRAPH.replace('    type: embeddings\n', ''), '2: nodes[0].type: is required'],
    ['nodes:\n- type: embeddings', '2: nodes[0].options: is required'],
    [
      GRAPH.replace('../models/m', ''),
      `5: ${at}.models_path: must be a non-empty string, not null`,
    ],
    ['nodes:\n- type: embeddings\n  options: {}', `3: ${at}.models_path: is required`],
    [
      GRAPH.replace('../models/m', '../models/absent'),
      `5: ${at}.models_path: cannot use models/absent: no such file or folder`,
    ],
    [
      GRAPH.replace('../models/m', '../config.yaml'),
      `5: ${at}.models_path: cannot use config.yaml: it is not a folder`,
    ],
    [
      `${GRAPH}      model_file: other.onnx`,
      `6: ${at}.model_file: cannot use models/m/other.onnx: no such file or folder`,
    ],
    [`${GRAPH}      model_file: .`, `6: ${at}.model_file: cannot use models/m: it is not a file`],
    [
      `${GRAPH}      model_file: ../../config.yaml`,
      `6: ${at}.model_file: cannot use config.yaml: it is outside of models_path`,
    ],
    [
      `${GRAPH}      tokenizer:\n        file: other.json`,
      `7: ${at}.tokenizer.file: cannot use models/m/other.json: no such file or folder`,
    ],
    [`${GRAPH}      pooling: max`, `6: ${at}.pooling: must be one of CLS, LAST, MEAN, not "max"`],
    ...['0', '-1', '1.5', '4294967296', '"8"'].map((size) => [
      `${GRAPH}      max_batch_size: ${size}`,
      `6: ${at}.max_batch_size: ${batch}, not ${size}`,
    ]),
    [
      `${GRAPH}      session:\n        num_streams: 0`,
      `7: ${at}.session.num_streams: must be auto or a whole number from 1 to 1024, not 0`,
    ],
    [
      `${GRAPH}      session:\n        config_entries: {a: 1}`,
      `7: ${at}.session.config_entries.a: must be a string, not 1`,
    ],
  ])('%j', (text = '', message = '') => {
    folder.write('graphs/m.yaml', text);
    expect(refusal()).toBe(`graphs/m.yaml:${message}`);
  });

  test('a type that there is not, naming those that there are', () => {
    folder.write('graphs/m.yaml', GRAPH.replace('type: embeddings', 'type: embedings'));
    const types = NODE_TYPES.map(({ type }) => type).join(', ');
    expect(refusal()).toBe(
      `graphs/m.yaml:3: nodes[0].type: must be one of ${types}, not "embedings"`,
    );
  });

  test('an unknown option, naming the one that was meant', () => {
    folder.write('graphs/m.yaml', `${GRAPH}      maxLength: 5`);
    expect(refusal()).toMatch(
      /^graphs\/m\.yaml:6: nodes\[0\]\.options\.maxLength: unknown key, did you mean max_length; allowed: models_path, /,
    );
  });

  test('a model or tokenizer file that is missing, at the options if none is named', () => {
    rmSync(join(folder.path, 'models/m/tokenizer.json'));
    expect(refusal()).toBe(
      `graphs/m.yaml:4: ${at}.tokenizer.file: cannot use models/m/tokenizer.json: no such file or folder`,
    );
    rmSync(join(folder.path, 'models/m/model.onnx'));
    expect(refusal()).toBe(
      `graphs/m.yaml:4: ${at}.model_file: cannot use models/m/model.onnx: no such file or folder`,
    );
  });
});

describe('loadConfig() takes', () => {
  test.each([1, 4_294_967_295])('a max_batch_size of %d', (size) => {
    folder.write('graphs/m.yaml', `${GRAPH}      max_batch_size: ${size}`);
    expect(refusal()).toBe('nothing was refused');
  });

  test.each([0, 65_535])('the port %d', (port) => {
    folder.write('config.yaml', `${CONFIG}server: {rest_port: ${port}}`);
    expect(refusal()).toBe('nothing was refused');
  });
});
