import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from '../../src/cli/command.ts';
import { parseArgs } from '../../src/cli/parse-args.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { METRICS } from '../../src/ops/metrics.ts';
import { KUBERNETES, manifestsIn, valueAt, type Manifest } from '../support/manifests.ts';
import { describePython, runPython } from '../support/python.ts';

/** The oldest version that has what the manifests use, and the newest that there are schemas for. */
const VERSIONS = ['1.30', '1.37'];

const manifests = manifestsIn(KUBERNETES);
const kserve = manifestsIn(join(KUBERNETES, 'kserve'));
const pod = valueAt(manifests.get('Deployment'), 'spec.template.spec') as Manifest;
const container = valueAt(pod, 'containers.0') as Manifest;
const runtime = kserve.get('ServingRuntime');
const served = valueAt(runtime, 'spec.containers.0') as Manifest;
const LABELS = { 'app.kubernetes.io/name': 'tensorgate' };

/** The settings that a container's arguments give, by the keys of the files. */
function settings({ args }: Manifest): Manifest {
  // What KServe fills in.
  const filled = (args as readonly string[]).map((arg) => arg.replace('{{.Name}}', 'name'));
  const command = commandOf(parseArgs(filled));
  if (command.kind !== 'serve') throw new Error(`serves nothing: ${command.kind}`);
  return command.overrides.server;
}

function seconds(value: unknown): number {
  expect(value).toEqual(expect.any(Number));
  return Number(value);
}

describePython('kubernetes-validate', () => {
  const files = readdirSync(KUBERNETES)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(KUBERNETES, name));

  test.each(VERSIONS)('finds nothing wrong by Kubernetes %s', async (version) => {
    const faults = await runPython('validate_manifests', [version, ...files]);
    expect(faults).toEqual(Object.fromEntries([...manifests.keys()].map((kind) => [kind, null])));
  });
});

describe('deploy/kubernetes/', () => {
  test('has what a service in a cluster needs', () => {
    expect([...manifests.keys()].sort()).toEqual([
      ...['Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'Service'],
    ]);
  });

  test.each([
    ['Deployment', 'spec.selector.matchLabels'],
    ['Deployment', 'spec.template.metadata.labels'],
    ['Service', 'spec.selector'],
    ['PodDisruptionBudget', 'spec.selector.matchLabels'],
    ['NetworkPolicy', 'spec.podSelector.matchLabels'],
  ])('selects the same pods in %s, %s', (kind, path) => {
    expect(valueAt(manifests.get(kind), path)).toEqual(LABELS);
  });

  test('scales the deployment, on a metric of the server', () => {
    const scaler = manifests.get('HorizontalPodAutoscaler');
    const deployment = manifests.get('Deployment');
    expect(valueAt(scaler, 'spec.scaleTargetRef')).toEqual({
      apiVersion: deployment?.['apiVersion'],
      kind: 'Deployment',
      name: valueAt(deployment, 'metadata.name'),
    });
    const metric = valueAt(scaler, 'spec.metrics.0.pods.metric.name');
    expect(METRICS.find(({ name }) => name === metric)).toMatchObject({ kind: 'gauge' });
    expect(valueAt(deployment, 'spec.replicas')).toBeUndefined();
  });

  test('names one port everywhere, which is the server’s own', () => {
    expect(valueAt(container, 'ports')).toEqual([{ name: 'http', containerPort: 8000 }]);
    expect(valueAt(manifests.get('Service'), 'spec.ports.0.targetPort')).toBe('http');
    expect(valueAt(manifests.get('NetworkPolicy'), 'spec.ingress.0.ports.0.port')).toBe('http');
    const annotations = 'spec.template.metadata.annotations';
    const scraped = valueAt(manifests.get('Deployment'), annotations) as Manifest;
    expect(scraped['prometheus.io/port']).toBe('8000');
    expect(settings(container)).not.toHaveProperty('rest_port');
  });

  test('lets the requests in flight end before the pod is killed', () => {
    const { drain_delay_s: drain, grace_s: grace } = settings(container);
    const preStop = seconds(valueAt(container, 'lifecycle.preStop.sleep.seconds'));
    const ended = preStop + seconds(drain) + seconds(grace);
    expect(seconds(pod['terminationGracePeriodSeconds'])).toBeGreaterThan(ended);
    const { periodSeconds, failureThreshold } = container['readinessProbe'] as Manifest;
    // The probes see that it ends before it refuses requests.
    expect(seconds(drain)).toBeGreaterThanOrEqual(
      seconds(periodSeconds) * seconds(failureThreshold),
    );
  });

  test('replaces a server only when another one answers', () => {
    expect(valueAt(manifests.get('Deployment'), 'spec.strategy.rollingUpdate')).toEqual({
      maxUnavailable: 0,
      maxSurge: 1,
    });
  });
});

describe.each([
  ['the deployment', container, 'http'],
  ['the serving runtime', served, 8080],
])('the container of %s', (_name, spec, port) => {
  const paths = ROUTES.flatMap((route) => route.paths);

  test.each([
    ['startupProbe', '/v2/health/ready'],
    ['livenessProbe', '/v2/health/live'],
    ['readinessProbe', '/v2/health/ready'],
  ])('has its %s on a route of the server', (probe, path) => {
    expect(valueAt(spec, `${probe}.httpGet`)).toEqual({ path, port });
    expect(paths).toContain(path);
  });

  test('listens on all addresses', () => {
    expect(settings(spec)).toMatchObject({ rest_bind_address: '0.0.0.0' });
  });

  test('may do nothing but serve', () => {
    expect(spec['securityContext']).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(valueAt(spec, 'resources.limits')).toMatchObject({ memory: '2Gi' });
  });
});

describe('deploy/kubernetes/kserve/', () => {
  const service = kserve.get('InferenceService');

  test('has resources of the versions that KServe serves', () => {
    expect(runtime?.['apiVersion']).toBe('serving.kserve.io/v1alpha1');
    expect(service?.['apiVersion']).toBe('serving.kserve.io/v1beta1');
    expect(kserve.size).toBe(2);
  });

  // Their definitions have no schema in kubernetes-validate: these are the keys that KServe reads.
  test('has only keys that KServe knows', () => {
    expect(Object.keys(valueAt(runtime, 'spec') as Manifest).sort()).toEqual([
      ...['annotations', 'containers', 'multiModel', 'protocolVersions', 'supportedModelFormats'],
    ]);
    expect(Object.keys(valueAt(service, 'spec.predictor') as Manifest).sort()).toEqual([
      ...['maxReplicas', 'minReplicas', 'model', 'terminationGracePeriodSeconds'],
    ]);
    expect(Object.keys(valueAt(service, 'spec.predictor.model') as Manifest).sort()).toEqual([
      ...['modelFormat', 'protocolVersion', 'runtime', 'storageUri'],
    ]);
  });

  test('joins the service with the runtime', () => {
    expect(served['name']).toBe('kserve-container');
    const model = valueAt(service, 'spec.predictor.model');
    expect(valueAt(model, 'runtime')).toBe(valueAt(runtime, 'metadata.name'));
    const { name, version } = valueAt(model, 'modelFormat') as Manifest;
    expect(valueAt(runtime, 'spec.supportedModelFormats.0')).toMatchObject({ name, version });
    expect(valueAt(runtime, 'spec.protocolVersions')).toEqual([valueAt(model, 'protocolVersion')]);
    expect(valueAt(served, 'ports.0.containerPort')).toBe(settings(served)['rest_port']);
  });

  test('lets the requests in flight end before the pod is killed', () => {
    const { drain_delay_s: drain, grace_s: grace } = settings(served);
    const period = valueAt(service, 'spec.predictor.terminationGracePeriodSeconds');
    expect(seconds(period)).toBeGreaterThan(seconds(drain) + seconds(grace));
  });
});
