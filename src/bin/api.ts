/** The HTTP API. Stateless; any number may run. */
import { register } from 'prom-client';

import { createApp } from '../../api/app.ts';
import { DEFAULT_QUOTAS } from '../../api/http/rate-limiter.ts';
import { createApiServer } from '../../api/http/server.ts';
import { uploadOriginOf } from '../adapters/storage/browser-access.ts';
import { checkTemporal } from '../adapters/temporal/check.ts';
import { loadConfig } from '../config.ts';
import { createRequestMetrics } from '../metrics.ts';
import { exitWithParent, sayListening } from '../stack/parent-watch.ts';
import { openApiServices } from './process/api-services.ts';
import { registerDependencyMetrics } from './process/dependency-metrics.ts';
import { serveHealth } from './process/health-server.ts';
import { endWhenOnlyCompiling, keepCompiledModules } from './process/compile-cache.ts';
import { registerStreamMetrics } from './process/stream-metrics.ts';
import { openLimitStore } from './process/limit-store.ts';
import { openTracedLogger } from './process/traced-logger.ts';
import { readWebApp } from './process/web-app.ts';

/** Requests in flight get this long to end after SIGTERM; long polls are cut off then. */
const DRAIN_MS = 5_000;

endWhenOnlyCompiling();
const config = loadConfig('api');
const { logger, tracing } = await openTracedLogger('api', config);
exitWithParent();
// The API starts while Temporal is away, but not with a certificate or key that Temporal does not accept.
await checkTemporal(config);

const limits = openLimitStore(config, logger, register);
const { services, close } = await openApiServices(config, logger, limits, tracing);
registerDependencyMetrics(register, () => services.health.check());
registerStreamMetrics(register, () => services.events.openStreams);
const webApp = await readWebApp();
if (webApp === null) logger.warn('the web app is not built: npm run setup builds it');
const app = createApp(services, {
  logger,
  ...(webApp === null ? {} : { web: { app: webApp, storeOrigin: uploadOriginOf(config) } }),
  metrics: createRequestMetrics(register),
  rateLimits: { quotasPerMinute: scaledQuotas(config.rateLimitPerMinuteScale), store: limits.store },
  validateAnswers: config.validateAnswers,
  trustProxy: config.trustProxy,
  publicOrigin: new URL(config.publicUrl).origin,
  traces: { tracing, ofCallers: config.tracesOfCallers },
});
const server = createApiServer((request, response) => app.callback(request, response));
await new Promise<void>((resolve, reject) => {
  server.once('error', reject);
  server.listen(config.apiPort, config.apiHost, resolve);
});
const health = await serveHealth(config, async () => {
  const { ok, dependencies } = await services.health.check();
  const failing = Object.entries(dependencies).filter(([, dependency]) => !dependency.ok);
  if (!ok) throw new Error(`No answer from: ${failing.map(([name]) => name).join(', ')}.`);
});
logger.info({ host: config.apiHost, port: config.apiPort }, 'api started');
sayListening();
keepCompiledModules();

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  const drained = new Promise((resolve) => server.close(resolve));
  services.events.endStreams();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
  await drained;
  health.close();
  await app.close();
  limits.close();
  await close();
  await tracing.close();
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());

function scaledQuotas(scale: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(DEFAULT_QUOTAS).map(([name, quota]) => [name, Math.max(1, Math.round(quota * scale))]),
  );
}
