/** Every schema of a report is one that a strict validator takes, and a report is held against it as a whole. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

import { asReport } from '../../../src/tools/json-report.ts';
import type { Schema } from '../../../src/tools/json-report.ts';
import { cutInto } from '../../support/read-outputs.ts';

const TOOLS = join(import.meta.dirname, '../../../src/tools');
const PIECE_BYTES = 7;
const PLACE = {
  $id: 'urn:test:place',
  $defs: { place: { type: 'array', minItems: 3, maxItems: 3, items: { type: 'number' } } },
};
const SCHEMA = {
  $id: 'urn:test:report',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'places'],
  properties: {
    name: { $ref: '#/$defs/name' },
    places: { type: 'array', items: { $ref: 'urn:test:place#/$defs/place' } },
  },
  $defs: { name: { type: 'string', maxLength: 3 } },
};

describe('the schema of a report', () => {
  const files = globSync('*/*.schema.json', { cwd: TOOLS });

  it('is taken by a strict validator, each with a name of its own', () => {
    const schemas = files.map((file) => JSON.parse(readFileSync(join(TOOLS, file), 'utf8')) as Schema);
    const ajv = new Ajv2020({
      strict: true,
      strictRequired: false,
      allowUnionTypes: true,
      formats: { 'date-time': true },
    });
    for (const schema of schemas) ajv.addSchema(schema);
    for (const { $id } of schemas) expect(ajv.getSchema($id), $id).to.be.a('function');
    expect(schemas).to.have.length.above(5);
  });

  it('decides what a report is, and the fault names the place', async () => {
    const reader = asReport<{ readonly name: string }>({ schema: SCHEMA, refers: [PLACE], values: 20 });
    const read = (text: string) => reader.read(cutInto(Buffer.from(text), PIECE_BYTES));
    expect(await read('{"name":"a","places":[[1,2,3]]}')).to.deep.equal({
      ok: true,
      value: { name: 'a', places: [[1, 2, 3]] },
    });
    for (const [text, fault] of [
      ['{"name":"a"}', "it must have required property 'places'"],
      ['{"name":"a","places":[[1,2]]}', '/places/0 must NOT have fewer than 3 items'],
      ['{"name":"long","places":[]}', '/name must NOT have more than 3 characters'],
      ['{"name":"a","places":[],"more":1}', 'it must NOT have additional properties: more'],
      ['{"name":"a","name":"b","places":[]}', 'it is no JSON within the bounds'],
      ['{', 'it is no JSON within the bounds'],
      [`{"name":"a","places":[${'[1,2,3],'.repeat(9)}[1,2,3]]}`, 'it is no JSON within the bounds'],
    ] as const)
      expect(await read(text), text).to.deep.equal({ ok: false, fault });
  });
});
