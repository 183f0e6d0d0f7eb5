/** Answers of the document may grow, requests may not: a client that was generated today reads the answers of tomorrow. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';

import { endpoints } from '../../../api/endpoints.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import type { Loose } from './samples.ts';

const document: Loose = buildOpenApi(endpoints);
const closed: Loose = buildOpenApi(endpoints, 'closed');

const operationsOf = ({ paths }: Loose): Loose[] =>
  Object.values<Loose>(paths).flatMap((path) => Object.values<Loose>(path));

/** A validator of what stands at a place of a document, as a JSON pointer. */
function judgeOf(whole: Loose): (pointer: string) => (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as Loose).default(ajv);
  ajv.addSchema({ $id: 'doc', ...whole });
  return (pointer) => ajv.compile({ $ref: `doc#${pointer}` }) as (value: unknown) => boolean;
}

/** The value with one member more in each of its objects. */
function grown(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(grown);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries<Loose>(value).map(([key, member]) => [key, grown(member)]);
  return { ...Object.fromEntries(members), ofTomorrow: 'text' };
}

const escaped = (path: string): string => path.replaceAll('~', '~0').replaceAll('/', '~1');

describe('the answers of the document', () => {
  it('take a member of tomorrow in each object of each example, which the closed ones refuse', () => {
    const [judge, strict] = [judgeOf(document), judgeOf(closed)];
    let seen = 0;
    for (const [path, methods] of Object.entries<Loose>(document.paths))
      for (const [method, { responses }] of Object.entries<Loose>(methods))
        for (const [status, { content }] of Object.entries<Loose>(responses)) {
          const { example } = content?.['application/json'] ?? {};
          if (example === undefined) continue;
          const place = `/paths/${escaped(path)}/${method}/responses/${status}/content/application~1json/schema`;
          expect(judge(place)(example), `${place} ${JSON.stringify(example)}`).to.equal(true);
          expect(judge(place)(grown(example)), place).to.equal(true);
          expect(strict(place)(grown(example)), place).to.equal(false);
          seen += 1;
        }
    expect(seen).to.be.above(80);
  });

  it('take a state, a code and an error of tomorrow, and a constant only as it is', () => {
    const [judge, strict] = [judgeOf(document), judgeOf(closed)];
    for (const [name, value] of [
      ['JobState', 'HIBERNATING'],
      ['ErrorCode', 'OF_TOMORROW'],
      ['PauseReason', 'OF_TOMORROW'],
      ['PauseReason', null],
    ] as const) {
      expect(judge(`/components/schemas/${name}`)(value), name).to.equal(true);
      expect(strict(`/components/schemas/${name}`)(value), name).to.equal(value === null);
    }
    const notFound = '/components/responses/NotFound/content/application~1json/schema';
    const error = { error: 'Gone.', code: 'OF_TOMORROW' };
    expect([judge(notFound)(error), strict(notFound)(error)]).to.deep.equal([true, false]);
    const constant = judge('/components/schemas/RegisteredArtifact/properties/schema');
    expect([constant('svc.docking.artifact/v1'), constant('svc.docking.artifact/v2')]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('leave requests as closed as the service is', () => {
    const sentBy = (whole: Loose): Loose[] =>
      operationsOf(whole).map(({ operationId, parameters, requestBody }) => ({
        operationId,
        parameters,
        requestBody,
      }));
    const inlined = (node: Loose, whole: Loose): Loose => {
      if (Array.isArray(node)) return node.map((part) => inlined(part, whole));
      if (typeof node !== 'object' || node === null) return node;
      const { $ref: reference, ...own } = node;
      const name = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
      if (name === 'JsonValue') return node;
      const target = name === undefined ? {} : whole.components.schemas[name ?? ''];
      const members = Object.entries<Loose>({ ...target, ...own });
      return Object.fromEntries(members.map(([key, part]) => [key, inlined(part, whole)]));
    };
    expect(inlined(sentBy(document), document)).to.deep.equal(inlined(sentBy(closed), closed));
    const states = document.paths['/jobs'].get.parameters.find(({ name }: Loose) => name === 'status');
    expect(states.schema.anyOf[0].items.enum).to.include('RUNNING');
  });
});
