import { Endpoint, HttpClientWrapper } from '../../../src/client/index.ts';
import { HealthMonitor } from '../../../src/client/health-monitor.ts';

describe('HealthMonitor', () => {
  const wrapper = new HttpClientWrapper();
  let monitor: HealthMonitor;

  beforeEach(() => {
    monitor = new HealthMonitor(new Endpoint('http://127.0.0.1:9', 'k', wrapper, null, null, 10));
  });

  afterEach(() => {
    monitor.stop();
    wrapper.close();
  });

  test('takes a member out at once, and back by a round that is well; no vote changes nothing', () => {
    expect(monitor.healthy).toBe(true);
    monitor.finish('unhealthy', 0);
    expect(monitor.healthy).toBe(false);
    monitor.finish('no-vote', 0);
    expect(monitor.healthy).toBe(false);
    monitor.finish('healthy', 0);
    expect(monitor.healthy).toBe(true);
    monitor.finish('no-vote', 0);
    expect(monitor.healthy).toBe(true);
  });

  test('slow rounds stretch the interval by half, up to tenfold; a quick one resets it', () => {
    monitor.finish('healthy', 5000);
    expect(monitor.intervalMs).toBe(10_000);
    monitor.finish('healthy', 5001);
    expect(monitor.intervalMs).toBe(15_000);
    monitor.finish('healthy', 7501);
    expect(monitor.intervalMs).toBe(22_500);
    for (let round = 0; round < 10; round++) monitor.finish('healthy', 1e6);
    expect(monitor.intervalMs).toBe(100_000);
    monitor.finish('healthy', 1);
    expect(monitor.intervalMs).toBe(10_000);
  });

  test('does nothing after it is stopped', () => {
    monitor.stop();
    monitor.finish('unhealthy', 0);
    expect(monitor.healthy).toBe(true);
    expect(monitor.begin()).toBeNull();
  });
});
