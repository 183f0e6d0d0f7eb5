"""Docking with side chains that turn: what Vina alone finds with the same input, told and checked mode by mode."""

import json
from dataclasses import replace

import numpy as np
import pytest
from rdkit import Chem
from vina import Vina

from docking_world import BOX, NATIVE, RECEPTOR, SPEC, TOOLCHAIN, Docker
from dockyard_science.ccd import default_ccd
from dockyard_science.docking import MIN_RMSD_ANGSTROM
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.modes import VinaRun, merge_modes
from dockyard_science.pdbqt import (
    atom_lines,
    coordinates,
    is_hydrogen_line,
    split_models,
    split_pose,
    split_residues,
)
from dockyard_science.pose_checks import PoseChecker
from dockyard_science.side_chains import SideChains
from dockyard_science.validation import native_molecule, pose_rmsds, run_control
from dockyard_science.vina_tool import VinaTool
from dockyard_session.errors import ScienceError
from dockyard_session.protocol import TaskRequest
from json_schema import schema_of, violations
from receptor_world import prepare_in, session
from structures_world import PR, records, write_with

# The glutamine that holds the steroid's ketone, and a small one: a search takes much longer with each bond that turns.
TURNING = (725, 760)
PLACES = [{"chain": "A", "residue": number, "insertionCode": ""} for number in TURNING]
LABEL = "GLN A 725, VAL A 760: 4 bonds"
# The smallest ligand, for the same reason; its native place is anywhere.
LIGAND = "ethanol"
ETHANOL = """
     RDKit          3D

  3  2  0  0  0  0  0  0  0  0999 V2000
   22.0000   10.0000   60.0000 C   0  0
   23.4000   10.4000   60.2000 C   0  0
   24.2000    9.5000   60.9000 O   0  0
  1  2  1  0
  2  3  1  0
M  END
"""
PLACE = {"centerAngstrom": BOX["centerAngstrom"], "sizeAngstrom": BOX["sizeAngstrom"]}
FILES = ("poses.sdf", "poses.pdbqt", "flexible.pdb", "dock.log")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The pocket of the receptor, prepared with side chains that turn."""
    out = tmp_path_factory.mktemp("prepared")
    pocket = {line[22:27] for line in atom_lines(RECEPTOR.read_text())}
    lines = [line for line in records(PR) if line[21] == "A" and line[22:27] in pocket]
    source = write_with(out / "pocket.pdb", [line for line in lines if line.startswith("ATOM")])
    prepare_in(out, source, session(PLACE, flexibleResidues=PLACES))
    return out / "receptor"


@pytest.fixture(scope="module")
def flexible(prepared, tmp_path_factory):
    """The engine as a session makes it of the files that the tasks of such a job get."""
    box = tmp_path_factory.mktemp("box") / "box.json"
    box.write_text(json.dumps(BOX))
    files = {f"prepared/receptor/{path.name}": path for path in prepared.iterdir()}
    task = TaskRequest("1", "task", LIGAND, 1, box.parent, {}, files | {"prepared/box.json": box})
    tool = VinaTool(SPEC)
    yield tool._engine(task)
    tool.forget()


@pytest.fixture(scope="module")
def docked(flexible, tmp_path_factory):
    docker = Docker(flexible, tmp_path_factory.mktemp("flexible"))
    docker.outputs, docker.summary = docker(LIGAND, "CCO")
    return docker


def folder(docked):
    return docked.out / "ligands" / LIGAND


def result_of(docked):
    return json.loads((folder(docked) / "result.json").read_text())


@pytest.fixture(scope="module")
def alone(prepared):
    vina = Vina("vina", cpu=1, seed=SPEC["seed"], verbosity=0)
    vina.set_receptor(str(prepared / "prepared.pdbqt"), str(prepared / "flexible.pdbqt"))
    vina.compute_vina_maps(BOX["centerAngstrom"], BOX["sizeAngstrom"])

    def dock(pdbqt):
        vina.set_ligand_from_string(pdbqt)
        vina.dock(SPEC["exhaustiveness"], SPEC["numModes"])
        return VinaRun(vina.poses(9, 3.0), vina.energies(9, 3.0).tolist())

    return dock


def test_poses_and_energies_are_those_of_vina_alone_with_the_same_flexible_input(docked, alone):
    result = result_of(docked)["result"]
    run = alone(result["ligand"]["pdbqt"])
    assert run.pdbqt == (folder(docked) / "poses.pdbqt").read_text()
    told = [
        [pose[name] for name in ("affinityKcalMol", "intermolecularKcalMol", "intramolecularKcalMol")]
        for pose in result["poses"]
    ]
    assert told == [energies[:3] for energies in run.energies]


@pytest.mark.long
def test_shapes_of_a_ring_are_merged_by_the_measure_that_vina_has_for_such_modes(flexible, alone):
    ligand = prepare_ligand(RawLigand("smiles", "O=C1CCCCCN1"), 7.4)
    shapes = replace(ligand.shapes, pdbqts=ligand.shapes.pdbqts[:2])
    runs = [alone(shape) for shape in shapes.pdbqts]
    assert len(runs) == 2
    limits = {"most": 9, "energy_range": 3.0, "min_rmsd": MIN_RMSD_ANGSTROM}
    merged = flexible.dock_shapes(shapes)
    assert merge_modes(runs, **limits).run.pdbqt == merged.pdbqt
    assert {len(split_residues(each)) for each in merged.side_chains} == {len(TURNING)}
    # Of one search the bounds are Vina's own, which count the atoms that turn and not those that they turn about.
    again = merge_modes(runs[:1], **limits)
    assert len(again.shapes) > 1
    for ours, theirs in zip(split_models(again.run.pdbqt), split_models(runs[0].pdbqt), strict=True):
        (first, _, rest), (line, _, more) = ours.partition("\n"), theirs.partition("\n")
        assert rest == more
        assert [float(word) for word in first.split()[3:]] == pytest.approx(
            [float(word) for word in line.split()[3:]], abs=0.002
        )


def test_the_result_fits_its_schema_and_tells_how_far_each_side_chain_turned(docked):
    document = result_of(docked)
    assert violations(document, schema_of("result")) == []
    result = document["result"]
    glutamine = {"chain": "A", "residue": 725, "insertionCode": "", "residueName": "GLN"}
    for pose in result["poses"]:
        assert [each["residue"] for each in pose["sideChains"]] == list(TURNING)
        assert pose["sideChains"][0] == pose["sideChains"][0] | glutamine
    assert any(each["rmsdAngstrom"] > 0.5 for pose in result["poses"] for each in pose["sideChains"])
    assert set(result["files"]) == {"poses.sdf", "poses.pdbqt", "flexible.pdb"}
    assert result["provenance"]["receptor"]["flexiblePdbqtSha256"] == docked.engine.side_chains.sha256
    kinds = {output["path"].split("/")[-1]: output["kind"] for output in docked.outputs}
    assert kinds["flexible.pdb"] == "side_chains"
    assert f"\nturns  {LABEL}\n" in (folder(docked) / "dock.log").read_text()


def models(docked):
    text = (folder(docked) / "flexible.pdb").read_text()
    return [atom_lines(part) for part in text.split("MODEL ")[1:]]


def test_each_mode_has_its_residues_whole_where_vina_put_them(docked, prepared):
    poses = split_models((folder(docked) / "poses.pdbqt").read_text())
    found = models(docked)
    assert len(found) == len(poses) > 1
    whole = [
        line for line in atom_lines((prepared / "prepared.pdb").read_text()) if int(line[22:26]) in TURNING
    ]
    for lines, pose in zip(found, poses, strict=True):
        assert [line[:30] + line[54:] for line in lines] == [line[:30] + line[54:] for line in whole]
        # Two hydrogens of an amide have each other's names in Meeko's templates.
        places = {(line[17:27], line[76:78].strip(), line[30:54]) for line in lines}
        for line in atom_lines(split_pose(pose)[1]):
            element = "H" if is_hydrogen_line(line) else line[12:16].strip()[0]
            assert (line[17:27], element, line[30:54]) in places


def bonds(lines):
    """Distances of atoms that are bonded in the prepared receptor, of each residue by itself."""
    places = coordinates("\n".join(lines))
    return {
        (lines[i][12:27], lines[j][12:27]): float(np.linalg.norm(places[i] - places[j]))
        for i in range(len(lines))
        for j in range(i)
        if lines[i][17:27] == lines[j][17:27]
    }


def test_hydrogens_that_vina_does_not_know_go_with_their_atoms(docked, prepared):
    whole = [
        line for line in atom_lines((prepared / "prepared.pdb").read_text()) if int(line[22:26]) in TURNING
    ]
    # Bonded atoms, and hydrogens of one atom, keep their distance whatever turns.
    near = {pair: distance for pair, distance in bonds(whole).items() if distance < 1.82}
    assert sum("H" in pair[0][:4] + pair[1][:4] for pair in near) > 20
    for lines in models(docked):
        turned = bonds(lines)
        assert max(abs(turned[pair] - distance) for pair, distance in near.items()) < 0.01


def test_the_ligand_is_read_apart_from_the_side_chains(docked):
    mols = list(Chem.SDMolSupplier(str(folder(docked) / "poses.sdf"), removeHs=False))
    assert (
        {Chem.MolToSmiles(Chem.RemoveHs(mol)) for mol in mols} == {docked.summary["smilesDocked"]} == {"CCO"}
    )


def test_poses_are_checked_against_the_side_chains_where_they_stand(docked, prepared):
    checker = PoseChecker((prepared / "prepared.pdbqt").read_text())
    crystal = (prepared / "flexible.pdbqt").read_text()
    [mol] = Chem.SDMolSupplier(str(NATIVE), removeHs=False)
    assert "minimum_distance_to_protein" not in checker.check(mol, [crystal])[0].failed
    # A side chain that is turned into the ligand is seen; where it stood before is free.
    oxygen = mol.GetConformer().GetPositions()[[atom.GetSymbol() for atom in mol.GetAtoms()].index("O")]
    x, y, z = oxygen + np.array([0.5, 0.5, 0.0])
    moved = "\n".join(
        f"{line[:30]}{x:8.3f}{y:8.3f}{z:8.3f}{line[54:]}" if " CG1 VAL" in line else line
        for line in crystal.splitlines()
    )
    assert "minimum_distance_to_protein" in checker.check(mol, [moved])[0].failed
    # A docking is told what the checker says of its modes with their side chains.
    mols = list(Chem.SDMolSupplier(str(folder(docked) / "poses.sdf"), removeHs=False))
    poses = split_models((folder(docked) / "poses.pdbqt").read_text())
    for record, pose, one in zip(result_of(docked)["result"]["poses"], poses, mols, strict=True):
        failed = checker.check(one, [split_pose(pose)[1]])[0].failed
        told = record["checks"]["failed"]
        assert [check for check in told if "protein" in check] == [
            each for each in failed if "protein" in each
        ]


@pytest.mark.long
def test_another_order_gives_the_same_bytes(docked, flexible, tmp_path):
    again = Docker(flexible, tmp_path)
    again("methanol", "CO")
    again(LIGAND, "CCO")
    for file in FILES:
        assert (folder(again) / file).read_bytes() == (folder(docked) / file).read_bytes()
    assert result_of(again)["sha256"] == result_of(docked)["sha256"]


def test_the_control_is_docked_among_them_and_its_rmsd_is_the_ligands_alone(flexible, tmp_path):
    native = tmp_path / "native.sdf"
    native.write_text(ETHANOL)
    spec = {"id": "native:EOH:A:1", "protonationPh": 7.4}
    outputs, summary = run_control(
        flexible, spec, native, tmp_path, ccd=default_ccd(), toolchain=TOOLCHAIN, progress=lambda _: None
    )
    assert {output["path"]: output["kind"] for output in outputs}["control/flexible.pdb"] == "control"
    [first, *_] = Chem.SDMolSupplier(str(tmp_path / "control" / "poses.sdf"))
    rmsd = pose_rmsds(first, native_molecule(ETHANOL))[0]
    assert summary["validation"]["rmsd_top_angstrom"] == pytest.approx(rmsd, abs=0.001)


def test_side_chains_that_are_not_those_of_the_receptor_are_refused(flexible, tmp_path):
    with pytest.raises(ScienceError) as error:
        flexible.side_chains.write(tmp_path, [""])
    assert error.value.code == "OUTPUT_UNVERIFIED"


def test_a_phenylalanine_that_turned_by_half_has_not_moved(prepared, tmp_path):
    ring = [
        line for line in atom_lines((prepared / "prepared.pdbqt").read_text()) if line[17:26] == "PHE A 778"
    ]
    place = {line[12:16].strip(): line[30:54] for line in ring}
    swaps = {"CD1": "CD2", "CD2": "CD1", "CE1": "CE2", "CE2": "CE1"}
    half = [
        f"{line[:30]}{place[swaps.get(name, name)]}{line[54:]}"
        for name, line in zip(place, ring, strict=True)
    ]
    path = tmp_path / "flexible.pdbqt"
    path.write_text("\n".join(ring))
    [turned, still] = (
        SideChains(path, prepared / "prepared.pdb").write(tmp_path, ["\n".join(half), "\n".join(ring)]).moves
    )
    assert (turned[0]["rmsdAngstrom"], still[0]["rmsdAngstrom"]) == (0.0, 0.0)
