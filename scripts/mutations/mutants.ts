/**
 * Single changes of workflow code, each of which a recorded history must catch: another activity is called, a patch is taken for the
 * other answer, a timer is set before a wait, the size of a part is another one. The changes are found in the sources, so new code has
 * its own. All of them stand in one copy of the sources, each behind the number that makes it so; a bundle of the copy is made once, and
 * becomes a mutant when the number in its text is replaced.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import ts from 'typescript';

import { repositoryRoot } from '../test-plan.ts';

/** One change of one place. */
export interface Mutant {
  readonly number: number;
  readonly file: string;
  readonly line: number;
  readonly what: 'activity' | 'patched' | 'timer before' | 'size';
  readonly place: string;
}

/** The text of a bundle that says which mutant it is; 000 is none. */
const ACTIVE = /@mutant:\d{3}@/;
const FOLDERS = ['workflows', 'src/contracts', 'src/domain'];
/**
 * The rules by which work is divided: a run that goes on after a release divides as it did before. Sizes become larger: replays
 * compare which parts start and not their ranges, so smaller parts are for the unit tests of this file.
 */
const SIZES = 'src/domain/shards.ts';
const ACTIVITY_GROUPS = /activities\.ts$/;
const IMPORTED_SIZES = /domain\/shards\.ts$/;
const MODULE = 'mutant.ts';

const RUNTIME = `import { sleep } from '@temporalio/workflow';
const ACTIVE = Number('@mutant:000@'.slice(8, 11));
export const isMutant = (number) => ACTIVE === number;
export const otherActivity = (number, group) =>
  isMutant(number) ? new Proxy(group, { get: (target) => Reflect.get(target, 'mutant') }) : group;
export const afterTimer = (number, wait) => (isMutant(number) ? sleep(1).then(wait) : wait());
`;

/** Puts all mutants into a copy of the sources at this folder; answers them. */
export function writeMutants(folder: string): readonly Mutant[] {
  rmSync(folder, { recursive: true, force: true });
  for (const one of FOLDERS) cpSync(join(repositoryRoot, one), join(folder, one), { recursive: true });
  // Types alone are imported of it.
  writeFileSync(join(folder, MODULE), RUNTIME);
  const mutants: Mutant[] = [];
  const files = ts.sys.readDirectory(join(folder, 'workflows'), ['.ts']).map(parsed);
  const rules = parsed(join(folder, SIZES));
  const used = reachedFrom(
    files.flatMap((file) => [...importsOf(file, IMPORTED_SIZES)]),
    rules,
  );
  for (const source of [...files, rules]) {
    const name = source.fileName.slice(folder.length + 1);
    const changes = changesIn(source, source === rules ? used : new Set());
    const numbered = changes.map((change, index) => ({ ...change, number: mutants.length + index + 1 }));
    if (numbered.length > 0) writeFileSync(source.fileName, withChanges(name, source.text, numbered));
    mutants.push(
      ...numbered.map(({ number, line, what, place }) => ({ number, file: name, line, what, place })),
    );
  }
  return mutants;
}

/** The bundle of the copy as the bundle of one mutant. */
export function activated(code: string, { number }: Pick<Mutant, 'number'>): string {
  return code.replace(ACTIVE, `@mutant:${String(number).padStart(3, '0')}@`);
}

interface Change extends Omit<Mutant, 'number' | 'file'> {
  readonly from: number;
  readonly to: number;
  readonly write: (number: number, text: string) => string;
}

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The changes of a file; `sizes` are the names of constants of the file that are changed. */
function changesIn(source: ts.SourceFile, sizes: ReadonlySet<string>): Change[] {
  const groups = importsOf(source, ACTIVITY_GROUPS);
  const changes: Change[] = [];
  const note = (node: ts.Node, what: Mutant['what'], place: string, write: Change['write']): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    changes.push({ from: node.getStart(), to: node.getEnd(), line, what, place, write });
  };
  const visit = (node: ts.Node): void => {
    const group = groupAt(node, groups);
    if (group !== null)
      note(node, 'activity', group, (number, code) => `otherActivity(${String(number)}, ${code})`);
    else if (isCallOf(node, 'patched'))
      note(
        node,
        'patched',
        textOf(node.arguments[0]),
        (number, code) => `(isMutant(${String(number)}) !== ${code})`,
      );
    else if (isCallOf(node, 'condition'))
      note(
        node,
        'timer before',
        textOf(node.parent.parent).split('\n')[0] ?? '',
        (number, code) => `afterTimer(${String(number)}, () => ${code})`,
      );
    else if (isSize(node) && sizes.has(textOf(node.name)))
      note(
        node.initializer,
        'size',
        textOf(node.name),
        (number, code) => `(isMutant(${String(number)}) ? ${code} + 1 : ${code})`,
      );
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

/** The names of values that a file imports from modules of this kind. */
function importsOf(source: ts.SourceFile, from: RegExp): ReadonlySet<string> {
  const imports = source.statements
    .filter(ts.isImportDeclaration)
    .filter(({ importClause, moduleSpecifier }) => {
      const isValue = importClause !== undefined && importClause.phaseModifier !== ts.SyntaxKind.TypeKeyword;
      return isValue && ts.isStringLiteral(moduleSpecifier) && from.test(moduleSpecifier.text);
    });
  return new Set(
    imports.flatMap(({ importClause }) => {
      const named = importClause?.namedBindings;
      return named !== undefined && ts.isNamedImports(named)
        ? named.elements.map((one) => one.name.text)
        : [];
    }),
  );
}

/** The names of declarations of a file that are imported, or mentioned in such declarations, and so on. */
function reachedFrom(imported: readonly string[], { statements }: ts.SourceFile): ReadonlySet<string> {
  const named = statements.flatMap<ts.Declaration>((statement) =>
    ts.isVariableStatement(statement)
      ? [...statement.declarationList.declarations]
      : ts.isFunctionDeclaration(statement)
        ? [statement]
        : [],
  );
  const declarations = new Map(named.map((one) => [ts.getNameOfDeclaration(one)?.getText(), one]));
  const names = new Set(imported);
  const mention = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, mention);
  };
  // A name that is added meanwhile is visited, too.
  for (const name of names) declarations.get(name)?.forEachChild(mention);
  return new Set([...names].filter((name) => declarations.has(name)));
}

/** A constant of a file that is a number. */
function isSize(node: ts.Node): node is ts.VariableDeclaration & { readonly initializer: ts.NumericLiteral } {
  return ts.isVariableDeclaration(node) && node.initializer?.kind === ts.SyntaxKind.NumericLiteral;
}

/** The call of an activity whose group of activities stands here, or is made here; null for all else. */
function groupAt(node: ts.Node, groups: ReadonlySet<string>): string | null {
  const isMade = ts.isCallExpression(node);
  const name = isMade ? node.expression : node;
  if (!ts.isIdentifier(name) || !groups.has(name.text)) return null;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return textOf(parent);
  const isTakenApart = ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name);
  return isMade && isTakenApart ? textOf(parent) : null;
}

function isCallOf(node: ts.Node, name: string): node is ts.CallExpression {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name;
}

function textOf(node: ts.Node | undefined): string {
  return node?.getText().replaceAll(/\s+/g, ' ').slice(0, 80) ?? '';
}

/** The text with all changes; a change within another one is kept within it. */
function withChanges(
  name: string,
  text: string,
  changes: readonly (Change & { readonly number: number })[],
): string {
  const inner = (from: number, to: number, own: typeof changes): string => {
    const [first] = own
      .filter((one) => one.from >= from && one.to <= to)
      .sort((a, b) => a.from - b.from || b.to - a.to);
    if (first === undefined) return text.slice(from, to);
    const within = own.filter((one) => one !== first);
    const code = first.write(first.number, inner(first.from, first.to, within));
    return text.slice(from, first.from) + code + inner(first.to, to, within);
  };
  const up = '../'.repeat(name.split('/').length - 1);
  return `import { afterTimer, isMutant, otherActivity } from '${up}${basename(MODULE)}';\n${inner(0, text.length, changes)}`;
}
