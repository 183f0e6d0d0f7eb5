/** A customer who docks: submits over the API, waits for the end, reads the outputs. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Answer, TestApi } from './api.ts';
import type { Json } from './docking-ligands.ts';

/** An output as the API lists it. */
export interface Output {
  readonly name: string;
  readonly kind: string;
  /** Null for an output that belongs to no task. */
  readonly taskIndex: number | null;
  readonly ligandId: string | null;
  readonly sha256: string;
  readonly url: string;
}

/** Calls of a docking customer. */
export interface DockingCustomer {
  /** Submits, and expects that the job is accepted. */
  submitted(body: Json): Promise<{ readonly jobId: string; readonly heldCents: number }>;
  /** Submits and waits for the end; answers the status. */
  ended(body: Json): Promise<Answer['body']>;
  /** Every output by its name. */
  outputsOf(jobId: string): Promise<Map<string, Output>>;
  read(outputs: ReadonlyMap<string, Output>, name: string): Promise<string>;
}

/** The seconds that a docking of small ligands may take on a busy machine. */
export const JOB_SECONDS = 480;
const MOST_TRIES = 10;

/** A quick job: the box around the steroid of 1A28's chain A, exhaustiveness 1. */
export function docking(params: Json, more: Json = {}): Json {
  return {
    jobType: 'simulation',
    simulator: 'autodock-vina',
    simulationParams: {
      receptorChains: ['A'],
      pocketLigand: 'STR',
      pocketLigandChain: 'A',
      exhaustiveness: 1,
      numModes: 3,
      seed: 42,
      ...params,
    },
    ...more,
  };
}

/** Makes the customer of a key. */
export function dockingCustomer(api: TestApi, key: string): DockingCustomer {
  const submitted: DockingCustomer['submitted'] = async (body) => {
    const idempotencyKey = `key-${randomUUID()}`;
    let answer = await api.submit(key, body, idempotencyKey);
    // A machine under load may not admit a job in time; the same key asks for the same job.
    for (let tries = 1; answer.status === 503 && tries < MOST_TRIES; tries += 1)
      answer = await api.submit(key, body, idempotencyKey);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  };
  return {
    submitted,
    async ended(body) {
      const { jobId } = await submitted(body);
      return (await api.ends(key, jobId, JOB_SECONDS)).body;
    },
    async outputsOf(jobId) {
      const found = new Map<string, Output>();
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { body } = await api.call(key, 'GET', `jobs/${jobId}/outputs?limit=1000${query}`);
        for (const output of body.outputs as Output[]) found.set(output.name, output);
        cursor = body.nextCursor;
      }
      return found;
    },
    async read(outputs, name) {
      const output = outputs.get(name) ?? expect.fail(`no ${name} among ${[...outputs.keys()].join(', ')}`);
      return (await fetch(output.url)).text();
    },
  };
}
