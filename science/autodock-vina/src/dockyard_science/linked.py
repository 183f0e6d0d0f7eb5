"""Parts of a chain that no force field here knows: caps and modified residues.

They go to pdb2pqr as they stand, as residues it has no definition of: it sees their atoms, leaves them alone, and
takes their neighbours for what they are, no ends of the chain. Their own hydrogens and charges come with their
templates. The hydrogen of an amide behind them pdb2pqr cannot place, because it does not see the bond; it is put into
the amide's plane.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import gemmi
import numpy as np
from pdb2pqr import aa, na
from pdb2pqr.biomolecule import Biomolecule

from dockyard_science.stretches import is_bonded
from dockyard_structures.atoms import Atom, Residue, residue_of
from dockyard_structures.residues import AMINO_ACIDS, END_CAPS, OTHER_CAPS, START_CAPS

# pdb2pqr knows no residue of this name.
_UNDEFINED = "UNL"

# pdb2pqr adds no charge at a chain's end with this name.
_CAP_OF_PDB2PQR = "NME"

_NH_ANGSTROM = 1.01


def linked_residue(chain: str, residue: gemmi.Residue) -> Residue:
    """A cap or modified residue of a file; caps get the dictionary's name."""
    heavy = sum(not atom.is_hydrogen() for atom in residue)
    name, count = OTHER_CAPS.get(residue.name, (residue.name, heavy))
    found = residue_of(chain, residue, name if count == heavy else None)
    return replace(found, hetero=False, linked=True)


def is_cap(residue: Residue) -> bool:
    """Whether a residue is a cap."""
    return residue.linked and residue.component_id in START_CAPS | END_CAPS


def undefined(residue: Residue) -> Residue:
    """The residue as pdb2pqr gets it: one of the chain under its name, others under a name that it does not know."""
    return replace(residue, name=_UNDEFINED) if residue.linked else residue


@contextlib.contextmanager
def uncharged_before_caps() -> Iterator[None]:
    """Keep pdb2pqr from taking the last residue that it knows for the end of a chain that goes on unknown.

    A proline that begins a chain it tells by the ring, which may have to be built yet; without that it gives up.
    """
    assign_termini = Biomolecule.assign_termini

    def assign(biomolecule: Any, chain: Any, **options: Any) -> None:
        unknown = [
            each for each in chain.residues[-1:] if not isinstance(each, (aa.Amino, aa.WAT, na.Nucleic))
        ]
        names = [each.name for each in unknown]
        if isinstance(chain.residues[0], aa.PRO):
            options["neutraln"] = True
        for each in unknown:
            each.name = _CAP_OF_PDB2PQR
        try:
            assign_termini(biomolecule, chain, **options)
        finally:
            for each, name in zip(unknown, names, strict=True):
                each.name = name

    Biomolecule.assign_termini = assign
    try:
        yield
    finally:
        Biomolecule.assign_termini = assign_termini


def with_amide_hydrogens(residues: Sequence[Residue]) -> list[Residue]:
    """The residues with the amide hydrogen in its plane wherever a cap or a modified residue stands before them."""
    ahead = [None, *residues[:-1]]
    return [
        _with_amide_hydrogen(before, residue)
        if before and before.linked and residue.name in AMINO_ACIDS and is_bonded(before, residue)
        else residue
        for before, residue in zip(ahead, residues, strict=True)
    ]


def _with_amide_hydrogen(before: Residue, residue: Residue) -> Residue:
    found = [before.atom("C"), residue.atom("N"), residue.atom("CA")]
    if residue.atom("H") is None or any(atom is None for atom in found):
        return residue
    carbon, nitrogen, alpha = (np.array(atom.position) for atom in found if atom is not None)
    away = sum((nitrogen - each) / np.linalg.norm(nitrogen - each) for each in (carbon, alpha))
    x, y, z = nitrogen + _NH_ANGSTROM * away / np.linalg.norm(away)
    placed = Atom("H", "H", (round(float(x), 3), round(float(y), 3), round(float(z), 3)))
    return residue.with_atoms(placed if atom.name == "H" else atom for atom in residue.atoms)
