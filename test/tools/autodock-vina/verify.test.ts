import { expect } from 'chai';

import { readSdf } from '../../../src/tools/autodock-vina/sdf.ts';
import { verifyDocking } from '../../../src/tools/autodock-vina/verify.ts';
import { cutInto, readsTexts } from '../../support/read-outputs.ts';
import { HASH, LIGAND, pdbqt, poses, preparation, reported, result, sdf } from './outputs.ts';
import type { OddPoses, Written } from './outputs.ts';

type Kind = Parameters<typeof verifyDocking>[0];

const verdict = (kind: Kind, itemId: string, written: Written): ReturnType<typeof verifyDocking> =>
  verifyDocking(
    kind,
    { itemId },
    reported(written),
    readsTexts((name) => written[name]?.text ?? expect.fail(`${name} was not written`)),
  );
const fault = async (kind: Kind, itemId: string, written: Written): Promise<string | null> => {
  const found = await verdict(kind, itemId, written);
  return typeof found === 'string' ? found : null;
};
const changed = (written: Written, name: string, text: string): Written => {
  const file = written[name] ?? expect.fail(name);
  return { ...written, [name]: { ...file, text } };
};
const without = (written: Written, name: string): Written =>
  Object.fromEntries(Object.entries(written).filter(([other]) => other !== name));

describe('autodock-vina: outputs are read before they count', () => {
  const good = poses('ligands/a:1', 'a:1');
  const task = (written: Written): Promise<string | null> => fault('task', 'a:1', written);
  const change = (name: string, text: string): Promise<string | null> =>
    task(changed(good, `ligands/a:1/${name}`, text));

  it('takes what a session writes', async () => {
    expect(await task(good)).to.equal(null);
    expect(await fault('prepare', 'prepare', preparation())).to.equal(null);
    expect(await fault('control', 'control', poses('control', 'native:STR:A:1'))).to.equal(null);
  });

  it('answers the record of a ligand, and of a step nothing', async () => {
    const checks = { passed: false, failed: ['bond_lengths'], notChecked: [] };
    const told = { warnings: [{ code: 'POSE_IMPLAUSIBLE', message: 'a\u0000b' }] };
    const energies = [-7.25, -6.5];
    const written = poses('ligands/a:1', 'a:1', energies, { checks, told });
    const { sha256 } = JSON.parse(written['ligands/a:1/result.json']?.text ?? '') as { sha256: string };
    const pose = (index: number): object => ({
      ...{ rmsdLowerAngstrom: index * 1.5, rmsdUpperAngstrom: index * 2, failedChecks: 1 },
      ...{ secondAffinityKcalMol: null, interactions: [] },
    });
    expect(await verdict('task', 'a:1', written)).to.deep.equal({
      ...{ kind: 'docking', resultSha256: sha256 },
      ...{ bestAffinityKcalMol: -7.25, ligandEfficiency: 0.269, sizeIndependentEfficiency: 2.697 },
      ...{ poseCount: 2, bestPoseFailedChecks: 1, plausiblePoseCount: 0, heavyAtoms: 27, formalCharge: -1 },
      ...{ smilesInput: 'CC(=O)O', smilesDocked: 'CC(=O)[O-]' },
      warnings: [{ code: 'POSE_IMPLAUSIBLE', message: 'a b' }],
      ...{ toolchainSha256: HASH, cpuClass: 'x86-64-v3', engineVersion: '1.2.7' },
      ...{ descriptors: LIGAND.descriptors, secondAffinityKcalMol: null, secondRank: null, states: null },
      poses: energies.map((affinityKcalMol, index) => ({
        ...{ mode: index + 1, affinityKcalMol },
        ...pose(index),
      })),
    });
    expect(await verdict('control', 'control', poses('control', 'native:STR:A:1'))).to.equal(null);
    expect(await verdict('prepare', 'prepare', preparation())).to.equal(null);
  });

  it('leaves SMILES that no table holds out of the record', async () => {
    for (const smilesInput of ['a\u0000b', 'C'.repeat(5000), 'é', '']) {
      const told = { ligand: { smilesInput, smilesDocked: 'C' } };
      expect(
        await verdict('task', 'a:1', poses('ligands/a:1', 'a:1', [-7.25], { told })),
        JSON.stringify(smilesInput.slice(0, 9)),
      ).to.deep.include({ smilesInput: null, smilesDocked: 'C' });
    }
  });

  it('finds numbers and texts that no column of the records holds, and what its schema does not know', async () => {
    for (const told of [
      { ligand: { heavyAtoms: 2 ** 31 } },
      { ligand: { formalCharge: 2 ** 31 } },
      { ligand: { formalCharge: 0.5 } },
      { ligand: { heavyAtoms: undefined } },
      { provenance: { cpuClass: 'x86\n' } },
      { provenance: { tools: { vina: '1.2\n7' } } },
      { provenance: { tools: { rdkit: '2026.9.1' } } },
      { provenance: { tools: 'vina' } },
      { warnings: [{ code: 'no code', message: 'a' }] },
      { bestAffinityKcalMol: '-7.25' },
      { more: 1 },
    ])
      expect(await odd({ told }), JSON.stringify(told)).to.include('is no result');
    // Beyond what any function of scores gives, so that nobody can be put first by a number that is none.
    expect(await task(poses('ligands/a:1', 'a:1', [-1e300]))).to.include('is no result');
  });

  it('keeps of the properties of a pose only those that are compared', async () => {
    const long = Array.from({ length: 90 }, (_, n) => `>  <long${n}>\n${'x'.repeat(1000)}\n\n`).join('');
    const text = sdf('a:1', [-7.25]).replace('$$$$', () => `${long}$$$$`);
    const seen: (readonly string[])[] = [];
    const poseCount = await readSdf(cutInto(Buffer.from(text), 4096), (record) =>
      seen.push([...record.keys()]),
    );
    expect(poseCount).to.equal(1);
    expect(seen).to.deep.equal([['ligandId', 'mode', 'affinity_kcal_mol']]);
  });

  it('misses a file, and finds one that does not belong there', async () => {
    for (const name of Object.keys(good)) expect(await task(without(good, name)), name).to.include(name);
    for (const name of Object.keys(preparation())) {
      expect(await fault('prepare', 'prepare', without(preparation(), name)), name).to.include(name);
    }
    const stray = { text: '', kind: 'log', mediaType: 'text/plain', format: 'log' };
    expect(await task({ ...good, 'ligands/b/dock.log': stray })).to.include('ligands/b/dock.log');
    expect(await fault('task', 'b', good)).to.include('ligands/b/poses.sdf');
    const kinds = { ...good, 'ligands/a:1/dock.log': { ...stray, kind: 'result' } };
    expect(await task(kinds)).to.include('dock.log');
  });

  it('finds a result that is not what its digest says', async () => {
    const text = result('a:1', [-7.25, -6.5]);
    expect(await change('result.json', text.replace('"seed":42', '"seed":43'))).to.include('digest');
    expect(await change('result.json', text.replace('"seconds":1.5', '"seconds":9'))).to.equal(null);
    expect(await change('result.json', text.replace('result/v2', 'result/v3'))).to.include('schema');
    expect(await change('result.json', '{')).to.include('no result');
    expect(await change('result.json', result('b', [-7.25, -6.5]))).to.include('"b"');
  });

  const odd = (files: OddPoses): Promise<string | null> =>
    task(poses('ligands/a:1', 'a:1', [-7.25, -6.5], files));

  it('finds poses that are missing, out of order, or of another energy or ligand', async () => {
    expect(await odd({ sdf: sdf('a:1', [-7.25]) })).to.include('1 poses');
    expect(await odd({ sdf: sdf('a:1', [-7.25, -6.499]) })).to.include('energy in pose 2');
    expect(await odd({ sdf: sdf('b', [-7.25, -6.5]) })).to.include('another ligand');
    expect(await odd({ pdbqt: pdbqt(1) })).to.include('1 poses');
    expect(await task(poses('ligands/a:1', 'a:1', [-6.5, -7.25]))).to.include('order');
    expect(await task(poses('ligands/a:1', 'a:1', []))).to.include(
      '/result/poses must NOT have fewer than 1',
    );
    expect(await odd({})).to.equal(null);
  });

  it('takes the checks of a pose with their names, and no pose that passes and fails', async () => {
    const failed = ['bond_lengths', 'non-aromatic_ring_non-flatness'];
    for (const checks of [
      { passed: true, failed: [], notChecked: [] },
      { passed: true, failed: [], notChecked: ['internal_energy'] },
      { passed: false, failed, notChecked: [] },
      { passed: true, failed: [], notChecked: ['internal_energy'], timeRanOut: true },
    ])
      expect(await odd({ checks })).to.equal(null);
    for (const passed of [true, false])
      expect(await odd({ checks: { passed, failed: passed ? failed : [], notChecked: [] } })).to.include(
        'no result',
      );
    for (const checks of [
      { passed: true, failed: [] },
      { passed: 'yes', failed: [], notChecked: [] },
      { passed: false, failed: ['<b>'], notChecked: [] },
      { passed: false, failed: ['bond_lengths', 'bond_lengths'], notChecked: [] },
      { passed: false, failed: Array.from({ length: 33 }, (_, n) => 'a'.repeat(n + 1)), notChecked: [] },
      { passed: true, failed: [], notChecked: [], more: 1 },
    ])
      expect(await odd({ checks }), JSON.stringify(checks)).to.include('no result');
  });

  it('takes the interactions of a pose as the contract has them, and none in the first format', async () => {
    const receptor = { chain: 'A', residue: 725, insertionCode: '', residueName: 'GLN', atom: 'NE2' };
    const bond = {
      type: 'hydrogen_bond',
      ligandRole: 'acceptor',
      receptor,
      ligandAtoms: [2],
      distanceAngstrom: 3.277,
      angleDegrees: 132,
    };
    const contact = {
      type: 'hydrophobic',
      receptor: { ...receptor, chain: '_', residue: -3, insertionCode: 'A', atom: "C1'" },
      ligandAtoms: [0],
      distanceAngstrom: 4.5,
      angleDegrees: null,
    };
    const { atom: _, ...place } = receptor;
    const bridge = {
      ...contact,
      type: 'water_bridge',
      water: { ...place, residueName: 'HOH', distanceAngstrom: 2.7 },
    };
    for (const interactions of [null, [], [bond], [bond, contact, bridge]])
      expect(await odd({ interactions }), JSON.stringify(interactions)).to.equal(null);
    const { ligandRole: _role, ...roleless } = bond;
    const { water: _water, ...dry } = bridge;
    for (const interactions of [
      'none',
      [1],
      [{ ...bond, type: 'hydrogen bond' }],
      [roleless],
      [{ ...contact, ligandRole: 'donor' }],
      [{ ...contact, water: bridge.water }],
      [dry],
      [{ ...bond, receptor: { ...receptor, atom: '<b>NE2</b>' } }],
      [{ ...bond, receptor: place }],
      [{ ...bond, ligandAtoms: [] }],
      [{ ...bond, ligandAtoms: [1, 1] }],
      [{ ...bond, ligandAtoms: [-1] }],
      [{ ...bond, distanceAngstrom: 11 }],
      [{ ...bond, angleDegrees: 181 }],
      [{ ...bond, more: 1 }],
      Array.from({ length: 41 }, () => bond),
    ])
      expect(await odd({ interactions }), JSON.stringify(interactions)).to.include('interactions');
    expect(await odd({ interactions: undefined })).to.include('interactions');
    expect(await odd({ schema: 'dockyard.docking.result/v3' })).to.include('no result');
  });

  it('works the efficiencies out anew', async () => {
    // 27 heavy atoms to the power of 0.3 are 2.688.
    const told = {
      ...{ bestAffinityKcalMol: -7.25, ligandEfficiency: 0.269, sizeIndependentEfficiency: 2.697 },
      ligand: { heavyAtoms: 27 },
    };
    expect(await odd({ told })).to.equal(null);
    expect(await odd({ told: { ...told, bestAffinityKcalMol: -7.3 } })).to.include('another best score');
    expect(await odd({ told: { ...told, ligandEfficiency: 0.27 } })).to.include('another ligand efficiency');
    for (const sizeIndependentEfficiency of [2.696, 2.698, -2.697])
      expect(await odd({ told: { ...told, sizeIndependentEfficiency } })).to.include('size-independent');
    expect(await odd({ told: { ...told, ligand: { heavyAtoms: 26 } } })).to.include('efficiency');
  });

  it('finds poses that are not those of the result', async () => {
    expect(await change('poses.sdf', sdf('a:1', [-7.25, -6.5]) + '\n')).to.include(
      'poses.sdf is not the file',
    );
    expect(await change('poses.pdbqt', `${pdbqt(2)}REMARK\n`)).to.include('poses.pdbqt is not the file');
  });

  it('finds an SD file that was cut off or has something else than molecules', async () => {
    const whole = sdf('a:1', [-7.25, -6.5]);
    for (const bad of [
      whole.slice(0, -30),
      whole.slice(0, whole.indexOf('M  END')),
      whole.replace('M  END\n', ''),
      'x',
    ]) {
      expect(await odd({ sdf: bad })).to.include('not well-formed');
    }
  });

  it('takes a control that could not be docked, but not half of one', async () => {
    expect(await fault('control', 'control', {})).to.equal(null);
    const control = poses('control', 'native:STR:A:1');
    expect(await fault('control', 'control', without(control, 'control/result.json'))).to.include('missing');
  });

  it('finds a prepared receptor without atoms or places, a box that is none, a report without digests', async () => {
    const prepare = (name: string, text: string): Promise<string | null> =>
      fault('prepare', 'prepare', changed(preparation(), name, text));
    expect(await prepare('receptor/prepared.pdbqt', 'REMARK\n')).to.include('no atoms');
    const atom = preparation()['receptor/prepared.pdb']?.text ?? '';
    expect(await prepare('receptor/prepared.pdb', atom.replace('  6.134', '    nan'))).to.include(
      'without a place',
    );
    const box = preparation()['box.json']?.text ?? '';
    for (const [from, to] of [
      ['[1,-2,3.5]', '[1,2]'],
      ['[20,22,24]', '[1,0,1]'],
    ] as const)
      expect(await prepare('box.json', box.replace(from, to))).to.include('no box');
    const report = preparation()['receptor/preparation.json']?.text ?? '';
    for (const [from, to] of [
      ['"cacheKey"', '"key"'],
      ['"gaps":[]', '"gaps":[1]'],
      ['"pka":[]', '"pka":[],"more":1'],
    ] as const)
      expect(await prepare('receptor/preparation.json', report.replace(from, to)), to).to.include(
        'no report',
      );
    expect(await prepare('receptor/preparation.json', '{}')).to.include('no report');
    const native = { text: '', kind: 'control', mediaType: 'chemical/x-mdl-sdfile', format: 'sdf' };
    const name = 'control/native_reference.sdf';
    expect(await fault('prepare', 'p', { ...preparation(), [name]: native })).to.include(name);
    const one = { ...native, text: sdf('STR', [0]) };
    expect(await fault('prepare', 'p', { ...preparation(), [name]: one })).to.equal(null);
  });

  it('takes side chains that turned where result and report tell of them, and nowhere else', async () => {
    const flexible = pdbqt(2);
    const turned = poses('ligands/a:1', 'a:1', [-7.25, -6.5], { flexible });
    expect(await task(turned)).to.equal(null);
    const control = poses('control', 'native:STR:A:1', [-7.25, -6.5], { flexible });
    expect(await fault('control', 'control', control)).to.equal(null);
    const name = 'ligands/a:1/flexible.pdb';
    expect(await task(without(turned, name))).to.include(`${name} is missing`);
    const file = turned[name] ?? expect.fail(name);
    expect(await task({ ...good, [name]: file })).to.include('not in the result');
    expect(await task(changed(turned, name, pdbqt(3)))).to.include('not the file that the result is about');
    expect(await odd({ flexible: pdbqt(1) })).to.include('flexible.pdb has 1 poses');

    const receptor = 'receptor/flexible.pdbqt';
    const report = JSON.parse(preparation()['receptor/preparation.json']?.text ?? '');
    const told = changed(
      preparation(),
      'receptor/preparation.json',
      JSON.stringify({ ...report, flexibleResidues: [{ chain: 'A', residue: 725, torsions: 3 }] }),
    );
    const prepared = preparation()['receptor/prepared.pdbqt'] ?? expect.fail('prepared');
    expect(await fault('prepare', 'p', { ...told, [receptor]: prepared })).to.equal(null);
    expect(await fault('prepare', 'p', told)).to.include(`${receptor} is missing`);
    expect(await fault('prepare', 'p', { ...preparation(), [receptor]: prepared })).to.include('report');
    const empty = { ...prepared, text: 'REMARK\n' };
    expect(await fault('prepare', 'p', { ...told, [receptor]: empty })).to.include(
      `${receptor} has no atoms`,
    );
  });

  it('takes a result for none that is nested without end, names a field twice, or reaches for a prototype', async () => {
    const text = result('a:1', [-7.25, -6.5]);
    const nested = (levels: number): string =>
      text.replace('"run":{', `"run":{"deep":${'['.repeat(levels)}${']'.repeat(levels)},`);
    for (const odd of [nested(5_000), nested(5_000).replace('"run"', '"run":{},"run"')])
      expect(await change('result.json', odd)).to.include('no result');
    expect(await change('result.json', text.replace('"run":', '"run":{},"run":'))).to.include('no result');
    expect(await change('result.json', text.replace('{', '{"__proto__":{"a":1},'))).to.include('no result');
    const report = `{"deep":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const prepared = changed(preparation(), 'receptor/preparation.json', report);
    expect(await fault('prepare', 'prepare', prepared)).to.include('no report');
  });

  /** How long a file within its bound keeps the process busy, and the verdict on the file. */
  const quickly = async (judged: () => Promise<string | null>): Promise<string | null> => {
    const startedAt = performance.now();
    const found = await judged();
    expect(performance.now() - startedAt, 'milliseconds').to.be.below(10_000);
    return found;
  };
  const MEBIBYTE = 1024 * 1024;

  it('is not kept long by a file that is nothing but ends of lines or of names', async function () {
    this.timeout(240_000);
    const lines = '\n'.repeat(48 * MEBIBYTE);
    const brackets = `x\n\n\n${sdf('a:1', [-7.25, -6.5]).split('\n').slice(3, 7).join('\n')}\n>${'<'.repeat(8 * MEBIBYTE)}\n$$$$\n`;
    const names = sdf('a:1', [-7.25, -6.5])
      .split('$$$$')
      .join(`${'>  <a>\n1\n'.repeat(200_000)}$$$$`);
    for (const text of [lines, brackets, '$$$$\n'.repeat(48 * 200_000)])
      expect(await quickly(() => odd({ sdf: text }))).to.include('not well-formed');
    expect(await quickly(() => odd({ sdf: names }))).to.equal(null);
    expect(await quickly(() => odd({ pdbqt: lines }))).to.include('poses');
    expect(await quickly(() => odd({ pdbqt: 'MODEL\n'.repeat(8 * MEBIBYTE) }))).to.include('poses');
    const receptor = changed(preparation(), 'receptor/prepared.pdb', lines);
    expect(await quickly(() => fault('prepare', 'prepare', receptor))).to.include('without a place');
  });
});
