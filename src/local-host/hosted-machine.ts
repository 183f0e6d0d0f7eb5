/** Signs between an instance of the local host and the host: the notice alone, because the host sees the rest by itself. */
import { join } from 'node:path';

import { NOTICE_FILE } from '../contracts/local-host.ts';
import type { LaunchOrder } from '../contracts/local-host.ts';
import type { MachineSigns } from '../instance/instance.ts';

/** The signs of an instance of this host. */
export function hostedMachine({ folder }: Pick<LaunchOrder, 'folder'>, drainSeconds: number): MachineSigns {
  return { noticeFile: join(folder, NOTICE_FILE), drainSeconds, signFile: null, idleSeconds: null };
}
