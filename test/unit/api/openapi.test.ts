import { readFile } from 'node:fs/promises';

import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';

import { endpoints } from '../../../api/endpoints.ts';
import { defineEndpoint, json } from '../../../api/http/endpoint.ts';
import { TAGS } from '../../../api/http/tags.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import type { Loose } from './samples.ts';
import { ligand, library } from './samples.ts';

const document: Loose = buildOpenApi(endpoints);

function validatorOf(name: string): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as Loose).default(ajv);
  ajv.addSchema({ $id: 'doc', components: document.components });
  const validate = ajv.compile({ $ref: `doc#/components/schemas/${name}` });
  return (value) => validate(value);
}

describe('openapi', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const parsed = await SwaggerParser.validate(structuredClone(document));
    expect((parsed as Loose).openapi).to.equal('3.1.0');
  });

  it('is the one that is committed', async () => {
    const committed = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(committed), 'run: npm run openapi').to.deep.equal(JSON.parse(JSON.stringify(document)));
  });

  it('is what the compiler holds handlers against', () => {
    const declared = {
      method: 'GET',
      path: '/credits/tiers',
      tag: TAGS.credits,
      summary: '',
      description: '',
      access: 'credits:read',
      limit: 'read',
      idempotency: 'none',
      answers: {},
      errors: [],
    } as const;
    const made = [
      defineEndpoint({
        ...declared,
        operationId: 'listCreditTiers',
        handle: async () => json(200, { tiers: [], nextCursor: null }),
      }),
      defineEndpoint({
        ...declared,
        operationId: 'listCreditTiers',
        // @ts-expect-error A list says where its next page is.
        handle: async () => json(200, { tiers: [] }),
      }),
    ];
    expect(made.map(({ operationId }) => operationId)).to.deep.equal(['listCreditTiers', 'listCreditTiers']);
  });

  it('lists every endpoint once, with its security, its answers and its error codes', () => {
    const operations = Object.values<Loose>(document.paths).flatMap((path) => Object.values<Loose>(path));
    expect(operations.map(({ operationId }) => operationId).sort()).to.deep.equal(
      endpoints.map(({ operationId }) => operationId).sort(),
    );
    for (const operation of operations)
      expect(Object.keys(operation.responses), operation.operationId).to.include.members([
        ...(operation.security?.length === 0 ? [] : ['401']),
        '429',
        '500',
        '503',
      ]);
    const submit = document.paths['/jobs/submit'].post;
    expect(Object.keys(submit.responses)).to.include.members([
      '200',
      '400',
      '402',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
    ]);
    const name = submit.responses['422'].$ref.split('/').at(-1);
    expect(document.components.responses[name].description).to.contain('PIPELINE_DISABLED');
  });

  it('has null among the values of whatever may be null', () => {
    let seen = 0;
    const walk = (node: Loose): void => {
      if (typeof node !== 'object' || node === null) return;
      if (Array.isArray(node.type) && node.type.includes('null') && Array.isArray(node.enum)) {
        seen += 1;
        expect(node.enum, JSON.stringify(node)).to.include(null);
      }
      for (const child of Object.values<Loose>(node)) walk(child);
    };
    walk(buildOpenApi(endpoints, 'closed'));
    expect(seen).to.be.above(3);
    const { get } = document.paths['/settings/billing'];
    const settings = get.responses['200'].content['application/json'].example;
    const valid = validatorOf('BillingSettings');
    const paused = { ...settings.autoTopUp, state: 'paused', pausedFor: 'CARD_DECLINED' };
    expect(valid({ ...settings, autoTopUp: paused })).to.equal(true);
    expect(valid({ ...settings, autoTopUp: { ...paused, state: 'on', pausedFor: null } })).to.equal(true);
    expect(valid({ ...settings, autoTopUp: { ...paused, pausedFor: 1 } })).to.equal(false);
  });

  it('ends every list with nextCursor', () => {
    const lists = Object.values<Loose>(document.paths).flatMap(({ get }) =>
      get?.operationId.startsWith('list') === true ? [get] : [],
    );
    for (const { operationId, responses } of lists) {
      const { schema } = responses['200'].content['application/json'];
      const { required, properties } =
        schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)];
      expect(required, operationId).to.include('nextCursor');
      expect(properties.nextCursor.type, operationId).to.deep.equal(['string', 'null']);
    }
    expect(lists.length).to.be.above(20);
  });

  it('never mentions test tools', () => {
    expect(JSON.stringify(document)).to.not.match(/noop/i);
  });

  it('keeps descriptions, defaults, bounds and deprecations', () => {
    const { SimulationParams, SubmitJobRequest } = document.components.schemas;
    expect(SimulationParams.properties.numModes).to.include({ type: 'integer', minimum: 1, maximum: 100 });
    expect(SimulationParams.properties.maxPockets.default).to.equal(10);
    expect(SubmitJobRequest.properties.jobType).to.deep.include({
      default: 'render',
      enum: ['render', 'simulation', 'molecular', 'pipeline'],
    });
    expect(SubmitJobRequest.properties.priority.deprecated).to.equal(true);
    expect(SubmitJobRequest.properties.metadata.properties.instanceType.deprecated).to.equal(true);
    expect(SubmitJobRequest.additionalProperties).to.equal(false);
    expect(SimulationParams.properties.ligandLibrary.items).to.deep.equal({
      $ref: '#/components/schemas/LigandIdentity',
    });
    expect(document.components.schemas.LigandIdentity.properties.source.oneOf).to.have.length(3);
  });

  it('judges requests as the service does', () => {
    const valid = validatorOf('SubmitJobRequest');
    const params = { ligandLibrary: library(3), boxCenterAngstrom: [1, 2, 3], boxSizeAngstrom: 20 };
    const job = { jobType: 'simulation', simulator: 'autodock-vina', simulationParams: params };
    expect(valid(job)).to.equal(true);
    expect(valid({ ...job, more: 1 })).to.equal(false);
    expect(valid({ ...job, metadata: { anything: 1 } })).to.equal(true);
    expect(valid({ ...job, simulationParams: { ...params, boxSizeAngstrom: 101 } })).to.equal(false);
    expect(
      valid({ ...job, simulationParams: { ligandIdentity: { ...ligand, source: { kind: 'ccd' } } } }),
    ).to.equal(false);
  });
});
