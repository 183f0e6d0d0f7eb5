/** The way to the servers of webhooks: the guard, the box of secrets, and whether loopback is allowed. */
import { createOutboundGuard } from '../../adapters/outbound/guard.ts';
import type { OutboundGuard } from '../../adapters/outbound/guard.ts';
import { createSecretBox } from '../../services/settings/index.ts';
import type { SecretBox } from '../../services/settings/index.ts';
import { LOOPBACK_NETWORKS } from '../../services/webhooks/index.ts';
import type { ConfigOf } from '../../config.ts';

/** The parts that the sending and the keeping of webhooks share. */
export interface WebhookWay {
  readonly box: SecretBox;
  readonly guard: OutboundGuard;
  readonly allowsLoopback: boolean;
}

type WaySettings = Pick<ConfigOf<'api' | 'control'>, 'settingsKey' | 'outboundNetworks' | 'webhooksLoopback'>;

/** Networks that operators allow, as CIDR. */
export function allowedNetworksOf({ outboundNetworks }: Pick<WaySettings, 'outboundNetworks'>): string[] {
  return outboundNetworks.split(',').filter((cidr) => cidr !== '');
}

/** Opens the way. */
export function webhookWayOf(config: WaySettings): WebhookWay {
  const { settingsKey, webhooksLoopback: allowsLoopback } = config;
  const loopback = allowsLoopback ? LOOPBACK_NETWORKS : [];
  return {
    box: createSecretBox(settingsKey),
    guard: createOutboundGuard({ allowedNetworks: [...allowedNetworksOf(config), ...loopback] }),
    allowsLoopback,
  };
}
