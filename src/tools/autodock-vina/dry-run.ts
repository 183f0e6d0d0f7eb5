/** `preparation.json` of a dry run: as what a ligand would be docked. The file is compared with the digest that it contains. */
import Joi from 'joi';

import type { PreparationRecord } from '../../domain/docking-results.ts';
import { toldWarnings } from '../../domain/warnings.ts';
import { canonicalSha256InTurns } from '../canonical.ts';
import { LIGAND_FACTS, MOST_WARNINGS, smilesOf } from './result.ts';
import type { LigandFacts } from './result.ts';
import { STATES } from './states.ts';
import type { ToldStates } from './states.ts';

/** Finding of a dry run about a ligand, or the fault of the file. */
export type ParsedCheck =
  | { readonly ok: true; readonly ligandId: string; readonly record: PreparationRecord }
  | { readonly ok: false; readonly fault: string };

interface CheckFile {
  readonly schema: string;
  readonly sha256: string;
  readonly preparation: {
    readonly ligandId: string;
    readonly ligand: LigandFacts;
    readonly states?: ToldStates;
    readonly warnings?: unknown;
  };
}

const FILE = Joi.object<CheckFile>({
  schema: Joi.valid('dockyard.docking.preparation/v1').required(),
  sha256: Joi.string()
    .pattern(/^[0-9a-f]{64}$/)
    .required(),
  preparation: Joi.object({
    ligandId: Joi.string().required(),
    ligand: LIGAND_FACTS.required(),
    states: STATES,
  })
    .unknown()
    .required(),
});

/** Takes the value of a file and recomputes the digest of its hashed part. */
export async function parseCheck(value: unknown): Promise<ParsedCheck> {
  const checked = FILE.required().validate(value, { convert: false });
  if (checked.error !== undefined) return { ok: false, fault: `is no preparation: ${checked.error.message}` };
  const { sha256, preparation } = checked.value;
  if ((await canonicalSha256InTurns(preparation)) !== sha256)
    return { ok: false, fault: 'has another digest than its content' };
  const { ligandId, ligand, states, warnings } = preparation;
  return {
    ok: true,
    ligandId,
    record: {
      kind: 'preparation',
      heavyAtoms: ligand.heavyAtoms ?? null,
      formalCharge: ligand.formalCharge ?? null,
      smilesInput: smilesOf(ligand.smilesInput),
      smilesDocked: smilesOf(ligand.smilesDocked),
      states: states?.each.length ?? null,
      warnings: toldWarnings(warnings).slice(0, MOST_WARNINGS),
    },
  };
}
