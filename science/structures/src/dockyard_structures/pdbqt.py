"""PDBQT text as PDB text: AutoDock's types become elements.

A PDBQT line has a partial charge where PDB has a segment, and behind it a type, one column further right than PDB has
the element: read as PDB, an aromatic carbon (A) has no element and zinc (Zn) is Z.
"""

import re

import gemmi

_CHARGE_AND_TYPE = re.compile(r"^ *[+-]?\d+\.\d+ ([A-Za-z]{1,2}) *$")
_CHARGE_COLUMN = 66
_ELEMENT_COLUMN = 76

# Types that are no symbols of elements, or those of others: NA is a nitrogen that accepts, Na is sodium.
_ELEMENTS = {"A": "C", "HD": "H", "HS": "H", "NA": "N", "NS": "N", "OA": "O", "OS": "O", "SA": "S"}

# The place of a missing ligand of zinc, which is no atom.
_NO_ATOM = "TZ"


def as_pdb(text: str) -> str:
    """The text with elements in PDB's columns wherever a line has AutoDock's; other text stays as it is."""
    return "\n".join(made for line in text.split("\n") if (made := _as_pdb(line)) is not None)


def _as_pdb(line: str) -> str | None:
    if not line.startswith(("ATOM  ", "HETATM")):
        return line
    found = _CHARGE_AND_TYPE.match(line[_CHARGE_COLUMN:])
    if found is None:
        return line
    if found[1] == _NO_ATOM:
        return None
    element = _ELEMENTS.get(found[1], found[1])
    known = gemmi.Element(element).atomic_number > 0
    return f"{line[:_CHARGE_COLUMN]:<{_ELEMENT_COLUMN}}{element if known else '':>2}"
