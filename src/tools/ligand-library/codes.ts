/** Why a ligand library as a whole is refused. The fault of one record alone is told of that record's ligand. */
import { refusal, says } from '../../domain/codes/code.ts';
import type { CodeWords, ToolRefusal } from '../../domain/codes/code.ts';
import { AppError } from '../../domain/errors.ts';

function ofLibrary(code: string, words: CodeWords): ToolRefusal {
  return refusal(code, words, { atSubmit: false });
}

/** The refusals of libraries by code. */
export const LIBRARY_REFUSALS = {
  LIBRARY_EMPTY: ofLibrary(
    'LIBRARY_EMPTY',
    says(
      'The ligand library has no record.',
      'Send a file with at least one ligand; empty lines, comments and headings are no records.',
    ),
  ),
  LIBRARY_TOO_LARGE: ofLibrary(
    'LIBRARY_TOO_LARGE',
    says(
      'The ligand library has more than 10,000 records, or more than 256 MB when it is unpacked.',
      'Cut the library into several files, and dock each of them.',
    ),
  ),
  LIBRARY_RECORD_TOO_LARGE: ofLibrary(
    'LIBRARY_RECORD_TOO_LARGE',
    says(
      'One record of the ligand library has more than 4 MiB or more than 1,024 columns; the message names its line.',
      'Remove the record, or end it where the next one begins.',
    ),
  ),
  LIBRARY_UNREADABLE: ofLibrary(
    'LIBRARY_UNREADABLE',
    says(
      'The ligand library is no text in UTF-8 as its format asks for it; the message says what it is.',
      'Save the library as plain text in UTF-8 (in a spreadsheet program: CSV UTF-8), as it is or packed once with gzip, and upload it anew.',
    ),
  ),
  LIBRARY_COLUMN_MISSING: ofLibrary(
    'LIBRARY_COLUMN_MISSING',
    says(
      'The table of ligands has no column of SMILES; the message names the columns that it has.',
      'Call the column with the structures smiles; commas, semicolons or tabs stand between the columns.',
    ),
  ),
} as const;

/** Makes the error of a library that is refused; its text ends with what to do. */
export function refuse(code: keyof typeof LIBRARY_REFUSALS, message: string): AppError {
  const known = LIBRARY_REFUSALS[code];
  return new AppError(known, `${message} ${known.advice}`);
}
