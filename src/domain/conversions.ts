/** Conversions of files between formats: which pairs there are, and what a request and an answer say. */
import type { ArtifactReference, ReferenceFormat } from './requests.ts';
import { EXPORT_FORMATS } from './scene-exports.ts';
import type { ExportFormat } from './scene-exports.ts';
import type { JobWarning } from './warnings.ts';

/** The formats that are read. */
export const INPUT_FORMATS = ['pdb', 'mmcif', 'sdf', 'pdbqt', 'mol2', 'smi'] as const;
/** A format that is read. */
export type InputFormat = (typeof INPUT_FORMATS)[number];
/** The formats that are written. */
export const OUTPUT_FORMATS = ['pdb', 'mmcif', 'sdf', 'pdbqt'] as const;
/** A format that is written. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The formats that each format is converted to. */
export const CONVERSIONS: Readonly<Record<InputFormat, OutputFormat>> = {
  pdb: 'mmcif',
  mmcif: 'pdb',
  sdf: 'pdbqt',
  pdbqt: 'sdf',
  mol2: 'sdf',
  smi: 'sdf',
};

/** The end of a file's name says its format. */
const ENDINGS: Readonly<Record<string, InputFormat>> = {
  pdb: 'pdb',
  ent: 'pdb',
  cif: 'mmcif',
  mmcif: 'mmcif',
  sdf: 'sdf',
  mol: 'sdf',
  sd: 'sdf',
  pdbqt: 'pdbqt',
  mol2: 'mol2',
  smi: 'smi',
  smiles: 'smi',
};

/** The format that the name of a file tells; null where it tells none that is read. */
export function formatOfName(name: string): InputFormat | null {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(ENDINGS, ending) ? (ENDINGS[ending] ?? null) : null;
}

/** Every pair, as messages list them. */
export const PAIRS = [
  ...INPUT_FORMATS.map((from) => `${from} to ${CONVERSIONS[from]}`),
  `the scene of a revision to ${EXPORT_FORMATS.join(' or ')}`,
].join(', ');

/** A file that is converted. */
export type FileInput = { readonly storageKey: string } | { readonly artifact: ArtifactReference };
/** Input of a conversion: a file, or the scene of a revision. */
export type ConversionInput = FileInput | { readonly projectId: string; readonly version: number };

/** POST /convert. */
export interface ConvertRequest<Input extends ConversionInput = ConversionInput> {
  readonly input: Input;
  /** The format that is asked for, also one that nothing is converted to yet. */
  readonly to: string;
}

/** The file that a conversion made. */
export interface ConvertedReference extends Omit<ArtifactReference, 'format'> {
  readonly format: ReferenceFormat | ExportFormat;
}

/** The answer of POST /convert and of GET /convert/{conversionId}. */
export interface ConversionResponse {
  readonly conversionId: string;
  readonly status: 'RUNNING' | 'SUCCEEDED';
  readonly createdAt: string;
  /** How far a conversion that runs is, for people; null once the file is there. */
  readonly message: string | null;
  /** The converted file; null while the conversion runs. */
  readonly artifact: ConvertedReference | null;
  /** Losses: facts that the other format does not say. */
  readonly warnings: readonly JobWarning[];
}
