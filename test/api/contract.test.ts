/**
 * The document says what the server does, and the server does what the document says. Schemathesis makes requests from
 * the document: a request that fits the document is not answered 400, a request that does not fit is refused,
 * and every answer has a status, a media type, headers and a body that the document names. All checks of Schemathesis
 * run, on the document with closed answers, so that a member or a code that no schema knows is found. The account has jobs, uploads and artifacts of its own, which generated requests find by their ids.
 */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { API_BASE, endpoints } from '../../api/endpoints.ts';
import { buildOpenApi } from '../../api/openapi.ts';
import { projectRoot, findTool } from '../../src/stack/tools.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { noopJob, openTestApi, sha256 } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';
import { tuned } from '../support/tuning.ts';

/** Any fixed number, so that every run makes the same requests. Other seeds and more examples find rarer faults. */
const SEED = process.env['DOCKYARD_CONTRACT_SEED'] ?? '20260101';
/** `npm run test:contract` asks everything of people, too; else what keys are asked is not asked of them again. */
const IS_WHOLE = process.env['DOCKYARD_CONTRACT_WHOLE'] === '1';
const EXAMPLES = process.env['DOCKYARD_CONTRACT_EXAMPLES'] ?? (IS_WHOLE ? '12' : '1');
/** Each bound of each field is asked for by the phase `coverage`, which alone takes minutes. */
const PHASES = IS_WHOLE ? 'examples,coverage,fuzzing,stateful' : 'examples,fuzzing';
const LIMIT_MS = (IS_WHOLE ? 1_800_000 : 480_000) + Number(EXAMPLES) * 10_000;
const FOLDER = join(projectRoot, 'test/contract');
const SHOWN_CHARACTERS = 600;
/** What only people may do. */
const FOR_PEOPLE = endpoints
  .filter(({ access }) => access === 'session' || access === 'owner')
  .map(({ operationId }) => operationId);
/** No provider of payments is set up here, and no schema knows the address of the installation's pages. */
/** Their paths begin at the root, and all requests of a run begin at the base; the doors and `projects.test.ts` ask them. */
const FROM_ROOT = endpoints.filter(({ fromRoot }) => fromRoot === true).map(({ operationId }) => operationId);
const WITHOUT_PROVIDER = ['startTopup', 'subscribe', 'openBillingPortal'];
/** The first request of one of these would end the session that all others are made with. */
const ENDING_SESSIONS = ['signOut', 'endSession', 'endSessions', 'closeAccount'];
/** Connects to a host that a request has named, or looks its name up, and no generated name leaves this machine. */
const REACHING_OUT = ['testLicenseServer', 'createWebhook', 'changeWebhook'];

/** A stream that is let in lasts as long as its reader stays; `event-streams.test.ts` asks for them. */
const STREAMS = ['streamEvents', 'streamJobEvents'];

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

async function run(args: readonly string[], keysFile: string): Promise<Ended> {
  const program = findTool('contract-python', process.env);
  const child = spawn(program, ['-I', '-m', 'schemathesis.cli', ...args], {
    cwd: FOLDER,
    env: { HOME: process.env['HOME'], PYTHONDONTWRITEBYTECODE: '1', DOCKYARD_CONTRACT_KEYS: keysFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { exitCode, output };
}

/** The report without the requests of thousands of characters that come with some failures. */
function readable(output: string): string {
  return output
    .split('\n')
    .map((line) => (line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line))
    .join('\n');
}

/** Makes what generated requests find by its id: running and ended jobs, open and complete uploads, a file. */
async function furnish(api: TestApi, key: string): Promise<void> {
  const made = async (path: string, body: unknown): Promise<Answer['body']> => {
    const answer = await api.call(key, 'POST', path, body);
    // A machine under load may not open an upload in time, and says so.
    if (answer.status === 503) return made(path, body);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.be.oneOf([200, 201]);
    return answer.body;
  };
  const { jobId } = await made('jobs/submit', noopJob(2));
  await made('jobs/submit', noopJob(1, { seconds: 3600 }));
  const content = 'HEADER\n';
  const file = { filename: 'a.pdb', contentType: 'chemical/x-pdb', size: content.length };
  await made('uploads', file);
  await made('uploads', { ...file, checksumAlgorithm: 'sha256', sha256: sha256(content) });
  const storageKey = await api.upload(key, content);
  await made('molecular/docking/artifacts', { storageKey, format: 'pdb' });
  // The jobs that the calls of the other test have made wait for the same instances.
  await api.ends(key, jobId, 180);
}

describe('the API and its document', function () {
  this.timeout(LIMIT_MS + 60_000);
  let api: TestApi;

  before(async () => {
    api = await openTestApi({
      DOCKYARD_PROVIDER: 'inprocess',
      DOCKYARD_COMPUTE_MODE: 'inprocess',
      DOCKYARD_RATE_LIMIT_SCALE: '100000',
      ...tuned({ inspectionWaitSeconds: 0.5 }),
    });
  });

  let furnished: Promise<readonly NewAccount[]> | undefined;
  /** Two accounts with what requests find by its id. */
  const accounts = (): Promise<readonly NewAccount[]> => (furnished ??= furnishedAccounts());
  const furnishedAccounts = async (): Promise<readonly NewAccount[]> => {
    const made = await Promise.all([api.account(10_000_000), api.account(10_000_000)]);
    await Promise.all(made.map(async ({ liveKey }) => furnish(api, liveKey)));
    return made;
  };
  const agree = async (
    callers: readonly Readonly<Record<string, string>>[],
    excluded: readonly string[],
    only: readonly string[] = [],
  ): Promise<void> => {
    const callersFile = join(api.stack.home, 'contract-callers.json');
    const users = callers.map((headers, index) => ({
      name: ['one', 'two'][index],
      fixedHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    }));
    await writeFile(callersFile, JSON.stringify({ auth: users }));
    const documentFile = join(api.stack.home, 'contract-document.json');
    await writeFile(documentFile, JSON.stringify(buildOpenApi(endpoints, 'closed')));
    const { exitCode, output } = await run(
      [
        ...[
          '--config-file',
          'schemathesis.toml',
          'run',
          documentFile,
          '--url',
          `${api.stack.apiUrl}${API_BASE}`,
        ],
        ...['--checks', 'all', '--seed', SEED, '--max-examples', EXAMPLES, '--no-color'],
        ...['--phases', PHASES],
        ...excluded.flatMap((operation) => ['--exclude-operation-id', operation]),
        ...only.flatMap((operation) => ['--include-operation-id', operation]),
      ],
      callersFile,
    );
    expect(exitCode, readable(output)).to.equal(0);
  };

  it('agree on every request that can be made from it with a key', async () => {
    const callers = (await accounts()).map(({ liveKey }) => ({ Authorization: `Bearer ${liveKey}` }));
    // The first request of this operation would end the key that all others are made with.
    await agree(callers, [...WITHOUT_PROVIDER, ...FROM_ROOT, ...STREAMS, 'revokeThisApiKey']);
  });

  it('agree on every request that can be made from it with the session of an owner', async () => {
    const callers = await Promise.all(
      (await accounts()).map(async ({ accountId }) => {
        const { cookie, origin } = (await sessionOf(api, accountId)).headers;
        return { Cookie: cookie, Origin: origin };
      }),
    );
    const excluded = [...WITHOUT_PROVIDER, ...FROM_ROOT, ...ENDING_SESSIONS, ...REACHING_OUT, ...STREAMS];
    const only = FOR_PEOPLE.filter((operation) => !excluded.includes(operation));
    await (IS_WHOLE ? agree(callers, excluded) : agree(callers, [], only));
  });
});
