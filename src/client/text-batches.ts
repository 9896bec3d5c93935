import { codePoints, planBatches, type Batch, type BatchBounds } from './batching.ts';
import { invalid } from './errors.ts';
import type { ModelLimits } from './preference-options.ts';
import type { Settings } from './settings.ts';

const BYTES_PER_TOKEN = 8;
const ENCODER = new TextEncoder();

/** Texts that are to be cut into requests. */
export interface TextsToCut {
  readonly texts: readonly string[];
  readonly settings: Settings;
  /** Limits of the server, or `null`. */
  readonly limits: ModelLimits | null;
  /** Body of a request for these texts; only its length counts. */
  readonly bodyFor: (texts: readonly string[]) => string;
}

/**
 * Cuts texts into requests by the preferences, and by the limits of the server if they are known.
 *
 * @param root0 - What belongs together for it.
 * @returns Batches that follow each other without a gap.
 * @throws {@link PerformanceClientError} of kind `invalid_parameter` for a text that fits in
 * none.
 */
export function cutTexts({ texts, settings, limits, bodyFor }: TextsToCut): Batch[] {
  const bounds = { maxTexts: settings.batchSize, maxChars: settings.maxCharsPerRequest };
  if (!limits) {
    const sizes = texts.map((text) => ({ chars: codePoints(text), bytes: 0 }));
    return planBatches(sizes, { ...bounds, maxBytes: Infinity });
  }
  const envelope = byteLength(bodyFor([]));
  const perText = byteLength(bodyFor([''])) - envelope;
  const sizes = texts.map((text) => ({
    chars: codePoints(text),
    // The quotes are in perText, and a comma is added.
    bytes: byteLength(JSON.stringify(text)) - 2 + perText + 1,
  }));
  const limited = boundsOf(bounds, limits, envelope);
  if (limited.maxTexts < 1) {
    throw invalid(
      `Input at index 0 cannot be sent: one text of ${limits.context_length} tokens passes ` +
        `the server's max_padded_bytes of ${limits.max_padded_bytes}`,
    );
  }
  const large = sizes.findIndex(({ bytes }) => bytes > limited.maxBytes);
  if (large >= 0) {
    const body = envelope + (sizes[large]?.bytes ?? 0) - 1;
    throw invalid(
      `Input at index ${large} cannot be sent: its body of ${body} bytes passes ` +
        `the server's max_body_bytes of ${limits.max_body_bytes}`,
    );
  }
  return planBatches(sizes, limited);
}

function boundsOf(
  { maxTexts, maxChars }: Omit<BatchBounds, 'maxBytes'>,
  limits: ModelLimits,
  envelope: number,
): BatchBounds {
  const padded = Math.floor(limits.max_padded_bytes / (limits.context_length * BYTES_PER_TOKEN));
  return {
    maxTexts: Math.min(maxTexts, limits.max_batch_size, padded),
    maxChars,
    // The first text of a body has no comma before it.
    maxBytes: limits.max_body_bytes - envelope + 1,
  };
}

function byteLength(text: string): number {
  return ENCODER.encode(text).length;
}
