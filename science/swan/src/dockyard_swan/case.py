"""A case of SWAN, as its command file tells it: grid, input fields, files read and written, computations."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from dockyard_swan.commands import Command, CommandFile, Entry

OutputKind = Literal["field", "table", "spectrum", "restart"]
Form = Literal["netcdf", "matlab", "vtk", "raw", "text"]
#: What SWAN writes where a file's name has these letters, wherever they stand; all but the first in fields alone.
_FORMS: dict[str, Form] = {".nc": "netcdf", ".mat": "matlab", ".vt": "vtk", ".raw": "raw"}

_VECTORS = ("WI", "CUR")
_ROW = re.compile(r"^\s*(?:[-+.*\d]|NaN|Inf)", re.IGNORECASE)


@dataclass(frozen=True)
class Compute:
    """A computation; of a stationary one begin and end are its time, if it has one, and the step is 0."""

    command: Command
    is_stationary: bool
    begin: int | None
    step: float
    end: int | None

    @property
    def steps(self) -> int:
        """How many time steps it has."""
        if self.is_stationary or self.begin is None or self.end is None or self.step <= 0:
            return 1
        return max(1, round((self.end - self.begin) / self.step))


@dataclass(frozen=True)
class Times:
    """The times of OUTPUT of a request; `at` is the entry that says when they begin, `last` the last of them."""

    begin: int
    step: float
    is_exact: bool
    at: Entry
    last: Entry


@dataclass(frozen=True)
class Written:
    """A file that the case writes; `quantities` are the words of a block or a table, in their order."""

    path: str
    kind: OutputKind
    command: Command
    times: Times | None = None
    quantities: tuple[str, ...] = ()
    style: str = ""

    @property
    def form(self) -> Form:
        """The format of the file."""
        for letters, form in _FORMS.items():
            if letters in self.path or letters.upper() in self.path:
                is_block = self.kind == "field" and self.style != "test"
                return form if form == "netcdf" or is_block else "text"
        return "text"


@dataclass(frozen=True)
class Read:
    """A file that a command names as its input; a state may be written again by the run."""

    path: str
    line: int
    is_state: bool = False


@dataclass(frozen=True)
class InputField:
    """A field of INPGRID; `counts` are its points in x and y, None on an unstructured grid."""

    word: str
    command: Command
    counts: tuple[int, int] | None
    begin: int | None = None
    step: float = 0
    end: int | None = None

    @property
    def components(self) -> int:
        """How many maps there are at each time."""
        return 2 if self.word.startswith(_VECTORS) else 1

    @property
    def is_steady(self) -> bool:
        """Whether the field has one time."""
        return self.begin is None


@dataclass
class Grid:
    """The computational grid."""

    kind: Literal["regular", "curvilinear", "unstructured"] = "regular"
    points: tuple[int, int] | None = None
    directions: int = 0
    frequencies: int | None = None

    @property
    def size(self) -> int | None:
        """How many numbers the spectra of all points are; None where the command file alone does not tell."""
        if self.points is None or not self.directions:
            return None
        # SWAN chooses about this many frequencies where the case leaves them out.
        return self.points[0] * self.points[1] * self.directions * (self.frequencies or 30)


@dataclass
class Case:
    """The case."""

    file: CommandFile
    grid: Grid = field(default_factory=Grid)
    is_nonstationary: bool = False
    is_spherical: bool = False
    reads: list[Read] = field(default_factory=list)
    writes: list[Written] = field(default_factory=list)
    inputs: list[InputField] = field(default_factory=list)
    computes: list[Compute] = field(default_factory=list)
    starts_hot: bool = False
    #: The level of errors that SWAN ignores.
    most_error: int = 1

    @property
    def is_one_dimensional(self) -> bool:
        """Whether it has no fields, for which SWAN takes no BLOCK."""
        return any(entry.is_word("ONED") for mode in self.file.all("MODE") for entry in mode.entries)

    @cached_property
    def _marks(self) -> tuple[str, ...]:
        """How lines begin that are comments; a blank is no mark that tells them from rows."""
        options = (command for command in self.file.all("OUTP") if command.find("OPT") is not None)
        texts = (text.text for command in options for text in command.texts()[:1])
        return ("%", "$", *(text for text in texts if text.strip()))

    def is_row(self, line: str) -> bool:
        """Whether a line that SWAN wrote has numbers, and is no comment or head."""
        return _ROW.match(line) is not None and not line.startswith(self._marks)

    @property
    def own_states(self) -> frozenset[str]:
        """The states that it writes and then takes up itself."""
        return frozenset(
            read.path
            for read in self.reads
            for written in self.writes
            if read.is_state and written.path == read.path and written.command.last_line < read.line
        )

    @property
    def breaks_waves(self) -> bool:
        """Whether waves break in shallow water, as they do where the case does not switch it off.

        A gamma above 1 lets them grow to more than twice the depth.
        """
        numbers = (entry.number or 0 for breaking in self.file.all("BRE") for entry in breaking.entries)
        return max(numbers, default=0) <= 1 and not any(
            entry.is_word(letters)
            for off in self.file.all("OFF")
            for entry in off.entries
            for letters in ("BRE", "SOU")
        )

    @property
    def steps(self) -> int:
        """The time steps of all computations."""
        return sum(compute.steps for compute in self.computes)
