"""Rings of 5 to 9 atoms are docked in the shapes that lie near the lowest: chairs, puckers, axial and equatorial."""

import numpy as np
import pytest
from rdkit import Chem
from rdkit.Chem import rdMolTransforms

from dockyard_science import ring_search as module
from dockyard_science.conformer import build_conformer, embed_more
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.modes import most_small_shapes, other_exhaustiveness
from dockyard_science.stereo import stereo_agrees

ADENOSINE = "Nc1ncnc2c1ncn2[C@H]1C[C@H](O)[C@@H](CO)O1"
OLANZAPINE = "Cc1cc2c(s1)Nc1ccccc1N=C2N1CCN(C)CC1"
CIPROFLOXACIN = "O=C(O)c1cn(C2CC2)c2cc(N3CCNCC3)c(F)cc2c1=O"
GLUCOSE = "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O"


def prepare(smiles, **options):
    return prepare_ligand(RawLigand("smiles", smiles), 7.4, **options)


def shapes_of(smiles, **options):
    return prepare(smiles, **options).shapes.found


def torsions(mol, ring):
    conformer = mol.GetConformer()
    turned = [ring[(place + step) % len(ring)] for place in range(len(ring)) for step in range(4)]
    return [
        rdMolTransforms.GetDihedralDeg(conformer, *turned[start : start + 4])
        for start in range(0, len(turned), 4)
    ]


def ring_of(mol, size):
    """The ring of a size that is not flat, in its own order."""
    return next(
        ring
        for ring in mol.GetRingInfo().AtomRings()
        if len(ring) == size and not all(mol.GetAtomWithIdx(atom).GetIsAromatic() for atom in ring)
    )


def test_the_sugar_of_a_nucleoside_is_docked_south_and_north():
    shapes = shapes_of(ADENOSINE).shapes
    # C4'-C3'-C2'-C1' is negative where C2' is on the side of C5', and positive where C3' is.
    pattern = Chem.MolFromSmarts("[CH](CO)[CH](O)[CH2][CH]n")
    angles = []
    for shape in shapes:
        c4, _, _, c3, _, c2, c1, _ = shape.mol.GetSubstructMatch(pattern)
        angles.append(rdMolTransforms.GetDihedralDeg(shape.mol.GetConformer(), c4, c3, c2, c1))
    assert min(angles) < -25
    assert max(angles) > 25


@pytest.mark.parametrize("smiles", [ADENOSINE, "O=C(O)[C@@H]1CCCN1C(C)=O", "COC[C@@H]1CCCO1"])
def test_a_ring_of_five_atoms_is_docked_in_every_quarter_of_its_round(smiles):
    found = shapes_of(smiles)
    phases = []
    for shape in found.shapes:
        angles = np.array(torsions(shape.mol, ring_of(shape.mol, 5)))
        steps = np.radians(144 * np.arange(5))
        phases.append(np.degrees(np.arctan2(-angles @ np.sin(steps), angles @ np.cos(steps))) % 360)
    phases.sort()
    # MMFF94 puts O4'-exo 7 kcal/mol up; no pucker is that rare in crystals.
    assert np.diff([*phases, phases[0] + 360]).max() < 130
    assert max(shape.energy for shape in found.shapes) <= 1.9


def test_the_inverse_of_a_ring_keeps_what_is_handed_beside_it():
    shapes = shapes_of("C[C@H](O)[C@H](O)[C@H]1CNc2nc(N)[nH]c(=O)c2N1").shapes
    assert len(shapes) > 1
    assert all(stereo_agrees(shape.mol) for shape in shapes)


def test_stiff_rings_are_embedded_once(monkeypatch):
    embedded = []

    def spied(mol, count, seed, *, is_random):
        embedded.append(count)
        return embed_more(mol, count, seed, is_random=is_random)

    monkeypatch.setattr(module, "embed_more", spied)
    module.sample.cache_clear()
    assert prepare("C[C@]12CC[C@H]3[C@@H](CCc4cc(O)ccc43)[C@@H]1CCC2=O").shapes is None
    assert embedded == [4]


def test_a_group_of_a_ring_is_docked_axial_and_equatorial():
    shapes = shapes_of("OC1CCCCC1").shapes
    assert len(shapes) == 2
    pattern = Chem.MolFromSmarts("O[CH]1[CH2][CH2]CCC1")
    angles = [
        abs(
            rdMolTransforms.GetDihedralDeg(
                shape.mol.GetConformer(), *shape.mol.GetSubstructMatch(pattern)[:4]
            )
        )
        for shape in shapes
    ]
    assert min(angles) < 90
    assert max(angles) > 150


@pytest.mark.parametrize("smiles", [GLUCOSE, "CC(C)(C)C1CCCCC1", CIPROFLOXACIN])
def test_a_ring_that_was_built_as_a_boat_is_docked_as_that_and_as_its_one_chair(smiles):
    ligand = prepare(smiles)
    assert ligand.shapes.searches(8) == [8, 8]
    built, chair = ligand.shapes.found.shapes
    assert built.energy > module.WINDOW_KCAL_MOL
    assert chair.energy == 0
    angles = torsions(chair.mol, ring_of(chair.mol, 6))
    assert all(45 < abs(angle) < 70 for angle in angles)
    assert np.sign(angles[0]) != np.sign(angles[1])


@pytest.mark.parametrize("smiles", [ADENOSINE, OLANZAPINE, GLUCOSE, "O[C@H]1CCN[C@@H]1C(=O)O"])
def test_the_shape_that_was_built_is_docked_first_and_as_long_as_ever(smiles):
    ligand = prepare(smiles)
    built, _ = build_conformer([Chem.MolFromSmiles(ligand.smiles_docked)])
    places = [mol.GetConformer().GetPositions() for mol in (ligand.shapes.found.shapes[0].mol, built)]
    gaps = [np.sort(np.linalg.norm(each[:, None] - each[None], axis=2).ravel()) for each in places]
    assert gaps[0] == pytest.approx(gaps[1], abs=0.01)
    assert ligand.pdbqt == ligand.shapes.pdbqts[0]
    searches = ligand.shapes.searches(8)
    assert searches[0] == 8
    assert sum(searches) <= 16


@pytest.mark.parametrize(
    "smiles",
    [
        ADENOSINE,
        OLANZAPINE,
        "O[C@H]1CCN[C@@H]1C(=O)O",
        "OC[C@H]1O[C@@](CO)(O[C@H]2O[C@H](CO)[C@@H](O)[C@H](O)[C@H]2O)[C@@H](O)[C@@H]1O",
    ],
)
def test_every_shape_is_the_molecule_itself_with_its_bonds_and_angles(smiles):
    ligand = prepare(smiles)
    shapes = ligand.shapes.found.shapes
    assert 2 <= len(shapes) <= 8
    others = [shape.energy for shape in shapes[1:]]
    assert others == sorted(others)
    assert min(shape.energy for shape in shapes) == 0
    assert others[-1] <= module.WINDOW_KCAL_MOL
    first = shapes[0].mol
    for shape in shapes:
        assert stereo_agrees(shape.mol)
        for bond in first.GetBonds():
            ends = (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
            lengths = [rdMolTransforms.GetBondLength(mol.GetConformer(), *ends) for mol in (first, shape.mol)]
            assert lengths[1] == pytest.approx(lengths[0], abs=0.06)


def test_a_stereocentre_that_only_ends_of_chains_make_has_no_shape_of_its_mirror_image():
    # The two esters of nitrendipine are alike next to its ring, whose other boat belongs to the other isomer.
    assert prepare("CCOC(=O)C1=C(C)NC(C)=C(C(=O)OC)[C@@H]1c1cccc([N+](=O)[O-])c1").shapes is None


def test_what_vina_does_not_turn_does_not_touch_in_another_shape():
    shapes = shapes_of("CC(=O)N1CCCC1C").shapes
    assert len(shapes) > 1
    for shape in shapes:
        heavy = Chem.RemoveHs(shape.mol)
        places = heavy.GetConformer().GetPositions()
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
        assert gaps[np.array(Chem.GetDistanceMatrix(heavy)) > 3].min() > 2.7


def test_of_two_rings_every_combination_is_docked():
    found = shapes_of(OLANZAPINE)
    assert found.rings == [6, 7]
    assert len(found.shapes) >= 4
    # The two boats of the diazepine have one energy.
    assert [shape.energy for shape in found.shapes[1:3]] == pytest.approx([0, 0], abs=0.01)


@pytest.mark.long
def test_a_ring_that_was_seen_before_has_the_same_shapes():
    first = prepare(OLANZAPINE).record()
    module.sample.cache_clear()
    prepare("CN1CCN(CC1)c1ccccc1")
    assert prepare(OLANZAPINE).record() == first
    hits = module.sample.cache_info().hits
    prepare("CCN1CCN(CC1)C1=Nc2ccccc2Nc2sc(CC)cc12")
    assert module.sample.cache_info().hits >= hits


def test_a_chain_does_not_change_the_shapes_of_a_ring():
    short, long = (shapes_of(f"O[C@H]1CCCC[C@@H]1{chain}") for chain in ("CCC", "CCCCCCCC"))
    assert [shape.energy for shape in short.shapes[1:]] == [shape.energy for shape in long.shapes[1:]]


@pytest.mark.parametrize("is_built_usual", [True, False])
@pytest.mark.parametrize("exhaustiveness", range(1, 33))
def test_no_ligand_is_searched_more_than_twice_as_long_as_in_one_shape(exhaustiveness, is_built_usual):
    most = most_small_shapes(exhaustiveness)
    assert 2 <= most <= 8
    for shapes in range(2, most + 1):
        others = shapes - 1
        each = other_exhaustiveness(exhaustiveness, others, is_built_usual=is_built_usual)
        searched = exhaustiveness + others * each
        assert exhaustiveness < searched <= 2 * exhaustiveness


def test_a_short_search_has_the_lowest_shapes_alone():
    every, few = (shapes_of(OLANZAPINE, exhaustiveness=number) for number in (8, 1))
    assert len(few.shapes) == 2 < len(every.shapes)
    assert few.shapes[1].energy == 0
    assert [shape.energy for shape in few.shapes] == [shape.energy for shape in every.shapes[:2]]
