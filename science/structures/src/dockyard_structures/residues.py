"""What the residues of a receptor are made of: standard residues, their heavy atoms and names of their states."""

from collections.abc import Iterable

import gemmi

_SIDE_CHAINS = {
    "ALA": "CB",
    "ARG": "CB CG CD NE CZ NH1 NH2",
    "ASN": "CB CG OD1 ND2",
    "ASP": "CB CG OD1 OD2",
    "CYS": "CB SG",
    "GLN": "CB CG CD OE1 NE2",
    "GLU": "CB CG CD OE1 OE2",
    "GLY": "",
    "HIS": "CB CG ND1 CD2 CE1 NE2",
    "ILE": "CB CG1 CG2 CD1",
    "LEU": "CB CG CD1 CD2",
    "LYS": "CB CG CD CE NZ",
    "MET": "CB CG SD CE",
    "PHE": "CB CG CD1 CD2 CE1 CE2 CZ",
    "PRO": "CB CG CD",
    "SER": "CB OG",
    "THR": "CB OG1 CG2",
    "TRP": "CB CG CD1 CD2 NE1 CE2 CE3 CZ2 CZ3 CH2",
    "TYR": "CB CG CD1 CD2 CE1 CE2 CZ OH",
    "VAL": "CB CG1 CG2",
}

#: The atoms of every amino acid residue, without the oxygen that ends a chain.
BACKBONE = ("N", "CA", "C", "O")

#: Heavy atoms of the twenty amino acid residues by name.
AMINO_ACIDS = {name: (*BACKBONE, *atoms.split()) for name, atoms in _SIDE_CHAINS.items()}

#: Names that other programs give a residue to say its protonation; a name alone assigns none.
STATE_NAMES = {
    "HID": "HIS", "HIE": "HIS", "HIP": "HIS", "HSD": "HIS", "HSE": "HIS", "HSP": "HIS",
    "ASH": "ASP", "GLH": "GLU", "CYX": "CYS", "CYM": "CYS", "LYN": "LYS", "ARN": "ARG", "TYM": "TYR",
}  # fmt: skip

#: Caps: residues in the place of the charge before the first or behind the last residue of a chain.
START_CAPS = frozenset({"ACE"})
END_CAPS = frozenset({"NME", "NH2"})

#: Names that programs use for the same caps, with the cap and the number of its heavy atoms.
OTHER_CAPS = {"NMA": ("NME", 2), "NAC": ("NME", 2), "CH3": ("NME", 2), "NHE": ("NH2", 1), "CT3": ("NME", 2)}

#: The number of heavy atoms of a cap by each of its names.
CAPS = {"ACE": 3, **dict(OTHER_CAPS.values()), **{name: count for name, (_, count) in OTHER_CAPS.items()}}

#: A bond between neighbours in a chain is 1.33 Å (C-N) or 1.6 Å (O3'-P); poor models stretch it.
LINK_ANGSTROM = 2.0

#: The nucleotides that the template libraries know.
NUCLEOTIDES = frozenset({"A", "C", "G", "U", "DA", "DC", "DG", "DT"})

_WATERS_OF_PROGRAMS = frozenset({"SOL", "SPC", "TIP", "TP3", "TP4", "T3P", "T4P"})


def is_polymer_name(name: str) -> bool:
    """Whether a residue of this name can be prepared as part of a chain."""
    return name in AMINO_ACIDS or name in NUCLEOTIDES


def is_water(name: str) -> bool:
    """Whether a residue of this name is water, heavy water included, also as simulation programs call it."""
    return name in _WATERS_OF_PROGRAMS or bool(gemmi.find_tabulated_residue(name).is_water())


def missing_heavy_atoms(name: str, present: Iterable[str]) -> list[str]:
    """Names of the heavy atoms that an amino acid residue lacks, in their usual order; none for others."""
    have = set(present)
    return [atom for atom in AMINO_ACIDS.get(name, ()) if atom not in have]


def insertion_code(residue: gemmi.Residue) -> str:
    """The insertion code, the empty string where there is none."""
    return str(residue.seqid.icode).strip()


def label(chain: str, residue: gemmi.Residue) -> str:
    """How a residue is named to people: `A:CSO 67`, with the insertion code behind the number it may lack."""
    number = "" if residue.seqid.num is None else str(residue.seqid.num)
    return f"{chain}:{residue.name} {number}{insertion_code(residue)}".rstrip()


def short_list(items: Iterable[str], most: int = 6) -> str:
    """A list in words; items beyond `most` are only counted."""
    all_items = list(items)
    head = ", ".join(all_items[:most])
    return head if len(all_items) <= most else f"{head} and {len(all_items) - most} more"
