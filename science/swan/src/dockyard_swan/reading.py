"""Reads a case from the commands of its file."""

from dockyard_swan.case import Case, Compute, Grid, InputField
from dockyard_swan.commands import Command, CommandFile, Entry
from dockyard_swan.files import read_time, reads_of, writes_of
from dockyard_swan.times import step_seconds

#: SET takes level, nor, depmin, maxmes and then maxerr.
_MAXERR_AT = 4


def read_case(file: CommandFile) -> Case:
    """Read a case; raises CASE_INVALID and CASE_PATH_REFUSED with file and line."""
    case = Case(file)
    for command in file.commands:
        _take(case, command)
    if not file.all("CGRID"):
        raise file.invalid(1, "The command CGRID, the computational grid, is missing.")
    if not case.computes:
        last = file.commands[-1].first_line
        raise file.invalid(last, "The command COMPUTE is missing, so there is nothing to run.")
    return case


def _take(case: Case, command: Command) -> None:
    match command.keyword:
        case "SET":
            case.most_error = _most_error(command, case.most_error)
        case "MODE":
            case.is_nonstationary = any(command.find(word) is not None for word in ("NONST", "DYN"))
        case "COORD":
            case.is_spherical = command.find("SPHE") is not None
        case "CGRID":
            case.grid = _grid(case.file, command)
        case "INP":
            case.inputs.append(_input(case.file, command))
        case "INIT":
            case.starts_hot = case.starts_hot or command.find("HOTS") is not None
        case "COMP":
            case.computes.append(_compute(case, command))
        case _:
            pass
    case.reads.extend(reads_of(case.file, command))
    case.writes.extend(writes_of(case.file, command))


def _most_error(command: Command, present: int) -> int:
    """The fifth number of SET, or the one that is named."""
    for index, entry in enumerate(command.entries):
        is_meant = entry.name is not None and entry.name.upper() == "MAXERR"
        if entry.number is not None and (is_meant or (entry.name is None and index == _MAXERR_AT)):
            return round(entry.number)
    return present


def _grid(file: CommandFile, command: Command) -> Grid:
    grid = Grid()
    spectral = _index(command, ("CIR", "SEC"))
    if spectral is None:
        raise file.invalid(command.first_line, "CGRID has neither CIRCLE nor SECTOR, the grid of directions.")
    before = command.entries[:spectral]
    numbers = [entry for entry in before if entry.number is not None]
    if command.find("UNSTR") is not None:
        grid.kind = "unstructured"
    elif command.find("CURV") is not None:
        grid.kind = "curvilinear"
        grid.points = _points(file, command, numbers[:2], "CURVILINEAR takes [mxc] [myc]")
    else:
        words = [entry for entry in before if entry.number is None and not entry.is_word("REG")]
        if words:
            raise file.invalid(
                words[0].line, f"CGRID REGULAR takes numbers only, and '{words[0].text}' is none."
            )
        if len(numbers) != 7:
            raise file.invalid(
                command.first_line,
                f"CGRID REGULAR has {len(numbers)} numbers before the directions, and takes 7: xpc ypc alpc xlenc ylenc"
                " mxc myc.",
            )
        grid.points = _points(file, command, numbers[5:7], "REGULAR takes [mxc] [myc]")
    rest = command.numbers_after(spectral)
    skipped = 2 if command.entries[spectral].is_word("SEC") else 0
    wanted = rest[skipped:]
    if len(wanted) < 3 and len(wanted) + sum(entry.name is not None for entry in wanted) < 3:
        raise file.invalid(
            command.entries[spectral].line,
            f"{command.entries[spectral].text.upper()} has {len(rest)} numbers, and takes mdc flow fhigh [msc]"
            f"{' after dir1 and dir2' if skipped else ''}.",
        )
    grid.directions = round(wanted[0].number or 0)
    frequencies = wanted[3].number if len(wanted) > 3 else None
    grid.frequencies = None if frequencies is None else round(frequencies) + 1
    if grid.directions < 1:
        raise file.invalid(wanted[0].line, "The number of directions, mdc, is not positive.")
    return grid


def _points(file: CommandFile, command: Command, entries: list[Entry], takes: str) -> tuple[int, int]:
    counts = [entry.number for entry in entries]
    if len(counts) != 2 or any(count is None or count != int(count) or count < 0 for count in counts):
        raise file.invalid(command.first_line, f"CGRID {takes}, two whole numbers.")
    return int(counts[0] or 0) + 1, int(counts[1] or 0) + 1


def _input(file: CommandFile, command: Command) -> InputField:
    entries = command.entries
    word = entries[0].text.upper() if entries and entries[0].number is None else ""
    non = command.find("NONST")
    spatial = [e for e in entries[:non] if e.number is not None]
    exception = command.find("EXC")
    if exception is not None and (non is None or exception < non):
        spatial = [e for e in entries[:exception] if e.number is not None]
    counts: tuple[int, int] | None = None
    if command.find("UNSTR") is None:
        is_curvilinear = command.find("CURV") is not None
        if not is_curvilinear and len(spatial) != 7:
            raise file.invalid(
                command.first_line,
                f"INPGRID {word} has {len(spatial)} numbers for its grid, and takes 7: xpinp ypinp alpinp mxinp myinp"
                " dxinp dyinp.",
            )
        pair = spatial[-2:] if is_curvilinear else spatial[3:5]
        if len(pair) == 2:
            counts = int(pair[0].number or 0) + 1, int(pair[1].number or 0) + 1
    if non is None:
        return InputField(word, command, counts)
    begin, step, end = _range(file, command, non, f"INPGRID {word} NONSTATIONARY")
    if begin is None or end is None:
        raise file.invalid(
            command.first_line, f"INPGRID {word} NONSTATIONARY takes tbeginp deltinp unit tendinp."
        )
    return InputField(word, command, counts, begin, step, end)


def _compute(case: Case, command: Command) -> Compute:
    index = _index(command, ("STAT", "NONST"))
    if index is None and not command.entries and not case.is_nonstationary:
        return Compute(command, True, None, 0, None)
    if index is not None and command.entries[index].is_word("STAT"):
        if len(command.entries) <= index + 1:
            return Compute(command, True, None, 0, None)
        entry = command.entries[index + 1]
        time = read_time(case.file, entry)
        return Compute(command, True, time, 0, time)
    begin, step, end = _range(case.file, command, -1 if index is None else index, "COMPUTE NONSTATIONARY")
    if not case.is_nonstationary:
        raise case.file.invalid(
            command.first_line,
            "COMPUTE has times, but MODE is not NONSTATIONARY; write MODE NONSTATIONARY above.",
        )
    previous = case.computes[-1].end if case.computes else None
    return Compute(command, False, previous if begin is None else begin, step, end)


def _range(
    file: CommandFile, command: Command, index: int, what: str
) -> tuple[int | None, float, int | None]:
    """Begin, step in seconds and end behind an entry."""
    entries = command.entries[index + 1 :]
    if not entries:
        return None, 0, None
    if len(entries) < 4:
        raise file.invalid(
            command.last_line, f"{what} takes a begin, a step, its unit (SEC, MIN, HR, DAY) and an end."
        )
    begin, end = read_time(file, entries[0]), read_time(file, entries[3])
    number = entries[1].number
    if number is None or not number > 0:
        raise file.invalid(entries[1].line, f"The step '{entries[1].text}' of {what} is no positive number.")
    if entries[2].text.upper()[:1] not in {"S", "M", "H", "D"}:
        raise file.invalid(
            entries[2].line, f"'{entries[2].text}' is no unit of time; take SEC, MIN, HR or DAY."
        )
    if end < begin or (end == begin and what.startswith("COMPUTE")):
        raise file.invalid(
            entries[3].line,
            f"{what} ends at {entries[3].text}, which is not after its begin {entries[0].text}.",
        )
    return begin, step_seconds(number, entries[2].text), end


def _index(command: Command, words: tuple[str, ...]) -> int | None:
    found = [at for at in (command.find(word) for word in words) if at is not None]
    return min(found, default=None)
