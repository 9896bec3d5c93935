import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandOf } from '../../src/cli/command.ts';
import { parseArgs } from '../../src/cli/parse-args.ts';
import { loadConfig } from '../../src/config/load.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { NODE_TYPES } from '../../src/graph/nodes/index.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { describeProgram } from '../support/program.ts';
import { ROOT } from '../support/server-process.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);

const DEPLOY = join(ROOT, 'deploy');
const UNIT = readFileSync(join(DEPLOY, 'systemd/tensorgate.service'), 'utf8');
const CONTAINERFILE = readFileSync(join(DEPLOY, 'container/Containerfile'), 'utf8');

let folder: TempFolder;

beforeEach(() => {
  folder = tempFolder();
});

afterEach(() => {
  folder.remove();
});

/** The value of a setting of the unit. */
function unitValue(key: string): string {
  return new RegExp(`^${key}=(.*)$`, 'm').exec(UNIT)?.[1] ?? '';
}

describe('deploy/container/', () => {
  const [build = '', image = ''] = CONTAINERFILE.split(/^(?=FROM )/m).slice(1);

  test('copies files that are there, and that the build is allowed to see', () => {
    const copies = CONTAINERFILE.matchAll(/^COPY (?!--from)(.*) \S+$/gm);
    const sources = Array.from(copies, ([, names = '']) => names.split(' ')).flat();
    const seen = readFileSync(join(DEPLOY, 'container/Containerfile.dockerignore'), 'utf8');
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect({ source, isThere: existsSync(join(ROOT, source)) }).toEqual({
        source,
        isThere: true,
      });
      expect(seen).toContain(`\n!${source}\n`);
    }
  });

  test('installs and builds only in the stage that is thrown away', () => {
    expect(build).toContain('npm ci');
    expect(image).not.toMatch(/^RUN|npm/m);
    expect(image).toMatch(/^COPY --from=build \/app\/dist /m);
  });

  test('runs as a user that is not root, by number', () => {
    expect(image).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  });

  test('has a health check on a route of the server', () => {
    const [, url = ''] = /^HEALTHCHECK[^]*?fetch\('([^']+)'\)/m.exec(image) ?? [];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:8000\//);
    expect(ROUTES.flatMap(({ paths }) => paths)).toContain(new URL(url).pathname);
  });

  test('serves a configuration that listens on all addresses', () => {
    const configText = readFileSync(join(DEPLOY, 'container/config.yaml'), 'utf8');
    expect(image).toContain('COPY deploy/container/config.yaml ./config.yaml\n');
    // In the image it is where config.yaml is in the repository.
    const { server, models } = loadConfig(join(ROOT, 'config.yaml'), {
      nodeTypes: NODE_TYPES,
      overrides: { server: {}, node: {} },
      configText,
    });
    expect(server).toMatchObject({ restBindAddress: '0.0.0.0', restPort: 8000 });
    expect(models).toHaveLength(1);
  });
});

describe('deploy/systemd/tensorgate.service', () => {
  test('starts a server that has the time to end in order', () => {
    const [program, main, ...flags] = unitValue('ExecStart').split(' ');
    expect([program, main]).toEqual(['/usr/bin/node', '/opt/tensorgate/dist/main.js']);
    const command = commandOf(parseArgs(flags));
    const { drain_delay_s: drain, grace_s: grace } =
      command.kind === 'serve' ? command.overrides.server : {};
    expect(Number(unitValue('TimeoutStopSec'))).toBeGreaterThan(Number(drain) + Number(grace));
  });

  test('starts no server again whose flags or files are wrong', () => {
    const codes = unitValue('RestartPreventExitStatus').split(' ').map(Number);
    expect(codes).toEqual([EXIT_CODES.usage, EXIT_CODES.config]);
  });
});

describeProgram(
  'systemd-analyze',
  (program) => {
    beforeEach(() => {
      const here = UNIT.replace('/usr/bin/node', process.execPath);
      folder.write('tensorgate.service', here);
    });

    test('finds nothing wrong with the unit', async () => {
      const { stdout, stderr } = await run(program, [
        'verify',
        join(folder.path, 'tensorgate.service'),
      ]);
      expect(stdout + stderr).not.toContain('tensorgate.service');
    });

    test('finds the unit well protected', async () => {
      const unit = join(folder.path, 'tensorgate.service');
      const { stdout } = await run(program, ['security', '--offline=true', '--no-pager', unit]);
      const [, exposure = '10'] = /Overall exposure level for .*: ([\d.]+) OK/.exec(stdout) ?? [];
      expect(Number(exposure)).toBeLessThan(2);
    });
  },
  false,
);

describeProgram(
  'haproxy',
  (program) => {
    test('takes deploy/haproxy/haproxy.cfg', async () => {
      const { stdout, stderr } = await run(program, [
        '-c',
        '-f',
        join(DEPLOY, 'haproxy/haproxy.cfg'),
      ]);
      expect(stdout + stderr).toBe('Configuration file is valid\n');
    });
  },
  true,
);

describeProgram(
  'nginx',
  (program) => {
    test('takes deploy/nginx/nginx.conf', async () => {
      const config = join(DEPLOY, 'nginx/nginx.conf');
      const pid = `pid ${join(folder.path, 'nginx.pid')};`;
      const { stderr } = await run(program, ['-t', '-c', config, '-e', 'stderr', '-g', pid]);
      expect(stderr).toContain('test is successful');
      expect(stderr).not.toContain('[warn]');
    });
  },
  false,
);
