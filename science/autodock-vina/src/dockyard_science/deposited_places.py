"""Side chains stay where the file has them: pdb2pqr turns far only what it has built itself.

pdb2pqr first puts a hydrogen on both nitrogens of a histidine and on every acid that may have one. Where such a
hydrogen bumps, it turns the side chain until it finds room, by up to 10 Å, though the hydrogen goes later or another
neighbour is to blame. A slight turn stays. A turn that takes a measured atom further is undone, and only bonds are
tried that move no such atom. What still bumps in the end is found and mended by `crowding`.
"""

import contextlib
import math
from collections.abc import Iterator, Sequence
from typing import Any

from pdb2pqr.debump import Debump
from pdb2pqr.residue import Residue

#: As far as pdb2pqr may move a heavy atom of the file for room.
MOST_ANGSTROM = 0.5

_debump_residue = Debump.debump_residue
_pick_dihedral_angle = Residue.pick_dihedral_angle


@contextlib.contextmanager
def deposited_atoms_stay() -> Iterator[None]:
    """Let pdb2pqr move no heavy atom of the file far for the sake of hydrogens."""
    Debump.debump_residue = _debump
    try:
        yield
    finally:
        Debump.debump_residue = _debump_residue


def _debump(debump: Any, residue: Any, conflicts: Sequence[str]) -> bool:
    angles = list(residue.dihedrals)
    places = [(atom, (atom.x, atom.y, atom.z)) for atom in residue.atoms]
    done = bool(_debump_residue(debump, residue, conflicts))
    if not any(
        _is_deposited(atom) and math.dist(atom.coords, place) > MOST_ANGSTROM for atom, place in places
    ):
        return done
    for atom, place in places:
        debump.cells.remove_cell(atom)
        atom.x, atom.y, atom.z = place
        debump.cells.add_cell(atom)
    residue.dihedrals = angles
    Residue.pick_dihedral_angle = _pick
    try:
        _debump_residue(debump, residue, conflicts)
    finally:
        Residue.pick_dihedral_angle = _pick_dihedral_angle
    # pdb2pqr warns of what it could not help; here nothing more was to be done.
    return True


def _pick(residue: Any, conflicts: Any, last: Any = None) -> Any:
    """The next angle to turn, of those that move no heavy atom of the file."""
    angles = residue.dihedrals
    # An angle without a value is one that pdb2pqr leaves out.
    residue.dihedrals = [
        None if angle is None or _moves_deposited(residue, index) else angle
        for index, angle in enumerate(angles)
    ]
    try:
        return _pick_dihedral_angle(residue, conflicts, last)
    finally:
        residue.dihedrals = angles


def _moves_deposited(residue: Any, index: int) -> bool:
    pivot = residue.reference.dihedrals[index].split()[2]
    return any(_is_deposited(residue.get_atom(name)) for name in residue.get_moveable_names(pivot))


def _is_deposited(atom: Any) -> bool:
    return not atom.added and not atom.is_hydrogen
