/** Where tracing is off, nothing of a job has a trace, although the caller sends one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { noopJob, testApi } from '../support/api.ts';

describe('tracing that is off', function () {
  this.timeout(240_000);

  it('leaves no mark in workflows, tools and logs, and the lines of the job name the job', async () => {
    const api = await testApi();
    const { liveKey: key } = await api.account();
    const headers = { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` };
    const { jobId } = (await api.call(key, 'POST', 'jobs/submit', noopJob(), { headers })).body;
    expect((await api.ends(key, jobId, 30)).body.status).to.equal('SUCCEEDED');

    const toolLog = await api.call(key, 'GET', `jobs/${jobId}/tasks/0/log`);
    expect(JSON.stringify(toolLog.body)).to.not.contain('trace');
    const connection = await Connection.connect({ address: api.stack.temporalAddress });
    try {
      const history = await new Client({ connection, namespace: api.stack.temporalNamespace }).workflow
        .getHandle(jobWorkflowId(jobId))
        .fetchHistory();
      expect(JSON.stringify(history)).to.not.contain('traceparent');
    } finally {
      await connection.close();
    }
    const log = await readFile(join(api.stack.home, 'logs', 'api.log'), 'utf8');
    const [line = '{}'] = log.split('\n').filter((text) => text.includes(jobId));
    expect(JSON.parse(line)).to.include({ jobId, operation: 'submitJob' });
    expect(log).to.not.contain('traceId');
  });
});
