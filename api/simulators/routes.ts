/** Simulators: what can be run here, and what cannot be run now. */
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, whole } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { simulatorListAnswer } from './schemas.ts';

const listSimulators = defineEndpoint({
  method: 'GET',
  path: '/simulators',
  operationId: 'listSimulators',
  tag: TAGS.simulators,
  summary: 'List simulators',
  description:
    'Every simulator with its names, what it reads and how it is priced, and whether it can be run now. An unavailable one is refused with UNSUPPORTED_SIMULATOR, by estimate and submit alike; one that is installed is offered within a minute.',
  access: 'any',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The simulators.', schema: simulatorListAnswer } },
  errors: [],
  async handle({ simulators }) {
    return whole(await simulators.list());
  },
});

/** Endpoints of simulators. */
export const simulatorEndpoints: readonly Endpoint[] = [listSimulators];
