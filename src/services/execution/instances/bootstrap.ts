/**
 * The first call of an instance: its launch brought a credential, and for the credential the gateway gives a bearer. A credential
 * is a MAC over the token of the launch, so that a repeated launch sends the same. It serves once: the caller names a nonce, the
 * first nonce is kept, and the same caller may ask again when the answer was lost. A caller with another nonce has the credential
 * of an instance that is there already; nobody knows which of the two is ours, so the generation is fenced and its work set back.
 */
import { createHmac } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { Instance } from '../../../../entities/instances.ts';
import type { Job } from '../../../../entities/jobs.ts';
import type { BootstrapRequest, BootstrapResponse } from '../../../contracts/instance.ts';
import { computeQueue } from '../../../contracts/names.ts';
import type { BootstrapEnd } from '../../../metrics/bootstraps.ts';
import { AppError } from '../../../domain/errors.ts';
import { isRecord } from '../../../domain/is-record.ts';
import type { DatabaseClock } from '../../database-clock.ts';
import type { Row } from '../../row.ts';
import { rowsOf } from '../../transaction.ts';
import { createSigner } from '../../signed-claims.ts';
import type { TokenKind } from '../../signed-claims.ts';
import { SETTLED_SQL } from '../../job-state-sql.ts';
import { fenced } from '../fence.ts';
import { BootstrapLimits } from './bootstrap-limits.ts';
import type { Generation } from './instances.ts';
import { replaceInstance } from './replace.ts';
import { signInstanceToken } from './token.ts';

/** Claims of a credential. */
export interface CredentialClaims {
  readonly launchToken: string;
  /** Tools that may run at once on the instance. */
  readonly toolSlots: number;
}

/** Gives bearers for credentials. */
export type Bootstrap = (request: BootstrapRequest) => Promise<BootstrapResponse>;

export interface BootstrapDependencies {
  readonly db: DataSource;
  readonly clock: DatabaseClock;
  readonly secret: string;
  readonly furtherSecrets?: readonly string[];
  /** Life of a bearer. */
  readonly tokenSeconds: number;
  /** Called when an instance has called whose launch was some seconds ago, so that its job may look away from it by now. */
  readonly onLate?: (instance: Generation) => void;
  /** Called with the end of each bootstrap. */
  readonly onEnd?: (end: BootstrapEnd) => void;
}

const CREDENTIAL: TokenKind = {
  prefix: 'dkb1',
  purpose: 'dockyard/bootstrap-credential/v1',
  longest: 1024,
};
const KEY_NAME = 'dockyard/bootstrap-credential/key-name/v1';
/** The cause of the loss of a generation whose credential was used twice. */
const USED_TWICE = 'CREDENTIAL_USED_TWICE';

/** Until then the job itself looks for the instance all the time. */
const LATE_SECONDS = 2;

const BEGIN = `
  with begun as (
    update instances i set bootstrap_nonce = coalesce(i.bootstrap_nonce, $2) from jobs j
    where j.id = i.job_id and i.launch_token = $1 and i.fenced_at is null and i.state <> 'TERMINATED'
      and j.status not in ${SETTLED_SQL}
    returning i.job_id, i.slot, i.generation, i.vcpus, i.bootstrap_nonce, j.execution,
      i.launched_at < now() - make_interval(secs => ${String(LATE_SECONDS)}) as is_late
  )
  select * from begun`;

type Begun = Row<Instance, 'jobId' | 'slot' | 'generation' | 'vcpus' | 'bootstrapNonce'> &
  Row<Job, 'execution'> & { readonly is_late: boolean };

/** Signs the credential of a launch. The same launch has the same credential in each attempt. */
export function signCredential(secretHex: string, { launchToken, toolSlots }: CredentialClaims): string {
  return createSigner(secretHex, CREDENTIAL).sign({ launchToken, toolSlots });
}

/** Names the secret that signs credentials, and tells nothing of it: a launch that is repeated is signed by the same one. */
export function credentialKeyOf(secretHex: string): string {
  return createHmac('sha256', Buffer.from(secretHex, 'hex')).update(KEY_NAME).digest('hex').slice(0, 16);
}

/** Opens the use case of one process. */
export function createBootstrap(deps: BootstrapDependencies): Bootstrap {
  const { db, clock, secret, tokenSeconds } = deps;
  const signer = createSigner(secret, CREDENTIAL, deps.furtherSecrets);
  const limits = new BootstrapLimits();
  const begin: Bootstrap = async ({ credential, nonce }) => {
    const claims = signer.read(credential);
    if (!isClaims(claims)) {
      limits.takeForged();
      throw new AppError('UNAUTHORIZED', 'This is not the credential of a launch.');
    }
    limits.takeGenuine(claims.launchToken);
    const [row] = await rowsOf<Begun>(db, BEGIN, [claims.launchToken, nonce]);
    if (row === undefined) throw fenced();
    const { job_id: jobId, slot, generation, vcpus, execution } = row;
    if (row.bootstrap_nonce !== nonce) {
      deps.onEnd?.('twice');
      await replaceInstance(db, { jobId, slot, generation, execution, cause: USED_TWICE });
      throw fenced();
    }
    if (row.is_late) deps.onLate?.({ jobId, slot, generation });
    const expiresAt = Math.floor(await clock.seconds()) + tokenSeconds;
    return {
      token: signInstanceToken(secret, { jobId, slot, generation, expiresAt }),
      jobId,
      slot,
      generation,
      vcpus,
      toolSlots: claims.toolSlots,
      taskQueue: computeQueue(jobId, slot, generation),
    };
  };
  return async (request) => {
    try {
      const begun = await begin(request);
      deps.onEnd?.('given');
      return begun;
    } catch (error) {
      deps.onEnd?.(endOf(error));
      throw error;
    }
  };
}

function endOf(error: unknown): BootstrapEnd {
  if (!(error instanceof AppError)) return 'failed';
  if (error.code === 'UNAUTHORIZED') return 'forged';
  if (error.code === 'RATE_LIMITED') return 'limited';
  return error.code === 'FENCED' ? 'fenced' : 'failed';
}

function isClaims(value: unknown): value is CredentialClaims {
  return isRecord(value) && typeof value['launchToken'] === 'string' && Number.isInteger(value['toolSlots']);
}
