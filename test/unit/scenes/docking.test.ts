/** Scenes of docked poses: whatever a ligand is called and however many contacts it has, a project takes the scene. */
import { expect } from 'chai';
import * as fc from 'fast-check';
import { MVSData } from 'molstar/lib/extensions/mvs/mvs-data.js';

import { INTERACTION_TYPES } from '../../../src/domain/docking-interactions.ts';
import type { PoseInteraction } from '../../../src/domain/docking-interactions.ts';
import { checkScene } from '../../../src/scenes/check.ts';
import { sceneOfPoses } from '../../../src/scenes/docking.ts';
import type { DockedPoses, SceneTree } from '../../../src/scenes/docking.ts';

const id = (n: number): string => `0190b6a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const bond: PoseInteraction = {
  ...{ type: 'hydrogen_bond', ligandRole: 'acceptor', ligandAtoms: [3], distanceAngstrom: 2.91 },
  ...{
    angleDegrees: 160.5,
    receptor: { chain: 'A', residue: 725, insertionCode: '', residueName: 'GLN', atom: 'NE2' },
  },
};
const pose = (mode: number, contacts: readonly PoseInteraction[] | null = [bond]) => ({
  ...{ title: `imatinib, mode ${mode}`, description: '-9.1 kcal/mol', artifactId: id(2), mode, contacts },
});
const docked: DockedPoses = {
  ...{ title: 'Pose of imatinib', receptorId: id(1), nativeId: id(3), poses: [pose(2)] },
  box: { center: [22, 10, 60], size: [20, 22, 24] },
};
const allOf = (tree: SceneTree): readonly SceneTree[] => [tree, ...(tree.children ?? []).flatMap(allOf)];
const nodesOf = (facts: DockedPoses, kind: string): readonly SceneTree[] => {
  const scene = sceneOfPoses(facts);
  return scene.kind === 'single' ? allOf(scene.root).filter((each) => each.kind === kind) : [];
};

describe('scenes of docked poses', () => {
  it('show receptor, pocket, pose, contacts, control and box, each where it was recorded', () => {
    expect(nodesOf(docked, 'download').map(({ params }) => params?.['url'])).to.deep.equal(
      [1, 2, 3].map((n) => `/api/v1/molecular/assets/${id(n)}`),
    );
    expect(nodesOf(docked, 'structure').map(({ params }) => params?.['model_index'])).to.deep.equal([
      undefined,
      1,
      undefined,
    ]);
    const residue = { auth_asym_id: 'A', auth_seq_id: 725 };
    expect(nodesOf(docked, 'component').map(({ params }) => params?.['selector'])).to.deep.include([residue]);
    const [contact, box] = nodesOf(docked, 'primitive');
    expect(contact?.params).to.deep.include({
      start: { structure_ref: 'receptor', expressions: [{ ...residue, auth_atom_id: 'NE2' }] },
      end: { structure_ref: 'ligand', expressions: [{ atom_index: 3 }] },
      tooltip: 'Hydrogen bond: GLN A:725 NE2, 2.91 Å, 161°',
    });
    expect(box?.params).to.deep.include({ center: [22, 10, 60], extent: [10, 11, 12] });
  });

  it('show what there is of a pose without receptor, box, control or contacts', () => {
    const bare = { ...docked, receptorId: null, nativeId: null, box: null, poses: [pose(1, null)] };
    expect(nodesOf(bare, 'download')).to.have.length(1);
    expect(nodesOf(bare, 'primitive')).to.have.length(0);
    const blank = { ...bond, receptor: { ...bond.receptor, chain: '_', insertionCode: 'B' } };
    expect(
      nodesOf({ ...docked, poses: [pose(1, [blank])] }, 'component').at(-3)?.params?.['selector'],
    ).to.deep.equal([{ auth_seq_id: 725, pdbx_PDB_ins_code: 'B' }]);
  });

  it('show twenty poses at most, each as a state', () => {
    const scene = sceneOfPoses({ ...docked, poses: Array.from({ length: 100 }, (_, n) => pose(n + 1)) });
    expect(scene.kind === 'multiple' ? scene.snapshots.length : 0).to.equal(20);
  });

  it('are scenes that a project takes and Mol* opens, of any title and any number of contacts', () => {
    const contact = fc.record({
      type: fc.constantFrom(...INTERACTION_TYPES),
      receptor: fc.record({
        ...{
          chain: fc.stringMatching(/^[A-Za-z0-9_-]{1,4}$/),
          residue: fc.integer({ min: -9999, max: 99_999 }),
        },
        ...{
          insertionCode: fc.constantFrom('', 'A'),
          residueName: fc.string(),
          atom: fc.stringMatching(/^[A-Z0-9'*]{1,4}$/),
        },
      }),
      ligandAtoms: fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 6 }),
      distanceAngstrom: fc.double({ min: 0, max: 10, noNaN: true }),
      angleDegrees: fc.option(fc.double({ min: 0, max: 180, noNaN: true })),
    });
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('<b>x</b>', '![a](b)', 'JavaScript:alert(1)', 'data:text/html'),
    );
    const poses = fc.array(
      fc.record({
        ...{
          title: text,
          description: text,
          artifactId: fc.constant(id(9)),
          mode: fc.integer({ min: 1, max: 100 }),
        },
        contacts: fc.option(fc.array(contact, { maxLength: 400 })),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(text, poses, (title, each) => {
        const scene = sceneOfPoses({ ...docked, title, poses: each });
        expect(checkScene(scene).faults).to.deep.equal([]);
        expect(MVSData.validationIssues(JSON.parse(JSON.stringify(scene)), { noExtra: true })).to.equal(
          undefined,
        );
      }),
      { numRuns: 50, seed: 35 },
    );
  });
});
