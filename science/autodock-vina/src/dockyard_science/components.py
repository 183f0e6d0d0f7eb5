"""What a receptor is made of, and what of it stays: chains, retained components, and what is removed.

Residues of chains always stay. Anything else is removed unless it is retained by name, waters and ligands
included; whatever goes is reported. Selenomethionine becomes methionine. Caps and other modified residues stay in
their chain as they are; whether they can be prepared is for their templates to say.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import gemmi

from dockyard_science.linked import linked_residue
from dockyard_science.places import absent_warnings, places_of
from dockyard_science.spec import PreparationSpec
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Atom, Residue, ResidueKey, residue_of
from dockyard_structures.residues import AMINO_ACIDS, LINK_ANGSTROM, STATE_NAMES, is_polymer_name, is_water
from dockyard_structures.selection import SAME_NUMBERS

# The longest name of a residue in PDB and PDBQT.
_NAME_LENGTH = 3


@dataclass
class Components:
    """The parts of a receptor, each in the order of the file.

    `cut` are residues of chains that were removed by place; reports only count removed waters.
    """

    polymer: list[Residue] = field(default_factory=list)
    retained: list[Residue] = field(default_factory=list)
    removed: list[Residue] = field(default_factory=list)
    cut: list[Residue] = field(default_factory=list)
    removed_waters: list[Residue] = field(default_factory=list)
    renames: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[TaskWarning] = field(default_factory=list)


def split_components(
    model: gemmi.Model, preparation: PreparationSpec, waters: Set[ResidueKey] = frozenset()
) -> Components:
    """Split a selected model by what happens to its residues; `waters` are those to retain beside the named ones.

    Raises RECEPTOR_EMPTY where no chain is left, RECEPTOR_UNREADABLE where two residues have one number and
    RECEPTOR_RESIDUE_NOT_FOUND.
    """
    retain = {name.upper() for name in preparation["retainComponents"]}
    remove = {name.upper() for name in preparation["removeComponents"]}
    places = places_of(model, preparation, waters)
    parts = Components()
    for chain in model:
        for residue, linked in _with_links(chain):
            is_kept = places.retains(chain.name, residue)
            if places.removes(chain.name, residue):
                _remove_by_place(parts, residue_of(chain.name, residue), linked)
            elif _is_chain_residue(residue, linked):
                _keep_in_chain(parts, chain.name, residue)
            elif residue.name.upper() in remove and not is_kept:
                _remove(parts, residue_of(chain.name, residue))
            elif _is_modified(residue, linked):
                _keep_linked(parts, linked_residue(chain.name, residue))
            elif is_kept or residue.name.upper() in retain:
                parts.retained.append(residue_of(chain.name, residue))
            else:
                _remove(parts, residue_of(chain.name, residue))
    if all(residue.linked for residue in parts.polymer):
        raise ScienceError("RECEPTOR_EMPTY", "The selected chains hold no protein or nucleic acid.")
    _refuse_shared_numbers(parts.polymer)
    gone = {residue.key for residue in [*parts.cut, *parts.removed, *parts.removed_waters]}
    parts.warnings += absent_warnings(places, parts.polymer, gone)
    _renumber(parts)
    _shorten_names(parts)
    _warn_of_absent(parts, retain, remove)
    return parts


def _refuse_shared_numbers(polymer: list[Residue]) -> None:
    owners: dict[ResidueKey, Residue] = {}
    for residue in polymer:
        first = owners.setdefault(residue.key, residue)
        if first is not residue:
            message = f"{first.label} and {residue.label} have the same chain and number. {SAME_NUMBERS}"
            raise ScienceError("RECEPTOR_UNREADABLE", message)


def _renumber(parts: Components) -> None:
    """Give a retained component a number of its own, because in old files two residues may share a number."""
    taken = {residue.key for residue in parts.polymer}
    for residue in parts.retained:
        if residue.key in taken:
            free = next(n for n in range(9999, 0, -1) if (residue.chain, n, "") not in taken)
            parts.renames.append(residue.reference() | {"toResidue": free})
            residue.number, residue.insertion_code = free, ""
        taken.add(residue.key)


def _shorten_names(parts: Components) -> None:
    """Give ids that PDB and PDBQT have no room for a name of two digits, which the dictionary keeps free for that."""
    long = [residue for residue in [*parts.polymer, *parts.retained] if len(residue.name) > _NAME_LENGTH]
    names = {residue.name: "" for residue in long}
    names = {name: f"{index:02d}" for index, name in enumerate(names, start=1)}
    for residue in long:
        residue.component, residue.name = residue.name, names[residue.name]
        parts.renames.append(residue.reference() | {"to": residue.name})


def _with_links(chain: gemmi.Chain) -> Iterator[tuple[gemmi.Residue, bool]]:
    """Each residue, with whether it is bonded to its neighbour in the chain."""
    residues = list(chain)
    joints = [_are_linked(first, second) for first, second in pairwise(residues)]
    for index, residue in enumerate(residues):
        before = index > 0 and joints[index - 1]
        after = index < len(joints) and joints[index]
        yield residue, before or after


def _are_linked(first: gemmi.Residue, second: gemmi.Residue) -> bool:
    for end, start in (("C", "N"), ("O3'", "P")):
        one, other = first.find_atom(end, "*"), second.find_atom(start, "*")
        if one and other and one.pos.dist(other.pos) < LINK_ANGSTROM:
            return True
    return False


def _is_chain_residue(residue: gemmi.Residue, linked: bool) -> bool:
    name = STATE_NAMES.get(residue.name, residue.name)
    if not (is_polymer_name(name) or (name == "MSE" and linked)):
        return False
    if name in AMINO_ACIDS and residue.find_atom("P", "*"):
        # In the dictionary HIP is a phosphohistidine; in files of programs HIP is a histidine with both hydrogens.
        return False
    return linked or residue.het_flag != "H"


def _is_modified(residue: gemmi.Residue, linked: bool) -> bool:
    if is_water(residue.name):
        return False
    in_chain = residue.entity_type == gemmi.EntityType.Polymer
    return linked or (in_chain and (bool(residue.find_atom("CA", "*")) or _is_nucleotide(residue)))


def _is_nucleotide(residue: gemmi.Residue) -> bool:
    """Whether a residue may belong to a strand; cofactors that begin with a phosphate, as FAD and FMN, do not."""
    is_known_otherwise = gemmi.find_tabulated_residue(residue.name).kind == gemmi.ResidueKind.ELS
    return bool(residue.find_atom("P", "*")) and not is_known_otherwise


def _keep_linked(parts: Components, kept: Residue) -> None:
    if kept.name != kept.deposited_name:
        parts.renames.append(kept.reference() | {"to": kept.name})
    parts.polymer.append(kept)


def _keep_in_chain(parts: Components, chain: str, residue: gemmi.Residue) -> None:
    name = "MET" if residue.name == "MSE" else STATE_NAMES.get(residue.name, residue.name)
    kept = residue_of(chain, residue, name)
    kept.hetero = False
    if name in AMINO_ACIDS:
        kept.atoms = [_with_own_element(atom, name) for atom in kept.atoms]
    if residue.name == "MSE":
        kept.atoms = [_sulfur(atom) if atom.element.upper() == "SE" else atom for atom in kept.atoms]
    if name != residue.name:
        parts.renames.append(kept.reference() | {"to": name})
    parts.polymer.append(kept)


def _with_own_element(atom: Atom, residue: str) -> Atom:
    """The element that an atom of a standard residue has by its name: files take CA for calcium, or know none."""
    known = atom.name in AMINO_ACIDS[residue] or atom.name == "OXT"
    return Atom(atom.name, atom.name[0], atom.position) if known else atom


def _sulfur(atom: Atom) -> Atom:
    return Atom("SD", "S", atom.position)


def _remove_by_place(parts: Components, residue: Residue, linked: bool) -> None:
    """Remove what a place names; a part of a chain leaves a gap, and is no component that anybody could miss."""
    if linked or (is_polymer_name(STATE_NAMES.get(residue.name, residue.name)) and not residue.hetero):
        parts.cut.append(residue)
    else:
        _remove(parts, residue)


def _remove(parts: Components, residue: Residue) -> None:
    if is_water(residue.name):
        parts.removed_waters.append(residue)
    else:
        parts.removed.append(residue)


def _warn_of_absent(parts: Components, retain: set[str], remove: set[str]) -> None:
    kept = {residue.deposited_name.upper() for residue in parts.retained}
    for name in sorted(retain - kept):
        in_chain = any(residue.deposited_name.upper() == name for residue in parts.polymer)
        why = "it is part of a chain, which stays anyway" if in_chain else "the selection does not have it"
        parts.warnings.append({"code": "COMPONENT_NOT_FOUND", "message": f"{name} is to be retained: {why}."})
    for name in sorted(remove & {residue.deposited_name.upper() for residue in parts.polymer}):
        message = f"{name} is to be removed, but it is part of a chain and stays."
        parts.warnings.append({"code": "COMPONENT_NOT_FOUND", "message": message})
