/** The specification that the Python session gets. */
import { invariantBroken } from '../../domain/invariant.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { receptorSpec } from '../receptor.ts';
import type { PinnedFiles } from '../tool.ts';
import { maxPocketsOf } from './parameters.ts';

/** The specification of the one task; its shape is `FpocketSpec` in science/fpocket. */
export function pocketSessionSpec(
  request: SubmitJobRequest,
  facts: { readonly effectiveSeed: number | null; readonly inputs: PinnedFiles },
): Readonly<Record<string, unknown>> {
  if (facts.effectiveSeed === null) throw invariantBroken('a search for pockets has no seed');
  return {
    receptor: receptorSpec(request, facts.inputs),
    maxPockets: maxPocketsOf(request.simulationParams),
    clockSeconds: facts.effectiveSeed,
  };
}
