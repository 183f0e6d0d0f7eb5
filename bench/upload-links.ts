/**
 * Uploads over links: beside the servers, and through a link as long and as narrow as the world has them (link.ts). The capacity
 * of a link is known, so each figure is a share of that; the start of a process does not count. DOCKYARD_BENCH_OTHER may name
 * another checkout, whose client then uploads the same file to the same servers in turns with ours: the way to weigh a change of
 * how many parts are sent at once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createS3Store } from '../src/adapters/storage/s3.ts';
import { loadConfig } from '../src/config.ts';
import type { UploadOptions } from '../src/client/index.ts';
import { projectRoot } from '../src/stack/tools.ts';
import { fillFile, runCommand } from './commands.ts';
import { createLink } from './link.ts';
import type { Link, LinkTerms } from './link.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface UploadLinksSize {
  readonly rounds: number;
  /** Every file is so many times smaller. */
  readonly shrink: number;
}

/** Line that timed-upload.ts prints. */
interface TimedUpload {
  readonly storageKey: string;
  readonly seconds: number;
}

interface Way {
  readonly name: string;
  /** Null: no link between client and servers. */
  readonly terms: LinkTerms | null;
  readonly fileBytes: number;
  readonly options: UploadOptions;
}

const MIB = 1024 ** 2;
const LONG = { roundTripMs: 200, bitsPerSecond: 1e9 };
const WAYS: readonly Way[] = [
  { name: 'loopback', terms: null, fileBytes: 1024 * MIB, options: {} },
  {
    name: '50 ms, 100 Mbit/s',
    terms: { roundTripMs: 50, bitsPerSecond: 100e6 },
    fileBytes: 128 * MIB,
    options: {},
  },
  { name: '200 ms, 1 Gbit/s', terms: LONG, fileBytes: 512 * MIB, options: {} },
  {
    name: '200 ms, 1 Gbit/s, parts of 16 MiB',
    terms: LONG,
    fileBytes: 512 * MIB,
    options: { partSize: 16 * MIB },
  },
];

/** Measures uploads over each link. */
export async function measureUploadLinks({ rounds, shrink }: UploadLinksSize): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-bench-links-'));
  const bench = await openBenchStack();
  try {
    const { liveKey } = await bench.account();
    const rows: Row[] = [];
    for (const way of WAYS) {
      const fileBytes = way.fileBytes / shrink;
      const file = join(folder, 'database.bin');
      await fillFile(file, fileBytes);
      rows.push(await compare({ bench, file, liveKey, rounds }, { ...way, fileBytes }));
    }
    return rows;
  } finally {
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Comparison {
  readonly bench: BenchStack;
  readonly file: string;
  readonly liveKey: string;
  readonly rounds: number;
}

async function compare(comparison: Comparison, way: Way): Promise<Row> {
  const { bench, file, liveKey, rounds } = comparison;
  const config = loadConfig('cli', bench.stack.env);
  const store = createS3Store(config);
  const ports = [bench.stack.apiUrl, config.storageEndpoint].map((url) => Number(new URL(url).port));
  const link = way.terms === null ? null : createLink(way.terms);
  const routes = await routesThrough(link, ports);
  const upload = async (root: string): Promise<number> => {
    const { out } = await runCommand(process.execPath, uploadArguments(root, file, way), {
      DOCKYARD_API_URL: bench.stack.apiUrl,
      DOCKYARD_API_KEY: liveKey,
      DOCKYARD_BENCH_ROUTES: JSON.stringify(routes),
      NODE_COMPILE_CACHE: join(projectRoot, '.cache', 'node-compile'),
    });
    const { storageKey, seconds } = parseTimed(out);
    await store.remove([storageKey]);
    return way.fileBytes / seconds / 1e6;
  };
  const other = process.env['DOCKYARD_BENCH_OTHER'] ?? '';
  const [ours, theirs]: [number[], number[]] = [[], []];
  // The first of each pays for what the others find in place; who goes first changes from round to round.
  for (let round = -1; round < rounds; round += 1) {
    const isOtherFirst = other !== '' && round % 2 === 1;
    const before = isOtherFirst ? await upload(other) : null;
    const own = await upload(projectRoot);
    const rate = before ?? (other === '' ? null : await upload(other));
    process.stderr.write(`  ${way.name}: ${own.toFixed(1)} MB/s (${rate?.toFixed(1) ?? '-'})\n`);
    if (round < 0) continue;
    ours.push(own);
    if (rate !== null) theirs.push(rate);
  }
  await link?.close();
  return rowOf(way, ours, theirs);
}

async function routesThrough(link: Link | null, ports: readonly number[]): Promise<Record<string, number>> {
  const routes: Record<string, number> = {};
  if (link === null) return routes;
  for (const port of ports) routes[String(port)] = await link.open(port);
  return routes;
}

function parseTimed(out: string): TimedUpload {
  const value: unknown = JSON.parse(out);
  if (typeof value === 'object' && value !== null && 'storageKey' in value && 'seconds' in value)
    return { storageKey: String(value.storageKey), seconds: Number(value.seconds) };
  throw new Error(`This is no upload: ${out}`);
}

function uploadArguments(root: string, file: string, { options }: Way): readonly string[] {
  const here = join(projectRoot, 'bench');
  return [
    ...['--max-semi-space-size=4', '--import', join(here, 'through-link.mjs')],
    ...[join(here, 'timed-upload.ts'), root, file, JSON.stringify(options)],
  ];
}

function rowOf({ name, terms }: Way, ours: readonly number[], theirs: readonly number[]): Row {
  const measured = describeSpread(spreadOf(ours), 'MB/s');
  const carried = terms === null ? null : terms.bitsPerSecond / 8e6;
  const share =
    carried === null ? '' : `, ${Math.round((spreadOf(ours).median / carried) * 100)} % of the link`;
  const isCompared = theirs.length > 0;
  return {
    item: `upload over ${name}`,
    measured: measured + share,
    baseline: isCompared ? describeSpread(spreadOf(theirs), 'MB/s') : '',
    ratio: isCompared ? spreadOf(ratiosOf(ours, theirs)).median.toFixed(2) : '',
    goal: '',
    ok: null,
    figures: { ours, theirs, terms },
  };
}
