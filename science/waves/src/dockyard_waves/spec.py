"""What the compute worker asks of every wave model, as it stands in the JSON lines of the session.

The control side validates every field before it sends it.
"""

from typing import TypedDict


class WavesSpec(TypedDict):
    """A job: its files by the name that each has in the case."""

    sourceName: str
    files: dict[str, str]
    taskCount: int
    #: The longest time in seconds between two kept checkpoints.
    pieceSeconds: float
    #: How many numbers the spectra of a case may be: for so many its tasks have memory.
    mostNumbers: int
    #: The seconds that a step, or an iteration of SWAN, takes for one of them.
    secondsPerNumber: float


class TaskSpec(TypedDict):
    """A task: its number, from 0, and the folder of its outputs, which ends with `/` or is empty."""

    index: int
    folder: str
