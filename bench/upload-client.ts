/**
 * `dockyard upload` in checksum mode against `rclone copyto` (or `aws s3 cp`): the same file to the same gateway, in
 * parts of the same size, with the same number of parts at once. Both are whole commands, from start to end. `dockyard
 * upload` asks the service for an address of every part and for putting the parts together; the rival has the keys of
 * the store.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createS3Store } from '../src/adapters/storage/s3.ts';
import { loadConfig } from '../src/config.ts';
import { projectRoot } from '../src/stack/tools.ts';
import { fillFile, runCommand } from './commands.ts';
import type { Ran } from './commands.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface UploadClientSize {
  readonly rounds: number;
  readonly fileBytes: number;
}

const GOALS = { ratio: 0.8, memoryBytes: 200e6 } as const;
const PARTS_AT_ONCE = 8;
const PART_BYTES = 8 * 1024 ** 2;

/** A command that copies a file to a key of the bucket. */
interface Rival {
  readonly name: string;
  readonly version: string;
  readonly command: string;
  argumentsFor(file: string, key: string): readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The arguments that leave out what the rival does besides copying; null where the rival has no such arguments. */
  readonly bareArguments: readonly string[] | null;
}

interface StoreSettings {
  readonly storageEndpoint: string;
  readonly storageRegion: string;
  readonly storageBucket: string;
  readonly storageAccessKeyId: string;
  readonly storageSecretAccessKey: string;
}

/** Measures the upload of one file. */
export async function measureUploadClient({ rounds, fileBytes }: UploadClientSize): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-bench-upload-'));
  const bench = await openBenchStack();
  try {
    const file = join(folder, 'database.bin');
    await fillFile(file, fileBytes);
    const config = loadConfig('cli', bench.stack.env);
    const rival = findRival(config, folder);
    if (rival === null) return [missingRow()];
    return await compare({ bench, folder, file, rival, rounds, fileBytes });
  } finally {
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Comparison {
  readonly bench: BenchStack;
  readonly folder: string;
  readonly file: string;
  readonly rival: Rival;
  readonly rounds: number;
  readonly fileBytes: number;
}

async function compare(comparison: Comparison): Promise<Row[]> {
  const { bench, folder, file, rival, rounds, fileBytes } = comparison;
  const store = createS3Store(loadConfig('cli', bench.stack.env));
  const { liveKey } = await bench.account();
  const rate = ({ seconds }: Ran): number => fileBytes / seconds / 1e6;
  const found: Found = { ours: [], theirs: [], bare: [], peaks: [] };
  const ours = async (): Promise<Ran> => {
    const ran = await runCommand(process.execPath, uploadArguments(file), {
      DOCKYARD_API_URL: bench.stack.apiUrl,
      DOCKYARD_API_KEY: liveKey,
      XDG_STATE_HOME: folder,
      NODE_COMPILE_CACHE: join(projectRoot, '.cache', 'node-compile'),
    });
    await store.remove([ran.out.trim()]);
    return ran;
  };
  const theirs = async (more: readonly string[]): Promise<Ran> => {
    const key = 'bench/database.bin';
    const ran = await runCommand(rival.command, [...rival.argumentsFor(file, key), ...more], rival.env);
    await store.remove([key]);
    return ran;
  };
  // A first round is not counted, because it fills caches that later rounds find full.
  for (let round = -1; round < rounds; round += 1) {
    const own = await ours();
    const other = await theirs([]);
    const bare = rival.bareArguments === null ? null : await theirs(rival.bareArguments);
    process.stderr.write(
      `  ${rate(own).toFixed(0)} MB/s against ${rate(other).toFixed(0)} MB/s (${bare === null ? '-' : rate(bare).toFixed(0)})\n`,
    );
    if (round < 0) continue;
    found.ours.push(rate(own));
    found.theirs.push(rate(other));
    if (bare !== null) found.bare.push(rate(bare));
    if (own.peakBytes !== null) found.peaks.push(own.peakBytes);
  }
  return rowsOf(rival, found);
}

interface Found {
  readonly ours: number[];
  readonly theirs: number[];
  readonly bare: number[];
  readonly peaks: number[];
}

function rowsOf(rival: Rival, { ours, theirs, bare, peaks }: Found): Row[] {
  const ratio = spreadOf(ratiosOf(ours, theirs)).median;
  const measured = describeSpread(spreadOf(ours), 'MB/s', 0);
  const rows: Row[] = [
    {
      item: `dockyard upload --checksum, against ${rival.name}`,
      measured,
      baseline: describeSpread(spreadOf(theirs), 'MB/s', 0),
      ratio: ratio.toFixed(2),
      goal: `≥ ${GOALS.ratio}`,
      ok: ratio >= GOALS.ratio,
      figures: { ours, theirs, rival: rival.version, partBytes: PART_BYTES, partsAtOnce: PARTS_AT_ONCE },
    },
  ];
  if (rival.bareArguments !== null) {
    rows.push({
      item: `the same, against ${rival.name} ${rival.bareArguments.join(' ')}`,
      measured,
      baseline: describeSpread(spreadOf(bare), 'MB/s', 0),
      ratio: spreadOf(ratiosOf(ours, bare)).median.toFixed(2),
      goal: '',
      ok: null,
      figures: { ours, bare },
    });
  }
  const most = peaks.length === 0 ? null : Math.max(...peaks);
  rows.push({
    item: 'memory of dockyard upload',
    measured: most === null ? 'not told by this system' : `${(most / 1e6).toFixed(0)} MB at most`,
    baseline: '',
    ratio: '',
    goal: `< ${GOALS.memoryBytes / 1e6} MB`,
    ok: most === null ? null : most < GOALS.memoryBytes,
    figures: { peaks },
  });
  return rows;
}

/** The arguments with which scripts/dockyard.mjs starts the upload. */
function uploadArguments(file: string): readonly string[] {
  return [
    '--max-semi-space-size=4',
    join(projectRoot, 'src', 'bin', 'dockyard.ts'),
    ...['upload', file, '--checksum', '--again'],
    ...['--concurrency', String(PARTS_AT_ONCE), '--part-size', String(PART_BYTES)],
  ];
}

/**
 * rclone or the AWS command line: the program that DOCKYARD_BENCH_RIVAL names, else the first of the two that is
 * installed.
 */
function findRival(store: StoreSettings, folder: string): Rival | null {
  const named = process.env['DOCKYARD_BENCH_RIVAL'] ?? '';
  const commands = named === '' ? ['rclone', 'aws'] : [named];
  for (const command of commands) {
    const { status, stdout } = spawnSync(command, [command.endsWith('aws') ? '--version' : 'version'], {
      encoding: 'utf8',
    });
    if (status !== 0) continue;
    const version = stdout.split('\n')[0]?.trim() ?? '';
    return command.endsWith('aws')
      ? awsRival(command, version, store, folder)
      : rcloneRival(command, version, store);
  }
  return null;
}

function rcloneRival(command: string, version: string, store: StoreSettings): Rival {
  return {
    name: 'rclone copyto',
    version,
    command,
    argumentsFor: (file, key) => [
      ...['copyto', file, `dock:${store.storageBucket}/${key}`, '--ignore-times', '--retries', '1'],
      ...['--s3-upload-concurrency', String(PARTS_AT_ONCE), '--s3-chunk-size', `${PART_BYTES}B`],
      ...['--s3-upload-cutoff', `${PART_BYTES}B`, '--s3-no-check-bucket'],
      // Without this option rclone waits a second before each part for a "100 Continue" that the gateway does not send.
      ...['--expect-continue-timeout', '0'],
    ],
    env: {
      RCLONE_CONFIG: '/dev/null',
      RCLONE_CONFIG_DOCK_TYPE: 's3',
      RCLONE_CONFIG_DOCK_PROVIDER: 'Other',
      RCLONE_CONFIG_DOCK_ENDPOINT: store.storageEndpoint,
      RCLONE_CONFIG_DOCK_REGION: store.storageRegion,
      RCLONE_CONFIG_DOCK_ACCESS_KEY_ID: store.storageAccessKeyId,
      RCLONE_CONFIG_DOCK_SECRET_ACCESS_KEY: store.storageSecretAccessKey,
    },
    // By default rclone reads the file once before sending, for the MD5 that it stores with the object.
    bareArguments: ['--s3-disable-checksum'],
  };
}

function awsRival(command: string, version: string, store: StoreSettings, folder: string): Rival {
  const config = join(folder, 'aws-config');
  writeFileSync(
    config,
    `[default]\ns3 =\n  max_concurrent_requests = ${PARTS_AT_ONCE}\n  multipart_threshold = ${PART_BYTES}\n  multipart_chunksize = ${PART_BYTES}\n  addressing_style = path\n`,
  );
  return {
    name: 'aws s3 cp',
    version,
    command,
    argumentsFor: (file, key) => [
      ...['s3', 'cp', file, `s3://${store.storageBucket}/${key}`, '--only-show-errors'],
      ...['--endpoint-url', store.storageEndpoint, '--region', store.storageRegion],
    ],
    env: {
      AWS_CONFIG_FILE: config,
      AWS_ACCESS_KEY_ID: store.storageAccessKeyId,
      AWS_SECRET_ACCESS_KEY: store.storageSecretAccessKey,
    },
    bareArguments: null,
  };
}

function missingRow(): Row {
  const measured =
    'not measured: neither rclone nor aws is on the PATH, and DOCKYARD_BENCH_RIVAL names neither';
  const item = 'dockyard upload --checksum';
  return { item, measured, baseline: '', ratio: '', goal: `≥ ${GOALS.ratio}`, ok: null, figures: {} };
}
