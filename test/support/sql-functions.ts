/**
 * The statements inside the database's own PL/pgSQL functions, as statements that can be prepared. PostgreSQL itself
 * looks at the columns in such a body only when a call comes to them. Each part of a body becomes a statement of its own
 * (a condition and an assignment become a `select`), and each variable a null of its type.
 */
import type pg from 'pg';

import type { SqlText } from './sql-texts.ts';

interface FunctionRow {
  readonly name: string;
  readonly arguments: string;
  readonly source: string;
}

const FUNCTIONS = `
  select p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments, p.prosrc as source
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.pronamespace = 'public'::regnamespace and l.lanname = 'plpgsql' and p.prorettype <> 'trigger'::regtype
    and p.provolatile <> 'i'
  order by 1`;

const NO_STATEMENTS = /^(?:begin|end|end if|return|raise\b.*|null|)$/s;

/** The statements of all functions that services call. Triggers guard and are run by tests, and immutable functions read no table. */
export async function functionTexts(client: pg.Client): Promise<readonly SqlText[]> {
  const { rows } = await client.query<FunctionRow>(FUNCTIONS);
  return rows.flatMap(({ name, arguments: parameters, source }) => {
    const [, declared = '', body = ''] =
      /^\s*(?:declare(.*?))?\bbegin\b(.*)\bend\s*;?\s*$/s.exec(source) ?? [];
    const variables = new Map([
      ['found', 'boolean'],
      ...[...parameters.split(','), ...declared.split(';')].flatMap(variableOf),
    ]);
    return partsOf(body).map((part) => ({ where: `${name}()`, text: withoutVariables(part, variables) }));
  });
}

/** `name type` or `name type := value`. */
function variableOf(declaration: string): readonly (readonly [string, string])[] {
  const [, name, type] = /^\s*(\w+)\s+([\w ]+?)\s*(?::=.*)?$/s.exec(declaration) ?? [];
  return name === undefined || type === undefined ? [] : [[name, type]];
}

function partsOf(body: string): string[] {
  const parts: string[] = [];
  for (const piece of body.replace(/--.*$/gm, '').split(';')) {
    let rest = piece.trim();
    for (;;) {
      const [whole, condition] = /^(?:(?:els)?if\s+(.*?)\s+then|else)\s+/s.exec(rest) ?? [];
      if (whole === undefined) break;
      if (condition !== undefined) parts.push(`select ${condition}`);
      rest = rest.slice(whole.length);
    }
    if (!NO_STATEMENTS.test(rest)) parts.push(statementOf(rest));
  }
  return parts;
}

function statementOf(part: string): string {
  const [, value] = /^[\w.]+\s*:=\s*(.*)$/s.exec(part) ?? /^return\s+(.*)$/s.exec(part) ?? [];
  if (value !== undefined) return `select ${value}`;
  return part.replace(/^perform\b/, 'select').replace(/(?<!\binsert\s+)\binto\s+\w+/, '');
}

/** Texts between quotation marks stay as they are. */
function withoutVariables(sql: string, variables: ReadonlyMap<string, string>): string {
  return sql
    .split(/('[^']*')/)
    .map((piece) =>
      piece.startsWith("'")
        ? piece
        : piece.replace(/(?<![.\w])[a-z_]\w*\b/g, (name) => nullOf(name, variables)),
    )
    .join('');
}

function nullOf(name: string, variables: ReadonlyMap<string, string>): string {
  const type = variables.get(name);
  return type === undefined ? name : `(null::${type})`;
}
