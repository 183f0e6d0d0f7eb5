/**
 * Every SQL text of the product, found in its sources: what is handed to a method named `query`, or to a function that
 * hands its own parameter on to one. Each text is evaluated inside its own module, so constants and functions of the
 * product make it as they do in production. A condition (`c ? a : b`) stands for both of its sides, an access by a name
 * that is known only at run time (`TEXTS[name]`) for all texts of the object. A text that depends on anything else that
 * only exists at run time cannot be found before it runs, and is reported as a problem.
 */
import { dirname, join, resolve } from 'node:path';

import ts from 'typescript';

import { evaluateIn } from './module-evaluation.ts';
import { nodesOf, ROOT, sourcesOf } from './sources.ts';

/** A statement of the product. */
export interface SqlText {
  /** File and line of the call that it is handed to. */
  readonly where: string;
  readonly text: string;
}

/** Texts that were found, and the calls whose text could not be worked out. */
export interface FoundSql {
  readonly texts: readonly SqlText[];
  readonly problems: readonly string[];
}

/** JavaScript of the texts that an expression may have: a list of expressions, or one that gives an object of texts. */
type Code =
  | { readonly kind: 'texts'; readonly codes: readonly string[] }
  | { readonly kind: 'all'; readonly code: string };

/** The text depends on something that only exists at run time. */
class OnlyAtRunTime extends Error {}

interface Call {
  readonly file: string;
  readonly where: string;
  readonly argument: ts.Expression;
}

/** Finds all SQL texts of the TypeScript files under these folders. */
export async function findSql(folders: readonly string[]): Promise<FoundSql> {
  const sources = await sourcesOf(folders);
  const { calls, problems } = findCalls(sources);
  const texts: SqlText[] = [];
  for (const [file, ofFile] of Map.groupBy(calls, (call) => call.file)) {
    const codes: { where: string; code: string }[] = [];
    for (const { where, argument } of ofFile) {
      if (ts.isStringLiteralLike(argument)) {
        texts.push({ where, text: argument.text });
        continue;
      }
      try {
        codes.push({ where, code: listOf(codeOf(argument)) });
      } catch (error) {
        if (!(error instanceof OnlyAtRunTime)) throw error;
        problems.push(`${where}: ${error.message}`);
      }
    }
    const values = await evaluateIn(
      resolve(ROOT, file),
      codes.map(({ code }) => code),
    );
    texts.push(
      ...codes.flatMap(({ where }, index) => leavesOf(values[index]).map((text) => ({ where, text }))),
    );
  }
  return { texts, problems };
}

/** The calls that send SQL: of methods named `query`, and of functions that hand a parameter of theirs on to such a call. */
function findCalls(sources: readonly ts.SourceFile[]): { calls: Call[]; problems: string[] } {
  const found: Call[] = [];
  const problems: string[] = [];
  /** Positions of the text among the parameters of functions, by file and name. */
  const senders = new Map<string, number>();
  const all = sources.flatMap((source) => nodesOf(source).filter(ts.isCallExpression));
  const note = (call: ts.CallExpression, position: number): void => {
    const argument = call.arguments[position];
    if (argument === undefined) return;
    const source = call.getSourceFile();
    const line = source.getLineAndCharacterOfPosition(argument.getStart()).line + 1;
    const where = `${source.fileName}:${String(line)}`;
    const parameter = ts.isIdentifier(argument) ? bindingOf(argument, null) : null;
    if (parameter?.kind !== 'parameter') found.push({ file: source.fileName, where, argument });
    else if (!ts.isFunctionDeclaration(parameter.owner) || parameter.owner.name === undefined)
      problems.push(`${where}: the text is a parameter of a function that is no declaration`);
    else senders.set(`${source.fileName}#${parameter.owner.name.text}`, parameter.position);
  };
  for (const call of all)
    if (ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'query')
      note(call, 0);
  // A sender that is found on the way is visited, too: a map is walked in the order of its insertions.
  for (const [sender, position] of senders)
    for (const call of all) if (functionOf(call.expression) === sender) note(call, position);
  return { calls: found, problems };
}

/** The file and the name of the function that a call by a plain name runs; null for anything else. */
function functionOf(callee: ts.Expression): string | null {
  if (!ts.isIdentifier(callee)) return null;
  const source = callee.getSourceFile();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const names = statement.importClause?.namedBindings;
    if (names === undefined || !ts.isNamedImports(names)) continue;
    const imported = names.elements.find((element) => element.name.text === callee.text);
    if (imported === undefined) continue;
    const file = join(dirname(source.fileName), statement.moduleSpecifier.text);
    return `${file}#${(imported.propertyName ?? imported.name).text}`;
  }
  return `${source.fileName}#${callee.text}`;
}

/** Meaning of a name inside a function. */
type Binding =
  | { readonly kind: 'parameter'; readonly owner: ts.SignatureDeclaration; readonly position: number }
  | { readonly kind: 'constant'; readonly value: ts.Expression }
  /** One of the values of an object, in a loop over all of them. */
  | { readonly kind: 'each'; readonly object: ts.Identifier }
  | { readonly kind: 'other' };

/** Finds the meaning of a name; null when it is one of the module, or of `root`, inside which names are let be. */
function bindingOf(name: ts.Identifier, root: ts.Node | null): Binding | null {
  let isInside = root !== null;
  for (let node: ts.Node = name; !ts.isSourceFile(node); node = node.parent) {
    const binding = bindingIn(node, name.text);
    if (binding !== null) return isInside ? null : binding;
    if (node === root) isInside = false;
  }
  return null;
}

function bindingIn(node: ts.Node, name: string): Binding | null {
  if (ts.isFunctionLike(node)) {
    const position = node.parameters.findIndex((parameter) => binds(parameter.name, name));
    if (position < 0) return null;
    const isPlain = ts.isIdentifier(node.parameters[position]?.name ?? node);
    return isPlain ? { kind: 'parameter', owner: node, position } : { kind: 'other' };
  }
  if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer)) {
    if (!node.initializer.declarations.some((one) => binds(one.name, name))) return null;
    const object = valuesIn(node.expression);
    return object === null ? { kind: 'other' } : { kind: 'each', object };
  }
  if (!ts.isBlock(node)) return null;
  for (const statement of node.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name: declared, initializer } of statement.declarationList.declarations) {
      if (!binds(declared, name)) continue;
      if (!isConstant || !ts.isIdentifier(declared) || initializer === undefined) return { kind: 'other' };
      return { kind: 'constant', value: initializer };
    }
  }
  return null;
}

/** The object of the module whose entries or values an expression lists; null for anything else. */
function valuesIn(expression: ts.Expression): ts.Identifier | null {
  if (!ts.isCallExpression(expression)) return null;
  const [object] = expression.arguments;
  const isList = ['Object.entries', 'Object.values'].includes(expression.expression.getText());
  return isList && object !== undefined && ts.isIdentifier(object) && bindingOf(object, null) === null
    ? object
    : null;
}

function binds(declared: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(declared)) return declared.text === name;
  return declared.elements.some((element) => !ts.isOmittedExpression(element) && binds(element.name, name));
}

function codeOf(expression: ts.Expression): Code {
  if (ts.isParenthesizedExpression(expression)) return codeOf(expression.expression);
  if (ts.isConditionalExpression(expression)) {
    return { kind: 'texts', codes: [...textsOf(expression.whenTrue), ...textsOf(expression.whenFalse)] };
  }
  if (ts.isTemplateExpression(expression)) return { kind: 'texts', codes: templateOf(expression) };
  const binding = ts.isIdentifier(expression) ? bindingOf(expression, null) : null;
  if (binding?.kind === 'constant') return codeOf(binding.value);
  if (binding?.kind === 'each') return { kind: 'all', code: binding.object.text };
  const table = tableOf(expression);
  if (table !== null) return { kind: 'all', code: table.getText() };
  const atRunTime = nodesOf(expression)
    .filter(ts.isIdentifier)
    .find((name) => !isPropertyName(name) && bindingOf(name, expression) !== null);
  if (atRunTime !== undefined) throw new OnlyAtRunTime(`"${atRunTime.text}" is known at run time only`);
  return { kind: 'texts', codes: [`(${expression.getText()})`] };
}

function textsOf(expression: ts.Expression): readonly string[] {
  const code = codeOf(expression);
  if (code.kind === 'texts') return code.codes;
  throw new OnlyAtRunTime(`"${expression.getText()}" is one of many parts`);
}

/** Every way in which a template's parts go together. */
function templateOf({ head, templateSpans }: ts.TemplateExpression): readonly string[] {
  let whole: readonly string[] = [JSON.stringify(head.text)];
  for (const { expression, literal } of templateSpans) {
    const parts = textsOf(expression);
    whole = whole.flatMap((before) =>
      parts.map((part) => `${before} + ${part} + ${JSON.stringify(literal.text)}`),
    );
  }
  return whole.map((code) => `(${code})`);
}

/** The object of the module of which a text is chosen by a name that is known at run time only. */
function tableOf(expression: ts.Expression): ts.Expression | null {
  let isChosen = false;
  let node = expression;
  while (ts.isElementAccessExpression(node) || ts.isPropertyAccessExpression(node)) {
    isChosen ||= ts.isElementAccessExpression(node) && !ts.isStringLiteral(node.argumentExpression);
    node = node.expression;
  }
  return isChosen && ts.isIdentifier(node) && bindingOf(node, null) === null ? node : null;
}

function isPropertyName(name: ts.Identifier): boolean {
  const { parent } = name;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === name) ||
    (ts.isPropertyAssignment(parent) && parent.name === name)
  );
}

function listOf(code: Code): string {
  return code.kind === 'texts' ? `[${code.codes.join(', ')}]` : `[${code.code}]`;
}

/** All texts of a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) throw new Error(`${String(value)} is no SQL text.`);
  return Object.values(value).flatMap(leavesOf);
}
