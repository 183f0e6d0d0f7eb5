/**
 * Clients that always send every field: a field that the job does not use is accepted, answered with a warning, and
 * changes nothing.
 */
import { expect } from 'chai';

import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, testApi, withoutQuote } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';

const OF_RENDERS = { frameStart: 1, frameEnd: 500, frameStep: 10, outputFormat: 'EXR' };
const OF_PICTURES = { resolution: '1920x1080', fps: 25 };
const RENDER_PATHS = Object.keys(OF_RENDERS);
const DOCKING = {
  jobType: 'simulation',
  simulator: 'vina',
  simulationParams: {
    receptorPdbId: '1A28',
    pocketLigand: 'STR',
    ligandIdentity: { ligandId: 'a', label: 'a', source: { kind: 'smiles', smiles: 'Oc1ccccc1' } },
  },
};

describe('fields for other job types and simulators', () => {
  let api: TestApi;
  let owner: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    owner = await api.account();
  });

  const estimate = (body: unknown): Promise<Answer> => api.call(owner.testKey, 'POST', 'jobs/estimate', body);
  const pathsOf = (warnings: readonly { readonly code: string; readonly message: string }[]): string[] => {
    expect(warnings.every(({ code }) => code === 'PARAMETER_UNUSED')).to.equal(true);
    return warnings.map(({ message }) => message.split(' ')[0] ?? '');
  };

  it('are accepted by a submit, named in its message and in the warnings of the status, and used for nothing', async () => {
    const job = noopJob(2);
    const body = { ...job, ...OF_RENDERS, metadata: { noop: { seconds: 0 }, ...OF_PICTURES } };
    const answer = await api.submit(owner.liveKey, body, 'a-client-that-sends-all');
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const paths = [...RENDER_PATHS, 'metadata.resolution', 'metadata.fps'];
    expect(answer.body.message).to.contain(`This job does not use ${paths.join(', ')}.`);
    const { jobId } = answer.body;
    const first = await api.call(owner.liveKey, 'GET', `jobs/${jobId}/status`);
    expect(pathsOf(first.body.warnings)).to.deep.equal(paths);
    const { body: ended } = await api.reaches(owner.liveKey, jobId, 'SUCCEEDED');
    expect(pathsOf(ended.warnings)).to.deep.equal(paths);
    expect(ended.progress.total).to.equal(2);

    const plain = await api.submit(owner.liveKey, job);
    expect(plain.body.message).to.not.contain('does not use');
    expect(answer.body.heldCents).to.equal(plain.body.heldCents);
    const status = await api.call(owner.liveKey, 'GET', `jobs/${plain.body.jobId}/status`);
    expect(status.body.warnings).to.deep.equal([]);

    const replay = await api.submit(owner.liveKey, body, 'a-client-that-sends-all');
    expect(replay.body).to.deep.equal({ ...answer.body, idempotentReplay: true });
    const other = await api.submit(owner.liveKey, { ...body, frameEnd: 501 }, 'a-client-that-sends-all');
    expect(other.body.code, 'the body as it was sent is what a key belongs to').to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('are accepted by an estimate, which says so, and change no price', async () => {
    const bare = { jobType: 'simulation', simulator: 'noop', taskCount: 40 };
    const { outputFormat: _submitOnly, ...frames } = OF_RENDERS;
    const answer = await estimate({ ...bare, ...frames, metadata: OF_PICTURES });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const { warnings, ...price } = answer.body;
    expect(pathsOf(warnings)).to.deep.equal([
      ...['frameStart', 'frameEnd', 'frameStep', 'metadata.resolution', 'metadata.fps'],
    ]);
    const plain = await estimate(bare);
    expect(withoutQuote({ ...price, warnings: [] })).to.deep.equal(withoutQuote(plain.body));
  });

  it('of another simulator are told, too', async () => {
    const simulationParams = { ...DOCKING.simulationParams, blastEvalue: 0.1, maxPockets: 3, cpuThreads: 8 };
    const sent = { ...DOCKING, simulationParams };
    const priced = await estimate(sent);
    expect(priced.status, JSON.stringify(priced.body)).to.equal(200);
    expect(priced.body.warnings.map(({ message }: { message: string }) => message)).to.deep.equal([
      'simulationParams.blastEvalue is not used by autodock-vina.',
      'simulationParams.maxPockets is not used by autodock-vina.',
      'simulationParams.cpuThreads is not used by autodock-vina.',
    ]);
    const plain = await estimate(DOCKING);
    expect(withoutQuote({ ...priced.body, warnings: [] })).to.deep.equal(withoutQuote(plain.body));

    const { body } = await api.submit(owner.liveKey, sent);
    const status = await api.call(owner.liveKey, 'GET', `jobs/${body.jobId}/status`);
    await api.call(owner.liveKey, 'POST', `jobs/${body.jobId}/cancel`);
    expect(pathsOf(status.body.warnings)).to.have.length(3);
  });

  it('are valid by themselves, or refused; so is what nobody knows', async () => {
    for (const wrong of [
      { frameStart: '1' },
      { frameStep: 0 },
      { outputFormat: 'TIFF' },
      { metadata: { fps: 0 } },
      { simulationParams: { blastEvalue: -1 } },
      { simulationParams: { blastColour: 'red' } },
      { frameStrat: 1 },
    ]) {
      const name = Object.keys(wrong)[0] ?? '';
      const submitted = await api.submit(owner.liveKey, { ...noopJob(), ...wrong });
      expect(submitted.body, name).to.include({ code: 'VALIDATION_ERROR' });
      expect(submitted.body.error).to.contain(`"${name}`);
      if (name === 'outputFormat') continue;
      const priced = await estimate({ jobType: 'simulation', simulator: 'noop', ...wrong });
      expect(priced.body, name).to.include({ code: 'VALIDATION_ERROR' });
    }
  });

  it('are no reason to refuse a render: what a simulation would look up is not looked at', async () => {
    const simulationParams = {
      receptorArtifact: {
        ...{ schema: 'svc.docking.artifact/v1', artifactId: 'none', storageKey: 'nobody/has/this' },
        ...{ sha256: 'a'.repeat(64), byteSize: 1, mediaType: 'text/plain', format: 'pdb' },
      },
    };
    const fields = { frameStart: 1, simulator: 'no such', taskCount: 2, simulationParams };
    const render = { jobType: 'render', metadata: { software: 'maya' }, ...fields };
    for (const answer of [await api.submit(owner.liveKey, render), await estimate(render)])
      expect(answer.body, JSON.stringify(answer.body)).to.include({ code: 'JOB_TYPE_UNAVAILABLE' });
  });
});
