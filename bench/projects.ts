/**
 * Molecular projects: a save against the bare SQL with the same bytes, pages and heads among many projects, the judgement of a scene,
 * facts and data of structures, and conversions against inspections of the same file. The stack is one; what is compared is done in turns.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { isRecord } from '../src/domain/is-record.ts';
import { checkScene } from '../src/scenes/check.ts';
import { inTransaction } from '../src/services/transaction.ts';
import { projectRoot } from '../src/stack/tools.ts';
import { DOCKING_PACKAGES } from '../src/tools/autodock-vina/toolchain.ts';
import { canonicalJson, sha256 } from '../src/tools/canonical.ts';
import { pythonPath } from '../src/tools/python-session.ts';
import { largeScene, node, single } from '../test/unit/scenes/good-scenes.ts';
import { loadOver } from './http-load.ts';
import { watchProcess } from './memory.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface ProjectsSize {
  readonly rounds: number;
  readonly projects: number;
  readonly revisions: number;
  readonly seconds: number;
}

const GOALS = {
  ...{ save: 2, readMs: 5, sceneMs: 15, coldSeconds: 3, warmSeconds: 1 },
  ...{ sharedPerSecond: 200, inspection: 1.2, gemmi: 1.3, megabytes: 15 },
};
const CONTENT_BYTES = 1024 * 1024;
const SCENE_NODES = 600;
const CONNECTIONS = 8;
/** An api that has just started is slower for its first thousand answers. */
const WARM_UP = 500;
/** The thread that reads large bodies starts with the first of them, and becomes quick with the next ones. */
const WARM_SAVES = 10;
const POLL_MS = 20;
const STRUCTURE = join(projectRoot, 'examples', '1a28', '1a28.pdb');
const execFileAsync = promisify(execFile);

/** Stack, account and size that the measurements have in common. */
interface Work {
  readonly bench: BenchStack;
  readonly account: BenchAccount;
  readonly size: ProjectsSize;
}

/** Measures projects, scenes and conversions. */
export async function measureProjects(size: ProjectsSize): Promise<Row[]> {
  const bench = await openBenchStack();
  try {
    const work = { bench, account: await bench.account(), size };
    return [
      await save(work),
      ...(await reads(work)),
      judgement(size),
      ...(await facts(work)),
      await shared(work),
      ...(await conversions(work)),
      await tool(work),
    ];
  } finally {
    await bench.close();
  }
}

async function call(
  { bench, account }: Work,
  method: string,
  path: string,
  body?: object | string,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${bench.stack.apiUrl}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${account.liveKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return recordOf(JSON.parse(text));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new Error('The answer is no object.');
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** A save over HTTP, beside a transaction that writes the same bytes and moves a head. */
async function save(work: Work): Promise<Row> {
  const { bench, account, size } = work;
  const content = () => ({ notes: randomUUID().repeat(Math.floor(CONTENT_BYTES / 36)) });
  const { id } = await call(work, 'POST', 'molecular/projects', { name: 'bench', content: {} });
  const bare = await call(work, 'POST', 'molecular/projects', { name: 'bare', content: {} });
  const [measured, baseline]: [number[], number[]] = [[], []];
  for (let version = 1; version <= WARM_SAVES + size.rounds; version += 1) {
    const body = JSON.stringify({ content: content(), expectedVersion: version });
    measured.push(await took(() => call(work, 'PUT', `molecular/projects/${String(id)}`, body)));
    const text = canonicalJson(content());
    baseline.push(
      await took(() =>
        inTransaction(bench.db, async (tx) => {
          await tx.query('select from molecular_projects where id = $1 for no key update', [bare['id']]);
          await tx.query('insert into molecular_contents (account_id, sha256, bytes) values ($1, $2, $3)', [
            ...[account.accountId, sha256(text), Buffer.from(text)],
          ]);
          await tx.query(
            `insert into molecular_revisions (project_id, version, account_id, content_sha256, byte_size, message)
             values ($1, $2, $3, $4, $5, '')`,
            [bare['id'], version + 1, account.accountId, sha256(text), text.length],
          );
          await tx.query('update molecular_projects set current_version = $2 where id = $1', [
            ...[bare['id'], version + 1],
          ]);
        }),
      ),
    );
  }
  return compared('save of 1 MiB, against the bare SQL', {
    measured: measured.slice(WARM_SAVES),
    baseline: baseline.slice(WARM_SAVES),
    goal: GOALS.save,
  });
}

/** Pages and heads of an account with many projects of many revisions. */
async function reads(work: Work): Promise<Row[]> {
  const { bench, account, size } = work;
  const [like] = await bench.db.query<{ readonly sha256: string }[]>(
    'select sha256 from molecular_contents where account_id = $1 order by octet_length(bytes) limit 1',
    [account.accountId],
  );
  await bench.db.query(
    `insert into molecular_projects (id, account_id, name, description, current_version)
     select gen_random_uuid(), $1, 'Project ' || n, '', $2 from generate_series(1, $3::int) n`,
    [account.accountId, size.revisions, size.projects],
  );
  // A statement has half a minute, and a million rows in one may take longer.
  for (let version = 1; version <= size.revisions; version += 1) {
    await bench.db.query(
      `insert into molecular_revisions (project_id, version, account_id, content_sha256, byte_size, message)
       select p.id, $3::int, $1, $2, 2, '' from molecular_projects p where p.account_id = $1 and p.name like 'Project %'`,
      [account.accountId, like?.sha256, version],
    );
  }
  await bench.db.query('vacuum analyze molecular_projects, molecular_revisions');
  const ids = await bench.db.query<{ readonly id: string }[]>(
    `select id from molecular_projects where account_id = $1 and name like 'Project %' order by random() limit 100`,
    [account.accountId],
  );
  const paths = {
    'a page of 25 projects': () => 'molecular/projects?limit=25',
    'the head of a project': (round: number) => `molecular/projects/${ids[round % ids.length]?.id ?? ''}`,
  };
  const rows: Row[] = [];
  for (const [what, pathOf] of Object.entries(paths)) {
    for (let round = 0; round < WARM_UP; round += 1) await call(work, 'GET', pathOf(round));
    const ms: number[] = [];
    for (let round = 0; round < size.rounds * 5; round += 1)
      ms.push(await took(() => call(work, 'GET', pathOf(round))));
    const item = `${what}, of ${size.projects} with ${size.revisions} revisions each`;
    rows.push(below(item, ms, 'ms', GOALS.readMs));
  }
  return rows;
}

function judgement({ rounds }: ProjectsSize): Row {
  const scene = largeScene(SCENE_NODES);
  const ms = Array.from({ length: rounds * 5 }, () => {
    const startedAt = performance.now();
    checkScene(scene);
    return performance.now() - startedAt;
  });
  return below(`judging a scene of ${SCENE_NODES} nodes`, ms, 'ms', GOALS.sceneMs);
}

/** A structure of its own for each name, registered as an artifact. */
async function structure({ account }: Work, name: string): Promise<Readonly<Record<string, unknown>>> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-bench-'));
  try {
    const path = join(folder, '1a28.pdb');
    await writeFile(path, `TITLE     ${name}\n${await readFile(STRUCTURE, 'utf8')}`);
    const { storageKey } = await account.client.upload({ path, contentType: 'chemical/x-pdb' });
    const { artifact } = await account.client.registerArtifact({ storageKey, format: 'pdb' });
    return { ...artifact };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function facts(work: Work): Promise<Row[]> {
  const seconds: number[] = [];
  for (let round = 0; round <= work.size.rounds; round += 1) {
    const { artifactId } = await structure(work, `FACTS ${round}`);
    seconds.push(
      (await took(() => call(work, 'GET', `molecular/assets/${String(artifactId)}/facts`))) / 1000,
    );
  }
  const [cold = NaN, ...warm] = seconds;
  return [
    below('facts of 4,262 atoms, the first ones', [cold], 's', GOALS.coldSeconds),
    below('facts of 4,262 atoms, further ones', warm, 's', GOALS.warmSeconds),
  ];
}

/** The data of a shared page, to everybody. */
async function shared(work: Work): Promise<Row> {
  const { artifactId } = await structure(work, 'SHARED');
  const url = `/api/v1/molecular/assets/${String(artifactId)}`;
  const scene = single(node('download', { url }, [node('parse', { format: 'pdb' })]));
  const { id } = await call(work, 'POST', 'molecular/projects', { name: 'shared', content: { scene } });
  const made = await call(work, 'POST', `molecular/projects/${String(id)}/shares`, { expectedVersion: 1 });
  const { token } = recordOf(made['share']);
  const at = `${work.bench.stack.apiUrl}/api/v1/public/molecular/shared/${String(token)}/assets/${String(artifactId)}`;
  const ask = () => ({ url: at, headers: {} });
  await loadOver(CONNECTIONS, work.size.seconds, ask);
  const load = await loadOver(CONNECTIONS, work.size.seconds, ask);
  const isWhole = [...load.statuses.keys()].every((status) => status === 200);
  return {
    item: 'data of a shared page, 384 kB each',
    measured: `${load.perSecond.toFixed(0)} a second${isWhole ? '' : ', not all answered 200'}`,
    ...{ baseline: '', ratio: '', goal: `≥ ${GOALS.sharedPerSecond} a second` },
    ok: isWhole && load.perSecond >= GOALS.sharedPerSecond,
    figures: { perSecond: load.perSecond, statuses: Object.fromEntries(load.statuses) },
  };
}

/** From the request to the answer, each of a file that nobody has asked about. */
async function conversions(work: Work): Promise<Row[]> {
  const [measured, baseline]: [number[], number[]] = [[], []];
  const convert = async (artifact: object): Promise<void> =>
    answered(work, 'convert', await call(work, 'POST', 'convert', { input: { artifact }, to: 'mmcif' }));
  const inspect = async (artifact: object): Promise<void> => {
    const source = { kind: 'artifact', artifact };
    const path = 'molecular/docking/receptors/inspect';
    await answered(work, path.replace('inspect', 'inspections'), await call(work, 'POST', path, { source }));
  };
  await convert(await structure(work, 'WARM CONVERSION'));
  await inspect(await structure(work, 'WARM INSPECTION'));
  const memory = watchProcess(work.bench.stack.pid('api'));
  for (let round = 0; round < work.size.rounds; round += 1) {
    const artifact = await structure(work, `ROUND ${round}`);
    measured.push(await took(() => convert(artifact)));
    baseline.push(await took(() => inspect(artifact)));
  }
  const megabytes = memory.stop();
  return [
    compared('conversion of 4,262 atoms, against an inspection of the file', {
      ...{ measured, baseline, goal: GOALS.inspection },
    }),
    {
      item: `memory of the api meanwhile, ${work.size.rounds} conversions and inspections`,
      measured: `${megabytes.toFixed(0)} MB more`,
      ...{ baseline: '', ratio: '', goal: `< ${GOALS.megabytes} MB` },
      ok: megabytes < GOALS.megabytes,
      figures: { megabytes },
    },
  ];
}

async function answered(work: Work, path: string, first: Readonly<Record<string, unknown>>): Promise<void> {
  const id = String(first['conversionId'] ?? first['inspectionId']);
  for (let last = first; last['status'] === 'RUNNING'; last = await call(work, 'GET', `${path}/${id}`))
    await sleep(POLL_MS);
}

/** The tool's own time beside gemmi alone, in one process. */
async function tool({ bench, size }: Work): Promise<Row> {
  const { stdout } = await execFileAsync(
    bench.stack.env['DOCKYARD_SCIENCE_PYTHON'] ?? 'python3',
    [
      join(projectRoot, 'science', 'autodock-vina', 'reference', 'compare_conversion.py'),
      ...[STRUCTURE, '--rounds', String(size.rounds)],
    ],
    { env: { ...process.env, PYTHONPATH: pythonPath(DOCKING_PACKAGES), PYTHONDONTWRITEBYTECODE: '1' } },
  );
  const figures = recordOf(JSON.parse(stdout));
  const ms = (name: string): number[] => {
    const seconds = figures[name];
    if (!Array.isArray(seconds)) throw new Error(`The script printed no ${name}.`);
    return seconds.map((each) => Number(each) * 1000);
  };
  const [measured, baseline] = [ms('seconds'), ms('bareSeconds')];
  return compared('the converting tool alone, against gemmi', { measured, baseline, goal: GOALS.gemmi });
}

interface Compared {
  readonly measured: readonly number[];
  readonly baseline: readonly number[];
  readonly goal: number;
}

function compared(item: string, { measured, baseline, goal }: Compared): Row {
  const ratio = spreadOf(ratiosOf(measured, baseline));
  return {
    item,
    measured: describeSpread(spreadOf(measured), 'ms'),
    baseline: describeSpread(spreadOf(baseline), 'ms'),
    ratio: ratio.median.toFixed(2),
    goal: `< ${goal}`,
    ok: ratio.median < goal,
    figures: { measured, baseline, ratio },
  };
}

function below(item: string, values: readonly number[], unit: string, goal: number): Row {
  const spread = spreadOf(values);
  return {
    item,
    measured: describeSpread(spread, unit, 2),
    ...{ baseline: '', ratio: '', goal: `< ${goal} ${unit}` },
    ok: spread.median < goal,
    figures: { values: spread },
  };
}
