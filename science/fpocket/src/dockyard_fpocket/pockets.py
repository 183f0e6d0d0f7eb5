"""Reads what fpocket wrote: the numbers of each pocket, its alpha spheres, the residues that touch it, its box.

Every number is the program's own, to the digits that it prints. What is computed here is the centre (the mean of the
centres of the alpha spheres), the box (their extent and a margin, within the bounds that docking uses for residues) and
the residues (the owners of the atoms that the spheres touch).
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_fpocket.program import ANSWER
from dockyard_fpocket.selected import Owner

#: The margin around the centres of the alpha spheres, and the bounds of a side, as for a box around residues.
MARGIN_ANGSTROM = 8.0
SMALLEST_SIDE_ANGSTROM = 18.0
LARGEST_SIDE_ANGSTROM = 40.0

# The program's names for its numbers, in its order, with the names that they have in pockets.json.
_COUNTS = {
    "Number of Alpha Spheres": "alphaSphereCount",
    "Polarity score": "polarityScore",
    "Charge score": "chargeScore",
}
_NUMBERS = {
    "Score": "score",
    "Druggability Score": "druggabilityScore",
    "Total SASA": "totalSasaAngstrom2",
    "Polar SASA": "polarSasaAngstrom2",
    "Apolar SASA": "apolarSasaAngstrom2",
    "Volume": "volumeAngstrom3",
    "Mean local hydrophobic density": "meanLocalHydrophobicDensity",
    "Mean alpha sphere radius": "meanAlphaSphereRadiusAngstrom",
    "Mean alp. sph. solvent access": "meanAlphaSphereSolventAccess",
    "Apolar alpha sphere proportion": "apolarAlphaSphereProportion",
    "Hydrophobicity score": "hydrophobicityScore",
    "Volume score": "volumeScore",
    "Proportion of polar atoms": "polarAtomPercent",
    "Alpha sphere density": "alphaSphereDensity",
    "Cent. of mass - Alpha Sphere max dist": "alphaSphereMaxDistanceAngstrom",
    "Flexibility": "flexibility",
}
_NAMES = {**_COUNTS, **_NUMBERS}

_HEAD = re.compile(r"^Pocket (\d+) :$")
_SPHERE = re.compile(r"^ATOM  .{6} {3}([CO]) STP ")


@dataclass(frozen=True)
class Pocket:
    """A pocket; `numbers` by their names in pockets.json, None where the program printed no finite number."""

    rank: int
    numbers: dict[str, float | int | None]
    spheres: list[dict[str, Any]]
    residues: list[Owner]
    center: list[float]
    box: dict[str, list[float]]


class AnswerError(Exception):
    """The program's files are not what this release of it writes; a fault of ours or of the installation."""


def read_pockets(folder: Path, owners: Sequence[Owner], most: int) -> tuple[int, list[Pocket]]:
    """The number of pockets that the program found, and the first of them in its order.

    Raises AnswerError where a file is missing or is not written as expected.
    """
    told = _read_numbers((folder / f"{ANSWER.removesuffix('_out')}_info.txt").read_text(encoding="ascii"))
    pockets = [_pocket(folder, rank, numbers, owners) for rank, numbers in enumerate(told[:most], start=1)]
    return len(told), pockets


def read_hetatm_owners(path: Path, owners: Sequence[Owner]) -> list[Owner]:
    """The residues whose HETATM records the program counted to the structure, in the order of the file."""
    serials = (
        int(line[6:11])
        for line in path.read_text(encoding="ascii").splitlines()
        if line.startswith("HETATM") and line[17:20] != "STP"
    )
    return list(dict.fromkeys(_owner(owners, serial) for serial in serials))


def _read_numbers(text: str) -> list[dict[str, float | int | None]]:
    pockets: list[dict[str, float | int | None]] = []
    for line in text.splitlines():
        head = _HEAD.match(line)
        if head is not None:
            if int(head[1]) != len(pockets) + 1:
                raise AnswerError(f"pocket {head[1]} stands in the place of pocket {len(pockets) + 1}")
            pockets.append({})
        elif line.strip():
            name, _, value = line.partition(":")
            key = _NAMES.get(name.strip())
            if key is None or not pockets:
                raise AnswerError(f"a line is none of a pocket: '{line.strip()}'")
            pockets[-1][key] = int(value) if name.strip() in _COUNTS else _finite(value)
    for rank, numbers in enumerate(pockets, start=1):
        missing = _NAMES.values() - numbers.keys()
        if missing or numbers["score"] is None or numbers["volumeAngstrom3"] is None:
            raise AnswerError(
                f"pocket {rank} lacks {', '.join(sorted(missing)) or 'its score or its volume'}"
            )
    return pockets


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _pocket(
    folder: Path, rank: int, numbers: dict[str, float | int | None], owners: Sequence[Owner]
) -> Pocket:
    spheres = _read_spheres((folder / f"pockets/pocket{rank}_vert.pqr").read_text(encoding="ascii"))
    if len(spheres) != numbers["alphaSphereCount"] or not spheres:
        raise AnswerError(f"pocket {rank} has {len(spheres)} alpha spheres in its file")
    residues = _read_residues((folder / f"pockets/pocket{rank}_atm.pdb").read_text(encoding="ascii"), owners)
    axes = list(zip(*(sphere["centerAngstrom"] for sphere in spheres), strict=True))
    center = [round(math.fsum(axis) / len(axis), 3) for axis in axes]
    return Pocket(rank, numbers, spheres, residues, center, _box_around(axes))


def _read_spheres(text: str) -> list[dict[str, Any]]:
    spheres = []
    for line in text.splitlines():
        if not line.startswith("ATOM"):
            continue
        kind = _SPHERE.match(line)
        if kind is None:
            raise AnswerError(f"a line is no alpha sphere: '{line.strip()}'")
        spheres.append(
            {
                "centerAngstrom": [float(line[at : at + 8]) for at in (30, 38, 46)],
                "radiusAngstrom": float(line[66:].split()[0]),
                "apolar": kind[1] == "C",
            }
        )
    return spheres


def _read_residues(text: str, owners: Sequence[Owner]) -> list[Owner]:
    """The residues that the spheres touch, in the order of the selected file."""
    serials = sorted(int(line[6:11]) for line in text.splitlines() if line.startswith(("ATOM", "HETATM")))
    return list(dict.fromkeys(_owner(owners, serial) for serial in serials))


def _owner(owners: Sequence[Owner], serial: int) -> Owner:
    if not 1 <= serial <= len(owners):
        raise AnswerError(f"the selected file has no atom {serial}")
    return owners[serial - 1]


def _box_around(axes: Sequence[Sequence[float]]) -> dict[str, list[float]]:
    return {
        "centerAngstrom": _each(axes, lambda axis: round((min(axis) + max(axis)) / 2, 3)),
        "sizeAngstrom": _each(axes, lambda axis: _side(max(axis) - min(axis))),
    }


def _side(extent: float) -> float:
    return round(min(LARGEST_SIDE_ANGSTROM, max(SMALLEST_SIDE_ANGSTROM, extent + MARGIN_ANGSTROM)), 3)


def _each(axes: Sequence[Sequence[float]], choose: Callable[[Sequence[float]], float]) -> list[float]:
    return [choose(axis) for axis in axes]
