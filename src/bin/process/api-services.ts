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
import { createArtifacts } from '../../services/artifacts.ts';
import { listAudit } from '../../services/audit/index.ts';
import { createTakeUp } from '../../services/job-records/take-up.ts';
import { readQueue } from '../../services/execution/capacity/queue.ts';
import { letsThrough } from '../../adapters/storage/browser-access.ts';
import { atMostEvery } from '../../services/at-most-every.ts';
import { creditUsage } from '../../services/credit-usage.ts';
import { createCredits } from '../../services/credits.ts';
import { createHealthCheck } from '../../services/health.ts';
import { createIdempotency } from '../../services/idempotency.ts';
import { countAuthenticating, createIdentity, createKeys } from '../../services/identity/index.ts';
import { createConversions } from '../../services/inspections/convert.ts';
import { createInspections } from '../../services/inspections/inspect.ts';
import { createDatabaseCatalogue } from '../../services/databases/catalogue.ts';
import { readMaintenance } from '../../services/maintenance.ts';
import { createJobs } from '../../services/jobs/index.ts';
import { createReceipts } from '../../services/receipts/index.ts';
import { createDocking } from '../../services/docking/index.ts';
import { bound } from '../../services/bound.ts';
import { createToFinish } from '../../services/jobs/to-finish.ts';
import { planningOf } from '../../services/execution/instances/providers.ts';
import { createStoredRates, rateOfBook } from '../../services/prices/fx-rates.ts';
import { loadPriceBook } from '../../services/prices/price-book.ts';
import { createEvents } from '../../services/events/index.ts';
import { createJobWatch } from '../../services/events/job-watch.ts';
import { createPublicPrices } from '../../services/prices/public-prices.ts';
import { createQuoteTokens } from '../../services/prices/quote-tokens.ts';
import { createQuotes } from '../../services/prices/quotes.ts';
import { createQueueView } from '../../services/execution/capacity/queue-view.ts';
import { secretsIn } from '../../services/signed-claims.ts';
import { createLicenseServers, createNotifications, createSecretBox } from '../../services/settings/index.ts';
import { createWebhooks } from '../../services/webhooks/index.ts';
import { createStatements } from '../../services/statements.ts';
import { createDigestReader } from '../../services/stored-objects/stored-digests.ts';
import { createToolOffers } from '../../services/tools/offers.ts';
import { listSimulators } from '../../services/tools/simulators.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import { logFields, outsideOfWork } from '../../tracing/log-context.ts';
import { NO_TRACING, type Tracing } from '../../tracing/tracing.ts';

import { openPaymentServices } from './payment-services.ts';
import { openPeopleServices } from './people-services.ts';
import { openLigandServices } from './ligand-services.ts';
import type { LimitStore } from './limit-store.ts';
import { allowedNetworksOf, webhookWayOf } from './webhook-way.ts';
import { openUploadServices } from './upload-services.ts';
import { createAssets } from '../../services/molecular/assets.ts';
import { createFactsReader } from '../../adapters/chemistry/structure-facts.ts';
import { createFacts } from '../../services/molecular/facts.ts';
import { createStructures } from '../../services/molecular/structures.ts';
import { createProjects } from '../../services/projects/index.ts';
import { createAllConversions } from '../../services/scene-exports/convert.ts';
import type { ConvertDependencies } from '../../services/scene-exports/convert.ts';
import { createSceneExports } from '../../services/scene-exports/index.ts';
import type { PublicDependencies } from '../../services/scene-exports/public.ts';

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
  const molecular = molecularServices(work);
  const projects = { ...projectsOf(db, config), structuresUrl: config.structuresUrl };
  const reads = { ...readsOf(db, config, tools), toFinish: createToFinish({ ...work, ...asking }) };
  const jobs = createJobs({ ...work, ...asking, ...reads, takeUp, confirmations, quoteTokens });
  const events = createEvents(db, reads.watch, (actor, jobId) => jobs.status(actor, jobId, {}));

  const services: Services = {
    identity: { ...identity, ...people.sessions },
    people: people.services,
    members: people.members,
    prices,
    credits: { ...createCredits(db), ...createStatements(db), usage: bound(db)(creditUsage) },
    ...payments.services,
    idempotency: createIdempotency(db),
    jobs,
    receipts: createReceipts(db),
    uploads: uploads.services,
    docking: createDocking({ ...work, ...asking, takeUp, confirmations }),
    artifacts: createArtifacts(inputs),
    ligands: ligands.services,
    dockingResults: createDockingResults(db, patterns),
    dockingExports: createDockingExports({ db, patterns, diversity, workflows, log }),
    simulators: { list: () => listSimulators(tools, asking.offers) },
    inspections: createInspections(work),
    ...scenesOf(work, molecular.services, projects),
    health: { check: healthOf({ db, workflows, store }, config, limits) },
    notifications: createNotifications(db),
    licenseServers: licenseServersOf(db, config),
    webhooks: createWebhooks({ db, ...webhookWayOf(config) }),
    ...molecular.services,
    projects: createProjects(projects),
    events,
    keys: createKeys(db, () => identity.forget()),
    audit: { list: bound(db)(listAudit) },
  };
  const open = [uploads, ligands, people, payments, molecular];
  return { services, close: () => closeAll([identity, events, reads.watch], workflows, open, db) };
}

/** Makes the services of the data of scenes; the process of facts starts with the first file. */
function molecularServices(
  work: Parameters<typeof createAssets>[0] &
    Parameters<typeof createStructures>[0] & { readonly log: Logger },
): { readonly services: Pick<Services, 'assets' | 'structures' | 'facts'>; close(): Promise<void> } {
  const reader = createFactsReader(work.log);
  return {
    services: {
      assets: createAssets(work),
      structures: createStructures(work),
      facts: createFacts({ db: work.db, reader }),
    },
    close: () => reader.close(),
  };
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

/** Makes the sources from which the status of a job and the list of its parts are read. */
function readsOf(db: DataSource, config: ConfigOf<'api'>, tools: ReturnType<typeof createToolRegistry>) {
  const limits = capacityLimitsOf(config);
  return { db, tools, queue: createQueueView(() => readQueue(db, limits)), watch: createJobWatch(db) };
}

function projectsOf(
  db: DataSource,
  { settingsKey, publicUrl }: Pick<ConfigOf<'api'>, 'settingsKey' | 'publicUrl'>,
) {
  return { db, box: createSecretBox(settingsKey), publicUrl };
}

/** Makes the exports of scenes, and the conversions, of which some are such exports. */
function scenesOf(
  work: Parameters<typeof createConversions>[0] & Pick<ConvertDependencies, 'store'>,
  data: Pick<Services, 'assets' | 'structures'>,
  projects: PublicDependencies,
): Pick<Services, 'conversions' | 'sceneExports'> {
  const sceneExports = createSceneExports({ ...projects, ...data });
  const { db, store } = work;
  const files = createConversions(work);
  return { sceneExports, conversions: createAllConversions({ db, store, files, exports: sceneExports }) };
}

function healthOf(
  parts: Omit<Parameters<typeof probesOf>[0], 'gatewayUrl'>,
  config: ConfigOf<'api'>,
  limits: Pick<LimitStore, 'notes'>,
): Services['health']['check'] {
  const { gatewayUrl } = config;
  const ofPages = pagesNote(config);
  return createHealthCheck(probesOf({ ...parts, gatewayUrl }), async () => {
    const notes = [...(await limits.notes(() => countAuthenticating(parts.db))), ...(await ofPages())];
    const mode = await readMaintenance(parts.db);
    return mode === null ? notes : [...notes, `No new jobs are taken: ${mode.reason}`];
  });
}

const PAGES_EVERY_MS = 60_000;

/** Notes, looked for once a minute, that pages of the service cannot send files to the store. */
function pagesNote(config: ConfigOf<'api'>): () => Promise<readonly string[]> {
  const { origin } = new URL(config.publicUrl);
  return atMostEvery(PAGES_EVERY_MS, async () =>
    (await letsThrough(config, origin)) === false
      ? [
          `The object store lets no page of ${origin} through, so no browser can send or read a file: set its CORS as docs/operations.md says.`,
        ]
      : [],
  );
}

function openDatabase(config: ConfigOf<'api'>, log: Logger): Promise<DataSource> {
  return createDatabase(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    applicationName: 'dockyard-api',
    accountOf: () => logFields()?.accountId ?? null,
    onError: (error) => outsideOfWork(() => log.warn({ err: error }, 'a database connection was lost')),
  });
}

/** Everything is priced by one book, the rates of the database and the markets of the provider. */
function pricesOf(db: DataSource, offersSpot: boolean) {
  const book = loadPriceBook();
  const rates = createStoredRates(db, rateOfBook(book));
  const quotes = createQuotes(book, rates, { offersSpot });
  return { quotes, prices: createPublicPrices(book, rates) };
}

function licenseServersOf(
  db: DataSource,
  config: Pick<ConfigOf<'api'>, 'secret' | 'furtherSecrets' | 'settingsKey' | 'outboundNetworks'>,
): Services['licenseServers'] {
  const allowedNetworks = allowedNetworksOf(config);
  const { settingsKey, secret, furtherSecrets } = config;
  const deps = {
    db,
    secrets: [secret, ...secretsIn(furtherSecrets)],
    box: createSecretBox(settingsKey),
    guard: createOutboundGuard({ allowedNetworks }),
  };
  return createLicenseServers(deps);
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
