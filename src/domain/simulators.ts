/**
 * The simulators that the contract names, whether or not a tool of that name is here. The names serve the words of a
 * refusal and of the API document only: which simulators can be run follows from the list of tools.
 */

/** Simulators of the contract, in the order of its text. */
export const CONTRACT_SIMULATORS: readonly string[] = [
  'autodock-vina',
  'fpocket',
  'blastp',
  'blastn',
  'alphafold',
  'esmfold',
  'swan',
  'wavewatch3',
];

/** Common other names of simulators whose tools, which would name their aliases themselves, are not here yet. */
export const CONTRACT_ALIASES: ReadonlyMap<string, string> = new Map([
  ['alphafold2', 'alphafold'],
  ['af2', 'alphafold'],
]);

/** Names that could mean several simulators, and the simulators that each could mean. */
export const AMBIGUOUS_SIMULATORS: ReadonlyMap<string, readonly string[]> = new Map([
  ['blast', ['blastp', 'blastn']],
]);
