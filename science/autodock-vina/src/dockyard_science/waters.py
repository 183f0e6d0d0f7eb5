"""Waters that stay: those near the box or a ligand, where their hydrogens point, and what to know of them.

Crystals show a water's oxygen only. Its hydrogens are turned through a fixed set of orientations, water by water in the
order of the file, and the one stays that makes the best hydrogen bonds with what stands around: towards acceptors, away
from hydrogens and metals. Three rounds let the waters follow each other. The same receptor gives the same places.
"""

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import gemmi
import numpy as np
from scipy.spatial import cKDTree

from dockyard_science.box import distance_to_box, find_ligand
from dockyard_science.components import Components
from dockyard_science.contacts import NEAREST_ANGSTROM, is_metal
from dockyard_science.hbonds import REACH_ANGSTROM, Vector, find_partners
from dockyard_science.native import find_native
from dockyard_science.places import place_of
from dockyard_science.spec import Box, PreparationSpec, SessionSpec
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Atom, Residue, ResidueKey, residue_of
from dockyard_structures.residues import is_polymer_name, is_water, short_list

#: The dictionary's name for water, whatever name a file uses.
WATER = "HOH"

#: A nitrogen or oxygen this near to a water holds the water by a hydrogen bond.
BRIDGE_ANGSTROM = 3.5

_OH_ANGSTROM = 0.9572
_ANGLE = math.radians(104.52)
_DIRECTIONS = 96
_TURNS = 24
_ROUNDS = 3
# Hydrogens of different atoms keep this distance; a nearer hydrogen counts against an orientation.
_HYDROGENS_ANGSTROM = 2.0
_METAL_ANGSTROM = 2.6


def waters_within(
    model: gemmi.Model, preparation: PreparationSpec, box: Box, ligand: Residue | None
) -> Set[ResidueKey]:
    """The waters that `retainWatersWithin` keeps: near the box, or near the heavy atoms of the ligand.

    One that stands upon an atom of the receptor, or upon an earlier water, stays out: both are there half of the time.
    Raises POCKET_LIGAND_NOT_FOUND where a ligand is meant and there is none.
    """
    rule = preparation.get("retainWatersWithin")
    if rule is None:
        return frozenset()
    if rule["of"] == "ligand" and ligand is None:
        message = "retainWatersWithin asks for waters at the ligand, and no ligand of the file is named."
        raise ScienceError("POCKET_LIGAND_NOT_FOUND", message)
    own = [atom.position for atom in ligand.heavy_atoms] if ligand else []
    solid = _solid(model, preparation)
    found: set[ResidueKey] = set()
    for chain in model:
        for residue in chain:
            oxygen = _oxygen(residue)
            if oxygen is None:
                continue
            if rule["of"] == "box":
                distance = distance_to_box(oxygen, box)
            else:
                distance = min(math.dist(oxygen, place) for place in own)
            if distance <= rule["angstrom"] and all(
                math.dist(oxygen, each) >= NEAREST_ANGSTROM for each in solid
            ):
                found.add(place_of(chain.name, residue))
                solid.append(oxygen)
    return frozenset(found)


def named_as_water(residue: Residue) -> Residue:
    """A retained water under the name and with the oxygen that templates know; any other residue as it is."""
    heavy = residue.heavy_atoms
    if not is_water(residue.name) or len(heavy) != 1 or heavy[0].element != "O":
        return residue
    return replace(residue, name=WATER, hetero=True, atoms=[replace(heavy[0], name="O")])


def turn_waters(retained: Sequence[Residue], surroundings: Sequence[Residue]) -> list[Residue]:
    """The retained residues, each water with two hydrogens; `surroundings` are all others with theirs."""
    waters = [each for each in retained if each.name == WATER]
    if not waters:
        return list(retained)
    places = np.array([each.heavy_atoms[0].position for each in waters])
    beside = cKDTree(places).query_ball_point(places, 2 * REACH_ANGSTROM)
    fixed = _Field.of(surroundings)
    fields = [fixed.near(place) for place in places]
    for _ in range(_ROUNDS):
        for index, close in enumerate(beside):
            others = [waters[other] for other in sorted(close) if other != index]
            field = fields[index].joined(_Field.of(others).near(places[index]))
            waters[index] = _turned(waters[index], field)
    turned = iter(waters)
    return [next(turned) if each.name == WATER else each for each in retained]


def named_ligand(model: gemmi.Model, spec: SessionSpec) -> Residue | None:
    """The ligand of the file that a job is about: that of the box, or the native reference."""
    if spec["box"]["ligand"] is not None:
        return find_ligand(model, spec["box"]["ligand"])
    return find_native(model, spec["nativeReference"]) if spec["nativeReference"] is not None else None


def water_warnings(components: Components, box: Box, ligand: Residue | None) -> list[TaskWarning]:
    """What to know of waters in the box: those that stay in the way, those that held the ligand and were removed."""
    inside = [each.label for each in components.retained if is_water(each.name) and _is_inside(each, box)]
    warnings: list[TaskWarning] = []
    if inside:
        message = f"Retained waters stand in the box, where no ligand can take their place: {short_list(inside, 4)}."
        warnings.append({"code": "WATER_IN_BOX", "message": message})
    bridges = _bridges(components, box, ligand) if ligand is not None else []
    if ligand is not None and bridges:
        message = (
            f"Waters that were removed from the box held {ligand.label} to the receptor by hydrogen bonds: "
            f"{short_list(bridges, 4)}. retainResidues or retainWatersWithin keeps them."
        )
        warnings.append({"code": "WATER_IN_BOX", "message": message})
    return warnings


def _bridges(components: Components, box: Box, ligand: Residue) -> list[str]:
    """The removed waters in the box that are within a hydrogen bond of the ligand and of what stays."""
    held = [atom.position for atom in ligand.heavy_atoms if atom.element in {"N", "O"}]
    staying = [
        atom.position
        for residue in [*components.polymer, *components.retained]
        if residue.key != ligand.key
        for atom in residue.heavy_atoms
        if atom.element in {"N", "O"}
    ]
    found: list[str] = []
    for water in components.removed_waters:
        for atom in water.heavy_atoms[:1]:
            to_ligand = sum(math.dist(atom.position, place) <= BRIDGE_ANGSTROM for place in held)
            if not to_ligand or distance_to_box(atom.position, box) > 0:
                continue
            if sum(math.dist(atom.position, place) <= BRIDGE_ANGSTROM for place in staying):
                found.append(water.label)
    return found


def _is_inside(water: Residue, box: Box) -> bool:
    return any(distance_to_box(atom.position, box) == 0 for atom in water.heavy_atoms)


def _oxygen(residue: gemmi.Residue) -> tuple[float, float, float] | None:
    if not is_water(residue.name):
        return None
    heavy = residue_of("", residue).heavy_atoms
    return heavy[0].position if len(heavy) == 1 and heavy[0].element == "O" else None


def _solid(model: gemmi.Model, preparation: PreparationSpec) -> list[tuple[float, float, float]]:
    """Places of what stays beside waters, but for metals, which hold waters as near as that."""
    names = {name.upper() for name in preparation["retainComponents"]}
    places = {(each["chain"], each["residue"]) for each in preparation.get("retainResidues", [])}
    return [
        (atom.pos.x, atom.pos.y, atom.pos.z)
        for chain in model
        for residue in chain
        if not is_water(residue.name)
        and (
            is_polymer_name(residue.name)
            or residue.name.upper() in names
            or (chain.name, residue.seqid.num) in places
        )
        for atom in residue
        if not atom.element.is_metal
    ]


@dataclass(frozen=True)
class _Field:
    """The surroundings that turn a water: places of acceptors, of hydrogens and of metals, each N x 3 in angstrom."""

    acceptors: Vector
    hydrogens: Vector
    metals: Vector

    @staticmethod
    def of(residues: Sequence[Residue]) -> "_Field":
        """The field of residues with their hydrogens."""
        atoms = [atom for residue in residues for atom in residue.atoms]
        return _Field(
            _array([each.atom.position for each in find_partners(residues) if each.takes]),
            _array([atom.position for atom in atoms if atom.is_hydrogen]),
            _array([atom.position for atom in atoms if is_metal(atom.element)]),
        )

    def near(self, place: Vector) -> "_Field":
        """The part of the field that is near enough to a place to turn a water there."""
        return _Field(*(_near(each, place) for each in (self.acceptors, self.hydrogens, self.metals)))

    def joined(self, other: "_Field") -> "_Field":
        """Two fields together."""
        pairs = zip(_parts(self), _parts(other), strict=True)
        return _Field(*(np.vstack(pair) for pair in pairs))


def _turned(water: Residue, field: _Field) -> Residue:
    """The water with its hydrogens in the best of the orientations."""
    (oxygen,) = water.heavy_atoms
    place = np.array(oxygen.position)
    paths = field.acceptors - place
    towards = paths / np.linalg.norm(paths, axis=1)[:, None]
    pairs = np.concatenate([_orientations(towards), _EVERYWHERE])
    weights = _weights(place, pairs[:, 0], field) + _weights(place, pairs[:, 1], field)
    best = pairs[int(np.argmax(np.round(weights, 6)))]
    hydrogens = [
        Atom(f"H{number}", "H", _rounded(place + _OH_ANGSTROM * direction))
        for number, direction in enumerate(best, start=1)
    ]
    return water.with_atoms([oxygen, *hydrogens])


def _weights(place: Vector, directions: Vector, field: _Field) -> Vector:
    """How good a hydrogen along each direction is: the share of the best acceptor, less what is in the way."""
    ends = place + _OH_ANGSTROM * directions
    total = np.zeros(len(directions))
    if len(field.acceptors):
        paths = field.acceptors - place
        distances = np.linalg.norm(paths, axis=1)
        reach = np.clip((REACH_ANGSTROM - distances) / (REACH_ANGSTROM - 3.0), 0.0, 1.0)
        cosines = np.clip(directions @ (paths / distances[:, None]).T, 0.0, 1.0)
        total += (cosines**2 * reach).max(axis=1)
    for places, bound in ((field.hydrogens, _HYDROGENS_ANGSTROM), (field.metals, _METAL_ANGSTROM)):
        if len(places):
            gaps = np.linalg.norm(ends[:, None] - places[None], axis=2)
            total -= np.clip(bound - gaps, 0.0, None).sum(axis=1)
    return total


def _orientations(firsts: Vector) -> Vector:
    """The directions of both hydrogens, N x 2 x 3: the first is one of those given, the second goes around it."""
    axes = np.eye(3)[np.argmin(np.abs(firsts), axis=1)]
    sides = np.cross(firsts, axes)
    sides /= np.linalg.norm(sides, axis=1)[:, None]
    ups = np.cross(firsts, sides)
    pairs = [
        np.stack([firsts, math.cos(_ANGLE) * firsts + math.sin(_ANGLE) * around], axis=1)
        for around in (
            math.cos(angle) * sides + math.sin(angle) * ups
            for angle in (2 * math.pi * turn / _TURNS for turn in range(_TURNS))
        )
    ]
    return np.concatenate(pairs)


def _sphere() -> Vector:
    """Directions spread evenly over a sphere, N x 3."""
    golden = math.pi * (3 - math.sqrt(5))
    heights = [1 - 2 * (index + 0.5) / _DIRECTIONS for index in range(_DIRECTIONS)]
    return np.array(
        [
            (math.sqrt(1 - z * z) * math.cos(golden * i), math.sqrt(1 - z * z) * math.sin(golden * i), z)
            for i, z in enumerate(heights)
        ]
    )


_EVERYWHERE = _orientations(_sphere())


def _parts(field: _Field) -> tuple[Vector, Vector, Vector]:
    return field.acceptors, field.hydrogens, field.metals


def _near(places: Vector, place: Vector) -> Vector:
    return places[np.linalg.norm(places - place, axis=1) < REACH_ANGSTROM] if len(places) else places


def _array(places: Sequence[tuple[float, float, float]]) -> Vector:
    return np.array(places, dtype=np.float64).reshape(-1, 3)


def _rounded(place: Vector) -> tuple[float, float, float]:
    x, y, z = (round(float(value), 3) for value in place)
    return (x, y, z)
