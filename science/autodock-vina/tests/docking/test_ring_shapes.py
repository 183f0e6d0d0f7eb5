"""Vina bends no ring, so a ligand with a large one is docked in several shapes of it; all others are docked as ever."""

from dataclasses import replace

import numpy as np
import pytest
from meeko import MoleculePreparation, PDBQTWriterLegacy
from rdkit import Chem
from rdkit.Chem import rdMolAlign

from dockyard_science import ring_shapes as module
from dockyard_science.conformer import build_conformer, embed_more
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.ring_shapes import SHAPE_RMSD_ANGSTROM, ring_shapes, stiff_parts

LACTONE_16 = "O=C1CCCCCCCCCCCCCCO1"
LACTONE_10 = "O=C1CCCCCCCCO1"
ZEARALENONE = "C[C@H]1CCCC(=O)CCC/C=C/c2cc(O)cc(O)c2C(=O)O1"
PORPHINE = "c1cc2cc3ccc([nH]3)cc3ccc(n3)cc3ccc(cc1n2)[nH]3"


@pytest.fixture
def few(monkeypatch):
    """The same rules with fewer conformers, for what does not depend on how many there are."""
    monkeypatch.setattr(module, "LARGE", replace(module.LARGE, conformers=11, kept=3))


def prepare(smiles, **options):
    return prepare_ligand(RawLigand("smiles", smiles), 7.4, **options)


def shapes_of(smiles):
    built, force_field = build_conformer([Chem.MolFromSmiles(smiles)])
    return ring_shapes(built, force_field, lambda: None, 8)


def codes(ligand):
    return [warning["code"] for warning in ligand.warnings]


def apart(first, second):
    """Least RMSD of the stiff atoms over the symmetries of the molecule, by RDKit and not by what is tested."""
    rings = [set(ring) for ring in first.GetRingInfo().AtomRings() if len(ring) >= 7]
    [stiff] = stiff_parts(first, rings)
    maps = {
        tuple(zip(stiff, (match[index] for index in stiff), strict=True))
        for match in first.GetSubstructMatches(second, uniquify=False, maxMatches=1000)
    }
    return min(rdMolAlign.AlignMol(Chem.Mol(first), second, atomMap=list(pairs)) for pairs in maps)


@pytest.mark.parametrize(
    ("smiles", "rings", "most_made", "most_docked"),
    [
        (LACTONE_10, [10], 100, 20),
        pytest.param("O=C1CCCCCCCO1", [9], 32, 4, marks=pytest.mark.long),
        ("O=C1CCCCCN1", [7], 32, 4),
        ("O[C@H]1CCN[C@@H]1C(=O)O", [5], 32, 4),
        ("CC1CCCCC1", [6], 32, 4),
        # The ring goes the short way round the phenyl that is fused to it.
        pytest.param("C1CCc2ccccc2CCCOC1", [10], 100, 20, marks=pytest.mark.long),
    ],
)
def test_the_size_of_a_ring_decides_how_many_shapes_are_made_and_docked(
    smiles, rings, most_made, most_docked
):
    found = shapes_of(smiles)
    assert found.rings == rings
    assert found.made == most_made if most_made == 100 else 4 <= found.made <= most_made
    assert len(found.shapes) == min(found.distinct, most_docked)
    assert found.distinct > 1


@pytest.mark.parametrize(
    "smiles",
    [
        "CC(=O)Oc1ccccc1C(=O)O",
        "O=C1NC(=O)C(c2ccccc2)(c2ccccc2)N1",
        "c1ccc2cccc2cc1",
        PORPHINE,
        "C1C2CC3CC1CC(C2)C3",
        "C1CC2CCC1C2",
        "CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C",
        "CCCCCCCCCCCC",
    ],
)
def test_chains_flat_rings_and_cages_have_no_shapes_of_their_own(smiles):
    assert shapes_of(smiles) is None
    ligand = prepare(smiles)
    assert ligand.shapes is None
    assert "ringShapes" not in ligand.record()
    assert "MACROCYCLE_RIGID" not in codes(ligand)


def test_shapes_differ_in_the_ring_and_come_by_their_energies(few):
    found = shapes_of(ZEARALENONE)
    assert len(found.shapes) == 3
    energies = [shape.energy for shape in found.shapes]
    assert energies == sorted(energies)
    assert energies[0] == 0
    pairs = [(a.mol, b.mol) for i, a in enumerate(found.shapes) for b in found.shapes[i + 1 :]]
    assert min(apart(*pair) for pair in pairs) >= SHAPE_RMSD_ANGSTROM
    labels = {Chem.MolToSmiles(Chem.RemoveHs(shape.mol)) for shape in found.shapes}
    assert labels == {Chem.CanonSmiles(ZEARALENONE)}


def test_a_side_chain_makes_no_shape_of_its_own():
    mol = Chem.AddHs(Chem.MolFromSmiles("CCCCCCC1CCCCCC1"))
    rings = [set(ring) for ring in mol.GetRingInfo().AtomRings()]
    # The ring and the first atom of the chain, which is axial or equatorial.
    assert stiff_parts(mol, rings) == [[5, 6, 7, 8, 9, 10, 11, 12]]


def test_what_is_fused_to_a_ring_belongs_to_its_shape():
    mol = Chem.AddHs(Chem.MolFromSmiles("Cc1ccc2c(c1)CCCCCCC2OC"))
    rings = [set(ring) for ring in mol.GetRingInfo().AtomRings() if len(ring) > 6]
    assert stiff_parts(mol, rings) == [list(range(15))]


def test_of_two_rings_the_chain_between_them_makes_no_shape():
    mol = Chem.AddHs(Chem.MolFromSmiles("C1CCCCCC1CCCC1CCCCCC1"))
    rings = [set(ring) for ring in mol.GetRingInfo().AtomRings()]
    assert sorted(stiff_parts(mol, rings)) == [list(range(8)), list(range(9, 17))]
    # The boat of this ring is its own mirror image, turned round.
    shapes = shapes_of("c1ccc2c(c1)C=Cc1ccccc1N2CCCN1c2ccccc2C=Cc2ccccc12").shapes
    assert len([shape for shape in shapes if shape.energy < 1]) == 1


@pytest.mark.long
def test_numbering_alone_makes_no_shape(monkeypatch):
    # Cyclodecane has few shapes, each of which 20 numberings of its atoms give.
    symmetric = shapes_of("C1CCCCCCCCC1").distinct
    monkeypatch.setattr(module, "symmetries", lambda _mol, atoms: np.array([atoms]))
    assert symmetric < shapes_of("C1CCCCCCCCC1").distinct


def test_mirror_images_of_a_ring_are_two_shapes():
    # The two boats of diazepam, which has no handed atom; the receptor tells one from the other.
    found = shapes_of("CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc12")
    assert found.distinct == 2
    energies = [shape.energy for shape in found.shapes]
    assert energies[1] == pytest.approx(energies[0], abs=0.01)
    assert apart(found.shapes[0].mol, found.shapes[1].mol) >= SHAPE_RMSD_ANGSTROM


def test_every_writing_of_a_molecule_gives_the_same_shapes(few):
    writings = [ZEARALENONE, "c1(O)cc(O)c2C(=O)O[C@@H](C)CCCC(=O)CCC/C=C/c2c1"]
    first, second = (prepare(smiles) for smiles in writings)
    assert first.smiles_docked == second.smiles_docked
    assert first.shapes.pdbqts == second.shapes.pdbqts
    assert first.record()["ringShapes"] == second.record()["ringShapes"]


def test_every_shape_has_the_same_atoms_and_torsions(few):
    ligand = prepare("CCCCOC1CCCCCC(=O)NCCCCC1O")

    def without_places(pdbqt):
        return [line[:30] + line[54:] for line in pdbqt.splitlines()]

    assert ligand.pdbqt == ligand.shapes.pdbqts[0]
    assert len(set(ligand.shapes.pdbqts)) == len(ligand.shapes.pdbqts) == 3
    assert all(without_places(pdbqt) == without_places(ligand.pdbqt) for pdbqt in ligand.shapes.pdbqts)


def test_another_shape_is_written_as_meeko_would_write_it():
    ligand = prepare("OCC1CCCCC(O)N1")
    assert len(ligand.shapes.pdbqts) > 1
    for shape, pdbqt in zip(ligand.shapes.found.shapes, ligand.shapes.pdbqts, strict=True):
        setups = MoleculePreparation(rigid_macrocycles=True).prepare(shape.mol)
        assert PDBQTWriterLegacy.write_string(setups[0])[0] == pdbqt


def test_a_macrocycle_in_several_shapes_is_told_and_not_warned_about(few):
    ligand = prepare(LACTONE_16)
    assert (ligand.torsions, ligand.macrocycles, codes(ligand)) == (0, [], [])
    told = ligand.record()["ringShapes"]
    assert (told["rings"], told["conformersMade"], len(told["shapes"])) == ([16], 11, 3)
    assert told["distinct"] >= 3
    assert [shape["shape"] for shape in told["shapes"]] == [1, 2, 3]


def test_a_ring_whose_conformers_all_fail_is_docked_as_it_was_built_and_said(monkeypatch):
    smiles, sizes = LACTONE_16, [16]

    def fail(built, _count, _seed, *, is_random):
        assert is_random in (False, True)
        mol = Chem.Mol(built)
        mol.RemoveAllConformers()
        return mol

    monkeypatch.setattr(module, "embed_more", fail)
    ligand = prepare(smiles)
    assert codes(ligand) == ["MACROCYCLE_RIGID"]
    assert "one shape" in ligand.warnings[0]["message"]
    assert ligand.macrocycles == sizes
    assert ligand.shapes.pdbqts == [ligand.pdbqt]
    monkeypatch.setattr("dockyard_science.ligand.ring_shapes", lambda *_: None)
    assert prepare(smiles).pdbqt == ligand.pdbqt


def test_conformers_of_another_stereochemistry_are_no_shapes(few, monkeypatch):
    def mirrored(built, count, seed, *, is_random):
        mol = embed_more(built, count, seed, is_random=is_random)
        for conformer in mol.GetConformers():
            conformer.SetPositions(np.array(conformer.GetPositions()) * [1.0, 1.0, -1.0])
        return mol

    monkeypatch.setattr(module, "embed_more", mirrored)
    ligand = prepare(ZEARALENONE)
    assert len(ligand.shapes.pdbqts) == 1
    assert "MACROCYCLE_RIGID" in codes(ligand)


def test_a_molecule_without_a_force_field_has_shapes_without_energies(few):
    built, _ = build_conformer([Chem.MolFromSmiles(LACTONE_10)])
    found = ring_shapes(built, "none", lambda: None, 8)
    assert {shape.energy for shape in found.shapes} == {None}


def test_each_batch_of_conformers_is_announced():
    steps = []
    prepare(LACTONE_10, on_step=lambda: steps.append(1))
    # Ten of conformers, and some for the force field.
    assert len(steps) > 10
