/** What commands on batches and experiments take: conditions on results, failure codes, when a batch stops early, a ligand; and what they say. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { failureCodes } from '../../../src/cli/customer/docking/batch.ts';
import { showBatch } from '../../../src/cli/customer/docking/conclude.ts';
import { ligandOf } from '../../../src/cli/customer/docking/ligand.ts';
import { placeLibrary } from '../../../src/cli/customer/docking/library.ts';
import { reuse, stopAfter } from '../../../src/cli/customer/docking/start-batch.ts';
import { batchText, cancelText } from '../../../src/cli/customer/docking/text.ts';
import { filterOf, sortReader, whereReader } from '../../../src/cli/customer/docking/where.ts';
import type { Conditions } from '../../../src/cli/customer/docking/where.ts';
import { ClientError } from '../../../src/client/index.ts';
import type { DockingBatchResponse } from '../../../src/client/types.ts';
import { fakeDocking } from '../api/fake-docking.ts';

const read = (...texts: readonly string[]): Conditions =>
  texts.reduce<Conditions>((before, text) => whereReader(text, before), {});

describe('conditions on results', () => {
  it('are fields of the API, put together', () => {
    expect(
      read(
        ...['affinity<=-8.5', 'status = failed', 'warning=stereo_unspecified', 'label=CHEMBL = 1'],
        ...['interaction=Hydrogen-Bond:A:GLN725', 'interaction=salt_bridge:_:ASP-5B'],
      ),
    ).to.deep.equal({
      affinityAtMost: -8.5,
      status: 'FAILED',
      warning: 'STEREO_UNSPECIFIED',
      label: 'CHEMBL = 1',
      interaction: ['hydrogen_bond:A:GLN725', 'salt_bridge:_:ASP-5B'],
    });
    const where = read('interaction=hydrogen_bond:A:GLN725', 'interaction=hydrogen_bond:A:ARG766');
    expect(filterOf({ where, maxMissing: 1, sort: sortReader('ligand-id') })).to.deep.equal({
      ...where,
      ...{ maxMissing: 1, sort: 'ligandId' },
    });
    expect([sortReader('id'), sortReader('Efficiency')]).to.deep.equal(['ligandId', 'efficiency']);
  });

  it('ask for figures of the ligand and for a pattern', () => {
    const where = read('logp <= 3.5', 'Alerts<=0', 'tpsa>=20', 'smarts=[CX3](=O)[OX2H1]');
    expect(where).to.deep.equal({
      descriptor: ['logP<=3.5', 'alerts<=0', 'tpsa>=20'],
      smarts: '[CX3](=O)[OX2H1]',
    });
  });

  it('are refused with what would be right', () => {
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [
        ['affinity'],
        'the fields are affinity, status, warning, label, smarts, interaction, molecularWeight, logP, tpsa, donors, acceptors, rotatableBonds, qed, alerts',
      ],
      [['logp=5'], 'Write logP<=NUMBER'],
      [['qed<=high'], 'such as qed<=5'],
      [['smarts='], 'A pattern is SMARTS'],
      [['charge=1'], 'the fields are'],
      [['affinity<-8'], 'Write affinity<=-8'],
      [['affinity>=-8'], 'only bounded from above'],
      [['affinity<=low'], 'a number in kcal/mol'],
      [['status<=FAILED'], 'Write status=FAILED'],
      [['status=DONE'], 'PENDING, RUNNING, SUCCEEDED'],
      [['warning=not good'], 'dockyard explain'],
      [['label='], 'A label begins with'],
      [['interaction=hbond:A:GLN725'], 'The types are hydrogen_bond'],
      [['interaction=hydrogen_bond:GLN725'], 'type:chain:residue'],
      [['status=FAILED', 'status=RUNNING'], 'has a condition already'],
      [Array.from({ length: 8 }, (_, at) => `interaction=hydrophobic:A:LEU${at}`), 'At most 7'],
    ];
    for (const [texts, message] of wrong) expect(() => read(...texts), texts.join(' ')).to.throw(message);
    expect(() => filterOf({ maxMissing: 0 })).to.throw('name some with --where interaction');
    const where = read('interaction=hydrophobic:A:LEU1');
    expect(() => filterOf({ where, maxMissing: 1 })).to.throw('needs none of them');
    expect(() => sortReader('rank')).to.throw('It is one of');
  });
});

describe('options of batches', () => {
  it('are numbers and words in the bounds of the API', () => {
    expect(stopAfter('100:1000')).to.deep.equal({ topN: 100, unchangedFor: 1000 });
    for (const text of ['', '100', '0:5', '5:0', '1001:5', '5:10001', 'a:b', '1:2:3'])
      expect(() => stopAfter(text), text).to.throw('It is how many of the best');
    expect([reuse('never'), reuse('Verified')]).to.deep.equal(['never', 'verified']);
    expect(() => reuse('always')).to.throw('verified or never');
    expect(failureCodes('engine_timeout, ENGINE_CRASHED,ENGINE_TIMEOUT')).to.deep.equal([
      ...['ENGINE_TIMEOUT', 'ENGINE_CRASHED'],
    ]);
    for (const text of ['', 'A', 'ENGINE TIMEOUT', ','])
      expect(() => failureCodes(text), text).to.throw('It is');
  });
});

describe('the ligand of an experiment', () => {
  const candidates = { candidates: [], warnings: [{ code: 'X', message: 'Nothing is called so.' }] };
  let folder = '';
  let sent: { path: string; text: string; label: string; format: string }[] = [];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-ligand-'));
    const packed = gzipSync('a molecule');
    for (const [name, content] of Object.entries({
      ...{ 'hit.7.sdf': 'a molecule', 'packed.SDF.GZ': packed, 'cut.sdf.gz': packed.subarray(0, 15) },
      ...{
        'plain.mol2.gz': 'a molecule',
        'long.mol.gz': gzipSync(Buffer.alloc(10_000_001)),
        'a.smi.gz': packed,
      },
    }))
      writeFileSync(join(folder, name), content);
  });
  beforeEach(() => {
    sent = [];
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const named = (text: string): ReturnType<typeof ligandOf> =>
    ligandOf(
      { resolveLigand: async () => candidates },
      {
        register: async ({ path, label, format }) => {
          sent.push({ path, text: readFileSync(path, 'utf8'), label, format });
          return {
            ...{ schema: 'svc.docking.artifact/v1' as const, artifactId: 'a', storageKey: 'k', sha256: 'd' },
            ...{ byteSize: 1, mediaType: 'text/plain', format },
          };
        },
      },
      text,
      { folder, preparation: null },
    );

  it('is a file, sent unpacked where it is packed, under the name that people gave it', async () => {
    const names: unknown[] = [];
    for (const text of ['hit.7.sdf', 'packed.SDF.GZ']) {
      const { name, ligand } = await named(text);
      names.push([name, 'ligandId' in ligand ? ligand.ligandId : null]);
    }
    expect(names).to.deep.equal([
      ['hit.7', 'hit.7'],
      ['packed', 'packed'],
    ]);
    expect(sent.map(({ text, label, format }) => [text, label, format])).to.deep.equal([
      ['a molecule', 'hit.7.sdf', 'sdf'],
      ['a molecule', 'packed.SDF', 'sdf'],
    ]);
    expect(() => readFileSync(sent[1]?.path ?? ''), 'what was unpacked is gone').to.throw('ENOENT');
  });

  it('is refused with what to do where it is broken, too much or no ligand', async () => {
    for (const [text, message] of [
      ['cut.sdf.gz', 'cut.sdf.gz is not packed with gzip, or breaks off. Pack it again.'],
      ['plain.mol2.gz', 'plain.mol2.gz is not packed with gzip'],
      ['long.mol.gz', 'A library of many is docked by: dockyard dock'],
      ['a.smi.gz', 'or in one of these and .gz. A library is docked by: dockyard dock'],
      ['nobody', 'nobody is no file here and no ligand that is known: Nothing is called so.'],
    ] as const) {
      const refusal: unknown = await named(text).catch((error: unknown) => error);
      expect(String(refusal), text).to.include(message);
    }
    expect(sent).to.deep.equal([]);
  });
});

describe('a cancel', () => {
  it('says whether there was anything to end, and how to follow it', () => {
    expect(cancelText('run', { status: 'CANCELLED' }, 'x')).to.equal(
      'The run had ended already: CANCELLED\n',
    );
    expect(cancelText('batch', { status: 'RUNNING' }, 'batch watch 7')).to.equal(
      'The batch will end (now RUNNING); what is docked is kept. Follow it with: dockyard batch watch 7\n',
    );
  });
});

describe('a batch over a library with more columns than stay', () => {
  it('says which do not', async () => {
    const { batch, ...rest } = (await fakeDocking.batch({} as never, '')) as DockingBatchResponse;
    const warnings = [{ code: 'LIBRARY_PROPERTIES_LEFT_OUT', message: 'left out: CAS.' }];
    expect(batchText({ ...rest, batch: { ...batch, warnings } })).to.match(
      /^Warning LIBRARY_PROPERTIES_LEFT_OUT: left out: CAS\.$/m,
    );
    expect(batchText({ ...rest, batch })).not.to.include('Warning');
  });
});

describe('a batch with failed ligands', () => {
  it('says how those are docked again that engine or machine are to blame for', async () => {
    const textWith = async (status: string, ...codes: readonly string[]): Promise<string> => {
      const answer = (await fakeDocking.batch({} as never, '')) as DockingBatchResponse;
      const counts = codes.map((code) => ({ code, count: 1 }));
      const docking = {
        batch: async () => ({ ...answer, batch: { ...answer.batch, status } }),
        listFailures: async () => ({ counts }),
        listResults: async () => ({ results: [] }),
      };
      return (await showBatch({ docking } as never, 'b')).text;
    };
    expect(await textWith('FAILED', 'LIGAND_PARSE_FAILED', 'ENGINE_TIMEOUT')).to.match(
      /^Again: {3}dockyard batch retry b$/m,
    );
    expect(await textWith('FAILED', 'LIGAND_PARSE_FAILED')).not.to.include('retry');
    expect(await textWith('RUNNING', 'ENGINE_TIMEOUT')).not.to.include('retry');
  });
});

describe('a library that was stored before', () => {
  const file = {
    path: '/none/library.smi',
    format: 'smi',
    records: 1,
    equal: [],
    faults: [],
    sizes: [1],
  } as const;
  const screen = { isTTY: false, columns: 80, write: () => undefined };
  const place = async (code: string, isSkipped: boolean): Promise<unknown[]> => {
    const calls: unknown[] = [];
    const client = {
      upload: async (_file: object, { skipStored }: { skipStored: boolean }) => {
        calls.push(skipStored);
        return { storageKey: skipStored ? 'old' : 'new', skipped: skipStored && isSkipped };
      },
      registerArtifact: async ({ storageKey }: { storageKey: string }) => {
        calls.push(storageKey);
        if (storageKey === 'old') throw new ClientError('refused', { status: 404, code });
        return { artifact: { artifactId: 'artifact' } };
      },
    };
    const placed = placeLibrary({ screen, env: {} }, client as never, { ...file, losses: null });
    const outcome = await placed.catch((error: unknown) => String(error));
    return [outcome, ...calls];
  };

  it('is sent anew where its bytes are gone or changed, and not for any other refusal', async () => {
    for (const code of ['INPUT_NOT_FOUND', 'CHECKSUM_MISMATCH'])
      expect(await place(code, true)).to.deep.equal(['artifact', true, 'old', false, 'new']);
    for (const [code, isSkipped] of [
      ['INPUT_NOT_FOUND', false],
      ['QUOTA_EXCEEDED', true],
    ] as const)
      expect(await place(code, isSkipped)).to.deep.equal(['ClientError: refused', true, 'old']);
  });
});

describe('a batch with a sample', () => {
  it('says how far docking again has come, and how far it agrees', async () => {
    const { batch, ...rest } = (await fakeDocking.batch({} as never, '')) as DockingBatchResponse;
    const textOf = (reproducibility?: DockingBatchResponse['batch']['reproducibility']): string =>
      batchText({
        ...rest,
        batch: { ...batch, sample: true, ...(reproducibility ? { reproducibility } : {}) },
      });
    const some = { ligands: 5, compared: 3, same_cpu_class: 3, identical_share: 1, within_share: 2 / 3 };
    const none = { status: 'QUEUED' as const, seed: 8, ligands: 5, compared: 0, same_cpu_class: 0 };
    expect(batchText({ ...rest, batch })).not.to.include('seed');
    expect(textOf()).to.match(/^Same seed {3}a sample is docked again once the batch is done\n/m);
    const text = textOf({
      same_seed: { ...some, status: 'SUCCEEDED', seed: 7, failure: null },
      other_seed: { ...none, identical_share: null, within_share: null, failure: null },
    });
    expect(text)
      .to.match(
        /^Same seed +3 of 5 docked again with seed 7: 100 % with the same bytes, 67 % within 0\.3 kcal\/mol\n/m,
      )
      .and.to.match(/^Other seed +0 of 5 docked again with seed 8 \(QUEUED\)\n/m);
    const mixed = { ...some, status: 'SUCCEEDED', seed: 7, failure: null } as const;
    expect(textOf({ same_seed: { ...mixed, same_cpu_class: 2 }, other_seed: null })).to.match(
      /^Same seed +3 of 5 docked again with seed 7: 100 % of the 2 on the same class of processors with the same bytes, 67 %/m,
    );
    const apart = { ...mixed, same_cpu_class: 0, identical_share: null };
    expect(textOf({ same_seed: apart, other_seed: null })).to.match(
      /^Same seed +3 of 5 docked again with seed 7: none on the same class of processors, 67 % within/m,
    );
    const failure = { code: 'ACCOUNT_SUSPENDED', message: 'The account is suspended.', stage: 'submit' };
    const refused = {
      ...none,
      status: 'FAILED',
      identical_share: null,
      within_share: null,
      failure,
    } as const;
    expect(textOf({ same_seed: refused, other_seed: null })).to.match(
      /^Same seed +not docked again \(ACCOUNT_SUSPENDED\): The account is suspended\.\n/m,
    );
  });
});
