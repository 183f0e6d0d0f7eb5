/** Sends the logs of tasks to the gateway: at each contact while a tool runs, and the rest when the task has ended. */
import type { GatewayClient, LogTask } from './gateway-client.ts';
import type { LogCollector } from './log-collector.ts';
import { FinalError } from './repeat.ts';

/** How long the end of a task waits for its log to arrive. */
const LAST_WAIT_MS = 5_000;

/** Sends the logs of an instance's tasks. */
export class LogShipper {
  readonly #gateway: GatewayClient;
  readonly #open = new Map<LogCollector, { task: LogTask; sending: Promise<void> | null }>();

  constructor(gateway: GatewayClient) {
    this.#gateway = gateway;
  }

  /** Registers the log of a task, which is sent from now on. */
  add(task: LogTask, log: LogCollector): void {
    this.#open.set(log, { task, sending: null });
  }

  /** Sends the pending bytes of every log in the background. */
  flush(): void {
    for (const log of this.#open.keys())
      if (log.hasPending) void this.#send(log, AbortSignal.timeout(LAST_WAIT_MS));
  }

  /** Sends the rest of a task's log. Bytes that cannot be sent in time are lost; the task is reported all the same. */
  async finish(log: LogCollector): Promise<void> {
    const patience = AbortSignal.timeout(LAST_WAIT_MS);
    while (log.hasPending && !patience.aborted) await this.#send(log, patience);
    this.#open.delete(log);
  }

  /** Sends one piece after the other, because the offset of a piece is the number of bytes that have arrived. */
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
