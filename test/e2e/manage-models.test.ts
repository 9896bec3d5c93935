import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runToEnd, startServerProcess, type Outcome } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TINY = join(ROOT, 'test/fixtures/tiny-bert-embeddings');
const folder = tempFolder();

afterAll(() => {
  folder.remove();
});

function run(...flags: string[]): Promise<Outcome> {
  return runToEnd(flags, { cwd: folder.path });
}

test('a config file is made, changed and served by commands', async () => {
  const model = ['--task', 'embeddings', '--model_path', TINY, '--max_batch_size', '4'];
  await expect(run('--add_to_config', '--model_name', 'org/a', ...model)).resolves.toMatchObject({
    code: 0,
    stdout: 'Wrote graphs/a.yaml\nAdded org/a to config.yaml\n',
    stderr: '',
  });
  const graph = ['--graph_path', 'graphs/a.yaml'];
  await expect(run('--add_to_config', '--model_name', 'b', ...graph)).resolves.toMatchObject({
    code: 0,
  });
  await expect(run('--list_models')).resolves.toMatchObject({
    code: 0,
    stdout: `org/a: embeddings, ${TINY}\nb: embeddings, ${TINY}\n`,
  });
  await expect(run('--remove_from_config', '--model_name', 'b')).resolves.toMatchObject({
    code: 0,
    stdout: 'Removed b from config.yaml\n',
  });
  expect(readFileSync(join(folder.path, 'config.yaml'), 'utf8')).toBe(
    'models:\n  - name: org/a\n    graph: graphs/a.yaml\n',
  );
  const server = await startServerProcess([], { cwd: folder.path });
  expect(server.stdout()).toMatch(/^ {2}org\/a: embeddings, .* max_batch_size 4$/m);
  await server.stop();
});

test('a name that is not in the file is a wrong flag', async () => {
  folder.write('other.yaml', 'models:\n  - { name: a, graph: graphs/a.yaml }\n');
  const flags = ['--config_path', 'other.yaml', '--model_name', 'c'];
  await expect(run('--remove_from_config', ...flags)).resolves.toMatchObject({
    code: 64,
    stdout: '',
    stderr: '--model_name: other.yaml has no model "c", only a\n',
  });
});
