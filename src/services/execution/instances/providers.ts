/** The providers that a control process serves: that of new jobs, and those of which jobs are still open. */
import type { DataSource } from 'typeorm';

import type { InstanceProvider } from '../../../adapters/instances/instances.ts';
import { createLocalProvider, localOffersSpot } from '../../../adapters/instances/local.ts';
import { frameOf } from '../../../adapters/instances/user-data.ts';
import type { ToolReport } from '../../../domain/availability.ts';
import type { InstanceClass } from '../../../domain/instance-classes.ts';
import { loadInstanceClasses } from '../../prices/instance-classes.ts';
import type { ClassSettings } from '../../prices/instance-classes.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import { NO_TRACING, type Tracing } from '../../../tracing/tracing.ts';
import { quotaUsersOf } from './quota-users.ts';

const MINUTES_PER_HOUR = 60;

/** The settings that providers are made of; the names are those of the configuration. */
export interface ProviderSettings extends ClassSettings {
  readonly provider: string;
  readonly furtherProviders: string;
  readonly computeUrl: string;
  readonly computeToken: string;
  readonly spotPlaces: number;
  readonly gatewayUrl: string;
  readonly testTools: string;
  readonly ec2Region: string;
  readonly ec2Endpoint: string;
  readonly ec2Deployment: string;
  readonly ec2SecurityGroups: string;
  readonly ec2InstanceProfile: string;
  readonly ec2Image: string;
  readonly ec2GpuImage: string;
  readonly ec2ComputeImage: string;
  readonly ec2Packs: string;
  readonly deadManMinutes: number;
  readonly instanceLifetimeHours: number;
  readonly contactSeconds: number;
  readonly drainSeconds: number;
  readonly idleMinutes: number;
}

/** The names of these settings, for commands that read settings one by one. */
export const PROVIDER_SETTINGS = [
  ...([
    'provider',
    'furtherProviders',
    'computeUrl',
    'computeToken',
    'spotPlaces',
    'gatewayUrl',
    'testTools',
  ] as const),
  ...([
    'ec2Region',
    'ec2Endpoint',
    'ec2Deployment',
    'ec2Subnets',
    'ec2SecurityGroups',
    'ec2InstanceProfile',
  ] as const),
  ...(['ec2Image', 'ec2GpuImage', 'ec2ComputeImage', 'ec2Packs', 'instanceClassesFile'] as const),
  ...(['deadManMinutes', 'instanceLifetimeHours', 'contactSeconds', 'drainSeconds', 'idleMinutes'] as const),
] as const;

/** Dependencies of providers beside their settings. */
export interface ProviderDependencies {
  readonly db: DataSource;
  readonly tools: Pick<ToolRegistry, 'ids' | 'find'>;
  readonly tracing?: Tracing;
}

/** The names of the providers that a control process serves. */
export function providerNames({
  provider,
  furtherProviders,
}: Pick<ProviderSettings, 'provider' | 'furtherProviders'>): readonly string[] {
  return [...new Set([provider, ...furtherProviders.split(',').filter((name) => name !== '')])];
}

/** Opens the providers by name; only the SDKs of these are loaded. @throws Error for settings with which a provider cannot work. */
export async function openProviders(
  settings: ProviderSettings,
  deps: ProviderDependencies,
): Promise<ReadonlyMap<string, InstanceProvider>> {
  const opened = providerNames(settings).map(
    async (name) => [name, await openProvider(name, settings, deps)] as const,
  );
  return new Map(await Promise.all(opened));
}

/** Finds the classes of the provider of new jobs, and whether it has a spot market, for the plans of the API. */
export function planningOf(settings: Pick<ProviderSettings, 'provider' | 'spotPlaces'> & ClassSettings): {
  readonly offersSpot: boolean;
  readonly instanceClasses: readonly InstanceClass[];
} {
  if (settings.provider !== 'ec2') return { offersSpot: localOffersSpot(settings), instanceClasses: [] };
  const instanceClasses = loadInstanceClasses(settings);
  const isSpot = ({ candidates }: InstanceClass): boolean =>
    candidates.some(({ market }) => market === 'SPOT');
  return { offersSpot: instanceClasses.some(isSpot), instanceClasses };
}

async function openProvider(
  name: string,
  settings: ProviderSettings,
  deps: ProviderDependencies,
): Promise<InstanceProvider> {
  if (name === 'ec2') return openEc2(settings, deps);
  const { computeUrl: url, computeToken: token, spotPlaces } = settings;
  if (token === '')
    throw new Error(`Wrong settings: DOCKYARD_COMPUTE_TOKEN is required with the provider ${name}.`);
  const { tracing = NO_TRACING } = deps;
  const traceparent = (): string | null => tracing.traceparent();
  const known = name === 'inprocess' ? name : 'local';
  return createLocalProvider({ name: known, url, token, spotPlaces, traceparent });
}

async function openEc2(
  settings: ProviderSettings,
  { db, tools }: ProviderDependencies,
): Promise<InstanceProvider> {
  const { createEc2Provider } = await import('../../../adapters/instances/ec2/provider.ts');
  const { ec2Endpoint, ec2InstanceProfile, deadManMinutes, instanceLifetimeHours } = settings;
  const { contactSeconds, drainSeconds, idleMinutes } = settings;
  return createEc2Provider({
    name: 'ec2',
    region: settings.ec2Region,
    endpoint: ec2Endpoint === '' ? null : ec2Endpoint,
    deployment: settings.ec2Deployment,
    classes: loadInstanceClasses(settings),
    images: { cpu: settings.ec2Image, gpu: settings.ec2GpuImage },
    securityGroups: settings.ec2SecurityGroups.split(','),
    instanceProfile: ec2InstanceProfile === '' ? null : ec2InstanceProfile,
    frame: (gpus) =>
      frameOf({
        gpus,
        image: settings.ec2ComputeImage,
        // A machine keeps to the same times as the control side, whatever its image says.
        settings: {
          DOCKYARD_GATEWAY_URL: settings.gatewayUrl,
          DOCKYARD_TUNING: JSON.stringify({ contactSeconds, drainSeconds, idleMinutes }),
          ...(settings.testTools === '' ? {} : { DOCKYARD_TEST_TOOLS: settings.testTools }),
        },
        deadManMinutes,
        lifetimeMinutes: instanceLifetimeHours * MINUTES_PER_HOUR,
      }),
    tools: async () => toolsOfImage(tools, settings.ec2Packs.split(',')),
    quotaUsers: (token) => quotaUsersOf(db, { provider: 'ec2', token }),
  });
}

/**
 * Lists the tools of the container image: every tool without a pack, and those whose packs the operator has put into it, as
 * `tool`, or as `tool/variant`.
 */
function toolsOfImage(
  tools: Pick<ToolRegistry, 'ids' | 'find'>,
  packed: readonly string[],
): readonly ToolReport[] {
  return tools.ids().flatMap((id): readonly ToolReport[] => {
    const { about, pack } = tools.find(id);
    const isThere = pack === null || packed.includes(about.id);
    const there = { toolId: about.id, available: true, reason: null, version: null, digest: null };
    const variants = packed
      .filter((name) => name.startsWith(`${about.id}/`))
      .map((name) => ({ ...there, variant: name.slice(about.id.length + 1) }));
    if (isThere) return [{ ...there, variant: null }, ...variants];
    if (variants.length > 0) return variants;
    return [{ ...there, variant: null, available: false, reason: 'PACK_NOT_INSTALLED' }];
  });
}
