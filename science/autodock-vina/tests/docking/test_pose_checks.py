"""Poses are checked as PoseBusters checks them: sound ones pass, wrong ones fail by name, none is lost by a check."""

import json
import sys

import numpy as np
import posebusters
import pytest
import yaml
from posebusters.tools import protein
from rdkit import Chem
from rdkit.Chem import AllChem

from docking_world import NATIVE, RECEPTOR, Docker
from dockyard_science import busters, pose_checks, pose_contacts, pose_geometry
from dockyard_science.pose_checks import PoseChecker, pose_summary, pose_warnings

CHECKER = PoseChecker(RECEPTOR.read_text())
FAR_AWAY = np.array([500.0, 0.0, 0.0])


def native():
    return Chem.AddHs(Chem.MolFromMolFile(str(NATIVE)), addCoords=True)


def built(smiles):
    """A relaxed molecule far from the receptor's atoms."""
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    assert AllChem.EmbedMolecule(mol, randomSeed=1) == 0
    AllChem.MMFFOptimizeMolecule(mol)
    return mol


def moved(mol, atoms, by):
    """The molecule with some atoms elsewhere."""
    mol = Chem.Mol(mol)
    conformer = mol.GetConformer()
    places = conformer.GetPositions()
    places[atoms] += by
    conformer.SetPositions(places)
    return mol


def within(mol):
    """What fails within the molecule, the receptor apart."""
    return list(PoseChecker("").check(mol)[0].failed)


def stretched():
    mol = built("CCO")
    return moved(mol, [0, 3, 4, 5], 0.8 * unit(mol, 1, 0))


def bent_ring():
    mol = built("Cc1ccccc1")
    ring = mol.GetSubstructMatch(Chem.MolFromSmarts("c1ccccc1"))
    places = mol.GetConformer().GetPositions()
    normal = np.cross(places[ring[1]] - places[ring[0]], places[ring[2]] - places[ring[0]])
    return moved(mol, [ring[3]], 0.9 * normal / np.linalg.norm(normal))


def twisted_double_bond():
    mol = built("CC(C)=C(C)C")
    AllChem.SetDihedralDeg(mol.GetConformer(), 0, 1, 3, 4, 50.0)
    return mol


def folded_upon_itself():
    mol = built("CCCCCCCC")
    for bond in range(5):
        AllChem.SetDihedralDeg(mol.GetConformer(), *range(bond, bond + 4), 10.0)
    return mol


def flat_ring():
    mol = built("C1CCCCC1")
    places = mol.GetConformer().GetPositions()
    ring = places[:6]
    normal = np.linalg.svd(ring - ring.mean(axis=0))[2][-1]
    heights = (ring - ring.mean(axis=0)) @ normal
    return moved(mol, list(range(6)), -heights[:, None] * normal)


def unit(mol, begin, end):
    places = mol.GetConformer().GetPositions()
    return (places[end] - places[begin]) / np.linalg.norm(places[end] - places[begin])


WRONG = {
    "bond_lengths": stretched,
    "aromatic_ring_flatness": bent_ring,
    "double_bond_flatness": twisted_double_bond,
    "internal_steric_clash": folded_upon_itself,
    "non-aromatic_ring_non-flatness": flat_ring,
}


def test_the_native_pose_passes_every_check():
    (checks,) = CHECKER.check(native())
    assert checks.record() == {"passed": True, "failed": [], "notChecked": []}


def test_a_pose_that_is_pushed_into_the_protein_fails():
    everything = list(range(native().GetNumAtoms()))
    for step in (4.0 * np.eye(3)).tolist():
        (checks,) = CHECKER.check(moved(native(), everything, step))
        assert "minimum_distance_to_protein" in checks.failed
        assert "volume_overlap_with_protein" in checks.failed


def test_a_pose_that_touches_nothing_fails():
    everything = list(range(native().GetNumAtoms()))
    (checks,) = CHECKER.check(moved(native(), everything, FAR_AWAY))
    assert checks.failed == ("protein-ligand_maximum_distance",)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_molecule_fails_by_the_name_of_what_is_wrong(name):
    assert name in within(WRONG[name]())


def test_a_bent_angle_fails():
    mol = built("CCC")
    AllChem.SetAngleDeg(mol.GetConformer(), 0, 1, 2, 60.0)
    assert "bond_angles" in within(mol)


def test_a_strained_pose_fails_in_mode_1_alone():
    good, bad = built("CCCC"), built("CCCC")
    bad = moved(bad, [3], 2.2 * unit(bad, 3, 0))
    assert "internal_energy" in within(bad)
    both = Chem.Mol(good)
    both.AddConformer(bad.GetConformer(), assignId=True)
    first, second = PoseChecker("").check(both)
    assert first.passed
    assert "internal_energy" not in second.failed + second.not_checked


@pytest.mark.parametrize(
    "smiles", ["CC(C)Cc1ccccc1", "OC1CCNCC1", "CC(C)=C(C)C(=O)[O-]", "NC(=[NH2+])c1ccccc1"]
)
def test_sound_molecules_pass_without_asking_posebusters(smiles, monkeypatch):
    monkeypatch.setattr(busters, "_modules", lambda: pytest.fail("asked"))
    assert within(built(smiles)) == []


@pytest.mark.parametrize(
    ("smiles", "is_flat_right"),
    [
        ("CC1=C(C(=O)OC)C(C)C(C(=O)OC)=C(C)N1", True),  # nifedipine's ring
        ("NC(=O)C1=CN(C)C=CC1", True),  # NADH's
        ("CC1=CC(=O)C=CC1=O", True),
        ("CC1C=COC=C1", True),
        ("CC1CC=CCC1", False),
        ("CC1CCCCC1", False),
        ("CC1=CC=CCC1", False),  # both double bonds on one side
    ],
)
def test_a_flat_ring_of_six_is_wrong_but_for_two_double_bonds_on_opposite_sides(smiles, is_flat_right):
    mol = built(smiles)
    (ring,) = (list(each) for each in mol.GetRingInfo().AtomRings())
    places = mol.GetConformer().GetPositions()[ring]
    middle = places - places.mean(axis=0)
    normal = np.linalg.svd(middle)[2][2]
    for atom, height in zip(ring, middle @ normal, strict=True):
        mol = moved(mol, [atom], -height * normal)
    assert (busters.RING_PUCKER not in within(mol)) == is_flat_right


def pdb_of(pdbqt):
    """The receptor as PoseBusters reads it."""
    lines = [line[:54] + "  1.00  0.00" for line in pdbqt.splitlines() if line.startswith("ATOM")]
    elements = [
        symbol for line in pdbqt.splitlines() if line.startswith("ATOM") for symbol in [line[77:].strip()]
    ]
    block = "\n".join(
        f"{line:<76}{pose_contacts._ELEMENTS.get(kind, kind):>2}"
        for line, kind in zip(lines, elements, strict=True)
    )
    return Chem.MolFromPDBBlock(block, sanitize=False, removeHs=False, proximityBonding=False)


def test_the_verdicts_are_those_of_posebusters_run_whole(docked_modes):
    everything = list(range(native().GetNumAtoms()))
    poses = [
        native(),
        *(moved(native(), everything, [0.0, 0.0, step]) for step in (0.8, 1.6, 2.4, FAR_AWAY[0])),
    ]
    poses += [make() for make in WRONG.values()] + docked_modes
    table = posebusters.PoseBusters(config="dock_fast").bust(poses, None, pdb_of(RECEPTOR.read_text()))
    compared = [name for name in busters.CHECKS if name != busters.INTERNAL_ENERGY]
    for pose, (_, row) in zip(poses, table.iterrows(), strict=True):
        ours = CHECKER.check(pose)[0]
        theirs = tuple(name for name in compared if not bool(row[name]))
        assert tuple(name for name in ours.failed if name in compared) == theirs
        assert not set(ours.not_checked) - {busters.INTERNAL_ENERGY}


@pytest.fixture(scope="module")
def docked_modes(engine, tmp_path_factory):
    docker = Docker(engine, tmp_path_factory.mktemp("modes"))
    docker("ibuprofen", "CC(C)Cc1ccc(cc1)[C@H](C)C(=O)O")
    path = docker.out / "ligands" / "ibuprofen" / "poses.sdf"
    return list(Chem.SDMolSupplier(str(path), removeHs=False))[:3]


def test_the_constants_are_those_of_the_package():
    folder = busters._modules().__path__[0]
    with open(f"{folder}/config/dock.yml", encoding="utf-8") as file:  # noqa: PTH123 - a test reads a package's file
        modules = yaml.safe_load(file)["modules"]
    told = {module["name"]: module.get("parameters", {}) for module in modules}
    assert told["Geometry"] == {
        "bound_matrix_params": busters.BOUNDS,
        "threshold_bad_bond_length": busters.BOND_SHARE,
        "threshold_bad_angle": busters.ANGLE_SHARE,
        "threshold_clash": busters.CLASH_SHARE,
        "ignore_hydrogens": True,
        "sanitize": True,
    }
    for name, systems, angstrom in (
        ("Ring flatness", busters.AROMATIC_RINGS, busters.FLAT_ANGSTROM),
        ("Double bond flatness", busters.DOUBLE_BONDS, busters.FLAT_ANGSTROM),
    ):
        assert told[name] == {"flat_systems": systems, "threshold_flatness": angstrom}
    pucker = {"flat_systems": busters.PACKAGE_RINGS, "threshold_flatness": busters.PUCKERED_ANGSTROM}
    assert told["Ring non-flatness"] == pucker | {"check_nonflat": True}
    assert told["Energy ratio"] == {
        "threshold_energy_ratio": busters.ENERGY_RATIO,
        "ensemble_number_conformations": busters.ENSEMBLE_CONFORMERS,
    }
    for part, (radii, scale) in busters.PARTS.items():
        distance, volume = (
            told[f"{kind} {part.replace('_', ' ')}"] for kind in ("Distance to", "Volume overlap with")
        )
        assert (distance["radius_type"], distance["radius_scale"]) == (radii, 1.0)
        assert distance["clash_cutoff"] == busters.LEAST_RELATIVE_DISTANCE
        assert distance["max_distance"] == busters.FARTHEST_ANGSTROM
        assert (volume["clash_cutoff"], volume["vdw_scale"]) == (busters.OVERLAP_SHARE, scale)
    assert protein._inorganic_cofactor_ccd_codes == pose_contacts._INORGANIC
    names = [
        name.lower().replace(" ", "_")
        for module in modules
        for name in (module["rename_outputs"][output] for output in module["chosen_binary_test_output"])
    ]
    assert set(busters.CHECKS) <= set(names)


ROW = (
    "ATOM      1 {name:<4} {residue:>3} A{number:>4}    {x:8.3f}   0.000   0.000  1.00  0.00    +0.000 {kind}"
)


def receptor(*atoms):
    """A receptor of atoms given as name, residue, its number, type and x."""
    return "\n".join(
        ROW.format(name=name, residue=residue, number=number, x=x, kind=kind)
        for name, residue, number, kind, x in atoms
    )


@pytest.mark.parametrize(
    ("atom", "part", "fits", "clashes"),
    [
        ((" ZN", "ZN", 9, "Zn"), "inorganic_cofactors", 2.0, 1.2),
        # Typed as the nearest metal that there are parameters for.
        ((" NA", "NA", 9, "Mg"), "inorganic_cofactors", 2.4, 1.2),
        ((" O", "HOH", 9, "OA"), "waters", 2.8, 1.9),
        ((" C1", "GOL", 9, "C"), "organic_cofactors", 3.4, 2.0),
        ((" S", "SO4", 9, "SA"), "inorganic_cofactors", 3.4, 1.0),
    ],
)
def test_parts_of_a_receptor_are_told_apart(atom, part, fits, clashes):
    ligand = built("O")
    oxygen = ligand.GetConformer().GetPositions()[0]
    protein_atoms = [(name, "ALA", 1, name[0], 60.0) for name in ("N", "CA", "C", "O")]
    for distance, is_clash in ((fits, False), (clashes, True)):
        name, residue, number, kind = atom
        checker = PoseChecker(receptor((name, residue, number, kind, distance), *protein_atoms))
        parts = {one.name: one for one in checker._parts}
        assert set(parts) == {part, "protein"}
        (checks,) = checker.check(moved(ligand, [0, 1, 2], -oxygen))
        assert (f"minimum_distance_to_{part}" in checks.failed) == is_clash
        assert ("protein-ligand_maximum_distance" in checks.failed) is True
    assert parts["protein"].elements == (7, 6, 6, 8)


def test_a_check_that_breaks_is_named_and_nothing_is_lost(engine, tmp_path, monkeypatch, capsys):
    def broken(*_):
        raise RuntimeError("out of order")

    monkeypatch.setattr(pose_checks, "_STEPS", [_broken(step, broken) for step in pose_checks._STEPS])
    monkeypatch.setattr(pose_checks, "volume_verdicts", broken)
    (checks,) = CHECKER.check(native())
    assert checks.passed
    assert set(checks.not_checked) == {
        "bond_lengths",
        "bond_angles",
        "internal_steric_clash",
        "aromatic_ring_flatness",
        "non-aromatic_ring_non-flatness",
        "double_bond_flatness",
        "internal_energy",
        "volume_overlap_with_protein",
    }
    assert "out of order" in capsys.readouterr().err
    # The engine's process is forked anew, from this one with its broken checks.
    engine.close()
    _, summary = Docker(engine, tmp_path)("ethanol", "CCO")
    engine.close()
    assert summary["checks"]["notChecked"]
    assert summary["bestPoseFailedChecks"] == 0


def test_what_there_was_no_time_for_is_named_and_fails_nothing(engine, tmp_path, monkeypatch):
    (checks,) = PoseChecker(RECEPTOR.read_text(), seconds=0).check(native())
    assert checks.passed
    # What the screen settles needs no time worth counting.
    assert set(checks.not_checked) == {
        "protein-ligand_maximum_distance",
        "minimum_distance_to_protein",
        "volume_overlap_with_protein",
    }
    assert checks.record()["timeRanOut"] is True
    monkeypatch.setattr(engine, "checker", PoseChecker(RECEPTOR.read_text(), seconds=0))
    # The engine's process is forked anew, from this one with no time for checks.
    engine.close()
    _, summary = Docker(engine, tmp_path)("ethanol", "CCO")
    engine.close()
    assert summary["checks"]["timeRanOut"] is True
    assert summary["warnings"] == []


def _broken(step, broken):
    return pose_checks._Step(step.names, broken, broken, step.modes)


def test_the_result_has_the_checks_of_every_mode(engine, tmp_path):
    docker = Docker(engine, tmp_path)
    _, summary = docker("benzamidine", "NC(=N)c1ccccc1")
    result = json.loads((tmp_path / "ligands" / "benzamidine" / "result.json").read_text())["result"]
    records = [pose["checks"] for pose in result["poses"]]
    assert len(records) == summary["poseCount"] > 1
    assert all(record["passed"] == (record["failed"] == []) for record in records)
    assert summary["checks"] == records[0] == {"passed": True, "failed": [], "notChecked": []}
    assert summary["plausiblePoseCount"] == sum(record["passed"] for record in records)
    assert summary["bestPoseFailedChecks"] == 0
    assert not [one for one in summary["warnings"] if one["code"] == "POSE_IMPLAUSIBLE"]


def test_a_best_mode_that_fails_is_warned_of_with_its_checks_and_how_many_pass():
    good = pose_checks.PoseChecks((), ())
    bad = pose_checks.PoseChecks(("bond_lengths", "volume_overlap_with_protein"), ())
    assert pose_warnings([good, bad]) == []
    (warning,) = pose_warnings([bad, good, good])
    assert warning == {
        "code": "POSE_IMPLAUSIBLE",
        "message": "Mode 1 fails bond_lengths, volume_overlap_with_protein; 2 of 3 modes pass every check.",
    }
    (warning,) = pose_warnings([pose_checks.PoseChecks(busters.CHECKS, ())])
    assert "and 10 more; 0 of 1 modes" in warning["message"]
    assert len(warning["message"]) <= 500
    assert pose_summary([bad, good])["checks"]["failed"] == list(bad.failed)


def test_the_screen_passes_nothing_that_posebusters_fails():
    """Bent, stretched and folded at random: what the screen passes, the modules pass too."""
    chance = np.random.default_rng(7)
    start = built("CC(=C(C)C)c1ccc(C2CCCCC2)cc1")
    mol = Chem.Mol(start)
    places = start.GetConformer().GetPositions()
    for size in np.linspace(0.02, 0.5, 12):
        conformer = Chem.Conformer(start.GetConformer())
        conformer.SetPositions(places + chance.normal(0, size, places.shape))
        mol.AddConformer(conformer, assignId=True)
    screened = 0
    for step in pose_checks._STEPS[:4]:
        for index, is_clear in enumerate(step.screen(mol)):
            verdicts = step.decide(Chem.Mol(mol, confId=index))
            screened += bool(is_clear)
            assert not is_clear or all(verdicts.values())
    assert 8 <= screened < 4 * 13
    assert pose_geometry.positions_of(mol).shape == (13, start.GetNumAtoms(), 3)


def test_posebusters_is_loaded_by_those_poses_alone_that_need_it(engine):
    assert "posebusters" in sys.modules
    assert busters._modules.cache_info().misses <= 1
