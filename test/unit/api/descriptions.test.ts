import { expect } from 'chai';
import type Joi from 'joi';

import { endpoints } from '../../../api/endpoints.ts';
import { submitJobBody } from '../../../api/jobs/submit-schemas.ts';

const UNIT =
  /Å|\bin m\b|degrees|g\/mol|kcal\/mol|second|minute|byte|\bGB\b|pence|percent|per second|number|index|units of (currency|creditCurrency)|pH |minor units|counted from/i;

interface Described {
  readonly type: string;
  readonly flags?: { readonly description?: string };
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly ordered?: readonly Described[];
  readonly matches?: readonly {
    readonly schema?: Described;
    readonly switch?: readonly { readonly then?: Described }[];
  }[];
}

function* fields(schema: Described, path: string): Generator<readonly [string, Described]> {
  for (const [name, child] of Object.entries(schema.keys ?? {})) {
    yield [`${path}.${name}`, child];
    yield* fields(child, `${path}.${name}`);
  }
  for (const child of [...(schema.items ?? []), ...(schema.ordered ?? [])]) yield* fields(child, `${path}[]`);
  for (const match of schema.matches ?? []) {
    const branches = [match.schema, ...(match.switch ?? []).map((branch) => branch.then)];
    for (const branch of branches) if (branch !== undefined) yield* fields(branch, path);
  }
}

const all = (schema: Joi.Schema, path: string): (readonly [string, Described])[] => [
  ...fields(schema.describe() as Described, path),
];

function expectDescribed(schema: Joi.Schema, name: string): void {
  for (const [path, field] of all(schema, name)) {
    expect(field.flags?.description, `${path} needs a description`).to.match(/^.{8,}\.$/s);
    if (field.type === 'number') expect(field.flags?.description, `${path} needs its unit`).to.match(UNIT);
  }
}

describe('descriptions', () => {
  it('reach every field of a submit, nested ones too', () => {
    const paths = all(submitJobBody, 'submit').map(([path]) => path);
    expect(paths).to.include.members([
      'submit.simulationParams.ligandLibrary[].source.smiles',
      'submit.simulationParams.ligandLibrary[].source.artifact.sha256',
      'submit.simulationParams.receptorPreparation.fixedProtonationStates[].reason',
      'submit.simulationParams.dockingExecution.preparedReceptor.workerImageDigest',
      'submit.metadata.totalSizeGB',
    ]);
  });

  for (const endpoint of endpoints) {
    it(`are there for every field of ${endpoint.operationId}, with the unit of every quantity`, () => {
      const { params, query, body } = endpoint;
      for (const schema of [params, query, body])
        if (schema !== undefined) expectDescribed(schema, endpoint.operationId);
      for (const answer of Object.values(endpoint.answers))
        if (answer.schema !== undefined) expectDescribed(answer.schema, endpoint.operationId);
    });
  }
});
