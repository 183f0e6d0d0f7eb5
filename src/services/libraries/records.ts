/**
 * The ligands of a job whose request names an indexed library. The request that is stored and that travels has the reference
 * alone; whoever loads the request reads the records, so that no history and no row holds ten thousand ligands.
 */
import type { LigandLibraryRecord } from '../../../entities/libraries.ts';
import { isRecord } from '../../domain/is-record.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { JobLigand, LibraryUse, LigandIdentity, SubmitJobRequest } from '../../domain/requests.ts';
import { sha256 } from '../../tools/canonical.ts';
import { isLibraryFormat } from '../../tools/ligand-library/library.ts';
import type { Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';
import { READER } from './write.ts';

interface RecordRow extends Row<
  LigandLibraryRecord,
  | 'ligandId'
  | 'label'
  | 'line'
  | 'startByte'
  | 'endByte'
  | 'contentSha256'
  | 'heavyAtoms'
  | 'structureSha256'
  | 'fault'
  | 'source'
> {
  readonly format: string;
  readonly reader: number;
}

/** A record that equals an earlier one is docked as that one. */
const RECORDS = `
  select r.ligand_id, r.label, r.line, r.start_byte, r.end_byte, r.content_sha256, r.structure_sha256, r.heavy_atoms, r.fault, r.source, l.format,
    l.reader
  from ligand_library_records r join ligand_libraries l on l.id = r.library_id
  where r.library_id = $1 and r.same_as is null and ($2::int[] is null or r.ordinal in (
    select coalesce(o.same_as, o.ordinal) from ligand_library_records o where o.library_id = $1 and o.ordinal = any($2)))
  order by r.ordinal`;

/** The request with the records of its library; a request without a library, or with the records, as it is. */
export async function withRecords(
  db: Pick<Queryable, 'query'>,
  request: SubmitJobRequest,
): Promise<SubmitJobRequest> {
  const params = request.simulationParams;
  const use = params?.libraryUse;
  if (params === undefined || use === undefined || use.records !== undefined) return request;
  const records = await readRecords(db, use);
  return { ...request, simulationParams: { ...params, libraryUse: { ...use, records } } };
}

/** The request as it is stored. */
export function withoutRecords(request: SubmitJobRequest): SubmitJobRequest {
  const params = request.simulationParams;
  if (params?.libraryUse === undefined) return request;
  const { records: _read, ...libraryUse } = params.libraryUse;
  return { ...request, simulationParams: { ...params, libraryUse } };
}

async function readRecords(db: Pick<Queryable, 'query'>, use: LibraryUse): Promise<readonly JobLigand[]> {
  const rows = await db.query<RecordRow[]>(RECORDS, [use.libraryId, use.only ?? null]);
  const ligands = rows.map((row) => ligandOf(row, use));
  return use.shuffledBy === undefined ? ligands : shuffled(ligands, use.shuffledBy);
}

/** The ligands in an order that the seed and their ids decide, so that a ligand more or less leaves the order of the others. */
function shuffled(ligands: readonly JobLigand[], seed: number): readonly JobLigand[] {
  const keyed = ligands.map((ligand) => ({ ligand, key: sha256(`${String(seed)}/${ligand.ligandId}`) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ ligand }) => ligand);
}

function ligandOf(row: RecordRow, { preparation }: LibraryUse): JobLigand {
  const { ligand_id: ligandId, label, format } = row;
  if (!isLibraryFormat(format)) return { ligandId, label, ...listedOf(row) };
  const {
    line,
    start_byte: start,
    end_byte: end,
    content_sha256: sha256,
    heavy_atoms: heavyAtoms,
    fault,
  } = row;
  if (line === null || start === null || end === null || sha256 === null)
    throw invariantBroken(`the record ${ligandId} of a stored library has no place`);
  const structureSha256 = row.reader === READER ? row.structure_sha256 : null;
  return {
    ligandId,
    label,
    source: { kind: 'record', format, line, start, end, sha256, structureSha256, heavyAtoms, fault },
    preparation,
  };
}

/** Only this service writes what a list's ligand is, so only the form is looked at again. */
function listedOf({
  ligand_id: ligandId,
  source,
}: RecordRow): Pick<LigandIdentity, 'source' | 'preparation'> {
  if (isListed(source)) return source;
  throw invariantBroken(`the ligand ${ligandId} of a list has no source`);
}

function isListed(value: unknown): value is Pick<LigandIdentity, 'source' | 'preparation'> {
  return isRecord(value) && isRecord(value['source']) && isRecord(value['preparation']);
}
