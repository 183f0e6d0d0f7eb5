"""Interactions of poses: what is known of a complex is found, in molecules with the right bonds, for every mode."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rdkit import Chem
from rdkit.Chem import AllChem

import dockyard_science
from docking_world import BOX, NATIVE, RECEPTOR, SPEC, Docker
from dockyard_science.ccd import default_ccd
from dockyard_science.docking import DockingEngine
from dockyard_science.interaction_records import MOST_RECORDS, Contact, records
from dockyard_science.interaction_types import KINDS
from dockyard_science.interactions import InteractionFinder
from dockyard_science.pdbqt import atom_lines
from dockyard_science.pocket_molecule import build_pocket
from json_schema import schema_of, violations
from receptor_world import prepare_in, session
from structures_world import PROTEASE

SITES = Path(__file__).parents[4] / "test" / "fixtures" / "structures"
AMPRENAVIR = {"componentId": "478", "chain": "_", "residue": 200}
FOLATE = {"componentId": "FFO", "chain": "A", "residue": 501}


def finder(pdbqt, box=BOX, side_chains=""):
    return InteractionFinder(pdbqt, box, default_ccd(), side_chains)


def molecule(path):
    """A deposited ligand with all its hydrogens."""
    return Chem.AddHs(Chem.MolFromMolFile(str(path), removeHs=False), addCoords=True)


def told(found):
    """Each interaction by its type, the ligand's part, residue and atom of the receptor."""
    return {
        (
            each["type"],
            each.get("ligandRole", ""),
            "{chain}:{residueName}{residue}".format(**each["receptor"]),
            each["receptor"]["atom"],
        )
        for each in found
    }


def box_around(center, side=20.0):
    return {"centerAngstrom": list(center), "sizeAngstrom": [side] * 3, "derivation": {"kind": "explicit"}}


def line(name, residue, number, place, kind):
    x, y, z = place
    name = f" {name:<3}" if len(name) < 4 else name
    return f"ATOM      1 {name} {residue:>3} A{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00    +0.000 {kind}"


def placed(smiles, *places):
    """A molecule whose heavy atoms stand at these places, its hydrogens around them."""
    mol = Chem.MolFromSmiles(smiles)
    conformer = Chem.Conformer(mol.GetNumAtoms())
    for index, place in enumerate(places):
        conformer.SetAtomPosition(index, [float(value) for value in place])
    mol.AddConformer(conformer)
    return Chem.AddHs(mol, addCoords=True)


def test_progesterone_has_its_hydrogen_bond_to_glutamine_725():
    mol = molecule(NATIVE)
    (found,) = finder(RECEPTOR.read_text()).find(mol)
    bonds = [each for each in found if each["type"] == "hydrogen_bond"]
    assert [each["receptor"] for each in bonds] == [
        {"chain": "A", "residue": 725, "insertionCode": "", "residueName": "GLN", "atom": "NE2"}
    ]
    assert bonds[0]["ligandRole"] == "acceptor"
    # The ketone of ring A, and not that of the acetyl group.
    (oxygen,) = bonds[0]["ligandAtoms"]
    assert mol.GetAtomWithIdx(oxygen).GetNeighbors()[0].IsInRing()
    assert bonds[0]["distanceAngstrom"] == pytest.approx(3.28, abs=0.02)
    assert 130 <= bonds[0]["angleDegrees"] <= 180
    assert {each["receptor"]["residue"] for each in found if each["type"] == "hydrophobic"} == {
        756,
        759,
        778,
        890,
    }


@pytest.fixture(scope="module")
def protease(tmp_path_factory):
    """HIV-1 protease with the waters at its ligand, and without."""
    made = {}
    for name, more in {"wet": {"retainWatersWithin": {"angstrom": 5.0, "of": "ligand"}}, "dry": {}}.items():
        out = tmp_path_factory.mktemp(name)
        spec = session({"ligand": AMPRENAVIR}, native=AMPRENAVIR | {"insertionCode": ""}, **more)
        prepare_in(out, PROTEASE, spec)
        made[name] = out
    return made


def of_native(out):
    mol = molecule(out / "control" / "native_reference.sdf")
    box = json.loads((out / "box.json").read_text())
    (found,) = finder((out / "receptor" / "prepared.pdbqt").read_text(), box).find(mol)
    return mol, found


@pytest.mark.long
def test_a_retained_water_bridges_the_ligand_to_both_flaps_of_the_protease(protease):
    mol, found = of_native(protease["wet"])
    bridges = [each for each in found if each["type"] == "water_bridge"]
    assert {told([each]).pop()[2:] for each in bridges} == {("A:ILE50", "N"), ("B:ILE50", "N")}
    assert {each["water"]["residue"] for each in bridges} == {201}
    # A carbonyl and the sulfone hold the water.
    held = {mol.GetAtomWithIdx(each["ligandAtoms"][0]).GetNeighbors()[0].GetSymbol() for each in bridges}
    assert held == {"C", "S"}
    # The hydroxyl between the two catalytic acids.
    assert ("hydrogen_bond", "acceptor", "B:ASP25", "OD2") in told(found)


@pytest.mark.long
def test_without_retained_waters_there_are_no_bridges(protease):
    _, wet = of_native(protease["wet"])
    _, dry = of_native(protease["dry"])
    without = {each for each in told(wet) if each[0] != "water_bridge" and "HOH" not in each[2]}
    assert told(dry) == without
    assert without != told(wet)


@pytest.fixture(scope="module")
def flavin(tmp_path_factory):
    """A reductase with its FAD retained, as it is docked into."""
    out = tmp_path_factory.mktemp("flavin")
    prepare_in(out, SITES / "7th4-site.pdb", session({"ligand": FOLATE}, retainComponents=["FAD"]))
    return out


def pocket_of(out):
    return (out / "receptor" / "prepared.pdbqt").read_text(), json.loads((out / "box.json").read_text())


@pytest.mark.long
def test_a_retained_cofactor_has_the_bond_orders_of_the_dictionary(flavin):
    pocket = build_pocket(*pocket_of(flavin), default_ccd())
    parts = Chem.GetMolFrags(pocket.mol, asMols=False)
    names = [{pocket.residues[pocket.owners[atom]].residue_name for atom in part} for part in parts]
    (own,) = (part for part, found in zip(parts, names, strict=True) if found == {"FAD"})
    deposited = default_ccd().molecule("FAD")
    orders = {
        frozenset(
            atom.GetProp("name") for atom in (bond.GetBeginAtom(), bond.GetEndAtom())
        ): bond.GetBondType()
        for bond in deposited.GetBonds()
        if bond.GetBeginAtom().GetAtomicNum() > 1 and bond.GetEndAtom().GetAtomicNum() > 1
    }
    found = {
        frozenset(
            (pocket.names[bond.GetBeginAtomIdx()], pocket.names[bond.GetEndAtomIdx()])
        ): bond.GetBondType()
        for bond in pocket.mol.GetBonds()
        if bond.GetBeginAtomIdx() in own
        and bond.GetBeginAtom().GetAtomicNum() > 1
        and bond.GetEndAtom().GetAtomicNum() > 1
    }
    assert found == orders
    # Its phosphates have lost their protons, and nothing else is charged.
    charged = [atom for atom in own if pocket.mol.GetAtomWithIdx(atom).GetFormalCharge()]
    assert {pocket.mol.GetAtomWithIdx(atom).GetNeighbors()[0].GetSymbol() for atom in charged} <= {"P"}


@pytest.mark.long
def test_a_ring_stacks_on_the_flavin_of_a_retained_cofactor(flavin):
    text, box = pocket_of(flavin)
    pocket = build_pocket(text, box, default_ccd())
    ring = {"C6", "C7", "C8", "C9", "C9A", "C5X"}
    atoms = [
        index
        for index, name in enumerate(pocket.names)
        if name in ring and pocket.residues[pocket.owners[index]].residue_name == "FAD"
    ]
    places = pocket.positions[atoms]
    center = places.mean(axis=0)
    normal = np.linalg.svd(places - center)[2][2]
    benzene = placed("c1ccccc1", *_around(places, center, normal))
    (found,) = finder(text, box).find(benzene)
    stacked = [
        each for each in found if each["type"] == "pi_stacking" and each["receptor"]["residueName"] == "FAD"
    ]
    assert stacked
    nearest = min(stacked, key=lambda each: each["distanceAngstrom"])
    assert nearest["receptor"]["atom"] in ring
    assert nearest["distanceAngstrom"] == pytest.approx(3.6, abs=0.01)
    assert nearest["angleDegrees"] < 5
    assert sorted(nearest["ligandAtoms"]) == list(range(6))


@pytest.mark.long
def test_what_is_docked_beside_a_retained_cofactor_tells_its_contacts_with_it(flavin, tmp_path):
    receptor, box = flavin / "receptor" / "prepared.pdbqt", json.loads((flavin / "box.json").read_text())
    engine = DockingEngine(SPEC, receptor, box)
    try:
        Docker(engine, tmp_path)("pterin", "Nc1nc2nccnc2c(=O)[nH]1")
    finally:
        engine.close()
    told = json.loads((tmp_path / "ligands" / "pterin" / "result.json").read_text())["result"]
    contacts = [
        each
        for pose in told["poses"]
        for each in pose["interactions"]
        if each["receptor"]["residueName"] == "FAD"
    ]
    assert {each["receptor"]["chain"] for each in contacts} == {"A"}
    # A ring of the cofactor is a ring because its bonds are those of the dictionary.
    stacked = [each for each in contacts if each["type"] == "pi_stacking"]
    assert stacked
    rings = {"C6", "C7", "C8", "C9", "C9A", "C5X", "C10", "N10", "N5", "C4X", "C4", "N3", "C2", "N1"}
    assert {each["receptor"]["atom"] for each in stacked} <= rings
    assert all(3.0 < each["distanceAngstrom"] < 6.0 for each in stacked)


def _around(places, center, normal):
    """The places of a ring in the order of its bonds, 3.6 Å above it."""
    axes = np.linalg.svd(places - center)[2][:2]
    turns = np.arctan2(*((places - center) @ axes.T).T)
    return places[np.argsort(turns)] + 3.6 * normal


RING = {
    "CG": (0.0, 0.0, 0.0),
    "ND1": (1.1, 0.8, 0.0),
    "CE1": (0.7, 2.1, 0.0),
    "NE2": (-0.6, 2.1, 0.0),
    "CD2": (-1.1, 0.8, 0.0),
}


def histidine(*hydrogens):
    held = {"HD1": (2.0, 0.4, 0.0), "HE2": (-1.2, 2.9, 0.0)}
    lines = [line(name, "HIS", 1, place, name[0]) for name, place in RING.items()]
    return "\n".join([*lines, *(line(name, "HIS", 1, held[name], "HD") for name in hydrogens)])


@pytest.mark.parametrize(
    ("hydrogens", "charge", "protonated"),
    [(("HD1",), 0, {"ND1"}), (("HE2",), 0, {"NE2"}), (("HD1", "HE2"), 1, {"ND1", "NE2"})],
)
def test_a_histidine_is_the_form_that_its_hydrogens_say(hydrogens, charge, protonated):
    pocket = build_pocket(histidine(*hydrogens), box_around((0, 0, 0)), default_ccd())
    assert Chem.GetFormalCharge(pocket.mol) == charge
    ring = [atom for atom in pocket.mol.GetAtoms() if atom.GetAtomicNum() > 1]
    assert all(atom.GetIsAromatic() for atom in ring)
    assert {
        pocket.names[a.GetIdx()] for a in ring if a.GetSymbol() == "N" and a.GetTotalNumHs(True)
    } == protonated


def test_the_nitrogen_of_a_peptide_bond_accepts_nothing():
    pocket = build_pocket(RECEPTOR.read_text(), BOX, default_ccd())
    acceptor = next(kind for kind in KINDS if kind.prolif == "HBDonor").detector.lig_pattern
    found = {match[0] for match in pocket.mol.GetSubstructMatches(acceptor, maxMatches=100_000)}
    inner = [
        index
        for index, name in enumerate(pocket.names)
        if name == "N" and pocket.mol.GetAtomWithIdx(index).GetDegree() == 3
    ]
    assert len(inner) > 50
    assert not found.intersection(inner)
    assert not [atom for atom in inner if pocket.mol.GetAtomWithIdx(atom).GetFormalCharge()]


def test_a_metal_is_coordinated_and_makes_no_salt_bridge():
    acetate = placed("CC(=O)[O-]", (3.4, 0, 0), (2.6, 1.2, 0), (3.2, 2.3, 0), (1.4, 1.4, 0))
    (found,) = finder(line("ZN", "ZN", 1, (0, 0, 0), "Zn"), box_around((0, 0, 0))).find(acetate)
    assert told(found) == {("metal_coordination", "", "A:ZN1", "ZN")}
    assert found[0]["ligandAtoms"] == [3]


def test_a_salt_bridge_is_told_once_for_two_charged_groups():
    guanidinium = {
        "CD": (-1.3, -2.0, 0.0), "NE": (0.0, -1.3, 0.0), "CZ": (0.0, 0.0, 0.0),
        "NH1": (1.15, 0.67, 0.0), "NH2": (-1.15, 0.67, 0.0),
    }  # fmt: skip
    hydrogens = {
        "HE": (0.9, -1.8, 0),
        "1HH1": (1.15, 1.67, 0),
        "2HH1": (2.0, 0.2, 0),
        "1HH2": (-1.15, 1.67, 0),
        "2HH2": (-2.0, 0.2, 0),
    }
    text = "\n".join(
        [line(name, "ARG", 7, place, name[0]) for name, place in guanidinium.items()]
        + [line(name, "ARG", 7, place, "HD") for name, place in hydrogens.items()]
    )
    acetate = placed("CC(=O)[O-]", (0, 5.6, 0), (0, 4.1, 0), (1.1, 3.5, 0), (-1.1, 3.5, 0))
    (found,) = finder(text, box_around((0, 0, 0))).find(acetate)
    assert [each["type"] for each in found].count("salt_bridge") == 1
    bonds = [each for each in found if each["type"] == "hydrogen_bond"]
    assert {(each["receptor"]["atom"], each["ligandAtoms"][0]) for each in bonds} == {("NH1", 2), ("NH2", 3)}


def test_of_many_interactions_those_stay_that_tell_most():
    pocket = build_pocket(histidine("HE2"), box_around((0, 0, 0)), default_ccd())
    near = next(kind for kind in KINDS if kind.type == "hydrophobic")
    bond = next(kind for kind in KINDS if kind.prolif == "HBAcceptor")
    many = [Contact(near, 0, (index,), (0,), 4.0, None) for index in range(MOST_RECORDS)]
    last = Contact(bond, 0, (3,), (3, 5), 2.9, 170.0)
    places = np.zeros((MOST_RECORDS, 3))
    for modes, most in ((1, 40), (60, 40), (61, 24), (100, 24)):
        found = records([*many, last], [], pocket, places, pocket.positions, modes=modes)
        assert len(found) == most
        assert [each["type"] for each in found[:2]] == ["hydrogen_bond", "hydrophobic"]


def test_side_chains_that_turn_are_looked_for_where_they_stand():
    lines = atom_lines(RECEPTOR.read_text())
    turning = [
        each
        for each in lines
        if each[22:26] == " 725" and each[12:16].strip() not in {"N", "CA", "C", "O", "H"}
    ]
    rest = "\n".join(each for each in lines if each not in turning)
    own, mol = "\n".join(turning), molecule(NATIVE)
    (whole,) = finder(RECEPTOR.read_text()).find(mol)
    asked = finder(rest, side_chains=own)
    assert asked.find(mol, [own]) == [whole]
    away = "\n".join(f"{each[:30]}{float(each[30:38]) + 15:8.3f}{each[38:]}" for each in turning)
    (turned,) = asked.find(mol, [away])
    assert told(whole) - told(turned) == {("hydrogen_bond", "acceptor", "A:GLN725", "NE2")}
    # The next ligand finds the side chain in its first place again.
    assert asked.find(mol, [own]) == [whole]


WHOLE_PROLIF = """
import json, sys
import prolif
from rdkit import Chem
from docking_world import BOX, NATIVE, RECEPTOR
from dockyard_science.ccd import default_ccd
from dockyard_science.interaction_types import KINDS
from dockyard_science.pocket_molecule import build_pocket
pocket = build_pocket(RECEPTOR.read_text(), BOX, default_ccd())
mol = Chem.Mol(pocket.mol)
conformer = Chem.Conformer(mol.GetNumAtoms())
conformer.SetPositions(pocket.positions)
mol.AddConformer(conformer)
mol = Chem.AddHs(mol, addCoords=True)
for atom in mol.GetAtoms():
    index = atom.GetIdx() if atom.GetIdx() < len(pocket.owners) else atom.GetNeighbors()[0].GetIdx()
    place = pocket.residues[pocket.owners[index]]
    names = {"residueName": place.residue_name, "residueNumber": place.residue, "chainId": "A"}
    atom.SetMonomerInfo(Chem.AtomPDBResidueInfo("X", **names))
protein = prolif.Molecule(mol)
ligand = Chem.AddHs(Chem.MolFromMolFile(str(NATIVE), removeHs=False), addCoords=True)
fingerprint = prolif.Fingerprint([kind.prolif for kind in KINDS], count=True)
found = fingerprint.generate(prolif.Molecule(ligand), protein, metadata=True)
rows = [(str(pair[1]), name, each) for pair, kinds in found.items() for name, each in kinds.items()]
print(json.dumps([[residue, name, round(min(one["distance"] for one in each), 3)] for residue, name, each in rows]))
"""


@pytest.mark.long
def test_prolif_itself_finds_the_same_in_the_same_molecules():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WHOLE_PROLIF],
        capture_output=True,
        check=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path), "DOCKYARD_CCD": _ccd_path()},
    )
    types = {kind.prolif: kind.type for kind in KINDS}
    whole = {(residue, types[name], distance) for residue, name, distance in json.loads(done.stdout)}
    (found,) = finder(RECEPTOR.read_text()).find(molecule(NATIVE))
    own = {
        ("{residueName}{residue}.{chain}".format(**each["receptor"]), each["type"], each["distanceAngstrom"])
        for each in found
    }
    assert own == whole
    assert len(own) == 5


def _ccd_path():
    (_, _, path) = next(iter(default_ccd()._database.execute("PRAGMA database_list")))
    return path


LEAN = """
import sys
import dockyard_science.docking
print(sorted({name.partition(".")[0] for name in sys.modules} & {"prolif", "MDAnalysis", "pandas", "matplotlib"}))
import prolif
print(prolif.Fingerprint(["HBDonor"]).interactions.keys())
"""


def test_a_session_loads_nothing_of_prolif_but_its_classes_and_who_needs_it_still_finds_it():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LEAN],
        capture_output=True,
        check=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.splitlines() == ["[]", "dict_keys(['HBDonor'])"]


def test_prolif_comes_in_by_its_door_alone():
    folder = Path(dockyard_science.__path__[0])
    imports = re.compile(r"^\s*(from|import) prolif\b", re.MULTILINE)
    assert not [file.name for file in folder.glob("**/*.py") if imports.search(file.read_text("utf-8"))]


def test_the_result_has_the_interactions_of_every_mode(engine, tmp_path):
    docker = Docker(engine, tmp_path)
    docker("benzamidine", "NC(=N)c1ccccc1")
    folder = tmp_path / "ligands" / "benzamidine"
    written = json.loads((folder / "result.json").read_text())
    assert violations(written, schema_of("result")) == []
    modes = list(Chem.SDMolSupplier(str(folder / "poses.sdf"), removeHs=False))
    poses = written["result"]["poses"]
    assert len(poses) == len(modes) > 1
    assert written["result"]["provenance"]["tools"]
    assert any(pose["interactions"] for pose in poses)
    places = {
        (each[21], int(each[22:26]), each[12:16].strip()): np.array(
            [float(each[i : i + 8]) for i in (30, 38, 46)]
        )
        for each in atom_lines(RECEPTOR.read_text())
    }
    for pose, mode in zip(poses, modes, strict=True):
        for each in pose["interactions"]:
            if each["type"] not in {"hydrogen_bond", "hydrophobic"}:
                continue
            # The numbers of atoms are those of poses.sdf, the names those of the receptor.
            place = places[each["receptor"]["chain"], each["receptor"]["residue"], each["receptor"]["atom"]]
            own = mode.GetConformer().GetPositions()[each["ligandAtoms"][0]]
            assert np.linalg.norm(own - place) == pytest.approx(each["distanceAngstrom"], abs=0.002)


def test_interactions_that_cannot_be_had_are_null_and_fail_nothing(engine, tmp_path, monkeypatch):
    class Broken:
        def find(self, *_):
            raise ValueError("out of order")

    monkeypatch.setattr(engine, "interactions", Broken())
    # The engine's process is forked anew, from this one with a broken finder.
    engine.close()
    Docker(engine, tmp_path)("ethanol", "CCO")
    engine.close()
    written = json.loads((tmp_path / "ligands" / "ethanol" / "result.json").read_text())
    assert violations(written, schema_of("result")) == []
    assert {pose["interactions"] for pose in written["result"]["poses"]} == {None}


def test_the_order_of_atoms_and_of_residues_does_not_reach_the_result():
    lines = atom_lines(RECEPTOR.read_text())
    marks = list(dict.fromkeys(each[17:27] for each in lines))
    turned = "\n".join(each for mark in reversed(marks) for each in lines if each[17:27] == mark)
    mol = molecule(NATIVE)
    assert finder(turned).find(mol) == finder(RECEPTOR.read_text()).find(mol)
    embedded = Chem.AddHs(Chem.MolFromSmiles("CCO"))
    AllChem.EmbedMolecule(embedded, randomSeed=1)
    assert finder("").find(embedded) == [[]]
