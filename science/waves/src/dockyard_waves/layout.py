"""Lays out the files of a job, and finds the case of a task among them.

A case is an archive, or one command file with its other files beside it. Its folder is the one in which its command
file lies, because the program runs there.
"""

import shutil
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from dockyard_session.errors import ScienceError
from dockyard_waves.archive import is_archive, unpack
from dockyard_waves.paths import inside

#: The place of a task's number in names.
INDEX = "{index}"
#: Endings of archives; a file of such a name is no command file.
_ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".txz", ".xz", ".bz2", ".tbz2", ".zst", ".7z", ".rar")
#: The most names that a message lists.
_SHOWN = 5


def lay_out_files(source: Path, source_name: str, others: Mapping[str, Path], folder: Path) -> list[str]:
    """Put the files of a job below the folder; answers their names, sorted.

    Raises CASE_UNREADABLE and CASE_PATH_REFUSED.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if is_archive(source):
        unpack(source, folder)
    elif source_name.lower().endswith(_ARCHIVES):
        raise ScienceError(
            "CASE_UNREADABLE", f"'{source_name}' is no archive of the kinds zip, tar, tar.gz and tar.xz."
        )
    else:
        shutil.copyfile(source, folder / inside(source_name, "The job"))
    for name, path in others.items():
        target = folder / inside(name, "The job")
        if target.exists():
            raise ScienceError(
                "CASE_UNREADABLE", f"The file '{name}' is there twice: in the case and attached to it."
            )
        shutil.copyfile(path, target)
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def find_command_file(names: list[str], told: str | None, patterns: tuple[str, ...], index: int) -> str:
    """The command file of a task: the one that the job names, with the task's number for `{index}`, or the only one.

    Raises CASE_FILE_MISSING where it is not there, CASE_INVALID where several may be meant.
    """
    if told is not None:
        name = inside(told.replace(INDEX, str(index)), "parameters.commandFile")
        if name in names:
            return name
        # An archive often has all of its files in one folder.
        ends = [each for each in names if each.endswith(f"/{name}")]
        if len(ends) == 1:
            return ends[0]
        raise ScienceError("CASE_FILE_MISSING", f"The case has no file '{name}'; it has {_listed(names)}.")
    found = [
        name for name in names if any(fnmatchcase(name.rsplit("/")[-1], pattern) for pattern in patterns)
    ]
    if len(found) == 1:
        return found[0]
    wanted = " or ".join(patterns)
    if found:
        raise ScienceError(
            "CASE_INVALID",
            f"Several files may be the command file: {_listed(found)}. Name it in parameters.commandFile.",
        )
    raise ScienceError(
        "CASE_FILE_MISSING", f"The case has no command file {wanted}; it has {_listed(names)}."
    )


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown or "no files"
