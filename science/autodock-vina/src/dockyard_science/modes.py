"""Merges what Vina found with each shape of a ligand into one list of modes, as Vina itself would have written it.

Energies and places stay Vina's own, to the byte. Two modes are one when they are closer than Vina lets two modes of one
search be, by Vina's own measure: heavy atoms in their order, side chains that turn included, without symmetries. So
modes of two shapes are told apart exactly as modes of one shape are. A mode's strain is counted against that of the
best mode of its own shape.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dockyard_science.pdbqt import (
    HYDROGENS,
    Coordinates,
    atom_lines,
    coordinates,
    split_models,
    without_anchors,
)

_RESULT = re.compile(r"^(REMARK VINA RESULT:\s*\S+)[^\n]*$", re.MULTILINE)

# What AutoDock's types are to Vina: the aromatic carbon is a carbon, an acceptor is its element.
_ELEMENTS = {"A": "C", "NA": "N", "NS": "N", "OA": "O", "OS": "O", "SA": "S"}


_MOST_SMALL_SHAPES = 8


@dataclass(frozen=True)
class VinaRun:
    """What Vina answers of one search: its text, and a row of energies a mode with the total first."""

    pdbqt: str
    energies: list[list[float]]


@dataclass(frozen=True)
class MergedModes:
    """The modes of several searches, best first, as one answer of Vina; `shapes` tells which search, from 1."""

    run: VinaRun
    shapes: list[int]


@dataclass(frozen=True)
class _Mode:
    shape: int
    text: str
    energies: list[float]
    places: Coordinates


def most_small_shapes(exhaustiveness: int) -> int:
    """How many shapes of rings that are no macrocycles are docked of one ligand.

    Each is searched at least once, so at a low exhaustiveness there are fewer: no ligand is searched more than twice as
    long as in one shape.
    """
    return min(_MOST_SMALL_SHAPES, 1 + exhaustiveness)


def state_exhaustiveness(exhaustiveness: int, states: int) -> int:
    """How long each state of a ligand is searched: as long as a single one where there are two at most.

    More of them share twice that, and none has less than a quarter of what was asked for.
    """
    return max(exhaustiveness // 4, -(-2 * exhaustiveness // max(states, 2)))


def shape_exhaustiveness(exhaustiveness: int, shapes: int) -> int:
    """How long each shape of a macrocycle is searched: a quarter of what was asked for, more where there are few.

    So all of them together are never searched less than a single shape would be.
    """
    return max(exhaustiveness // 4, -(-exhaustiveness // shapes))


def other_exhaustiveness(exhaustiveness: int, others: int, *, is_built_usual: bool) -> int:
    """How long each shape is searched beside the one that was built, which has all that was asked for.

    It is a quarter of that, less where there are more than four: all others together never take longer than it. Beside
    a shape that no molecule takes they take as long as it, because one of them is what binds.
    """
    most = exhaustiveness // 4 if is_built_usual else exhaustiveness
    return max(1, min(most, exhaustiveness // others))


def merge_modes(runs: Sequence[VinaRun], *, most: int, energy_range: float, min_rmsd: float) -> MergedModes:
    """Merge by score (kcal/mol, ties by shape), at most `most` modes within the range, none closer than `min_rmsd`.

    The bounds of the RMSD to mode 1 (angstrom) are computed anew.
    """
    elements = _heavy_elements(next((run.pdbqt for run in runs if run.energies), ""))
    is_heavy = elements != ""
    found = [mode for shape, run in enumerate(runs, 1) for mode in _modes(shape, run, is_heavy)]
    found.sort(key=lambda mode: mode.energies[0])
    kept: list[_Mode] = []
    for mode in found:
        if len(kept) == most or mode.energies[0] > found[0].energies[0] + energy_range:
            break
        if all(rmsd_upper(mode.places, other.places) >= min_rmsd for other in kept):
            kept.append(mode)
    text = "".join(
        f"MODEL {number}\n{_with_bounds(mode, kept[0], elements[is_heavy])}ENDMDL\n"
        for number, mode in enumerate(kept, 1)
    )
    return MergedModes(VinaRun(text, [mode.energies for mode in kept]), [mode.shape for mode in kept])


def rmsd_upper(one: Coordinates, other: Coordinates) -> float:
    """Vina's upper bound: each atom to itself, in angstrom."""
    return float(np.sqrt(((one - other) ** 2).sum(axis=1).mean()))


def rmsd_lower(one: Coordinates, other: Coordinates, elements: npt.NDArray[np.str_]) -> float:
    """Vina's lower bound: each atom to the nearest one of its element, in angstrom, the greater of both ways."""
    squares = ((one[:, None] - other[None]) ** 2).sum(axis=2)
    squares[elements[:, None] != elements[None]] = np.inf
    return float(np.sqrt(max(squares.min(axis=axis).mean() for axis in (0, 1))))


def _modes(shape: int, run: VinaRun, is_heavy: npt.NDArray[np.bool_]) -> list[_Mode]:
    return [
        _Mode(shape, text, energies, coordinates(without_anchors(text))[is_heavy])
        for text, energies in zip(split_models(run.pdbqt), run.energies, strict=True)
    ]


def _heavy_elements(pdbqt: str) -> npt.NDArray[np.str_]:
    """The element of each atom of the first mode as Vina tells them apart; empty for hydrogens."""
    models = split_models(pdbqt)
    types = [line[77:79].strip() for line in atom_lines(without_anchors(models[0]))] if models else []
    return np.array(["" if kind in HYDROGENS else _ELEMENTS.get(kind, kind) for kind in types], dtype=np.str_)


def _with_bounds(mode: _Mode, best: _Mode, elements: npt.NDArray[np.str_]) -> str:
    lower, upper = rmsd_lower(mode.places, best.places, elements), rmsd_upper(mode.places, best.places)
    return _RESULT.sub(rf"\g<1>{lower:11.3f}{upper:11.3f}", mode.text, count=1)
