/** Wait of an account for its estimate while another account keeps the parser of large bodies busy. */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { send } from './http-load.ts';
import type { Ask } from './http-load.ts';
import { libraryJob } from './jobs.ts';
import type { Row } from './report.ts';
import type { BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';

const LIGANDS = 2_000;
const CROWD = { ligands: 10_000, labelCharacters: 300, requests: 5 };
const GOAL = 3;
const SETTLE_MS = 1_000;

/** Estimates of 2,000 ligands by one account, alone and in turns beside five of 4 MB that another account sends at once. */
export async function measureCrowd(bench: BenchStack, rounds: number): Promise<Row> {
  const [crowd, other] = [await bench.account(), await bench.account()];
  const ask = (key: string, body: string): Ask => ({
    url: `${bench.stack.apiUrl}/api/v1/jobs/estimate`,
    headers: { authorization: `Bearer ${key}` },
    body,
  });
  const small = ask(other.liveKey, dockingOf(LIGANDS, 10));
  const large = ask(crowd.liveKey, dockingOf(CROWD.ligands, CROWD.labelCharacters));
  const [alone, beside]: [number[], number[]] = [[], []];
  const agent = new Agent({ keepAlive: true });
  for (let round = -1; round < rounds; round += 1) {
    const quiet = await timed(agent, small);
    const sent = Array.from({ length: CROWD.requests }, () => timed(agent, large));
    await sleep(100);
    const waited = await timed(agent, small);
    await Promise.all(sent);
    await sleep(SETTLE_MS);
    if (round < 0) continue;
    alone.push(quiet);
    beside.push(waited);
  }
  agent.destroy();
  const ratio = spreadOf(beside).median / spreadOf(alone).median;
  return {
    item: `estimate of ${LIGANDS} ligands, beside ${CROWD.requests} of 4 MB by another account`,
    measured: describeSpread(spreadOf(beside), 'ms', 0),
    baseline: describeSpread(spreadOf(alone), 'ms', 0),
    ratio: ratio.toFixed(2),
    goal: `≤ ${GOAL}`,
    ok: ratio <= GOAL,
    figures: { alone, beside, ratio },
  };
}

/** An estimate of a docking whose ligands have labels of some length. */
function dockingOf(ligands: number, labelCharacters: number): string {
  const ligandLibrary = libraryJob(ligands).simulationParams?.ligandLibrary?.map((ligand) => ({
    ...ligand,
    label: 'x'.repeat(labelCharacters),
  }));
  return JSON.stringify({
    jobType: 'simulation',
    simulator: 'autodock-vina',
    simulationParams: { ligandLibrary },
  });
}

async function timed(agent: Agent, ask: Ask): Promise<number> {
  const startedAt = performance.now();
  const status = await send(agent, ask);
  if (status !== 200) throw new Error(`The estimate was answered with ${String(status)}.`);
  return performance.now() - startedAt;
}
