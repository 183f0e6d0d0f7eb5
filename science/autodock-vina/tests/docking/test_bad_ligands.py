"""Every ligand that cannot be docked ends with its code and a message that says what to do."""

import gzip
import time

import pytest
from rdkit import Chem

from docking_world import BOX, RECEPTOR, SPEC, TOOLCHAIN, Docker
from dockyard_science.docking import DockingEngine, DockingTask, run_docking
from dockyard_science.ligand_request import LigandRequest
from dockyard_science.ligand_sources import RawLigand
from dockyard_session.errors import ScienceError

PHENOL = Chem.MolToMolBlock(Chem.MolFromSmiles("Oc1ccccc1"))
# Sixty carbon atoms in one cage, which no embedding gets together quickly.
CAGE = (
    "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3"
    "c8c4c4c9c5c1c1c6c2c3c41"
)

SMILES = {
    "unclosed ring": ("C1CC", "LIGAND_PARSE_FAILED", "a ring is opened by its number and not closed"),
    "no SMILES at all": ("aspirin", "LIGAND_PARSE_FAILED", "near character 1, what stands there is no part"),
    "a wrong letter": ("CCOQ", "LIGAND_PARSE_FAILED", "near character 4, what stands there is no part"),
    "unclosed parenthesis": ("CC(=O", "LIGAND_PARSE_FAILED", "near character 3, a parenthesis is opened"),
    "parenthesis too many": ("CC)C", "LIGAND_PARSE_FAILED", "near character 3, a parenthesis is closed"),
    "ring of one atom": ("C11", "LIGAND_PARSE_FAILED", "closure 1 bonds atom 1 to itself"),
    "five bonds on carbon": ("C(C)(C)(C)(C)C", "LIGAND_PARSE_FAILED", "valence"),
    "aromatic ring that is none": (
        "c1cccc1",
        "LIGAND_PARSE_FAILED",
        "atoms 1, 2, 3, 4, 5 are drawn as aromatic",
    ),
    "pyrrole without its hydrogen": ("c1ccnc1C(=O)NC", "LIGAND_PARSE_FAILED", "write [nH] for atom 4 (N)"),
    "two such rings": ("n1cccc1-c1cccn1", "LIGAND_PARSE_FAILED", "as in c1c[nH]c(-c2ccc[nH]2)c1"),
    "adenine without its hydrogen": ("Nc1ncnc2ncnc12", "LIGAND_PARSE_FAILED", "as in Nc1ncnc2[nH]cnc12"),
    "aromatic atom in no ring": (
        "cC",
        "LIGAND_PARSE_FAILED",
        "atom 1 (C) is drawn as aromatic and stands in no ring",
    ),
    "ammonium without its charge": ("CN(C)(C)C", "LIGAND_PARSE_FAILED", "atom 2 (N) has a valence of 4"),
    "iodine with three bonds": (
        "CC(=O)OI(OC(C)=O)c1ccccc1",
        "LIGAND_UNSUPPORTED_ATOM",
        "Iodine with 3 neighbours has no partial charges",
    ),
    "SMILES and a name": ("CCO ethanol", "LIGAND_PARSE_FAILED", "blanks"),
    "half of a character": ("C\ud800", "LIGAND_PARSE_FAILED", "ASCII"),
    "dash of a document": ("C\u2013C", "LIGAND_PARSE_FAILED", "ASCII"),
    "reaction": ("CCO>>CC=O", "LIGAND_PARSE_FAILED", "reaction"),
    "two molecules": ("c1ccccc1O.Nc1ccccc1", "LIGAND_MULTI_FRAGMENT", "send the one"),
    "salt of two salts": (
        "C[N+](C)(C)CCO.OC(=O)c1ccccc1[O-]",
        "LIGAND_MULTI_FRAGMENT",
        "any of them may be meant",
    ),
    "metal beside a molecule": ("CCCCCCO.[Fe+2]", "LIGAND_UNSUPPORTED_ATOM", "contains Fe"),
    "ferrocene": ("[Fe+2].[cH-]1cccc1.[cH-]1cccc1", "LIGAND_UNSUPPORTED_ATOM", "contains Fe"),
    "salt without a drug": ("[Na+].[Cl-]", "LIGAND_UNSUPPORTED_ATOM", "no organic molecule"),
    "selenium": ("C[Se]C", "LIGAND_UNSUPPORTED_ATOM", "Se"),
    "platinum": ("N[Pt](N)(Cl)Cl", "LIGAND_UNSUPPORTED_ATOM", "Pt"),
    "attachment point": ("*CCO", "LIGAND_UNSUPPORTED_ATOM", "attachment point"),
    "radical": ("C[CH2]", "LIGAND_UNSUPPORTED_ATOM", "radical"),
    "hydrogen": ("[H][H]", "LIGAND_UNSUPPORTED_ATOM", "nothing to dock"),
    "carbon monoxide": ("[C-]#[O+]", "LIGAND_UNSUPPORTED_ATOM", "the charge +1 has no partial charges"),
    "101 heavy atoms": ("C" * 101, "LIGAND_TOO_LARGE", "at most 100"),
    "33 torsions": ("C" * 36, "LIGAND_TOO_LARGE", "at most 32"),
    "stereo that cannot be": ("C[C@H]1C[C@@H]2C[C@@H]1C2", "LIGAND_EMBED_FAILED", "with its stereochemistry"),
    "ring that is too strained": ("C1=CC#CC=C1", "LIGAND_EMBED_FAILED", "which may be drawn rightly"),
}


def mol2(*extra):
    """Methanol without one hydrogen of its carbon, and with further atoms on it."""
    atoms = ["C.3 0 0 0", "O.3 1.4 0 0", "H -.5 .9 0", "H -.5 -.9 0", "H 1.8 .9 0", *extra]
    bonds = [(1, 2), (1, 3), (1, 4), (2, 5), *((1, 6 + number) for number in range(len(extra)))]
    rows = [(f"A{number}", *atom.split()) for number, atom in enumerate(atoms)]
    lines = [
        "@<TRIPOS>MOLECULE",
        "methanol",
        f"{len(atoms)} {len(bonds)}",
        "SMALL",
        "NO_CHARGES",
        "@<TRIPOS>ATOM",
    ]
    lines += [f"{i} {name} {x} {y} {z} {kind} 1 L 0.0" for i, (name, kind, x, y, z) in enumerate(rows, 1)]
    lines += ["@<TRIPOS>BOND", *(f"{i} {first} {last} 1" for i, (first, last) in enumerate(bonds, 1))]
    return "\n".join(lines) + "\n"


FILES = {
    "empty file": (b"  \n", "sdf", "LIGAND_ARTIFACT_UNREADABLE", "empty"),
    "compressed file": (gzip.compress(PHENOL.encode()), "sdf", "LIGAND_ARTIFACT_UNREADABLE", "plain text"),
    "huge file": (b"x" * 5_000_000, "sdf", "LIGAND_ARTIFACT_UNREADABLE", "one ligand a file"),
    "PDB": (b"ATOM", "pdb", "LIGAND_FORMAT_UNSUPPORTED", "send SDF"),
    "two records": (f"{PHENOL}$$$$\n{PHENOL}$$$$\n", "sdf", "LIGAND_MULTI_RECORD", "ligandLibrary"),
    "cut record": (PHENOL[:300], "sdf", "LIGAND_PARSE_FAILED", "Correct it"),
    "no atoms": (Chem.MolToMolBlock(Chem.Mol()), "sdf", "LIGAND_PARSE_FAILED", "no atoms"),
    "R group": (PHENOL.replace(" O ", " R#", 1), "sdf", "LIGAND_UNSUPPORTED_ATOM", "attachment"),
    "two MOL2 molecules": (mol2("H -.5 0 .9") * 2, "mol2", "LIGAND_MULTI_RECORD", "ligandLibrary"),
    "MOL2 with a lone pair": (mol2("H -.5 0 .9", "LP 2 2 2"), "mol2", "LIGAND_PARSE_FAILED", "C1H4Lp1O1"),
    "MOL2 without a hydrogen": (mol2(), "mol2", "LIGAND_UNSUPPORTED_ATOM", "hydrogen"),
    "MOL2 with five bonds on carbon": (
        mol2("H -.5 0 .9", "H -.5 0 -.9"),
        "mol2",
        "LIGAND_PARSE_FAILED",
        "atom 1 (C) has a valence of 5",
    ),
    "MOL2 without its bonds": (
        mol2("H -.5 0 .9").partition("@<TRIPOS>BOND")[0],
        "mol2",
        "LIGAND_PARSE_FAILED",
        "its sections do not fit together",
    ),
    "no MOL2": (b"hello", "mol2", "LIGAND_PARSE_FAILED", "send SDF"),
    "PDBQT without remarks": (b"ROOT\nENDROOT\nTORSDOF 0\n", "pdbqt", "LIGAND_FORMAT_UNSUPPORTED", "SMILES"),
    "PDBQT of many poses": (b"MODEL 1\nENDMDL\nMODEL 2\nENDMDL\n", "pdbqt", "LIGAND_MULTI_RECORD", "each"),
    "PDBQT without its atoms": (
        b"REMARK SMILES CO\nREMARK SMILES IDX 1 1 2 2\nREMARK H PARENT\nROOT\nENDROOT\nTORSDOF 0\n",
        "pdbqt",
        "LIGAND_PARSE_FAILED",
        "send SDF",
    ),
}


@pytest.mark.parametrize("name", SMILES)
def test_a_bad_smiles_has_its_code(dock, name):
    smiles, code, hint = SMILES[name]
    with pytest.raises(ScienceError) as failure:
        dock("bad", smiles)
    assert failure.value.code == code
    assert hint in failure.value.message


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_has_its_code(dock, name):
    data, data_format, code, hint = FILES[name]
    source, path = dock.file(data, "ligand", data_format)
    with pytest.raises(ScienceError) as failure:
        dock("bad", source, path)
    assert failure.value.code == code
    assert hint in failure.value.message


def test_a_pdbqt_that_vina_refuses_has_its_code(dock):
    atoms = "ATOM      1  C   UNL     1       0.000   0.000   0.000  1.00  0.00    +0.000 Xx\n"
    text = f"REMARK SMILES C\nREMARK SMILES IDX 1 1\nREMARK H PARENT\nROOT\n{atoms}ENDROOT\nTORSDOF 0\n"
    source, path = dock.file(text, "ligand", "pdbqt")
    with pytest.raises(ScienceError, match="Vina refuses") as failure:
        dock("bad", source, path)
    assert failure.value.code == "LIGAND_PARSE_FAILED"


def test_an_unknown_component_has_its_code(dock):
    with pytest.raises(ScienceError, match="check the id") as failure:
        dock("bad", {"kind": "ccd", "componentId": "QQQQQ"})
    assert failure.value.code == "LIGAND_NOT_FOUND"


def test_a_ligand_that_does_not_fit_into_the_box_has_its_code(tmp_path):
    narrow = DockingEngine(SPEC, RECEPTOR, BOX | {"sizeAngstrom": [3.0, 3.0, 3.0]})
    with pytest.raises(ScienceError, match="make the box larger") as failure:
        Docker(narrow, tmp_path)("bad", "c1ccc2ccccc2c1")
    narrow.close()
    assert failure.value.code == "LIGAND_TOO_LARGE"


def test_a_preparation_that_does_not_end_is_ended_and_the_engine_goes_on(engine, dock, tmp_path):
    task = DockingTask(
        "cage",
        LigandRequest(RawLigand("smiles", CAGE), 7.4),
        {"kind": "ligand"},
        tmp_path / "cage",
        TOOLCHAIN,
        preparation_seconds=0.2,
    )
    begin = time.monotonic()
    with pytest.raises(ScienceError, match=r"within 0\.2 seconds") as failure:
        run_docking(engine, task, lambda _: None)
    assert failure.value.code == "LIGAND_PREPARATION_TIMEOUT"
    assert time.monotonic() - begin < 10
    assert dock("ethanol", "CCO")[1]["poseCount"] > 0


def test_a_bad_ligand_leaves_the_next_one_untouched(dock):
    dock("before", "CC(=O)O")
    for name, (smiles, _, _) in SMILES.items():
        if len(smiles) < 30:
            with pytest.raises(ScienceError):
                dock(name, smiles)
    dock("after", "CC(=O)O")
    before, after = (dock.out / "ligands" / name / "poses.pdbqt" for name in ("before", "after"))
    assert before.read_bytes() == after.read_bytes()
