import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { GatewayClient } from '../../src/instance/gateway-client.ts';
import { InstanceError, TooLargeError } from '../../src/instance/repeat.ts';
import type { SessionTool } from '../../src/instance/slots.ts';
import { TaskBoard } from '../../src/instance/task-board.ts';
import type { ShardInput, TaskLimits, TaskReport } from '../../src/contracts/instance.ts';
import { WITHOUT_SANDBOX } from '../support/containments.ts';
import { until } from '../support/until.ts';

const SHARD: ShardInput = {
  jobId: 'job',
  execution: 1,
  slot: 0,
  generation: 1,
  kind: 'task',
  ordinals: [0],
};
const LIMITS: TaskLimits = { wallSeconds: 30, memoryBytes: 2 ** 30, diskBytes: 2 ** 30, logBytes: 2 ** 20 };

/** A tool whose tasks run this code, with `task`, `fs` and `say(message)` in scope. */
function toolOf(code: string): SessionTool {
  const program = `
    const fs = require('node:fs');
    const say = (message) => fs.writeSync(4, JSON.stringify(message) + '\\n');
    say({ type: 'ready' });
    require('node:readline').createInterface({ input: fs.createReadStream('', { fd: 3 }) }).on('line', (line) => {
      const task = JSON.parse(line);
      if (task.type === 'task') { ${code} }
    });`;
  return {
    id: 'scripted',
    startsAhead: false,
    session: () => ({ file: process.execPath, args: ['-e', program], env: {}, reads: [] }),
  };
}

const done = (more: string): string =>
  `say({ type: 'done', id: task.id, outputs: [], summary: null, ...(${more}) });`;

describe('the board of an instance', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dockyard-board-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs one task. The gateway gives no upload addresses unless the test passes an answer for them. */
  async function reportOf(
    tool: SessionTool,
    work?: (board: TaskBoard) => Promise<void>,
    uploadUrls?: GatewayClient['uploadUrls'],
    shard: ShardInput = SHARD,
  ): Promise<TaskReport | null> {
    const board = boardOf(tool, uploadUrls);
    try {
      const [run] = board.begin(shard);
      await work?.(board);
      return (await run?.report) ?? null;
    } finally {
      await board.close('ended');
    }
  }

  function boardOf(
    tool: SessionTool,
    uploadUrls: GatewayClient['uploadUrls'] = () => Promise.reject(new Error('nothing is to be staged')),
    toolSlots = 1,
    attempts: ReadonlyMap<number, number> = new Map(),
  ): TaskBoard {
    const gateway: GatewayClient = {
      bootstrap: () => Promise.reject(new Error('there is a bearer')),
      meter: () => Promise.reject(new Error('nothing is measured')),
      claim: async ({ ordinals }) => ({
        toolId: tool.id,
        session: {},
        limits: LIMITS,
        inputs: [],
        tasks: ordinals.map((ordinal) => ({
          ordinal,
          itemId: String(ordinal),
          attempt: attempts.get(ordinal) ?? 1,
          spec: {},
          inputs: [],
        })),
      }),
      inputUrls: () => Promise.reject(new Error('no task has inputs')),
      checkpoint: () => Promise.reject(new Error('nothing is kept')),
      uploadUrls,
      contact: async () => ({ stop: false }),
      storeLog: async () => undefined,
      close: async () => undefined,
    };
    const findTool = (): SessionTool => tool;
    return new TaskBoard({
      instanceId: 'board',
      folder: join(folder, 'instance'),
      toolSlots,
      ...{ containment: WITHOUT_SANDBOX, gpus: [] },
      gateway,
      findTool,
      onStart: () => undefined,
    });
  }

  it('reports what a good tool reports', async () => {
    const report = await reportOf(toolOf(done('{ summary: { best: -7 } }')));
    expect(report)
      .to.include({ end: 'done' })
      .and.deep.include({ summary: { best: -7 } });
  });

  const file = `fs.writeFileSync(task.folder + '/out/a', '');`;
  const output = `{ path: 'a', kind: 'result', mediaType: 'text/plain', format: null }`;
  const unverified = {
    'a summary that is too large': done(`{ summary: { text: 'x'.repeat(9000) } }`),
    'a summary with NUL': done(`{ summary: { text: 'a\\0' } }`),
    'more than 200 outputs': done(`{ outputs: Array(201).fill(${output}) }`),
    'a media type that is none': file + done(`{ outputs: [{ ...${output}, mediaType: 'text' }] }`),
    'a kind that is none': file + done(`{ outputs: [{ ...${output}, kind: 'A' }] }`),
    'a format that is none': file + done(`{ outputs: [{ ...${output}, format: '.a' }] }`),
    'a name that is too long': done(`{ outputs: [{ ...${output}, path: 'é'.repeat(76) }] }`),
  };
  for (const [name, code] of Object.entries(unverified)) {
    it(`a task with ${name} fails with OUTPUT_UNVERIFIED before anything is staged`, async () => {
      expect(await reportOf(toolOf(code))).to.include({ end: 'failed', code: 'OUTPUT_UNVERIFIED' });
    });
  }

  it('a task whose outputs the gateway finds too large fails with a code, and is not tried again', async () => {
    let asked = 0;
    const report = await reportOf(toolOf(file + done(`{ outputs: [${output}] }`)), undefined, () => {
      asked += 1;
      return Promise.reject(new TooLargeError('The outputs of task 0 are larger than its limit.'));
    });
    expect(report).to.include({ end: 'failed', code: 'ENGINE_LIMIT_EXCEEDED' });
    expect(report?.end === 'failed' && report.message).to.include('larger than its limit');
    expect(asked).to.equal(1);
  });

  it('keeps of the message of a failed task what can be stored', async () => {
    const code = `say({ type: 'failed', id: task.id, code: 'TOOL_ERROR', message: '\\0' + 'x'.repeat(998) + '😀' });`;
    const report = await reportOf(toolOf(code));
    expect(report).to.include({ end: 'failed', code: 'TOOL_ERROR' });
    expect(report?.end === 'failed' && report.message).to.equal(`\uFFFD${'x'.repeat(998)}\uFFFD`);
  });

  it('tells a tool that was killed, and a session that died in the preparation, from a tool that failed', async () => {
    const killed = toolOf(`process.kill(process.pid, 'SIGKILL');`);
    const dies = toolOf('process.exit(3);');
    const prepare: ShardInput = { ...SHARD, kind: 'prepare' };
    const none = async (): Promise<void> => undefined;
    const killedReport = { end: 'failed', code: 'ENGINE_OUT_OF_MEMORY', lost: true };
    expect(await reportOf(killed)).to.include(killedReport);
    expect(await reportOf(killed, none, undefined, prepare)).to.include(killedReport);
    expect(await reportOf(dies, none, undefined, prepare)).to.include({ code: 'ENGINE_CRASHED', lost: true });
    expect(await reportOf(dies))
      .to.include({ code: 'ENGINE_CRASHED' })
      .and.not.have.property('lost');
    const says = toolOf(`say({ type: 'failed', id: task.id, code: 'RECEPTOR_EMPTY', message: 'why' });`);
    expect(await reportOf(says, none, undefined, prepare))
      .to.include({ code: 'RECEPTOR_EMPTY' })
      .and.not.have.property('lost');
    // Each piece waits for the one before, so the tool keeps none of them in its memory while the log is read slowly.
    const floods = toolOf(`const flood = () => process.stdout.write('x'.repeat(2 ** 20), flood); flood();`);
    expect(await reportOf(floods, none, undefined, prepare), 'our limit is a verdict')
      .to.include({ code: 'ENGINE_LIMIT_EXCEEDED' })
      .and.not.have.property('lost');
  });

  it('a machine that is taken away lets tasks that run go on for a while, and hands the others back at once', async () => {
    // Even tasks end when their file is there, odd ones never do.
    const go = join(folder, 'go');
    const tool = toolOf(
      `const poll = () => fs.existsSync('${go}') && task.itemId === '0' ? (${done('{}').replace(/;$/, '')}) : setTimeout(poll, 10); poll();`,
    );
    const board = boardOf(tool, undefined, 2);
    try {
      const [runs, waiting] = [0, 1].map((ordinal) => board.begin({ ...SHARD, ordinals: [ordinal] })[0]);
      const [third] = board.begin({ ...SHARD, ordinals: [2] });
      await until('two tasks run', () => board.running().length === 2);
      let isTold = false;
      board.drainSignal.addEventListener('abort', () => (isTold = true));
      board.drain(3_000);
      expect(isTold, 'shards that are under way are told').to.equal(true);
      expect(await third?.report, 'it waited for a slot').to.deep.equal({ ordinal: 2, end: 'interrupted' });
      const [late] = board.begin({ ...SHARD, ordinals: [3] });
      expect(await late?.report, 'it came after the notice').to.deep.equal({
        ordinal: 3,
        end: 'interrupted',
      });
      expect(board.begin({ ...SHARD, ordinals: [0] })[0], 'a shard joins what runs').to.equal(runs);
      writeFileSync(go, '');
      expect(await runs?.report).to.include({ ordinal: 0, end: 'done' });
      expect(await waiting?.report, 'it ran too long').to.deep.equal({ ordinal: 1, end: 'interrupted' });
      expect(board.idleMs()).to.be.at.least(0);
    } finally {
      await board.close('ended');
    }
  });

  it('a task that ends after the notice, before its shard is sent once more, is reported and not handed back', async () => {
    const go = join(folder, 'go');
    const tool = toolOf(
      `const poll = () => fs.existsSync('${go}') ? (${done('{ summary: { best: -7 } }').replace(/;$/, '')}) : setTimeout(poll, 10); poll();`,
    );
    const attempts = new Map([[0, 1]]);
    const board = boardOf(tool, undefined, 2, attempts);
    try {
      const begun = [0, 1].flatMap((ordinal) => board.begin({ ...SHARD, ordinals: [ordinal] }));
      await until('both tasks run', () => board.running().length === 2);
      board.drain(30_000);
      writeFileSync(go, '');
      await Promise.all(begun.map(({ report }) => report));
      // The second task was set back meanwhile, so what it has reported counts no more.
      attempts.set(1, 2);
      const [ended, setBack, unknown] = board.begin({ ...SHARD, ordinals: [0, 1, 2] });
      expect(await ended?.report)
        .to.include({ ordinal: 0, end: 'done' })
        .and.deep.include({ summary: { best: -7 } });
      expect(await setBack?.report).to.deep.equal({ ordinal: 1, end: 'interrupted' });
      expect(await unknown?.report).to.deep.equal({ ordinal: 2, end: 'interrupted' });
    } finally {
      await board.close('ended');
    }
  });

  it("the instance's own faults are never a task's failure", async () => {
    const faults = {
      'the tool is not there': {
        ...toolOf(''),
        startsAhead: false,
        session: () => ({ file: '/nowhere/tool', args: [], env: {}, reads: [] }),
      },
      'nothing can be started': {
        ...toolOf(''),
        session: () => {
          throw new Error('EMFILE: too many open files');
        },
      },
    };
    for (const [name, tool] of Object.entries(faults)) {
      const outcome = await reportOf(tool).catch((error: unknown) => error);
      expect(outcome, name).to.be.instanceOf(InstanceError);
    }
    writeFileSync(join(folder, 'instance'), 'no folder can be made here');
    const noFolder = await reportOf(toolOf(done('{}'))).catch((error: unknown) => error);
    expect(noFolder, 'no folder').to.be.instanceOf(InstanceError);
  });

  it('a task that starts while the instance ends is stopped, and its tool that ends by itself has crashed', async () => {
    expect(await reportOf(toolOf(done('{}')), (board) => board.close('ended'))).to.include({
      end: 'stopped',
    });
    expect(await reportOf(toolOf('process.exit(3);'))).to.include({ end: 'failed', code: 'ENGINE_CRASHED' });
  });
});
