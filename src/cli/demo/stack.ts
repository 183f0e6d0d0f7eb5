/**
 * The stack that the demo runs on: the one that runs in the data folder already, else one of its own, which it stops
 * again.
 */
import { endpointsFile } from '../../stack/endpoints.ts';
import { describeEvent } from '../../stack/events.ts';
import { isRecord } from '../../domain/is-record.ts';
import { readJsonFile } from '../../files.ts';
import { homeOwner } from '../../stack/home-lock.ts';
import { startStack } from '../../stack/stack.ts';
import { readStackEnvironment } from '../../stack/state.ts';

/** A stack to work with. */
export interface DemoStack {
  readonly home: string;
  readonly apiUrl: string;
  readonly temporalUiUrl: string;
  /** Settings of the control side. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether the demo started it. */
  readonly isOwn: boolean;
  /** Ends an own stack, a second time at once; leaves another's alone. */
  stop(options?: { readonly force?: boolean }): Promise<void>;
}

/** Something that a person can put right; its text says how. */
export class DemoProblem extends Error {}

/** Takes the stack of the data folder, or starts one. `aborted` ends a start that nobody waits for any more. */
export async function openStack(
  home: string,
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  aborted: AbortSignal,
): Promise<DemoStack> {
  const owner = homeOwner(home);
  if (owner !== undefined) return joinStack(home, owner);
  const stack = await startStack({
    home,
    environment,
    onEvent: (event) => {
      const line = describeEvent(event);
      if (line !== undefined) print(line);
    },
  });
  const stop = (): void => void stack.stop().catch(() => undefined);
  aborted.addEventListener('abort', stop, { once: true });
  try {
    await stack.ready;
  } catch (error) {
    await stack.stop();
    aborted.throwIfAborted();
    throw error;
  }
  aborted.removeEventListener('abort', stop);
  return {
    home,
    apiUrl: stack.apiUrl,
    temporalUiUrl: stack.temporalUiUrl,
    settings: stack.env,
    isOwn: true,
    stop: (options) => stack.stop(options),
  };
}

function joinStack(home: string, owner: number): DemoStack {
  const endpoints = readJsonFile(endpointsFile(home));
  const settings = readStackEnvironment(home);
  const apiUrl = isRecord(endpoints) ? endpoints['apiUrl'] : undefined;
  const temporalUiUrl = isRecord(endpoints) ? endpoints['temporalUiUrl'] : undefined;
  if (typeof apiUrl !== 'string' || typeof temporalUiUrl !== 'string') {
    throw new DemoProblem(
      `The stack in ${home} (process ${owner}) is still starting. Run the demo again when it is up.`,
    );
  }
  return { home, apiUrl, temporalUiUrl, settings, isOwn: false, stop: async () => undefined };
}
