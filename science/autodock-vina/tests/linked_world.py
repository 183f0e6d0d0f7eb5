"""Chains with caps and modified residues, cut from a real protein and grafted by the dictionary's own geometry."""

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdDistGeom

from dockyard_science.ccd import default_ccd
from structures_world import TRYPSIN, atom_line, position, records

_FRAME = ("N", "CA", "C")


def number(line):
    """The residue's number in a PDB line."""
    return int(line[22:26])


def piece(first, last):
    """The lines of a stretch of trypsin."""
    return [line for line in records(TRYPSIN) if first <= number(line) <= last and line[26] == " "]


def box_around(lines, size=22.0):
    """A box in the middle of some lines."""
    centre = np.mean([position(line) for line in lines], axis=0)
    return {"centerAngstrom": [round(float(value), 3) for value in centre], "sizeAngstrom": [size] * 3}


def renamed(line, atom=None, residue=None, place=None):
    """A PDB line under another atom name, residue name or number."""
    if atom is not None:
        line = f"{line[:12]} {atom:<3}{line[16:]}"
    if residue is not None:
        line = f"{line[:17]}{residue:<3}{line[20:]}"
    return line if place is None else f"{line[:22]}{place:4d}{line[26:]}"


def capped(first, last, end="NME", methyl="C"):
    """A stretch between caps, which stand where its neighbours' backbones stood."""
    start = {"CA": "CH3", "C": "C", "O": "O"}
    stop = {"N": "N", "CA": methyl} if methyl else {"N": "N"}
    caps = [
        (piece(first - 1, first - 1), start, "ACE"),
        (piece(last + 1, last + 1), stop, end),
    ]
    before, behind = (
        [renamed(line, names[atom], residue) for line in lines if (atom := line[12:16].strip()) in names]
        for lines, names, residue in caps
    )
    return [*before, *piece(first, last), *behind]


def grafted(lines, place, component):
    """The lines with one residue replaced by a component, turned about CA-CB to where it has most room."""
    molecule = default_ccd().molecule(component)
    names = {
        atom.GetProp("name"): atom
        for atom in molecule.GetAtoms()
        if atom.GetAtomicNum() > 1 and atom.GetProp("name") != "OXT"
    }
    own = molecule.GetConformer().GetPositions()
    mine = {line[12:16].strip(): position(line) for line in lines if number(line) == place}
    first, second = (
        np.array([source[name] for name in _FRAME])
        for source in ({name: own[atom.GetIdx()] for name, atom in names.items()}, mine)
    )
    rotation, shift = _superposed(first, second)
    placed = {name: own[atom.GetIdx()] @ rotation.T + shift for name, atom in names.items()} | {
        name: mine[name] for name in (*_FRAME, "O")
    }
    others = np.array([position(line) for line in lines if number(line) != place])
    side = [
        name
        for name in placed
        if name not in (*_FRAME, "O", "CB", "OXT") and not _before_nitrogen(molecule, name)
    ]
    best = max(
        (_turned(placed, side, angle) for angle in range(0, 360, 5)),
        key=lambda each: _room(each, side, others),
    )
    index = next(i for i, line in enumerate(lines) if number(line) == place)
    sample = lines[index]
    made = []
    for name, atom in names.items():
        x, y, z = best[name]
        element = atom.GetSymbol().upper()
        padded = f" {name:<3}" if len(name) < 4 else name
        made.append(
            f"HETATM 9999 {padded} {component:>3} {sample[21]}{place:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
            f"  1.00 20.00          {element:>2}"
        )
    kept = [line for line in lines if number(line) != place]
    at = next((i for i, line in enumerate(kept) if number(line) > place), len(kept))
    return [*kept[:at], *made, *kept[at:]]


def _before_nitrogen(molecule, name):
    """Whether an atom hangs on the backbone's nitrogen and stays with it."""
    nitrogen = next(atom for atom in molecule.GetAtoms() if atom.GetProp("name") == "N")
    near = {atom.GetProp("name") for atom in nitrogen.GetNeighbors()} - {"CA"}
    second = {
        far.GetProp("name")
        for atom in nitrogen.GetNeighbors()
        if atom.GetProp("name") in near
        for far in atom.GetNeighbors()
    }
    return name in near | second


def _superposed(first, second):
    middle, other = first.mean(axis=0), second.mean(axis=0)
    left, _, right = np.linalg.svd((first - middle).T @ (second - other))
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(right.T @ left.T))])
    rotation = right.T @ flip @ left.T
    return rotation, other - rotation @ middle


def _turned(placed, side, angle):
    if "CB" not in placed:
        return placed
    axis = placed["CB"] - placed["CA"]
    axis = axis / np.linalg.norm(axis)
    turn = np.radians(angle)

    def about(place):
        arm = place - placed["CB"]
        along = axis * np.dot(axis, arm) * (1 - np.cos(turn))
        return placed["CB"] + arm * np.cos(turn) + np.cross(axis, arm) * np.sin(turn) + along

    return placed | {name: about(placed[name]) for name in side}


def _room(placed, side, others):
    if not side:
        return 0.0
    own = np.array([placed[name] for name in ("N", "C", "O")])
    mine = np.array([placed[name] for name in side])
    return np.linalg.norm(mine[:, None] - np.concatenate([others, own])[None], axis=2).min()


def residue_lines(text, place):
    """The lines of a residue in PDB or PDBQT text."""
    return [
        line for line in text.splitlines() if line.startswith(("ATOM", "HETATM")) and number(line) == place
    ]


def charge(files, place):
    """The sum of the partial charges of a residue in the PDBQT."""
    total = sum(float(line[68:76]) for line in residue_lines(files.pdbqt, place))
    assert abs(total - round(total)) < 0.02
    return round(total)


def names_of(files, place):
    """The atoms of a residue in the prepared PDB."""
    return {line[12:16].strip() for line in residue_lines(files.pdb, place)}


def strand(*components, beside, first=101):
    """A strand of these nucleotides in a shape of its own, which begins with its phosphate, 30 Å beside some lines."""
    whole = Chem.RWMol()
    for number, component in enumerate(components, first):
        part = Chem.RWMol(Chem.RemoveHs(default_ccd().molecule(component)))
        Chem.Kekulize(part, clearAromaticFlags=True)
        for atom in part.GetAtoms():
            atom.SetNumExplicitHs(0)
            atom.SetNoImplicit(False)
            atom.SetIntProp("number", number)
            atom.SetProp("residue", component)
        whole = Chem.RWMol(Chem.CombineMols(whole, part))
        if number > first:
            whole.AddBond(_index(whole, number - 1, "O3'"), _index(whole, number, "P"), Chem.BondType.SINGLE)
            whole.RemoveAtom(_index(whole, number, "OP3"))
    whole.RemoveAllConformers()
    Chem.SanitizeMol(whole)
    shaped = Chem.AddHs(whole)
    assert rdDistGeom.EmbedMolecule(shaped, randomSeed=7) == 0
    places = shaped.GetConformer().GetPositions()
    middle = np.mean([position(line) for line in beside], axis=0)
    shift = middle - places.mean(axis=0) + np.array([0.0, 0.0, 30.0])
    return [
        f"ATOM  {line[6:21]}B{line[22:]}"
        for atom in whole.GetAtoms()
        for line in [
            atom_line(
                atom.GetProp("name"),
                atom.GetProp("residue"),
                atom.GetIntProp("number"),
                places[atom.GetIdx()] + shift,
                atom.GetSymbol(),
            )
        ]
    ]


def _index(molecule, number, name):
    return next(
        atom.GetIdx()
        for atom in molecule.GetAtoms()
        if atom.GetIntProp("number") == number and atom.GetProp("name") == name
    )
