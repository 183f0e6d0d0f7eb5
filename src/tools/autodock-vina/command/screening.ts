/** Experiments and batches as options mean them: receptor and protocol, in the words of the records. */
import { basename } from 'node:path';

import { isRecord } from '../../../domain/is-record.ts';
import { CommandRefusal } from '../../command.ts';
import type { PricedRecord, Screening, ScreeningCommand } from '../../command.ts';
import { hasMoreRecords } from '../../ligand-files.ts';
import { placeReceptor, receptorInputOf } from '../../receptor-file.ts';
import type { PlacedReceptor } from '../../receptor-file.ts';
import type { DockingParams } from '../parameters.ts';
import { recordOfProtocol } from '../screening.ts';
import { priceNoteOf, protocolOffer, refuseConflicts } from './offer.ts';
import type { DockOptions, ProtocolOptions } from './options.ts';
import { PROTOCOL_OPTIONS } from './protocol-options.ts';
import { dockEstimateOf, dockProtocolOf, ligandPreparationOf, priceRequestOf } from './request.ts';

const ASSEMBLY = /^([1-9][0-9]{0,3}|deposited|asymmetric)$/;

/** More ligands than these are docked as a batch, whose file goes up as a whole. Records of an SD file go up one a second in a job. */
export const MOST_OF_JOB = 20;

/** Options of experiments and batches. */
export const dockScreening: ScreeningCommand<DockOptions> = {
  options: PROTOCOL_OPTIONS,
  prepare: screeningOf,
  async manyLigands({ ligands }, folder) {
    if (ligands === undefined || !(await hasMoreRecords(ligands, folder, MOST_OF_JOB))) return null;
    return `More than ${MOST_OF_JOB} ligands are docked as a batch: results, exports and more with dockyard batch`;
  },
  estimateOfRecord: (record, sizes) => {
    const { receptor_identity: identity, parameters } = record;
    if (!isRecord(parameters) || !isRecord(parameters['protocol'])) return null;
    const params = paramsOfRecord(isRecord(identity) ? identity : {}, parameters['protocol']);
    const { preparation } = ligandPreparationOf(hasStates(record) ? { states: 'likely' } : {});
    return priceRequestOf(params, sizes, preparation);
  },
};

/** Whether the ligands of a record are docked in their likely states, which makes their price. */
function hasStates({ ligand_preparation: ofBatch, ligand_identity: ligand }: PricedRecord): boolean {
  const preparation = ofBatch ?? (isRecord(ligand) ? ligand['preparation'] : undefined);
  return isRecord(preparation) && preparation['states'] === 'likely';
}

function screeningOf(options: ProtocolOptions, folder: string): Screening {
  refuseConflicts(options);
  refuseForRecords(options);
  const receptor = receptorInputOf(options.receptor, folder);
  const record = recordOf(options, { kind: 'pdb', pdbId: '1ABC' });
  const { preparation = null } = ligandPreparationOf(options);
  return {
    offer: protocolOffer(options, receptor),
    receptorName: basename(options.receptor),
    parameters: record.parameters,
    ligandPreparation: preparation,
    priceNote: priceNoteOf(options),
    estimateOf: (sizes) => dockEstimateOf(options, sizes),
    async place(files) {
      if (receptor.kind === 'file') files.progress(`Uploading ${basename(receptor.path)}`);
      return recordOf(options, await placeReceptor(files, receptor)).receptor;
    },
  };
}

function recordOf(options: ProtocolOptions, placed: PlacedReceptor): ReturnType<typeof recordOfProtocol> {
  return recordOfProtocol(dockProtocolOf(options, placed), sourceOf(placed));
}

function sourceOf(placed: PlacedReceptor): Parameters<typeof recordOfProtocol>[1] {
  if (placed.kind === 'pdb') return placed;
  const { artifact } = placed;
  // The file of a receptor is always stored as PDB or as mmCIF.
  return {
    kind: 'artifact',
    artifact: { ...artifact, format: artifact.format === 'mmcif' ? 'mmcif' : 'pdb' },
  };
}

/** Refuses options that a job takes and a record does not. */
function refuseForRecords({ assembly, seed }: ProtocolOptions): void {
  if (assembly !== undefined && !ASSEMBLY.test(assembly)) {
    throw new CommandRefusal(
      'VALIDATION_ERROR',
      `--assembly ${assembly}: an experiment or batch, as more than ${MOST_OF_JOB} ligands are, takes 1 to 9999, deposited or asymmetric.`,
    );
  }
  if (seed !== undefined && seed < 1) {
    throw new CommandRefusal(
      'VALIDATION_ERROR',
      `--seed ${seed}: the seed of an experiment or batch, as more than ${MOST_OF_JOB} ligands are, is 1 to 2147483647, so that it can be done again; leave it out for 1.`,
    );
  }
}

/** The parameters of a record that its price depends on; anything else of the record is left out. */
function paramsOfRecord(
  identity: Readonly<Record<string, unknown>>,
  protocol: Readonly<Record<string, unknown>>,
): DockingParams {
  const preparation = isRecord(identity['preparation']) ? identity['preparation'] : {};
  const flexible = Array.isArray(preparation['flexibleResidues']) ? preparation['flexibleResidues'] : [];
  const { exhaustiveness, numModes } = protocol;
  return {
    ...(typeof exhaustiveness === 'number' ? { exhaustiveness } : {}),
    ...(typeof numModes === 'number' ? { numModes } : {}),
    ...(flexible.length === 0
      ? {}
      : {
          receptorPreparation: {
            // The number of side chains that turn makes the price, whichever they are.
            flexibleResidues: flexible.map((_one, index) => ({ chain: 'A', residue: index + 1 })),
          },
        }),
  };
}
