import { expect } from 'chai';

import { registerArtifactBody } from '../../../api/docking/schemas.ts';
import { check } from '../../../api/http/validation.ts';
import { cancelJobBody } from '../../../api/jobs/schemas.ts';
import { uploadUrlBody } from '../../../api/uploads/schemas.ts';
import { HEX64, text } from './samples.ts';

const UPLOAD = { filename: 'x.pdb', contentType: 'chemical/x-pdb', size: 1 };
const PROJECT = '018f2f3a-0000-7000-8000-000000000009';
const inProject = (logicalPath: unknown): object => ({ ...UPLOAD, projectId: PROJECT, logicalPath });

const CASES = [
  {
    name: 'upload address',
    schema: uploadUrlBody,
    accepted: [
      UPLOAD,
      { ...UPLOAD, sha256: HEX64 },
      { ...UPLOAD, sha256: 'A'.repeat(64) },
      inProject('a/b.txt'),
      inProject('..a/.b'),
    ],
    refused: [
      {},
      { ...UPLOAD, filename: '' },
      { ...UPLOAD, contentType: '' },
      { ...UPLOAD, size: 0 },
      { ...UPLOAD, size: 1.5 },
      { ...UPLOAD, size: '1' },
      { ...UPLOAD, sha256: 'x' },
      { ...UPLOAD, more: 1 },
      { ...UPLOAD, projectId: PROJECT },
      { ...UPLOAD, logicalPath: 'a' },
      { ...inProject('a'), projectId: 'x' },
      ...['', '/a', 'a//b', 'a/', './a', 'a/../b', 'a\\b', 'a\0b', '..'].map(inProject),
    ],
  },
  {
    name: 'artifact registration',
    schema: registerArtifactBody,
    accepted: [
      { storageKey: 'k', format: 'pdb' },
      { storageKey: text(2048), format: 'mmcif', label: text(512) },
    ],
    refused: [
      { storageKey: 'k' },
      { format: 'pdb' },
      { storageKey: 'k', format: 'tsv' },
      { storageKey: text(2049), format: 'pdb' },
      { storageKey: 'k', format: 'pdb', label: '' },
      { storageKey: 'k', format: 'pdb', more: 1 },
    ],
  },
  {
    name: 'cancel',
    schema: cancelJobBody,
    accepted: [{}, { reason: 'x' }, { reason: text(500) }],
    refused: [{ reason: '' }, { reason: text(501) }, { reason: 1 }, { more: 1 }],
  },
];

describe('other request schemas', () => {
  for (const { name, schema, accepted, refused } of CASES) {
    it(`hold the body of an ${name} to its bounds`, () => {
      for (const body of accepted)
        expect(check(schema, body, false).ok, JSON.stringify(body).slice(0, 80)).to.equal(true);
      for (const body of refused)
        expect(check(schema, body, false).ok, JSON.stringify(body).slice(0, 80)).to.equal(false);
    });
  }
});
