/**
 * SDF files with any number of records. Each record stays as it is, byte for byte, and becomes a file of its own: the
 * service reads its stereo and charges from it, which a SMILES made here could lose.
 */
import { badFile } from './draft.ts';
import type { LigandDraft } from './draft.ts';

const END = '$$$$';
const LONGEST_RECORD_BYTES = 4 * 1024 * 1024;

/** Reads an SDF. @throws CommandRefusal when a record is none. */
export function readSdf(text: string): LigandDraft[] {
  const drafts: LigandDraft[] = [];
  let record: string[] = [];
  let started = 1;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (!line.startsWith(END)) {
      record.push(line);
      continue;
    }
    drafts.push(draftOf(record, started));
    [record, started] = [[], index + 2];
  }
  // A single MOL file has no end mark.
  if (record.some((line) => line.trim() !== '')) drafts.push(draftOf(record, started));
  return drafts;
}

function draftOf(record: readonly string[], line: number): LigandDraft {
  if (!record.some((one) => one.startsWith('M  END'))) {
    throw badFile(`The record that starts at line ${line} has no "M  END"; it is no MOL block.`);
  }
  const text = `${record.join('\n').replace(/\n+$/, '')}\n\n${END}\n`;
  if (Buffer.byteLength(text) > LONGEST_RECORD_BYTES) {
    throw badFile(`The record that starts at line ${line} is larger than 4 MiB.`);
  }
  return { name: (record[0] ?? '').trim(), line, structure: { kind: 'sdf', record: text } };
}
