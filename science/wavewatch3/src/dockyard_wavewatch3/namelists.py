"""Namelists of a case: those that no build knows are refused, because a program passes over what it does not look for.

A name inside of a namelist is known where it stands in the program that reads it, as every name of a namelist does.
"""

import re
from collections.abc import Callable
from pathlib import Path

from dockyard_session.errors import ScienceError

#: The groups of parameters that ww3_grid reads, of builds with whatever physics.
_PARAMETERS = frozenset(
    """
    ANL2 ANL3 FLD1 FLD2 FLX3 FLX4 MISC OUTS PRO1 PRO2 PRO3 PRO4 PSMC REF1 ROTB ROTD SBT1 SBT4 SDB1 SDS1 SDS2 SDS3 SDS4
    SDS6 SIC2 SIC3 SIC4 SIC5 SIG1 SIN1 SIN2 SIN3 SIN4 SIN6 SIS1 SIS2 SLN1 SNL1 SNL2 SNL3 SNL4 SNL5 SNLS STR1 SWL6 UNST
    UOST
    """.split()  # noqa: SIM905 - a list of fifty words in quotes is not read
)
#: The programs that read a `.nml`, each with the groups of it, without their ending.
GROUPS = {
    "ww3_grid": {
        "SPECTRUM", "RUN", "TIMESTEPS", "GRID", "RECT", "CURV", "UNST", "SMC", "DEPTH", "MASK", "OBST", "SLOPE", "SED",
        "INBND_COUNT", "INBND_POINT", "EXCL_COUNT", "EXCL_POINT", "EXCL_BODY", "OUTBND_COUNT", "OUTBND_LINE",
    },
    "ww3_shel": {"DOMAIN", "INPUT", "OUTPUT_TYPE", "OUTPUT_DATE", "HOMOG_COUNT", "HOMOG_INPUT"},
    "ww3_bound": {"BOUND"},
    "ww3_bounc": {"BOUND"},
    "ww3_prnc": {"FORCING", "FILE"},
    "ww3_ounf": {"FIELD", "FILE", "SMC"},
    "ww3_ounp": {"POINT", "FILE", "SPECTRA", "PARAM", "SOURCE"},
    "ww3_trnc": {"TRACK", "FILE"},
}  # fmt: skip
#: The switches without which a program passes over a group, by its name, or its letters before a number of both.
_SWITCHES = {
    "SIN": "ST", "SDS": "ST", "SWL": "ST", "SNL": "NL", "ANL": "NL", "SLN": "LN", "SBT": "BT", "SDB": "DB", "SIS": "IS",
    "PRO": "PR", "FLX": "FLX", "FLD": "FLD", "REF": "REF", "ROTD": "RTD", "ROTB": "RTD", "PSMC": "SMC", "UOST": "UOST",
}  # fmt: skip
_GROUP = re.compile(r"^\s*&(\w+)")
_ENTRY = re.compile(r"(?<![\w%'\"])([A-Za-z]\w*)\s*(?:\([^)]*\)\s*)?=")
_END = "END OF NAMELISTS"


def check_groups(program: str, name: str, lines: list[str]) -> None:
    """Raise CASE_INVALID with the line of a namelist of the program's own file that the program does not look for."""
    _check(program, name, lines, lambda group: group.upper().removesuffix("_NML") in GROUPS[program])


def check_parameters(name: str, lines: list[str]) -> None:
    """Raise CASE_INVALID with the line of a namelist of parameters that ww3_grid looks for in no build."""
    # It compares four letters, and these as they are written.
    _check("ww3_grid", name, lines, lambda group: group[:4] in _PARAMETERS)


def unused_parameters(name: str, lines: list[str], switches: set[str]) -> list[str]:
    """A sentence about each namelist that a build with these switches passes over."""
    found: list[str] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith(_END):
            break
        group = _GROUP.match(line)
        switch = None if group is None else _switch_of(group[1])
        if group is not None and switch is not None and switch not in switches:
            build = f"is of builds with the switch {switch}, and this one passes over it."
            found.append(f"{name}, line {number}: &{group[1]} {build}")
    return found


def _switch_of(group: str) -> str | None:
    letters = _SWITCHES.get(group[:3])
    return _SWITCHES.get(group[:4]) if letters is None else letters + group[3:4]


def _check(program: str, name: str, lines: list[str], is_known: Callable[[str], bool]) -> None:
    for number, line in enumerate(lines, start=1):
        if line.startswith(_END):
            return
        found = _GROUP.match(line)
        if found is not None and not is_known(found[1]):
            said = f"{name}, line {number}: {program} knows no namelist &{found[1]}, and would pass over it."
            raise ScienceError("CASE_INVALID", said)


def unread_place(group: str, name: str, lines: list[str], program: Path) -> str:
    """The place of what a program cannot read in a namelist, and why: the first name that the program does not know."""
    known = program.read_bytes()
    begin = next(
        (at for at, line in enumerate(lines) if (found := _GROUP.match(line)) and found[1].upper() == group),
        None,
    )
    if begin is None:
        return name
    for number, line in enumerate(lines[begin:], start=begin + 1):
        bare = line.split("!")[0]
        for entry in _ENTRY.findall(bare):
            if entry.lower().encode() + b"\0" not in known:
                return f"{name}, line {number}: &{group} has no '{entry}' in this build"
        if bare.rstrip().endswith("/"):
            break
    return f"{name}, line {begin + 1}: a value of &{group} cannot be read"
