/** The examples of the document: every operation and every error answer has one, and each fits what it is an example of. */
import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import Joi from 'joi';

import { endpoints } from '../../../api/endpoints.ts';
import type { Endpoint } from '../../../api/http/endpoint.ts';
import { defineEndpoint, json } from '../../../api/http/endpoint.ts';
import { TAGS } from '../../../api/http/tags.ts';
import { check } from '../../../api/http/validation.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import { REPORT_EXAMPLE } from '../../../api/receptors/example.ts';
import { CATALOGUE, EXAMPLE_JOB, EXAMPLE_TOOL } from '../../../src/tools/catalogue.ts';
import type { Loose } from './samples.ts';

const document: Loose = buildOpenApi(endpoints, 'closed');
const operations = Object.values<Loose>(document.paths).flatMap((path) => Object.values<Loose>(path));
const operationOf = (id: string): Loose => operations.find(({ operationId }) => operationId === id);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as Loose).default(ajv);
ajv.addSchema({ $id: 'doc', components: document.components });

/** References of the document lead into the schema that was added under the name `doc`. */
const within = (schema: Loose): Loose => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/'));

function expectFits(schema: Loose, example: unknown, what: string): void {
  const validate = ajv.compile(within(schema));
  expect(validate(example), `${what}: ${ajv.errorsText(validate.errors)}`).to.equal(true);
}

/** One more endpoint in the document, with this answer. */
function withAnswer(schema: Joi.Schema): readonly Endpoint[] {
  const more = defineEndpoint({
    ...{
      method: 'GET',
      path: '/more',
      operationId: 'readMore',
      tag: TAGS.jobs,
      summary: 'Read',
      description: 'Reads.',
    },
    ...{ access: 'any', limit: 'read', idempotency: 'none', errors: [] },
    answers: { 200: { description: 'More.', schema } },
    handle: async () => json(200, {}),
  });
  return [...endpoints, more];
}

describe('examples of the document', () => {
  for (const endpoint of endpoints) {
    it(`are there for the request and each answer of ${endpoint.operationId}, and fit`, () => {
      const { parameters = [], requestBody, responses } = operationOf(endpoint.operationId);
      for (const { name, required, schema, example } of parameters)
        if (required) expectFits(schema, example, name);
      if (endpoint.body !== undefined) {
        const { schema, example } = requestBody.content['application/json'];
        expectFits(schema, example, 'body');
        const checked = check(endpoint.body, example, false);
        expect(checked.ok, checked.ok ? '' : checked.message).to.equal(true);
      }
      for (const [status, { schema: declared }] of Object.entries(endpoint.answers))
        for (const [media, { schema, example }] of Object.entries<Loose>(responses[status].content ?? {})) {
          expectFits(schema, example, status);
          if (declared !== undefined && media === 'application/json') {
            const checked = check(declared, example, false);
            expect(checked.ok, `${status}: ${checked.ok ? '' : checked.message}`).to.equal(true);
          }
        }
    });
  }

  it('are there for each code of each error answer, in the words of the table, and fit', () => {
    for (const [name, response] of Object.entries<Loose>(document.components.responses)) {
      const { schema, examples } = response.content['application/json'];
      expect(Object.keys(examples), name).to.deep.equal(schema.allOf[1].properties.code.enum);
      for (const [code, { value, summary }] of Object.entries<Loose>(examples)) {
        expectFits(schema, value, `${name} ${code}`);
        const { meaning, advice } = CATALOGUE.errors[code] ?? expect.fail(code);
        expect([summary, value.code, value.error]).to.deep.equal([meaning, code, `${meaning} ${advice}`]);
      }
    }
  });

  it('show a job that its tool takes', () => {
    const { example } = operationOf('submitJob').requestBody.content['application/json'];
    expect(example).to.deep.include(EXAMPLE_JOB);
    expect(() => EXAMPLE_TOOL.request.check(example, false)).to.not.throw();
  });

  it('show a report that the schema of reports takes', () => {
    const path = new URL('../../../src/tools/receptor-inspect/inspection.schema.json', import.meta.url);
    const validate = ajv.compile(JSON.parse(readFileSync(path, 'utf8')));
    expect(validate(REPORT_EXAMPLE), ajv.errorsText(validate.errors)).to.equal(true);
  });

  it('follow their declarations: fields that come and go, come and go in the example', () => {
    const shown = (schema: Joi.Schema): unknown => {
      const built: Loose = buildOpenApi(withAnswer(schema));
      return built.paths['/more'].get.responses['200'].content['application/json'].example;
    };
    const jobId = Joi.string().guid().required();
    const spoken = Joi.string().required().example('Good morning.');
    expect(shown(Joi.object({ jobId }))).to.have.all.keys('jobId');
    expect(shown(Joi.object({ jobId, spoken }))).to.deep.include({ spoken: 'Good morning.' });
    expect(shown(Joi.object({ jobId, unsaid: Joi.string() }))).to.have.all.keys('jobId');
  });

  it('are asked for: a field of which nothing decides a value keeps the document from being built', () => {
    const silent = Joi.object({ unheardOf: Joi.string().required() });
    expect(() => buildOpenApi(withAnswer(silent))).to.throw('unheardOf of readMore has no example');
  });
});
