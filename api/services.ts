/** The services that the API calls, typed by the rooms that make them; entry points hand in the real ones, tests hand in their own. */
import type { createArtifacts } from '../src/services/artifacts.ts';
import type { listAudit } from '../src/services/audit/index.ts';
import type { creditUsage } from '../src/services/credit-usage.ts';
import type { createCredits } from '../src/services/credits.ts';
import type { createDockingExports } from '../src/services/docking/exports/index.ts';
import type { createDocking } from '../src/services/docking/index.ts';
import type { createDockingResults } from '../src/services/docking/results/index.ts';
import type { EventServices } from '../src/services/events/index.ts';
import type { createHealthCheck } from '../src/services/health.ts';
import type { Idempotency } from '../src/services/idempotency.ts';
import type { createKeys, Identity } from '../src/services/identity/index.ts';
import type { createInspections } from '../src/services/inspections/inspect.ts';
import type { createJobs } from '../src/services/jobs/index.ts';
import type { createResolve } from '../src/services/ligands/resolve.ts';
import type { createAssets } from '../src/services/molecular/assets.ts';
import type { FactsServices } from '../src/services/molecular/facts.ts';
import type { createStructures } from '../src/services/molecular/structures.ts';
import type { createPayments } from '../src/services/payments/index.ts';
import type { createPeopleServices, Members, SessionReader } from '../src/services/people/index.ts';
import type { PublicPrices } from '../src/services/prices/public-prices.ts';
import type { createProjects } from '../src/services/projects/index.ts';
import type { createReceipts } from '../src/services/receipts/index.ts';
import type { Conversions } from '../src/services/scene-exports/convert.ts';
import type { SceneExports } from '../src/services/scene-exports/index.ts';
import type {
  createBillingSettings,
  createLicenseServers,
  createNotifications,
} from '../src/services/settings/index.ts';
import type { createStatements } from '../src/services/statements.ts';
import type { createWebhooks } from '../src/services/webhooks/index.ts';
import type { listSimulators } from '../src/services/tools/simulators.ts';
import type { createUploads } from '../src/services/uploads/index.ts';

/** A use case without what it works on, which an entry point has given it. */
type Bound<UseCase> = UseCase extends (deps: never, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never;

/** Every service that the routes call. */
export interface Services extends ReturnType<typeof createPayments> {
  readonly identity: Pick<Identity, 'recall' | 'wasGood' | 'authenticate'> & {
    readonly session: SessionReader['find'];
    readonly wasSession: SessionReader['wasOpen'];
  };
  readonly jobs: ReturnType<typeof createJobs>;
  readonly receipts: ReturnType<typeof createReceipts>;
  readonly uploads: ReturnType<typeof createUploads>;
  readonly prices: PublicPrices;
  readonly credits: ReturnType<typeof createCredits> &
    ReturnType<typeof createStatements> & { readonly usage: Bound<typeof creditUsage> };
  readonly payments: {
    /** Stores an event; the answer is what has to be done after the event was answered. @throws VALIDATION_ERROR, PAYMENTS_NOT_CONFIGURED. */
    receive(body: Buffer, signature: string): Promise<() => void>;
  };
  readonly artifacts: ReturnType<typeof createArtifacts>;
  readonly docking: ReturnType<typeof createDocking>;
  readonly dockingResults: ReturnType<typeof createDockingResults>;
  readonly dockingExports: ReturnType<typeof createDockingExports>;
  readonly ligands: { readonly resolve: ReturnType<typeof createResolve> };
  readonly inspections: ReturnType<typeof createInspections>;
  readonly conversions: Conversions;
  readonly sceneExports: SceneExports;
  readonly simulators: { list(): ReturnType<typeof listSimulators> };
  readonly people: ReturnType<typeof createPeopleServices>;
  readonly members: Members;
  readonly keys: ReturnType<typeof createKeys>;
  readonly audit: { readonly list: Bound<typeof listAudit> };
  readonly billing: ReturnType<typeof createBillingSettings>;
  readonly notifications: ReturnType<typeof createNotifications>;
  readonly projects: ReturnType<typeof createProjects>;
  readonly assets: ReturnType<typeof createAssets>;
  readonly structures: ReturnType<typeof createStructures>;
  readonly facts: FactsServices;
  readonly events: EventServices;
  readonly licenseServers: ReturnType<typeof createLicenseServers>;
  readonly webhooks: ReturnType<typeof createWebhooks>;
  readonly idempotency: Idempotency;
  readonly health: { readonly check: ReturnType<typeof createHealthCheck> };
}
