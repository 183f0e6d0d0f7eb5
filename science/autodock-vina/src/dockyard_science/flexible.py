"""Side chains that turn while a ligand is docked: which residues can have one, and where they have to stand.

Vina turns the bonds of such a side chain from CA on and keeps its atoms, like those of the ligand, within the box. So
each heavy atom beyond CA has to be inside it as the receptor is prepared: one that begins outside is driven in by a
force that has nothing to do with chemistry. What a residue is, and what its side chain is bound to, is looked at before
anything is protonated; the places of the prepared atoms for each box, whether the files were made for it or before.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dockyard_science.box import distance_to_box
from dockyard_science.components import Components
from dockyard_science.contacts import close_contacts
from dockyard_science.faults import KEPT_ATOMS
from dockyard_science.metals import metal_bound
from dockyard_science.pdbqt import active_torsions, atom_lines, is_hydrogen_line, split_residues
from dockyard_science.spec import Box, FlexibleResidue, PreparationSpec
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue, ResidueKey
from dockyard_structures.residues import AMINO_ACIDS, short_list

#: Amino acids without a bond in their side chain that turns heavy atoms.
STIFF = frozenset({"ALA", "GLY", "PRO"})

_STIFF_REASONS = {
    "GLY": "has no side chain",
    "ALA": "has no bond in its side chain that turns anything but hydrogens",
    "PRO": "has its side chain in a ring with the backbone",
}


def flexible_keys(preparation: PreparationSpec) -> list[ResidueKey]:
    """The residues whose side chains are to turn."""
    return [_key(each) for each in preparation.get("flexibleResidues", [])]


def check_flexible(components: Components, preparation: PreparationSpec, box: Box) -> None:
    """Raise RECEPTOR_RESIDUE_NOT_FOUND or RECEPTOR_RESIDUE_NOT_FLEXIBLE for residues that cannot have one."""
    wanted = preparation.get("flexibleResidues", [])
    if not wanted:
        return
    chains = {residue.key: residue for residue in components.polymer}
    _refuse_absent(wanted, components)
    named = [(each, chains[_key(each)]) for each in wanted if _key(each) in chains]
    reasons = {residue.key: _reason(each, residue) for each, residue in named}
    bound = _bound([residue for _, residue in named], components)
    faults = [
        *(f"{label} is no residue of a chain" for label in _others(wanted, components)),
        *(
            f"{residue.label} {reason}"
            for _, residue in named
            if (reason := reasons[residue.key] or bound.get(residue.key) or _outside(residue, box))
        ),
    ]
    if faults:
        raise _not_flexible(faults)


def flexible_rows(residues: Sequence[Residue], blocks: Mapping[ResidueKey, str]) -> list[dict[str, Any]]:
    """What the report says of each side chain that turns, in the order of its PDBQT: bonds and heavy atoms."""
    known = {residue.key: residue for residue in residues}
    return [
        known[key].reference()
        | {
            "torsions": active_torsions(block),
            "atoms": [line[12:16].strip() for line in _heavy_lines(block)],
        }
        for key, block in blocks.items()
    ]


def refuse_outside(rows: Sequence[Mapping[str, Any]], flexible_pdbqt: str, box: Box) -> None:
    """Raise RECEPTOR_RESIDUE_NOT_FLEXIBLE where an atom of a prepared side chain is outside the box."""
    faults = []
    for row, block in zip(rows, split_residues(flexible_pdbqt), strict=True):
        label = f"{row['chain']}:{row['residueName']} {row['residue']}{row['insertionCode']}"
        places = [
            Atom(line[12:16].strip(), "C", (float(line[30:38]), float(line[38:46]), float(line[46:54])))
            for line in _heavy_lines(block)
        ]
        if reason := _farthest(places, box):
            faults.append(f"{label} {reason}")
    if faults:
        raise _not_flexible(faults)


def _heavy_lines(block: str) -> list[str]:
    """The heavy atoms of one residue of a flexible PDBQT but for its CA, which stays where it is."""
    return [line for line in atom_lines(block)[1:] if not is_hydrogen_line(line)]


def _refuse_absent(wanted: Iterable[FlexibleResidue], components: Components) -> None:
    everything = {each.key for each in [*components.polymer, *_elsewhere(components)]}
    missing = [each for each in wanted if _key(each) not in everything]
    if missing:
        chains = short_list(dict.fromkeys(residue.chain for residue in components.polymer))
        message = (
            f"The selected chains ({chains}) have no residue {short_list(map(_place, missing))}, "
            "which flexibleResidues names."
        )
        raise ScienceError("RECEPTOR_RESIDUE_NOT_FOUND", message)


def _others(wanted: Iterable[FlexibleResidue], components: Components) -> list[str]:
    """Labels of what was named and is a ligand, a water or anything else that is of no chain."""
    chains = {residue.key for residue in components.polymer}
    others = {residue.key: residue.label for residue in _elsewhere(components)}
    return [others[_key(each)] for each in wanted if _key(each) not in chains]


def _elsewhere(components: Components) -> list[Residue]:
    return [*components.retained, *components.removed, *components.cut, *components.removed_waters]


def _reason(wanted: FlexibleResidue, residue: Residue) -> str | None:
    """Why a residue of a chain has no side chain that turns, by what it is."""
    name = wanted.get("residueName")
    if name is not None and name not in {residue.name, residue.deposited_name}:
        return f"is not the {name} that flexibleResidues names"
    if residue.linked or residue.name not in AMINO_ACIDS:
        return "is none of the standard amino acids, whose side chains alone can turn"
    return _STIFF_REASONS.get(residue.name)


def _bound(residues: Sequence[Residue], components: Components) -> dict[ResidueKey, str]:
    """Residues whose side chain is held by a bond to something else, and by what."""
    sides = [residue.with_atoms(_side_atoms(residue)) for residue in residues]
    held = dict.fromkeys(
        metal_bound(sides, components.retained), "binds a retained metal with its side chain"
    )
    for contact in close_contacts([*components.polymer, *components.retained]):
        ends = ((contact.first, contact.first_atom), (contact.second, contact.second_atom))
        for (own, atom), (other, far) in (ends, ends[::-1]):
            is_disulfide = atom.name == far.name == "SG"
            if atom.name not in KEPT_ATOMS and (is_disulfide or other.hetero):
                held.setdefault(own.key, f"is bound to {other.label} by its side chain")
    return held


def _outside(residue: Residue, box: Box) -> str | None:
    return _farthest(_side_atoms(residue), box)


def _farthest(atoms: Sequence[Atom], box: Box) -> str | None:
    """That an atom is outside the box, and how far the farthest is."""
    far = max(atoms, key=lambda atom: distance_to_box(atom.position, box), default=None)
    distance = 0.0 if far is None else distance_to_box(far.position, box)
    if far is None or distance == 0.0:
        return None
    return f"reaches out of the box: {far.name} is {max(distance, 0.01):.2f} Å outside"


def _side_atoms(residue: Residue) -> list[Atom]:
    return [atom for atom in residue.heavy_atoms if atom.name not in KEPT_ATOMS]


def _not_flexible(faults: Sequence[str]) -> ScienceError:
    message = f"Side chains cannot be flexible: {short_list(faults)}."
    return ScienceError("RECEPTOR_RESIDUE_NOT_FLEXIBLE", message)


def _key(each: FlexibleResidue) -> ResidueKey:
    return (each["chain"], each["residue"], each["insertionCode"].strip())


def _place(each: FlexibleResidue) -> str:
    chain, number, code = _key(each)
    return f"{chain}:{number}{code}"
