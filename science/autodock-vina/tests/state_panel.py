"""Ligands of deposited complexes whose wrong isomer is drawn, or none, and which of their likely states wins.

Every complex of packages of the environment and of this repository that is whole and has a ligand with a stereo centre,
with each of its centres left open; these and six of the archive as the mirror image of theirs in a racemate. Nothing
of the crystal's pose is given to the docking but the box, and a win counts where the pose lies within 2 A of the
crystal's too.
"""

import gzip
import json
from pathlib import Path
from typing import NamedTuple

import posebusters
import prolif
from rdkit import Chem
from rdkit.Chem import AllChem

from docking_world import NATIVE, SPEC
from dockyard_science.docking import DockingEngine
from dockyard_science.ligand import prepare_ligand, prepare_states
from dockyard_science.ligand_request import LigandRequest
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.validation import pose_rmsds
from receptor_world import prepare_in, session

PH = 7.4
MOST_RMSD = 2.0
PROLIF = Path(prolif.__file__).parent / "data"
TYROSINE = Path(posebusters.__file__).parent / "datasets" / "pdb" / "1of6" / "1of6"
PROGESTERONE_RECEPTOR = Path(__file__).parents[3] / "examples" / "1a28" / "1a28.pdb"
QUINUCLIDINYL_BENZILATE = "OC(c1ccccc1)(c1ccccc1)C(=O)OC1C[NH+]2CCC1CC2"
# Left out: 1S3V, whose file lacks the cofactor beside the ligand, and has bond orders by which a flat ring has a stereo
# centre; 1UOU and 1IA1, whose ligands have no centre.
IN_PACKAGES = ("1a28", "1s2g", "1of6", "m2")
# Of the archive 4QNB is left out, whose site lies between subunits that its file lacks: its ligand does not come back.
# Chain A of an entry of the archive: the component and the residue of its ligand, and what of the site is kept.
IN_ARCHIVE = {
    "1aku": ("FMN", 150, []), "1eve": ("E20", 2001, []), "1xdn": ("ATP", 501, ["MG"]),
    "2efj": ("SAH", 501, []), "2w0s": ("BVP", 1207, ["MG"]), "4pjt": ("2YQ", 1105, []),
}  # fmt: skip
NAMES = (*IN_PACKAGES, *IN_ARCHIVE)
ARCHIVE = Path(__file__).parent / "docking" / "data" / "complexes"


class Complex(NamedTuple):
    """A prepared receptor, and its ligand in the places of the crystal."""

    name: str
    pdbqt: Path
    box: dict
    native: Chem.Mol


class Drawing(NamedTuple):
    """What is drawn of a ligand: its mirror image as a racemate, or a centre left open."""

    complex: Complex
    what: str
    smiles: str


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
    receptor = TYROSINE.with_name("1of6_protein_one_lig_removed.pdb")
    # The two of the eight chains that the ligand lies between.
    told = {"receptor": {"chains": ["A", "B"]}, "repair": "box"}
    return receptor, deposited(TYROSINE.with_name("1of6_ligand.sdf")), told


def from_archive(name, out):
    """The receptor of an entry as the preparation makes it, with the ligand that it finds."""
    source = out / f"{name}.pdb"
    source.write_bytes(gzip.decompress((ARCHIVE / f"{name}-a.pdb.gz").read_bytes()))
    component, residue, retained = IN_ARCHIVE[name]
    native = {"componentId": component, "chain": "A", "residue": residue}
    prepare_in(out, source, session({"ligand": native}, native, retainComponents=retained))
    return deposited(next(out.rglob("native_reference.sdf")))


def box_around(mol):
    places = mol.GetConformer().GetPositions()
    low, high = places.min(axis=0), places.max(axis=0)
    return {
        "centerAngstrom": [round(float(each), 3) for each in (low + high) / 2],
        "sizeAngstrom": [max(18.0, round(float(each), 2)) for each in high - low + 10],
    }


def prepared(name, out):
    out.mkdir()
    if name in IN_ARCHIVE:
        native = from_archive(name, out)
    else:
        receptor, native, told = complex_of(name, out)
        prepare_in(out, receptor, session(box_around(native), **told))
    Chem.AssignStereochemistryFrom3D(native, replaceExistingTags=True)
    box = json.loads((out / "box.json").read_text())
    return Complex(name, next(out.rglob("prepared.pdbqt")), box, Chem.RemoveHs(native))


def labelled(mol):
    return [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetChiralTag() != Chem.CHI_UNSPECIFIED]


def drawings(found):
    """The ligand's mirror image, as one of a racemate, and the ligand with each of its centres open."""
    mol = Chem.MolFromSmiles(Chem.MolToSmiles(found.native))
    # The bridgeheads of a cage have labels, and no choice of their own.
    centres = [place for place, _ in Chem.FindMolChiralCenters(mol, useLegacyImplementation=True)]
    has_open = found.name in IN_PACKAGES and len(centres) > 1
    for place in centres if has_open else []:
        opened = Chem.Mol(mol)
        opened.GetAtomWithIdx(place).SetChiralTag(Chem.CHI_UNSPECIFIED)
        yield Drawing(found, f"atom {place + 1} open", Chem.MolToSmiles(opened))
    for place in labelled(mol):
        mol.GetAtomWithIdx(place).InvertChirality()
    mirror = Chem.MolToSmiles(mol)
    places = ",".join(str(atom) for atom in labelled(Chem.MolFromSmiles(mirror)))
    yield Drawing(found, "mirror image", f"{mirror} |&1:{places}|")


def judged(drawing):
    """Whether the deposited state won and lies where the crystal has it, and a line that tells what each state had."""
    found = drawing.complex
    wanted = prepare_ligand(RawLigand("smiles", Chem.MolToSmiles(found.native)), PH).smiles_docked
    states = prepare_states(LigandRequest(RawLigand("smiles", drawing.smiles), PH, states="likely"))
    engine = DockingEngine(SPEC | {"exhaustiveness": 8}, found.pdbqt, found.box)
    docked = engine.dock_states(states)
    engine.close()
    scores = {state.smiles_docked: score for state, score in zip(states.each, docked.scores, strict=True)}
    others = [score for smiles, score in scores.items() if smiles != wanted and score is not None]
    assert wanted in scores
    assert len(scores) > 1
    rmsd = pose_rmsds(docked.poses.mol, found.native)[0]
    is_won = docked.won.smiles_docked == wanted and rmsd <= MOST_RMSD
    told = f"deposited {scores[wanted]}, others {others}, pose of the winner {rmsd:.2f} A"
    return is_won, f"{'won' if is_won else 'lost'} {found.name} {drawing.what}: {told}"
