/** The services behind the API, composed over their adapters. */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { Services } from '../../../api/services.ts';
import { createDatabase } from '../../adapters/database.ts';
import { createOutboundGuard } from '../../adapters/outbound/guard.ts';
import { openObjectStore } from '../../adapters/storage/open.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { createJobWorkflows } from '../../adapters/temporal/client.ts';
import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { ConfigOf } from '../../config.ts';
import { capacityLimitsOf } from '../../config/capacity-settings.ts';
import { createDockingExports } from '../../services/docking/exports/index.ts';
import { createDockingResults } from '../../services/docking/results/index.ts';
import { artifactDownloadUrl, getArtifact, registerArtifact } from '../../services/artifacts.ts';
import { listAudit } from '../../services/audit/index.ts';
import { createTakeUp } from '../../services/job-records/take-up.ts';
import { readQueue } from '../../services/execution/capacity/queue.ts';
import { createCredits } from '../../services/credits.ts';
import { createHealthCheck } from '../../services/health.ts';
import { createIdempotency } from '../../services/idempotency.ts';
import {
  countAuthenticating,
  createIdentity,
  issueKey,
  listKeys,
  revokeOwnKey,
  revokeThisKey,
  rotateKey,
} from '../../services/identity/index.ts';
import type { Identity } from '../../services/identity/index.ts';
import { createInspections } from '../../services/inspections/inspect.ts';
import { jobBill } from '../../services/jobs/bill.ts';
import { cancelJob } from '../../services/jobs/cancel.ts';
import { createDatabaseCatalogue } from '../../services/databases/catalogue.ts';
import { createEstimate } from '../../services/jobs/estimate.ts';
import { listJobs } from '../../services/jobs/list.ts';
import { readTaskLog } from '../../services/jobs/log.ts';
import { listOutputs } from '../../services/jobs/outputs.ts';
import { resumeJob } from '../../services/jobs/resume.ts';
import { readMaintenance } from '../../services/maintenance.ts';
import { jobStatus } from '../../services/jobs/status.ts';
import { createSubmit } from '../../services/jobs/submit.ts';
import { listReceiptKeys } from '../../services/receipts/keys.ts';
import { readReceipt, readRunReceipt } from '../../services/receipts/read.ts';
import { listRecoveries } from '../../services/jobs/recoveries.ts';
import { listTasks } from '../../services/jobs/tasks.ts';
import { createToFinish } from '../../services/jobs/to-finish.ts';
import type { ReadToFinish } from '../../services/jobs/to-finish.ts';
import { planningOf } from '../../services/execution/instances/providers.ts';
import { createStoredRates, rateOfBook } from '../../services/prices/fx-rates.ts';
import { loadPriceBook } from '../../services/prices/price-book.ts';
import { createJobWatch } from '../../services/events/job-watch.ts';
import { createPublicPrices } from '../../services/prices/public-prices.ts';
import { createQuoteTokens } from '../../services/prices/quote-tokens.ts';
import { createQuotes } from '../../services/prices/quotes.ts';
import { createQueueView } from '../../services/execution/capacity/queue-view.ts';
import { secretsIn } from '../../services/signed-claims.ts';
import {
  addLicenseServer,
  changeLicenseServer,
  changeNotifications,
  createSecretBox,
  listLicenseServers,
  readLicenseServer,
  readNotifications,
  removeLicenseServer,
  testLicenseServer,
} from '../../services/settings/index.ts';
import { listStatements, openStatement } from '../../services/statements.ts';
import { createDigestReader } from '../../services/stored-objects/stored-digests.ts';
import { createToolOffers } from '../../services/tools/offers.ts';
import { listSimulators } from '../../services/tools/simulators.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import { logFields, outsideOfWork } from '../../tracing/log-context.ts';
import { NO_TRACING, type Tracing } from '../../tracing/tracing.ts';
import { openDockingServices } from './docking-services.ts';
import { openPaymentServices } from './payment-services.ts';
import { openPeopleServices } from './people-services.ts';
import { openLigandServices } from './ligand-services.ts';
import type { LimitStore } from './limit-store.ts';
import { openUploadServices } from './upload-services.ts';
import { createProjects } from '../../services/projects/index.ts';

/** The services, and how their connections end. */
export interface ApiServices {
  readonly services: Services;
  readonly close: () => Promise<void>;
}

const GATEWAY_PROBE_MS = 2_000;

/** Opens every connection that the API needs; Temporal's is made at the first call. */
export async function openApiServices(
  config: ConfigOf<'api'>,
  log: Logger,
  limits: Pick<LimitStore, 'notes'> = { notes: async () => [] },
  tracing: Tracing = NO_TRACING,
): Promise<ApiServices> {
  const db = await openDatabase(config, log);
  const store = await openObjectStore(config);
  const inputs = { db, store, digests: createDigestReader(store) };
  const workflows = createJobWorkflows({ ...config, tracing });
  const { offersSpot, instanceClasses } = planningOf(config);
  const settings = { ...config, instanceClasses, capacityLimits: capacityLimitsOf(config) };
  const { quotes, prices } = pricesOf(db, offersSpot);
  const tools = createToolRegistry({ testTools: config.testTools });
  const asking = { offers: createToolOffers(db), catalogue: createDatabaseCatalogue(db) };
  const identity = createIdentity(db);
  const people = openPeopleServices(db, config, log);
  const payments = await openPaymentServices(db, config, log, tracing);
  const uploads = openUploadServices({ db, store, log, config, tracing });
  const { confirmations, patterns, diversity, ...ligands } = openLigandServices(config, log);

  const quoteTokens = createQuoteTokens(config.secret, Date.now, secretsIn(config.furtherSecrets));
  const work = { ...inputs, workflows, quotes, tools, log, settings };
  const takeUp = createTakeUp(work);
  const reads = { ...readsOf(db, config, tools), toFinish: createToFinish({ ...work, ...asking }) };

  const services: Services = {
    identity: { ...identity, ...people.sessions },
    people: people.services,
    members: people.members,
    prices,
    credits: creditsOf(db),
    ...payments.services,
    idempotency: createIdempotency(db),
    jobs: {
      submit: createSubmit({ ...work, ...asking, confirmations, quoteTokens }),
      estimate: createEstimate({ confirmations, quoteTokens, quotes, tools, ...asking, settings }),
      ...jobReadsOf({ db, store, tools }, reads),
      cancel: (actor, jobId, body) => cancelJob({ ...work, takeUp }, actor, jobId, body),
      resume: (actor, jobId, how) => resumeJob({ ...work, ...asking, takeUp }, actor, jobId, how),
    },
    receipts: receiptServices(db),
    uploads: uploads.services,
    docking: openDockingServices({ ...work, ...asking, takeUp, confirmations }),
    artifacts: artifactServices(inputs),
    ligands: ligands.services,
    dockingResults: createDockingResults(db, patterns),
    dockingExports: createDockingExports({ db, patterns, diversity, workflows, log }),
    simulators: { list: () => listSimulators(tools, asking.offers) },
    inspections: createInspections(work),
    health: { check: healthOf({ db, workflows, store, gatewayUrl: config.gatewayUrl }, limits) },
    notifications: notificationsOf(db),
    licenseServers: licenseServersOf(db, config),
    projects: createProjects({ db, box: createSecretBox(config.settingsKey) }),
    keys: keyServices(db, identity),
    audit: { list: (actor, query) => listAudit(db, actor, query) },
  };
  const open = [uploads, ligands, people, payments];
  return { services, close: () => closeAll([identity, reads.watch], workflows, open, db) };
}

interface Closable {
  close(): unknown;
}

/** Ends what asks the database before the database itself. */
async function closeAll(
  watchers: readonly Closable[],
  workflows: Closable,
  services: readonly Closable[],
  db: { destroy(): Promise<void> },
): Promise<void> {
  for (const watcher of watchers) watcher.close();
  await workflows.close();
  await Promise.all(services.map((service) => service.close()));
  await db.destroy();
}

/** Makes the services that read receipts of jobs and runs. */
function receiptServices(db: Parameters<typeof listReceiptKeys>[0]): Services['receipts'] {
  return {
    read: (actor, jobId, query) => readReceipt(db, actor, jobId, query),
    ofRun: (actor, runId, query) => readRunReceipt(db, actor, runId, query),
    keys: () => listReceiptKeys(db),
  };
}

/** Makes the services that read jobs. */
function jobReadsOf(
  { db, store, tools }: Pick<Parameters<typeof listOutputs>[0], 'db' | 'store'> & Pick<JobReads, 'tools'>,
  reads: JobReads,
): Omit<Services['jobs'], 'submit' | 'estimate' | 'cancel' | 'resume'> {
  return {
    list: (actor, query) =>
      listJobs({ db, canonicalSimulator: (name) => tools.canonical(name) }, actor, query),
    status: (actor, jobId, wait) => jobStatus(reads, actor, jobId, wait),
    bill: (actor, jobId) => jobBill(db, actor, jobId),
    tasks: (actor, jobId, query) => listTasks(db, actor, jobId, query),
    recoveries: (actor, jobId, query) => listRecoveries(db, actor, jobId, query),
    outputs: (actor, jobId, query) => listOutputs({ db, store }, actor, jobId, query),
    taskLog: (actor, jobId, index, range) => readTaskLog({ db, store }, actor, jobId, index, range),
  };
}

type JobReads = ReturnType<typeof readsOf> & { readonly toFinish: ReadToFinish };

/** Makes the sources from which the status of a job and the list of its parts are read. */
function readsOf(db: DataSource, config: ConfigOf<'api'>, tools: ReturnType<typeof createToolRegistry>) {
  const limits = capacityLimitsOf(config);
  return { db, tools, queue: createQueueView(() => readQueue(db, limits)), watch: createJobWatch(db) };
}

function healthOf(
  parts: Parameters<typeof probesOf>[0],
  limits: Pick<LimitStore, 'notes'>,
): Services['health']['check'] {
  return createHealthCheck(probesOf(parts), async () => {
    const notes = await limits.notes(() => countAuthenticating(parts.db));
    const mode = await readMaintenance(parts.db);
    return mode === null ? notes : [...notes, `No new jobs are taken: ${mode.reason}`];
  });
}

function openDatabase(config: ConfigOf<'api'>, log: Logger): Promise<DataSource> {
  return createDatabase(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    applicationName: 'dockyard-api',
    accountOf: () => logFields()?.accountId ?? null,
    onError: (error) => outsideOfWork(() => log.warn({ err: error }, 'a database connection was lost')),
  });
}

/** Keys as people and their holders manage them; the process that ends a key forgets it before it answers. */
function keyServices(db: DataSource, identity: Pick<Identity, 'forget'>): Services['keys'] {
  const forgetting = async <T>(ending: Promise<T>): Promise<T> => {
    const ended = await ending;
    identity.forget();
    return ended;
  };
  return {
    list: (actor, query) => listKeys(db, actor, query),
    issue: (actor, command) => issueKey(db, actor, command),
    revoke: (actor, keyId, address) => forgetting(revokeOwnKey(db, actor, keyId, address)),
    rotate: (actor, keyId, command) => forgetting(rotateKey(db, actor, keyId, command)),
    revokeThis: (actor, address) => forgetting(revokeThisKey(db, actor, address)),
  };
}

/** Everything is priced by one book, the rates of the database and the markets of the provider. */
function pricesOf(db: DataSource, offersSpot: boolean) {
  const book = loadPriceBook();
  const rates = createStoredRates(db, rateOfBook(book));
  const quotes = createQuotes(book, rates, { offersSpot });
  return { quotes, prices: createPublicPrices(book, rates) };
}

function notificationsOf(db: DataSource): Services['notifications'] {
  return {
    read: (actor) => readNotifications(db, actor),
    change: (actor, command) => changeNotifications(db, actor, command),
  };
}

function creditsOf(db: DataSource): Services['credits'] {
  return {
    ...createCredits(db),
    statements: ({ accountId }) => listStatements(db, accountId),
    statement: ({ accountId }, month) => openStatement(db, accountId, month),
  };
}

function licenseServersOf(
  db: DataSource,
  config: Pick<ConfigOf<'api'>, 'secret' | 'furtherSecrets' | 'settingsKey' | 'outboundNetworks'>,
): Services['licenseServers'] {
  const allowedNetworks = config.outboundNetworks.split(',').filter((cidr) => cidr !== '');
  const { settingsKey, secret, furtherSecrets } = config;
  const deps = {
    db,
    secrets: [secret, ...secretsIn(furtherSecrets)],
    box: createSecretBox(settingsKey),
    guard: createOutboundGuard({ allowedNetworks }),
  };
  return {
    list: (actor) => listLicenseServers(db, actor),
    add: (actor, command) => addLicenseServer(deps, actor, command),
    read: (actor, id) => readLicenseServer(db, actor, id),
    change: (actor, id, command) => changeLicenseServer(deps, actor, id, command),
    remove: (actor, id, address) => removeLicenseServer(db, actor, id, address),
    test: (actor, id) => testLicenseServer(deps, actor, id),
  };
}

function artifactServices(inputs: Parameters<typeof registerArtifact>[0]): Services['artifacts'] {
  return {
    register: (actor, body) => registerArtifact(inputs, actor, body),
    get: (actor, artifactId) => getArtifact(inputs, actor, artifactId),
    downloadUrl: (actor, artifactId) => artifactDownloadUrl(inputs, actor, artifactId),
  };
}

function probesOf({
  db,
  workflows,
  store,
  gatewayUrl,
}: {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'ping'>;
  readonly store: Pick<ObjectStore, 'ping'>;
  readonly gatewayUrl: string;
}): Parameters<typeof createHealthCheck>[0] {
  return {
    postgres: () => db.query('select 1'),
    temporal: () => workflows.ping(),
    storage: () => store.ping(),
    gateway: () => probeGateway(gatewayUrl),
  };
}

async function probeGateway(url: string): Promise<void> {
  const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(GATEWAY_PROBE_MS) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`);
}
