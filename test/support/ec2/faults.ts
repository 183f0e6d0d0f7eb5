/** Faults of the simulated cloud: capacity by type and zone, and answers that fail, hang or are lost after their effect. */

/**
 * Failure of a call. `lost`: the call takes effect, and the connection breaks before the answer. `stall`: the call takes effect,
 * and no answer comes. `hang`: nothing happens, and no answer comes.
 */
export type Failure = 'throttle' | 'internal' | 'hang' | 'lost' | 'stall';

/** Types, zones and markets without room; an absent field stands for every one. */
export interface Full {
  readonly type?: string;
  readonly zone?: string;
  readonly market?: 'spot' | 'on-demand';
}

interface Failing {
  readonly action: string;
  readonly failure: Failure;
  left: number;
}

/** The faults that are switched on. */
export class CloudFaults {
  readonly #full = new Set<Full>();
  readonly #failing = new Set<Failing>();
  #refusal: string | null = null;

  /** From here on there is no room there; the function that is answered makes room again. */
  fill(full: Full): () => void {
    this.#full.add(full);
    return () => this.#full.delete(full);
  }

  /** From here on every launch is refused with this code; the function that is answered ends it. */
  refuse(code: string): () => void {
    this.#refusal = code;
    return () => (this.#refusal = null);
  }

  /** The code with which launches are refused; null for none. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** The next calls of an action fail; the function that is answered ends it. */
  fail(action: string, failure: Failure, times = Infinity): () => void {
    const failing = { action, failure, left: times };
    this.#failing.add(failing);
    return () => this.#failing.delete(failing);
  }

  /** Whether there is no room for an instance. */
  isFull(wanted: Required<Full>): boolean {
    return [...this.#full].some(
      ({ type, zone, market }) =>
        (type ?? wanted.type) === wanted.type &&
        (zone ?? wanted.zone) === wanted.zone &&
        (market ?? wanted.market) === wanted.market,
    );
  }

  /** Takes the failure of a call of the action that comes now; null for none. */
  take(action: string): Failure | null {
    const found = [...this.#failing].find((one) => one.action === action);
    if (found === undefined) return null;
    found.left -= 1;
    if (found.left <= 0) this.#failing.delete(found);
    return found.failure;
  }
}
