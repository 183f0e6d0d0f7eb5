/** Tables of ligands: comma, semicolon or tab between the cells, quotes as RFC 4180 has them. */
import { badFile, smilesDraft } from './draft.ts';
import type { LigandDraft } from './draft.ts';

const SMILES_HEADING = /^(canonical[ _]?|isomeric[ _]?)?smiles$/i;
const NAME_HEADINGS = ['name', 'ligand', 'ligandid', 'ligand_id', 'id', 'title', 'compound', 'label'];

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads a table with the columns smiles and name, found by their headings; without headings they are the first two.
 * @throws CommandRefusal when a quote is left open or a row has no SMILES.
 */
export function readCsv(text: string): LigandDraft[] {
  const rows = rowsOf(text.replace(/^\uFEFF/, ''));
  const [first] = rows;
  if (first === undefined) return [];
  const headings = first.cells.map((cell) => cell.trim());
  const found = headings.findIndex((heading) => SMILES_HEADING.test(heading));
  const lower = headings.map((heading) => heading.toLowerCase());
  if (found === -1 && lower.some((heading) => NAME_HEADINGS.includes(heading))) {
    throw badFile(`The table has the headings ${headings.join(', ')}, but none is smiles.`);
  }
  const smilesColumn = found === -1 ? 0 : found;
  const named = NAME_HEADINGS.map((heading) => lower.indexOf(heading)).find((column) => column !== -1) ?? -1;
  const nameColumn = found === -1 ? 1 : named;
  return (found === -1 ? rows : rows.slice(1)).map(({ line, cells }) => {
    const smiles = (cells[smilesColumn] ?? '').trim();
    if (smiles === '') throw badFile(`Line ${line} has no SMILES.`);
    return smilesDraft(smiles, (cells[nameColumn] ?? '').trim(), line);
  });
}

/** The separator of the cells: of tab, semicolon and comma the first that stands in the first line outside of quotes. */
function delimiterOf(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  return ['\t', ';', ','].find((sign) => line.includes(sign)) ?? ',';
}

function rowsOf(text: string): Row[] {
  const delimiter = delimiterOf(text);
  const rows: Row[] = [];
  let [cell, line, started] = ['', 1, 1];
  let cells: string[] = [];
  let isQuoted = false;
  const endRow = (): void => {
    const row = [...cells, cell];
    if (row.some((one) => one.trim() !== '')) rows.push({ line: started, cells: row });
    [cell, cells, started] = ['', [], line];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\n') line += 1;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(at + 1) !== '"') isQuoted = false;
      else {
        cell += sign;
        at += 1;
      }
    } else if (sign === '"' && cell.trim() === '') {
      [cell, isQuoted] = ['', true];
    } else if (sign === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  if (isQuoted) throw badFile(`The quote that opens in the row of line ${started} is never closed.`);
  endRow();
  return rows;
}
