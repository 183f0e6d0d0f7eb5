// `npm run history:record`: runs jobs on stacks of its own, with faults on purpose, and writes the histories of their
// workflows to test/replay/histories/. These histories are what a change of the workflows must still be able to replay.
//
//   npm run history:record                       everything
//   npm run history:record -- --only cancel      the cases whose name contains a text, or one of several with commas between
//
// Histories of another day stay: what older code has recorded is what a change may break. Histories of older code are
// removed by hand, once no run of that code can be open any more.
//
// Each case checks that its histories show what they are for; a fault that came too late is tried again. A case that cannot be
// recorded is told, and the others go on.
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { openStackCloud } from '../test/support/ec2/cloud.ts';
import { bigCases, CASES } from './history/cases.ts';
import type { Case } from './history/cases.ts';
import { CLOUD_CASES, cloudCases } from './history/cloud-cases.ts';
import { dockingCases } from './history/docking-cases.ts';
import { dockingWorkCases } from './history/docking-work-cases.ts';
import { EXPORT_CASES } from './history/export-cases.ts';
import { HISTORY_FOLDER, shownOf, writeHistories } from './history/files.ts';
import { openRecorder } from './history/recorder.ts';
import type { Recorder } from './history/recorder.ts';
import { RARE_BIG_CASES, RARE_CASES } from './history/rare-cases.ts';
import { RESUME_CASES } from './history/resume-cases.ts';
import { SPOT_CASES } from './history/spot-cases.ts';
import { STUCK_UPLOAD_CASES } from './history/stuck-upload-cases.ts';
import { STRUCTURE_CASES } from './history/structure-cases.ts';
import { UPLOAD_CASES } from './history/upload-cases.ts';
import { WEBHOOK_BIG_CASES, WEBHOOK_CASES } from './history/webhook-cases.ts';
import { SETTING_WITHOUT_SANDBOX } from '../test/support/containments.ts';
import { TEST_TOOLS } from '../test/support/test-tools.ts';
import { settingsOf, tuned } from '../test/support/tuning.ts';

const ATTEMPTS = 4;

/** Leases far shorter than a deployment's, so that what takes minutes there takes seconds here. */
const QUICK = {
  // A tool that kills its instance cannot do that from within a sandbox.
  ...SETTING_WITHOUT_SANDBOX,
  DOCKYARD_TEST_TOOLS: TEST_TOOLS,
  DOCKYARD_RATE_LIMIT_SCALE: '100',
  DOCKYARD_CAPACITY_VCPUS: '2',
  // Nobody listens there, and nothing outside is asked.
  DOCKYARD_STRUCTURES_URL: 'http://127.0.0.1:9',
  DOCKYARD_WEBHOOKS_LOOPBACK: 'true',
  ...tuned({
    admissionWaitSeconds: 2,
    admitBySeconds: 4,
    computeHeartbeatSeconds: 2,
    computePickupSeconds: 10,
    contactSeconds: 0.5,
    silenceSeconds: 2,
    giveUpSeconds: 8,
    launchSeconds: 8,
    goneConfirmSeconds: 0.5,
    goneMinAgeSeconds: 0.5,
    capacityPollSeconds: 2,
    commitDelayMs: 1000,
    sweepSeconds: 5,
  }),
};

/** For long jobs: many instances in one process, and a history that is long soon. */
const BIG = settingsOf(
  QUICK,
  {
    DOCKYARD_CAPACITY_VCPUS: '8',
    DOCKYARD_MAX_INSTANCES_PER_JOB: '2',
    DOCKYARD_PROVIDER: 'inprocess',
    DOCKYARD_COMPUTE_MODE: 'inprocess',
  },
  tuned({ maxHistoryEvents: 100 }),
);

/** A market with one place, and room for one more instance. */
const SPOT = settingsOf(
  QUICK,
  { DOCKYARD_CAPACITY_VCPUS: '4', DOCKYARD_MAX_INSTANCES_PER_JOB: '2', DOCKYARD_COMPUTE_SPOT_PLACES: '1' },
  tuned({ spotWaitSeconds: 2 }),
);

/** Two instances of the smallest type, and what is judged by looks at the provider, which are five seconds apart. */
const CLOUD = settingsOf(
  QUICK,
  { DOCKYARD_CAPACITY_VCPUS: '8' },
  tuned({ launchSeconds: 60, goneMinAgeSeconds: 10, noRoomSeconds: 1 }),
);

async function recordCase(recorder: Recorder, one: Case): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = performance.now();
    try {
      const histories = shownOf(one.name, await one.run(recorder));
      const sizeBytes = writeHistories(one.name, histories);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(
        `${one.name.padEnd(22)} ${histories.length} histories, ${Math.ceil(sizeBytes / 1000)} kB, ${seconds} s`,
      );
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) {
        console.error(`The case ${one.name} was not recorded:`, error);
        process.exitCode = 1;
        return;
      }
      console.log(
        `${one.name.padEnd(22)} once more: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

async function recordAll(cases: readonly Case[], settings: Readonly<Record<string, string>>): Promise<void> {
  if (cases.length === 0) return;
  const recorder = await openRecorder(settings);
  try {
    for (const one of cases) await recordCase(recorder, one);
  } finally {
    await recorder.close();
  }
}

// A stack ends with its process, but only with one that ends by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const wanted = ({ name }: Pick<Case, 'name'>): boolean =>
  values.only === undefined || values.only.split(',').some((text) => name.includes(text));
mkdirSync(HISTORY_FOLDER, { recursive: true });
await recordAll(
  [
    ...UPLOAD_CASES,
    ...STUCK_UPLOAD_CASES,
    ...CASES,
    ...RESUME_CASES,
    ...dockingCases,
    ...dockingWorkCases,
    ...EXPORT_CASES,
    ...STRUCTURE_CASES,
    ...WEBHOOK_CASES,
    ...RARE_CASES,
  ].filter(wanted),
  QUICK,
);
await recordAll(SPOT_CASES.filter(wanted), SPOT);
await recordAll([...bigCases, ...RARE_BIG_CASES, ...WEBHOOK_BIG_CASES].filter(wanted), BIG);
if (CLOUD_CASES.some((name) => wanted({ name }))) {
  const { cloud, settings, close } = await openStackCloud();
  try {
    await recordAll(cloudCases(cloud).filter(wanted), { ...CLOUD, ...settings });
  } finally {
    await close();
  }
}
