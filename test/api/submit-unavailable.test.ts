/** Submits while a part of the service is away: the customer is told in time, and the job never starts late. */
import { expect } from 'chai';

import { openApiServices } from '../../src/bin/process/api-services.ts';
import { createLogger } from '../../src/bin/process/logger.ts';
import { loadConfig } from '../../src/config.ts';
import type { Services } from '../../api/services.ts';
import type { Actor } from '../../src/domain/access.ts';
import type { AppError } from '../../src/domain/errors.ts';
import type { SubmitJobRequest } from '../../src/domain/requests.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { freePort } from '../support/ports.ts';
import { NOTHING, noopJob, sha256, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { tuned } from '../support/tuning.ts';

describe('POST /jobs/submit: parts of the service away, or many of them', () => {
  let api: TestApi;
  let owner: NewAccount;
  const closing: (() => Promise<void>)[] = [];
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    owner = await api.account();
  });
  after(async () => {
    for (const close of closing) await close();
  });

  /** Services of another API process over the same database, with other settings. */
  const servicesWith = async (settings: Readonly<Record<string, string>>): Promise<Services> => {
    const config = loadConfig('api', { ...api.stack.env, DOCKYARD_TEST_TOOLS: TEST_TOOLS, ...settings });
    const { services, close } = await openApiServices(config, createLogger('test', 'silent'));
    closing.push(close);
    return services;
  };
  const refusal = async (work: Promise<unknown>): Promise<AppError> =>
    work.then(
      () => expect.fail('was accepted'),
      (error: unknown) => error as AppError,
    );
  const command = (key: string) => {
    const body = noopJob() as unknown as SubmitJobRequest;
    return { body, fingerprint: sha256(JSON.stringify(body)), idempotencyKey: key };
  };
  const actorOf = (services: Services): Promise<Actor> => services.identity.authenticate(owner.liveKey);

  it('503 at once while Temporal cannot be reached, and stored answers still come', async () => {
    const away = await servicesWith({ DOCKYARD_TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` });
    const actor = await actorOf(away);
    const startedAt = performance.now();
    const error = await refusal(away.jobs.submit(actor, command('while-it-is-away')));
    expect(error).to.include({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    expect(error.publicMessage).to.include('same Idempotency-Key');
    expect(performance.now() - startedAt).to.be.below(30_000);
    expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);

    const here = await servicesWith({});
    const accepted = await here.jobs.submit(actor, command('while-it-is-away'));
    expect(await away.jobs.submit(actor, command('while-it-is-away'))).to.deep.equal({
      ...accepted,
      idempotentReplay: true,
    });
    expect((await refusal(away.jobs.cancel(actor, accepted.jobId, {}))).code).to.be.oneOf([
      'SERVICE_UNAVAILABLE',
    ]);
    expect((await away.health.check()).dependencies.temporal.ok).to.equal(false);
  });

  it('503 when nobody decides within the wait; the same key is accepted afterwards', async () => {
    const other = await api.account();
    const hurried = await servicesWith(tuned({ admissionWaitSeconds: 0.005 }));
    const actor = await hurried.identity.authenticate(other.liveKey);
    const error = await refusal(hurried.jobs.submit(actor, command('decided-too-late')));
    expect(error).to.include({ code: 'SERVICE_UNAVAILABLE' });
    const patient = await servicesWith({});
    const accepted = await patient.jobs.submit(actor, command('decided-too-late'));
    expect(accepted.status).to.equal('SUBMITTED');
    expect(await api.leftovers(other.accountId)).to.include({ jobs: 1, holds: 1 });
  });

  it('never starts a job after admitBy', async () => {
    const other = await api.account();
    const late = await servicesWith(tuned({ admitBySeconds: 0.000001 }));
    const actor = await late.identity.authenticate(other.liveKey);
    const error = await refusal(late.jobs.submit(actor, command('after-admit-by')));
    expect(error).to.include({ code: 'SERVICE_UNAVAILABLE' });
    expect(await api.leftovers(other.accountId)).to.deep.equal(NOTHING);
  });

  it('makes one job of equal submits in more api processes than the workflow takes updates', async () => {
    const other = await api.account();
    const processes = await Promise.all(
      Array.from({ length: 14 }, () => servicesWith({ DOCKYARD_DATABASE_POOL_SIZE: '2' })),
    );
    const actor = await (processes[0] ?? expect.fail('none')).identity.authenticate(other.liveKey);
    const answers = await Promise.all(
      processes.flatMap(({ jobs }) => [
        jobs.submit(actor, command('many-processes')),
        jobs.submit(actor, command('many-processes')),
      ]),
    );
    expect(new Set(answers.map((answer) => answer.jobId)).size).to.equal(1);
    expect(await api.leftovers(other.accountId)).to.include({ jobs: 1, holds: 1 });
  });

  it('tells the truth in /readyz, and goes on answering /healthz', async () => {
    expect((await api.call(null, 'GET', '/healthz')).status).to.equal(200);
    const ready = await api.call(null, 'GET', '/readyz');
    expect(ready.status).to.equal(200);
    expect(ready.body.ok).to.equal(true);
    const away = await servicesWith({ DOCKYARD_GATEWAY_URL: `http://127.0.0.1:${await freePort()}` });
    expect((await away.health.check()).dependencies).to.deep.include({
      postgres: { ok: true },
      storage: { ok: true },
      temporal: { ok: true },
    });
    expect((await away.health.check()).ok).to.equal(false);
  });
});
