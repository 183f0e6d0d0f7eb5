import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Root of the checkout or image. */
export const projectRoot = join(import.meta.dirname, '..', '..');

/** A program the stack needs is not on this machine. */
export class ToolMissingError extends Error {}

const variables = {
  temporal: 'DOCKYARD_TEMPORAL_BIN',
  versitygw: 'DOCKYARD_VERSITYGW_BIN',
  oasdiff: 'DOCKYARD_OASDIFF_BIN',
  'stripe-mock': 'DOCKYARD_STRIPE_MOCK_BIN',
  'science-python': 'DOCKYARD_SCIENCE_PYTHON',
  ccd: 'DOCKYARD_CCD',
  'science-dev': 'DOCKYARD_SCIENCE_DEV_PYTHON',
  'contract-python': 'DOCKYARD_CONTRACT_PYTHON',
  moto: 'DOCKYARD_MOTO_PYTHON',
  'webhooks-python': 'DOCKYARD_WEBHOOKS_PYTHON',
  'redis-server': 'DOCKYARD_REDIS_SERVER_BIN',
} as const;

/** The settings that tell the compute side where the science code's Python and component dictionary are. */
export function scienceSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return {
    DOCKYARD_SCIENCE_PYTHON: findTool('science-python', environment),
    DOCKYARD_CCD: findTool('ccd', environment),
  };
}

/**
 * The path of a tool: from the environment, where the set-up put it, or as the set-up finds it now. The rules for
 * PATH, versions and the cache belong to the set-up, so this function asks the set-up instead of repeating them.
 * @throws ToolMissingError with the command that gets it.
 */
export function findTool(name: keyof typeof variables, environment: NodeJS.ProcessEnv): string {
  const given = environment[variables[name]];
  if (given) return given;
  const script = join(projectRoot, 'scripts', 'setup.mjs');
  const asked = spawnSync(process.execPath, [script, '--where', name], {
    encoding: 'utf8',
    env: environment,
  });
  const path = asked.stdout.trim();
  if (asked.status !== 0 || path === '') {
    throw new ToolMissingError(`${name} is not on this machine; get it with: npm run setup`);
  }
  return path;
}
