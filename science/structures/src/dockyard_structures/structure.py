"""Reading a receptor file: PDB (also of 1995) and mmCIF, found out by content, never by name.

mmCIF is the internal form: a PDB file is turned into it first, so that both go the same way from there on.
A file that breaks off is refused, as far as the file lets one see it; what cannot be seen is reported.
"""

import math
import re
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Literal

import gemmi

from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_structures.pdbqt import as_pdb
from dockyard_structures.program_names import standardise, with_short_names
from dockyard_structures.residues import STATE_NAMES, is_polymer_name
from dockyard_structures.truncation import mmcif_truncation, pdb_truncation, unclosed_pdb_warning

#: The name of a chain without an id.
BLANK_CHAIN = "_"

#: The flag of a residue behind which a PDB file has a TER record.
MOLECULE_END = "T"

# Before 1996 columns 73-80 held the entry's id and a line number, where today charge and element stand.
_OLD_LINE_LENGTH = 72

_COORDINATE_COLUMNS = (30, 38, 46)

#: The records of atoms.
ATOM_RECORDS = ("ATOM  ", "HETATM")

# An atom without three numbers of eight columns and three decimals; in files with one, each number is looked at.
_NUMBER = r"(?: {3}\d| {2}[-\d]\d| [-\d]\d\d|[-\d]\d{3})\.\d{3}"
_UNUSUAL_NUMBERS = re.compile(rf"\n(?:ATOM  |HETATM)(?!.{{24}}(?:{_NUMBER}){{3}})")

# The first word of a file behind empty lines and comments.
_DATA_BLOCK = re.compile(r"(?:[^\S\n]*+(?:#[^\n]*+)?\n)*+[^\S\n]*+data_", re.IGNORECASE)


@dataclass
class SourceStructure:
    """A file as read: `structure` with all models and assemblies, its format, what to warn of and what to remark."""

    structure: gemmi.Structure
    format: Literal["pdb", "mmcif"]
    warnings: list[TaskWarning] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def read_structure(path: Path) -> SourceStructure:
    """Read a PDB or mmCIF file.

    Raises RECEPTOR_UNREADABLE for anything else, and for a file that is cut short.
    """
    text = with_short_names(read_text(path))
    if is_mmcif(text):
        source = SourceStructure(read_mmcif(text), "mmcif")
    elif text.startswith(ATOM_RECORDS) or any(f"\n{record}" in text for record in ATOM_RECORDS):
        source = _read_pdb(as_pdb(text))
    else:
        raise neither_format()
    source.remarks = standardise(source.structure)
    return source


def neither_format() -> ScienceError:
    """The refusal of a text that is no structure."""
    return ScienceError("RECEPTOR_UNREADABLE", "The file is neither PDB nor mmCIF.")


def read_text(path: Path) -> str:
    """The text of a file, with the ends of lines as one sign. Raises RECEPTOR_UNREADABLE for a file that is no text."""
    data = path.read_bytes()
    if not data or data.isspace():
        raise ScienceError("RECEPTOR_UNREADABLE", "The file is empty.")
    if data[:2] == b"\x1f\x8b":
        raise ScienceError("RECEPTOR_UNREADABLE", "The file is compressed; it has to be unpacked first.")
    if b"\0" in data:
        raise ScienceError("RECEPTOR_UNREADABLE", "The file is binary, neither PDB nor mmCIF.")
    # Titles of old entries have bytes that are no UTF-8; everything that is used here is ASCII.
    text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n") if "\r" in text else text


def is_mmcif(text: str) -> bool:
    """Whether a text begins as mmCIF does."""
    return _DATA_BLOCK.match(text) is not None


def _read_pdb(text: str) -> SourceStructure:
    parsed = parse_pdb(text, has_usual_places=not _UNUSUAL_NUMBERS.search(f"\n{text}"))
    warning = unclosed_pdb_warning(text)
    structure = _internal_form(parsed)
    _flag_ends(structure, text)
    return SourceStructure(structure, "pdb", [warning] if warning else [])


def parse_pdb(text: str, *, has_usual_places: bool) -> gemmi.Structure:
    """A PDB file as it is written. The place of each atom is looked at where some are not of the usual form.

    Raises RECEPTOR_UNREADABLE for a file that cannot be read or is cut short.
    """
    if not has_usual_places:
        _check_pdb_numbers(text)
    parsed = _structure_of_pdb(text)
    _check_atoms(parsed)
    evidence = pdb_truncation(text, parsed)
    if evidence:
        raise ScienceError("RECEPTOR_UNREADABLE", f"The PDB file is incomplete: {evidence}.")
    if not has_usual_places:
        _check_coordinates(parsed)
    return parsed


def _structure_of_pdb(text: str) -> gemmi.Structure:
    lengths = [_OLD_LINE_LENGTH] if _is_old_format(text) else [0, _OLD_LINE_LENGTH]
    problem = ""
    for length in lengths:
        try:
            return gemmi.read_pdb_string(text, max_line_length=length)
        except (RuntimeError, ValueError, IndexError) as error:
            problem = problem or str(error)
    raise ScienceError("RECEPTOR_UNREADABLE", f"The PDB file cannot be read: {problem}")


def _check_pdb_numbers(text: str) -> None:
    """Check that every atom has three numbers as its place: gemmi reads a text that is no number as zero."""
    for line in text.splitlines():
        if not line.startswith(ATOM_RECORDS):
            continue
        try:
            [float(line[start : start + 8]) for start in _COORDINATE_COLUMNS]
        except ValueError as error:
            message = f"An atom has no coordinates: '{line[:54].rstrip()}'"
            raise ScienceError("RECEPTOR_UNREADABLE", message) from error


def _flag_ends(structure: gemmi.Structure, text: str) -> None:
    """Mark the residues behind which the file has TER, because mmCIF has no such record."""
    ends: set[tuple[str, str, str]] = set()
    last = ""
    for line in text.splitlines():
        if line.startswith("TER") and last:
            ends.add((last[20:22].strip() or BLANK_CHAIN, last[22:27].strip(), last[17:20].strip()))
        last = line if line.startswith(ATOM_RECORDS) else ""
    for model in structure:
        for chain in model:
            for residue in chain:
                if (chain.name, str(residue.seqid), residue.name) in ends:
                    residue.flag = MOLECULE_END


def _is_old_format(text: str) -> bool:
    header = text.partition("\n")[0]
    return header.startswith("HEADER") and len(header) > 76 and header[62:66] == header[72:76]


def _internal_form(parsed: gemmi.Structure) -> gemmi.Structure:
    """A PDB file as mmCIF: chains without an id get one, each residue gets the entity it belongs to."""
    for model in parsed:
        names = {chain.name for chain in model}
        if BLANK_CHAIN in names and names & {"", " "}:
            message = f"One chain has no id and another one is called {BLANK_CHAIN}, which stands for that."
            raise ScienceError("RECEPTOR_UNREADABLE", message)
        _split_segments(model)
        for chain in model:
            chain.name = chain.name.strip() or BLANK_CHAIN
    parsed.merge_chain_parts()
    parsed.setup_entities()
    return _structure_of_block(parsed.make_mmcif_document()[0])


def _split_segments(model: gemmi.Model) -> None:
    """Make chains of the segments where residues of several without a chain id count alike, as CHARMM writes them."""
    residues = [residue.clone() for chain in model if not chain.name.strip() for residue in chain]
    segments: dict[str, str] = {}
    polymer = [each for each in residues if is_polymer_name(STATE_NAMES.get(each.name, each.name))]
    if all(segments.setdefault(str(each.seqid), each.segment) == each.segment for each in polymer):
        return
    for name in [chain.name for chain in model if not chain.name.strip()]:
        model.remove_chain(name)
    for segment, members in groupby(residues, key=attrgetter("segment")):
        chain = gemmi.Chain(segment.strip())
        for residue in members:
            chain.add_residue(residue)
        model.add_chain(chain)


def read_mmcif(text: str) -> gemmi.Structure:
    """An mmCIF file as it is written. Raises RECEPTOR_UNREADABLE for a file that cannot be read or is cut short."""
    try:
        document = gemmi.cif.read_string(text)
    except (RuntimeError, ValueError) as error:
        message = f"The mmCIF file cannot be read or is incomplete: {error}"
        raise ScienceError("RECEPTOR_UNREADABLE", message) from error
    block = next((each for each in document if each.find_loop("_atom_site.id")), None)
    if block is None:
        raise ScienceError("RECEPTOR_UNREADABLE", "The mmCIF file holds no atoms.")
    structure = _structure_of_block(block)
    evidence = mmcif_truncation(text, block, structure)
    if evidence:
        raise ScienceError("RECEPTOR_UNREADABLE", f"The mmCIF file is incomplete: {evidence}.")
    _check_atoms(structure)
    _check_coordinates(structure)
    return structure


def _structure_of_block(block: gemmi.cif.Block) -> gemmi.Structure:
    try:
        structure = gemmi.make_structure_from_block(block)
    except (RuntimeError, ValueError) as error:
        raise ScienceError("RECEPTOR_UNREADABLE", f"The atoms cannot be read: {error}") from error
    structure.merge_chain_parts()
    structure.setup_entities()
    return structure


def _check_atoms(structure: gemmi.Structure) -> None:
    if not any(model.count_atom_sites() for model in structure):
        raise ScienceError("RECEPTOR_UNREADABLE", "The file holds no atoms.")


def _check_coordinates(structure: gemmi.Structure) -> None:
    for model in structure:
        # The centre has a number wherever every atom has.
        if all(math.isfinite(value) for value in model.calculate_center_of_mass().tolist()):
            continue
        for site in model.all():
            if not all(math.isfinite(value) for value in site.atom.pos.tolist()):
                where = f"{site.chain.name}:{site.residue.name} {site.residue.seqid}"
                raise ScienceError("RECEPTOR_UNREADABLE", f"{site.atom.name} of {where} has no coordinates.")
