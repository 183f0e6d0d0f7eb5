/** Sends what tools print to the gateway: at each contact while they run, and the rest when a task has ended. */
import type { GatewayClient, LogTask } from './gateway-client.ts';
import type { LogCollector } from './log-collector.ts';
import { FinalError } from './repeat.ts';

/** How long the end of a task waits for its log to arrive. */
const LAST_WAIT_MS = 5_000;

/** Sends logs. */
export class LogShipper {
  readonly #gateway: GatewayClient;
  readonly #open = new Map<LogCollector, { task: LogTask; sending: Promise<void> | null }>();

  constructor(gateway: GatewayClient) {
    this.#gateway = gateway;
  }

  /** Begins to send a task's log. */
  add(task: LogTask, log: LogCollector): void {
    this.#open.set(log, { task, sending: null });
  }

  /** Sends what waits, in the background. */
  flush(): void {
    for (const log of this.#open.keys())
      if (log.hasPending) void this.#send(log, AbortSignal.timeout(LAST_WAIT_MS));
  }

  /** Sends the rest of a task's log; what cannot be sent in time is lost, the task is not. */
  async finish(log: LogCollector): Promise<void> {
    const patience = AbortSignal.timeout(LAST_WAIT_MS);
    while (log.hasPending && !patience.aborted) await this.#send(log, patience);
    this.#open.delete(log);
  }

  /** One piece after the other: their places in the log are counted by what has arrived. */
  async #send(log: LogCollector, signal: AbortSignal): Promise<void> {
    const entry = this.#open.get(log);
    if (entry === undefined) return;
    entry.sending ??= (async () => {
      const piece = log.peek();
      await this.#gateway.storeLog(entry.task, piece, signal);
      log.sent(piece);
    })()
      .catch((error: unknown) => {
        if (error instanceof FinalError) log.forget();
      })
      .finally(() => {
        entry.sending = null;
      });
    await entry.sending;
  }
}
