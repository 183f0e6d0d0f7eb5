/** Inspections as the document shows them: a small receptor that can be prepared as it is. */
import type { JsonObject } from '../http/in-document.ts';

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** A report without anything that would be refused. */
export const REPORT_EXAMPLE: JsonObject = {
  schema: 'dockyard.docking.inspection/v1',
  receptor: {
    sha256: DIGEST,
    format: 'mmcif',
    model: 1,
    chains: ['A'],
    assembly: { id: '1', chains: ['A'] },
  },
  preparation: { protonationPh: 7.4, protonationMethod: 'pdb2pqr-propka' },
  models: [1],
  assemblies: [{ id: '1', operators: 1, chains: ['A'] }],
  chains: [],
  altlocs: { count: 0, residues: [] },
  hydrogensInFile: 0,
  modifiedResidues: [],
  components: [],
  componentCount: 0,
  waters: { count: 84, atLigands: [] },
  histidines: { method: 'pdb2pqr-propka', note: null, residues: [] },
  refusals: [],
  warnings: [],
  pockets: { method: 'pockets 1.0', note: 'At most 20 are told.', failure: null, pockets: [] },
  versions: {},
  toolchainSha256: DIGEST,
};

/** An inspection that is not done. */
export const RUNNING_INSPECTION: JsonObject = {
  inspectionId: '0198a7e4-0a2d-7b95-a4f7-6c1d3e8b5f90',
  status: 'RUNNING',
  createdAt: '2026-11-22T09:00:00.000000Z',
  message: 'The inspection waits for a machine. All capacity is in use.',
  report: null,
};
