/** Codes of searches with blastp and blastn. */
import { refusal, says } from '../../domain/codes/code.ts';
import type { CodeWords, ToolRefusal } from '../../domain/codes/code.ts';
import { ERROR_CODES } from '../../domain/codes/errors.ts';
import type { ToolCodes } from '../tool.ts';

const QUERY_WORDS = {
  QUERY_EMPTY: says('The file of queries has no sequence.', 'Send a FASTA file with at least one sequence.'),
  QUERY_INVALID: says(
    'A query cannot be read; the message names its record and line and says why.',
    'Mend the record. Two different sequences need two names, which are the first words after >.',
  ),
  QUERY_TYPE_MISMATCH: says(
    'A query is a nucleotide sequence where proteins are searched, or the other way round.',
    'Use blastp for proteins and blastn for nucleotide sequences.',
  ),
  QUERY_TOO_LARGE: says(
    'The queries, or one of them, are larger than a search takes: 64 MiB, 100,000 queries, 100,000 residues or 10 million bases each.',
    'Split the file, or search the part of the sequence that matters.',
  ),
} as const satisfies Readonly<Record<string, CodeWords>>;

const DATABASE_TYPE_MISMATCH = says(
  'The database holds sequences of the other type.',
  'Search proteins (prot) with blastp and nucleotide sequences (nucl) with blastn.',
);

/** Why a search fails: by a code of its queries or database as a whole, else one task alone. */
export const SEARCH_FAILURES = {
  ...QUERY_WORDS,
  TASK_COUNT_MISMATCH: says(ERROR_CODES.TASK_COUNT_MISMATCH.meaning, ERROR_CODES.TASK_COUNT_MISMATCH.advice),
  DATABASE_TYPE_MISMATCH,
  DATABASE_CHECKSUM_MISMATCH: says(
    'The file of the database has another SHA-256 than blastDatabaseChecksum.',
    'Upload the right file, or correct or leave out the checksum.',
  ),
  DATABASE_UNREADABLE: says(
    'The database is neither FASTA nor complete volumes; the message says what is wrong.',
    'Send plain FASTA, or every volume that makeblastdb wrote, under the names that it gave them.',
  ),
  OUTPUT_TOO_LARGE: says(
    'The results of a task are larger than blastMaxOutputBytes allows.',
    'Lower blastMaxHits or blastEvalue, use more tasks, or raise blastMaxOutputBytes.',
  ),
} as const satisfies Readonly<Record<string, CodeWords>>;

const SEARCH_WARNINGS = {
  QUERY_GAPS_REMOVED: says(
    'Gaps were left out of queries, because a search aligns sequences without gaps.',
    'Nothing is to be done. Places in the hits count letters, not gaps.',
  ),
  QUERY_MASKED_LETTERS: says(
    'X was read as N in nucleotide queries, because programs that mask vectors write X.',
    'Nothing is to be done, unless X meant something else.',
  ),
  QUERY_TITLE_CUT: says(
    'A query has a title of more than 4,096 characters, which was cut.',
    'Nothing is to be done. Names are the first words of titles, and stay whole where they are shorter.',
  ),
  DATABASE_ID_REPEATED: says(
    'Sequences of the database have one id, which is the first word after >; the message names the first that comes again.',
    'Give each sequence an id of its own where hits.tsv must tell them apart; hits.json and alignments.txt have the whole titles.',
  ),
  DATABASE_RECORD_EMPTY: says(
    'Records of the database have no sequence and were left out; the message names the first.',
    'Look whether the file of the database is whole.',
  ),
  BLAST_HITS_FEW: says(
    'The field blastMaxHits is below 5, and a search that keeps so few may leave out better hits than those that it keeps.',
    'Ask for 5 or more, and take the first of them.',
  ),
  QUERY_REPEATED: says(
    'Queries of the same name and sequence were each searched.',
    'Leave repeats out; each costs as much as the first.',
  ),
} as const satisfies Readonly<Record<string, CodeWords>>;

/** The refusals of a search. */
export const SEARCH_REFUSALS = {
  DATABASE_MISSING: refusal(
    'DATABASE_MISSING',
    says('The request names no database.', 'Send blastDatabaseName or blastDatabasePath.'),
    { atEstimate: false },
  ),
  DATABASE_CONFLICT: refusal(
    'DATABASE_CONFLICT',
    says('The request names two databases.', 'Send blastDatabaseName or blastDatabasePath, not both.'),
  ),
  DATABASE_MISMATCH: refusal(
    'DATABASE_MISMATCH',
    says(
      'No database of this installation is what the request says; the message names the field.',
      'Correct or leave out the field, or name another database.',
    ),
  ),
  DATABASE_TYPE_MISMATCH: refusal('DATABASE_TYPE_MISMATCH', DATABASE_TYPE_MISMATCH),
  DATABASE_FILE_MISSING: refusal(
    'DATABASE_FILE_MISSING',
    says(
      'Neither an attachment nor the project package of sceneFile has the file that blastDatabasePath names.',
      'Upload the file and add its storage key to attachments, or upload it into the package; blastDatabasePath is its name, or its path there.',
    ),
    { atEstimate: false },
  ),
  QUERY_EMPTY: refusal('QUERY_EMPTY', QUERY_WORDS.QUERY_EMPTY, { atEstimate: false }),
  QUERY_INVALID: refusal('QUERY_INVALID', QUERY_WORDS.QUERY_INVALID, { atEstimate: false }),
  QUERY_TYPE_MISMATCH: refusal('QUERY_TYPE_MISMATCH', QUERY_WORDS.QUERY_TYPE_MISMATCH, { atEstimate: false }),
  QUERY_TOO_LARGE: refusal('QUERY_TOO_LARGE', QUERY_WORDS.QUERY_TOO_LARGE, { atEstimate: false }),
} as const satisfies Readonly<Record<string, ToolRefusal>>;

/** The codes of one of the two programs. */
export function searchCodes(program: string): ToolCodes {
  return {
    refusals: SEARCH_REFUSALS,
    failures: [
      {
        title: `Failures of ${program}`,
        note: 'A code of the queries or the database fails the whole job; OUTPUT_TOO_LARGE fails one task. Nothing that fails is charged.',
        codes: SEARCH_FAILURES,
      },
    ],
    warnings: [
      {
        title: `Warnings of ${program}`,
        note: 'The search is done all the same.',
        codes: SEARCH_WARNINGS,
      },
    ],
    reports: [],
    advice: {
      ENGINE_TIMEOUT: 'Use more tasks, raise blastTimeoutSeconds, or lower blastMaxHits.',
      ENGINE_OUT_OF_MEMORY: 'Use more tasks, or a smaller database.',
    },
  };
}
