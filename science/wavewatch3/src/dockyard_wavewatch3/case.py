"""A case of WAVEWATCH III: which programs run on which files, in their order, and that what the files name is there.

`ww3_*.inp` and `ww3_*.nml` say what runs. A `.nml` wins over the `.inp` of its name, as in the programs themselves. Of
what makes inputs and outputs a case may have several, as in ww3_prep_wind.inp: each runs by itself.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_waves.layout import INDEX
from dockyard_waves.paths import inside
from dockyard_wavewatch3.namelists import GROUPS, check_groups, check_parameters
from dockyard_wavewatch3.shell import Shell, data_lines, read_shell

#: The programs before the run, the run, and those after it.
BEFORE = ("ww3_grid", "ww3_strt", "ww3_bound", "ww3_bounc", "ww3_prep", "ww3_prnc")
SHELL = "ww3_shel"
AFTER = ("ww3_outf", "ww3_outp", "ww3_ounf", "ww3_ounp", "ww3_trnc")
#: Programs that only builds with NetCDF have; src/tools/wavewatch3/pack.ts has the same names.
NETCDF = {"ww3_bounc", "ww3_prnc", "ww3_ounf", "ww3_ounp", "ww3_trnc"}
#: Programs of which a case may have one file alone.
_ONE = {"ww3_grid", "ww3_strt", SHELL}

_NAME = re.compile(
    r"^(ww3_(?:grid|strt|bound|prep|shel|outf|outp|prnc|bounc|ounf|ounp|trnc))(_[\w.-]*)?\.(inp|nml)$"
)
#: The line of ww3_prep that names the file of a field, behind the number of its unit. Unit 10 is the file of the
#: program itself, in which the numbers follow, and the name then means nothing.
FIELD_FILE = re.compile(r"^\s*(?!10\s)\d+\s+'([^']*)'\s*$")
_LAST_NAMELIST = "END OF NAMELISTS"
#: The name of a file with a map of numbers, in a line whose third number of six, or else first, is not unit 10.
MAP_FILE = re.compile(
    r"^(?!\s*10\s)(?!\s*\S+\s+\S+\s+10\s+\S+\s+\S+\s+\d+\s+').*'NAME'\s+'([^']*)'", re.I | re.M
)
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
#: The name of a file of NetCDF, in quotes, or alone in its line as in a list of ww3_bounc.
NETCDF_FILE = re.compile(r"(?:['\"]\s*|^\s*)([^'\"=]*\.nc4?)(?:\s*['\"]|\s*$)", re.I)
_PREFIX = re.compile(r"\bPREFIX\s*=\s*(?:'([^']*)'|\"([^\"]*)\")", re.I)
_NO_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:nan|inf(?:inity)?)(?![\w.])", re.I)
_FILE_ENTRY = re.compile(
    r"(?:^|[,\s])([\w%() ]*(?:FILENAME|FILE|GRID\s*%\s*NML))\s*=\s*(['\"])(.*?)\2", re.I | re.M
)


@dataclass(frozen=True)
class Step:
    """A program with the file that it reads, and the name under which it reads it."""

    program: str
    file: str
    reads: str


@dataclass(frozen=True)
class Case:
    """The case, in the folder in which its programs run."""

    root: Path
    before: tuple[Step, ...]
    shell: Shell
    shell_step: Step
    after: tuple[Step, ...]
    #: Files of programs that the build does not have.
    ignored: tuple[str, ...]


def find_root(folder: Path, names: list[str], index: int, count: int) -> Path:
    """The folder with the files of a task: the one whose name has its number, or the only one with ww3_shel.

    Raises CASE_FILE_MISSING, or CASE_INVALID where several may be meant.
    """
    found = sorted(
        {
            name.rpartition("/")[0]
            for name in names
            if re.match(r"^ww3_shel(_[\w.-]*)?\.(inp|nml)$", name.rpartition("/")[2])
        }
    )
    if count > 1:
        found = [each for each in found if re.search(rf"(?<!\d)0*{index}$", each)]
        if len(found) != 1:
            raise ScienceError(
                "CASE_FILE_MISSING",
                f"The case has no folder of its own for task {index}: name them with their number, as in run{INDEX}.",
            )
    if not found:
        raise ScienceError("CASE_FILE_MISSING", "The case has no ww3_shel.inp or ww3_shel.nml.")
    if len(found) > 1:
        listed = ", ".join(f"'{each or '.'}'" for each in found[:5])
        raise ScienceError(
            "CASE_INVALID", f"Several folders have a ww3_shel: {listed}. Leave one, or make tasks of them."
        )
    return folder / found[0]


def read_case(root: Path, netcdf: Collection[str] = ()) -> Case:
    """Read and check a case, for a build with these programs of NetCDF; raises CASE_* with file and line."""
    files = {path.name: path for path in root.iterdir() if path.is_file()}
    chosen = {program: _chosen(program, sorted(files)) for program in (*BEFORE, SHELL, *AFTER)}
    for program in ("ww3_grid", SHELL):
        if not chosen[program]:
            raise ScienceError("CASE_FILE_MISSING", f"The case has no {program}.inp or {program}.nml.")
    shell_step = chosen[SHELL][0]
    without = NETCDF.difference(netcdf)
    for program in BEFORE:
        if program in without and chosen[program]:
            told = f"{chosen[program][0].file}: this build reads no NetCDF: name one that does in parameters.physics,"
            raise ScienceError("CASE_INVALID", f"{told} or give the data to ww3_prep or ww3_bound as text.")
    ignored = tuple(step.file for program in AFTER if program in without for step in chosen[program])
    before = tuple(step for program in BEFORE for step in chosen[program])
    after = tuple(step for program in AFTER if program not in without for step in chosen[program])
    for step in (*before, shell_step, *after):
        _check_file(root, step, files)
    shell = read_shell(shell_step.file, files[shell_step.file].read_text(encoding="latin-1"))
    tracks = next((step for step in after if step.program == "ww3_trnc"), None)
    if tracks is not None and not shell.active("TRACK"):
        raise ScienceError(
            "CASE_INVALID", f"{tracks.file}: there are no tracks, because {shell.name} asks for none."
        )
    return Case(root, before, shell, shell_step, after, ignored)


def parameter_files(case: Case) -> list[str]:
    """The files with namelists of parameters: ww3_grid.inp, or those that ww3_grid.nml names."""
    for step in case.before:
        if step.program == "ww3_grid" and step.file.endswith(".nml"):
            entries = _FILE_ENTRY.finditer((case.root / step.file).read_text(encoding="latin-1"))
            named = [entry[3] for entry in entries if "NML" in entry[1].upper()]
            return [name for name in named if (case.root / name).is_file()]
    return [step.file for step in case.before if step.program == "ww3_grid"]


def _chosen(program: str, names: list[str]) -> list[Step]:
    """The files that the program runs on: a plain name before those with an ending of their own."""
    found = [(match, name) for name in names if (match := _NAME.match(name)) and match[1] == program]
    by_name = {match[2]: match[3] for match, _name in found if match[3] == "inp" or program in GROUPS}
    found = [(match, name) for match, name in found if match[3] == by_name.get(match[2])]
    plain = [(match, name) for match, name in found if not match[2]]
    if program in _ONE:
        if not plain and len(found) > 1:
            listed = ", ".join(name for _match, name in found)
            raise ScienceError(
                "CASE_INVALID", f"Several files may be meant for {program}: {listed}. Name one {program}.inp."
            )
        found = plain or found
    ordered = sorted(found, key=lambda each: (each[0][2] or "", each[1]))
    return [Step(program, name, f"{program}.{match[3]}") for match, name in ordered]


def _check_file(root: Path, step: Step, files: dict[str, Path]) -> None:
    lines = files[step.file].read_text(encoding="latin-1").split("\n")
    (_check_namelist if step.file.endswith(".nml") else _check_input)(root, step, lines)


def _check_namelist(root: Path, step: Step, lines: list[str]) -> None:
    name = step.file
    check_groups(step.program, name, lines)
    bare = [line.split("!")[0] for line in lines]
    for match in _FILE_ENTRY.finditer("\n".join(bare)):
        named = match[3]
        if named and named.lower() != "unset":
            line = next((number for number, each in enumerate(lines, start=1) if named in each), 1)
            _check_named(root, name, line, named)
            if "NML" in match[1].upper():
                check_parameters(named, (root / named).read_text(encoding="latin-1").split("\n"))
            if step.program == "ww3_bounc":
                _check_list(root, named)
    for number, told in enumerate(bare, start=1):
        prefix = _PREFIX.search(told)
        if prefix is not None:
            _check_prefix(f"{name}, line {number}", prefix[1] or prefix[2] or "")


def _check_input(root: Path, step: Step, lines: list[str]) -> None:
    name = step.file
    if name.startswith("ww3_grid"):
        _check_namelists_end(name, lines)
        check_parameters(name, lines)
    for number in data_lines("\n".join(lines)):
        told, place = lines[number], f"{name}, line {number + 1}"
        odd = _NO_NUMBER.search(_QUOTED.sub("''", told))
        if odd is not None:
            raise ScienceError("CASE_INVALID", f"{place}: '{odd[0]}' is no number.")
        for match in _QUOTED.finditer(told):
            quoted = match[1] or match[2] or ""
            if quoted.startswith("/") or ".." in quoted.split("/") or "\\" in quoted:
                inside(quoted, place)
        if step.program in NETCDF.intersection(AFTER):
            # A prefix is the first word of its line, behind which a line may say anything.
            _check_prefix(place, told.split()[0].strip("'\""))
        for named in _names_in(step, told):
            _check_named(root, name, number + 1, named)


def _names_in(step: Step, told: str) -> list[str]:
    """The files that a line names."""
    found = [*MAP_FILE.finditer(told)]
    if step.program == "ww3_prep":
        found += [*FIELD_FILE.finditer(told)]
    if step.program in NETCDF.intersection(BEFORE):
        found += [*NETCDF_FILE.finditer(told)]
    return [match[1] for match in found]


def _check_list(root: Path, name: str) -> None:
    """The files of boundary spectra that a list names."""
    for number, line in enumerate((root / name).read_text(encoding="latin-1").split("\n"), start=1):
        if line.strip():
            _check_named(root, name, number, line.strip().strip("'\""))


def _check_prefix(place: str, told: str) -> None:
    """Outputs lie in the folder of the case, where they are looked for."""
    if told != "/" and ("/" in told or "\\" in told):
        inside(told, place)
        raise ScienceError("CASE_INVALID", f"{place}: outputs are written into no folder: leave the '/' out.")


def _check_namelists_end(name: str, lines: list[str]) -> None:
    """The program reads all that comes before this line as namelists, and knows it by its first column."""
    number = next(
        (number for number, line in enumerate(lines) if line.strip().startswith(_LAST_NAMELIST)), None
    )
    if number is None or not lines[number].startswith(_LAST_NAMELIST):
        place = name if number is None else f"{name}, line {number + 1}"
        raise ScienceError(
            "CASE_INVALID", f"{place}: a line of '{_LAST_NAMELIST}', from its first column on, is missing."
        )


def _check_named(root: Path, name: str, line: int, named: str) -> None:
    path = inside(named, f"{name}, line {line}")
    if (root / path).is_file():
        return
    alike = next((each.name for each in root.iterdir() if each.name.lower() == Path(path).name.lower()), None)
    hint = f" The case has '{alike}'." if alike is not None else ""
    raise ScienceError(
        "CASE_FILE_MISSING", f"{name}, line {line}: the file '{path}' is not in the case.{hint}"
    )
