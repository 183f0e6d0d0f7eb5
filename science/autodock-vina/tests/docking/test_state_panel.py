"""Ligands of deposited complexes whose wrong isomer is drawn, or none: in their likely states the deposited one wins.

Five complexes, ten drawings: mirror images as racemates, and single centres left open. The receptors stand in packages
of the environment and in this repository; nothing of the crystal's pose is given to the docking but the box.
"""

import json
from pathlib import Path

import posebusters
import prolif
import pytest
from rdkit import Chem
from rdkit.Chem import AllChem

from docking_world import NATIVE, SPEC
from dockyard_science.docking import DockingEngine
from dockyard_science.ligand import prepare_ligand, prepare_states
from dockyard_science.ligand_request import LigandRequest
from dockyard_science.ligand_sources import RawLigand
from receptor_world import prepare_in, session

PH = 7.4
LEAST_WINS = 8
PROLIF = Path(prolif.__file__).parent / "data"
BUSTERS = Path(posebusters.__file__).parent / "datasets" / "pdb"
PROGESTERONE_RECEPTOR = Path(__file__).parents[4] / "examples" / "1a28" / "1a28.pdb"
QUINUCLIDINYL_BENZILATE = "OC(c1ccccc1)(c1ccccc1)C(=O)OC1C[NH+]2CCC1CC2"
# Of each complex what is drawn: the mirror image as a racemate, or the centre of this number left open.
CASES = {
    "1a28": ("mirror", 0, 3),
    "1s2g": ("mirror", 0, 1, 2),
    "1s3v": ("mirror",),
    "1of6": ("mirror",),
    "m2": ("mirror",),
}


def deposited(path):
    [mol] = list(Chem.SDMolSupplier(str(path)))[:1]
    return mol


def muscarinic(out):
    """The receptor of a trajectory's first frame and its ligand, whose bond orders come from a SMILES."""
    lines = [
        line
        for line in (PROLIF / "water_m2.pdb").read_text().splitlines()
        if line.startswith(("ATOM", "HETATM"))
    ]
    receptor = out / "m2.pdb"
    receptor.write_text("\n".join(line for line in lines if line[17:20] not in {"QNB", "TIP"}) + "\nEND\n")
    block = "\n".join(line for line in lines if line[17:20] == "QNB") + "\nEND\n"
    template = Chem.MolFromSmiles(QUINUCLIDINYL_BENZILATE)
    return receptor, AllChem.AssignBondOrdersFromTemplate(template, Chem.MolFromPDBBlock(block)), {}


def complex_of(name, out):
    """The receptor's file, the deposited ligand, and what the preparation is told."""
    match name:
        case "1a28":
            return PROGESTERONE_RECEPTOR, deposited(NATIVE), {"receptor": {"chains": ["A"]}}
        case "1s2g":
            folder = PROLIF / "implicitHbond"
            return folder / "receptor.pdb", deposited(folder / "1.D.sdf"), {}
        case "m2":
            return muscarinic(out)
    folder = BUSTERS / name
    receptor = folder / f"{name}_protein_one_lig_removed.pdb"
    return receptor, deposited(folder / f"{name}_ligand.sdf"), {"repair": "box"} if name == "1of6" else {}


def box_around(mol):
    places = mol.GetConformer().GetPositions()
    low, high = places.min(axis=0), places.max(axis=0)
    return {
        "centerAngstrom": [round(float(each), 3) for each in (low + high) / 2],
        "sizeAngstrom": [max(18.0, round(float(each), 2)) for each in high - low + 10],
    }


def labelled(mol):
    return [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetChiralTag() != Chem.CHI_UNSPECIFIED]


def drawn(smiles, what):
    mol = Chem.MolFromSmiles(smiles)
    centres = labelled(mol)
    if what != "mirror":
        mol.GetAtomWithIdx(centres[what]).SetChiralTag(Chem.CHI_UNSPECIFIED)
        return Chem.MolToSmiles(mol)
    for atom in centres:
        mol.GetAtomWithIdx(atom).InvertChirality()
    mirror = Chem.MolToSmiles(mol)
    places = ",".join(str(atom) for atom in labelled(Chem.MolFromSmiles(mirror)))
    return f"{mirror} |&1:{places}|"


@pytest.mark.long
def test_the_deposited_isomer_wins_in_eight_of_ten(tmp_path):
    wins = {}
    for name, drawings in CASES.items():
        out = tmp_path / name
        out.mkdir()
        receptor, native, told = complex_of(name, out)
        Chem.AssignStereochemistryFrom3D(native, replaceExistingTags=True)
        smiles = Chem.MolToSmiles(Chem.RemoveHs(native))
        wanted = prepare_ligand(RawLigand("smiles", smiles), PH).smiles_docked
        prepare_in(out, receptor, session(box_around(native), **told))
        box = json.loads((out / "box.json").read_text())
        engine = DockingEngine(SPEC | {"exhaustiveness": 8}, next(out.rglob("prepared.pdbqt")), box)
        for what in drawings:
            request = LigandRequest(RawLigand("smiles", drawn(smiles, what)), PH, states="likely")
            states = engine.dock_states(prepare_states(request))
            assert len(states.scores) > 1
            wins[name, what] = states.won.smiles_docked == wanted
        engine.close()
    assert len(wins) == 10
    assert sum(wins.values()) >= LEAST_WINS, wins
