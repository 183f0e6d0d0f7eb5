/**
 * Experiments and batches as jobs: receptor and parameters of a record become the protocol of a docking, and the protocol becomes
 * the parameters of the job, by the one mapping that every docking has. The function is pure.
 */
import type {
  BoxDerivation,
  DockingParameters,
  DockingRecordBox,
  ReceptorIdentity,
} from '../../domain/docking-records.ts';
import { AppError } from '../../domain/errors.ts';
import type { SimulationParams } from '../../domain/requests.ts';
import type { ToolScreening } from '../tool.ts';
import { DEFAULT_PREPARATION } from './parameters.ts';
import type { BoxRequest, Vector } from './parameters.ts';
import { protocolOf, sentPreparation, sentResidue, sentValidation, simulationParamsOf } from './protocol.ts';
import type { DockingProtocol } from './protocol.ts';

/** The seed of a record that says nothing of a seed. */
const FIRST_SEED = 1;

/** Dockings for experiments and batches. */
export const dockingScreening: ToolScreening = {
  needsReceptor: true,
  paramsOf(receptor, parameters) {
    if (receptor === null || parameters === null) {
      throw new AppError('INPUT_MISSING', 'A docking needs receptor and parameters. Send both.');
    }
    const { box } = parameters;
    if (box.derivation.kind === 'explicit' && !(box.center && box.size)) {
      throw new AppError(
        'VALIDATION_ERROR',
        'parameters.box: an explicit box needs center and size, each of three numbers in Å.',
      );
    }
    const { receptorPreparation, ...params } = simulationParamsOf(protocolOfRecord(receptor, parameters));
    const { estimatedRuntimeSeconds } = parameters;
    return {
      ...params,
      ...(receptorPreparation === undefined
        ? {}
        : { receptorPreparation: { ...DEFAULT_PREPARATION, ...receptorPreparation } }),
      ...(estimatedRuntimeSeconds === undefined ? {} : { estimatedRuntimeSeconds }),
    };
  },
};

/** The protocol of a record. */
export function protocolOfRecord(receptor: ReceptorIdentity, parameters: DockingParameters): DockingProtocol {
  const { source, assemblyId, model, chains, preparation } = receptor;
  const { box, protocol, validation } = parameters;
  return protocolOf({
    ...(source.kind === 'pdb' ? { receptorPdbId: source.pdbId } : { receptorArtifact: source.artifact }),
    receptorAssemblyId: assemblyId,
    receptorModel: model,
    ...(chains === null ? {} : { receptorChains: chains }),
    receptorPreparation: preparation,
    ...boxParams(box.derivation),
    ...(box.derivation.kind === 'explicit' && box.center ? { boxCenterAngstrom: box.center } : {}),
    ...(box.size ? { boxSizeAngstrom: box.size } : {}),
    exhaustiveness: protocol.exhaustiveness,
    numModes: protocol.numModes,
    energyRangeKcalMol: protocol.energyRangeKcalMol,
    seed: protocol.seed,
    ...(protocol.scoringFunction === undefined ? {} : { scoringFunction: protocol.scoringFunction }),
    ...(validation === undefined ? {} : { dockingValidation: validation }),
  });
}

/** The record of a protocol, for a receptor that has a source; the seed of a record is 1 where the protocol draws it. */
export function recordOfProtocol(
  { receptor, preparation, box, search, validation }: DockingProtocol,
  source: ReceptorIdentity['source'],
): { readonly receptor: ReceptorIdentity; readonly parameters: DockingParameters } {
  const { assemblyId, model, chains } = receptor;
  const { exhaustiveness, numModes, energyRangeKcalMol, scoringFunction } = search;
  const sent = sentValidation(validation);
  return {
    receptor: {
      source,
      assemblyId,
      model,
      chains: chains === null ? null : [...chains],
      preparation: { ...DEFAULT_PREPARATION, ...sentPreparation(preparation) },
    },
    parameters: {
      box: recordBox(box),
      protocol: {
        exhaustiveness,
        numModes,
        energyRangeKcalMol,
        seed: search.seed ?? FIRST_SEED,
        cpuThreads: 1,
        ...(scoringFunction === undefined ? {} : { scoringFunction }),
      },
      ...(sent === null ? {} : { validation: sent }),
    },
  };
}

function recordBox({ centerAngstrom, sizeAngstrom, ligand, residues }: BoxRequest): DockingRecordBox {
  const size = sizeAngstrom === null ? {} : { size: triple(sizeAngstrom) };
  if (ligand !== null) {
    const { componentId, chain, residue, insertionCode } = ligand;
    const derivation = {
      kind: 'ligand' as const,
      componentId,
      ...(chain === null ? {} : { chain }),
      ...(residue === null ? {} : { residue }),
      ...(insertionCode === undefined ? {} : { insertionCode }),
    };
    return { ...size, derivation };
  }
  if (residues !== null) {
    return { ...size, derivation: { kind: 'residues', residues: residues.map(sentResidue) } };
  }
  return {
    ...(centerAngstrom === null ? {} : { center: triple(centerAngstrom) }),
    ...size,
    derivation: { kind: 'explicit' },
  };
}

function triple([x, y, z]: Vector): [number, number, number] {
  return [x, y, z];
}

function boxParams(derivation: BoxDerivation): SimulationParams {
  switch (derivation.kind) {
    case 'explicit':
      return {};
    case 'ligand': {
      const { componentId, chain, residue, insertionCode } = derivation;
      return {
        pocketLigand: componentId,
        ...(chain === undefined ? {} : { pocketLigandChain: chain }),
        ...(residue === undefined ? {} : { pocketLigandResidue: residue }),
        ...(insertionCode === undefined ? {} : { pocketLigandInsertionCode: insertionCode }),
      };
    }
    case 'residues':
      return { pocketResidues: derivation.residues };
    default:
      return derivation satisfies never;
  }
}
