"""Names of a case's files: each lies inside the case, and no other file of the machine can be named."""

import re
from pathlib import PurePosixPath

from dockyard_session.errors import ScienceError

#: The longest name of a file with its folders, in characters; Fortran programs keep fewer than this.
LONGEST_PATH = 255

_DRIVE = re.compile(r"^[A-Za-z]:")


def inside(name: str, place: str) -> str:
    """The name as a path below the case, with `/`; `place` says who names it.

    Raises CASE_PATH_REFUSED where the name leads out of the case or is none.
    """
    told = name.rstrip().replace("\\", "/")
    path = PurePosixPath(told)
    if not told or any(not character.isprintable() for character in told):
        raise refused(place, name, "it is empty, or has characters that are no text")
    if path.is_absolute() or _DRIVE.match(told):
        raise refused(place, name, "it is absolute: name the file relative to the case")
    if ".." in path.parts:
        raise refused(place, name, "'..' leads out of the case")
    if len(told) > LONGEST_PATH:
        raise refused(place, name[:60], f"it has more than {LONGEST_PATH} characters")
    parts = [part for part in path.parts if part != "."]
    if not parts:
        raise refused(place, name, "it names a folder")
    return "/".join(parts)


def refused(place: str, name: str, why: str) -> ScienceError:
    """The refusal of a name, with its place and why."""
    return ScienceError("CASE_PATH_REFUSED", f"{place} names '{name}', which is refused: {why}.")
