/**
 * No log of any process has what a customer sent, and no span. Every field of every declared request carries a mark; the requests are
 * sent while all is well, while every write fails with the row in the error, and while every statement fails with its
 * parameters in the error. Then all logs are searched, those of PostgreSQL, Temporal and the store, too,
 * and every span that the processes have sent to their collector.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';
import pLimit from 'p-limit';

import { endpoints } from '../../api/endpoints.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { openTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { openCollector } from '../support/collector.ts';
import type { Collector } from '../support/collector.ts';
import { documentedSample, markedAnew, markedRequests, newMark } from '../support/marks.ts';
import type { MarkedRequest, Sample } from '../support/marks.ts';
import { sessionOf } from '../support/session-of.ts';
import type { OwnSession } from '../support/session-of.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { tuned } from '../support/tuning.ts';

/**
 * Tables of keys, money and the machinery, which have nothing of a customer. These tables stay writable: else no call
 * would be authenticated, and no job would come to its row.
 */
const PLAIN_TABLES = [
  ...['migrations', 'accounts', 'api_keys', 'revocation_epoch'],
  ...['ledger_balances', 'ledger_transfers', 'holds'],
];

/** The operations that only people may call: a key would be refused before anything of its request comes to a statement. */
const FOR_PEOPLE = endpoints.filter(({ access }) => access === 'session' || access === 'owner');
/** The operations that end the session that they are called with; each has an account of its own. */
const ENDING_SESSIONS = ['signOut', 'endSessions', 'closeAccount'];

const BOX_AT_LIGAND = { derivation: { kind: 'ligand', componentId: 'STR' } };

/** The ids of what the requests are about. */
interface Made extends Readonly<Record<string, string>> {
  readonly jobId: string;
  readonly uploadId: string;
  readonly licenseServerId: string;
}

/** What the operations need to be accepted whose example in the document would not do. */
const samplesOf = ({ licenseServerId }: Made): Readonly<Record<string, Sample>> => {
  const licenseServer = {
    ...{ name: newMark(), software: newMark(), protocol: 'https', host: newMark(), port: 5053 },
    secret: newMark(),
  };
  const ligand = { ligandId: newMark(), label: newMark(), source: { kind: 'smiles', smiles: newMark() } };
  const simulationParams = { ligandLibrary: [ligand] };
  const simulation = { jobType: 'simulation', simulator: 'noop', taskCount: 1, simulationParams };
  return {
    submitJob: {
      body: { ...simulation, metadata: { noop: { seconds: 0 }, project: newMark() } },
      refused: ['body.sceneFile', 'body.attachments.0', 'body.idempotencyKey'],
    },
    estimateJob: { body: simulation },
    createDockingExperiment: {
      body: {
        ...{ name: newMark(), ligand, parameters: { box: BOX_AT_LIGAND, protocol: {} } },
        receptor: { source: { kind: 'pdb', pdbId: '1abc' } },
      },
    },
    createDockingBatch: {
      body: { name: newMark(), engine: 'noop', ligands: [ligand], metadata: { noop: { seconds: 0 } } },
    },
    getStructureFacts: { params: { pdbId: '1abc' }, query: { sha256: '0'.repeat(64) } },
    addLicenseServer: { body: licenseServer },
    // An address that is refused before anybody is asked for it.
    createWebhook: { body: { url: `https://169.254.169.254/${newMark()}`, types: ['topup.paid'] } },
    // The others are of a server that nobody has: a test of this one would look the name of its host up.
    ...Object.fromEntries(
      ['getLicenseServer', 'removeLicenseServer', 'testLicenseServer'].map((operation) => [
        operation,
        { params: { licenseServerId: randomUUID() } },
      ]),
    ),
    changeLicenseServer: { params: { licenseServerId }, body: licenseServer },
    oidcCallback: { query: { state: newMark(), code: newMark() } },
  };
};

const REQUESTS_AT_ONCE = 12;

describe('logs and spans', function () {
  this.timeout(180_000);
  let api: TestApi;
  let collector: Collector;
  let owner: NewAccount;
  let next: NewAccount;
  /** The sessions of people, by their accounts, and those for the operations that end their own. */
  const sessions = new Map<string, OwnSession>();
  /** The fields that were marked, by their marks. */
  const marks = new Map<string, string>();
  /** The requests of each operation, as they were sent last. */
  const sent = new Map<string, readonly MarkedRequest[]>();

  before(async () => {
    collector = await openCollector();
    api = await openTestApi({
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' },
      ...{ DOCKYARD_PROVIDER: 'inprocess', DOCKYARD_COMPUTE_MODE: 'inprocess', DOCKYARD_LOG_LEVEL: 'debug' },
      ...tuned({ admissionWaitSeconds: 5, inspectionWaitSeconds: 1 }),
      // Nothing answers there: no test fetches structures from the archive.
      DOCKYARD_STRUCTURES_URL: 'http://127.0.0.1:9/',
    });
    [owner, next] = await Promise.all([api.account(), api.account()]);
    for (const { accountId } of [owner, next]) sessions.set(accountId, await sessionOf(api, accountId));
    for (const operation of ENDING_SESSIONS)
      sessions.set(operation, await sessionOf(api, (await api.account()).accountId));
  });
  after(async () => {
    await endTestStack(api.stack);
    await collector.close();
  });

  const logs = async (): Promise<ReadonlyMap<string, string>> => {
    const folder = join(api.stack.home, 'logs');
    const names = await readdir(folder);
    return new Map(
      await Promise.all(
        names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
      ),
    );
  };
  const send = async (endpoint: Endpoint, request: MarkedRequest): Promise<number> => {
    for (const [mark, field] of request.marks) marks.set(mark, field);
    const session = FOR_PEOPLE.includes(endpoint)
      ? (sessions.get(endpoint.operationId) ?? sessions.get(owner.accountId))
      : undefined;
    const headers = { ...request.headers, ...session?.headers };
    // That operation ends the key that it is called with.
    const key = endpoint.operationId === 'revokeThisApiKey' ? owner.testKey : owner.liveKey;
    const { method, path, body } = request;
    const answer = await api.call(session === undefined ? key : null, method, path, body, { headers });
    return answer.status;
  };
  /** Sends both requests of every endpoint, and answers the statuses of the accepted ones by operation. */
  const sendAll = async (made: Made, atOnce = Infinity): Promise<Map<string, number>> => {
    const turn = pLimit(atOnce);
    const samples = samplesOf(made);
    const statuses = new Map<string, number>();
    await turn.map(endpoints, async (endpoint) => {
      const sample = samples[endpoint.operationId] ?? documentedSample(endpoint, made);
      for (const [mark] of JSON.stringify(sample).matchAll(/Qzmark\d+x/g))
        marks.set(mark, `${endpoint.operationId} sample`);
      const [accepted, refused] =
        sent.get(endpoint.operationId)?.map(markedAnew) ?? markedRequests(endpoint, sample);
      if (accepted !== undefined && refused !== undefined)
        sent.set(endpoint.operationId, [accepted, refused]);
      for (const request of [refused, accepted]) {
        if (request === undefined) throw new Error('There are two requests of each endpoint.');
        statuses.set(endpoint.operationId, await send(endpoint, request));
      }
    });
    return statuses;
  };
  const failing = (statuses: ReadonlyMap<string, number>): string[] =>
    [...statuses].filter(([, status]) => status >= 500).map(([operation]) => operation);

  it('have nothing that a customer sent, whatever fails', async () => {
    const request = { jobType: 'simulation', simulator: 'noop', taskCount: 1 };
    const submit = () => api.submit(owner.liveKey, request, 'the-first-job');
    let job = await submit();
    // A stack that has just started may be busier than a submit waits; a client sends it again.
    await until('the job is taken', async () => job.status !== 503 || (job = await submit()).status !== 503);
    const file = { filename: newMark(), contentType: 'text/plain', size: 1 };
    marks.set(file.filename, 'initMultipartUpload filename');
    const upload = await api.call(owner.liveKey, 'POST', 'uploads', file);
    expect([job.status, upload.status]).to.deep.equal([200, 201]);
    const { jobId } = job.body;
    const { uploadId } = upload.body;
    const server = { name: newMark(), software: newMark(), protocol: 'tcp', host: newMark(), port: 5053 };
    for (const mark of [server.name, server.software, server.host])
      marks.set(mark, 'addLicenseServer before');
    const { headers } = sessions.get(owner.accountId) ?? expect.fail('no session');
    const added = await api.call(null, 'POST', 'settings/license-servers', server, { headers });
    expect(added.status, JSON.stringify(added.body)).to.equal(201);
    const made = { jobId, uploadId, licenseServerId: added.body.id };

    const spansOfJob = (): string[] =>
      collector
        .spans()
        .filter(({ attributes }) => attributes['dockyard.job.id'] === jobId)
        .map(({ name }) => name);
    // The job is cancelled below.
    await until('a shard of the job has run', () => spansOfJob().includes('runShard'));

    // All at once, some would wait for their workflows longer than the API waits, where the machine has other work.
    const well = await sendAll(made, REQUESTS_AT_ONCE);
    // Without the dictionary of components only SMILES resolve, and a mark is no SMILES. Nobody takes payments here.
    const unable = ['resolveLigand', 'startTopup', 'subscribe', 'openBillingPortal'];
    const wanted = endpoints.filter(({ operationId }) => !unable.includes(operationId));
    await until('every request is taken', async () => {
      // A machine that has other work may be busier than a submit waits; a client sends its request again.
      for (const endpoint of wanted.filter(({ operationId }) => failing(well).includes(operationId))) {
        const request = sent.get(endpoint.operationId)?.[0] ?? expect.fail('nothing was sent');
        well.set(endpoint.operationId, await send(endpoint, request));
      }
      return wanted.every(({ operationId }) => !failing(well).includes(operationId));
    });
    expect(well.get('submitJob'), 'the marked job is admitted').to.equal(200);
    const ofPeople = [
      'addLicenseServer',
      'changeLicenseServer',
      'setBillingSettings',
      'approveCli',
      'createApiKey',
    ];
    for (const operation of ofPeople) expect(well.get(operation), operation).to.be.oneOf([200, 201]);

    const tables = await api.db.query<{ name: string }[]>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
      [PLAIN_TABLES],
    );
    // One statement a table: a statement over all tables could deadlock with those of the processes.
    for (const { name } of tables)
      await api.db.query(`alter table ${name} add constraint refused_${name} check (false) not valid`);
    const refused = await sendAll(made);
    expect(failing(refused)).to.include.members(['submitJob', 'createUploadUrl', 'cancelJob']);
    expect(failing(refused)).to.include.members([
      'addLicenseServer',
      'changeLicenseServer',
      'approveCli',
      'inviteMember',
    ]);
    await until('the control worker has tried to admit the job', async () =>
      ((await logs()).get('control.log') ?? '').includes('refused_jobs'),
    );

    // A key that is used for the first time is known to the API for a minute from now on, while the tables are gone.
    const keys = [owner.liveKey, owner.testKey, next.liveKey];
    owner = next;
    expect((await api.call(owner.liveKey, 'GET', 'simulators')).status).to.equal(200);
    await api.db.query('alter schema public rename to hidden');
    const gone = await sendAll(made);
    expect(failing(gone)).to.include.members(['listJobs', 'getJobStatus', 'createUploadUrl', 'submitJob']);

    const told = (): ReadonlySet<unknown> =>
      new Set(collector.spans().map(({ attributes }) => attributes['dockyard.operation']));
    await until('spans of every operation came', () =>
      endpoints.every(({ operationId }) => told().has(operationId)),
    );
    expect(spansOfJob(), 'the spans of a job').to.include.members(['planTasks', 'runShard']);

    const all = new Map([...(await logs()), ['spans', collector.texts.join('\n')]]);
    const text = [...all.values()].join('\n');
    expect(text, 'the failures of the API are told')
      .to.contain('refused_idempotency_keys')
      .and.contain('42P01');
    expect(marks.size).to.be.greaterThan(300);
    // Addresses of mails are told in small letters, and so a mark within one would be.
    const found = [...all].flatMap(([name, lines]) =>
      [...new Set(lines.match(/Qzmark\d+x/gi))].map((mark) => `${name}: ${marks.get(`Q${mark.slice(1)}`)}`),
    );
    expect(found).to.deep.equal([]);
    for (const key of keys) expect(text.includes(key), 'a key').to.equal(false);
  });
});
