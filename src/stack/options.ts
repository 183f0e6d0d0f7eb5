import type { Role } from './environment.ts';
import type { StackEvent } from './events.ts';

/** A server that Dockyard runs but did not write. */
export type Server = 'postgres' | 'temporal' | 'storage';

export interface StackOptions {
  /** The data folder; everything of this stack is in it. */
  readonly home: string;
  /** The environment of the caller: passed on to our processes, and where tools are named. */
  readonly environment: NodeJS.ProcessEnv;
  /** Settings (`DOCKYARD_*`) for our processes that differ from the environment, such as short leases in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How many of each; 1 when not given. */
  readonly counts?: Readonly<Partial<Record<Role, number>>>;
  /** Roles of our processes to start; all when not given. The servers always run. */
  readonly roles?: readonly Role[];
  /** Takes random ports instead of the defaults and those above them. */
  readonly randomPorts?: boolean;
  /** False skips syncing to disk: for stacks that are thrown away. A killed process loses nothing either way. */
  readonly durable?: boolean;
  /** Called with every event, from the first moment of the start on. */
  readonly onEvent?: (event: StackEvent) => void;
}

/** Our processes in starting order; the API is last, because people wait for the API and it needs the others. */
export const ALL_ROLES: readonly Role[] = ['gateway', 'control', 'compute', 'api'];

/** The names of the processes of a role: `api`, `api-2` and so on. */
export function processNames(role: Role, options: StackOptions): string[] {
  if (!(options.roles ?? ALL_ROLES).includes(role)) return [];
  const count = options.counts?.[role] ?? 1;
  return Array.from({ length: count }, (_, index) => (index === 0 ? role : `${role}-${index + 1}`));
}
