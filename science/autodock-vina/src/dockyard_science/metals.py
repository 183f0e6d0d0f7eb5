"""Hydrogens where a retained metal is bound: the atoms that hold a metal carry none there.

pdb2pqr does not see retained components, so it may turn a histidine that faces a zinc, protonate the nitrogen
there, or leave a cysteine or tyrosine that binds it neutral. So such residues are held where they are, and
afterwards the hydrogen goes; a histidine gets it on its other nitrogen, where that is free, so that it stays
neutral. A tyrosine becomes a phenolate at a transition metal only, and only within the length of a bond.
"""

import math
from collections.abc import Sequence
from typing import Any

import gemmi
import numpy as np

from dockyard_science.contacts import is_metal
from dockyard_structures.atoms import Atom, Residue, ResidueKey

#: A donor within this distance of a metal binds it; bonds to zinc or iron have 1.9-2.4 Å, to calcium up to 2.6 Å.
COORDINATION_ANGSTROM = 2.8

#: Up to here the oxygen of a tyrosine gives its proton up to a transition metal; such bonds have 1.8 to 2.3 Å.
PHENOLATE_ANGSTROM = 2.6

# Scandium to zinc, yttrium to cadmium, hafnium to mercury, by atomic number.
_TRANSITION_METALS = frozenset({*range(21, 31), *range(39, 49), *range(72, 81)})

_NH_ANGSTROM = 1.01

# Donors, the hydrogens that leave them when they bind a metal.
_DONORS = {
    ("HIS", "ND1"): ("HD1",),
    ("HIS", "NE2"): ("HE2",),
    ("CYS", "SG"): ("HG",),
    ("ASP", "OD1"): ("HD1",),
    ("ASP", "OD2"): ("HD2",),
    ("GLU", "OE1"): ("HE1",),
    ("GLU", "OE2"): ("HE2",),
    ("TYR", "OH"): ("HH",),
}

# The other nitrogen of a histidine: its hydrogen and its two neighbours in the ring.
_OTHER_NITROGEN = {
    "ND1": ("NE2", "HE2", ("CE1", "CD2")),
    "NE2": ("ND1", "HD1", ("CG", "CE1")),
}


def coordinate_metals(
    residues: Sequence[Residue], retained: Sequence[Residue]
) -> tuple[list[Residue], list[dict[str, Any]]]:
    """The residues without hydrogens between a donor and a retained metal, and a row for each donor.

    Distances in the rows are in angstrom.
    """
    metals = _metal_atoms(retained)
    result: list[Residue] = []
    sites: list[dict[str, Any]] = []
    for residue in residues:
        bound = _bound_donors(residue, metals)
        changed = residue
        for donor, owner, distance in bound:
            removed: list[str] = []
            if residue.name != "TYR" or _takes_proton(owner, distance):
                changed, removed = _free_donor(changed, donor, {name for name, _, _ in bound})
            row = residue.reference() | {"atom": donor, "metal": owner.reference()}
            sites.append(row | {"distanceAngstrom": round(distance, 2), "hydrogensRemoved": removed})
        result.append(changed)
    return result, sites


def phenolates(residues: Sequence[Residue], retained: Sequence[Residue]) -> set[ResidueKey]:
    """The tyrosines whose oxygen has given its proton up to a retained transition metal."""
    metals = _metal_atoms(retained)
    return {
        residue.key
        for residue in residues
        if residue.name == "TYR"
        and any(_takes_proton(owner, distance) for _, owner, distance in _bound_donors(residue, metals))
    }


def metal_bound(residues: Sequence[Residue], retained: Sequence[Residue]) -> set[ResidueKey]:
    """The residues with an atom that binds a retained metal, amides of ASN and GLN included."""
    metals = [atom.position for _, atom in _metal_atoms(retained)]
    return {
        residue.key
        for residue in residues
        for atom in residue.heavy_atoms
        if atom.element in {"N", "O", "S"}
        and any(math.dist(atom.position, metal) <= COORDINATION_ANGSTROM for metal in metals)
    }


def _metal_atoms(retained: Sequence[Residue]) -> list[tuple[Residue, Atom]]:
    return [(owner, atom) for owner in retained for atom in owner.heavy_atoms if is_metal(atom.element)]


def _takes_proton(owner: Residue, distance: float) -> bool:
    """Whether a metal at this distance makes a phenol a phenolate; calcium and its like leave it its proton."""
    numbers = {gemmi.Element(atom.element).atomic_number for atom in owner.heavy_atoms}
    return distance <= PHENOLATE_ANGSTROM and bool(numbers & _TRANSITION_METALS)


def _bound_donors(
    residue: Residue, metals: Sequence[tuple[Residue, Atom]]
) -> list[tuple[str, Residue, float]]:
    found: list[tuple[str, Residue, float]] = []
    for atom in residue.heavy_atoms:
        if (residue.name, atom.name) not in _DONORS:
            continue
        for owner, metal in metals:
            distance = math.dist(atom.position, metal.position)
            if distance <= COORDINATION_ANGSTROM:
                found.append((atom.name, owner, distance))
    return found


def _free_donor(residue: Residue, donor: str, bound: set[str]) -> tuple[Residue, list[str]]:
    leaving = [name for name in _DONORS[(residue.name, donor)] if residue.atom(name)]
    atoms = [atom for atom in residue.atoms if atom.name not in leaving]
    freed = residue.with_atoms(atoms)
    if leaving and residue.name == "HIS":
        other, hydrogen, neighbours = _OTHER_NITROGEN[donor]
        if other not in bound and freed.atom(hydrogen) is None:
            freed = freed.with_atoms([*atoms, ring_hydrogen(freed, other, hydrogen, neighbours)])
    return freed, leaving


def ring_hydrogen(residue: Residue, nitrogen: str, name: str, neighbours: tuple[str, str]) -> Atom:
    """A hydrogen in the plane of the ring, opposite to the nitrogen's two neighbours."""
    found = [residue.atom(each) for each in (nitrogen, *neighbours)]
    centre, one, other = (np.array(atom.position) for atom in found if atom is not None)
    away = sum((centre - each) / np.linalg.norm(centre - each) for each in (one, other))
    x, y, z = centre + _NH_ANGSTROM * away / np.linalg.norm(away)
    return Atom(name, "H", (round(float(x), 3), round(float(y), 3), round(float(z), 3)))
