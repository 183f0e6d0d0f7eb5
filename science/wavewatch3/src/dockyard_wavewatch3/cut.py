"""Cuts a run of WAVEWATCH III into pieces, each from the restart file of the one before.

A cut is after an even number of global steps, because the schemes of propagation take the directions in turns by the
number of the step, which begins anew at a restart. Output at a cut belongs to the piece that ends there: winds in the
first output after a restart may differ in their last digits.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dockyard_wavewatch3.shell import Kind, Schedule, Shell

#: Steps between two cuts are a multiple of this.
EVEN = 2
#: The files that pieces write and that are joined, with the records of their heads.
JOINED = {"out_grd.ww3": 1, "out_pnt.ww3": 2}
_NOT_JOINED: tuple[Kind, ...] = ("TRACK", "BOUNDARY", "PARTITION", "COUPLING", "RESTART2")
_WORDS = {"TRACK": "tracks", "BOUNDARY": "boundary data of nests", "PARTITION": "separated wave fields"}


@dataclass(frozen=True)
class Piece:
    """Part of a run; None stands for the begin or the end of the run."""

    begin: int | None
    end: int | None


def reason_against(shell: Shell, step: float | None) -> str | None:
    """Why the case cannot be cut; None where its self-proof decides."""
    if step is None or step != int(step) or step < 1:
        return "The global time step is no whole number of seconds."
    whole = int(step)
    if (shell.end - shell.begin) % whole:
        return "The time range is no whole number of global time steps."
    return shell.odd or _output_reason(shell) or _times_reason(shell, whole)


def _output_reason(shell: Shell) -> str | None:
    for kind in _NOT_JOINED:
        if shell.active(kind):
            what = _WORDS.get(kind, kind.lower())
            return f"{shell.name}: files of {what} of two runs cannot be joined to the file of one."
    return None


def _times_reason(shell: Shell, step: int) -> str | None:
    for kind in ("FIELD", "POINT", "RESTART"):
        schedule = shell.outputs.get(kind)
        if schedule is None or schedule.stride <= 0:
            continue
        fits = schedule.stride % step == 0 or step % schedule.stride == 0
        if not fits or (schedule.begin - shell.begin) % min(step, schedule.stride):
            return (
                f"{shell.name}: the times of output ({kind.lower()}) do not fit the global time step of {step} s: one"
                " is no multiple of the other."
            )
    if any((change - shell.begin) % step for change in shell.changes if shell.begin < change < shell.end):
        return f"{shell.name}: an input changes at a time that is no multiple of the global time step of {step} s."
    return None


def allowed_cuts(shell: Shell, step: float) -> list[int]:
    """The times at which the run may be cut; where the case writes restart files, these are its own."""
    stride = EVEN * int(step)
    cuts = range(shell.begin + stride, shell.end, stride)
    if not shell.active("RESTART"):
        return list(cuts)
    own = shell.outputs["RESTART"]
    return [cut for cut in cuts if own.begin <= cut <= own.end and (cut - own.begin) % own.stride == 0]


def piece_outputs(shell: Shell, piece: Piece) -> Mapping[Kind, Schedule]:
    """When a piece writes what."""
    outputs = dict(shell.outputs)
    if piece.begin is not None:
        outputs = {kind: schedule.after(piece.begin) for kind, schedule in outputs.items()}
    if piece.end is not None and not shell.active("RESTART"):
        outputs["RESTART"] = Schedule(piece.end, 1, piece.end)
    return outputs


def piece_text(shell: Shell, piece: Piece) -> str:
    """The file of ww3_shel for a piece."""
    begin = shell.begin if piece.begin is None else piece.begin
    end = shell.end if piece.end is None else piece.end
    return shell.edited(begin, end, piece_outputs(shell, piece))
