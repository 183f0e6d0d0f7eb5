/** The use cases behind the compute gateway; the only thing an instance may ask for. */
import type {
  BootstrapRequest,
  BootstrapResponse,
  CheckpointRequest,
  ClaimRequest,
  ClaimResponse,
  ContactRequest,
  ContactResponse,
  InputUrlsRequest,
  InputUrlsResponse,
  InstanceClaims,
  MeterRequest,
  PayloadsMessage,
  UploadUrlsRequest,
  UploadUrlsResponse,
} from '../../contracts/instance.ts';
import { atMostEvery } from '../at-most-every.ts';
import { createDatabaseClock } from '../database-clock.ts';
import { HEALTH_EVERY_MS } from '../health.ts';
import { claimTasks } from './claim/claim.ts';
import type { ClaimDependencies } from './claim/claim.ts';
import { createContact } from './instances/contact.ts';
import { signInputs } from './claim/input-urls.ts';
import { createJobFacts } from './claim/job-facts.ts';
import type { JobFactsDependencies } from './claim/job-facts.ts';
import { beatGateway } from './instances/liveness.ts';
import { meterTask } from './claim/meter.ts';
import { storeLogChunk } from './claim/task-log.ts';
import type { LogChunk } from './claim/task-log.ts';
import { createInstancePayloads } from './instances/payloads.ts';
import type { InstancePayloads } from './instances/payloads.ts';
import { createShardPayloads } from './instances/shard-payloads.ts';
import type { ShardPayloads } from './instances/shard-payloads.ts';
import { createTaskTokenSeal } from './instances/task-tokens.ts';
import type { TaskTokenSeal } from './instances/task-tokens.ts';
import { createBootstrap } from './instances/bootstrap.ts';
import type { BootstrapDependencies } from './instances/bootstrap.ts';
import { createTokenReader, nextToken } from './instances/token.ts';
import { createFence } from './fence.ts';
import type { Fence } from './fence.ts';
import { signUploads } from './claim/upload-urls.ts';
import { keepCheckpoint } from './commit/checkpoint.ts';

/**
 * Everything the gateway can do. Each method with claims, but those of payloads, throws FENCED when the fence says so.
 */
export interface GatewayService {
  /** The bearer of an instance for the credential of its launch. @throws AppError UNAUTHORIZED, FENCED, RATE_LIMITED. */
  bootstrap(request: BootstrapRequest): Promise<BootstrapResponse>;
  /** The claims of a genuine, unexpired token, else null. @throws Error while nobody knows the database's time. */
  verify(token: string): Promise<InstanceClaims | null>;
  claim(claims: InstanceClaims, request: ClaimRequest): Promise<ClaimResponse>;
  meter(claims: InstanceClaims, request: MeterRequest): Promise<void>;
  signInputs(claims: InstanceClaims, request: InputUrlsRequest): Promise<InputUrlsResponse>;
  signUploads(claims: InstanceClaims, request: UploadUrlsRequest): Promise<UploadUrlsResponse>;
  keepCheckpoint(claims: InstanceClaims, request: CheckpointRequest): Promise<void>;
  contact(claims: InstanceClaims, request: ContactRequest): Promise<ContactResponse>;
  storeLog(claims: InstanceClaims, chunk: LogChunk, bytes: Uint8Array): Promise<void>;
  /** Opens sealed shards of the instance. */
  openPayloads(claims: InstanceClaims, message: PayloadsMessage): Promise<PayloadsMessage>;
  sealPayloads(claims: InstanceClaims, message: PayloadsMessage): Promise<PayloadsMessage>;
  /** The fence alone, for calls of Temporal that are passed on. */
  readonly fence: Fence;
  /** Task tokens of Temporal, as instances have them. */
  readonly taskTokens: TaskTokenSeal;
  /** Payloads of Temporal, as instances have them. */
  readonly shards: ShardPayloads;
  /** Records that the gateway serves. */
  beat(): Promise<void>;
  /** Names of the dependencies that do not answer. */
  check(): Promise<readonly string[]>;
}

export interface ComputeDependencies
  extends
    JobFactsDependencies,
    Pick<ClaimDependencies, 'onToolFault'>,
    Pick<BootstrapDependencies, 'onEnd' | 'onLate'> {
  readonly secret: string;
  /** Secrets whose tokens are taken too, while the secret is changed. */
  readonly furtherSecrets?: readonly string[];
  /** Seals payloads of Temporal; absent where payloads are not sealed. */
  readonly payloads?: InstancePayloads;
  /** Opens and seals payloads of calls of Temporal that are passed on; absent where none are sealed. */
  readonly shards?: ShardPayloads;
  /** Life of a bearer; absent: an hour. */
  readonly tokenSeconds?: number;
}

const TOKEN_SECONDS = 3_600;

/** Builds the service over its dependencies. */
export function createGatewayService(deps: ComputeDependencies): GatewayService {
  const { db, store, secret } = deps;
  const factsOf = createJobFacts(deps);
  const contact = createContact(db);
  const clock = createDatabaseClock(db);
  const tokenSeconds = deps.tokenSeconds ?? TOKEN_SECONDS;
  const readToken = createTokenReader(secret, deps.furtherSecrets);
  const payloads = deps.payloads ?? createInstancePayloads(null);
  return {
    bootstrap: createBootstrap({ ...deps, clock, tokenSeconds }),
    verify: async (token) => readToken(token, await clock.seconds()),
    claim: (claims, request) => claimTasks({ ...deps, factsOf }, claims, request),
    meter: (claims, request) => meterTask({ db, factsOf }, claims, request),
    signInputs: (claims, request) => signInputs({ ...deps, factsOf }, claims, request),
    signUploads: (claims, request) => signUploads({ ...deps, factsOf }, claims, request),
    keepCheckpoint: (claims, request) => keepCheckpoint({ db, store, factsOf }, claims, request),
    async contact(claims, request) {
      const answer = await contact(claims, request);
      const next = nextToken({ secret, tokenSeconds }, claims, await clock.seconds());
      return next === null ? answer : { ...answer, token: next };
    },
    storeLog: (claims, chunk, bytes) => storeLogChunk({ db, store, factsOf }, claims, chunk, bytes),
    openPayloads: (claims, message) => payloads.open(claims, message),
    sealPayloads: (_claims, message) => payloads.seal(message),
    fence: createFence(db),
    taskTokens: createTaskTokenSeal(secret, deps.furtherSecrets),
    shards: deps.shards ?? createShardPayloads(null),
    beat: () => beatGateway(db),
    check: atMostEvery(HEALTH_EVERY_MS, () => failingOf({ db, store })),
  };
}

async function failingOf({
  db,
  store,
}: Pick<ComputeDependencies, 'db' | 'store'>): Promise<readonly string[]> {
  const checks = { database: () => db.query('select 1'), storage: () => store.ping() };
  const answers = await Promise.all(
    Object.entries(checks).map(async ([name, check]) =>
      check().then(
        () => null,
        () => name,
      ),
    ),
  );
  return answers.filter((name) => name !== null);
}
