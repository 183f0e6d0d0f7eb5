"""One protonated structure as programs write it: their names of residues and atoms, their ends, caps and columns.

What is written is what the documents and files of these programs show; no program is run here.
"""

from itertools import groupby

import numpy as np

from structures_world import position

_STATES = {
    ("HIS", True, True): "both",
    ("HIS", True, False): "delta",
    ("HIS", False, True): "epsilon",
}
_DOCK_NAMES = {
    "LEU": ("LEU", "LEV"),
    "MET": ("MET", "MEU"),
    "GLY": ("GLY", "GLV", "GLZ", "GLO"),
    "ASP": ("ASP", "DID", "DIC"),
    "CYS": ("CYT", "CYX"),
}
_AMBER_HIS = {"delta": "HID", "epsilon": "HIE", "both": "HIP"}
_CHARMM_HIS = {"delta": "HSD", "epsilon": "HSE", "both": "HSP"}
_GROMACS_HIS = {"delta": "HISD", "epsilon": "HISE", "both": "HISH"}
_HYDROGEN_ANGSTROM = 1.3


def residues_in(lines):
    """The lines of each residue."""
    return [list(each) for _, each in groupby(lines, key=lambda line: line[17:27])]


def with_names(line, residue=None, atom=None):
    """A PDB line under another name of its residue, of up to four characters, and of its atom."""
    if residue is not None:
        line = (
            f"{line[:17]}{residue:<4}{line[21:]}"
            if len(residue) > 3
            else f"{line[:17]}{residue:<3}{line[20:]}"
        )
    return line if atom is None else f"{line[:12]}{atom:<4}"[:16] + line[16:]


def _names(residue):
    return {line[12:16].strip() for line in residue}


def _form(residue):
    names = _names(residue)
    return _STATES.get((residue[0][17:20], "HD1" in names, "HE2" in names))


def _state_name(residue, histidines):
    """The name of a residue by its state, as AMBER has it but for histidines."""
    name, names = residue[0][17:20], _names(residue)
    if name == "HIS":
        return histidines[_form(residue)]
    if name == "CYS" and "HG" not in names:
        return "CYX"
    if (name == "ASP" and "HD2" in names) or (name == "GLU" and "HE2" in names):
        return {"ASP": "ASH", "GLU": "GLH"}[name]
    return "LYN" if name == "LYS" and "HZ1" not in names and len(names) > 9 else name


def _each(lines, change):
    return [made for residue in residues_in(lines) for made in change(residue)]


def amber(lines):
    """As ambpdb writes it: names of states, no chains."""

    def change(residue):
        name = _state_name(residue, _AMBER_HIS)
        return [with_names(f"{line[:21]} {line[22:]}", name) for line in residue]

    return _each(lines, change)


def charmm(lines):
    """As CHARMM writes it: a segment instead of a chain, HN, CD of isoleucine, two oxygens OT."""
    atoms = {"H": " HN ", "OXT": " OT2"}

    def change(residue):
        name, is_end = _state_name(residue, _CHARMM_HIS), "OXT" in _names(residue)
        name = {"CYX": "CYS", "LYN": "LSN", "ASH": "ASPP", "GLH": "GLUP"}.get(name, name)
        made = []
        for line in residue:
            atom = line[12:16].strip()
            new = " CD " if (name, atom) == ("ILE", "CD1") else atoms.get(atom)
            new = " OT1" if is_end and atom == "O" else new
            made.append(f"{with_names(f'{line[:21]} {line[22:]}', name, new)[:66]:<72}PROA")
        return made

    return _each(lines, change)


def gromacs(lines):
    """As pdb2gmx writes it: names of four characters, hydrogens counted behind, O1 and O2 at the end."""
    first, last = lines[0][17:27], lines[-1][17:27]

    def change(residue):
        name = _state_name(residue, _GROMACS_HIS)
        name = {"CYX": "CYS2", "ASH": "ASPH", "GLH": "GLUH", "LYS": "LYSH", "LYN": "LYN"}.get(name, name)
        name = f"N{residue[0][17:20]}" if residue[0][17:27] == first else name
        name = f"C{residue[0][17:20]}" if residue[0][17:27] == last else name
        is_end = "OXT" in _names(residue)
        ends = {"O": " OC1", "OXT": " OC2"} if is_end else {}
        return [with_names(line, name, ends.get(line[12:16].strip())) for line in residue]

    return _each(lines, change)


def dock(lines):
    """As DOCK's preparation writes it: polar hydrogens, no elements, residues of its own charges under own names."""
    seen = {}

    def change(residue):
        name = residue[0][17:20]
        count = seen[name] = seen.get(name, -1) + 1
        options = _DOCK_NAMES.get(name)
        new = options[count % len(options)] if options else _state_name(residue, _AMBER_HIS)
        if name == "HIS" and count % 2:
            new = "HIZ"
        polar = [position(line) for line in residue if line[76:78].strip() in {"N", "O", "S"}]
        return [
            with_names(line, new)[:66]
            for line in residue
            if line[76:78].strip() != "H"
            or min(np.linalg.norm(position(line) - place) for place in polar) < _HYDROGEN_ANGSTROM
        ]

    return _each(lines, change)


def maestro(lines, gap=None):
    """As Maestro writes it: names of states, and caps at a gap of two residues that count as their neighbours."""
    numbers = [] if gap is None else [gap, gap + 1]
    atoms = {gap: {"N": " N  ", "CA": " CA "}, (gap or 0) + 1: {"CA": " CH3", "C": " C  ", "O": " O  "}}

    def change(residue):
        number = int(residue[0][22:26])
        if number not in numbers:
            return [with_names(line, _state_name(residue, _AMBER_HIS)) for line in residue]
        name, neighbour = ("NMA", gap - 1) if number == gap else ("ACE", gap + 2)
        named = ((line, atoms[number].get(line[12:16].strip())) for line in residue)
        return [
            f"HETATM{with_names(line, name, new)[6:22]}{neighbour:4d}{line[26:]}"
            for line, new in named
            if new
        ]

    return _each(lines, change)


def rosetta(lines):
    """As Rosetta writes it: CYD in a disulfide, the digit of hydrogens in front, a table of scores behind."""

    def change(residue):
        name = {"CYX": "CYD"}.get(_state_name(residue, {"delta": "HIS", "epsilon": "HIS", "both": "HIS"}))
        made = []
        for line in residue:
            atom = line[12:16].strip()
            turned = f"{atom[-1]}{atom[:-1]}" if atom[0] == "H" and atom[-1].isdigit() else None
            made.append(with_names(line, name, f"{turned:<4}" if turned else None))
        return made

    heads = [each[0][17:20] for each in residues_in(lines)]
    table = [
        "# All scores below are weighted scores, not raw scores.",
        "#BEGIN_POSE_ENERGIES_TABLE model.pdb",
        "label fa_atr fa_rep total",
        "weights 1 0.55 NA",
        "pose -812.1 101.4 -330.2",
        f"{heads[0]}:NtermProteinFull_1 -1.0 0.2 -0.8",
        *(
            f"{'HIS_D' if name == 'HIS' else name}_{index} -1.0 0.2 -0.8"
            for index, name in enumerate(heads[1:], 2)
        ),
        "#END_POSE_ENERGIES_TABLE model.pdb",
    ]
    return [*_each(lines, change), "TER", *table]


def moe(lines):
    """As MOE writes it: formal charges behind the elements, bonds of hetero atoms, all hydrogens."""
    charges = {("LYS", "NZ"): "1+", ("ARG", "NH2"): "1+", ("ASP", "OD2"): "1-", ("GLU", "OE2"): "1-"}
    return [f"{line[:78]}{charges.get((line[17:20], line[12:16].strip()), '')}" for line in lines]


PROGRAMS = {
    "dock": dock,
    "amber": amber,
    "charmm": charmm,
    "gromacs": gromacs,
    "maestro": maestro,
    "rosetta": rosetta,
    "moe": moe,
}
