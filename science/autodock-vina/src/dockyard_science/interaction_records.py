"""From what ProLIF finds to what a result says: one contact where many pairs tell the same, in a fixed order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rdkit import Chem

from dockyard_science.interaction_types import TYPES, Kind
from dockyard_science.pdbqt import Coordinates
from dockyard_science.pocket_molecule import Place, Pocket
from dockyard_science.water_bridges import Bridge

#: An interaction as it stands in result.json.
Record = dict[str, Any]

#: The most that a mode has; of more, which no ligand has been seen with, those stay that come first.
MOST_RECORDS = 40
#: Beyond so many modes each has fewer, because the control side reads results of a bounded size.
MANY_MODES, MOST_OF_MANY = 60, 24

_TERMINAL = frozenset({"O", "S"})


@dataclass(frozen=True)
class Contact:
    """What ProLIF found: the indices of the atoms on both sides, distance in angstrom and angle in degrees."""

    kind: Kind
    residue: int
    ligand: tuple[int, ...]
    receptor: tuple[int, ...]
    distance: float
    angle: float | None


def best_contacts(contacts: Iterable[Contact], ligand: Chem.Mol, pocket: Pocket) -> list[Contact]:
    """Of contacts that tell the same the nearest one; of two hydrogens of one donor the straighter one."""
    best: dict[tuple[Any, ...], Contact] = {}
    for contact in contacts:
        key = (contact.kind.type, contact.kind.ligand_role, contact.residue, *_same(contact, ligand, pocket))
        before = best.get(key)
        if before is None or _rank(contact) < _rank(before):
            best[key] = contact
    return list(best.values())


def records(
    contacts: Sequence[Contact],
    bridges: Sequence[Bridge],
    pocket: Pocket,
    ligand: Coordinates,
    receptor: Coordinates,
    *,
    modes: int,
) -> list[Record]:
    """The interactions of one of so many modes: by type, then by residue and atoms."""
    found = [_record(contact, pocket, ligand, receptor) for contact in contacts]
    found += [_bridge_record(bridge, pocket) for bridge in bridges]
    return sorted(found, key=_order)[: MOST_RECORDS if modes <= MANY_MODES else MOST_OF_MANY]


def _rank(contact: Contact) -> tuple[Any, ...]:
    straightness = 0.0 if contact.angle is None else -contact.angle
    return (round(contact.distance, 3), straightness, contact.ligand, contact.receptor)


def _same(contact: Contact, ligand: Chem.Mol, pocket: Pocket) -> tuple[Any, ...]:
    """What two contacts of one type with one residue share that are one for a reader."""
    first, other = contact.ligand, contact.receptor
    match contact.kind.one_per:
        case "atoms":
            return (first[0], other[0])
        case "rings":
            return (frozenset(first), frozenset(other))
        case "groups":
            return (_group(ligand, first), _group(pocket.mol, other))
        case "ligand_atom":
            return (first[contact.kind.ligand - 1 if contact.kind.ligand else 0],)
        case "residue":
            return ()


def _group(mol: Chem.Mol, match: tuple[int, ...]) -> Any:
    """A ring by its atoms; a charged atom by the atom that shares its charge out, as the carbon of a carboxylate."""
    if len(match) > 1:
        return frozenset(match)
    atom = mol.GetAtomWithIdx(match[0])
    heavy = [near for near in atom.GetNeighbors() if near.GetAtomicNum() > 1]
    if atom.GetSymbol() in _TERMINAL and len(heavy) == 1:
        return heavy[0].GetIdx()
    shared = [
        near.GetIdx() for near in heavy if atom.GetSymbol() == "N" and _has_double_bonded_nitrogen(near)
    ]
    return min(shared, default=match[0])


def _has_double_bonded_nitrogen(atom: Chem.Atom) -> bool:
    return any(
        bond.GetBondType() == Chem.BondType.DOUBLE and bond.GetOtherAtom(atom).GetSymbol() == "N"
        for bond in atom.GetBonds()
    )


def _record(contact: Contact, pocket: Pocket, ligand: Coordinates, receptor: Coordinates) -> Record:
    kind = contact.kind
    told = contact.ligand[: kind.ligand]
    if kind.receptor is None:
        center = ligand[list(told)].mean(axis=0)
        ring = list(contact.receptor)
        atom = ring[int(np.linalg.norm(receptor[ring] - center, axis=1).argmin())]
    else:
        atom = contact.receptor[kind.receptor]
    role = {} if kind.ligand_role is None else {"ligandRole": kind.ligand_role}
    return {
        "type": kind.type,
        **role,
        "receptor": _reference(pocket.residues[contact.residue]) | {"atom": pocket.names[atom]},
        "ligandAtoms": list(told),
        "distanceAngstrom": _angstrom(contact.distance),
        "angleDegrees": _degrees(contact.angle, is_plane=kind.is_plane),
    }


def _bridge_record(bridge: Bridge, pocket: Pocket) -> Record:
    """The distance is the ligand's to the water; the water's to the receptor stands with the water."""
    water = _reference(pocket.residues[bridge.water])
    return {
        "type": "water_bridge",
        "receptor": _reference(pocket.residues[bridge.residue])
        | {"atom": pocket.names[bridge.receptor_atom]},
        "water": water | {"distanceAngstrom": _angstrom(bridge.to_receptor)},
        "ligandAtoms": [bridge.ligand_atom],
        "distanceAngstrom": _angstrom(bridge.to_ligand),
        "angleDegrees": None,
    }


def _reference(place: Place) -> Record:
    return {
        "chain": place.chain,
        "residue": place.residue,
        "insertionCode": place.insertion_code,
        "residueName": place.residue_name,
    }


def _order(record: Record) -> tuple[Any, ...]:
    place = record["receptor"]
    water = record.get("water", {})
    return (
        TYPES.index(record["type"]),
        *(place[name] for name in ("chain", "residue", "insertionCode", "residueName", "atom")),
        record["ligandAtoms"],
        record.get("ligandRole", ""),
        *(water.get(name, "") for name in ("chain", "insertionCode")),
        water.get("residue", 0),
    )


def _angstrom(value: float) -> float:
    return round(value, 3) + 0.0


def _degrees(angle: float | None, *, is_plane: bool) -> float | None:
    """An angle with one decimal; planes have no sides, so theirs is at most 90 degrees."""
    if angle is None:
        return None
    turned = angle % 180.0 if is_plane else angle
    return round(min(turned, 180.0 - turned) if is_plane else turned, 1) + 0.0
