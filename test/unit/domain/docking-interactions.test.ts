// Contacts as sums of bits answer what counting them mode by mode answers.
import { expect } from 'chai';
import fc from 'fast-check';

import {
  contactModes,
  contactOf,
  MOST_CONTACTS,
  MODES_PER_BLOCK,
  passingModes,
  threshold,
} from '../../../src/domain/docking-interactions.ts';
import type { PoseInteraction } from '../../../src/domain/docking-interactions.ts';

const bond = (residue: number): PoseInteraction => ({
  ...{ type: 'hydrogen_bond', ligandRole: 'donor', ligandAtoms: [0], distanceAngstrom: 3, angleDegrees: 150 },
  receptor: { chain: 'A', residue, insertionCode: '', residueName: 'GLN', atom: 'OE1' },
});

describe('contacts', () => {
  it('name type, chain, residue and insertion code', () => {
    expect(contactOf(bond(725))).to.equal('hydrogen_bond:A:GLN725');
    const receptor = { ...bond(-5).receptor, chain: 'B-2', insertionCode: 'C' };
    expect(contactOf({ type: 'hydrophobic', receptor })).to.equal('hydrophobic:B-2:GLN-5C');
  });

  it('are found in just the modes that have enough of those that are asked for', () => {
    const residues = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 });
    const modes = fc.array(fc.option(residues), { maxLength: 100 });
    const asked = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: MOST_CONTACTS });
    fc.assert(
      fc.property(modes, asked, fc.nat(MOST_CONTACTS), (told, wanted, missing) => {
        const least = Math.max(1, wanted.length - missing);
        const poses = told.map((list, index) => ({
          mode: index + 1,
          interactions: list === null ? null : list.map(bond),
        }));
        const names = new Set(wanted.map((residue) => contactOf(bond(residue))));
        const sums = new Map<number, bigint>();
        for (const { contact, block, modes: bits } of contactModes(poses))
          if (names.has(contact)) sums.set(block, (sums.get(block) ?? 0n) + BigInt(bits));
        const { added, mask } = threshold(least);
        const found = [...sums].flatMap(([block, sum]) =>
          passingModes(block, Number((sum + BigInt(added)) & BigInt(mask))),
        );
        const counted = poses.flatMap(({ mode, interactions }) =>
          new Set(interactions?.map(contactOf).filter((name) => names.has(name))).size >= least ? [mode] : [],
        );
        expect(found.toSorted((a, b) => a - b)).to.deep.equal(counted);
      }),
    );
  });

  it('stay exact numbers however many are added', () => {
    const every = Array.from({ length: MODES_PER_BLOCK }, (_, n) => ({
      mode: n + 1,
      interactions: [bond(1)],
    }));
    const [row] = contactModes(every);
    const most = (row?.modes ?? Infinity) * MOST_CONTACTS + threshold(1).added;
    expect(Number.isSafeInteger(most)).to.equal(true);
  });
});
