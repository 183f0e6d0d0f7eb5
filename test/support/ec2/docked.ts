/** One small docking job, from the upload to its outputs. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import type { Client } from '../../../src/client/index.ts';
import { smilesLigand } from '../docking.ts';

/** Outcome of a docking job. */
export interface Docked {
  readonly jobId: string;
  /**
   * The SHA-256 of each output by name; of a `result.json` that of all but when the ligand was docked, and how long that took.
   */
  readonly digests: Readonly<Record<string, string>>;
  readonly chargedPence: number;
}

const RECEPTOR = join(repositoryRoot, 'examples', '1a28', '1a28.pdb');
/** The list of the outputs has the digest of each, the times included. */
const MANIFEST = 'manifest.json';

/** Docks a small ligand to the progesterone receptor, and expects that it is docked. */
export async function dockOnce(client: Client): Promise<Docked> {
  const { storageKey } = await client.upload({ path: RECEPTOR });
  const { jobId } = await client.submit({
    ...{ jobType: 'simulation', simulator: 'autodock-vina', sceneFile: storageKey },
    simulationParams: {
      ...{ receptorChains: ['A'], pocketLigand: 'STR', pocketLigandChain: 'A' },
      ...{ exhaustiveness: 1, numModes: 2, seed: 42 },
      ligandLibrary: [smilesLigand('phenol', 'Oc1ccccc1')],
    },
  });
  const { status, cost, failures } = await client.waitForEnd(jobId);
  expect(status, JSON.stringify(failures)).to.equal('SUCCEEDED');
  const digests: Record<string, string> = {};
  for await (const { name, sha256, url } of client.outputs(jobId))
    if (name !== MANIFEST) digests[name] = name.endsWith('result.json') ? await timelessDigest(url) : sha256;
  return { jobId, digests, chargedPence: cost.chargedCents };
}

async function timelessDigest(url: string): Promise<string> {
  const text = await (await fetch(url)).text();
  const { run, ...result }: { run: Record<string, unknown> } = JSON.parse(text);
  expect(run).to.include.keys('startedAt', 'seconds');
  const timeless = { ...result, run: { ...run, startedAt: null, seconds: null } };
  return createHash('sha256').update(JSON.stringify(timeless)).digest('hex');
}
