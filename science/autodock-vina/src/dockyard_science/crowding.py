"""Hydrogens of our own making do not refuse a receptor: where they stand in each other, they are placed again.

pdb2pqr turns rings and hydroxyl groups for better hydrogen bonds and may put a hydrogen upon the atom of a short one. A
hydrogen that close counts as bonded in what follows. So it runs once more with those residues as they were deposited;
what still touches is left to the templates. Heavy atoms that are too near are the file's own fault: below 1.8 Å they
are refused, while salt bridges that are a little longer, which programs make, stay with the warning of close contacts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dockyard_science.contacts import Contact, hydrogen_contacts, overlaps
from dockyard_science.faults import SideChainError, blame
from dockyard_science.metals import coordinate_metals, metal_bound
from dockyard_science.protonation import Protonated, makes_state, protonate
from dockyard_science.spec import PreparationSpec
from dockyard_structures.atoms import Residue, ResidueKey
from dockyard_structures.residues import short_list

_NEAREST_ANGSTROM = 1.8


def protonate_apart(
    polymer: Sequence[Residue],
    retained: Sequence[Residue],
    preparation: PreparationSpec,
    forms: Mapping[ResidueKey, str] | None = None,
) -> Protonated:
    """Add hydrogens as `protonate` does, none of them upon an atom of another residue.

    `forms` are those of histidines that retained components decide. Raises what `protonate` raises, and
    RECEPTOR_CLASH where heavy atoms are the reason.
    """
    held = metal_bound(polymer, retained)
    protonated = protonate(polymer, preparation, held, forms)
    touching = _touching(protonated.residues, retained)
    if not touching:
        return protonated
    own = {residue.key for residue in polymer}
    crowded = {each.key for contact in touching for each in (contact.first, contact.second)} & own
    again = protonate(polymer, preparation, held | crowded, forms)
    left = _touching(again.residues, retained)
    _refuse_crowded(left, [*again.residues, *retained])
    remarks = [f"{contact.label}: both were protonated as they stand in the file." for contact in touching]
    remarks += [f"{contact.label}: hydrogens there come from templates." for contact in left]
    freed = [without_touching(residue, left) for residue in again.residues]
    return replace(again, residues=freed, remarks=[*again.remarks, *remarks])


def _touching(residues: Sequence[Residue], retained: Sequence[Residue]) -> list[Contact]:
    """Contacts of hydrogens, without hydrogens that are removed in any case because their donor binds a metal."""
    freed, _ = coordinate_metals(residues, retained)
    return hydrogen_contacts([*freed, *retained])


def _refuse_crowded(left: Sequence[Contact], residues: Sequence[Residue]) -> None:
    pairs = {frozenset({contact.first.key, contact.second.key}) for contact in left}
    near = [
        contact
        for contact in (overlaps(residues) if left else [])
        if frozenset({contact.first.key, contact.second.key}) in pairs
        and contact.distance_angstrom < _NEAREST_ANGSTROM
    ]
    if near:
        named = short_list((contact.label for contact in near), 3)
        message = f"Atoms of different residues are closer than atoms without a bond can be: {named}."
        raise SideChainError("RECEPTOR_CLASH", message, blame([contact.pair for contact in near]))


def without_touching(residue: Residue, left: Sequence[Contact]) -> Residue:
    """The residue without the hydrogens that touch; those that make its state stay, or it would be another one."""
    ends = [
        (owner, atom)
        for contact in left
        for owner, atom in ((contact.first, contact.first_atom), (contact.second, contact.second_atom))
    ]
    leaving = {
        atom.name
        for owner, atom in ends
        if owner.key == residue.key and atom.is_hydrogen and not makes_state(residue.name, atom.name)
    }
    return residue.with_atoms(atom for atom in residue.atoms if atom.name not in leaving)
