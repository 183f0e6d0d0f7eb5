/** Answer about a word: the fields of that name, or the code. */
import { TOOLS } from '../../../tools/index.ts';
import type { Tool } from '../../../tools/tool.ts';
import type { CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { facts } from '../../table.ts';
import { ALL_CODES, codeText, factsOfCode } from './codes.ts';
import type { CodeFacts } from './codes.ts';
import { allFields } from './fields.ts';
import type { FieldFacts } from './fields.ts';
import { nearest } from './near.ts';

const MOST_SHOWN = 8;
const PARAMETERS = 'simulationParams.';

/** Explains a word. @throws CommandProblem with near misses when no field and no code is called so. */
export function explain(word: string): CommandResult {
  const code = codeFactsOf(word);
  if (code !== null) return { data: code, text: codeText(code) };
  const fields = fieldsOf(word);
  if (fields.length > 0) {
    const more = fields.length - MOST_SHOWN;
    const text = fields.slice(0, MOST_SHOWN).map(fieldText).join('\n');
    return {
      data: {
        fields: fields.map((field) => ({
          ...field,
          toolDefaults: Object.fromEntries(toolDefaults(TOOLS, field.path)),
        })),
      },
      text: more > 0 ? `${text}\nand at ${more} more places: ${pathsOf(fields.slice(MOST_SHOWN))}\n` : text,
    };
  }
  const words = [...ALL_CODES, ...allFields().map(({ path }) => path)];
  const near = nearest(word, words);
  const advice =
    near.length === 0
      ? 'The API document lists all fields and codes, explain --list all codes.'
      : `Did you mean ${near.join(', ')}?`;
  throw new CommandProblem(
    EXIT.refused,
    'USAGE_UNKNOWN_WORD',
    `There is no field or code ${word}. ${advice}`,
  );
}

function codeFactsOf(word: string): CodeFacts | null {
  const code = word.toUpperCase().replaceAll('-', '_');
  const known = factsOfCode(code);
  // A field of the same letters is meant when it is not written as a code is.
  const isField = known?.status === null && word !== code && fieldsOf(word).length > 0;
  return isField ? null : known;
}

/** The fields of a path, of the end of a path, or of a name. */
function fieldsOf(word: string): readonly FieldFacts[] {
  const wanted = word.replaceAll(/\[\d*\]/g, '').toLowerCase();
  const known = allFields();
  const exact = known.filter(({ path }) => path.toLowerCase() === wanted);
  const ending = known.filter(({ path }) => path.toLowerCase().endsWith(`.${wanted}`));
  // Of a name that requests and answers share, the fields of requests are shown, because they say what may be sent.
  const found = exact.length > 0 && wanted.includes('.') ? exact : [...exact, ...ending];
  const sent = found.filter(({ foundIn }) => foundIn.some((name) => name.endsWith('Request')));
  return distinct(sent.length > 0 ? sent : found);
}

/** Of several fields that say the same, the first. */
function distinct(fields: readonly FieldFacts[]): readonly FieldFacts[] {
  const seen = new Map<string, FieldFacts>();
  for (const field of fields) {
    const key = JSON.stringify([field.meaning, field.type, field.bound, field.default]);
    if (!seen.has(key)) seen.set(key, field);
  }
  return [...seen.values()];
}

function fieldText(field: FieldFacts): string {
  const { path, foundIn, meaning, type, unit, bound, allowed } = field;
  const lines: (readonly [string, string])[] = [
    ['Meaning', meaning],
    ['Type', type],
    ...(unit === null ? [] : [['Unit', unit] as const]),
    ...(bound === null ? [] : [['Bound', bound] as const]),
    ...(allowed === null ? [] : [['One of', allowed.join(', ')] as const]),
    ...(foundIn.some((name) => name.endsWith('Request')) ? [['Default', defaultOf(field)] as const] : []),
    ['Found in', foundIn.join(', ')],
  ];
  return `${path}\n${facts(lines.map(([name, value]) => [`  ${name}`, value] as const))}`;
}

function defaultOf({ path, default: told, isRequired }: FieldFacts): string {
  if (told !== null) return told;
  const defaults = toolDefaults(TOOLS, path);
  if (defaults.length > 0) return defaults.map(([id, value]) => `${value} with ${id}`).join(', ');
  return isRequired ? 'none: it is required' : 'none: it may be left out';
}

/** Lists each tool's default of a parameter, by the id of the tool. */
export function toolDefaults(
  tools: readonly Tool[],
  path: string,
): readonly (readonly [id: string, value: number | string])[] {
  return tools.flatMap(({ about, request: { defaults = {} } }) =>
    Object.entries(defaults)
      .filter(([name]) => `${PARAMETERS}${name}` === path)
      .map(([, value]) => [about.id, value] as const),
  );
}

function pathsOf(fields: readonly FieldFacts[]): string {
  return fields.map(({ path }) => path).join(', ');
}
