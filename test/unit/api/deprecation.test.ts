/** What clients learn of operations and fields that will go, and that nothing goes early. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import Joi from 'joi';

import { API_BASE, endpoints } from '../../../api/endpoints.ts';
import {
  brokenAnnouncements,
  listDeprecations,
  readAnnouncements,
} from '../../../api/http/announced-deprecations.ts';
import { deprecatedField, deprecation } from '../../../api/http/deprecation.ts';
import type { Endpoint } from '../../../api/http/endpoint.ts';
import { defineEndpoint, json } from '../../../api/http/endpoint.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import { repositoryRoot } from '../../../scripts/test-plan.ts';
import type { Loose } from './samples.ts';
import { DOCKING, TestApp } from './test-app.ts';
import type { Reply } from './test-app.ts';

const OLD = deprecation({ since: '2026-01-01', sunset: '2026-06-01', successor: '/api/v2/things' });
const FIELD = { since: '2026-02-01', sunset: '2026-12-01' };

const thing = (operationId: string, more: Partial<Endpoint>): Endpoint =>
  defineEndpoint({
    ...{
      method: 'POST',
      path: `/${operationId}`,
      operationId,
      tag: 'Jobs',
      summary: 'Do',
      description: 'Does.',
    },
    ...{ access: 'any', limit: 'read', idempotency: 'none', errors: [] },
    body: Joi.object({
      kept: Joi.string(),
      old: Joi.string().meta(deprecatedField(FIELD)),
      list: Joi.array().items(Joi.object({ old: Joi.string().meta(deprecatedField(FIELD)) })),
    }),
    answers: { 200: { description: 'Done.', schema: Joi.object({ ok: Joi.boolean() }) } },
    handle: async () => json(200, { ok: true }),
    ...more,
  });

const PLAIN = thing('plain', {});
const GOING = thing('going', { deprecated: OLD });
const TELLING = thing('telling', {
  answers: {
    200: {
      description: 'Done.',
      schema: Joi.object({
        ok: Joi.boolean(),
        old: Joi.string().meta(deprecatedField({ ...FIELD, successor: '/x' })),
      }),
    },
  },
});

describe('deprecations', () => {
  let app: TestApp;
  const told = ({ headers }: Reply): (string | null)[] =>
    ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
  const OF_FIELD = ['@1769904000', 'Tue, 01 Dec 2026 00:00:00 GMT', null];
  const NOTHING = [null, null, null];

  describe('of endpoints', () => {
    before(async () => {
      app = await new TestApp({ endpoints: [PLAIN, GOING, TELLING] }).start();
    });
    after(() => app.stop());
    const send = (path: string, body: unknown, key?: string | null): Promise<Reply> =>
      app.call('POST', `/api/v1/${path}`, { body, ...(key === undefined ? {} : { key }) });

    it('are told on every answer of a deprecated operation, refusals too', async () => {
      const all = [
        '@1767225600',
        'Mon, 01 Jun 2026 00:00:00 GMT',
        '</api/v2/things>; rel="successor-version"',
      ];
      for (const reply of [
        await send('going', {}),
        await send('going', { unknown: 1 }),
        await send('going', {}, null),
        await send('going', {}, 'svc_live_unknown'),
      ])
        expect(told(reply), reply.text).to.deep.equal(all);
    });

    it('are told of a field to whoever sends it, anywhere in the body, and to nobody else', async () => {
      expect(told(await send('plain', { kept: 'x' }))).to.deep.equal(NOTHING);
      expect(told(await send('plain', { old: 'x' }))).to.deep.equal(OF_FIELD);
      expect(told(await send('plain', { list: [{}, { old: 'x' }] }))).to.deep.equal(OF_FIELD);
      expect(told(await send('plain', { list: [{}] }))).to.deep.equal(NOTHING);
    });

    it('are told of a field of the answer on each answer', async () => {
      expect(told(await send('telling', {}))).to.deep.equal([
        ...OF_FIELD.slice(0, 2),
        '</x>; rel="successor-version"',
      ]);
    });

    it('are told together with the earliest days', async () => {
      expect(told(await send('going', { old: 'x' }))[1]).to.equal('Mon, 01 Jun 2026 00:00:00 GMT');
    });

    it('are marked in the document', () => {
      const document: Loose = buildOpenApi([PLAIN, GOING]);
      const marks = { deprecated: true, 'x-deprecated-since': '2026-01-01', 'x-sunset': '2026-06-01' };
      expect(document.paths['/going'].post).to.include(marks);
      expect(document.paths['/plain'].post).to.not.have.property('deprecated');
      const { properties } = document.paths['/plain'].post.requestBody.content['application/json'].schema;
      expect(properties.old).to.include({ deprecated: true, 'x-sunset': '2026-12-01' });
      expect(document.paths['/plain'].post.responses['200'].headers).to.include.keys(
        'Deprecation',
        'Sunset',
        'Link',
      );
    });
  });

  it('are told of priority and metadata.instanceType', async () => {
    app = await new TestApp().start();
    try {
      const since = '@1795305600';
      expect(told(await app.submit({ ...DOCKING, priority: 1 }))[0]).to.equal(since);
      expect(told(await app.submit({ ...DOCKING, metadata: { instanceType: 'x' } }))[0]).to.equal(since);
      expect(told(await app.submit(DOCKING))).to.deep.equal(NOTHING);
    } finally {
      await app.stop();
    }
  });

  it('leave at least 90 days', () => {
    expect(() => deprecation({ since: '2026-01-01', sunset: '2026-03-31' })).to.throw('90 days');
    expect(() => deprecation({ since: '2026-01-01', sunset: 'soon' })).to.throw('days as');
    expect(() => deprecation({ since: '2026-01-01', sunset: '2026-04-01' })).to.not.throw();
  });

  it('that were announced are kept until their day', () => {
    const text = readFileSync(join(repositoryRoot, 'docs/deprecations.json'), 'utf8');
    const announced = readAnnouncements(text);
    const declared = listDeprecations(API_BASE, endpoints);
    expect(announced.map(({ what }) => what)).to.include.members([
      'POST /api/v1/jobs/submit body.priority',
      'POST /api/v1/jobs/submit body.metadata.instanceType',
    ]);
    expect(brokenAnnouncements(announced, declared, new Date().toISOString().slice(0, 10))).to.deep.equal([]);

    const without = declared.filter(({ what }) => !what.endsWith('priority'));
    expect(brokenAnnouncements(announced, without, '2027-05-31')).to.deep.equal([
      'POST /api/v1/jobs/submit body.priority was announced to stay until 2027-06-01, and is gone or no longer marked.',
    ]);
    expect(brokenAnnouncements(announced, without, '2027-06-01')).to.deep.equal([]);
    const sooner = declared.map((each) => ({ ...each, sunset: '2027-04-01' }));
    expect(brokenAnnouncements(announced, sooner, '2027-01-01')).to.have.length(announced.length);
  });
});
