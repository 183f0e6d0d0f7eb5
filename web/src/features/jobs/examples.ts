/** Jobs to begin with. */

/** Examples by their name in the address. */
export const EXAMPLES: Readonly<Record<string, object | undefined>> = {
  '1a28': {
    jobType: 'simulation',
    jobName: 'Progesterone in its own receptor (1A28)',
    simulator: 'autodock-vina',
    simulationParams: {
      receptorPdbId: '1A28',
      receptorChains: ['A'],
      pocketLigand: 'STR',
      pocketLigandChain: 'A',
      pocketLigandResidue: 1,
      dockingValidation: { nativeReference: { componentId: 'STR', chain: 'A', residue: 1 } },
      ligandLibrary: [
        {
          ligandId: 'progesterone',
          label: 'Progesterone',
          source: {
            kind: 'smiles',
            smiles: 'CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C',
          },
          preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
        },
      ],
      seed: 42,
    },
  },
};
