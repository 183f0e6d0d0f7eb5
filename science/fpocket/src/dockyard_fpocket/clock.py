"""A clock that stands still for fpocket, whose volumes are drawn by chance with the time as seed.

A library of a few lines takes the place of `time()` in the program; it is compiled in the session's own folder. Without
a compiler, and in a program that loads no libraries, the clock is not fixed, which the report then says.
"""

import shutil
import subprocess
from pathlib import Path

#: The variable that tells the library what `time()` answers, in seconds.
CLOCK_VARIABLE = "DOCKYARD_CLOCK_SECONDS"

_SOURCE = f"""#include <stdlib.h>
#include <time.h>
time_t time(time_t *t) {{ time_t n = atoll(getenv("{CLOCK_VARIABLE}")); if (t) *t = n; return n; }}
"""
_COMPILERS = ("cc", "gcc", "clang")
_SECONDS = 60

# The path of the loader stands near the beginning of a program that loads libraries.
_HEAD_BYTES = 4096
_LOADER = b"/ld-"


def loads_libraries(program: Path) -> bool:
    """Whether a program loads shared libraries, so that one can be put in front; False also where that is not seen."""
    with program.open("rb") as file:
        return _LOADER in file.read(_HEAD_BYTES)


def build_clock(folder: Path) -> Path | None:
    """Compile the library below `folder`; None where there is no compiler that can."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source, library = folder / "clock.c", folder / "clock.so"
    source.write_text(_SOURCE, encoding="ascii")
    for compiler in filter(None, map(shutil.which, _COMPILERS)):
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source)]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)  # noqa: S603 - from this list
        except (subprocess.SubprocessError, OSError):
            continue
        return library
    return None
