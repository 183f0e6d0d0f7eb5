/** Every code that `explain` knows, found by its name or listed by group. */
import type { CodeGroup, CodeKind } from '../../../domain/codes/code.ts';
import { CATALOGUE } from '../../../tools/catalogue.ts';
import type { Catalogue } from '../../../tools/catalogue.ts';
import { COMMAND_GROUP } from '../../codes.ts';
import type { CommandResult } from '../../command.ts';
import { facts } from '../../table.ts';
import { CLIENT_GROUP } from './client-codes.ts';

/** Facts of a code. */
export interface CodeFacts {
  readonly code: string;
  readonly kind: CodeKind;
  readonly meaning: string;
  readonly advice: string;
  /** Further advice for jobs of a simulator, by the simulator. */
  readonly toolAdvice: Readonly<Record<string, string>>;
  /** The simulator that the code belongs to; null for a code of the service. */
  readonly tool: string | null;
  /** Titles of all groups that hold the code. */
  readonly metIn: readonly string[];
  /** HTTP status; null for what is no answer. */
  readonly status: number | null;
  readonly retryable: boolean | null;
}

const OWN_GROUPS = [CLIENT_GROUP, COMMAND_GROUP];

/** The groups of the service and its tools, and those of the client and the command line. */
export const ALL_GROUPS: readonly CodeGroup[] = [...CATALOGUE.groups, ...OWN_GROUPS];

/** Every code once. */
export const ALL_CODES: readonly string[] = [
  ...new Set(ALL_GROUPS.flatMap(({ codes }) => Object.keys(codes))),
];

/** Finds the facts of a code; null when no table has the code. */
export function factsOfCode(code: string, catalogue: Catalogue = CATALOGUE): CodeFacts | null {
  const { errors, advice: ofTools } = catalogue;
  const groups = [...catalogue.groups, ...OWN_GROUPS].filter(({ codes }) => Object.hasOwn(codes, code));
  const [first] = groups;
  const words = first?.codes[code];
  if (first === undefined || words === undefined) return null;
  const { status, retryable } = errors[code] ?? { status: null, retryable: null };
  const { kind, tool } = first;
  const { meaning, advice } = words;
  const toolAdvice = ofTools.filter((each) => each.code === code);
  return {
    code,
    kind,
    meaning,
    advice,
    tool,
    metIn: groups.map(({ title }) => title),
    status,
    retryable,
    toolAdvice: Object.fromEntries(toolAdvice.map((each) => [each.tool, each.advice])),
  };
}

/** A code as it is shown to people. */
export function codeText(told: CodeFacts): string {
  const { code, kind, meaning, advice, toolAdvice, metIn, status, retryable } = told;
  const answer = status === null ? '' : ` (HTTP ${status}${retryable === true ? ', may be repeated' : ''})`;
  const lines = facts([
    ['  Meaning', meaning],
    ['  Advice', advice],
    ...Object.entries(toolAdvice).map(([id, more]) => ['  With', `${id}: ${more}`] as const),
    ['  Met in', metIn.join(', ')],
  ]);
  return `${code}: ${kind}${answer}\n${lines}`;
}

/** All codes with their meanings, group by group. */
export function listCodes(): CommandResult {
  const text = ALL_GROUPS.map(({ title, note, codes }) => {
    const lines = Object.entries(codes).map(([code, { meaning }]) => [`  ${code}`, meaning] as const);
    return `${title}\n${note}\n${facts(lines)}`;
  }).join('\n');
  const codes = ALL_CODES.map((code) => factsOfCode(code)).filter((code) => code !== null);
  return { data: { codes }, text: `${text}\nexplain CODE says what to do.\n` };
}
