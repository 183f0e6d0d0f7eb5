/** The rules of v1 bite, on a made-up release: each change that the contract forbids fails the comparison with it, each other passes. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { compareWithRelease } from '../../scripts/compatibility/rules.ts';
import { listChecks, repositoryRoot } from '../../scripts/test-plan.ts';

type Loose = ReturnType<typeof JSON.parse>;
type Change = readonly [what: string, change: (document: Loose) => void];
/** The change with the rule that the report names, and the operation at which the report tells it. */
type Forbidden = readonly [what: string, rule: string, operation: string, change: Change[1]];

const present = join(repositoryRoot, 'docs/openapi.json');
const schemaOf = (document: Loose, name: string): Loose => document.components.schemas[name];

const FORBIDDEN: readonly Forbidden[] = [
  [
    'a path goes',
    'api-path-removed-without-deprecation',
    'GET /credits/balance',
    ({ paths }) => delete paths['/credits/balance'],
  ],
  [
    'an operation goes',
    'api-removed-without-deprecation',
    'DELETE /uploads/{uploadId}',
    ({ paths }) => delete paths['/uploads/{uploadId}'].delete,
  ],
  [
    'a required field of an answer goes',
    'response-required-property-removed',
    'POST /jobs/submit',
    (document) => removeField(schemaOf(document, 'SubmitJobResponse'), 'heldCents'),
  ],
  [
    'an optional field of an answer goes',
    'response-optional-property-removed',
    'POST /jobs/submit',
    (document) => removeField(schemaOf(document, 'SubmitJobResponse'), 'idempotentReplay'),
  ],
  [
    'a field of a request goes',
    'request-property-removed',
    'POST /jobs/{jobId}/cancel',
    (document) => removeField(schemaOf(document, 'CancelJobRequest'), 'reason'),
  ],
  [
    'a field of a request becomes required',
    'request-property-became-required',
    'POST /jobs/{jobId}/resume',
    (document) => (schemaOf(document, 'ResumeJobRequest').required = ['limitCents']),
  ],
  [
    'a value that a request may have goes',
    'request-property-enum-value-removed',
    'POST /jobs/submit',
    (document) => schemaOf(document, 'SubmitJobRequest').properties.outputFormat.enum.pop(),
  ],
  [
    'a value that an answer documents goes',
    'response-property-enum-value-removed',
    'GET /jobs/{jobId}/status',
    (document) => schemaOf(document, 'JobState').anyOf[0].enum.pop(),
  ],
  [
    'a type changes',
    'response-property-type-changed',
    'POST /jobs/submit',
    (document) => (schemaOf(document, 'SubmitJobResponse').properties.jobId.type = 'integer'),
  ],
  [
    'a bound gets tighter',
    'request-property-max-decreased',
    'POST /jobs/submit',
    (document) => (schemaOf(document, 'SimulationParams').properties.numModes.maximum = 9),
  ],
  [
    'a filter of a list goes',
    'request-parameter-removed',
    'GET /jobs',
    ({ paths }) => paths['/jobs'].get.parameters.pop(),
  ],
];

const ALLOWED: readonly Change[] = [
  [
    'an endpoint comes',
    ({ paths }) => (paths['/more'] = { get: { ...paths['/simulators'].get, operationId: 'readMore' } }),
  ],
  [
    'an optional field of a request comes',
    (document) => (schemaOf(document, 'CancelJobRequest').properties.note = { type: 'string' }),
  ],
  [
    'a field of an answer comes',
    (document) => (schemaOf(document, 'SubmitJobResponse').properties.more = { type: 'string' }),
  ],
  ['a state of a job comes', (document) => schemaOf(document, 'JobState').anyOf[0].enum.push('RESTING')],
  [
    'an error code comes',
    (document) =>
      document.components.responses.NotFound.content[
        'application/json'
      ].schema.allOf[1].properties.code.anyOf[0].enum.push('GONE_ASTRAY'),
  ],
  [
    'a bound gets wider',
    (document) => (schemaOf(document, 'SimulationParams').properties.numModes.maximum = 900),
  ],
];

function removeField(schema: Loose, name: string): void {
  Reflect.deleteProperty(schema.properties, name);
  schema.required = schema.required?.filter((each: string) => each !== name);
}

describe('the rules of v1', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-compatibility-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Compares the present document with itself after all of these changes; the report tells each forbidden one. */
  const compare = (changes: readonly Change[1][]): ReturnType<typeof compareWithRelease> => {
    const document: Loose = JSON.parse(readFileSync(present, 'utf8'));
    for (const change of changes) change(document);
    const changed = join(folder, 'changed.json');
    writeFileSync(changed, JSON.stringify(document));
    return compareWithRelease(present, changed);
  };

  it('are part of every build', () => {
    expect(listChecks().map(({ arguments: [script] }) => script)).to.include('scripts/compatibility.ts');
  });

  it('begin with the first release, and hold from there on', () => {
    const run = (...more: readonly string[]): { status: number | null; stderr: string } =>
      spawnSync(process.execPath, ['scripts/compatibility.ts', '--docs', folder, ...more], {
        cwd: repositoryRoot,
        encoding: 'utf8',
      });
    const document = join(folder, 'openapi.json');
    const withoutBalance: Loose = JSON.parse(readFileSync(present, 'utf8'));
    delete withoutBalance.paths['/credits/balance'];
    writeFileSync(document, JSON.stringify(withoutBalance));
    expect(run().status, 'nothing is released').to.equal(0);
    copyFileSync(present, document);
    expect(run('--release').status).to.equal(0);
    writeFileSync(document, JSON.stringify(withoutBalance));
    const broken = run();
    expect(broken.status).to.equal(1);
    expect(broken.stderr).to.include('/credits/balance');
    expect(run('--release').status, 'what breaks a promise is not released').to.equal(1);
  });

  it('fail the build for each change that the contract forbids', () => {
    const { isCompatible, report } = compare(FORBIDDEN.map(([, , , change]) => change));
    expect(isCompatible, report).to.equal(false);
    for (const [what, rule, operation] of FORBIDDEN) {
      const told = report
        .split('\n\n')
        .find((each) => each.includes(`[${rule}]`) && each.includes(`API ${operation}\n`));
      expect(told, what).to.match(/^(\d+ changes.*\n)?error/);
    }
  });

  it('allow each change that the contract allows', () => {
    const { isCompatible, report } = compare(ALLOWED.map(([, change]) => change));
    expect(isCompatible, report).to.equal(true);
  });
});
