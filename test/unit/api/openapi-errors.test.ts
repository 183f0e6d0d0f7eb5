/** Error answers of the document: one component for each set of codes, and every code of the table where it is met. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

import { endpoints } from '../../../api/endpoints.ts';
import { createErrorResponses, errorCodesOf } from '../../../api/openapi-errors.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import { LOSS_CAUSES, STATES, WAIT_REASONS } from '../../../src/domain/codes/catalogue.ts';
import type { CodeGroup } from '../../../src/domain/codes/code.ts';
import type { ErrorCode } from '../../../src/domain/errors.ts';
import { CATALOGUE } from '../../../src/tools/catalogue.ts';
import { RECEPTOR_REFUSALS } from '../../../src/tools/receptor-inspect/codes.ts';
import type { Loose } from './samples.ts';

/** Codes that no endpoint of the document answers, with the reason. */
const DECLARED_BY_NONE: Readonly<Partial<Record<ErrorCode, string>>> = {
  METHOD_NOT_ALLOWED: 'The router answers it where there is a path, but no endpoint.',
  HEADERS_TOO_LARGE: 'The server answers it before a request comes to an endpoint.',
  FENCED: 'The gateway answers it to instances.',
  REFUND_EXCEEDS_UNSPENT: 'The command line answers it to operators.',
};

const document: Loose = buildOpenApi(endpoints, 'closed');
const operations = Object.values<Loose>(document.paths).flatMap((path) => Object.values<Loose>(path));
const components = Object.entries<Loose>(document.components.responses);

const codesOf = (response: Loose): string[] =>
  response.content['application/json'].schema.allOf[1].properties.code.enum;
const isError = (status: string): boolean => Number(status) >= 400;

/** Every reference within a node. */
function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : referencesIn(child),
  );
}

const targetOf = (reference: string): Loose =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce((node: Loose, key) => node?.[key], document);

describe('error answers of the document', () => {
  it('resolve, and no component is there for nothing', () => {
    const references = new Set(referencesIn(document));
    for (const reference of references) {
      expect(reference).to.match(/^#\/components\//);
      expect(targetOf(reference), reference).to.be.an('object');
    }
    for (const kind of ['responses', 'schemas', 'headers'])
      for (const name of Object.keys(document.components[kind]))
        expect(references.has(`#/components/${kind}/${name}`), `${kind} ${name}`).to.equal(true);
  });

  it('are references to components, one for each set of codes', () => {
    for (const { operationId, responses } of operations)
      for (const [status, response] of Object.entries<Loose>(responses))
        if (isError(status))
          expect(Object.keys(response), `${operationId} ${status}`).to.deep.equal(['$ref']);
    const sets = components.map(([, response]) => codesOf(response).join());
    expect(new Set(sets).size).to.equal(components.length);
    expect(new Set(components.map(([, response]) => JSON.stringify(response))).size).to.equal(
      components.length,
    );
  });

  it('narrow the code to those that the endpoint declares, all of one status', () => {
    for (const endpoint of endpoints) {
      const { responses } = operations.find(({ operationId }) => operationId === endpoint.operationId);
      const declared = new Map<string, string[]>();
      for (const [status, response] of Object.entries<Loose>(responses))
        if (isError(status)) declared.set(status, codesOf(targetOf(response.$ref)));
      for (const [status, codes] of declared)
        for (const code of codes) expect(CATALOGUE.errors[code]?.status).to.equal(Number(status));
      expect([...declared.values()].flat(), endpoint.operationId).to.have.members([
        ...errorCodesOf(endpoint),
      ]);
      expect(errorCodesOf(endpoint)).to.include.members([...endpoint.errors]);
    }
  });

  it('do not fit an answer whose code the endpoint does not declare', () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ $id: 'doc', components: document.components });
    const fits = (name: string, code: string): boolean => {
      const place = `doc#/components/responses/${name}/content/application~1json/schema`;
      return ajv.compile({ $ref: place })({ error: 'What happened.', code });
    };
    expect(fits('SubmitJobUnprocessable', 'JOB_TYPE_UNAVAILABLE')).to.equal(true);
    expect(fits('SubmitJobUnprocessable', 'RECEPTOR_EMPTY')).to.equal(false);
    expect(fits('NotFound', 'INPUT_NOT_FOUND')).to.equal(false);
  });

  it('tell the meaning and the advice of each of their codes, and when to repeat', () => {
    for (const [name, { description, headers, content }] of components) {
      const codes = codesOf({ content });
      for (const code of codes) {
        const { meaning, advice } = CATALOGUE.errors[code] ?? expect.fail(code);
        expect(description, name).to.contain(`\`${code}\`: ${meaning} ${advice}`);
      }
      const mayBeRepeated = codes.some(
        (code) => CATALOGUE.errors[code]?.retryable === true && code !== 'INTERNAL_ERROR',
      );
      expect(Object.hasOwn(headers, 'Retry-After'), name).to.equal(mayBeRepeated);
    }
  });

  it('have names that read well in a client, and keep them when an operation gets another code', () => {
    const names = components.map(([name]) => name);
    expect(names).to.include.members([
      ...[
        'NotFound',
        'Unauthorized',
        'RateLimited',
        'InternalError',
        'ServiceUnavailable',
        'ValidationError',
      ],
      ...['SubmitJobUnprocessable', 'UploadExpiredOrUploadAborted'],
    ]);
    for (const name of names) expect(name).to.match(/^(?:[A-Z][a-z]+)+$/);
    const more = endpoints.map((endpoint) =>
      endpoint.operationId === 'submitJob'
        ? { ...endpoint, errors: [...endpoint.errors, RECEPTOR_REFUSALS.RECEPTOR_EMPTY.code] }
        : endpoint,
    );
    const after = createErrorResponses(more).components;
    expect(Object.keys(after)).to.deep.equal(names);
    expect(codesOf(after['SubmitJobUnprocessable'])).to.include('RECEPTOR_EMPTY');
  });

  it('hold every code of the error table that an endpoint can answer', () => {
    const declared = new Set<string>(endpoints.flatMap((endpoint) => errorCodesOf(endpoint)));
    const undeclared = Object.keys(CATALOGUE.errors).filter((code) => !declared.has(code));
    expect(undeclared).to.have.members(Object.keys(DECLARED_BY_NONE));
    expect(document.components.schemas.ErrorCode.enum).to.deep.equal(Object.keys(CATALOGUE.errors));
  });

  it('are not alone: failures, warnings, states and reasons are listed with their words where answers carry them', () => {
    const listed: readonly (readonly [string, readonly CodeGroup[]])[] = [
      ['ErrorCode', CATALOGUE.groups.filter(({ kind }) => kind === 'error')],
      ['FailureCode', CATALOGUE.failures],
      ['WarningCode', CATALOGUE.warnings],
      ['JobState', [STATES]],
      ['WaitReason', [WAIT_REASONS]],
      ['LossCause', [LOSS_CAUSES]],
    ];
    const schemas = document.components.schemas;
    for (const [name, groups] of listed) {
      const words = Object.assign({}, ...groups.map(({ codes }) => codes)) as CodeGroup['codes'];
      const { description, anyOf, enum: closed } = schemas[name];
      expect(closed ?? anyOf[0].enum, name).to.deep.equal(Object.keys(words));
      for (const [code, { meaning, advice }] of Object.entries(words))
        expect(description, name).to.contain(`\`${code}\`: ${meaning} ${advice}`);
      // A tool may give a code that this version does not list.
      if (closed === undefined) expect(anyOf[1], name).to.deep.equal({ type: 'string' });
    }
    const status = schemas.JobStatusResponse.properties;
    const refersTo = (node: Loose, name: string): void => {
      expect(node.$ref).to.equal(`#/components/schemas/${name}`);
    };
    refersTo(status.status, 'JobState');
    refersTo(status.failures.items.properties.code, 'FailureCode');
    refersTo(status.warnings.items.properties.code, 'WarningCode');
    refersTo(status.pauseReason, 'PauseReason');
    refersTo(status.queue.properties.reason, 'WaitReason');
    refersTo(status.recovery.properties.events.items.properties.cause, 'LossCause');
  });
});
