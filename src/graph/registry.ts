import type { Models, ModelState, ModelStatus, Servable } from './servable.ts';

/** A model that is being opened. */
export interface PendingModel {
  /** The name that clients will send. */
  readonly name: string;
  readonly open: () => Promise<Servable>;
}

interface Entry {
  readonly name: string;
  readonly created: number;
  state: ModelState;
  servable: Servable | null;
  reason: string | null;
}

/** The models by name, from the first millisecond on: loading, then ready or failed. */
export class Registry implements Models {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #opened: Promise<void>;

  /**
   * Starts to open all models.
   *
   * @param models - In the order of the configuration.
   * @param created - Seconds since 1970.
   */
  constructor(models: readonly PendingModel[], created: number) {
    const entries = models.map(({ name }): [string, Entry] => [
      name,
      { name, created, state: 'loading', servable: null, reason: null },
    ]);
    this.#entries = new Map(entries);
    this.#opened = this.#openAll(models);
  }

  /**
   * @returns When every model is ready. Rejects with the first fault; the others are open or closed
   *   by then, so that {@link close} may follow.
   */
  opened(): Promise<void> {
    return this.#opened;
  }

  list(): readonly ModelStatus[] {
    return [...this.#entries.values()];
  }

  find(name: string): ModelStatus | undefined {
    return this.#entries.get(name);
  }

  /**
   * Marks a model that was ready and cannot run any more.
   *
   * @param name - Of the model.
   * @param reason - Fit for clients: no paths.
   */
  fail(name: string, reason: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.state = 'failed';
    entry.reason = reason;
  }

  /** Closes every open model, when its batches have ended. */
  async close(): Promise<void> {
    await this.#opened.catch(() => undefined);
    const servables = Array.from(this.#entries.values(), ({ servable }) => servable);
    await Promise.all(servables.map((servable) => servable?.close() ?? Promise.resolve()));
  }

  async #openAll(models: readonly PendingModel[]): Promise<void> {
    const results = await Promise.allSettled(models.map((model) => this.#open(model)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #open({ name, open }: PendingModel): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) return;
    try {
      entry.servable = await open();
      entry.state = 'ready';
    } catch (error) {
      entry.state = 'failed';
      entry.reason = 'it could not be loaded';
      throw error;
    }
  }
}
