"""Reads ww3_shel.inp and ww3_shel.nml, time range and times of output, and writes them anew for a piece of the run.

A `.nml` wins over a `.inp`, as in the program itself. Everything else in the file stays as it is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from dockyard_session.errors import ScienceError, one_line
from dockyard_wavewatch3.times import seconds_of, text_of

Kind = Literal["FIELD", "POINT", "TRACK", "RESTART", "BOUNDARY", "PARTITION", "COUPLING", "RESTART2"]
#: The kinds of output in the order in which a `.inp` has their times.
_ORDER: tuple[Kind, ...] = ("FIELD", "POINT", "TRACK", "RESTART", "BOUNDARY", "PARTITION", "COUPLING")
_ALL: tuple[Kind, ...] = (*_ORDER, "RESTART2")

_TIME = re.compile(r"^(\s*)(\d{8})\s+(\d{6})(?=\s|$)")
_OUTPUT = re.compile(r"^\s*(\d{8})\s+(\d{6})\s+(-?\d+)(?:\.\d*)?\s+(\d{8})\s+(\d{6})(?:\s+(\S+))?")
#: Numbers of a homogeneous input; the others have one.
_FORCING_NUMBERS = {"CUR": 2, "WND": 3, "TAU": 2, "MOV": 2}
_DATED = re.compile(r"^\s*\d{8}\s+\d{6}(?=\s)")
_FORCING = re.compile(r"^\s*'(\w{3})'\s+(\d{8})\s+(\d{6})")
_GROUP = re.compile(r"&(\w+)(.*?)^\s*/\s*$", re.S | re.M)
_ENTRY = re.compile(r"^\s*([\w%() ]+?)\s*=\s*(.*?)\s*,?\s*$", re.M)
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_DEFAULTS = {"START": "19680606 000000", "STRIDE": "0", "STOP": "19680607 000000"}


@dataclass(frozen=True)
class Schedule:
    """When output is written; a stride of 0 is never. All in seconds."""

    begin: int
    stride: int
    end: int

    def after(self, time: int) -> "Schedule":
        """The same times, those later than the given one alone."""
        if self.stride <= 0 or self.begin > time:
            return self
        first = self.begin + ((time - self.begin) // self.stride + 1) * self.stride
        return Schedule(first, self.stride, self.end) if first <= self.end else Schedule(first, 0, first)


NEVER = Schedule(0, 0, 0)


@dataclass(frozen=True)
class Shell:
    """A file of ww3_shel."""

    name: str
    text: str
    begin: int
    end: int
    outputs: Mapping[Kind, Schedule]
    #: The times at which a homogeneous input changes.
    changes: tuple[int, ...]
    #: Why its output cannot be joined, whatever the times are; None where it can.
    odd: str | None = None

    def active(self, kind: Kind) -> bool:
        """Whether the run writes such output."""
        return self.outputs.get(kind, NEVER).stride > 0

    def edited(self, begin: int, end: int, outputs: Mapping[Kind, Schedule]) -> str:
        """The file for another time range and other times of output."""
        edit = _edit_namelist if self.name.endswith(".nml") else _edit_inp
        return edit(self, begin, end, outputs)


def read_shell(name: str, text: str) -> Shell:
    """Read the file; raises CASE_INVALID with file and line."""
    shell = _read_namelist(name, text) if name.endswith(".nml") else _read_inp(name, text)
    if shell.end <= shell.begin:
        raise ScienceError(
            "CASE_INVALID",
            f"{name}: the run ends at {text_of(shell.end)}, which is not after {text_of(shell.begin)}.",
        )
    return shell


def data_lines(text: str) -> list[int]:
    """The numbers, from 0, of the lines that are no comments, which begin as the first line of the file does."""
    lines = text.split("\n")
    mark = lines[0][:1].strip() or "$"
    return [number for number, line in enumerate(lines) if line.strip() and not line.startswith(mark)]


def _read_inp(name: str, text: str) -> Shell:
    lines = text.split("\n")
    data = data_lines(text)
    times = [number for number in data if _TIME.match(lines[number]) and not _OUTPUT.match(lines[number])]
    if len(times) < 2:
        raise ScienceError(
            "CASE_INVALID", f"{name}: it has no lines with the times at which the run begins and ends."
        )
    begin, end = (_time_in(name, lines, number) for number in times[:2])
    outputs: dict[Kind, Schedule] = {}
    odd = None
    found = [number for number in data if number > times[1] and _DATED.match(lines[number])]
    for kind, number in zip(_ORDER, found, strict=False):
        outputs[kind] = _schedule_in(name, lines, number)
        flag = (_OUTPUT.match(lines[number]) or [None] * 7)[6]
        if (kind in {"FIELD", "POINT"} and flag == "1") or (kind == "RESTART" and flag in {"T", "t"}):
            odd = f"{name}, line {number + 1}: output in a file for each time, or of a second kind, is not joined."
    forcing = [(match, number) for number in data if (match := _FORCING.match(lines[number]))]
    changes = [seconds_of(match[2], match[3], f"{name}, line {number + 1}") for match, number in forcing]
    for match, number in forcing:
        given = len(lines[number][match.end() :].split())
        if given < (wanted := _FORCING_NUMBERS.get(match[1].upper(), 1)):
            said = f"{match[1]} has {wanted} numbers behind its time, and here are {given}"
            raise ScienceError("CASE_INVALID", f"{name}, line {number + 1}: {said}.")
    return Shell(name, text, begin, end, outputs, tuple(sorted(set(changes))), odd)


def _time_in(name: str, lines: list[str], number: int) -> int:
    match = _TIME.match(lines[number])
    return seconds_of(match[2], match[3], f"{name}, line {number + 1}") if match else 0


def _schedule_in(name: str, lines: list[str], number: int) -> Schedule:
    match, place = _OUTPUT.match(lines[number]), f"{name}, line {number + 1}"
    if match is None:
        said = one_line(lines[number].strip(), 80)
        raise ScienceError(
            "CASE_INVALID", f"{place}: '{said}' is no begin, seconds between two and end of output."
        )
    stride = max(0, int(match[3]))
    return Schedule(seconds_of(match[1], match[2], place), stride, seconds_of(match[4], match[5], place))


def _edit_inp(shell: Shell, begin: int, end: int, outputs: Mapping[Kind, Schedule]) -> str:
    lines = shell.text.split("\n")
    data = data_lines(shell.text)
    times = [number for number in data if _TIME.match(lines[number]) and not _OUTPUT.match(lines[number])]
    for number, time in zip(times[:2], (begin, end), strict=True):
        lines[number] = f"   {text_of(time)}"
    found = [number for number in data if number > times[1] and _OUTPUT.match(lines[number])]
    for kind, number in zip(_ORDER, found, strict=False):
        # A stride decides whether further lines of its kind are read, so what is never written keeps its line.
        if shell.active(kind) or outputs.get(kind, NEVER).stride > 0:
            lines[number] = f"   {_told(outputs.get(kind, NEVER), shell, kind)}"
    return "\n".join(lines)


def _told(schedule: Schedule, shell: Shell, kind: Kind) -> str:
    """The five numbers; output that a piece has no time for begins after its end, as its further lines are read."""
    if schedule.stride > 0:
        return f"{text_of(schedule.begin)} {schedule.stride} {text_of(schedule.end)}"
    later = shell.end + 86_400
    stride = shell.outputs.get(kind, NEVER).stride
    return f"{text_of(later)} {stride} {text_of(later)}"


def _entries(text: str) -> dict[str, str]:
    """The entries of a namelist by name, in capitals without blanks; the last one counts."""
    bare = "\n".join(line.split("!")[0] for line in text.split("\n"))
    return {match[1].replace(" ", "").upper(): match[2] for match in _ENTRY.finditer(bare)}


def _groups(text: str) -> dict[str, re.Match[str]]:
    return {match[1].upper(): match for match in _GROUP.finditer(text)}


def _values(text: str) -> list[str]:
    found = [one or other for one, other in _QUOTED.findall(text)]
    return found or text.replace(",", " ").split()


def _moment(name: str, entry: str, text: str) -> int:
    day, clock = (*text.split(), "", "")[:2]
    return seconds_of(day, clock, f"{name}, {entry}")


def _read_namelist(name: str, text: str) -> Shell:
    groups = _groups(text)
    domain = _entries(groups["DOMAIN_NML"][2]) if "DOMAIN_NML" in groups else {}
    begin, end = (
        _moment(name, key, (_values(domain.get(key, "")) or [default])[0])
        for key, default in (("DOMAIN%START", _DEFAULTS["START"]), ("DOMAIN%STOP", _DEFAULTS["STOP"]))
    )
    dates = _entries(groups["OUTPUT_DATE_NML"][2]) if "OUTPUT_DATE_NML" in groups else {}
    outputs = {kind: _dates_of(name, kind, dates) for kind in _ALL}
    odd = next(
        (f"{name}, {key}: output in a file for each time is not joined." for key, value in dates.items()
         if key.endswith("OUTFFILE") and (_values(value) or ["0"])[0] != "0"),
        None,
    )  # fmt: skip
    homog = _entries(groups["HOMOG_INPUT_NML"][2]) if "HOMOG_INPUT_NML" in groups else {}
    changes = {_moment(name, key, _values(value)[0]) for key, value in homog.items() if key.endswith("DATE")}
    return Shell(name, text, begin, end, outputs, tuple(sorted(changes)), odd)


def _dates_of(name: str, kind: Kind, dates: Mapping[str, str]) -> Schedule:
    parts = [_DEFAULTS["START"], _DEFAULTS["STRIDE"], _DEFAULTS["STOP"]]
    whole = _values(dates.get(f"DATE%{kind}", ""))
    parts[: min(3, len(whole))] = whole[:3]
    for index, part in enumerate(("START", "STRIDE", "STOP")):
        given = _values(dates.get(f"DATE%{kind}%{part}", ""))
        parts[index] = given[0] if given else parts[index]
    place = f"DATE%{kind}"
    if not re.fullmatch(r"-?\d+(?:\.\d*)?", parts[1].strip()):
        raise ScienceError(
            "CASE_INVALID", f"{name}, {place}: the stride '{parts[1]}' is no number of seconds."
        )
    stride = max(0, int(float(parts[1])))
    return Schedule(_moment(name, place, parts[0]), stride, _moment(name, place, parts[2]))


def _edit_namelist(shell: Shell, begin: int, end: int, outputs: Mapping[Kind, Schedule]) -> str:
    text = _replaced(shell.text, "DOMAIN_NML", {"DOMAIN%START": text_of(begin), "DOMAIN%STOP": text_of(end)})
    dates: dict[str, str] = {}
    for kind in _ALL:
        schedule = outputs.get(kind, NEVER)
        parts = (text_of(schedule.begin), str(schedule.stride), text_of(schedule.end))
        if schedule.stride <= 0:
            parts = (text_of(begin), "0", text_of(end))
        for part, value in zip(("START", "STRIDE", "STOP"), parts, strict=True):
            dates[f"DATE%{kind}%{part}"] = value
    return _replaced(text, "OUTPUT_DATE_NML", dates)


def _replaced(text: str, group: str, entries: Mapping[str, str]) -> str:
    """The text with these entries of a group in the place of those that it had."""
    match = _groups(text).get(group)
    kept = {} if match is None else _entries(match[2])
    drop = {"DATE%"} if group == "OUTPUT_DATE_NML" else set(entries)
    lines = [
        f"  {key} = {value}" for key, value in kept.items() if not any(key.startswith(each) for each in drop)
    ]
    lines += [f"  {key} = '{value}'" for key, value in entries.items()]
    written = f"&{group}\n" + "\n".join(lines) + "\n/"
    return f"{text}\n{written}\n" if match is None else text[: match.start()] + written + text[match.end() :]
