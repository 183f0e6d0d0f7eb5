/**
 * Statements: what an account had at the beginning of a UTC month, every movement of the month, and what the account had at
 * its end. For each of the five balances opening + lines = closing. The texts of a statement come in pieces, so that a
 * statement of any length needs no more memory than a page of lines.
 */
import type { StatementResponse } from './answers.ts';

/** The balances of an account, in pence; what is owed is positive. */
export type StatementBalances = StatementResponse['opening'];

/** A movement: what changed of each balance. */
export type StatementLine = StatementResponse['lines'][number];

/** Facts of a statement besides its lines. */
export type StatementHead = Omit<StatementResponse, 'lines'>;

/** A statement whose lines are read as they are asked for, a page after the other. */
export interface OpenStatement {
  readonly head: StatementHead;
  readonly pages: AsyncIterable<readonly StatementLine[]>;
}

/** The forms of a statement. */
export const STATEMENT_FORMATS = ['json', 'csv'] as const;

/** A form of a statement. */
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

const AMOUNTS = [
  'wallet_cents',
  'wallet_held_cents',
  'monthly_cents',
  'monthly_held_cents',
  'debt_cents',
] as const satisfies readonly (keyof StatementBalances)[];
const TEXTS = [
  'created_at',
  'type',
  'id',
  'job_id',
  'tier_id',
  'reverses_id',
  'description',
] as const satisfies readonly (keyof StatementLine)[];
/** Beginnings that make a spreadsheet take a text for a formula. */
const FORMULA = /^[=+\-@\t\r\n|%]/;
const SPECIAL = /[",\r\n]/;

/** A statement with all of its lines, for whoever has the memory for them. */
export async function wholeStatement({ head, pages }: OpenStatement): Promise<StatementResponse> {
  const lines: StatementLine[] = [];
  for await (const page of pages) lines.push(...page);
  return { ...head, lines };
}

/** The text of a statement, in pieces. */
export function statementText(statement: OpenStatement, format: StatementFormat): AsyncGenerator<string> {
  return format === 'csv' ? csvOf(statement) : jsonOf(statement);
}

async function* jsonOf({ head, pages }: OpenStatement): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"lines":[`;
  let separator = '';
  for await (const lines of pages) {
    if (lines.length === 0) continue;
    yield separator + lines.map((line) => JSON.stringify(line)).join(',');
    separator = ',';
  }
  yield ']}';
}

async function* csvOf({ head, pages }: OpenStatement): AsyncGenerator<string> {
  yield csvLine([...TEXTS, ...AMOUNTS, 'paid_cents']) + balanceLine('opening', head.opening);
  for await (const lines of pages) yield lines.map(movementLine).join('');
  yield balanceLine('closing', head.closing);
}

function movementLine(line: StatementLine): string {
  return csvLine([
    ...TEXTS.map((name) => textCell(line[name])),
    ...AMOUNTS.map((name) => String(line[name])),
    String(line.paid_cents),
  ]);
}

function balanceLine(type: string, balances: StatementBalances): string {
  return csvLine([
    ...TEXTS.map((name) => (name === 'type' ? type : '')),
    ...AMOUNTS.map((name) => String(balances[name])),
    '',
  ]);
}

function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** A cell of text. A text that a spreadsheet would run as a formula gets an apostrophe before it, which makes it a text. */
function textCell(value: string | null): string {
  if (value === null) return '';
  const inert = FORMULA.test(value) ? `'${value}` : value;
  return inert !== value || SPECIAL.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
