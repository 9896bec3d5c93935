import { checkSettings } from '../../../src/client/settings.ts';

function fault(options: object): string | null {
  try {
    checkSettings(options);
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'InvalidArg', kind: 'invalid_parameter' });
    return (error as Error).message;
  }
}

const UP_TO_1024 = 'must be greater than 0 and less than or equal to 1024';
const NICE =
  'max_concurrent_requests must be less than 512 when batch_size is less than 16. ' +
  'Please be nice to the server side.';
const WHOLE = 'must be a non-negative integer';

describe('checkSettings()', () => {
  test('has the documented defaults', () => {
    expect(checkSettings({})).toMatchObject({
      timeoutS: 3600,
      totalTimeoutS: null,
      hedgeDelayS: null,
      maxCharsPerRequest: 8000,
      maxConcurrentRequests: 256,
      batchSize: 8,
      hedgeBudgetPct: 0.1,
      retryBudgetPct: 0.05,
      maxRetries: 5,
      initialBackoffMs: 125,
      pinInitialEndpointOnce: false,
      honorRetryAfter: true,
      attemptIds: false,
      failFast: true,
      vectors: 'array',
    });
    expect(checkSettings({ maxCharsPerRequest: null }).maxCharsPerRequest).toBe(8000);
  });

  test.each<[object]>([
    [{ timeoutS: 0.1 }],
    [{ timeoutS: 3600 }],
    [{ timeoutS: 10, totalTimeoutS: 10 }],
    [{ totalTimeoutS: 1e9 }],
    [{ hedgeDelay: 0.045 }],
    [{ timeoutS: 1, hedgeDelay: 0.954 }],
    [{ maxCharsPerRequest: 50 }],
    [{ maxCharsPerRequest: 1_048_576 }],
    [{ maxConcurrentRequests: 1, batchSize: 1 }],
    [{ maxConcurrentRequests: 1024, batchSize: 1024 }],
    [{ maxConcurrentRequests: 512, batchSize: 15 }],
    [{ maxConcurrentRequests: 513, batchSize: 16 }],
    [{ hedgeBudgetPct: 0, retryBudgetPct: 3 }],
    [{ hedgeBudgetPct: 3, retryBudgetPct: 0 }],
    [{ maxRetries: 0 }],
    [{ maxRetries: 6 }],
    [{ initialBackoffMs: 50 }],
    [{ initialBackoffMs: 45_000 }],
    [{ nonRetryableStatusCodes: [0, 65_535] }],
  ])('takes %j', (options) => {
    expect(fault(options)).toBeNull();
  });

  test.each<[object, string]>([
    [{ timeoutS: 0.05 }, 'Timeout 0.050s is outside the allowed range [0.100s, 3600.000s].'],
    [{ timeoutS: 3600.1 }, 'Timeout 3600.100s is outside the allowed range [0.100s, 3600.000s].'],
    [{ timeoutS: NaN }, 'Timeout NaNs is outside the allowed range [0.100s, 3600.000s].'],
    [{ timeoutS: '1' }, 'timeout_s must be a number'],
    [
      { timeoutS: 10, totalTimeoutS: 9 },
      'Total timeout 9.000s must be greater than or equal to individual request timeout 10.000s.',
    ],
    [
      { totalTimeoutS: 5 },
      'Total timeout 5.000s must be greater than or equal to individual request timeout 3600.000s.',
    ],
    [
      { totalTimeoutS: Infinity },
      'Total timeout infs must be greater than or equal to individual request timeout 3600.000s.',
    ],
    [{ hedgeDelay: 0.044 }, 'Hedge delay 0.044s is outside the allowed range [0.045s, 3600.000s].'],
    [
      { hedgeDelay: 3600.1 },
      'Hedge delay 3600.100s is outside the allowed range [0.045s, 3600.000s].',
    ],
    [
      { timeoutS: 1, hedgeDelay: 0.955 },
      'Hedge delay 0.955s must be less than timeout minus minimum hedge delay (1.000s -0.045s).',
    ],
    [
      { maxCharsPerRequest: 49 },
      'max_chars_per_request must be between 50 and 1048576 characters.',
    ],
    [
      { maxCharsPerRequest: 1_048_577 },
      'max_chars_per_request must be between 50 and 1048576 characters.',
    ],
    [{ maxConcurrentRequests: 0 }, `max_concurrent_requests ${UP_TO_1024}`],
    [{ maxConcurrentRequests: 1025 }, `max_concurrent_requests ${UP_TO_1024}`],
    [{ batchSize: 0 }, `batch_size ${UP_TO_1024}`],
    [{ batchSize: 1025 }, `batch_size ${UP_TO_1024}`],
    [{ maxConcurrentRequests: 513, batchSize: 15 }, NICE],
    [{ hedgeBudgetPct: -0.1 }, 'hedge_budget_pct cannot be negative'],
    [{ hedgeBudgetPct: 3.01 }, 'hedge_budget_pct cannot exceed 3 (300%)'],
    [{ retryBudgetPct: -0.1 }, 'retry_budget_pct cannot be negative'],
    [{ retryBudgetPct: 3.01 }, 'retry_budget_pct cannot exceed 3 (300%)'],
    [{ retryBudgetPct: NaN }, 'retry_budget_pct must be a number'],
    [{ maxRetries: 7 }, 'max_retries cannot exceed 6'],
    [{ initialBackoffMs: 49 }, 'initial_backoff_ms must be between 50 and 45000 milliseconds'],
    [{ initialBackoffMs: 45_001 }, 'initial_backoff_ms must be between 50 and 45000 milliseconds'],
    [{ batchSize: -1 }, `batch_size ${WHOLE}`],
    [{ batchSize: 1.5 }, `batch_size ${WHOLE}`],
    [{ maxConcurrentRequests: '8' }, `max_concurrent_requests ${WHOLE}`],
    [{ maxRetries: Infinity }, `max_retries ${WHOLE}`],
    [{ nonRetryableStatusCodes: [65_536] }, `non_retryable_status_codes ${WHOLE}`],
    [{ nonRetryableStatusCodes: [-1] }, `non_retryable_status_codes ${WHOLE}`],
  ])('refuses %j', (options, message) => {
    expect(fault(options)).toBe(message);
  });

  test.each([
    [1, 2000, `batch_size ${UP_TO_1024}`],
    [2000, 1, `max_concurrent_requests ${UP_TO_1024}`],
    [2000, 2000, `max_concurrent_requests ${UP_TO_1024}`],
    [0, 0, `max_concurrent_requests ${UP_TO_1024}`],
    [700, 1, NICE],
  ])('checks %i in flight before batches of %i', (maxConcurrentRequests, batchSize, message) => {
    expect(fault({ maxConcurrentRequests, batchSize })).toBe(message);
  });

  test('names the first fault in the documented order', () => {
    const all: Record<string, unknown> = {
      timeoutS: 0,
      totalTimeoutS: -1,
      hedgeDelay: 0,
      maxCharsPerRequest: 0,
      maxConcurrentRequests: 0,
      batchSize: 0,
      hedgeBudgetPct: -1,
      retryBudgetPct: -1,
      maxRetries: 7,
      initialBackoffMs: 0,
    };
    const order = [
      'Timeout',
      'Total timeout',
      'Hedge delay',
      'max_chars',
      'max_concurrent',
      'batch_size',
      'hedge_budget',
      'retry_budget',
      'max_retries',
      'initial_backoff',
    ];
    const seen = Object.keys(all).map((name, at) => {
      const message = fault({ ...all }) ?? '';
      expect(message.startsWith(order[at] ?? '?')).toBe(true);
      all[name] = null;
      return message;
    });
    expect(seen).toHaveLength(10);
    expect(fault(all)).toBeNull();
  });
});
