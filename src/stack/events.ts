/** Something that happened to the stack; the supervisor prints each as one line. */
export type StackEvent =
  | { readonly type: 'notice'; readonly message: string }
  | { readonly type: 'started'; readonly name: string; readonly pid: number }
  | { readonly type: 'ready'; readonly name: string; readonly pid: number; readonly tookMs: number }
  | {
      readonly type: 'died';
      readonly name: string;
      readonly pid: number | undefined;
      readonly reason: string;
      readonly restartInMs: number;
      readonly log: string;
    }
  | { readonly type: 'held'; readonly name: string }
  | { readonly type: 'moved'; readonly name: string; readonly from: number; readonly to: number }
  | { readonly type: 'renewed'; readonly name: string }
  | { readonly type: 'stopping' }
  | { readonly type: 'stopped' };

/** The line a person sees for an event, or undefined for an event that tells a person nothing. */
export function describeEvent(event: StackEvent): string | undefined {
  switch (event.type) {
    case 'notice':
      return event.message;
    case 'started':
      return undefined;
    case 'ready':
      return `${event.name} is up (process ${event.pid}, ${(event.tookMs / 1000).toFixed(1)} s)`;
    case 'died':
      return `${event.name} ended (${event.reason}); it is started again in ${event.restartInMs / 1000} s; its log: ${event.log}`;
    case 'held':
      return `${event.name} is stopped and stays so`;
    case 'moved':
      return `port ${event.from} is taken by another program; ${event.name} has port ${event.to} from now on`;
    case 'renewed':
      return `${event.name} is started again with the new addresses`;
    case 'stopping':
      return 'stopping …';
    case 'stopped':
      return 'all stopped';
    default: {
      const never: never = event;
      return never;
    }
  }
}
