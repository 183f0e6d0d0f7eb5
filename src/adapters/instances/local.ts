/**
 * Instances on this machine, through the local host (src/local-host). The answers of the host are exact: an instance
 * that the host calls gone is gone. A missing answer is never reported as "gone": a host that is away may come back
 * with its instances running.
 */
import { Agent, request } from 'undici';

import { TRACE_HEADER } from '../../contracts/tracing.ts';
import { isUnavailableReason } from '../../domain/availability.ts';
import type { ToolReport } from '../../domain/availability.ts';
import { isRecord } from '../../domain/is-record.ts';
import { isContainment } from '../../contracts/containment.ts';
import type { Containment } from '../../contracts/containment.ts';
import type { GpuFacts, LaunchRequest } from '../../contracts/local-host.ts';
import type { InstanceDescription, InstanceProvider, InstanceSpec } from './instances.ts';

/** The name and the address of the local host. */
export interface LocalProviderOptions {
  readonly name: 'local' | 'inprocess';
  readonly url: string;
  readonly token: string;
  /** The spot places of the host; 0 or absent: the host has no spot market. */
  readonly spotPlaces?: number;
  /** The trace that a call belongs to; null for none. */
  readonly traceparent?: () => string | null;
}

/** Whether the local host has a spot market, by its settings; prices are made by them without a call of the host. */
export function localOffersSpot({ spotPlaces = 0 }: Pick<LocalProviderOptions, 'spotPlaces'>): boolean {
  return spotPlaces > 0;
}

const CONNECT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 5_000;
/**
 * The host ends an instance by a signal, waits for a grace period and then kills, so ending an instance may take this
 * long.
 */
const TERMINATE_TIMEOUT_MS = 20_000;

/** Opens a provider; nothing is sent before the first call. */
export function createLocalProvider(options: LocalProviderOptions): InstanceProvider {
  const { name, url, token, traceparent = () => null } = options;
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: 4_000 });

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const trace = traceparent();
    const answer = await request(new URL(`/v1${path}`, url), {
      method,
      dispatcher: agent,
      signal: AbortSignal.timeout(method === 'DELETE' ? TERMINATE_TIMEOUT_MS : ANSWER_TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(trace === null ? {} : { [TRACE_HEADER]: trace }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`The compute host answered ${answer.statusCode}.`);
    return text === '' ? null : JSON.parse(text);
  }

  return {
    name,
    answersExactly: true,
    offersSpot: localOffersSpot(options),
    candidates: ({ market }) => [{ type: null, subnet: null, market, cpuClass: null }],
    prepare: async (_order, candidate) => ({ ...candidate, image: null, sent: {}, frame: null }),
    async ensure(spec) {
      const answer = await call('POST', '/instances', launchOf(spec));
      if (isUnavailable(answer))
        return { state: 'capacity', cause: 'no spot place of the host is free, or not enough GPUs' };
      const instance = expectInstance(answer);
      return instance.state === 'gone' ? { state: 'ended' } : { state: 'launched', instance };
    },
    async describe(launchToken) {
      const answer = await call('GET', `/instances/${encodeURIComponent(launchToken)}`).catch(() => null);
      return isInstance(answer) ? answer : null;
    },
    async terminate({ token: launchToken }) {
      await call('DELETE', `/instances/${encodeURIComponent(launchToken)}`);
      return true;
    },
    async list() {
      return listOf(await call('GET', '/instances'), 'instances').map(expectInstance);
    },
    async tools() {
      return listOf(await call('GET', '/tools'), 'tools').map(expectReport);
    },
    async containment() {
      return expectContainment(await call('GET', '/tools'));
    },
    async gpus() {
      const answer = await call('GET', '/tools');
      // A host of an earlier release tells none.
      return isRecord(answer) && 'gpus' in answer ? listOf(answer, 'gpus').map(expectGpu) : [];
    },
  };
}

function launchOf({ terms, ...spec }: InstanceSpec): LaunchRequest {
  const { jobId, slot, generation, token, taskQueue, vcpus, gpus, toolSlots, credential } = spec;
  const place = { jobId, slot, generation, token, taskQueue };
  return { ...place, vcpus, gpus, toolSlots, market: terms.market, credential };
}

function isUnavailable(answer: unknown): boolean {
  return isRecord(answer) && answer['state'] === 'unavailable';
}

function listOf(answer: unknown, name: string): readonly unknown[] {
  const list: unknown = isRecord(answer) ? answer[name] : null;
  if (Array.isArray(list)) return list;
  throw new Error('The compute host answered no list.');
}

function expectContainment(answer: unknown): Containment {
  const told: unknown = isRecord(answer) ? answer['containment'] : null;
  if (isContainment(told)) return told;
  throw new Error('The compute host did not say how it contains tools.');
}

function expectGpu(value: unknown): GpuFacts {
  const { name, memoryMib, driver } = isRecord(value) ? value : {};
  return {
    name: typeof name === 'string' ? name : null,
    memoryMib: typeof memoryMib === 'number' ? memoryMib : null,
    driver: typeof driver === 'string' ? driver : null,
  };
}

function expectReport(value: unknown): ToolReport {
  if (isReport(value)) return value;
  throw new Error('The compute host answered no tool.');
}

function isReport(value: unknown): value is ToolReport {
  if (!isRecord(value)) return false;
  const { toolId, variant, available, reason, version, digest } = value;
  const isTextOrNull = (text: unknown): boolean => text === null || typeof text === 'string';
  const isReason = available === true ? reason === null : isUnavailableReason(reason);
  return typeof toolId === 'string' && isReason && [variant, version, digest].every(isTextOrNull);
}

function expectInstance(value: unknown): InstanceDescription {
  if (isInstance(value)) return value;
  throw new Error('The compute host answered no instance.');
}

function isInstance(value: unknown): value is InstanceDescription {
  if (typeof value !== 'object' || value === null) return false;
  const state: unknown = Reflect.get(value, 'state');
  const hasTexts = ['providerId', 'token', 'launchedAt'].every(
    (key) => typeof Reflect.get(value, key) === 'string',
  );
  return hasTexts && (state === 'running' || state === 'gone');
}
