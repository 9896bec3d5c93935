import type { EmbedIo } from './embed-io.ts';

/** What a bar shows. */
export interface BarState {
  readonly texts: number;
  readonly failed: number;
  /** Bytes of the input that are done, and all of them, or `null` for stdin. */
  readonly doneBytes: number;
  readonly totalBytes: number | null;
}

const REDRAW_MS = 100;
const LINE_MS = 10_000;

/** Shows how far a run is: on a terminal in one line, else in a line every ten seconds. */
export class ProgressBar {
  readonly #io: EmbedIo;
  readonly #startMs = performance.now();
  readonly #startTexts: number;
  readonly #startBytes: number;
  #shownMs: number;

  constructor(io: EmbedIo, start: BarState) {
    this.#io = io;
    this.#startTexts = start.texts;
    this.#startBytes = start.doneBytes;
    this.#shownMs = io.terminalColumns() === null ? this.#startMs : 0;
  }

  /**
   * Shows a state, unless one was shown just now.
   *
   * @param state - The newest.
   */
  show(state: BarState): void {
    const columns = this.#io.terminalColumns();
    const nowMs = performance.now();
    if (nowMs - this.#shownMs < (columns === null ? LINE_MS : REDRAW_MS)) return;
    this.#shownMs = nowMs;
    const text = this.#text(state, nowMs);
    this.#io.writeError(columns === null ? `${text}\n` : `\r${text.slice(0, columns - 1)}\x1b[K`);
  }

  /**
   * Ends the bar's line with a last word.
   *
   * @param state - The last one.
   */
  finish(state: BarState): void {
    const start = this.#io.terminalColumns() === null ? '' : '\r\x1b[K';
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(1);
    const failed = state.failed > 0 ? `, ${state.failed} of them failed` : '';
    this.#io.writeError(`${start}${state.texts} texts${failed}, ${seconds} s\n`);
  }

  #text(state: BarState, nowMs: number): string {
    const seconds = (nowMs - this.#startMs) / 1000;
    const rate = (state.texts - this.#startTexts) / seconds;
    const parts = [`${state.texts} texts`, `${rate.toFixed(0)}/s`];
    if (state.failed > 0) parts.push(`${state.failed} failed`);
    if (state.totalBytes !== null && state.totalBytes > 0) {
      const share = Math.min(state.doneBytes / state.totalBytes, 1);
      const perSecond = (state.doneBytes - this.#startBytes) / seconds;
      const leftS = perSecond > 0 ? (state.totalBytes - state.doneBytes) / perSecond : Infinity;
      parts.unshift(`${drawn(share)} ${(share * 100).toFixed(0).padStart(3)} %`);
      parts.push(`ETA ${clock(leftS)}`);
    }
    return parts.join('  ');
  }
}

function drawn(share: number): string {
  const width = 24;
  const full = Math.round(share * width);
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`;
}

function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '--:--';
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60) % 60;
  const parts = [minutes, whole % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(whole / 3600);
  return [...(hours > 0 ? [String(hours)] : []), ...parts].join(':');
}
