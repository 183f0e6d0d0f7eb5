// The gate for every change of a workflow: what ran in the past must run the same way today. When one of these tests
// fails, the change needs `patched()`. Recording anew is right only for histories of code that was never released.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { DataConverter } from '@temporalio/common';
import { DeterminismViolationError } from '@temporalio/workflow';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';

import { dataConverterOf } from '../../src/adapters/temporal/codec.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { historyFiles, loadHistory } from './history-files.ts';
import type { HistoryFile } from './history-files.ts';

const FILE_NAME =
  /^(job|jobPart|sweepDeployment|auditLedger|upload|topup|fetchFxRate|reconcileBooks|dockingBatch|dockingRun|dockingExport|importStructure|sendAlerts|grantDueAllowances|endLongPauses|webhook)-([a-z-]+)-\d+-\d{8}-\d+\.\d+\.\d+$/;

/** The cases that must be on record; without its case a change of a path would go unnoticed. */
const NEEDED = [
  ...['success', 'partial', 'failure', 'refused', 'expired', 'cancel-submitted', 'cancel-queued'],
  ...['cancel-provisioning', 'cancel-running', 'cancel-finalizing', 'pause-then-cancel', 'recovery'],
  ...[
    'timeout-adoption',
    'redo-unverified',
    'output-missing',
    'control-missing',
    'cancel-ending',
    'control-missed',
  ],
  ...[
    'continue-as-new',
    'round',
    'resume-cancelled',
    'resume-paused',
    'resume-twice',
    'taken-up',
    'preempted',
    'limit',
  ],
  ...['candidate-fallback', 'no-capacity', 'launch-refused'],
  ...['refused-stored', 'second-pause', 'many-tasks', 'failed-by-fault', 'grown-fleet', 'merge-elsewhere'],
];
const NEEDED_OF_UPLOADS = [
  ...['completed', 'plain', 'mismatch', 'aborted', 'refused', 'expired', 'continued', 'lost'],
  ...['aborted-opening', 'aborted-assembly', 'aborted-verifying'],
  ...['expired-opening', 'expired-between-tries'],
];
const NEEDED_OF_BATCHES = [
  ...['sampled-batch', 'repeated-run', 'cancel-queued-batch', 'cancel-provisioning-batch'],
  ...['cancel-running-batch', 'cancel-finalizing-batch', 'continued-batch', 'cancel-sample-batch'],
];
const NEEDED_OF_PARTS = [
  'success',
  'partial',
  'failure',
  'cancel-running',
  'pause-then-cancel',
  'recovery',
  'preempted',
];

describe('replay of recorded histories', function () {
  // All histories are replayed in one go, three times; a machine that is busy takes minutes.
  this.timeout(600_000);
  const files = historyFiles();
  const failures = new Map<string, Error | undefined>();
  let bundle = '';

  before(async () => {
    quietRuntime();
    bundle = await ensureBundle();
    for (const [name, error] of await replay(bundle, files)) failures.set(name, error);
  });

  for (const file of files) {
    it(`replays ${file.name}`, () => {
      expect(failures.has(file.name)).to.equal(true);
      const error = failures.get(file.name);
      if (error !== undefined) throw error;
    });
  }

  it('replays the same with a trace as without', async () => {
    const ofCase = new Map(files.map((file) => [FILE_NAME.exec(file.name)?.slice(1, 3).join('-'), file]));
    const traced = [...ofCase.values()].map((file) => ({ ...file, events: withTrace(file.events) }));
    expect(traced.length).to.be.greaterThan(40);
    for (const [name, error] of await replay(bundle, traced)) expect(error, name).to.equal(undefined);
  });

  it('replays the same on a build that seals payloads, whose own histories are sealed and these are not', async () => {
    const settings = { temporalCodecKeys: `test:${'5e'.repeat(32)}`, temporalCodecKey: 'test' };
    const sealing = await ensureBundle({ isSealing: true });
    const replayed = await replay(sealing, files, dataConverterOf(settings));
    expect(replayed.size).to.equal(files.length);
    for (const [name, error] of replayed) expect(error, name).to.equal(undefined);
  });

  it('has a history of every way that a job can go', () => {
    const cases = (workflow: string): string[] =>
      files.flatMap(({ name }) =>
        FILE_NAME.exec(name)?.[1] === workflow ? [FILE_NAME.exec(name)?.[2] ?? ''] : [],
      );
    expect(files.map(({ name }) => name).filter((name) => !FILE_NAME.test(name))).to.deep.equal([]);
    expect([...cases('job'), ...cases('sweepDeployment')]).to.include.members(NEEDED);
    expect(cases('jobPart')).to.include.members(NEEDED_OF_PARTS);
    for (const workflow of ['auditLedger', 'fetchFxRate', 'reconcileBooks'])
      expect(cases(workflow), workflow).to.include('round');
    for (const workflow of ['sendAlerts', 'grantDueAllowances', 'endLongPauses'])
      expect(cases(workflow), workflow).to.include('quiet-round');
    expect(cases('topup')).to.include.members(['bank', 'expired']);
    expect(cases('webhook')).to.include.members(['webhook-retried', 'webhook-continued']);
    expect(cases('importStructure')).to.include('unreachable-archive');
    expect(cases('dockingExport')).to.include.members(['export-made']);
    expect(cases('upload')).to.include.members(NEEDED_OF_UPLOADS);
    expect(cases('dockingBatch')).to.include.members(NEEDED_OF_BATCHES);
    expect(cases('dockingRun')).to.include.members(['repeated-run']);
  });

  it('fails when a step of a history is not what the workflow does', async () => {
    const tampered = files
      .filter(({ name }) => /^job-(success|cancel-running)-/.test(name))
      .map((file) => ({ ...file, events: renamed(file.events, 'taskCounts', 'countTasks') }));
    expect(tampered.length).to.be.greaterThan(1);
    for (const [, error] of await replay(bundle, tampered))
      expect(error).to.be.instanceOf(DeterminismViolationError);
  });

  it('has a bundle of one byte a character, whose map has names and lines without the sources', () => {
    const code = readFileSync(bundle, 'utf8');
    expect(/[^\0-\x7f]/.exec(code)?.index).to.equal(undefined);
    const map: unknown = JSON.parse(
      Buffer.from(code.slice(code.lastIndexOf('base64,') + 7), 'base64').toString(),
    );
    expect(map).to.include.keys('mappings', 'names').and.not.have.any.keys('sourcesContent');
    expect(map)
      .to.have.property('sources')
      .that.includes(fileURLToPath(new URL('../../workflows/job.ts', import.meta.url)));
  });

  it('fails when the workflow takes its steps in another order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-replay-'));
    try {
      const code = readFileSync(bundle, 'utf8');
      const mutated = code.replace(/storage\.planTasks\(/g, 'storage.sweepStaging(');
      expect(mutated).not.to.equal(code);
      const path = join(folder, 'mutated.js');
      writeFileSync(path, mutated);
      const victims = files.filter(({ name }) => /^job-(success|partial|failure)-/.test(name));
      for (const [, error] of await replay(path, victims))
        expect(error).to.be.instanceOf(DeterminismViolationError);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('what histories keep', () => {
  const files = historyFiles();

  it('is no URL that grants access, no token and no path of a machine', () => {
    for (const { name, events } of files) {
      const text = textOf(events);
      expect(text, name).not.to.match(/X-Amz-|dki1\.|Bearer |dk_(live|test)_|authorization/i);
      expect(text, name).not.to.match(/"(\/|file:\/\/\/)(home|root|tmp|work|var|Users|builds?)\//);
      expect(text, name).not.to.match(/node_modules|\.ts:\d+/);
    }
  });

  it('shows operators no name, structure or text of a customer', () => {
    const shown = files.flatMap(({ events }) => events.flatMap(shownOf));
    expect(shown.length).to.be.greaterThan(100);
    expect(JSON.stringify(shown)).to.include('SUCCEEDED');
    expect(JSON.stringify(shown)).not.to.match(/confidential|CC\(=O\)|smiles|@example/i);
    // The arguments contain the same words; otherwise this test would show nothing.
    expect(files.some(({ events }) => textOf(events).includes('confidential-ligand'))).to.equal(true);
  });

  it('is below 10,000 events each, and small enough for a repository', () => {
    for (const { name, events } of files) expect(events.length, name).to.be.lessThan(10_000);
    expect(files.reduce((sum, { text }) => sum + text.length, 0)).to.be.lessThan(8_000_000);
  });
});

/** The events of a run that began with a trace. */
function withTrace([first, ...others]: HistoryFile['events']): HistoryFile['events'] {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const payload = { metadata: { encoding: base64('json/plain') }, data: base64(JSON.stringify(traceparent)) };
  const fields = { traceparent: payload };
  const { workflowExecutionStartedEventAttributes: started } = first;
  const traced = { ...started, header: { fields } };
  return [{ ...first, workflowExecutionStartedEventAttributes: traced }, ...others];
}

async function replay(
  codePath: string,
  files: readonly HistoryFile[],
  dataConverter: DataConverter = {},
): Promise<Map<string, Error | undefined>> {
  const results = new Map<string, Error | undefined>();
  const histories = files.map(({ name, events }) => ({ workflowId: name, history: loadHistory(events) }));
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: { codePath }, dataConverter },
    histories,
  )) {
    results.set(workflowId, error);
  }
  return results;
}

/** The search attributes, the memo and the texts of the UI, decoded. */
function shownOf(event: Record<string, unknown>): unknown[] {
  const own = Object.entries(event).filter(([key]) => key.endsWith('EventAttributes'));
  const fields = own.flatMap(([, value]) => {
    const { searchAttributes, memo } = value as Record<string, unknown>;
    return [searchAttributes, memo];
  });
  return [event['userMetadata'], ...fields]
    .filter((value) => value != null)
    .map((value) => JSON.parse(textOf([value])));
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) =>
    key === 'data' && typeof inner === 'string' ? Buffer.from(inner, 'base64').toString('utf8') : inner,
  );
}

function renamed(events: readonly unknown[], from: string, to: string): unknown[] {
  return JSON.parse(JSON.stringify(events).replaceAll(`"name":"${from}"`, `"name":"${to}"`));
}
