/**
 * The document says what the server does, and the server does what the document says. Schemathesis makes requests from
 * `/api/v1/openapi.json`: a request that fits the document is not answered 400, a request that does not fit is refused,
 * and every answer has a status, a media type, headers and a body that the document names. All checks of Schemathesis
 * run. The account has jobs, uploads and artifacts of its own, which generated requests find by their ids.
 */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { projectRoot, findTool } from '../../src/stack/tools.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { noopJob, openTestApi, sha256 } from '../support/api.ts';

/** Any fixed number, so that every run makes the same requests. Other seeds and more examples find rarer faults. */
const SEED = process.env['DOCKYARD_CONTRACT_SEED'] ?? '20260101';
const EXAMPLES = process.env['DOCKYARD_CONTRACT_EXAMPLES'] ?? '12';
const LIMIT_MS = 600_000 + Number(EXAMPLES) * 10_000;
const FOLDER = join(projectRoot, 'test/contract');
const SHOWN_CHARACTERS = 600;

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
  await api.ends(key, jobId, 60);
}

describe('the API and its document', function () {
  this.timeout(LIMIT_MS + 60_000);
  let api: TestApi;

  before(async () => {
    api = await openTestApi({
      DOCKYARD_PROVIDER: 'inprocess',
      DOCKYARD_COMPUTE_MODE: 'inprocess',
      DOCKYARD_RATE_LIMIT_SCALE: '100000',
      // No server answers at this address, so that no generated PDB id leaves this machine.
      DOCKYARD_STRUCTURES_URL: 'http://127.0.0.1:9',
      DOCKYARD_INSPECTION_WAIT_SECONDS: '0.5',
    });
  });

  it('agree on every request that can be made from it', async () => {
    const accounts = await Promise.all([api.account(10_000_000), api.account(10_000_000)]);
    await Promise.all(accounts.map(async ({ liveKey }) => furnish(api, liveKey)));
    const keysFile = join(api.stack.home, 'contract-keys.json');
    const users = accounts.map(({ liveKey }, index) => ({
      name: ['one', 'two'][index],
      fixedHeaders: [{ name: 'Authorization', value: `Bearer ${liveKey}` }],
    }));
    await writeFile(keysFile, JSON.stringify({ auth: users }));
    const { exitCode, output } = await run(
      [
        ...['--config-file', 'schemathesis.toml', 'run', `${api.stack.apiUrl}/api/v1/openapi.json`],
        ...['--checks', 'all', '--seed', SEED, '--max-examples', EXAMPLES, '--no-color'],
        // The first request of this operation would end the key that all others are made with.
        ...['--exclude-operation-id', 'revokeThisApiKey'],
        // No provider of payments is set up here, and no schema knows the address of the installation's pages.
        ...['--exclude-operation-id', 'startTopup'],
        ...['--exclude-operation-id', 'subscribe'],
        ...['--exclude-operation-id', 'openBillingPortal'],
      ],
      keysFile,
    );
    expect(exitCode, readable(output)).to.equal(0);
  });
});
