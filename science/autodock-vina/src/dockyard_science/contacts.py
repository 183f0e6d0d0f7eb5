"""Atoms of different residues that stand closer than a bond: clashes, and bonds that nothing can type.

The bound is 1.2 times the sum of the covalent radii (1.82 Å for C and C, 1.58 Å for O and O), which is where
Meeko begins to take two atoms for bonded. Nothing that is not bonded comes near it: the shortest hydrogen
bonds have 2.4 Å between heavy atoms. So a pair below it is either one of the bonds that a receptor has
(peptide, phosphodiester, disulfide, coordination of a metal), or the model is wrong there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import gemmi
import numpy as np
from scipy.spatial import cKDTree

from dockyard_science.faults import Pair, SideChainError, blame
from dockyard_science.meeko_door import covalent_radius
from dockyard_structures.atoms import Atom, Residue
from dockyard_structures.residues import short_list

#: Factor on the sum of two covalent radii; below it two atoms count as bonded.
BOND_TOLERANCE = 1.2

#: The least distance of atoms without a bond: the shortest hydrogen bonds have 2.4 Å between heavy atoms.
NEAREST_ANGSTROM = 2.2

_WIDEST_ANGSTROM = 4.5
# The bound for a hydrogen and the largest atom that is no metal.
_WIDEST_HYDROGEN_ANGSTROM = 2.2
# An amide bond has 1.33 Å.
_ISOPEPTIDE_ANGSTROM = (1.15, 1.6)
_ACID_CARBONS = frozenset({("ASP", "CG"), ("ASN", "CG"), ("GLU", "CD"), ("GLN", "CD")})
_SHORTEST_DISULFIDE_ANGSTROM = 1.4
_BACKBONE_BONDS = frozenset({frozenset({"C", "N"}), frozenset({"O3'", "P"})})


@dataclass(frozen=True)
class Contact:
    """Two atoms of different residues within bonding distance; `bound_angstrom` is that distance."""

    first: Residue
    first_atom: Atom
    second: Residue
    second_atom: Atom
    distance_angstrom: float
    bound_angstrom: float

    @property
    def label(self) -> str:
        """The pair and its distance in words, and whether that is an isopeptide bond."""
        one = f"{self.first_atom.name} of {self.first.label}"
        other = f"{self.second_atom.name} of {self.second.label}"
        bond = ", an isopeptide bond, which no template here has" if _is_isopeptide(self) else ""
        return f"{one} and {other} are {self.distance_angstrom:.2f} Å apart{bond}"

    @property
    def pair(self) -> Pair:
        """The two atoms with their residues."""
        return (self.first, self.first_atom, self.second, self.second_atom)


def _is_isopeptide(contact: Contact) -> bool:
    """Whether the amine of a lysine is bonded to the carbon of an acid, of a side chain or the end of a chain."""
    ends = {(contact.first.name, contact.first_atom.name), (contact.second.name, contact.second_atom.name)}
    is_amide = _ISOPEPTIDE_ANGSTROM[0] < contact.distance_angstrom < _ISOPEPTIDE_ANGSTROM[1]
    carbons = {(name, atom) for name, atom in ends if atom == "C" or (name, atom) in _ACID_CARBONS}
    return is_amide and ("LYS", "NZ") in ends and bool(carbons)


def bond_radius(element: str) -> float:
    """Covalent radius of an element in angstrom."""
    symbol = element.capitalize()
    return float(covalent_radius.get(symbol) or gemmi.Element(symbol).covalent_r)


def is_metal(element: str) -> bool:
    """Whether an element is a metal."""
    return bool(gemmi.Element(element).is_metal)


def close_contacts(residues: Sequence[Residue], least_angstrom: float = 0.0) -> list[Contact]:
    """All pairs of heavy atoms of different residues within bonding distance, in the order of the residues.

    `least_angstrom` is a bound for all pairs where bonding distance is less.
    """
    owners = [(residue, atom) for residue in residues for atom in residue.heavy_atoms]
    return _contacts(owners, _WIDEST_ANGSTROM, least_angstrom)


def hydrogen_contacts(residues: Sequence[Residue]) -> list[Contact]:
    """All pairs of a hydrogen and an atom of another residue within bonding distance, those with metals left out."""
    owners = [(residue, atom) for residue in residues for atom in residue.atoms if not is_metal(atom.element)]
    return [
        contact
        for contact in _contacts(owners, _WIDEST_HYDROGEN_ANGSTROM, 0.0)
        if contact.first_atom.is_hydrogen or contact.second_atom.is_hydrogen
    ]


def _contacts(
    owners: Sequence[tuple[Residue, Atom]], widest_angstrom: float, least_angstrom: float
) -> list[Contact]:
    if len(owners) < 2:
        return []
    positions = np.array([atom.position for _, atom in owners])
    pairs = cKDTree(positions).query_pairs(widest_angstrom, output_type="ndarray")
    radii = np.array([bond_radius(atom.element) for _, atom in owners])
    contacts: list[Contact] = []
    for i, j in sorted(map(tuple, np.sort(pairs, axis=1).tolist())):
        if owners[i][0] is owners[j][0]:
            continue
        distance = float(np.linalg.norm(positions[i] - positions[j]))
        bound = max(BOND_TOLERANCE * float(radii[i] + radii[j]), least_angstrom)
        if distance < bound:
            (first, first_atom), (second, second_atom) = owners[i], owners[j]
            contacts.append(Contact(first, first_atom, second, second_atom, distance, bound))
    return contacts


def is_expected(contact: Contact) -> bool:
    """Whether a contact is one of the bonds that a receptor has between residues."""
    names = frozenset({contact.first_atom.name, contact.second_atom.name})
    elements = (contact.first_atom.element, contact.second_atom.element)
    if any(is_metal(element) for element in elements):
        return contact.distance_angstrom > 1.5
    if contact.first.hetero or contact.second.hetero:
        return False
    if names in _BACKBONE_BONDS:
        return contact.distance_angstrom > 1.0
    # Refinements without the bond's restraint leave the sulfurs nearer to each other than its 2.05 Å.
    return names == {"SG"} and contact.distance_angstrom > _SHORTEST_DISULFIDE_ANGSTROM


def refuse_clashes(residues: Sequence[Residue]) -> None:
    """Raise RECEPTOR_CLASH where atoms of different residues are closer than a bond."""
    clashes = [contact for contact in close_contacts(residues) if not is_expected(contact)]
    if clashes:
        clashes.sort(key=lambda each: each.distance_angstrom / each.bound_angstrom)
        pairs = short_list((contact.label for contact in clashes), most=3)
        message = f"Atoms of different residues are closer than a bond: {pairs}."
        raise SideChainError("RECEPTOR_CLASH", message, blame([contact.pair for contact in clashes]))


def overlaps(residues: Sequence[Residue]) -> list[Contact]:
    """Pairs of atoms of residues that are no neighbours, too near for atoms that are not bonded, nearest first."""
    order = {id(residue): index for index, residue in enumerate(residues)}
    found = [
        contact
        for contact in close_contacts(residues, NEAREST_ANGSTROM)
        if not is_expected(contact)
        and (
            contact.first.chain != contact.second.chain
            or abs(order[id(contact.first)] - order[id(contact.second)]) > 1
        )
    ]
    return sorted(found, key=lambda each: each.distance_angstrom)
