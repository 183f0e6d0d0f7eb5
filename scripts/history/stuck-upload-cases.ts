/** Cases of uploads whose store refuses: in each phase an abort and the expiry, and parts that are lost. */
import { createS3Store } from '../../src/adapters/storage/s3.ts';
import type { UploadFacts, UploadWorkflows } from '../../src/adapters/temporal/uploads.ts';
import { loadConfig } from '../../src/config.ts';
import { uploadWorkflowId } from '../../src/contracts/names.ts';
import type { UploadTerms } from '../../src/contracts/upload.ts';
import type { Case } from './cases.ts';
import { holdsText } from './history-text.ts';
import { until } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { ended, insist, soonOver, WAIT_MS, withWorkflows } from './upload-cases.ts';

const HISTORY_EVENTS = 1_000;
/** Time until an upload expires, enough to send it to its phase first. */
const SOON_SECONDS = 10;
/** Longer than the least time of an activity, and between two attempts, so that the last attempt fails before the expiry. */
const BETWEEN_TRIES_SECONDS = 72;
const LATE_SECONDS = 600;
const NAMED = { partsSha256: 'none', sha256: null };

/** Brings an upload to a phase that the store, which is down then, does not let it leave. */
type Enter = (recorder: Recorder, workflows: UploadWorkflows, terms: UploadTerms) => Promise<void>;

const PHASES: Readonly<Record<string, { readonly activity: string; readonly enter: Enter }>> = {
  opening: {
    activity: 'openUpload',
    async enter(recorder, workflows, terms) {
      await recorder.stack.stopChild('storage');
      void workflows.open(terms, WAIT_MS);
    },
  },
  assembly: {
    activity: 'assembleUpload',
    async enter(recorder, workflows, terms) {
      await workflows.open(terms, WAIT_MS);
      await recorder.stack.stopChild('storage');
      void workflows.complete(factsOf(terms), NAMED, WAIT_MS);
    },
  },
  verifying: {
    activity: 'hashStoredUpload',
    async enter(recorder, workflows, terms) {
      await workflows.open(terms, WAIT_MS);
      await recorder.stack.stopChild('storage');
      // The rows are written as a completion leaves them.
      await recorder.db.query(
        `update uploads set state = 'VERIFYING', parts = '[]', parts_sha256 = 'none', integrity = 'size' where id = $1`,
        [terms.uploadId],
      );
      void workflows.complete(factsOf(terms), NAMED, WAIT_MS);
    },
  },
};

function factsOf({ uploadId, accountId, ...terms }: UploadTerms): UploadFacts {
  const { partCount, byteSize, provider, fingerprint } = terms;
  const expiresAt = new Date(Date.now() + terms.expirySeconds * 1000).toISOString();
  const decision = { kind: 'opened', fingerprint, expiresAt, replay: false } as const;
  return { accountId, carry: { uploadId, partCount, byteSize, provider, expiresAt, decision } };
}

async function isScheduled(recorder: Recorder, uploadId: string, activity: string): Promise<boolean> {
  const temporal = await recorder.temporal();
  const handle = temporal.workflow.getHandle(uploadWorkflowId(uploadId));
  // The workflow may not have been started yet.
  const history = await handle.fetchHistory().catch(() => null);
  return (history?.events ?? []).some(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === activity,
  );
}

function stuck(phase: string, end: 'aborted' | 'expired', soonSeconds = SOON_SECONDS): Case {
  return {
    name: `${end}-${phase}`,
    async run(recorder) {
      const { activity, enter } = PHASES[phase] ?? { activity: '', enter: () => Promise.reject(new Error()) };
      const life = await soonOver(recorder, end === 'expired' ? soonSeconds : LATE_SECONDS);
      const terms = phase === 'verifying' ? { ...life, announcedSha256: 'a'.repeat(64) } : life;
      const { uploadId } = terms;
      return withWorkflows(recorder, HISTORY_EVENTS, async (workflows) => {
        try {
          await enter(recorder, workflows, terms);
          await until(`${activity} is tried`, () => isScheduled(recorder, uploadId, activity));
          if (end === 'aborted') void workflows.abort(factsOf(terms), WAIT_MS);
          await until('it is cleared away', () => isScheduled(recorder, uploadId, 'closeUpload'));
        } finally {
          await recorder.stack.startChild('storage');
        }
        return ended(recorder, uploadId, `"state":"${end.toUpperCase()}"`);
      });
    },
  };
}

/** Cases of uploads whose store refuses, or has lost them. */
export const STUCK_UPLOAD_CASES: readonly Case[] = [
  ...Object.keys(PHASES).map((phase) => stuck(phase, 'aborted')),
  // Only `opening` expires here: an upload assembled or verified in time may end an hour later, too long to record.
  stuck('opening', 'expired'),
  {
    name: 'expired-between-tries',
    async run(recorder) {
      const histories = await stuck('opening', 'expired', BETWEEN_TRIES_SECONDS).run(recorder);
      insist(holdsText(histories, 'EVENT_TYPE_TIMER_FIRED'), 'a wait for the expiry after the last attempt');
      return histories;
    },
  },
  {
    name: 'lost',
    async run(recorder) {
      const terms = await soonOver(recorder, LATE_SECONDS);
      const { uploadId, storageKey } = terms;
      const store = createS3Store(loadConfig('cli', recorder.stack.env));
      return withWorkflows(recorder, HISTORY_EVENTS, async (workflows) => {
        await workflows.open(terms, WAIT_MS);
        for await (const page of store.listMultiparts(storageKey))
          for (const { key, storeUploadId } of page) await store.abortMultipart(key, storeUploadId);
        const answer = await workflows.complete(factsOf(terms), NAMED, WAIT_MS);
        insist(answer.kind === 'decided', 'an answer');
        return ended(recorder, uploadId, '"state":"FAILED"');
      });
    },
  },
];
