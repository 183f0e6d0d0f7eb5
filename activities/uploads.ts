import { activityInfo, cancellationSignal, Context, heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import type { ObjectStore } from '../src/adapters/storage/storage.ts';
import type {
  Assembly,
  CompletionRequest,
  HashCheckpoint,
  UploadDecision,
  UploadEnd,
  UploadTerms,
} from '../src/contracts/upload.ts';
import { isRecord } from '../src/domain/is-record.ts';
import { assembleInTurn } from '../src/services/uploads/assemble.ts';
import { closeUpload, releaseUpload, type Closing } from '../src/services/uploads/end.ts';
import { openUpload } from '../src/services/uploads/open.ts';
import { hashUpload } from '../src/services/uploads/verify.ts';
import type { FileTurns } from '../src/services/file-turns.ts';
import type { ObjectHasher } from '../src/services/stored-objects/object-hasher.ts';
import type { ObjectDigest } from '../src/services/stored-objects/digest.ts';
import { beating } from './beating.ts';
import { inTurn } from './in-turn.ts';

/** The activities of uploads, as the upload workflow calls them. */
export type UploadActivities = ReturnType<typeof createUploadActivities>;

/** The database, the store, and the hasher with the turns in which accounts may use it. */
export interface UploadActivityDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly hasher: ObjectHasher;
  readonly turns: FileTurns;
}

/** Makes the activities of multipart uploads. */
export function createUploadActivities(deps: UploadActivityDependencies) {
  const { db, store, hasher, turns } = deps;
  return {
    /**
     * Opens an upload: room, rows, and the upload in the store; or a refusal that leaves nothing. Idempotent by upload
     * id: a second run returns the stored decision.
     */
    openUpload(terms: UploadTerms, firstRunId: string): Promise<UploadDecision> {
      return openUpload({ db, store }, terms, firstRunId);
    },

    /** Puts the parts together if they are those that the request saw. Idempotent: an assembled upload is answered again. */
    assembleUpload(asked: { uploadId: string; request: CompletionRequest }): Promise<Assembly> {
      return beating(inTurn(assembleInTurn({ db, store, turns }, asked)));
    },

    /** Reads and hashes the stored object; goes on where an earlier attempt ended. Changes nothing. */
    async hashStoredUpload({ uploadId }: { uploadId: string }): Promise<ObjectDigest> {
      const info = activityInfo();
      const earlier: unknown = info.heartbeatDetails;
      let told = earlier;
      const everyMs = Math.max(1000, (info.heartbeatTimeoutMs ?? 30_000) / 3);
      const timer = setInterval(() => heartbeat(told), everyMs);
      try {
        const options = {
          checkpoint: checkpointOf(earlier),
          signal: cancellationSignal(),
          onProgress: (offset: number, checkpoint: () => HashCheckpoint | null) => {
            told = checkpoint() ?? { offset };
            heartbeat(told);
          },
        };
        return await inTurn(hashUpload({ db, hasher, turns }, uploadId, options));
      } catch (error) {
        // A cancelled activity ends as cancelled, so that Temporal makes no further attempt.
        if (cancellationSignal().aborted) await Context.current().cancelled;
        throw error;
      } finally {
        clearInterval(timer);
      }
    },

    /** Releases the key of a verified object. Idempotent: the recorded end is answered again. */
    releaseUpload(release: { uploadId: string; sha256: string | null }): Promise<UploadEnd> {
      return releaseUpload({ db }, release);
    },

    /** Clears the store and gives the room back. Idempotent: the recorded end is answered again. */
    closeUpload(closing: Closing): Promise<UploadEnd> {
      return beating(closeUpload({ db, store }, closing));
    },
  };
}

function checkpointOf(details: unknown): HashCheckpoint | null {
  if (!isRecord(details)) return null;
  const { offset, state, form } = details;
  if (typeof offset !== 'number' || typeof state !== 'string' || form !== 'hash-wasm-4') return null;
  return { offset, state, form };
}
