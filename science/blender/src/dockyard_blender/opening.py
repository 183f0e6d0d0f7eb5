"""Blender in this process: scenes are opened as they are, without scripts, add-ons, preferences and network."""

import ctypes
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dockyard_blender.header import check_version, unreadable
from dockyard_session.errors import ScienceError

_LIBC = ctypes.CDLL(None)
#: The folder of the files of a job below the home of its session.
PACKAGE = "package"
#: What Blender prints of the configuration of colours that the variable names, and where it takes its own instead.
_USES_OCIO, _LEFT_OCIO = "as a configuration file", "Failed to load config"
#: What Blender prints of a colour space, view, look or display that its configuration does not have.
_NO_SPACE = re.compile(r'(?:color|colour).*?"([^"]+)".*?not found', re.IGNORECASE)


def start_blender(home: Path, ocio: Path | None, threads: int) -> Any:
    """Blender as a module, with its own defaults and so many threads; it reads the configuration of colours once.

    Raises COLOR_SPACE_MISSING for a configuration that it cannot read, and for any in a site's own program, which has
    started already.
    """
    # Folders of a person's preferences and add-ons, and what Blender writes for itself.
    for name in ("CONFIG", "SCRIPTS", "EXTENSIONS", "DATAFILES"):
        os.environ[f"BLENDER_USER_{name}"] = str(home / name.lower())
    if ocio is not None:
        if "bpy" in sys.modules:
            raise ScienceError(
                "COLOR_SPACE_MISSING",
                "parameters.ocio: the Blender of this installation takes its own configuration of colours alone.",
            )
        os.environ["OCIO"] = str(ocio)
    with _processors(threads), _printed() as text:
        import bpy

        bpy.ops.wm.read_factory_settings(use_empty=True)
    if ocio is not None and (_USES_OCIO not in text[0] or _LEFT_OCIO in text[0]):
        why = "Blender cannot read it" if ocio.is_file() else "the package has no such file"
        said = ocio.relative_to(home / PACKAGE)
        raise ScienceError("COLOR_SPACE_MISSING", f"parameters.ocio: {said}: {why}.")
    return bpy


@contextmanager
def _processors(count: int) -> Iterator[None]:
    """Show so many processors while Blender starts: its scheduler has a thread for each, and those without work spin.

    Two sessions of one thread on two processors would take a third longer for each other's idle threads.
    """
    if sys.platform != "linux":
        yield
        return
    allowed = os.sched_getaffinity(0)
    # Sessions that start at once should not all do so on the first of them.
    os.sched_setaffinity(0, random.sample(sorted(allowed), min(count, len(allowed))))
    try:
        yield
    finally:
        for thread in Path("/proc/self/task").iterdir():
            with suppress(ProcessLookupError):
                os.sched_setaffinity(int(thread.name), allowed)


def build_of(bpy: Any) -> str | None:
    """The build of a site's own program, so that frames of another do not stand for its own; None for the module."""
    if not bpy.app.binary_path:
        return None
    digest = json.loads(os.environ["DOCKYARD_PACK"])["digest"]
    return f"{'.'.join(map(str, bpy.app.version))} {digest}"


class Opened:
    """A scene file that is open."""

    def __init__(self, bpy: Any, path: Path, version: tuple[int, int], printed: str) -> None:
        """Keep what the file says of itself, and what Blender printed while it read it."""
        self.bpy = bpy
        self.path = path
        self.version = version
        self.printed = printed

    def missing_spaces(self) -> list[str]:
        """Colour spaces, views and looks that the configuration lacks; Blender takes others in their places."""
        return sorted({found[1] for found in _NO_SPACE.finditer(self.printed)})

    def scene(self, name: str | None) -> Any:
        """The scene of the file that is drawn; raises SCENE_UNREADABLE where there is none of the name."""
        if name is None:
            return self.bpy.context.scene
        found = self.bpy.data.scenes.get(name)
        if found is None:
            names = ", ".join(sorted(each.name for each in self.bpy.data.scenes))
            raise ScienceError("SCENE_UNREADABLE", f"The file has no scene {name}. It has: {names}.")
        return found


def open_scene(bpy: Any, path: Path) -> Opened:
    """Open a scene file; raises SCENE_UNREADABLE, SCENE_TOO_NEW."""
    version = check_version(path, tuple(bpy.app.version[:2]))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with _printed() as text:
        try:
            bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, use_scripts=False)
        except RuntimeError as error:
            raise unreadable(_reason_of(error)) from error
    return Opened(bpy, path, version, text[0])


def _reason_of(error: RuntimeError) -> str:
    lines = [line.removeprefix("Error:").strip() for line in str(error).splitlines()]
    words = next((line for line in lines if line), "Blender refuses it")
    # The file's place on this machine is nobody's business.
    return re.sub(r'"?/\S*?\.blend"?', "the file", words).rstrip(".")


@contextmanager
def _printed() -> Iterator[list[str]]:
    """Collect what is printed to standard output and error by anybody in the process, and print it again."""
    texts = [""]
    with tempfile.TemporaryFile() as file:
        _LIBC.fflush(None)
        kept = [os.dup(1), os.dup(2)]
        for descriptor in (1, 2):
            os.dup2(file.fileno(), descriptor)
        try:
            yield texts
        finally:
            # What Blender has printed may still be in the buffer of C.
            _LIBC.fflush(None)
            for descriptor, before in zip((1, 2), kept, strict=True):
                os.dup2(before, descriptor)
                os.close(before)
            file.seek(0)
            data = file.read()
            texts[0] = data.decode("utf-8", "replace")
            os.write(1, data)
