"""Whether a receptor file breaks off: what the file itself tells about its end.

A PDB file of the archive, which its HEADER tells, ends with MASTER and END; one written by a program may have
neither, and then only its last line and its last residue can give it away. An mmCIF file breaks off inside a loop,
before the mark that closes a category, or before chains that it announced. Nothing of this is guessed from sizes.
"""

import re

import gemmi

from dockyard_session.tool import TaskWarning
from dockyard_structures.program_names import standard_atom_names
from dockyard_structures.residues import STATE_NAMES, label, missing_heavy_atoms

# The archive's own first record: class, date of deposition and id. Programs write the word with what they like.
_ARCHIVE_HEADER = re.compile(r"HEADER.{44}\d\d-[A-Z]{3}-\d\d {3}\d[A-Z0-9]{3}\b")

# Up to the z coordinate; a record that ends before it holds no place.
_COORDINATES_END = 54

# So many residues at the end of a chain show whether its side chains are there at all.
_COMPARED_RESIDUES = 10


def pdb_truncation(text: str, structure: gemmi.Structure) -> str | None:
    """What shows that a PDB file is cut short, in words, or None."""
    last = text[text.rstrip().rfind("\n") + 1 :].splitlines()[0]
    if _is_closed(last):
        return None
    lines = [line for line in text.splitlines() if line.strip()]
    if any(_ARCHIVE_HEADER.match(line) for line in lines[:20]):
        return f"an entry of the archive ends with END, this one with '{last[:26].strip()}'"
    if sum(line.startswith("MODEL ") for line in lines) > sum(line.startswith("ENDMDL") for line in lines):
        return "its last model is not closed"
    if _is_atom(last) and (len(last) < _COORDINATES_END or _breaks_off(text, lines)):
        return f"its last line breaks off: '{last[:_COORDINATES_END].strip()}'"
    if _is_atom(last):
        return _incomplete_end(structure)
    return None


def unclosed_pdb_warning(text: str) -> TaskWarning | None:
    """A warning where nothing in a PDB file shows whether it is whole, or where its own count differs."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not _is_closed(lines[-1]):
        message = "The file has no END record. Its last residue is not cut short; more may have followed."
        return {"code": "RECEPTOR_END_MISSING", "message": message}
    declared = _declared_atoms(lines)
    found = sum(_is_atom(line) for line in lines)
    if declared is not None and found < declared:
        counts = f"The file's MASTER record counts {declared} atoms, {found} are there"
        message = f"{counts}: the file was edited or lost a part."
        return {"code": "RECEPTOR_ATOMS_FEWER_THAN_DECLARED", "message": message}
    return None


def mmcif_truncation(text: str, block: gemmi.cif.Block, structure: gemmi.Structure) -> str | None:
    """What shows that an mmCIF file is cut short, in words, or None."""
    lines = [line for line in text.splitlines() if line.strip()]
    if sum(line.strip() == "#" for line in lines) > 2 and lines[-1].strip() != "#":
        return "its last category is not closed"
    present = {residue.subchain for model in structure for chain in model for residue in chain}
    announced = [gemmi.cif.as_string(value) for value in block.find_values("_struct_asym.id")]
    absent = [name for name in announced if name not in present]
    if absent:
        return f"it announces {len(announced)} chains and molecules, but {len(absent)} of them have no atoms"
    if not text.endswith("\n") and _last_category(lines) == "_atom_site.":
        return "its last line breaks off"
    return None


def _is_closed(last: str) -> bool:
    return last.split(maxsplit=1)[0] == "END"


def _is_atom(line: str) -> bool:
    return line.startswith(("ATOM  ", "HETATM"))


def _breaks_off(text: str, lines: list[str]) -> bool:
    """Whether the last line has no end and is shorter than its neighbour."""
    return not text.endswith("\n") and len(lines) > 1 and len(lines[-1]) < len(lines[-2].rstrip())


def _incomplete_end(structure: gemmi.Structure) -> str | None:
    """The last residue of a chain that is neither closed nor complete; of a bare backbone no residue is complete.

    One with OXT, which programs write last of its heavy atoms, ends its chain: its side chain was not seen.
    """
    chain = structure[-1][-1]
    if "OXT" in chain[-1]:
        return None
    missing = [_missing(residue) for residue in list(chain)[-_COMPARED_RESIDUES:]]
    if not missing[-1] or (len(missing) > 1 and all(missing)):
        return None
    where = label(chain.name.strip(), chain[-1])
    return f"it has no END, and its last residue {where} lacks {', '.join(missing[-1])}"


def _missing(residue: gemmi.Residue) -> list[str]:
    """The heavy atoms that a residue lacks, whatever programs call those that it has."""
    present = [atom.name for atom in residue]
    standard = standard_atom_names(STATE_NAMES.get(residue.name, residue.name), present)
    return missing_heavy_atoms(residue.name, (standard.get(name, name) for name in present))


def _declared_atoms(lines: list[str]) -> int | None:
    """Number of ATOM and HETATM records that the MASTER record counts, None without one."""
    master = next((line for line in reversed(lines) if line.startswith("MASTER")), "")
    count = master[50:55].strip()
    return int(count) if count.isdigit() else None


def _last_category(lines: list[str]) -> str:
    names = [line.strip() for line in lines if line.startswith("_")]
    return names[-1].partition(".")[0] + "." if names else ""
