"""Checks of every docked pose: whether it is a molecule that could exist, and lies where it could lie.

The checks are those of PoseBusters (busters.py), under its names. They are deterministic and fail no docking: what
could not be computed is named as not checked. The strain is looked at in mode 1 alone. Where the time runs out,
what was not looked at by then is named as not checked, too, and the mode says so.
"""

import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rdkit import Chem

from dockyard_science import busters, pose_geometry
from dockyard_science.busters import CHECKS, Verdicts
from dockyard_science.pose_contacts import (
    Part,
    beside,
    distance_verdicts,
    read_parts,
    volume_verdicts,
    with_side_chains,
)
from dockyard_science.pose_geometry import Flags
from dockyard_session.tool import TaskWarning

#: Processor time for the checks of one ligand's poses; they take seconds, so only what hangs is cut short.
CHECK_SECONDS = 120.0

# Names that the warning lists; a pose may fail them all.
_MOST_NAMED = 6


@dataclass(frozen=True)
class PoseChecks:
    """What was found of one mode, by the names of `busters.CHECKS`, in their order."""

    failed: tuple[str, ...]
    not_checked: tuple[str, ...]
    ran_out: bool = False

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not self.failed

    def record(self) -> dict[str, Any]:
        """As it stands in result.json; that the time ran out stands there only where it did."""
        verdicts = {"passed": self.passed, "failed": list(self.failed), "notChecked": list(self.not_checked)}
        return verdicts | {"timeRanOut": True} if self.ran_out else verdicts


class _OutOfTimeError(Exception):
    """The processor time of the checks was spent before this one began."""


class _Budget:
    """The time of one ligand's checks, the processor's, so that other load is not felt; `short` are modes without."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds
        self.short: set[int] = set()

    def spend(self, mode: int) -> None:
        """Go on with a mode, or raise."""
        if time.process_time() >= self._end:
            self.short.add(mode)
            raise _OutOfTimeError


@dataclass(frozen=True)
class _Step:
    """Checks of one module within the ligand: a screen over all modes, and the module for those it does not pass."""

    names: tuple[str, ...]
    screen: Callable[[Chem.Mol], Flags]
    decide: Callable[[Chem.Mol], Verdicts]
    modes: int | None = None


_STEPS = (
    _Step(busters.GEOMETRY_CHECKS, pose_geometry.geometry_is_clear, busters.geometry),
    _Step((busters.AROMATIC_FLATNESS,), pose_geometry.aromatic_rings_are_clear, busters.aromatic_flatness),
    _Step((busters.RING_PUCKER,), pose_geometry.puckered_rings_are_clear, busters.ring_pucker),
    _Step(
        (busters.DOUBLE_BOND_FLATNESS,), pose_geometry.double_bonds_are_clear, busters.double_bond_flatness
    ),
    _Step((busters.INTERNAL_ENERGY,), pose_geometry.strain_is_clear, busters.internal_energy, modes=1),
)


class PoseChecker:
    """Checks poses beside one receptor, which is read once."""

    def __init__(self, receptor_pdbqt: str, seconds: float = CHECK_SECONDS) -> None:
        """Take the receptor as it is docked into, and the processor time that the poses of one ligand may take.

        Side chains that turn are not in `receptor_pdbqt`.
        """
        self._parts = read_parts(receptor_pdbqt)
        self._seconds = seconds

    def check(self, mol: Chem.Mol, side_chains: Sequence[str] = ()) -> list[PoseChecks]:
        """The checks of every mode, best first; mode n is the conformer n - 1 of `mol`.

        `side_chains` has those that turned (PDBQT) as they stand in each mode.
        """
        verdicts: list[Verdicts] = [{} for _ in range(mol.GetNumConformers())]
        budget = _Budget(self._seconds)
        for step in _STEPS:
            _take(step, mol, verdicts, budget)
        for index, found in enumerate(verdicts):
            for part in with_side_chains(self._parts, side_chains[index] if side_chains else ""):
                found.update(_beside(mol, index, part, budget))
        return [_checks(found, ran_out=index in budget.short) for index, found in enumerate(verdicts)]


def pose_summary(checks: Sequence[PoseChecks]) -> dict[str, Any]:
    """What the summary of a ligand says of its poses: the checks of the best one, and how many pass."""
    return {
        "checks": checks[0].record(),
        "bestPoseFailedChecks": len(checks[0].failed),
        "plausiblePoseCount": sum(one.passed for one in checks),
    }


def pose_warnings(checks: Sequence[PoseChecks]) -> list[TaskWarning]:
    """POSE_IMPLAUSIBLE where the best mode fails."""
    failed = checks[0].failed
    if not failed:
        return []
    more = f" and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else ""
    plausible = sum(one.passed for one in checks)
    message = (
        f"Mode 1 fails {', '.join(failed[:_MOST_NAMED])}{more}; "
        f"{plausible} of {len(checks)} modes pass every check."
    )
    return [{"code": "POSE_IMPLAUSIBLE", "message": message}]


def _take(step: _Step, mol: Chem.Mol, verdicts: list[Verdicts], budget: _Budget) -> None:
    """Add the verdicts of one module to those of each mode that it looks at."""
    try:
        flags = [bool(flag) for flag in step.screen(mol)]
    # The modules have their own ways to fail, and are asked about what the screen could not see.
    except Exception:
        _note(step.names)
        flags = [False] * len(verdicts)
    for index, found in enumerate(verdicts[: step.modes]):
        if flags[index]:
            found.update(dict.fromkeys(step.names, True))
        else:
            pose = Chem.Mol(mol, confId=index)
            found.update(_attempt(step.names, partial(step.decide, pose), partial(budget.spend, index)))


def _beside(mol: Chem.Mol, index: int, part: Part, budget: _Budget) -> Verdicts:
    """The verdicts on one mode beside one part of the receptor."""
    near = beside(mol, index, part)
    farthest = [busters.FARTHEST_CHECK] if part.name == "protein" else []
    spend = partial(budget.spend, index)
    return {
        **_attempt([busters.DISTANCE_CHECKS[part.name], *farthest], partial(distance_verdicts, near), spend),
        **_attempt([busters.VOLUME_CHECKS[part.name]], partial(volume_verdicts, near), spend),
    }


def _attempt(names: Sequence[str], compute: Callable[[], Verdicts], spend: Callable[[], None]) -> Verdicts:
    """The verdicts, or that none of them could be had: a check is no reason to lose a docking."""
    try:
        spend()
        return compute()
    except _OutOfTimeError:
        return dict.fromkeys(names)
    except Exception:
        _note(names)
        return dict.fromkeys(names)


def _note(names: Sequence[str]) -> None:
    """Leave the cause in the session's own log; the ligand's log has to be the same bytes every time."""
    sys.stderr.write(f"not checked: {', '.join(names)}\n{traceback.format_exc()}")


def _checks(found: Verdicts, *, ran_out: bool) -> PoseChecks:
    return PoseChecks(
        failed=tuple(name for name in CHECKS if found.get(name) is False),
        not_checked=tuple(name for name in CHECKS if found.get(name, True) is None),
        ran_out=ran_out,
    )
