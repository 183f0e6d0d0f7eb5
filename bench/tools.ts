/**
 * The tools whose programs are packs: a search of many queries, and many structures at once, each against the bare
 * program in two processes on the same files. The two slots of the service are all that may run at once. A tool whose
 * pack is not on the machine is named with the reason, and nothing stands in for it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { packsFolder } from '../src/packs/cache.ts';
import { findPack } from '../src/packs/find.ts';
import type { InstalledPack, PackDefinition } from '../src/packs/pack.ts';
import { blenderPack } from '../src/tools/blender/pack.ts';
import { blastPack } from '../src/tools/blast/pack.ts';
import { fpocketPack } from '../src/tools/fpocket/pack.ts';
import { swanPack } from '../src/tools/swan/pack.ts';
import { measurePockets, POCKETS } from './pockets.ts';
import type { PocketsSize } from './pockets.ts';
import { measureRenders, RENDERS } from './renders.ts';
import type { RendersSize } from './renders.ts';
import type { Row } from './report.ts';
import { measureSearches, SEARCHES } from './searches.ts';
import type { SearchesSize } from './searches.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount } from './stack.ts';
import type { ToolBench } from './tool-jobs.ts';
import { measureWaves, WAVES } from './waves.ts';
import type { WavesSize } from './waves.ts';

/** How much is measured. */
export interface ToolsSize {
  readonly searches: SearchesSize;
  readonly pockets: PocketsSize;
  readonly waves: WavesSize;
  readonly renders: RendersSize;
}

/** The tools that are measured, as `--only` names them. */
export const TOOL_AREAS = ['searches', 'pockets', 'waves', 'renders'] as const;
type ToolArea = (typeof TOOL_AREAS)[number];

interface Area {
  readonly name: ToolArea;
  readonly simulator: string;
  readonly pack: PackDefinition;
  readonly measure: (bench: ToolBench) => Promise<Row[]>;
}

/** One instance of two slots, or two instances of one: as many tasks at once as there are bare processes. */
const SLOTS = '2';
const TWO_SLOTS = { DOCKYARD_CAPACITY_VCPUS: SLOTS, DOCKYARD_ACCOUNT_CAPACITY_VCPUS: SLOTS };
const LOOK_MS = 250;
/** A service that has just started hears of the packs of its hosts within half a minute. */
const OFFERED_MS = 120_000;

/** Measures the wanted tools, as far as their packs are on this machine. */
export async function measureTools(size: ToolsSize, wanted: readonly ToolArea[]): Promise<Row[]> {
  const areas: readonly Area[] = [
    { ...SEARCHES, pack: blastPack, measure: (bench) => measureSearches(bench, size.searches) },
    { ...POCKETS, pack: fpocketPack, measure: (bench) => measurePockets(bench, size.pockets) },
    { ...WAVES, pack: swanPack, measure: (bench) => measureWaves(bench, size.waves) },
    { ...RENDERS, pack: blenderPack, measure: (bench) => measureRenders(bench, size.renders) },
  ];
  const rows: Row[] = [];
  const found: (Area & { readonly installed: InstalledPack })[] = [];
  for (const area of areas.filter(({ name }) => wanted.includes(name))) {
    const places = { folder: packsFolder(process.env), environment: process.env };
    const { pack: installed, problem } = await findPack(area.pack, places);
    if (installed === null) rows.push(notMeasured(area.name, problem.message));
    else found.push({ ...area, installed });
  }
  if (found.length === 0) return rows;
  const bench = await openBenchStack(TWO_SLOTS);
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-bench-tools-'));
  try {
    const account = await bench.account();
    for (const { simulator, installed, measure } of found) {
      await untilOffered(account, simulator);
      rows.push(...(await measure({ bench, account, pack: installed, folder })));
    }
    return rows;
  } finally {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function notMeasured(name: string, why: string): Row {
  const told = { measured: `not measured: ${why}`, baseline: '', ratio: '', goal: '', ok: null };
  return { item: name, ...told, figures: {} };
}

async function untilOffered({ client }: BenchAccount, simulator: string): Promise<void> {
  const until = performance.now() + OFFERED_MS;
  for (;;) {
    const { simulators } = await client.simulators();
    const known = simulators.find(({ id }) => id === simulator);
    if (known?.available === true) return;
    if (performance.now() > until)
      throw new Error(`${simulator} is not offered: ${known?.reason ?? 'unknown'}`);
    await sleep(LOOK_MS);
  }
}
