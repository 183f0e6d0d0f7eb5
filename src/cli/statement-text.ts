/** Statements on the command line, for customers and for operators. */
import type { StatementListResponse, StatementResponse } from '../client/types.ts';
import { facts, pounds, table } from './table.ts';
import type { Column, ReadOnly } from './table.ts';

type Balances = ReadOnly<StatementResponse['opening']>;
type Line = ReadOnly<StatementResponse['lines'][number]>;

const COLUMNS: readonly Column<Line>[] = [
  { title: 'WHEN', value: (line) => line.created_at.slice(0, 19).replace('T', ' ') },
  { title: 'TYPE', value: (line) => line.type },
  { title: 'WALLET', value: (line) => signed(line.wallet_cents), align: 'right' },
  { title: 'HELD', value: (line) => signed(line.wallet_held_cents), align: 'right' },
  { title: 'MONTHLY', value: (line) => signed(line.monthly_cents), align: 'right' },
  { title: 'HELD', value: (line) => signed(line.monthly_held_cents), align: 'right' },
  { title: 'OWED', value: (line) => signed(line.debt_cents), align: 'right' },
  { title: 'WHAT', value: (line) => line.description },
];

const MONTHS: readonly Column<ReadOnly<StatementListResponse['statements'][number]>>[] = [
  { title: 'MONTH', value: ({ month }) => month },
  { title: 'STATE', value: ({ final }) => (final ? 'final' : 'running') },
  { title: 'AT ITS END', value: ({ closing }) => balanceText(closing) },
];

/** The statements there are, for people. */
export function monthsText({ statements }: ReadOnly<Pick<StatementListResponse, 'statements'>>): string {
  return statements.length === 0 ? 'No statements.\n' : table(MONTHS, statements);
}

/** A statement for people. */
export function statementPage({
  month,
  final,
  opening,
  closing,
  lines,
}: ReadOnly<StatementResponse>): string {
  const shown = lines.length === 0 ? 'No movement.\n' : table(COLUMNS, lines);
  const ends = facts([
    ['Statement of', final ? month : `${month}, which is not over`],
    ['Opening', balanceText(opening)],
    ['Closing', balanceText(closing)],
  ]);
  return `${shown}\n${ends}`;
}

function balanceText(balances: Balances): string {
  const wallet = `wallet ${pounds(balances.wallet_cents)} and ${pounds(balances.wallet_held_cents)} held`;
  const monthly = `monthly ${pounds(balances.monthly_cents)} and ${pounds(balances.monthly_held_cents)} held`;
  const owed = balances.debt_cents === 0 ? '' : `, ${pounds(balances.debt_cents)} owed`;
  return `${wallet}, ${monthly}${owed}`;
}

function signed(pence: number): string | null {
  if (pence === 0) return null;
  return `${pence < 0 ? '−' : '+'}${pounds(Math.abs(pence))}`;
}
