// `npm run bench` measures speed and memory in one run, each figure beside the figure that it is compared with.
import { writeFile } from 'node:fs/promises';

import { Command, InvalidArgumentError } from 'commander';

import { measureBatches } from './batches.ts';
import { measureCapacity } from './capacity.ts';
import { measureCloud } from './cloud.ts';
import { measureContacts } from './contacts.ts';
import { measureDocking } from './docking.ts';
import { measureDoors } from './doors.ts';
import { measureEstimates } from './estimates.ts';
import { measureFleet } from './fleet.ts';
import { measureLedger } from './ledger.ts';
import { measureLimits } from './limits.ts';
import { measureLosses } from './losses.ts';
import { measureWork } from './orchestration.ts';
import { measurePassThrough } from './pass-through.ts';
import { measureRecords } from './records.ts';
import { measureProjects } from './projects.ts';
import { describeMachine, tableOf } from './report.ts';
import type { Row } from './report.ts';
import { measureManyJobs, measureManyTasks } from './scale.ts';
import { endOpenStacks } from './stack.ts';
import { measureStatements } from './statements.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureStreams } from './streams.ts';
import { measureSubmit } from './submit.ts';
import { measureTools, TOOL_AREAS } from './tools.ts';
import { measureUploadClient } from './upload-client.ts';
import { measureUploadLinks } from './upload-links.ts';
import { measureUploads } from './uploads.ts';
import { measureWeb } from './web.ts';
import { measureWebhooks } from './webhooks.ts';

const AREAS = [
  'submit',
  'orchestration',
  'fleet',
  'losses',
  'contacts',
  'pass-through',
  'cloud',
  'scale',
  'capacity',
  'ledger',
  'limits',
  'doors',
  'webhook',
  'events',
  'estimates',
  'statements',
  'memory',
  'docking',
  'batches',
  'results',
  'exports',
  ...TOOL_AREAS,
  'projects',
  'uploads',
  'upload-client',
  'upload-links',
  'web',
] as const;
type Area = (typeof AREAS)[number];

interface Options {
  readonly json?: string;
  readonly only?: readonly Area[];
  readonly quick?: true;
}

const GIB = 1024 ** 3;
const FULL = {
  submit: { rounds: 60, libraries: 5 },
  work: { rounds: 3, tasks: 1_000, manyTasks: 10_000, manyRounds: 3 },
  ledger: { rounds: 5, seconds: 4 },
  limits: { requests: 8_000 },
  doors: { rounds: 5, seconds: 4, lookUps: 2_000 },
  webhook: { rounds: 5, seconds: 4 },
  streams: { jobs: 200, idle: 1_000, seconds: 20, rows: 1_000_000 },
  deliveries: { jobs: 50, deliveries: 10_000, rounds: 4, tasks: 500, submits: 12 },
  estimates: { rounds: 5, seconds: 4, crowds: 7 },
  statements: { rounds: 3, lines: 100_000 },
  fleet: { rounds: 3, tasks: 250, seconds: 2, largestTasks: 256 },
  losses: { kills: 20 },
  contacts: { instances: 2_000, seconds: 20 },
  passThrough: { rounds: 6, activities: 1_000, instances: 2_000 },
  cloud: { instances: 300, jobs: 5 },
  scale: { jobs: 200, tasksOfJob: 20, baseTasks: 10_000, manyTasks: 100_000 },
  capacity: { jobs: 20_000, rounds: 200 },
  docking: {
    ligands: 24,
    rounds: [
      { exhaustiveness: 1, count: 3 },
      { exhaustiveness: 8, count: 2 },
    ],
    cost: { rounds: 3, exhaustiveness: 8 },
  },
  batches: {
    ligands: 10_000,
    rounds: 5,
    runs: [
      { tasks: 1_000, shardSize: 1, rounds: 3 },
      { tasks: 10_000, shardSize: 10, rounds: 4 },
    ],
    watched: 1_000,
  },
  records: { results: 10_000, docked: 24, pages: { rounds: 50 }, exports: { rounds: 3 } },
  tools: {
    searches: { queries: 200, tasks: 20, rounds: 2, single: 2 },
    pockets: { jobs: 20, rounds: 2, single: 2 },
    waves: {
      rounds: 3,
      shortHours: 24,
      longHours: 96,
      forecasts: { cases: 10, hours: 280, afterSeconds: 60 },
    },
    renders: { frames: 24, rounds: 2, forecastFrames: 100 },
  },
  projects: { rounds: 10, projects: 10_000, revisions: 100, seconds: 5 },
  uploads: { signRounds: 15, hashRounds: 5, objectBytes: GIB },
  uploadClient: { rounds: 5, fileBytes: GIB },
  uploadLinks: { rounds: 5, shrink: 1 },
  web: {
    pages: { loads: 5, rounds: 3, tasks: 10_000 },
    files: { uploads: 5, fileBytes: GIB / 4, rounds: 5, seconds: 4, builds: 3 },
  },
};
/** Sizes that show that everything runs; figures of such a run are worth little. */
const QUICK = {
  submit: { rounds: 10, libraries: 1 },
  work: { rounds: 1, tasks: 200, manyTasks: 600, manyRounds: 1 },
  ledger: { rounds: 2, seconds: 1 },
  limits: { requests: 800 },
  doors: { rounds: 1, seconds: 2, lookUps: 200 },
  webhook: { rounds: 1, seconds: 2 },
  streams: { jobs: 10, idle: 100, seconds: 3, rows: 20_000 },
  deliveries: { jobs: 5, deliveries: 1_000, rounds: 1, tasks: 100, submits: 5 },
  estimates: { rounds: 1, seconds: 1, crowds: 1 },
  statements: { rounds: 1, lines: 100_000 },
  fleet: { rounds: 1, tasks: 60, seconds: 1, largestTasks: 128 },
  losses: { kills: 2 },
  contacts: { instances: 2_000, seconds: 8 },
  passThrough: { rounds: 2, activities: 200, instances: 100 },
  cloud: { instances: 20, jobs: 1 },
  scale: { jobs: 10, tasksOfJob: 10, baseTasks: 400, manyTasks: 800 },
  capacity: { jobs: 1_000, rounds: 20 },
  docking: {
    ligands: 4,
    rounds: [{ exhaustiveness: 1, count: 1 }],
    cost: { rounds: 1, exhaustiveness: 4 },
  },
  batches: {
    ligands: 1_000,
    rounds: 1,
    runs: [{ tasks: 100, shardSize: 1, rounds: 1 }],
    watched: 100,
  },
  records: { results: 500, docked: 4, pages: { rounds: 10 }, exports: { rounds: 1 } },
  tools: {
    searches: { queries: 20, tasks: 4, rounds: 1, single: 1 },
    pockets: { jobs: 4, rounds: 1, single: 1 },
    waves: { rounds: 1, shortHours: 6, longHours: 12, forecasts: { cases: 1, hours: 8, afterSeconds: 5 } },
    renders: { frames: 4, rounds: 1, forecastFrames: 20 },
  },
  projects: { rounds: 2, projects: 100, revisions: 5, seconds: 1 },
  uploads: { signRounds: 5, hashRounds: 3, objectBytes: GIB / 4 },
  uploadClient: { rounds: 1, fileBytes: GIB / 4 },
  uploadLinks: { rounds: 1, shrink: 8 },
  web: {
    pages: { loads: 1, rounds: 1, tasks: 600 },
    files: { uploads: 1, fileBytes: GIB / 32, rounds: 1, seconds: 1, builds: 1 },
  },
};

function parseAreas(text: string): Area[] {
  return text.split(',').map((name) => {
    const area = AREAS.find((known) => known === name.trim());
    if (area === undefined) throw new InvalidArgumentError(`The areas are ${AREAS.join(', ')}.`);
    return area;
  });
}

const options = new Command('npm run bench --')
  .description('Measures speed and memory as ratios against the bare systems; see docs/benchmarks.md.')
  .option('--json <file>', 'write every figure to a file')
  .option('--only <areas>', `measure some areas only (${AREAS.join(',')})`, parseAreas)
  .option('--quick', 'small sizes, to see that it runs')
  .parse()
  .opts<Options>();

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endOpenStacks().finally(() => process.exit(130)));

const size = options.quick === true ? QUICK : FULL;
const wants = (area: Area): boolean => (options.only ?? AREAS).includes(area);
const startedAt = performance.now();
const rows: Row[] = [];
const measure = async (name: string, work: () => Promise<Row[]>): Promise<void> => {
  process.stderr.write(`measuring ${name} …\n`);
  const found = await work();
  rows.push(...found);
  for (const { item, measured, ratio } of found) process.stderr.write(`  ${item}: ${measured} ${ratio}\n`);
};

if (wants('submit')) await measure('submit', () => measureSubmit(size.submit));
if (wants('ledger')) await measure('the ledger', () => measureLedger(size.ledger));
if (wants('limits')) await measure('shared limits', () => measureLimits(size.limits));
if (wants('doors')) await measure('the doors', () => measureDoors(size.doors));
if (wants('webhook')) await measure('events of payments', () => measureWebhooks(size.webhook));
if (wants('events')) {
  await measure('streams of events', () => measureStreams(size.streams));
  await measure('webhooks, and the cost of events', () => measureDeliveries(size.deliveries));
}
if (wants('estimates')) await measure('public estimates', () => measureEstimates(size.estimates));
if (wants('statements')) await measure('statements', () => measureStatements(size.statements));
if (wants('orchestration') || wants('memory')) {
  const wanted = { orchestration: wants('orchestration'), memory: wants('memory') };
  await measure('orchestration and memory', () => measureWork(size.work, wanted));
}
if (wants('fleet')) await measure('a fleet', () => measureFleet(size.fleet));
if (wants('losses')) await measure('lost instances', () => measureLosses(size.losses));
if (wants('contacts')) await measure('contacts', () => measureContacts(size.contacts));
if (wants('pass-through')) await measure('the pass-through', () => measurePassThrough(size.passThrough));
if (wants('cloud')) await measure('instances of a cloud', () => measureCloud(size.cloud));
if (wants('scale')) {
  await measure('a job of many tasks', () => measureManyTasks(size.scale));
  await measure('many jobs at once', () => measureManyJobs(size.scale));
}
if (wants('capacity')) await measure('capacity', () => measureCapacity(size.capacity));
if (wants('docking')) await measure('docking', () => measureDocking(size.docking));
if (wants('batches')) await measure('batches', () => measureBatches(size.batches));
if (wants('results') || wants('exports')) {
  const wanted = { results: wants('results'), exports: wants('exports') };
  await measure('results and exports', () => measureRecords(size.records, wanted));
}
const tools = TOOL_AREAS.filter(wants);
if (tools.length > 0) await measure('tools of packs', () => measureTools(size.tools, tools));
if (wants('projects')) await measure('projects and conversions', () => measureProjects(size.projects));
if (wants('uploads')) await measure('uploads', () => measureUploads(size.uploads));
if (wants('upload-client')) await measure('dockyard upload', () => measureUploadClient(size.uploadClient));
if (wants('upload-links')) await measure('upload links', () => measureUploadLinks(size.uploadLinks));
if (wants('web')) await measure('the web app', () => measureWeb(size.web));

const machine = describeMachine();
const elapsedSeconds = Math.round((performance.now() - startedAt) / 1000);
process.stdout.write(
  `\n${tableOf(rows)}\n\n${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, `,
);
process.stdout.write(`${machine.system}, Node ${process.version}; ${elapsedSeconds} s\n`);
if (options.json !== undefined) {
  const document = {
    measuredAt: new Date().toISOString(),
    quick: options.quick === true,
    machine,
    elapsedSeconds,
    rows,
  };
  await writeFile(options.json, `${JSON.stringify(document, null, 2)}\n`);
}
process.exitCode = rows.every(({ ok }) => ok !== false) ? 0 : 1;
