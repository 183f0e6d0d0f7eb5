/**
 * Docking jobs over a real stack, with their outputs on disk, and the reference scripts with which they are compared.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { createClient, type Client } from '../../src/client/index.ts';
import { createDatabase } from '../../src/adapters/database.ts';
import type { ReferenceFormat, LigandIdentity, SimulationParams } from '../../src/domain/requests.ts';
import type { JobStatusResponse } from '../../src/client/types.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import type { Stack } from '../../src/stack/stack.ts';
import { pythonPath } from '../../src/tools/python-session.ts';
import { DOCKING_PACKAGES } from '../../src/tools/autodock-vina/toolchain.ts';
import { endTestStack, startTestStack } from './stack.ts';

/** A docking job that has ended. */
export interface DockedJob {
  readonly jobId: string;
  readonly status: JobStatusResponse;
  /** The folder in which the outputs lie under their names. */
  readonly folder: string;
}

/** A stack with one rich customer. */
export interface DockingBench {
  readonly stack: Stack;
  readonly client: Client;
  /**
   * Uploads a structure and docks against it; the key of a path is remembered, so that the structure is uploaded once.
   */
  dock(receptor: string, params: SimulationParams): Promise<DockedJob>;
  /** A ligand that is an uploaded file. */
  fileLigand(
    ligandId: string,
    path: string,
    format: ReferenceFormat,
    protonationPh?: number,
  ): Promise<LigandIdentity>;
  /** Runs a script of science/autodock-vina/reference; answers what it printed, parsed where it is JSON. */
  reference(script: string, ...args: string[]): Promise<unknown>;
  /** A new folder that is removed with the bench. */
  scratch(name: string): Promise<string>;
  close(): Promise<void>;
}

/** Root of the checkout. */
export const root = join(import.meta.dirname, '..', '..');

/** A structure of the fixtures. */
export const structure = (name: string): string => join(root, 'test', 'fixtures', 'structures', name);

/** A ligand as SMILES. */
export function smilesLigand(ligandId: string, smiles: string, protonationPh = 7.4): LigandIdentity {
  const preparation = { protonationPh, addHydrogens: true, generate3d: true } as const;
  return { ligandId, label: ligandId, source: { kind: 'smiles', smiles }, preparation };
}

const run = promisify(execFile);
const CREDITS_PENCE = 10_000_000;

/** Opens a bench, on a stack of its own unless one is given; each test file opens one. */
export async function openDockingBench(given?: Stack): Promise<DockingBench> {
  const settings = { DOCKYARD_VALIDATE_ANSWERS: 'true', DOCKYARD_RATE_LIMIT_SCALE: '100' };
  const stack = given ?? (await startTestStack({ settings }));
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-docking-'));
  const db = await createDatabase(stack.env['DOCKYARD_DATABASE_URL'] ?? '', { poolSize: 1 });
  const { liveKey } = await createAccount(db, { email: 'docking@example.com', creditsPence: CREDITS_PENCE });
  await db.destroy();
  const client = createClient({ apiUrl: stack.apiUrl, apiKey: liveKey });
  const stored = new Map<string, Promise<string>>();
  const storageKeyOf = (path: string): Promise<string> => {
    const known = stored.get(path) ?? client.upload({ path }).then(({ storageKey }) => storageKey);
    stored.set(path, known);
    return known;
  };
  let folders = 0;
  const scratch = async (name: string): Promise<string> => {
    folders += 1;
    const path = join(folder, `${folders}-${name}`);
    await mkdir(path, { recursive: true });
    return path;
  };

  return {
    stack,
    client,
    scratch,
    async dock(receptor, params) {
      const sceneFile = await storageKeyOf(receptor);
      const { jobId } = await client.submit({
        jobType: 'simulation',
        simulator: 'autodock-vina',
        sceneFile,
        simulationParams: params,
      });
      const status = await client.waitForEnd(jobId);
      const outputs = await scratch(jobId);
      for await (const output of client.outputs(jobId)) {
        const path = join(outputs, output.name);
        await mkdir(dirname(path), { recursive: true });
        await client.download(output, path);
      }
      return { jobId, status, folder: outputs };
    },
    async fileLigand(ligandId, path, format, protonationPh = 7.4) {
      const storageKey = await storageKeyOf(path);
      const { artifact } = await client.registerArtifact({ storageKey, format });
      const preparation = { protonationPh, addHydrogens: true, generate3d: true } as const;
      return { ligandId, label: ligandId, source: { kind: 'artifact', artifact }, preparation };
    },
    reference: (script, ...args) => runReference(stack, script, args),
    async close() {
      if (given === undefined) await endTestStack(stack);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function runReference(stack: Stack, script: string, args: readonly string[]): Promise<unknown> {
  const science = join(root, 'science');
  const python = stack.env['DOCKYARD_SCIENCE_PYTHON'] ?? 'python3';
  const { stdout } = await run(python, [join(science, 'autodock-vina', 'reference', script), ...args], {
    env: { ...process.env, PYTHONPATH: pythonPath(DOCKING_PACKAGES), PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout === '' ? null : JSON.parse(stdout);
}
