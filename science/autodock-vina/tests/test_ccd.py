import os
import sqlite3
import subprocess
import sys
import time

import gemmi
import pytest
from rdkit import Chem

from dockyard_science.ccd import default_ccd
from dockyard_science.ccd_index import fold

IMATINIB = "Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1"
PROGESTERONE = "CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C"
AMPRENAVIR = "CC(C)CN(C[C@@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1"


@pytest.fixture(scope="module")
def ccd():
    return default_ccd()


@pytest.mark.parametrize(
    ("component_id", "smiles"),
    [
        ("BEN", "N=C(N)c1ccccc1"),
        ("STI", IMATINIB),
        ("STR", PROGESTERONE),
        ("478", AMPRENAVIR),
        ("ZN", "[Zn+2]"),
    ],
)
def test_a_component_has_the_right_bonds_charges_and_stereo(ccd, component_id, smiles):
    molecule = Chem.MolFromSmiles(Chem.MolToSmiles(Chem.RemoveAllHs(ccd.molecule(component_id))))
    wanted = Chem.MolFromSmiles(smiles)
    for each in (molecule, wanted):
        # The imine's own configuration is that of the ideal coordinates.
        Chem.RemoveStereochemistry(each) if component_id == "BEN" else None
    assert Chem.MolToSmiles(molecule) == Chem.MolToSmiles(wanted)


@pytest.mark.parametrize("component_id", ["BEN", "MK1", "STI", "STR", "478", "NDP", "HEM", "ZN", "MSE"])
def test_atoms_have_names_places_and_their_hydrogens(ccd, component_id):
    molecule = ccd.molecule(component_id)
    names = [atom.GetProp("name") for atom in molecule.GetAtoms()]
    assert len(set(names)) == len(names) > 0
    assert molecule.GetConformer().Is3D()
    assert sum(atom.GetTotalNumHs() for atom in molecule.GetAtoms()) == 0


def test_heme_keeps_its_iron(ccd):
    iron = next(atom for atom in ccd.molecule("HEM").GetAtoms() if atom.GetSymbol() == "Fe")
    assert iron.GetDegree() == 4


def test_a_modified_residue_knows_its_parent(ccd):
    assert ccd.parent("MSE") == "MET"
    assert ccd.parent("STR") is None
    assert ccd.parent("no such") is None


def test_all_components_are_there_and_others_are_not(ccd):
    assert len(ccd) > 49_000
    assert "STR" in ccd
    assert "str" not in ccd
    assert ccd.molecule("no such") is None
    assert ccd.molecule("UNL") is None
    assert ccd.molecule("UNX").GetAtomWithIdx(0).GetAtomicNum() == 0


def test_its_file_for_template_makers_reads_back(ccd, tmp_path):
    path = ccd.cif_path("ATP", tmp_path)
    block = gemmi.cif.read(str(path)).find_block("ATP")
    component = gemmi.make_chemcomp_from_block(block)
    molecule = ccd.molecule("ATP")
    assert [atom.id for atom in component.atoms] == [atom.GetProp("name") for atom in molecule.GetAtoms()]
    assert len(component.rt.bonds) == molecule.GetNumBonds()
    assert "O5'" in {atom.id for atom in component.atoms}
    assert ccd.cif_path("no such", tmp_path) is None


def test_a_look_up_takes_milliseconds(ccd):
    started = time.perf_counter()
    for _ in range(20):
        ccd.molecule("STI")
    assert (time.perf_counter() - started) / 20 < 0.05


def test_a_look_up_takes_little_memory():
    program = (
        "import resource\n"
        "from rdkit import Chem\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "from dockyard_science.ccd import default_ccd\n"
        "[default_ccd().molecule(name) for name in ('BEN', 'STI', 'NDP', 'HEM')]\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    environment = {"PYTHONPATH": ":".join(sys.path), "DOCKYARD_CCD": os.environ["DOCKYARD_CCD"]}
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=environment
    )
    unit_bytes = 1 if sys.platform == "darwin" else 1024
    assert int(printed.stdout) * unit_bytes < 50 * 1024 * 1024


def found(folded):
    database = sqlite3.connect(os.environ["DOCKYARD_CCD"])
    query = "SELECT id, synonym FROM name WHERE folded = ? ORDER BY id"
    rows = dict(database.execute(query, (folded,)).fetchall())
    database.close()
    return rows


def test_the_index_knows_names_and_synonyms_in_folded_form():
    assert found("aspirin") == {"AIN": "ASPIRIN"}
    assert found("vitamin c") == {"ASC": "Vitamin C"}
    assert found("2 acetyloxy benzoic acid") == {"AIN": None}
    assert found("glucose") == dict.fromkeys(("BGC", "GLC", "Z8T"), "glucose")
    assert found("adenosine 5 triphosphate")["ATP"] is None


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("2-(ACETYLOXY)BENZOIC ACID", "2 acetyloxy benzoic acid"),
        ("  Benzoïc\tacid ", "benzoic acid"),
        ("5'-O-", "5 o"),
        ("阿司匹林", ""),
    ],
)
def test_names_are_folded_as_the_service_folds_what_it_looks_for(name, folded):
    assert fold(name) == folded
