import type { Engine, EngineLoad } from './engine.ts';

/** How busy the engine of a model is. */
export interface OpenEngineLoad extends EngineLoad {
  readonly model: string;
}

/** The engines of a server, for those who want to know how busy they are. */
export class OpenEngines {
  readonly #models = new Map<Engine, string>();

  /**
   * Adds an engine; it leaves by itself when it's closed.
   *
   * @param model - The name that clients send.
   * @param engine - One that has just been opened.
   */
  add(model: string, engine: Engine): void {
    this.loads();
    this.#models.set(engine, model);
  }

  /**
   * How busy they are now.
   *
   * @returns One for each open engine; two of one model while it's reloaded.
   */
  loads(): readonly OpenEngineLoad[] {
    const loads: OpenEngineLoad[] = [];
    for (const [engine, model] of this.#models) {
      const load = engine.load();
      if (load === null) this.#models.delete(engine);
      else loads.push({ model, ...load });
    }
    return loads;
  }
}
