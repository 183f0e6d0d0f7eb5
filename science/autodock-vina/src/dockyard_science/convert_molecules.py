"""Conversions of small molecules: SDF to PDBQT and back as docking does it, MOL2 and SMILES to SDF."""

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from rdkit import Chem

from dockyard_science.conformer import build_conformer
from dockyard_science.conversion import Converted, impossible, read_text, some, unreadable
from dockyard_science.described_ligand import write_pdbqt
from dockyard_science.ligand_sources import RawLigand, read_ligand
from dockyard_science.molecule_faults import reading_fault
from dockyard_science.pdbqt import coordinates, pdbqt_smiles, read_index_map, split_models, split_pose
from dockyard_science.poses import molecule_of_pdbqt
from dockyard_science.stereo import stereo_agrees, stereo_choices
from dockyard_session.errors import ScienceError

#: Molecules of one file, and those that get a conformer.
MOST_MOLECULES = 1_000
MOST_EMBEDDED = 100

_TRIPOS_MOLECULE = "@<TRIPOS>MOLECULE"
_SCORE = re.compile(r"^REMARK VINA RESULT:\s+(\S+)\s+(\S+)\s+(\S+)", re.MULTILINE)
_NAME = re.compile(r"^REMARK\s+Name = (.*)$", re.MULTILINE)
_ATOM_ROW = 9


def sdf_to_pdbqt(path: Path) -> Converted:
    """A molecule with its places as Meeko's PDBQT, whose remarks keep bonds and charges."""
    records = [
        block for block in re.split(r"^\$\$\$\$.*\n?", read_text(path), flags=re.MULTILINE) if block.strip()
    ]
    if len(records) != 1:
        raise impossible(f"The SDF has {len(records)} molecules; a PDBQT holds one. Convert each by itself.")
    block = records[0]
    mol = Chem.MolFromMolBlock(block, removeHs=False)
    if mol is None or mol.GetNumAtoms() == 0:
        raise unreadable(_fault(Chem.MolFromMolBlock(block, sanitize=False, removeHs=False), "SDF record"))
    if not (mol.GetNumConformers() and mol.GetConformer().Is3D()):
        raise impossible("The molecule has no places in three dimensions; convert its SMILES to SDF first.")
    if len(Chem.GetMolFrags(mol)) > 1:
        raise impossible("The record has several molecules apart, as a salt has; a PDBQT holds one.")
    Chem.AssignStereochemistryFrom3D(mol, replaceExistingTags=True)
    converted = Converted("")
    full = Chem.AddHs(mol, addCoords=True)
    added = full.GetNumAtoms() - mol.GetNumAtoms()
    if added:
        converted.warn(
            "HYDROGENS_ADDED", f"{added} hydrogens that the SDF has not were added at their places."
        )
    _warn_of_properties(converted, block)
    if any(atom.GetIsotope() for atom in full.GetAtoms()):
        converted.warn("ISOTOPES_DROPPED", "Isotope labels are not in the PDBQT.")
        for atom in full.GetAtoms():
            atom.SetIsotope(0)
    try:
        converted.text = _title_remark(mol) + write_pdbqt(full)
    except ScienceError as error:
        raise impossible(error.message) from error
    message = "PDBQT has no bond orders and no formal charges; only Meeko's remarks in the file keep them."
    converted.warn("BONDS_IN_REMARKS", message)
    kept = sum(line.startswith(("ATOM", "HETATM")) for line in converted.text.splitlines())
    if kept < full.GetNumAtoms():
        message = f"{full.GetNumAtoms() - kept} hydrogens on carbon are not in the PDBQT; their atoms stand for them."
        converted.warn("HYDROGENS_MERGED", message)
    return converted


def _title_remark(mol: Chem.Mol) -> str:
    """The title of a record, as other programs write it to PDBQT."""
    title = mol.GetProp("_Name").strip() if mol.HasProp("_Name") else ""
    return f"REMARK  Name = {title}\n" if title else ""


def pdbqt_to_sdf(path: Path) -> Converted:
    """The molecule of Meeko's remarks at the places of the PDBQT, one record a model."""
    text = read_text(path)
    if not re.search(r"^(ATOM|HETATM)", text, flags=re.MULTILINE):
        raise unreadable("The file has no atoms of PDBQT.")
    if pdbqt_smiles(text) is None:
        message = "The PDBQT has no 'REMARK SMILES' of Meeko, so its bonds and charges would be guessed."
        raise impossible(message)
    models = split_models(text) or [text]
    if len(models) > MOST_MOLECULES:
        raise impossible(f"The PDBQT has {len(models)} models; {MOST_MOLECULES} at most are converted.")
    converted = Converted("")
    out = StringIO()
    with Chem.SDWriter(out) as writer:
        for number, model in enumerate(models, 1):
            ligand, side_chains = split_pose(model)
            if side_chains and number == 1:
                converted.warn(
                    "SIDE_CHAINS_DROPPED", "Side chains of the receptor that turned are not in the SDF."
                )
            writer.write(_pose(ligand, models[0], number))
    converted.text = out.getvalue()
    converted.warn("PARTIAL_CHARGES_DROPPED", "Partial charges and atom types of PDBQT are not in the SDF.")
    placed = "Hydrogens on carbon, which PDBQT leaves out, were placed by the geometry of their atoms."
    converted.warn("HYDROGENS_PLACED", placed)
    return converted


def _pose(ligand: str, first: str, number: int) -> Chem.Mol:
    try:
        index = read_index_map(ligand if pdbqt_smiles(ligand) is not None else first)
        mol = molecule_of_pdbqt(index, [coordinates(ligand)])
    except (ScienceError, ValueError, IndexError) as error:
        told = error.message if isinstance(error, ScienceError) else "it breaks off, or a line is damaged"
        raise unreadable(f"Model {number} of the PDBQT cannot be read: {told}") from error
    if not stereo_agrees(mol):
        raise unreadable(f"Model {number} of the PDBQT has another stereochemistry than its remarks tell.")
    name = _NAME.search(ligand) or _NAME.search(first)
    mol.SetProp("_Name", name.group(1).strip() if name else "")
    score = _SCORE.search(ligand)
    if score:
        for key, value in zip(
            ("affinity_kcal_mol", "rmsd_lb_angstrom", "rmsd_ub_angstrom"), score.groups(), strict=True
        ):
            mol.SetProp(key, value)
    return mol


def mol2_to_sdf(path: Path) -> Converted:
    """The molecules of a MOL2 file as SDF."""
    _, *blocks = read_text(path).split(_TRIPOS_MOLECULE)
    if not blocks:
        raise unreadable(f"The file has no {_TRIPOS_MOLECULE} section.")
    _refuse_many(len(blocks), MOST_MOLECULES)
    converted = Converted("")
    out = StringIO()
    charged: list[str] = []
    partial = named = False
    with Chem.SDWriter(out) as writer:
        for number, block in enumerate(blocks, 1):
            mol = _from_mol2(block, number)
            if any(atom.GetFormalCharge() for atom in mol.GetAtoms()):
                charged.append(mol.GetProp("_Name").strip() or str(number))
            rows = _atom_rows(block)
            partial |= any(len(row) >= _ATOM_ROW and float(row[8] or 0) != 0 for row in rows)
            named |= any(row[1] != row[5].split(".")[0] for row in rows)
            writer.write(mol)
    converted.text = out.getvalue()
    if partial:
        converted.warn("PARTIAL_CHARGES_DROPPED", "Partial charges of MOL2 are not in the SDF.")
    if named:
        converted.warn("NAMES_DROPPED", "Names of atoms and residues of MOL2 are not in the SDF.")
    if charged:
        message = f"MOL2 has no formal charges; those of {some(charged)} follow from atom types and bonds."
        converted.warn("CHARGES_ASSIGNED", message)
    return converted


def _from_mol2(block: str, number: int) -> Chem.Mol:
    text = _TRIPOS_MOLECULE + block
    try:
        # Reads as a ligand is read, which refuses what atom types of other programs would turn into another molecule.
        read_ligand(RawLigand("mol2", text))
    except ScienceError as error:
        raise unreadable(f"Molecule {number}: {error.message}") from error
    mol = Chem.MolFromMol2Block(text, removeHs=False)
    Chem.AssignStereochemistryFrom3D(mol, replaceExistingTags=True)
    return mol


def _atom_rows(block: str) -> list[list[str]]:
    section = block.partition("@<TRIPOS>ATOM")[2].partition("@<TRIPOS>")[0]
    return [line.split() for line in section.splitlines() if len(line.split()) >= 6]


def smi_to_sdf(path: Path) -> Converted:
    """The molecules of a SMILES file, one a line with its name behind a blank, each with one conformer."""
    text = read_text(path)
    # A line that begins with # is a comment, as in libraries; RDKit begins its files with a line of titles.
    numbered = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    lines = [(number, line) for number, line in numbered if not line.startswith("#")]
    if lines and lines[0][1].split()[0].upper() == "SMILES":
        lines.pop(0)
    if not lines:
        raise unreadable("The file has no SMILES.")
    _refuse_many(len(lines), MOST_EMBEDDED)
    converted = Converted("")
    out = StringIO()
    opened: list[str] = []
    with Chem.SDWriter(out) as writer:
        for number, line in lines:
            mol, is_open = _built(number, line)
            if is_open:
                opened.append(mol.GetProp("_Name") or f"line {number}")
            writer.write(mol)
    converted.text = out.getvalue()
    message = f"SMILES has no places: each of {len(lines)} molecules got one conformer (ETKDG 3, then MMFF94 or UFF)."
    converted.warn("CONFORMERS_MADE", message)
    if opened:
        converted.warn("STEREO_CHOSEN", f"Stereo that was left open was chosen for {some(opened)}.")
    return converted


def _built(number: int, line: str) -> tuple[Chem.Mol, bool]:
    smiles, _, name = line.strip().partition("\t" if "\t" in line.strip() else " ")
    try:
        ligand = read_ligand(RawLigand("smiles", smiles))
        if len(Chem.GetMolFrags(ligand.mol)) > 1:
            raise impossible(
                f"Line {number} has several molecules apart, as a salt has; write each on its own line."
            )
        choices, unknown = stereo_choices(ligand.mol)
        mol, _ = build_conformer(choices)
    except ScienceError as error:
        code = error.code if error.code.startswith("CONVERSION_") else None
        refused = impossible if error.code == "LIGAND_EMBED_FAILED" else unreadable
        raise error if code else refused(f"Line {number}: {error.message}") from error
    mol.SetProp("_Name", name.strip())
    return mol, bool(unknown)


def _refuse_many(count: int, most: int) -> None:
    if count > most:
        raise impossible(f"The file has {count} molecules; {most} at most are converted at once.")


def _warn_of_properties(converted: Converted, block: str) -> None:
    names = re.findall(r"^>.*<([^>]+)>", block, flags=re.MULTILINE)
    if names:
        converted.warn("PROPERTIES_DROPPED", f"Properties of the SDF are not in the PDBQT: {some(names)}.")


def _fault(unchecked: Chem.Mol | None, what: str) -> str:
    reason = None if unchecked is None else reading_fault(unchecked)
    return f"The {what} cannot be read: {reason or 'it is not complete or not in that format'}."


#: What converts from one format to another, by both.
MOLECULES: dict[tuple[str, str], Callable[[Path], Converted]] = {
    ("sdf", "pdbqt"): sdf_to_pdbqt,
    ("pdbqt", "sdf"): pdbqt_to_sdf,
    ("mol2", "sdf"): mol2_to_sdf,
    ("smi", "sdf"): smi_to_sdf,
}
