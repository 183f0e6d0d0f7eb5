"""Reads a ligand from what the customer gave: SMILES, a CCD id, or an SDF, MOL2 or PDBQT file.

Whatever cannot be read ends here with a code and a sentence that says what to do. Coordinates of a file only tell the
stereochemistry; the molecule gets new ones later, so that a result does not depend on the file's conformer.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rdkit import Chem

from dockyard_science.ccd import Ccd
from dockyard_science.molecule_faults import reading_fault
from dockyard_science.pdbqt import pdbqt_smiles
from dockyard_science.smiles_faults import smiles_fault
from dockyard_science.spec import LigandSource, LigandSpec
from dockyard_session.errors import ScienceError

#: The formats of an artifact that is a ligand.
FORMATS = ("sdf", "mol2", "pdbqt")

# One molecule within the limits takes some ten kilobytes, so a larger file is a mistake.
_MAX_FILE_BYTES = 4 * 1024 * 1024
_TRIPOS_MOLECULE = "@<TRIPOS>MOLECULE"


@dataclass(frozen=True)
class LigandInput:
    """A ligand as it was read: `mol` without explicit hydrogens; `pdbqt` only where it is docked as it is."""

    mol: Chem.Mol
    smiles_input: str
    pdbqt: str | None = None
    had_isotopes: bool = field(default=False)


@dataclass(frozen=True)
class RawLigand:
    """What there is to read: the text of a file, SMILES, or a CCD component's molecule."""

    kind: str
    text: str
    component: Chem.Mol | None = None


def load_ligand(spec: LigandSpec, path: Path | None, ccd: Ccd) -> RawLigand:
    """Fetch what the ligand's source points at, without interpreting it.

    Raises LIGAND_NOT_FOUND, LIGAND_ARTIFACT_UNREADABLE and LIGAND_FORMAT_UNSUPPORTED.
    """
    source = spec["source"]
    if source["kind"] == "smiles":
        return RawLigand("smiles", source["smiles"])
    if source["kind"] == "ccd":
        component_id = source["componentId"].upper()
        mol = ccd.molecule(component_id)
        if mol is None:
            message = f"The Chemical Component Dictionary has no {component_id}; check the id or send SMILES."
            raise ScienceError("LIGAND_NOT_FOUND", message)
        return RawLigand("ccd", component_id, mol)
    if source["kind"] == "record":
        if source["fault"] is not None:
            raise ScienceError("LIGAND_PARSE_FAILED", source["fault"])
        text = _read_text(path)
        return RawLigand("smiles", text) if source["format"] == "smi" else RawLigand("sdf", text)
    kind = source["format"].lower()
    if kind not in FORMATS:
        message = (
            f"A ligand file of format {kind!r} is not read; send SDF, MOL2, PDBQT from Meeko, or SMILES."
        )
        raise ScienceError("LIGAND_FORMAT_UNSUPPORTED", message)
    return RawLigand(kind, _read_text(path))


def read_ligand(raw: RawLigand) -> LigandInput:
    """Interpret a ligand. Raises ScienceError with one of the LIGAND_ codes."""
    if raw.kind == "smiles":
        return _from_smiles(raw.text)
    if raw.component is not None:
        return _finish(raw.component, f"CCD component {raw.text}")
    readers = {"sdf": _from_sdf, "mol2": _from_mol2, "pdbqt": _from_pdbqt}
    return readers[raw.kind](raw.text)


def ligand_identity(spec: LigandSpec) -> dict[str, Any]:
    """What a result says of where its ligand came from; of a file its digest, because the same file has many ids."""
    left_out = ("artifactId", "line", "fault")
    source = {name: value for name, value in spec["source"].items() if name not in left_out}
    return {"kind": "ligand", "label": spec["label"], "source": source}


@contextmanager
def told_with_line(source: LigandSource) -> Iterator[None]:
    """Name the line of the library in the failure of a record, so that the record is found in the file."""
    try:
        yield
    except ScienceError as error:
        if source["kind"] != "record" or not error.code.startswith("LIGAND_"):
            raise
        raise ScienceError(error.code, f"Line {source['line']} of the library: {error.message}") from error


def _read_text(path: Path | None) -> str:
    try:
        data = b"" if path is None else path.read_bytes()
    except OSError as error:
        message = f"The ligand's file cannot be read ({error.strerror}); upload it again."
        raise ScienceError("LIGAND_ARTIFACT_UNREADABLE", message) from error
    if not data.strip():
        raise ScienceError("LIGAND_ARTIFACT_UNREADABLE", "The ligand's file is empty; upload it again.")
    if len(data) > _MAX_FILE_BYTES:
        message = f"The ligand's file has {len(data)} bytes; one ligand a file, at most {_MAX_FILE_BYTES}."
        raise ScienceError("LIGAND_ARTIFACT_UNREADABLE", message)
    if b"\0" in data or data.startswith(b"\x1f\x8b"):
        message = "The ligand's file is no text (compressed?); upload it as plain text."
        raise ScienceError("LIGAND_ARTIFACT_UNREADABLE", message)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        # Old programs write names in Latin-1; the atoms are ASCII in any case.
        return data.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")


def _from_smiles(smiles: str) -> LigandInput:
    text = smiles.strip()
    if not re.fullmatch(r"\S+( +\|[^|]*\|)?", text):
        message = "A SMILES is one word without blanks; put names and properties elsewhere."
        raise ScienceError("LIGAND_PARSE_FAILED", message)
    if not text.isascii():
        # The check also refuses half of a surrogate pair, which no library accepts.
        message = "A SMILES has ASCII characters only; this one has others (copied from a document?)."
        raise ScienceError("LIGAND_PARSE_FAILED", message)
    if ">" in text and "->" not in text:
        raise ScienceError("LIGAND_PARSE_FAILED", "This is a reaction; send the SMILES of one molecule.")
    mol = Chem.MolFromSmiles(text, _with_extension())
    if mol is None:
        plain = text.split()[0]
        unchecked = Chem.MolFromSmiles(plain, sanitize=False)
        fault = smiles_fault(plain) if unchecked is None else reading_fault(unchecked)
        raise _unreadable(fault, f"SMILES {text[:80]!r}")
    return _finish(mol, "SMILES", text.split()[0])


def _with_extension() -> Any:
    """Reads the extension of ChemAxon, which says what labels stand for; one that cannot be read says nothing."""
    parameters: Any = Chem.SmilesParserParams()
    parameters.strictCXSMILES = False
    return parameters


def _from_sdf(text: str) -> LigandInput:
    records = [block for block in _sdf_records(text) if block.strip()]
    if len(records) > 1:
        raise _many(len(records), "SDF")
    block = next(iter(records), "")
    mol = Chem.MolFromMolBlock(block, removeHs=False)
    if mol is None:
        unchecked = _unchecked_molblock(block)
        raise _unreadable(None if unchecked is None else reading_fault(unchecked), "SDF record")
    if mol.GetNumConformers() and mol.GetConformer().Is3D():
        Chem.AssignStereochemistryFrom3D(mol, replaceExistingTags=True)
    return _finish(mol, "SDF record")


def _sdf_records(text: str) -> list[str]:
    """The records of an SDF; the first line of each is a title and may be blank."""
    blocks: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.startswith("$$$$"):
            blocks.append([])
        else:
            blocks[-1].append(line)
    return ["\n".join(block) for block in blocks]


def _unchecked_molblock(block: str) -> Chem.Mol | None:
    try:
        return Chem.MolFromMolBlock(block, sanitize=False, removeHs=False)
    except RuntimeError:
        return None


def _from_mol2(text: str) -> LigandInput:
    _, *blocks = text.split(_TRIPOS_MOLECULE)
    if len(blocks) > 1:
        raise _many(len(blocks), "MOL2")
    if not blocks:
        message = f"The MOL2 file has no {_TRIPOS_MOLECULE} section; send SDF."
        raise ScienceError("LIGAND_PARSE_FAILED", message)
    mol = Chem.MolFromMol2Block(_TRIPOS_MOLECULE + blocks[0], removeHs=False)
    if mol is None:
        unchecked = Chem.MolFromMol2Block(_TRIPOS_MOLECULE + blocks[0], sanitize=False, removeHs=False)
        fault = None if unchecked is None else reading_fault(unchecked)
        what = fault or "its sections do not fit together, or its atom types are not Corina's"
        raise ScienceError(
            "LIGAND_PARSE_FAILED", f"The MOL2 file cannot be read: {what}. Correct it, or send SDF."
        )
    _check_mol2_formula(blocks[0], mol)
    Chem.AssignStereochemistryFrom3D(mol, replaceExistingTags=True)
    return _finish(mol, "MOL2 file")


def _check_mol2_formula(block: str, mol: Chem.Mol) -> None:
    """Atom types of other programs are read as another molecule without a word; the atoms must add up."""
    section = block.partition("@<TRIPOS>ATOM")[2].partition("@<TRIPOS>")[0]
    rows = [line.split() for line in section.splitlines() if len(line.split()) >= 6]
    listed = Counter(row[5].split(".")[0].capitalize() for row in rows)
    read = Counter(atom.GetSymbol() for atom in Chem.AddHs(mol).GetAtoms())
    if listed != read:
        message = (
            f"The MOL2 file lists {_formula(listed)} but reads as {_formula(read)}; "
            "add all hydrogens and use Corina's atom types, or send SDF."
        )
        raise ScienceError("LIGAND_PARSE_FAILED", message)


def _formula(atoms: Counter[str]) -> str:
    return "".join(f"{symbol}{count}" for symbol, count in sorted(atoms.items()) if count)


def _from_pdbqt(text: str) -> LigandInput:
    models = len(re.findall(r"^MODEL\b", text, flags=re.MULTILINE))
    if models > 1:
        raise _many(models, "PDBQT")
    smiles = pdbqt_smiles(text) or ""
    mol = Chem.MolFromSmiles(smiles)
    if mol is None or not smiles:
        message = (
            "A PDBQT ligand needs Meeko's 'REMARK SMILES' lines, which tell its bonds; send SDF instead."
        )
        raise ScienceError("LIGAND_FORMAT_UNSUPPORTED", message)
    kept = [
        line for line in text.splitlines() if not re.match(r"MODEL\b|ENDMDL\b|REMARK (VINA|INT|UNB)", line)
    ]
    return LigandInput(mol, smiles, "\n".join(kept) + "\n")


def _finish(mol: Chem.Mol, what: str, smiles: str | None = None) -> LigandInput:
    """Bring a molecule that was read to the one form: no query, no isotope, no explicit hydrogen."""
    if mol.GetNumAtoms() == 0:
        raise ScienceError("LIGAND_PARSE_FAILED", f"The {what} has no atoms.")
    query = next((atom for atom in mol.GetAtoms() if atom.HasQuery()), None)
    if query is not None:
        message = (
            f"Atom {query.GetIdx() + 1} of the {what} is a query or R group; send one complete molecule."
        )
        raise ScienceError("LIGAND_UNSUPPORTED_ATOM", message)
    given = smiles or Chem.MolToSmiles(_without_hydrogens(mol))
    had_isotopes = False
    for atom in mol.GetAtoms():
        had_isotopes |= atom.GetAtomicNum() > 0 and atom.GetIsotope() > 0
        atom.SetAtomMapNum(0)
        atom.SetIsotope(0)
    plain = _without_hydrogens(mol)
    plain.RemoveAllConformers()
    Chem.AssignStereochemistry(plain, cleanIt=True, force=True)
    return LigandInput(plain, given, had_isotopes=had_isotopes)


def _without_hydrogens(mol: Chem.Mol) -> Chem.Mol:
    """All hydrogens implicit, also the one that gives an imine N-H a configuration: it turns over by itself."""
    parameters: Any = Chem.RemoveHsParameters()
    parameters.removeDefiningBondStereo = True
    return Chem.RemoveHs(mol, parameters)


def _many(count: int, what: str) -> ScienceError:
    message = f"The {what} file has {count} molecules; send each as a ligand of its own in ligandLibrary."
    return ScienceError("LIGAND_MULTI_RECORD", message)


def _unreadable(fault: str | None, what: str) -> ScienceError:
    """Say why a molecule was refused: its first fault, or that the text cannot be read at all."""
    reason = fault or "it is not complete or not in that format"
    return ScienceError(
        "LIGAND_PARSE_FAILED", f"The {what} cannot be read: {reason}. Correct it and send it again."
    )
