"""The session of Blender: one process, one scene that stays open, one frame after the other."""

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from dockyard_blender.assets import find_assets
from dockyard_blender.checks import UNBAKED
from dockyard_blender.chunks import Note
from dockyard_blender.drawing import (
    ENDINGS,
    apply_settings,
    draw_frame,
    draw_in_chunks,
    peak_memory_bytes,
    room_for,
    threads_of,
    write_thumbnail,
)
from dockyard_blender.merging import merge
from dockyard_blender.opening import PACKAGE, Opened, open_scene, start_blender
from dockyard_blender.preparing import SCENE, prepare
from dockyard_blender.spec import FrameSpec, RenderSpec, frames_of, padded
from dockyard_blender.tree import Places, lay_out
from dockyard_session.protocol import TaskRequest
from dockyard_session.tool import Output, Reporter, TaskResult

#: The folders of `science/` whose code the tool is made of; session.ts of the tool has the same list.
FOLDERS = ("session", "blender")
_MEDIA_TYPES = {"PNG": "image/png", "EXR": "image/x-exr", "JPEG": "image/jpeg"}
_MIB = 1024 * 1024
_NUMBER = re.compile(r"\.(-?\d+)\.jpg$")


def open_session(spec: dict[str, Any]) -> "BlenderTool":
    """The tool of one session."""
    return BlenderTool(cast("RenderSpec", spec))


class BlenderTool:
    """Does the preparation, the frames and the sheet of a job."""

    def __init__(self, spec: RenderSpec) -> None:
        """Take the job; Blender is started with its first task, because the task brings the files."""
        self._spec = spec
        self._home = Path(tempfile.mkdtemp(prefix="blender-", dir="."))
        self._root = self._home.resolve() / PACKAGE
        self._bpy: Any = None
        self._open: tuple[Opened, Any] | None = None

    def run(self, task: TaskRequest, reporter: Reporter) -> TaskResult:
        """Do one task; raises ScienceError with the code of what is wrong."""
        task.out.mkdir(parents=True, exist_ok=True)
        bpy = self._started(task)
        if task.kind == "merge":
            return merge(bpy, _in_order(task.inputs), task.out)
        if task.kind == "prepare":
            self._open = None
            opened = open_scene(bpy, self._root / self._spec["scene"])
            reporter.progress(20)
            return prepare(opened, self._places(), self._spec, task.out)
        return self._frame(task, cast("FrameSpec", task.spec)["frame"], reporter)

    def forget(self) -> None:
        """Open the scene anew for the next task."""
        self._open = None

    def _started(self, task: TaskRequest) -> Any:
        if self._bpy is None:
            if task.kind != "merge":
                lay_out(self._root, self._spec["files"], dict(task.inputs))
            # A sheet is made of pictures alone, for which no file of the package is there.
            ocio = None if task.kind == "merge" else self._spec["ocio"]
            self._bpy = start_blender(
                self._home.resolve(), None if ocio is None else self._root / ocio, threads_of(self._spec)
            )
        return self._bpy

    def _places(self) -> Places:
        return Places(self._root, self._spec["attached"])

    def _scene(self) -> tuple[Opened, Any]:
        """The scene as it is drawn; it is opened once, so that each frame costs what it takes to draw."""
        if self._open is None:
            opened = open_scene(self._bpy, self._root / self._spec["scene"])
            scene = opened.scene(self._spec["settings"]["scene"])
            apply_settings(self._bpy, scene, self._spec)
            find_assets(self._bpy, scene, self._places(), frames_of(self._spec))
            self._open = (opened, scene)
        return self._open

    def _frame(self, task: TaskRequest, frame: int, reporter: Reporter) -> TaskResult:
        prepared = json.loads(task.inputs[f"prepared/{SCENE}"].read_bytes())
        if any(warning["code"] == UNBAKED for warning in prepared["warnings"]):
            # A simulation counts on from whatever was drawn before, so such a scene is opened for each frame.
            self._open = None
        _, scene = self._scene()
        reporter.working()
        wanted = self._spec["format"]
        name = f"frames/{self._spec['stem']}.{padded(frame)}{ENDINGS[wanted]}"
        thumbnail = f"thumbnails/{self._spec['stem']}.{padded(frame)}.jpg"
        # The samples of a chunk, as the preparation has decided; None for frames in one piece.
        chunk: int | None = prepared["chunkSamples"]
        if chunk is None:
            drawn = draw_frame(self._bpy, scene, frame, task.out / name, reporter.progress)
        else:
            # The number of samples may be another in each frame.
            scene.frame_set(frame)
            note = Note(frame, chunk, int(scene.cycles.samples))
            drawn = draw_in_chunks(
                self._bpy, scene, note, task.out / name, kept=task.inputs, reporter=reporter
            )
        with room_for(task.out):
            write_thumbnail(self._bpy, scene, task.out / thumbnail)
        outputs = [
            Output(path=name, kind="frame", mediaType=_MEDIA_TYPES[wanted], format=drawn.path.suffix[1:]),
            Output(path=thumbnail, kind="thumbnail", mediaType="image/jpeg", format="jpg"),
        ]
        return outputs, {
            "frame": frame,
            "width": drawn.width,
            "height": drawn.height,
            "samples": drawn.samples,
            "seconds": drawn.seconds,
            "memoryMiB": round(peak_memory_bytes() / _MIB),
            "pixelSha256": drawn.pixel_sha256,
        }


def _in_order(inputs: Mapping[str, Path]) -> list[Path]:
    """The small pictures by the numbers of their frames."""
    numbered = ((_NUMBER.search(name), path) for name, path in inputs.items())
    found = [(int(number[1]), path) for number, path in numbered if number is not None]
    return [path for _, path in sorted(found)]
