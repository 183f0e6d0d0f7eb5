/** Every customer-facing endpoint under /api/v1. The document, the routes and the body threads read this list. */
import { auditEndpoints } from './audit/routes.ts';
import { creditEndpoints } from './credits/routes.ts';
import { topupEndpoints } from './credits/topup-routes.ts';
import { batchEndpoints } from './docking/batch-routes.ts';
import { experimentEndpoints } from './docking/experiment-routes.ts';
import { dockingExportEndpoints } from './docking/export-routes.ts';
import { dockingResultEndpoints } from './docking/result-routes.ts';
import { dockingEndpoints } from './docking/routes.ts';
import { dockingSceneEndpoints } from './docking/scene-routes.ts';
import { estimateEndpoints } from './estimates/routes.ts';
import { eventEndpoints } from './events/routes.ts';
import type { Endpoint } from './http/endpoint.ts';
import { keyEndpoints } from './keys/routes.ts';
import { molecularEndpoints } from './molecular/routes.ts';
import { memberEndpoints } from './members/routes.ts';
import { accountEndpoints } from './people/account-routes.ts';
import { cliEndpoints } from './people/cli-routes.ts';
import { oidcEndpoints } from './people/oidc-routes.ts';
import { peopleEndpoints } from './people/routes.ts';
import { totpEndpoints } from './people/totp-routes.ts';
import { convertEndpoints } from './convert/routes.ts';
import { projectEndpoints } from './projects/routes.ts';
import { publicEndpoints } from './public/routes.ts';
import { receiptEndpoints } from './receipts/routes.ts';
import { receptorEndpoints } from './receptors/routes.ts';
import { jobEndpoints } from './jobs/routes.ts';
import { billingEndpoints } from './settings/billing-routes.ts';
import { subscriptionEndpoints } from './settings/subscription-routes.ts';
import { notificationEndpoints } from './settings/notification-routes.ts';
import { settingsEndpoints } from './settings/routes.ts';
import { simulatorEndpoints } from './simulators/routes.ts';
import { uploadEndpoints } from './uploads/routes.ts';
import { webhookEndpoints } from './webhooks/routes.ts';

/** Base path of the endpoints below. */
export const API_BASE = '/api/v1';

/** All endpoints, in the order of the document. */
export const endpoints: readonly Endpoint[] = [
  ...jobEndpoints,
  ...receiptEndpoints,
  ...estimateEndpoints,
  ...publicEndpoints,
  ...uploadEndpoints,
  ...creditEndpoints,
  ...topupEndpoints,
  ...dockingEndpoints,
  ...dockingResultEndpoints,
  ...dockingSceneEndpoints,
  ...dockingExportEndpoints,
  ...receptorEndpoints,
  ...experimentEndpoints,
  ...batchEndpoints,
  ...projectEndpoints,
  ...molecularEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...convertEndpoints,
  ...simulatorEndpoints,
  ...accountEndpoints,
  ...peopleEndpoints,
  ...oidcEndpoints,
  ...totpEndpoints,
  ...cliEndpoints,
  ...memberEndpoints,
  ...keyEndpoints,
  ...settingsEndpoints,
  ...billingEndpoints,
  ...notificationEndpoints,
  ...subscriptionEndpoints,
  ...auditEndpoints,
];
