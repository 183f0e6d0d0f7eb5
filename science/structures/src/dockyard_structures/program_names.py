"""Names of residues and atoms as simulation programs write them, read as the standard ones.

Programs mark a residue's state or place in its name, call the end of a chain and one carbon of isoleucine otherwise,
and write the cap of a chain into its first or last residue. What is standard already stays as it is. Hydrogens go in
any case; here they are only told from other elements, which files without elements leave to the name.
What is no atom (the mean place of a group's hydrogens, a lone pair) is left out.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator

import gemmi

from dockyard_structures.residues import (
    AMINO_ACIDS,
    CAPS,
    NUCLEOTIDES,
    START_CAPS,
    STATE_NAMES,
    short_list,
)

# Residue names of four characters, which also take the column between the name and the chain; a charge that is not the
# usual one keeps a name that says so.
_LONG_NAMES = {
    "HISA": "HIS", "HISB": "HIS", "HISD": "HIS", "HISE": "HIS", "HISH": "HIP", "HISP": "HIP", "HIS1": "HIS",
    "HIS2": "HIS", "LYSH": "LYS", "ASPH": "ASH", "ASPP": "ASH", "GLUH": "GLH", "GLUP": "GLH", "CYS2": "CYS",
    "CYSH": "CYS", "ARGN": "ARG", "TIP3": "HOH", "TIP4": "HOH", "TIP5": "HOH", "SPCE": "HOH",
}  # fmt: skip

# How the two oxygens that end a chain are called, in pairs of the standard names' meaning.
_END_OXYGENS = (
    ("OT1", "OT2"),
    ("OC1", "OC2"),
    ("O1", "O2"),
    ("OCT1", "OCT2"),
    ("OT", "OXT"),
    ("O", "OT"),
    ("O'", "O''"),
)

# The atoms of a cap that is written into its neighbour, with the cap's own names.
_START_CAP = {"CAY": "CH3", "CY": "C", "OY": "O"}
_END_CAPS = (("NME", {"NT": "N", "CAT": "C"}), ("NH2", {"NT": "N"}))

# A carbon with two methyl groups that have different names, the neighbour before it, and the two in their order.
_METHYLS = {"VAL": ("CB", "CA", "CG1", "CG2"), "LEU": ("CG", "CB", "CD1", "CD2")}

# The volume that the three bonds span is -2 to -3 Å³ where the methyl groups have each its name.
_TURNED_VOLUME = 1.0

_RNA = re.compile(r"^R?([ACGU])[35N]?$")
_DNA = re.compile(r"^D([ACGT])[35N]?$")
_BASES = {"ADE": "A", "CYT": "C", "GUA": "G", "THY": "T", "URA": "U"}

_HYDROGEN = re.compile(r"^\d*[HD]")

# The mean place of a group's hydrogens, which programs for NMR write beside them, and lone pairs. MG and MN can be
# ions.
_NO_ATOM = re.compile(r"^(?:M(?![GN]$)|Q|LP)")


def with_short_names(text: str) -> str:
    """PDB text with names of four characters brought to the three that a residue's name may have."""
    lines = text.split("\n")
    atoms = [line for line in lines if line.startswith(("ATOM  ", "HETATM"))]
    # In a file whose chain ids have two characters, that column belongs to the chain id.
    if any(
        line[17:20] in AMINO_ACIDS and line[20:21] not in {"", " "} and not _short(line[17:21])
        for line in atoms
    ):
        return text
    if not any(_short(line[17:21]) for line in atoms):
        return text
    return "\n".join(_with_short_name(line) for line in lines)


def standardise(structure: gemmi.Structure) -> list[str]:
    """Rename residues and atoms in place; remarks on what was done."""
    counts: Counter[str] = Counter()
    for model in structure:
        for chain in model:
            for residue in chain:
                _standardise(residue, counts)
            _split_caps(chain, counts)
            _number_caps(chain, counts)
    if not counts:
        return []
    renamed = short_list((f"{what} ({count} times)" for what, count in sorted(counts.items())), most=12)
    return [f"Names of programs were read as the standard ones: {renamed}."]


def standard_atom_names(name: str, present: Collection[str]) -> dict[str, str]:
    """The standard names of those heavy atoms of an amino acid that programs call otherwise."""
    renames = dict(_end_oxygens(set(present)))
    if name == "ILE" and "CD" in present and "CD1" not in present:
        renames["CD"] = "CD1"
    return renames


def is_hydrogen_name(atom: str) -> bool:
    """Whether an atom of an amino acid is a hydrogen by its name."""
    return _HYDROGEN.match(atom) is not None


def _short(name: str) -> str | None:
    if name in _LONG_NAMES:
        return _LONG_NAMES[name]
    inner = STATE_NAMES.get(name[1:], name[1:])
    return inner if len(name) == 4 and name[0] in "NC" and inner in AMINO_ACIDS else None


def _with_short_name(line: str) -> str:
    short = _short(line[17:21]) if line.startswith(("ATOM  ", "HETATM", "TER")) else None
    return line if short is None else f"{line[:17]}{short} {line[21:]}"


def _standardise(residue: gemmi.Residue, counts: Counter[str]) -> None:
    if residue.find_atom("C1*", "*") or residue.find_atom("C1'", "*"):
        _standardise_nucleotide(residue, counts)
    name = STATE_NAMES.get(residue.name, residue.name)
    if name not in AMINO_ACIDS:
        return
    _turn_methyls(residue, name, counts)
    usual = {*AMINO_ACIDS[name], "OXT"}
    for index in reversed(range(len(residue))):
        atom = residue[index]
        if _NO_ATOM.match(atom.name):
            counts[f"{atom.name} of {residue.name} as no atom, left out"] += 1
            del residue[index]
    renames = standard_atom_names(name, {atom.name for atom in residue})
    for atom in residue:
        if atom.name in renames:
            counts[f"{atom.name} of {residue.name} as {renames[atom.name]}"] += 1
            atom.name = renames[atom.name]
        elif atom.name not in usual and is_hydrogen_name(atom.name):
            atom.element = gemmi.Element("H")


def _turn_methyls(residue: gemmi.Residue, name: str, counts: Counter[str]) -> None:
    """Exchange the names of two methyl groups that stand in each other's place, which simulations do not tell apart.

    What is built by their names would stand in one of them: the hydrogen between them does.
    """
    if name not in _METHYLS:
        return
    atoms = [residue.find_atom(each, "*") for each in _METHYLS[name]]
    if not all(atoms):
        return
    middle, before, one, other = atoms
    first, second, third = (atom.pos - middle.pos for atom in (before, one, other))
    if first.dot(second.cross(third)) > _TURNED_VOLUME:
        counts[f"{one.name} and {other.name} of {name} for each other"] += 1
        one.name, other.name = other.name, one.name


def _end_oxygens(present: set[str]) -> Iterator[tuple[str, str]]:
    if "OXT" in present and "O" in present:
        return
    for first, second in _END_OXYGENS:
        if {first, second} <= present:
            yield from (pair for pair in ((first, "O"), (second, "OXT")) if pair[0] != pair[1])
            return


def _standardise_nucleotide(residue: gemmi.Residue, counts: Counter[str]) -> None:
    base = _BASES.get(residue.name, "")
    is_rna = bool(residue.find_atom("O2'", "*") or residue.find_atom("O2*", "*"))
    known = _RNA.match(residue.name) or _DNA.match(residue.name)
    name = (base if is_rna else f"D{base}") if base else residue.name
    if known and is_rna == (_RNA.match(residue.name) is not None):
        name = known[1] if is_rna else f"D{known[1]}"
    if name != residue.name:
        counts[f"{residue.name} as {name}"] += 1
        residue.name = name
    if name not in NUCLEOTIDES:
        return
    for atom in residue:
        if "*" in atom.name:
            counts[f"{atom.name} as {atom.name.replace('*', chr(39))}"] += 1
            atom.name = atom.name.replace("*", "'")


def _split_caps(chain: gemmi.Chain, counts: Counter[str]) -> None:
    """Make residues of caps that are written into the first or last residue of a chain."""
    for index in reversed(range(len(chain))):
        residue = chain[index]
        if STATE_NAMES.get(residue.name, residue.name) not in AMINO_ACIDS:
            continue
        present = {atom.name for atom in residue}
        for name, atoms in _END_CAPS:
            if atoms.keys() <= present and "C" in present:
                _split(chain, index, name, atoms, 1)
                counts[f"{', '.join(atoms)} of {residue.name} as {name}"] += 1
                break
        if _START_CAP.keys() <= present and "N" in present:
            _split(chain, index, "ACE", _START_CAP, -1)
            counts[f"{', '.join(_START_CAP)} of {residue.name} as ACE"] += 1


def _number_caps(chain: gemmi.Chain, counts: Counter[str]) -> None:
    """Give a cap that counts as a residue of its chain a number of its own."""
    places = Counter(str(residue.seqid) for residue in chain)
    for residue in chain:
        heavy = sum(not atom.is_hydrogen() for atom in residue)
        if heavy != CAPS.get(residue.name) or places[str(residue.seqid)] < 2:
            continue
        counts[f"{residue.name} {residue.seqid} as a cap with a number of its own"] += 1
        residue.seqid = _free_place(chain, residue, -1 if residue.name in START_CAPS else 1)


def _free_place(chain: gemmi.Chain, beside: gemmi.Residue, step: int) -> gemmi.SeqId:
    taken = {str(residue.seqid) for residue in chain}
    number = (beside.seqid.num or 0) + step
    codes = (gemmi.SeqId(number, code) for code in " ZYXWVUTSRQPONMLKJIHGFEDCBA")
    return next(seqid for seqid in codes if str(seqid) not in taken)


def _split(chain: gemmi.Chain, index: int, name: str, atoms: dict[str, str], step: int) -> None:
    owner = chain[index]
    cap = gemmi.Residue()
    cap.name, cap.subchain = name, owner.subchain
    cap.entity_type, cap.het_flag = owner.entity_type, owner.het_flag
    cap.seqid = _free_place(chain, owner, step)
    for position in reversed(range(len(owner))):
        atom = owner[position]
        if atom.name in atoms:
            moved = atom.clone()
            moved.name = atoms[atom.name]
            cap.add_atom(moved, 0)
            del owner[position]
    chain.add_residue(cap, index + 1 if step > 0 else index)
