"""The effects of removing components: cofactors missing near the box, bonds that end nowhere."""

from collections.abc import Sequence
from typing import Any

from dockyard_science.box import distance_to_box, volume
from dockyard_science.components import Components
from dockyard_science.contacts import close_contacts, is_metal, overlaps
from dockyard_science.inspect_kinds import kind_of
from dockyard_science.spec import Box, SessionSpec
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue, ResidueKey
from dockyard_structures.residues import short_list

BOX_SCHEMA = "dockyard.docking.box/v1"

#: A ligand this near misses a removed metal, or a removed component of this number of heavy atoms.
COFACTOR_HEAVY_ATOMS = 10
COFACTOR_DISTANCE_ANGSTROM = 8.0


def nearby_removed(removed: Sequence[Residue], box: Box, spec: SessionSpec) -> list[dict[str, Any]]:
    """Removed metals and larger components near a box that nobody asked to remove, nearest first.

    The ligand that the box goes around and the native reference are meant to make room.
    """
    listed = {name.upper() for name in spec["preparation"]["removeComponents"]}
    meant = _meant_to_go(box, spec)
    found: list[dict[str, Any]] = []
    for residue in removed:
        heavy = residue.heavy_atoms
        metal = any(is_metal(atom.element) for atom in heavy)
        if residue.deposited_name.upper() in listed or residue.key in meant:
            continue
        if not heavy or not (metal or len(heavy) >= COFACTOR_HEAVY_ATOMS):
            continue
        distance = min(distance_to_box(atom.position, box) for atom in heavy)
        if distance <= COFACTOR_DISTANCE_ANGSTROM:
            row = residue.reference() | {"heavyAtoms": len(heavy), "metal": metal, "kind": kind_of(residue)}
            found.append(row | {"distanceToBoxAngstrom": round(distance, 2)})
    return sorted(found, key=lambda row: (row["distanceToBoxAngstrom"], row["chain"], row["residue"]))


def cofactor_warnings(nearby: Sequence[dict[str, Any]]) -> list[TaskWarning]:
    """One warning for each component that was removed near the box."""
    warnings: list[TaskWarning] = []
    for row in nearby:
        kind = "a metal" if row["metal"] else f"a {row['kind']} of {row['heavyAtoms']} heavy atoms"
        where = (
            f"{row['distanceToBoxAngstrom']:.1f} Å from the box"
            if row["distanceToBoxAngstrom"]
            else "in the box"
        )
        name = f"{row['chain']}:{row['residueName']} {row['residue']}{row['insertionCode']}"
        keeping = "retainComponents keeps it"
        if row["kind"] == "ligand" and not row["distanceToBoxAngstrom"]:
            keeping += ", which leaves no room where it lies"
        message = f"{name} ({kind}) was removed {where}; {keeping}."
        warnings.append({"code": "COFACTOR_REMOVED", "message": message})
    return warnings


def occupied_warnings(components: Components, box: Box, spec: SessionSpec) -> list[TaskWarning]:
    """A warning where the ligand that the box goes around, or the native reference, stays in its place."""
    meant = _meant_to_go(box, spec)
    retained = [residue.label for residue in components.retained if residue.key in meant]
    # In old files a component may have the number of a residue of the chain.
    in_chains = [
        residue for residue in components.polymer if meant.get(residue.key) == residue.deposited_name
    ]
    messages = []
    if retained:
        messages.append(
            f"{short_list(retained)} is retained, so nothing can be docked where it lies; "
            "take it from retainComponents or retainResidues."
        )
    if in_chains:
        chains = short_list(dict.fromkeys(residue.chain for residue in in_chains))
        messages.append(
            f"{short_list(residue.label for residue in in_chains)} is a residue of chain {chains}, which stays, so "
            "nothing can be docked where it lies; leave the chain out of receptorChains where it is the ligand, or the "
            "residue by removeResidues."
        )
    return [{"code": "POCKET_OCCUPIED", "message": message} for message in messages]


def broken_bond_warnings(components: Components) -> list[TaskWarning]:
    """A warning where a removed component was bonded to a residue that stays."""
    bonded: list[str] = []
    # Residues are told apart as objects: in old files a component may have the number of a residue of the chain.
    removed = {id(residue) for residue in components.removed}
    for contact in close_contacts([*components.polymer, *components.removed]):
        elements = (contact.first_atom.element, contact.second_atom.element)
        if id(contact.second) in removed and not contact.first.hetero and not any(map(is_metal, elements)):
            bonded.append(f"{contact.second.label} from {contact.first.label}")
    if not bonded:
        return []
    message = (
        f"Components were removed that were bonded to the receptor: {short_list(dict.fromkeys(bonded))}."
    )
    return [{"code": "COVALENT_COMPONENT_REMOVED", "message": message}]


def overlap_warnings(components: Components) -> list[TaskWarning]:
    """A warning where atoms of the receptor are nearer to each other than atoms without a bond can be."""
    contacts = overlaps([*components.polymer, *components.retained])
    if not contacts:
        return []
    pairs = short_list((contact.label for contact in contacts), most=3)
    message = (
        f"Atoms of different residues are very close, which pdb2pqr may resolve by moving them: {pairs}."
    )
    return [{"code": "RECEPTOR_CLOSE_CONTACT", "message": message}]


def box_report(box: Box, heavy_atoms: int, nearby: list[dict[str, Any]]) -> dict[str, Any]:
    """The box as it stands in box.json."""
    return {
        "schema": BOX_SCHEMA,
        **box,
        "volumeAngstrom3": round(volume(box), 3),
        "receptorHeavyAtoms": heavy_atoms,
        "removedNearby": nearby,
    }


def _meant_to_go(box: Box, spec: SessionSpec) -> dict[ResidueKey, str]:
    """The ligand that the box goes around and the native reference, with their names."""
    ligand, native = box["derivation"].get("ligand"), spec["nativeReference"]
    meant = []
    if ligand is not None:
        meant.append((ligand, ligand["residueName"]))
    if native is not None:
        meant.append((native, native["componentId"]))
    return {(each["chain"], each["residue"], each["insertionCode"].strip()): name for each, name in meant}
