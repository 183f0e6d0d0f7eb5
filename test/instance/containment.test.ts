import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { makeTaskFolder } from '../../src/instance/folders.ts';
import { LogCollector } from '../../src/instance/log-collector.ts';
import { markedProcesses } from '../../src/instance/process-table.ts';
import { ToolSession } from '../../src/instance/session.ts';
import type { TaskOutcome } from '../../src/instance/session.ts';
import { CONTAINMENT_KINDS } from '../../src/contracts/containment.ts';
import type { Containment } from '../../src/contracts/containment.ts';
import { TASK_MARKER } from '../../src/contracts/local-host.ts';
import { containmentHere, WITHOUT_SANDBOX } from '../support/containments.ts';

const LIMITS = { wallSeconds: 20, memoryBytes: 2 ** 30, diskBytes: 2 ** 30, logBytes: 2 ** 20 };
const BEGIN = `
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const out = new Socket({ fd: 4 });
const say = (message) => out.write(JSON.stringify(message) + '\\n');
const done = (id) => say({ type: 'done', id, outputs: [], summary: null });
createInterface({ input: new Socket({ fd: 3 }) }).on('line', async (line) => {
  const request = JSON.parse(line);
  if (request.type === 'open') return say({ type: 'ready' });
  const { id, folder } = request;
`;

for (const kind of CONTAINMENT_KINDS)
  describe(`a tool under containment by ${kind}`, () => {
    let folder: string;
    let containment: Containment;
    before(async function () {
      containment = kind === 'bubblewrap' ? await containmentHere() : WITHOUT_SANDBOX;
      // A machine that forbids user namespaces makes no sandbox, and says so.
      if (containment.kind !== kind) this.skip();
      folder = await realpath(await mkdtemp(join(tmpdir(), 'dockyard-tool-')));
    });
    after(async () => {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });

    /**
     * Runs one task of a tool that is a few lines of JavaScript; afterwards no process and no file of the tool is left.
     */
    async function runTool(
      body: string,
      limits = {},
      abortAfterMs?: number,
    ): Promise<{ outcome: TaskOutcome; log: LogCollector; progress: number[] }> {
      const script = join(folder, `tool-${Math.random()}.mjs`);
      await writeFile(script, `${BEGIN}${body}\n});\n`);
      const taskFolder = join(folder, `task-${Math.random()}`);
      await makeTaskFolder(taskFolder);
      const instanceId = `test-${Math.random()}`;
      const session = new ToolSession({
        command: {
          file: process.execPath,
          args: [script],
          env: { TOOL_SETTING: '1' },
          reads: [process.execPath],
        },
        ...{ containment, devices: [] },
        open: { type: 'open', spec: {} },
        folder,
        instanceId,
      });
      const log = new LogCollector(LIMITS.logBytes);
      const progress: number[] = [];
      const task = {
        type: 'task',
        id: 'mine',
        kind: 'task',
        itemId: '0',
        attempt: 1,
        folder: taskFolder,
        spec: {},
        inputs: {},
      } as const;
      const signal =
        abortAfterMs === undefined ? new AbortController().signal : AbortSignal.timeout(abortAfterMs);
      const hooks = { log, onProgress: (percent: number) => progress.push(percent) };
      const outcome = await session.run(task, { ...LIMITS, ...limits }, hooks, signal);
      await session.close();
      expect(markedProcesses(TASK_MARKER, instanceId)).to.deep.equal([]);
      return { outcome, log, progress };
    }

    const codeOf = ({ outcome }: { outcome: TaskOutcome }): string =>
      outcome.end === 'failed' ? outcome.code : outcome.end;

    it('sees a clean environment and its own folder as its home', async () => {
      process.env['DOCKYARD_SECRET_OF_A_TEST'] = 'secret';
      const { outcome, log } = await runTool(
        'console.log(JSON.stringify(process.env)); setTimeout(() => done(id), 50);',
      );
      delete process.env['DOCKYARD_SECRET_OF_A_TEST'];
      expect(outcome.end).to.equal('done');
      const environment = JSON.parse(log.peek().bytes.toString());
      // Bubblewrap says where the tool is.
      const known = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'PWD', TASK_MARKER, 'TOOL_SETTING'];
      expect({ PWD: folder, ...environment }).to.have.all.keys(...known);
      expect(environment).to.include({ HOME: folder, TMPDIR: folder });
    });

    it('speaks for its own task only, and what it prints is never taken for progress', async () => {
      const { outcome, progress } = await runTool(`
      console.log(JSON.stringify({ type: 'done', id, outputs: [], summary: null }));
      done('other');
      say({ type: 'progress', id: 'other', percent: 90 });
      say({ type: 'progress', id, percent: 1000 });
      setTimeout(() => say({ type: 'failed', id, code: 'MY_CODE', message: 'x'.repeat(5000) }), 100);
    `);
      expect(outcome).to.include({ end: 'failed', code: 'MY_CODE' });
      expect(outcome.end === 'failed' ? outcome.message.length : 0).to.equal(1000);
      expect(progress).to.deep.equal([100]);
    });

    it('is over when it uses too much memory, its children counted', async () => {
      const eat = 'setInterval(() => (globalThis.kept ??= []).push(Buffer.alloc(2 ** 25, 1)), 20)';
      const result = await runTool(`spawn(process.execPath, ['-e', ${JSON.stringify(eat)}]);`, {
        memoryBytes: 2.5e8,
      });
      expect(codeOf(result)).to.equal('ENGINE_OUT_OF_MEMORY');
    });

    it('is over when it writes too much', async () => {
      const result = await runTool(`writeFileSync(folder + '/out/big', Buffer.alloc(2 ** 22));`, {
        diskBytes: 2 ** 20,
      });
      expect(codeOf(result)).to.equal('ENGINE_LIMIT_EXCEEDED');
    });

    it('is over when its time is over, whatever signals it ignores', async () => {
      const result = await runTool(`process.on('SIGTERM', () => {});`, { wallSeconds: 0.5 });
      expect(codeOf(result)).to.equal('ENGINE_TIMEOUT');
    });

    it('is stopped with the children that have left its group', async () => {
      const result = await runTool(
        `spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();`,
        {},
        700,
      );
      expect(codeOf(result)).to.equal('stopped');
    });

    it('a result that it told before it died counts', async () => {
      const result = await runTool(
        `out.write(JSON.stringify({ type: 'done', id, outputs: [], summary: null }) + '\\n', () => process.exit(3));`,
      );
      expect(codeOf(result)).to.equal('done');
    });

    it('is a crash when it dies, by a signal too, or says what is no message', async () => {
      expect(codeOf(await runTool('process.exit(0);'))).to.equal('ENGINE_CRASHED');
      const killed = await runTool("process.kill(process.pid, 'SIGSEGV');");
      expect(killed.outcome).to.deep.equal({
        end: 'failed',
        code: 'ENGINE_CRASHED',
        message: 'It was ended by SIGSEGV.',
        death: 'exited',
      });
      expect(codeOf(await runTool("out.write('hello\\n');"))).to.equal('ENGINE_CRASHED');
    });

    it('ran out of memory when the system killed it', async () => {
      expect(codeOf(await runTool("process.kill(process.pid, 'SIGKILL');"))).to.equal('ENGINE_OUT_OF_MEMORY');
    });

    it('is no crash of the tool when the instance cannot start it', async () => {
      const session = new ToolSession({
        command: { file: join(folder, 'no-such-tool'), args: [], env: {}, reads: [] },
        ...{ containment, devices: [] },
        open: { type: 'open', spec: {} },
        folder,
        instanceId: 'none',
      });
      const task = {
        type: 'task',
        id: 'x',
        kind: 'task',
        itemId: '0',
        attempt: 1,
        folder,
        spec: {},
        inputs: {},
      } as const;
      const hooks = { log: new LogCollector(1), onProgress: () => undefined };
      const outcome = await session.run(task, LIMITS, hooks, new AbortController().signal);
      expect(outcome).to.include({ end: 'unstarted' });
    });
  });
