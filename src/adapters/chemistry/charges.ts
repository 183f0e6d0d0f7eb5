/**
 * The charge with which a ligand would be docked, asked of the code that prepares ligands, which gets SMILES only as RDKit has written
 * them. An InChI, which RDKit as WebAssembly does not read, is read there, too. Where there is no answer, the preview has no charge and
 * says so.
 */
import type { ChargeAnswer, ChargeModel } from './chemistry.ts';
import { createLineProcess } from './line-process.ts';
import type { LineProcessOptions } from './line-process.ts';
import { valueAt } from './value-at.ts';

export interface ChargeModelOptions extends Pick<LineProcessOptions, 'command' | 'log'> {
  readonly limitMs?: number;
}

const LIMIT_MS = 3_000;

/** Makes the model of one process. */
export function createChargeModel({ limitMs = LIMIT_MS, ...options }: ChargeModelOptions): ChargeModel {
  const process = createLineProcess({ ...options, failure: 'the charge of a ligand was not computed' });
  return {
    chargeAt: (source, ph) => process.ask({ source, ph }, limitMs, readAnswer),
    readInchi: (inchi) => process.ask({ inchi }, limitMs, readSmiles),
    close: () => process.close(),
  };
}

/** @throws Error when the line is no answer. */
function readSmiles(line: string): { readonly smiles: string | null } {
  const smiles = valueAt(JSON.parse(line), 'smiles');
  if (smiles === null || typeof smiles === 'string') return { smiles };
  throw new Error('no answer about an InChI');
}

/** @throws Error when the line is no answer. */
function readAnswer(line: string): ChargeAnswer {
  const raw: unknown = JSON.parse(line);
  const [charge, smiles, code, message] = ['charge', 'smiles', 'code', 'message'].map((name) =>
    valueAt(raw, name),
  );
  if (typeof code === 'string' && typeof message === 'string') return { ok: false, code, message };
  const warnings = valueAt(raw, 'warnings');
  if (typeof charge !== 'number' || typeof smiles !== 'string' || !Array.isArray(warnings))
    throw new Error('no answer about a charge');
  return {
    ok: true,
    charge,
    smiles,
    warnings: warnings.map((warning) => ({
      code: String(valueAt(warning, 'code')),
      message: String(valueAt(warning, 'message')),
    })),
  };
}
