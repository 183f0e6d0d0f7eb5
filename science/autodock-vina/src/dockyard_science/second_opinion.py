"""What the other scoring function says of the poses: Vinardo of those that Vina found, Vina of those of Vinardo.

The scores are those of the binding's `score`, whose tables for each pair of its atoms take as long as a tenth of
a docking. Here is what it answers without them: the sum over pairs of ligand and receptor, from a table over types and
squares of distances, divided for the bonds that turn. A test compares the two.
"""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from dockyard_science.pdbqt import HYDROGENS, Coordinates, atom_lines, coordinates, split_models
from dockyard_science.poses import DockedPoses

#: The function that gives its opinion, by the one that has docked.
OTHER_FUNCTION = {"vina": "vinardo", "vinardo": "vina"}

_Types = npt.NDArray[np.int64]

_CUTOFF, _FACTOR = 8.0, 32
_ALLOWANCE = 1.1
_ROTOR_WEIGHT = 0.05846
# A positive energy of an atom is bent so that it stays below this.
_STEEPEST = 1000.0

# AutoDock's types by element as Vina tells them apart, with covalent radii; other types are metals.
_ELEMENTS = {
    "A": "C", "NA": "N", "NS": "N", "OA": "O", "OS": "O", "SA": "S", "H": "H", "HD": "H", "HS": "H",
    "C": "C", "N": "N", "O": "O", "S": "S", "P": "P", "F": "F", "CL": "Cl", "BR": "Br", "I": "I", "SI": "Si",
}  # fmt: skip
_COVALENT = {
    "C": 0.77, "N": 0.75, "O": 0.73, "P": 1.06, "S": 1.02, "H": 0.37, "F": 0.71, "I": 1.33, "Cl": 0.99, "Br": 1.14,
    "Si": 1.11, "MG": 1.30, "MN": 1.39, "ZN": 1.31, "CA": 1.74, "FE": 1.25,
}  # fmt: skip
_METAL_RADIUS = 1.75
_ACCEPTORS = frozenset({"NA", "OA"})

# Radius in Vina and in Vinardo by kind: a carbon is hydrophobic (C_H) or not (C_P).
_RADII = {
    "C_H": (1.9, 2.0), "C_P": (1.9, 2.0), "N": (1.8, 1.7), "O": (1.7, 1.6), "S": (2.0, 2.0), "P": (2.1, 2.1),
    "F": (1.5, 1.5), "Cl": (1.8, 1.8), "Br": (2.0, 2.0), "I": (2.2, 2.2), "Si": (2.2, 2.2), "Met": (1.2, 1.2),
}  # fmt: skip
_KINDS = list(_RADII)
_HYDROPHOBIC = frozenset({"C_H", "F", "Cl", "Br", "I"})
# A type is its kind, and whether it accepts (1) or gives (2) hydrogen bonds.
_ROLES = 4


@dataclass(frozen=True)
class Opinion:
    """What the other function says: its name and its score of each mode, in kcal/mol."""

    function: str
    scores: list[float]

    def ranks(self) -> list[int]:
        """The place of each mode by these scores, from 1; of equal ones the earlier mode comes first."""
        order = sorted(range(len(self.scores)), key=lambda mode: self.scores[mode])
        return [order.index(mode) + 1 for mode in range(len(order))]

    def record(self) -> dict[str, Any]:
        """What the result says of the ligand as a whole; each pose has its own score and rank."""
        return {
            "scoringFunction": self.function,
            "affinityKcalMol": self.scores[0],
            "rankOfMode1": self.ranks()[0],
            "bestAffinityKcalMol": min(self.scores),
        }

    def warnings(self) -> list[dict[str, str]]:
        """Whether the other function puts the best pose far behind."""
        behind = self.scores[0] - min(self.scores)
        if self.ranks()[0] <= max(2, (len(self.scores) + 1) // 2) or behind < _DISPUTED_KCAL_MOL:
            return []
        best = self.ranks().index(1) + 1
        message = (
            f"By {self.function.capitalize()} mode 1 is number {self.ranks()[0]} of {len(self.scores)}, "
            f"{behind:.1f} kcal/mol behind mode {best}: look at both."
        )
        return [{"code": "POSE_DISPUTED", "message": message}]


# So much Vina's own scores of a pose differ between two searches.
_DISPUTED_KCAL_MOL = 0.5


class SecondOpinion:
    """Scores poses of a receptor by another function."""

    def __init__(self, docked_by: str, receptor_pdbqt: str) -> None:
        """Read the receptor; some tenths of a second."""
        self.function = OTHER_FUNCTION[docked_by]
        places, types = _heavy_atoms(receptor_pdbqt)
        self._types = types
        self._places = places
        self._tree = cKDTree(places)
        self._table = _table(self.function)

    def of(self, docked: DockedPoses) -> Opinion:
        """The scores of all modes; nothing turns in the receptor."""
        models = split_models(docked.pdbqt)
        _, types = _heavy_atoms(models[0])
        divisor = 1 + _ROTOR_WEIGHT * _rotors(models[0])
        scores = [self._between(_heavy_places(model), types) / divisor for model in models]
        return Opinion(self.function, [round(score, 3) + 0.0 for score in scores])

    def _between(self, places: Coordinates, types: _Types) -> float:
        near = self._tree.query_ball_point(places, _CUTOFF)
        atoms = np.repeat(np.arange(len(places)), [len(each) for each in near])
        others = np.concatenate([np.asarray(each, dtype=np.int64) for each in near])
        squares = ((places[atoms] - self._places[others]) ** 2).sum(axis=1)
        is_near = squares < _CUTOFF**2
        atoms, others, squares = atoms[is_near], others[is_near], squares[is_near]
        energies = self._table[types[atoms], self._types[others], (squares * _FACTOR).astype(np.int64)]
        sums = np.bincount(atoms, energies, minlength=len(places))
        return float(np.where(sums > 0, sums * _STEEPEST / (_STEEPEST + sums), sums).sum())


def _ad_types(pdbqt: str) -> list[str]:
    return [line[77:79].strip().upper() for line in atom_lines(pdbqt)]


def _heavy_places(pdbqt: str) -> Coordinates:
    is_heavy = np.array([kind not in HYDROGENS for kind in _ad_types(pdbqt)])
    return coordinates(pdbqt)[is_heavy]


def _heavy_atoms(pdbqt: str) -> tuple[Coordinates, _Types]:
    """The places and types of all atoms but hydrogens."""
    ad_types = _ad_types(pdbqt)
    places = coordinates(pdbqt)
    neighbours = _neighbours(places, ad_types)
    heavy = [atom for atom, kind in enumerate(ad_types) if kind not in HYDROGENS]
    types = [_type(ad_types[atom], [ad_types[near] for near in neighbours[atom]]) for atom in heavy]
    return places[heavy], np.array(types, dtype=np.int64)


def _type(ad_type: str, neighbours: list[str]) -> int:
    element = _ELEMENTS.get(ad_type, "Met")
    if element == "C":
        is_polar = any(_ELEMENTS.get(near, "Met") not in {"C", "H"} for near in neighbours)
        return _KINDS.index("C_P" if is_polar else "C_H") * _ROLES
    accepts = ad_type in _ACCEPTORS
    gives = element == "Met" or (element in {"N", "O"} and "HD" in neighbours)
    return _KINDS.index(element) * _ROLES + accepts + 2 * gives


def _neighbours(places: Coordinates, ad_types: list[str]) -> list[list[int]]:
    """The atoms bonded to each, by distance, as Vina finds them."""
    radii = np.array([
        _COVALENT.get(_ELEMENTS.get(kind, kind), _METAL_RADIUS) * _ALLOWANCE for kind in ad_types
    ])  # fmt: skip
    pairs = cKDTree(places).query_pairs(2 * float(radii.max()), output_type="ndarray")
    lengths = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    bonded = pairs[lengths < radii[pairs[:, 0]] + radii[pairs[:, 1]]]
    found: list[list[int]] = [[] for _ in ad_types]
    for one, other in bonded.tolist():
        found[one].append(other)
        found[other].append(one)
    return found


def _rotors(pdbqt: str) -> float:
    """How many bonds turn, as Vina counts them: a half for each end whose other end has more than one heavy atom."""
    lines = atom_lines(pdbqt)
    ad_types = _ad_types(pdbqt)
    neighbours = _neighbours(coordinates(pdbqt), ad_types)
    heavy = [sum(ad_types[near] not in HYDROGENS for near in each) for each in neighbours]
    place = {int(line[6:11]): atom for atom, line in enumerate(lines)}
    ends = [line.split()[1:3] for line in pdbqt.splitlines() if line.startswith("BRANCH")]
    return sum(0.5 * (heavy[place[int(end)]] > 1) for pair in ends for end in pair)


@functools.cache
def _table(function: str) -> npt.NDArray[np.float64]:
    """Energies over both types and 32 times the square of the distance, as Vina's own tables have them."""
    edges = np.sqrt(np.arange(int(_FACTOR * _CUTOFF**2) + 2) / _FACTOR)
    count = len(_KINDS) * _ROLES
    table = np.empty((count, count, len(edges) - 1))
    for one in range(count):
        for other in range(one, count):
            energies = _energy(function, one, other, edges)
            table[one, other] = table[other, one] = (energies[:-1] + energies[1:]) / 2
    return table


def _energy(function: str, one: int, other: int, lengths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    kinds = [_KINDS[each // _ROLES] for each in (one, other)]
    gap = lengths - sum(_RADII[kind][function == "vinardo"] for kind in kinds)
    is_hydrophobic = all(kind in _HYDROPHOBIC for kind in kinds)
    bonds = (one & 1 and other & 2) or (one & 2 and other & 1)
    overlap = np.minimum(gap, 0) ** 2
    if function == "vina":
        energy = -0.035579 * np.exp(-((gap / 0.5) ** 2)) - 0.005156 * np.exp(-(((gap - 3) / 2) ** 2))
        energy += 0.840245 * overlap
        energy -= 0.035069 * is_hydrophobic * _slope(gap, 1.5, 0.5)
        return energy - 0.587439 * bool(bonds) * _slope(gap, 0.0, -0.7)
    energy = -0.045 * np.exp(-((gap / 0.8) ** 2)) + 0.8 * overlap
    energy -= 0.035 * is_hydrophobic * _slope(gap, 2.5, 0.0)
    return energy - 0.6 * bool(bonds) * _slope(gap, 0.0, -0.6)


def _slope(gap: npt.NDArray[np.float64], bad: float, good: float) -> npt.NDArray[np.float64]:
    """0 from `bad` on, 1 up to `good`, straight between them."""
    return np.clip((bad - gap) / (bad - good), 0, 1)
