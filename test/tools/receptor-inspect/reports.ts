/** A small report of an inspection, as its schema has it. */
export function inspectionReport(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    schema: 'dockyard.docking.inspection/v1',
    receptor: { sha256: 'a'.repeat(64), format: 'pdb', model: 1, assembly: { id: '1' }, chains: ['A'] },
    preparation: { protonationPh: 7.4 },
    models: [1],
    assemblies: [],
    chains: [
      {
        ...{ id: 'A', isSelected: true, polymer: 'protein', residues: 250, gaps: [], waters: 3 },
        ...{ first: null, last: null, components: 1 },
      },
    ],
    altlocs: { count: 0, residues: [] },
    hydrogensInFile: 0,
    modifiedResidues: [],
    components: [
      {
        ...{ chain: 'A', residue: 1, insertionCode: '', residueName: 'STR', kind: 'ligand', heavyAtoms: 23 },
        ...{
          name: 'PROGESTERONE',
          centerAngstrom: [22.853, 10.139, 60.282],
          copies: 1,
          keptByDefault: false,
          againstKeeping: null,
        },
        box: {
          centerAngstrom: [22.853, 10.139, 60.282],
          sizeAngstrom: [18, 18, 22.46],
          receptorHeavyAtoms: 283,
          warnings: [],
        },
      },
    ],
    componentCount: 1,
    waters: { count: 3, atLigands: [] },
    histidines: { method: 'pdb2pqr-propka', note: null, residues: [] },
    refusals: [],
    warnings: [],
    pockets: { method: 'fpocket-rs 0.1.0', note: 'At most 20 are told.', failure: null, pockets: [] },
    versions: {},
    toolchainSha256: 'a'.repeat(64),
    ...more,
  };
}
