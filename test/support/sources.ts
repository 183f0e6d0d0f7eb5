/** The sources of the product as TypeScript reads them, for tests that ask what the code says. */
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The TypeScript files under these folders, in the order of their names. */
export async function sourcesOf(folders: readonly string[]): Promise<readonly ts.SourceFile[]> {
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(resolve(ROOT, folder), { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
    }),
  );
  return Promise.all(files.flat().sort().map(parse));
}

async function parse(file: string): Promise<ts.SourceFile> {
  return ts.createSourceFile(file, await readFile(resolve(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** A node and every node inside it. */
export function nodesOf(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    node.forEachChild(visit);
  };
  visit(root);
  return nodes;
}
