/**
 * The API of a stack whose instances are processes of their own, and whose lost instances are noticed sooner than in
 * production. For suites that kill an instance; the suites of a process share the stack, because its tools with packs are
 * offered only some seconds after its start.
 */
import { openTestApi } from './api.ts';
import type { TestApi } from './api.ts';
import { testArchive } from './archive.ts';
import type { Archive } from './archive.ts';
import { tuned } from './tuning.ts';

/** The API, and the archive that the service fetches deposited structures from. */
export type ProcessApi = TestApi & Pick<Archive, 'deposit'>;

const QUICK_LOSSES = tuned({
  computeHeartbeatSeconds: 8,
  computePickupSeconds: 8,
  contactSeconds: 0.5,
  silenceSeconds: 3,
  goneConfirmSeconds: 0.5,
  goneMinAgeSeconds: 1,
});
/** Each slot starts Python and what it needs anew, which takes longer than docking the small ligands of these suites. */
const ONE_SLOT = { DOCKYARD_INSTANCE_SLOTS: '1' };

let shared: Promise<ProcessApi> | null = null;

/** The API that the suites of this process share. */
export function processApi(): Promise<ProcessApi> {
  shared ??= open();
  return shared;
}

async function open(): Promise<ProcessApi> {
  const archive = await testArchive();
  const api = await openTestApi({ ...QUICK_LOSSES, ...ONE_SLOT });
  return { ...api, deposit: (name, content) => archive.deposit(name, content) };
}
