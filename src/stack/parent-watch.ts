// Channel between a process and the supervisor that started it.
import { isRecord } from '../domain/is-record.ts';

/** How long a clean end may take once the supervisor is gone. */
const cleanEndMs = 5_000;

/**
 * Ends this process when the supervisor that started it is gone, however it went: the channel between them closes.
 * The process's own SIGTERM handling does the work. Does nothing for a process that was not started by a supervisor.
 */
export function exitWithParent(): void {
  if (process.env['DOCKYARD_PARENT_PIPE'] !== '1' || process.send === undefined) return;
  onParentGone(() => {
    setTimeout(() => process.exit(1), cleanEndMs).unref();
    process.kill(process.pid, 'SIGTERM');
  });
}

/** Calls back when the process that started this one is gone, where it opened a channel to tell that by. */
export function onParentGone(listener: () => void): void {
  process.once('disconnect', listener);
  // The watch alone must not keep a process alive whose work is done.
  process.channel?.unref();
}

const LISTENING = 'listening';

/**
 * Tells the supervisor that this process listens at all its ports. An answer at a port would prove less: another
 * program may have the port.
 */
export function sayListening(): void {
  if (process.connected) process.send?.({ type: LISTENING });
}

/** Whether a message of a process says that the process listens. */
export function isListening(message: unknown): boolean {
  return isRecord(message) && message['type'] === LISTENING;
}
