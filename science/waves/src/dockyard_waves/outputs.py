"""The outputs of a task: 200 of them with plain names; what is more, or has another name, goes into one tar."""

import re
import tarfile
from collections.abc import Sequence
from pathlib import Path

from dockyard_session.tool import Output

#: The most outputs of a task, `case.tar` and its list among them.
MOST_OUTPUTS = 200
REST, REST_LIST = "case.tar", "case.txt"

_PLAIN = re.compile(r"^(?!\.{1,2}$)[\w.+=@,:~-]{1,100}$")
_MEDIA = {
    ".json": "application/json",
    ".mat": "application/x-matlab-data",
    ".nc": "application/x-netcdf",
    ".tar": "application/x-tar",
}
_FORMAT = re.compile(r"^[a-z0-9]{1,16}$")


def is_plain(name: str) -> bool:
    """Whether a store takes the name as it is."""
    return len(name) < 200 and all(_PLAIN.match(part) for part in name.split("/"))


def output_of(name: str, kind: str) -> Output:
    """An output with its media type and its format, which is the ending of its name."""
    ending = Path(name).suffix.lower()
    form = ending[1:] if _FORMAT.match(ending[1:]) else None
    binary = {"restart": "application/octet-stream"}.get(kind, "text/plain")
    return Output(path=name, kind=kind, mediaType=_MEDIA.get(ending, binary), format=form)


def gather(
    out: Path, folder: str, files: Sequence[tuple[str, str]], always: Sequence[Output]
) -> list[Output]:
    """The outputs for files with their kinds; those that do not fit are packed below the folder."""
    room = MOST_OUTPUTS - len(always)
    plain = [(name, kind) for name, kind in files if is_plain(name)]
    if len(plain) == len(files) and len(files) <= room:
        return [*always, *(output_of(name, kind) for name, kind in files)]
    kept = plain[: room - 2]
    rest = [name for name, kind in files if (name, kind) not in kept]
    with tarfile.open(out / folder / REST, "w", format=tarfile.PAX_FORMAT) as archive:
        for name in rest:
            info = tarfile.TarInfo(name.removeprefix(folder))
            info.size = (out / name).stat().st_size
            with (out / name).open("rb") as content:
                archive.addfile(info, content)
            (out / name).unlink()
    listed = "".join(f"{name.removeprefix(folder)}\n" for name in rest)
    (out / folder / REST_LIST).write_text(listed, encoding="utf-8")
    packed = [output_of(folder + REST, "archive"), output_of(folder + REST_LIST, "log")]
    return [*always, *(output_of(name, kind) for name, kind in kept), *packed]
