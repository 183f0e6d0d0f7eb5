/** Waiting for news that somebody else rings in. */

/** Remembers that it was rung until somebody has waited for it. */
export class Bell {
  #hasRung = false;
  #resume: (() => void) | null = null;

  ring(): void {
    this.#hasRung = true;
    this.#resume?.();
  }

  /** Resolves at the first ring since the last call, or after this time at the latest. */
  async next(longestMs: number): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestMs);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resume = null;
    }
    this.#hasRung = false;
  }
}
