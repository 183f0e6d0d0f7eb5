"""The preparation: each case is read and checked, SWAN reads it without computing, and its cuts are proven."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_session.canonical import sha256_hex
from dockyard_session.errors import ScienceError
from dockyard_swan.case import Case
from dockyard_swan.checks import check_case
from dockyard_swan.commands import read_commands
from dockyard_swan.cut import Piece, cut_compute, piece_text, without_start
from dockyard_swan.prove import Proof, prove
from dockyard_swan.reading import read_case
from dockyard_swan.results import check_sound
from dockyard_swan.run import forget_work, lay_out, run_swan
from dockyard_waves.layout import find_command_file
from dockyard_waves.program import Pack, children_seconds
from dockyard_waves.tool import told_warnings

#: Names of a command file that needs no naming.
PATTERNS = ("*.swn", "*.SWN", "INPUT")
#: The longest time of all proofs of a job, in processor seconds, and of what was estimated where that is more.
PROOF_SECONDS, PROOF_SHARE = 60.0, 0.02
#: The iterations that SWAN makes at most in a stationary computation where the case says nothing.
_STATIONARY_ITERATIONS = 50


@dataclass(frozen=True)
class Found:
    """A case of a job: the folder in which it runs, and what its command file says."""

    root: Path
    case: Case


def find_case(files: Path, names: list[str], told: str | None, index: int) -> Found:
    """The case of a task, read and checked; raises CASE_* with file and line."""
    name = find_command_file(names, told, PATTERNS, index)
    path = files / name
    case = read_case(read_commands(path.name, path.read_bytes()))
    check_case(case, path.parent)
    return Found(path.parent, case)


@dataclass(frozen=True)
class Bounds:
    """How many numbers the spectra of a case may be, and the seconds that an iteration takes for one of them."""

    most_numbers: int
    seconds_per_number: float


def prepare(
    found: list[Found], bounds: Bounds, pack: Pack, scratch: Path, progress: Callable[[float], None]
) -> list[dict[str, Any]]:
    """Try all cases; answers what the plan says of each, in their order."""
    guesses = [guessed_seconds(each.case, bounds) for each in found]
    left = max(PROOF_SECONDS, PROOF_SHARE * sum(guesses))
    plans = []
    for index, (each, guess) in enumerate(zip(found, guesses, strict=True)):
        try:
            _check_size(each.case, bounds)
            passed_over = _read_only(each, pack, scratch / f"read{index}")
            before = children_seconds()
            proof = _prove(each, pack, scratch / f"proof{index}", left)
        except ScienceError as error:
            where = f"Case {index}: " if len(found) > 1 else ""
            raise ScienceError(error.code, where + error.message) from error
        left = max(0.0, left - (children_seconds() - before))
        warnings = told_warnings([("ERROR_PASSED_OVER", told) for told in passed_over])
        plans.append(_plan_of(each, proof, guess) | {"warnings": warnings})
        progress(100 * (index + 1) / len(found))
    return plans


def _check_size(case: Case, bounds: Bounds) -> None:
    size = case.grid.size
    if size is None or size <= bounds.most_numbers:
        return
    raise ScienceError(
        "CASE_INVALID",
        f"{case.file.name}: the spectra of all points are {size} numbers (points x directions x frequencies), and the"
        f" job has memory for {bounds.most_numbers}. Tell the size in parameters.grid, as in 200x100x36x32.",
    )


def guessed_seconds(case: Case, bounds: Bounds) -> float:
    """The seconds that a run takes, from grid, spectrum and steps."""
    numbers = case.grid.size or 2_000_000
    iterations = sum(_STATIONARY_ITERATIONS if one.is_stationary else one.steps for one in case.computes)
    return numbers * iterations * bounds.seconds_per_number


def _read_only(found: Found, pack: Pack, work: Path) -> list[str]:
    """Have SWAN read the case; answers the errors that the case lets it pass over."""
    try:
        return _read(found.case, found.root, pack, work)
    except ScienceError as error:
        case = found.case
        start = next((each for each in case.file.all("INIT") if each.find("HOTS") is not None), None)
        if error.code != "ENGINE_CRASHED" or start is None:
            raise
        # SWAN breaks down without a word where a state does not fit; that it reads all else shows that it is the state.
        _read(without_start(case), found.root, pack, work)
        named = ", ".join(entry.text for entry in start.texts())
        raise case.file.invalid(
            start.first_line,
            f"SWAN breaks down where it takes up '{named}': the state is of another grid, of other directions or"
            " frequencies, or not in the format that the line tells.",
        ) from error


def _read(case: Case, root: Path, pack: Pack, work: Path) -> list[str]:
    """Have SWAN read the case, without computing; answers the errors that it passes over."""
    lay_out(root, work, case)
    try:
        text = piece_text(case, Piece(len(case.computes) - 1, None, None), zero_iterations=True)
        done = run_swan(pack, case, work, text)
        check_sound(case, work, None)
        return done.passed_over
    finally:
        forget_work(work)


def _prove(found: Found, pack: Pack, scratch: Path, left: float) -> Proof:
    if left <= 0:
        return Proof(False, "The proofs of the cases before have taken all the time that proofs may take.")
    return prove(found.case, found.root, pack, scratch, left)


def _plan_of(found: Found, proof: Proof, guess: float) -> dict[str, Any]:
    case = found.case
    index = cut_compute(case)
    compute = None if index is None else case.computes[index]
    measured = None if proof.step_seconds is None else proof.step_seconds * case.steps
    points = case.grid.points
    return {
        "commandFile": case.file.name,
        "commandFileSha256": sha256_hex("\n".join(case.file.lines).encode("latin-1")),
        "grid": case.grid.kind,
        "points": None if points is None else points[0] * points[1],
        "directions": case.grid.directions,
        "frequencies": case.grid.frequencies,
        "steps": case.steps,
        "stepSeconds": None if compute is None else compute.step,
        "resumable": proof.is_resumable,
        "reason": proof.reason,
        "secondsPerStep": proof.step_seconds,
        "estimatedSeconds": round(guess if measured is None else measured, 1),
    }
