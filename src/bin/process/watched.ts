/** Counts what passes through: the same service, provider or activities as before, with numbers for Prometheus. */
import type { DataSource } from 'typeorm';

import type { InstanceActivities } from '../../../activities/instances.ts';
import type { InstanceProvider } from '../../adapters/instances/instances.ts';
import type { InstanceClaims } from '../../contracts/instance.ts';
import { AppError } from '../../domain/errors.ts';
import type { FencedCall, FenceMetrics } from '../../metrics/fences.ts';
import type { InquiryEnd, InstanceMetrics, ProviderCall } from '../../metrics/instances.ts';
import type { GatewayService } from '../../services/execution/gateway.ts';
import { secondsSinceLaunch, wasGivenUp } from '../../services/operations/instance-facts.ts';

/** Counts the calls of a provider that fail; an answer that did not come in time is null and counts as well. */
export function watchProvider(provider: InstanceProvider, metrics: InstanceMetrics): InstanceProvider {
  const failing = async <T>(call: ProviderCall, answer: Promise<T>): Promise<T> => {
    try {
      const found = await answer;
      if (found === null) metrics.providerFailed(call);
      return found;
    } catch (error) {
      metrics.providerFailed(call);
      throw error;
    }
  };
  return {
    name: provider.name,
    answersExactly: provider.answersExactly,
    offersSpot: provider.offersSpot,
    candidates: (need) => provider.candidates(need),
    prepare: (order, candidate) => failing('prepare', provider.prepare(order, candidate)),
    ensure: (spec) => failing('ensure', provider.ensure(spec)),
    describe: (token, how) => failing('describe', provider.describe(token, how)),
    terminate: (instance) => failing('terminate', provider.terminate(instance)),
    list: () => failing('list', provider.list()),
    tools: () => failing('tools', provider.tools()),
    containment: () => provider.containment(),
    gpus: () => provider.gpus(),
  };
}

/** Counts first contacts and lost contacts. A number that cannot be read changes nothing about the activity. */
export function watchInstances(
  activities: InstanceActivities,
  db: DataSource,
  metrics: InstanceMetrics,
): InstanceActivities {
  return {
    ...activities,
    async awaitInstance(id) {
      const verdict = await activities.awaitInstance(id);
      if (verdict?.state === 'alive') {
        const seconds = await secondsSinceLaunch(db, id).catch(() => null);
        if (seconds !== null) metrics.booted(seconds);
      }
      return verdict;
    },
    async inquireInstance(id) {
      const verdict = await activities.inquireInstance(id);
      if (verdict !== null) metrics.inquired(ENDS[verdict.cause] ?? 'fenced');
      return verdict;
    },
  };
}

const ENDS: Readonly<Record<string, InquiryEnd>> = {
  CONTACT: 'back',
  INSTANCE_GONE: 'gone',
  INSTANCE_SILENT: 'silent',
  PREEMPTED: 'gone',
  FENCED: 'fenced',
};

/** Counts the refusals of the fence, and of those the instances that were given up as lost and answer after all. */
export function watchFences(service: GatewayService, db: DataSource, metrics: FenceMetrics): GatewayService {
  const refusing = async <T>(call: FencedCall, claims: InstanceClaims, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof AppError && error.code === 'FENCED') {
        metrics.refused(call);
        // An instance ends itself at its first refusal, so its contacts are refused once.
        if (call === 'contact' && (await wasGivenUp(db, claims).catch(() => false))) metrics.answeredLate();
      }
      throw error;
    }
  };
  return {
    ...service,
    claim: (claims, request) => refusing('claim', claims, service.claim(claims, request)),
    meter: (claims, request) => refusing('meter', claims, service.meter(claims, request)),
    signInputs: (claims, request) => refusing('signInputs', claims, service.signInputs(claims, request)),
    signUploads: (claims, request) => refusing('signUploads', claims, service.signUploads(claims, request)),
    contact: (claims, request) => refusing('contact', claims, service.contact(claims, request)),
    storeLog: (claims, chunk, bytes) => refusing('storeLog', claims, service.storeLog(claims, chunk, bytes)),
  };
}
