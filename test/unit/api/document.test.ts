/** The document and the service judge alike: each kind of request here was once accepted by one of them alone. */
import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import type Joi from 'joi';

import { endpoints } from '../../../api/endpoints.ts';
import { estimateJobBody } from '../../../api/estimates/schemas.ts';
import { IDEMPOTENCY_KEY_HEADER, parseIdempotencyKey } from '../../../api/http/idempotency-key.ts';
import { parseBody } from '../../../api/http/parse-body.ts';
import { submitJobBody } from '../../../api/jobs/submit-schemas.ts';
import { buildOpenApi } from '../../../api/openapi.ts';
import { multipartInitBody } from '../../../api/uploads/multipart-schemas.ts';
import { uploadUrlBody } from '../../../api/uploads/schemas.ts';
import { autodockVina } from '../../../src/tools/autodock-vina/index.ts';
import { namePattern } from '../../../src/tools/catalogue.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { Loose } from './samples.ts';
import { artifact, ligand, list, text } from './samples.ts';
import { render, simulation } from './submit-rows.ts';

const document: Loose = buildOpenApi(endpoints);

const ajv = new Ajv2020({ strict: false, unicodeRegExp: true });
(addFormats as Loose).default(ajv);
ajv.addSchema({ $id: 'doc', components: document.components });

const fits = (name: string, value: unknown): boolean =>
  ajv.compile({ $ref: `doc#/components/schemas/${name}` })(value);
const isTaken = (schema: Joi.ObjectSchema, value: unknown): boolean =>
  parseBody(new TextEncoder().encode(JSON.stringify(value)), { body: schema }).ok;

const file = (more: object): object => ({ filename: 'a', contentType: 'text/plain', size: 1, ...more });
const placed = (logicalPath: string): object =>
  file({ projectId: '0195f3a0-0000-7000-8000-000000000000', logicalPath });
const params = (simulationParams: object): object => simulation({ simulationParams });
const dated = (blastDatabaseDate: string): object => params({ blastDatabaseDate });

type Case = readonly [what: string, accepted: readonly unknown[], refused: readonly unknown[]];

const SUBMITS: readonly Case[] = [
  ['a simulation names its simulator', [simulation({})], [{ jobType: 'simulation' }]],
  ['names of simulators are free', [simulation({ simulator: '' }), simulation({ simulator: text(500) })], []],
  [
    'days are real',
    [dated('2024-02-29'), dated('1999-12-31')],
    [dated('2023-02-29'), dated('2024-02-30'), dated('2024-13-01'), dated('2024-1-1')],
  ],
  [
    'docking takes receptors that are structures',
    [
      params({ receptorArtifact: artifact }),
      simulation({
        simulator: 'noop',
        simulationParams: { receptorArtifact: { ...artifact, format: 'log' } },
      }),
    ],
    [],
  ],
  [
    'texts have no NUL',
    [render({ jobName: 'a\u0001' })],
    [
      render({ jobName: 'a\0' }),
      params({ receptorChains: ['\0'] }),
      params({ ligandIdentity: { ...ligand, label: '\0' } }),
    ],
  ],
  [
    'names and texts of parameters may be empty, but have no NUL and reach no prototype',
    [render({ parameters: { '': '', constructor: 'x' } })],
    [
      render({ parameters: { '\0': 'a' } }),
      render({ parameters: { a: '\0' } }),
      render({ parameters: JSON.parse('{"__proto__":"a"}') }),
    ],
  ],
  [
    'metadata is JSON that can be kept',
    [
      render({
        metadata: { plug: { in: [1, null, 'a', { b: true }] }, constructor: { of: 'x' }, big: 1e300 },
      }),
    ],
    [
      render({ metadata: { plug: { in: ['\0'] } } }),
      render({ metadata: { plug: { '\0': 1 } } }),
      render({ metadata: JSON.parse('{"plug":{"__proto__":1}}') }),
      render({ metadata: { plug: { constructor: { prototype: 1 } } } }),
    ],
  ],
  [
    'numbers are those that JSON keeps exactly',
    [
      render({ frameStart: -9_007_199_254_740_991 }),
      render({ metadata: { fps: 1e15 } }),
      params({ boxCenterAngstrom: [1e15, 0, 0] }),
    ],
    [
      render({ frameStart: 9_007_199_254_740_992 }),
      render({ priority: -9_007_199_254_740_992 }),
      render({ metadata: { fps: 1e16 } }),
      params({ boxCenterAngstrom: [1e16, 0, 0] }),
    ],
  ],
  [
    'attachments are as many as can be looked up',
    [render({ attachments: list(10_000, 'k') })],
    [render({ attachments: list(10_001, 'k') })],
  ],
];

const FILES: readonly Case[] = [
  [
    'a project and a path need each other',
    [file({}), placed('a')],
    [file({ logicalPath: 'a' }), file({ projectId: '0195f3a0-0000-7000-8000-000000000000' })],
  ],
  [
    'paths are relative, without empty segments, dots and backslashes',
    [
      placed('a/b.c'),
      placed('...'),
      placed('a/.b/..c'),
      placed('ä/🧬'),
      placed('🧬'.repeat(1024)),
      placed('a\n'),
    ],
    ['/a', 'a/', 'a//b', '.', '..', './a', 'a/..', 'a/../b', 'a\\b', 'a\0', '🧬'.repeat(1025)].map(placed),
  ],
  [
    'media types are what a header can carry',
    [file({ contentType: 'text/plain; charset=utf-8' }), file({ contentType: 'x' })],
    [' a', 'a ', 'ä/b', 'a\nb', 'a\t', ''].map((contentType) => file({ contentType })),
  ],
  [
    'sizes are exact',
    [file({ size: 9_007_199_254_740_991 })],
    [file({ size: 9_007_199_254_740_992 }), file({ size: 0 })],
  ],
];

describe('the document', () => {
  for (const [what, accepted, refused] of SUBMITS) {
    it(`says of jobs what the service does: ${what}`, () => {
      for (const [name, schema] of [
        ['SubmitJobRequest', submitJobBody],
        ['EstimateJobRequest', estimateJobBody],
      ] as const) {
        for (const body of [...accepted, ...refused]) {
          const fields = Object.keys(body as object);
          const isEstimate = name === 'EstimateJobRequest';
          if (
            isEstimate &&
            fields.some((field) => ['jobName', 'priority', 'attachments', 'metadata'].includes(field))
          )
            continue;
          const shown = `${name} ${JSON.stringify(body).slice(0, 120)}`;
          expect(isTaken(schema, body), shown).to.equal(accepted.includes(body));
          expect(fits(name, body), shown).to.equal(accepted.includes(body));
        }
      }
    });
  }

  for (const [what, accepted, refused] of FILES) {
    it(`says of files what the service does: ${what}`, () => {
      for (const [name, schema] of [
        ['UploadUrlRequest', uploadUrlBody],
        ['MultipartInitRequest', multipartInitBody],
      ] as const) {
        for (const body of [...accepted, ...refused]) {
          const shown = `${name} ${JSON.stringify(body).slice(0, 120)}`;
          expect(isTaken(schema, body), shown).to.equal(accepted.includes(body));
          expect(fits(name, body), shown).to.equal(accepted.includes(body));
        }
      }
    });
  }

  it('says which keys a header may carry, bare and quoted', () => {
    const sent = document.paths['/jobs/submit'].post.parameters[0].schema;
    expect(sent.pattern).to.equal(IDEMPOTENCY_KEY_HEADER.source);
    const unit = fc.constantFrom('a', ' ', '"', '\\', '~', 'é', '\t');
    const header = fc.string({ unit, maxLength: 14 }).filter((value) => value === value.trim());
    fc.assert(
      fc.property(
        fc.oneof(
          header,
          header.map((value) => `"${value}"`),
        ),
        (value) => {
          let taken = true;
          try {
            parseIdempotencyKey(value);
          } catch {
            taken = false;
          }
          expect(IDEMPOTENCY_KEY_HEADER.test(value), JSON.stringify(value)).to.equal(taken);
        },
      ),
      { numRuns: 2000 },
    );
    expect(IDEMPOTENCY_KEY_HEADER.test(text(255))).to.equal(true);
    expect(IDEMPOTENCY_KEY_HEADER.test(text(256))).to.equal(false);
  });

  it('bounds docking, under whatever spelling of its name', () => {
    const registry = createToolRegistry({ testTools: '' });
    const pattern = new RegExp(namePattern(autodockVina.about), 'u');
    const unit = fc.constantFrom(' ', '_', '-', '\t', 'K', '\u212a');
    const spelling = fc
      .tuple(
        fc.string({ unit, maxLength: 2 }),
        fc.constantFrom('autodock', 'AutoDoc\u212a', ''),
        unit,
        fc.constantFrom('vina', 'ViNa', 'vino'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(spelling, (name) => {
        expect(pattern.test(name), JSON.stringify(name)).to.equal(
          registry.canonical(name) === 'autodock-vina',
        );
      }),
    );
    for (const simulator of ['autodock-vina', ' Vina', 'AutoDock_Vina']) {
      expect(fits('SubmitJobRequest', simulation({ simulator, taskCount: 10_000 }))).to.equal(true);
      expect(fits('SubmitJobRequest', simulation({ simulator, taskCount: 10_001 }))).to.equal(false);
      const receptor = (format: string): object => ({
        simulator,
        simulationParams: { receptorArtifact: { ...artifact, format } },
      });
      expect(fits('SubmitJobRequest', simulation(receptor('mmcif')))).to.equal(true);
      expect(fits('SubmitJobRequest', simulation(receptor('sdf')))).to.equal(false);
    }
    expect(fits('SubmitJobRequest', simulation({ simulator: 'swan', taskCount: 10_001 }))).to.equal(true);
    expect(fits('SubmitJobRequest', render({ simulator: 'vina', taskCount: 10_001 }))).to.equal(true);
  });

  it('says in words each rule that generated requests keep to', () => {
    const hooks = readFileSync(new URL('../../contract/hooks.py', import.meta.url), 'utf8');
    const rules = /RULES: [^=]*= \[([^\]]*)\]/.exec(hooks)?.[1]?.match(/\w+/g) ?? [];
    const words: Readonly<Record<string, readonly string[]>> = {
      keys_agree: ['Keys in the body must be the same.', 'must agree with the Idempotency-Key header'],
      cursors_are_answered: ['nextCursor of the page before, unchanged; any other text is refused.'],
      ligands_have_ids_of_their_own: ['no two may have the same ligandId'],
      residues_are_fixed_once: ['each residue once; a blank insertion code is the same as none'],
      components_are_removed_or_retained: ['none that is to be retained', 'none that is to be removed'],
      states_fit_their_residues: [
        'ASP, GLU, CYS and TYR can be anionic or neutral, LYS cationic or neutral; HIS has hydrogen on ND1 (delta), NE2 (epsilon) or both',
      ],
      residues_are_removed_or_retained: [
        'whatever they are; none that is to be retained',
        'such as one water or one ion; none that is to be removed',
      ],
      side_chains_turn_once: ['at most 4, each once and none that is to be removed'],
      receptors_are_structures: ['The structure file, pdb or mmcif.'],
      explicit_boxes_are_whole: ['An explicit box needs centre and size.'],
      parts_fit_their_upload: [
        'each number once and at most partCount of the upload',
        'required exactly when the upload checks parts',
      ],
      // The list is no rule of the document: without it few generated jobs would be accepted.
      some_jobs_can_run: [],
      estimates_name_what_is_known: ['An unknown one is refused with those there are.'],
      limits_name_keys_once: ['The limits of API keys, each key once'],
      fewer_are_missing_than_asked: ['fewer than were asked for'],
      poses_are_of_sdf: ['all: all modes. For sdf alone.'],
      hydrogens_stay_as_given: ['Not with protonation as_given.'],
      changes_expect_one_version: [
        'Required here or in the query, where it may stand as well; both must be equal.',
      ],
      usage_is_of_the_days_before: ['days before to; 30 days before to without it.'],
    };
    expect(rules).to.deep.equal(Object.keys(words));
    const said = JSON.stringify(document);
    for (const phrase of Object.values(words).flat()) expect(said).to.contain(phrase);
  });
});
