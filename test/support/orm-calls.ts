/**
 * Calls of the product to TypeORM in its own language, where `sql-texts.ts` finds no text: names of calls, functions as values of
 * columns (TypeORM takes the text that such a function answers for SQL), and the calls on one entity.
 */
import ts from 'typescript';

import { nodesOf, sourcesOf } from './sources.ts';

/** The places in the sources of the product that have one of these names. */
export async function findNames(
  folders: readonly string[],
  names: readonly string[],
): Promise<readonly string[]> {
  const sources = await sourcesOf(folders);
  return sources.flatMap((source) =>
    nodesOf(source)
      .filter((node) => ts.isIdentifier(node) && names.includes(node.text))
      .map((node) => placeOf(node)),
  );
}

/**
 * The properties whose value is a function that takes nothing and answers a text, in the files that name TypeORM or an
 * entity. An answer that is a name counts as a text, because the name may stand for one.
 */
export async function findTextValues(folders: readonly string[]): Promise<readonly string[]> {
  const sources = await sourcesOf(folders);
  return sources
    .filter(({ text }) => /\btypeorm\b|\bentities\/|\bgetRepository\b|\bcreateQueryBuilder\b/.test(text))
    .flatMap((source) => nodesOf(source).filter(isTextValue).map(placeOf));
}

/** Finds the uses of an entity's name outside imports and types: the calls that follow the name, such as `getRepository.findOne`. */
export async function findUses(folders: readonly string[], entity: string): Promise<readonly string[]> {
  const sources = await sourcesOf(folders);
  return sources.flatMap((source) =>
    nodesOf(source)
      .filter((node) => ts.isIdentifier(node) && node.text === entity && !isDeclaration(node))
      .map((node) => `${source.fileName}: ${callsAfter(node).join('.')}`),
  );
}

function isDeclaration({ parent }: ts.Node): boolean {
  return ts.isImportSpecifier(parent) || ts.isTypeNode(parent) || ts.isTypeQueryNode(parent);
}

/** The names of the calls whose first argument a name is, and of those chained to them. */
function callsAfter(name: ts.Node): readonly string[] {
  const names: string[] = [];
  const argument = name.parent;
  if (!ts.isCallExpression(argument)) return [argument.getText()];
  for (let call: ts.CallExpression = argument; ;) {
    names.push(ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : call.getText());
    const access = call.parent;
    if (!ts.isPropertyAccessExpression(access) || !ts.isCallExpression(access.parent)) return names;
    call = access.parent;
  }
}

function isTextValue(node: ts.Node): boolean {
  if (!ts.isPropertyAssignment(node) && !ts.isMethodDeclaration(node)) return false;
  const value = ts.isPropertyAssignment(node) ? node.initializer : node;
  if (!ts.isArrowFunction(value) && !ts.isFunctionExpression(value) && !ts.isMethodDeclaration(value))
    return false;
  if (value.parameters.length > 0 || value.body === undefined) return false;
  const { body } = value;
  if (!ts.isBlock(body)) return isText(body);
  return nodesOf(body).some(
    (one) => ts.isReturnStatement(one) && one.expression !== undefined && isText(one.expression),
  );
}

function isText(expression: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(expression)) return isText(expression.expression);
  if (ts.isConditionalExpression(expression))
    return isText(expression.whenTrue) || isText(expression.whenFalse);
  return (
    ts.isStringLiteralLike(expression) ||
    ts.isTemplateExpression(expression) ||
    ts.isIdentifier(expression) ||
    (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.PlusToken) ||
    ts.isPropertyAccessExpression(expression)
  );
}

function placeOf(node: ts.Node): string {
  return `${node.getSourceFile().fileName}: ${node.getText()}`;
}
