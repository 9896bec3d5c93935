import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { METRICS, type ServerState } from '../../src/ops/metrics.ts';
import { openMetrics } from '../../src/ops/prometheus.ts';
import { describeProgram } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = read('docs/operations.md');
const DASHBOARD = 'deploy/grafana/tensorgate.json';
const ALERTS = 'deploy/prometheus/alerts.yaml';
const STATE: ServerState = {
  version: '1.2.3',
  openRequests: () => 0,
  models: () => [{ name: 'm', state: 'ready' }],
  loads: () => [{ model: 'm', queuedTokens: 0, workers: 1, busyWorkers: 0 }],
};

function read(file: string): string {
  return readFileSync(resolve(ROOT, file), 'utf8');
}

/** What follows a marker on the page, up to the next empty line. */
function after(marker: string): string {
  const [, rest = ''] = PAGE.split(`<!-- ${marker} -->\n`);
  return rest.split('\n\n')[0] ?? '';
}

/** Rows of the table that follows a marker, without its head, as cells. */
function rows(marker: string): readonly (readonly string[])[] {
  const lines = after(marker).split('\n').slice(2);
  return lines.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
}

const metrics = openMetrics(STATE);
const { text } = await metrics.read();
const given = Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = '', kind = '']) => ({
  name,
  kind,
}));

afterAll(() => {
  metrics.close();
});

describe('docs/operations.md', () => {
  test('has a row for every metric as it is, and no other', () => {
    const documented = rows('metrics').map(([, name, kind, labels, help]) => ({
      name,
      kind,
      labels,
      help,
    }));
    expect(documented).toEqual(
      METRICS.map(({ name, kind, labels, help }) => ({
        name,
        kind,
        labels: (Array.isArray(labels) ? labels : Object.keys(labels)).join(', '),
        help,
      })),
    );
  });

  test('names every metric that is given, and no other', () => {
    const ours = METRICS.map(({ name }) => name);
    const others = Array.from(after('process-metrics').matchAll(/`(\w+)`/g), ([, name]) => name);
    expect([...ours, ...others].sort()).toEqual(given.map(({ name }) => name).sort());
  });

  test('has a row for every alert, and no other', () => {
    const { groups } = parse(read(ALERTS)) as {
      groups: readonly { rules: readonly { alert: string }[] }[];
    };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    expect(rows('alerts').map(([, name]) => name)).toEqual(alerts);
  });
});

describe.each([DASHBOARD, ALERTS])('%s', (file) => {
  const used = Array.from(read(file).matchAll(/\b(?:tensorgate|nodejs|process)_\w+/g), ([n]) => n);
  // A histogram is three of them.
  const known = given.flatMap(({ name, kind }) =>
    kind === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  );

  test('uses only metrics that there are', () => {
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });
});

test('the dashboard has a panel or variable for every metric of ours', () => {
  const dashboard = read(DASHBOARD);
  const missing = METRICS.filter(({ name }) => !dashboard.includes(name)).map(({ name }) => name);
  // Shown by what it is made of: tokens and padded tokens.
  expect(missing).toEqual(['tensorgate_batch_padding_ratio']);
});

test('the dashboard has no two panels of one id or place', () => {
  const { panels } = JSON.parse(read(DASHBOARD)) as {
    panels: readonly { id: number; gridPos: { x: number; y: number } }[];
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(panels.length);
});

describeProgram(
  'promtool',
  (promtool) => {
    /** Runs it to its end; gives what it said if that was an error. */
    function promtoolFault(args: readonly string[], input = ''): string | null {
      const { status, stdout, stderr } = spawnSync(promtool, args, { input, encoding: 'utf8' });
      return status === 0 ? null : `${stdout}${stderr}`;
    }

    test('finds no fault in the alert rules', () => {
      expect(promtoolFault(['check', 'rules', resolve(ROOT, ALERTS)])).toBeNull();
    });

    test('raises no alert for a quiet server, and all for one in trouble', () => {
      const file = resolve(ROOT, 'test/fixtures/alerts.test.yaml');
      expect(promtoolFault(['test', 'rules', file])).toBeNull();
    });

    test('finds no fault in the metrics', () => {
      const ours = text.split('\n\n').filter((part) => part.includes(' tensorgate_'));
      expect(ours).toHaveLength(METRICS.length);
      expect(promtoolFault(['check', 'metrics'], `${ours.join('\n')}\n`)).toBeNull();
    });

    test('finds no fault in the queries of the dashboard', () => {
      const { panels } = JSON.parse(read(DASHBOARD)) as {
        panels: readonly { targets?: readonly { expr: string }[] }[];
      };
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      const rules = queries.map((expr, at) => ({
        record: `query:${at}`,
        expr: expr.replaceAll('$__rate_interval', '1m'),
      }));
      const folder = tempFolder();
      folder.write('rules.yaml', JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      expect(promtoolFault(['check', 'rules', join(folder.path, 'rules.yaml')])).toBeNull();
      folder.remove();
    });
  },
  false,
);
