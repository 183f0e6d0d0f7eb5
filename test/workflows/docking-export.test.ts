/** The workflow of an export: one activity makes the file, and an export that comes to none is ended with a code. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Context } from '@temporalio/activity';
import { expect } from 'chai';

import type { ExportOutcome } from '../../src/contracts/docking.ts';
import { exportWorkflowId } from '../../src/contracts/docking.ts';
import { invariantBroken } from '../../src/domain/invariant.ts';
import { until } from '../support/until.ts';
import { together } from './together.ts';
import type { World } from './world.ts';

type Making = (attempt: number) => Promise<ExportOutcome>;

const making = new Map<string, Making>();
const attempts = new Map<string, number>();
const ends: { exportId: string; code: string }[] = [];

function exportIdIn(request: unknown): string {
  return (request as { exportId: string }).exportId;
}

/** Starts an export whose activity does this. */
async function begin(world: World, make: Making): Promise<string> {
  world.deployment.set('writeDockingExport', (request: unknown) => {
    const exportId = exportIdIn(request);
    const attempt = (attempts.get(exportId) ?? 0) + 1;
    attempts.set(exportId, attempt);
    return making.get(exportId)?.(attempt);
  });
  world.deployment.set('failDockingExport', (request: unknown) => {
    ends.push(request as (typeof ends)[number]);
    return { state: 'FAILED', results: 0 };
  });
  const exportId = randomUUID();
  making.set(exportId, make);
  await world.workflows.startExport({ exportId, accountId: randomUUID(), format: 'csv', results: 7 });
  return exportId;
}

const handleOf = (world: World, exportId: string) =>
  world.client.workflow.getHandle(exportWorkflowId(exportId));

together('exports as workflows', {
  'an export': (test) => {
    test('is made by one activity, which is tried again after a failure, and shows how it stands', async (world) => {
      const exportId = await begin(world, async (attempt) => {
        if (attempt === 1) throw new Error('the store is away');
        return { state: 'SUCCEEDED', results: 7 };
      });
      const handle = handleOf(world, exportId);
      expect(await handle.result()).to.deep.equal({ state: 'SUCCEEDED', results: 7 });
      expect(attempts.get(exportId)).to.equal(2);
      expect(await handle.query('details')).to.equal('**SUCCEEDED**, csv\n\nresults: 7');
    });

    test('is started once, however often it is asked for while it is made', async (world) => {
      let open = true;
      const exportId = await begin(world, async () => {
        await until('the activity may end', () => !open);
        return { state: 'SUCCEEDED', results: 7 };
      });
      const again = { exportId, accountId: randomUUID(), format: 'csv', results: 7 } as const;
      await Promise.all([world.workflows.startExport(again), world.workflows.startExport(again)]);
      open = false;
      await handleOf(world, exportId).result();
      expect(attempts.get(exportId)).to.equal(1);
    });

    test('is made anew where its end is recorded and its workflow has not closed yet', async (world) => {
      let open = true;
      const exportId = await begin(world, async (attempt) => {
        if (attempt === 1) await until('the first workflow may end', () => !open);
        return { state: attempt === 1 ? 'FAILED' : 'SUCCEEDED', results: 7 };
      });
      const first = await handleOf(world, exportId).describe();
      await until('the first attempt runs', () => attempts.get(exportId) === 1);
      const input = { exportId, accountId: randomUUID(), format: 'csv', results: 7 } as const;
      await world.workflows.startExport(input, 'anew');
      expect(await handleOf(world, exportId).result()).to.deep.equal({ state: 'SUCCEEDED', results: 7 });
      open = false;
      const closed = world.client.workflow.getHandle(exportWorkflowId(exportId), first.runId);
      expect((await closed.describe()).status.name).to.equal('TERMINATED');
      expect(attempts.get(exportId)).to.equal(2);
    });

    test('ends as not made where no attempt can succeed', async (world) => {
      const exportId = await begin(world, async () => {
        throw invariantBroken('this can never be');
      });
      expect(await handleOf(world, exportId).result()).to.deep.equal({ state: 'FAILED', results: 0 });
      expect(attempts.get(exportId)).to.equal(1);
      expect(ends.filter((end) => end.exportId === exportId)).to.deep.equal([
        { exportId, code: 'EXPORT_NOT_MADE' },
      ]);
    });

    test('ends as cancelled where an operator cancels the workflow, once the attempt has stopped', async (world) => {
      let stopped = false;
      const exportId = await begin(world, async () => {
        const context = Context.current();
        for (;;) {
          context.heartbeat({ results: 1 });
          if (context.cancellationSignal.aborted) {
            stopped = true;
            await context.cancelled;
          }
          await sleep(50);
        }
      });
      await until('the attempt runs', () => attempts.get(exportId) === 1);
      const handle = handleOf(world, exportId);
      await handle.cancel();
      expect(await handle.result()).to.deep.equal({ state: 'FAILED', results: 0 });
      expect(stopped).to.equal(true);
      expect(ends.filter((end) => end.exportId === exportId)).to.deep.equal([
        { exportId, code: 'EXPORT_CANCELLED' },
      ]);
    });
  },
});
