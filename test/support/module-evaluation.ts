/**
 * Expressions of a module, evaluated inside it. A second copy of the module is loaded with its expressions as one more
 * export, so they see its constants and imports, exported or not. The first copy stays as it is.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const MARK = '?evaluated';
const EXPORT = 'evaluatedExpressions';

/** Texts that are appended to the sources of modules, by their addresses. */
const appended = new Map<string, string>();
let isHooked = false;

/** The values of JavaScript expressions at the top level of a module; a module is evaluated once only. */
export async function evaluateIn(path: string, expressions: readonly string[]): Promise<readonly unknown[]> {
  if (expressions.length === 0) return [];
  const url = `${pathToFileURL(path).href}${MARK}`;
  appended.set(url, `\nexport const ${EXPORT} = [${expressions.join(',\n')}];\n`);
  hook();
  const module: Record<string, unknown> = await import(url);
  return module[EXPORT] as readonly unknown[];
}

function hook(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const more = appended.get(url);
      if (more === undefined || loaded.source === undefined) return loaded;
      const { source } = loaded;
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
      return { ...loaded, source: `${text}${more}` };
    },
  });
}
