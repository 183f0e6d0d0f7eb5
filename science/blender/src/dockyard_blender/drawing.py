"""Draws frames: the settings of the request on the scene, and files with the same bytes in every run."""

import errno
import hashlib
import os
import re
import resource
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dockyard_blender.animation import SAMPLES, hold
from dockyard_blender.canonical import PictureError, make_canonical
from dockyard_blender.checks import file_outputs, size_of, whole_size_of
from dockyard_blender.chunks import Note, sum_of_chunks
from dockyard_blender.gpus import use_gpus
from dockyard_blender.needed import drawn_scenes
from dockyard_blender.spec import Format, RenderSpec, Settings
from dockyard_session.errors import ScienceError
from dockyard_session.tool import Reporter

ENDINGS: dict[Format, str] = {"PNG": ".png", "EXR": ".exr", "JPEG": ".jpg"}
_Animated = Literal["resolutionPercent", "samples", "denoise", "seed", "transparent"]
_SAMPLE = re.compile(r"Sample (\d+)/(\d+)")
_KIB = 1024
#: A disk with less room than this is full.
_LEAST_ROOM_BYTES = 256 * _KIB
#: Blender's own compression of PNG and quality of JPEG.
_PNG_COMPRESSION, _JPEG_QUALITY = 15, 90
_FORMAT_PARTS = ("media_type", "file_format", "color_mode", "color_depth", "exr_codec")
#: The name of a frame that was put together of chunks.
WHOLE = "dockyard-whole"
_PREVIEW_SIDE, _PREVIEW_SAMPLES, _THUMBNAIL_SIDE = 320, 16, 160
#: The settings that a scene may animate.
_ANIMATED: dict[_Animated, str] = {
    "resolutionPercent": "render.resolution_percentage",
    "samples": SAMPLES,
    "denoise": "cycles.use_denoising",
    "seed": "cycles.seed",
    "transparent": "render.film_transparent",
}
_PREVIEW_SETS = (SAMPLES, "render.resolution_x", "render.resolution_y", "render.resolution_percentage")


@dataclass(frozen=True)
class Drawn:
    """A frame that was drawn: its file, size, and what it took."""

    path: Path
    width: int
    height: int
    samples: int
    seconds: float
    #: The part of the time in which samples were drawn; the rest is the scene's, whatever the size of the picture.
    sampling_seconds: float
    pixel_sha256: str


def apply_settings(bpy: Any, scene: Any, spec: RenderSpec) -> None:
    """Set what the request says, and what must not differ from run to run.

    Raises SCENE_UNREADABLE, CAMERA_MISSING, GPU_UNUSABLE.
    """
    settings = spec["settings"]
    bpy.context.window.scene = scene
    render, cycles = scene.render, scene.cycles
    _choose_camera(scene, settings["camera"])
    _choose_layer(scene, settings["viewLayer"])
    if settings["resolutionPercent"] is not None:
        render.resolution_percentage = settings["resolutionPercent"]
    _choose_cycles(cycles, settings)
    if settings["transparent"] is not None:
        render.film_transparent = settings["transparent"]
    hold(scene, {path for name, path in _ANIMATED.items() if settings[name] is not None})
    render.use_stamp = False
    render.use_file_extension, render.use_overwrite, render.use_placeholder = True, True, False
    device = spec.get("device", "cpu")
    if device == "gpu":
        use_gpus(bpy)
    for each in drawn_scenes(scene):
        _hold_steady(each, threads_of(spec))
        each.cycles.device = device.upper()
    for node in file_outputs(scene):
        node.mute = True
    _choose_format(scene, spec["format"], with_passes=settings["passes"])


def _hold_steady(scene: Any, threads: int) -> None:
    """Set what would make pixels depend on the machine or on the frames before."""
    render, cycles = scene.render, scene.cycles
    render.threads_mode, render.threads = "FIXED", threads
    render.use_persistent_data = False
    cycles.denoising_use_gpu, cycles.time_limit = False, 0
    if hasattr(render, "compositor_device"):
        render.compositor_device = "CPU"


def threads_of(spec: RenderSpec) -> int:
    """The threads of a frame: those of the request, else one for each vCPU on which this session may compute."""
    return spec["threads"] or max(1, int(os.environ.get("DOCKYARD_SLOT_VCPUS", "1")))


def _choose_camera(scene: Any, name: str | None) -> None:
    if name is None:
        return
    found = scene.objects.get(name)
    if found is None or found.type != "CAMERA":
        names = ", ".join(sorted(each.name for each in scene.objects if each.type == "CAMERA"))
        raise ScienceError(
            "CAMERA_MISSING", f"The scene {scene.name} has no camera {name}. It has: {names or 'none'}."
        )
    scene.camera = found
    # Markers would switch to other cameras.
    for mark in scene.timeline_markers:
        mark.camera = None


def _choose_layer(scene: Any, name: str | None) -> None:
    if name is None:
        return
    if scene.view_layers.get(name) is None:
        names = ", ".join(each.name for each in scene.view_layers)
        raise ScienceError(
            "SCENE_UNREADABLE", f"The scene {scene.name} has no view layer {name}. It has: {names}."
        )
    for layer in scene.view_layers:
        layer.use = layer.name == name


def _choose_cycles(cycles: Any, settings: Settings) -> None:
    if settings["samples"] is not None:
        cycles.samples = settings["samples"]
    if settings["denoise"] is not None:
        cycles.use_denoising = settings["denoise"]
    if settings["seed"] is not None:
        cycles.seed, cycles.use_animated_seed = settings["seed"], False


def _choose_format(scene: Any, wanted: Format, *, with_passes: bool) -> None:
    image = scene.render.image_settings
    # From Blender 5.0 on formats are those of a kind of pictures.
    if hasattr(image, "media_type"):
        image.media_type = "MULTI_LAYER_IMAGE" if wanted == "EXR" and with_passes else "IMAGE"
    if wanted == "EXR":
        image.file_format = "OPEN_EXR_MULTILAYER" if with_passes else "OPEN_EXR"
        image.color_mode, image.color_depth, image.exr_codec = "RGBA", "32", "ZIP"
        # From Blender 5.0 on a scene has its passes in parts of the file.
        if hasattr(image, "use_exr_interleave"):
            image.use_exr_interleave = True
    elif wanted == "PNG":
        image.file_format = "PNG"
        image.color_mode = "RGBA" if scene.render.film_transparent else "RGB"
        image.color_depth, image.compression = "8", _PNG_COMPRESSION
    else:
        image.file_format, image.color_mode, image.quality = "JPEG", "RGB", _JPEG_QUALITY


def draw_frame(bpy: Any, scene: Any, frame: int, path: Path, progress: Callable[[float], None]) -> Drawn:
    """Draw a frame into the file `path`; raises OUTPUT_UNVERIFIED where Blender writes none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    scene.render.filepath = str(path.with_suffix(""))
    with _telling(bpy, progress) as sampled, room_for(path.parent):
        scene.frame_set(frame)
        bpy.ops.render.render(write_still=True, scene=scene.name)
        try:
            make_canonical(path)
        except (FileNotFoundError, PictureError) as error:
            raise ScienceError(
                "OUTPUT_UNVERIFIED", f"Blender wrote no whole picture of frame {frame}."
            ) from error
    width, height = size_of(scene)
    seconds = round(time.monotonic() - started, 3)
    sampling = sampled[-1] - sampled[0] if sampled else 0.0
    return Drawn(path, width, height, int(scene.cycles.samples), seconds, sampling, pixel_sha256(bpy, path))


def draw_in_chunks(
    bpy: Any, scene: Any, note: Note, path: Path, *, kept: Mapping[str, Path], reporter: Reporter
) -> Drawn:
    """Draw a frame by chunks of its samples, which are kept, into the file `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    chunk = path.with_name("chunk.exr")
    image = scene.render.image_settings
    # Another format may also change what it cannot have, such as the depth.
    own = [(name, getattr(image, name)) for name in _FORMAT_PARTS if hasattr(image, name)]

    def draw(offset: int, length: int) -> Any:
        cycles = scene.cycles
        cycles.use_sample_subset, cycles.sample_offset, cycles.sample_subset_length = True, offset, length
        _choose_format(scene, "EXR", with_passes=False)
        scene.render.filepath = str(chunk.with_suffix(""))
        scene.frame_set(note.frame)
        bpy.ops.render.render(write_still=True, scene=scene.name)
        reporter.progress(95 * (offset + length) / note.samples)
        return _pixels_of(bpy, chunk)

    with room_for(path.parent):
        mean = sum_of_chunks(draw, note, kept, path.parents[1], reporter)
        chunk.unlink(missing_ok=True)
        width, height = size_of(scene)
        whole = bpy.data.images.new(WHOLE, width, height, alpha=True, float_buffer=True)
        whole.pixels.foreach_set(mean)
        for name, value in own:
            setattr(image, name, value)
        whole.save_render(str(path), scene=scene)
        make_canonical(path)
    seconds = round(time.monotonic() - started, 3)
    return Drawn(path, width, height, note.samples, seconds, 0.0, pixel_sha256(bpy, path))


def _pixels_of(bpy: Any, path: Path) -> Any:
    """The pixels of a picture with four channels as they stand in its file."""
    import numpy

    picture = bpy.data.images.load(str(path), check_existing=False)
    try:
        _take_raw(picture)
        pixels = numpy.empty(len(picture.pixels), dtype=numpy.float32)
        picture.pixels.foreach_get(pixels)
        return pixels
    finally:
        bpy.data.images.remove(picture)


@contextmanager
def room_for(folder: Path) -> Iterator[None]:
    """Tell of a full disk where something fails because of it; Blender itself says so in the log alone."""
    try:
        yield
    except (OSError, RuntimeError, ScienceError, PictureError) as error:
        is_full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        if is_full or shutil.disk_usage(folder).free < _LEAST_ROOM_BYTES:
            raise ScienceError(
                "ENGINE_LIMIT_EXCEEDED", "There is no room on the disk for the picture."
            ) from error
        raise


@contextmanager
def _telling(bpy: Any, progress: Callable[[float], None]) -> Iterator[list[float]]:
    """Tell how many samples are drawn, and keep when; what remains after them is the last part of a frame."""
    times: list[float] = []

    def tell(text: object) -> None:
        found = _SAMPLE.search(str(text))
        if found is not None:
            times.append(time.monotonic())
            progress(95 * int(found[1]) / max(1, int(found[2])))

    handlers = bpy.app.handlers.render_stats
    handlers.append(tell)
    try:
        yield times
    finally:
        handlers.remove(tell)


def pixel_sha256(bpy: Any, path: Path) -> str:
    """SHA-256 of the decoded pixels as 32-bit floats, by rows from the bottom; of the file where it has passes."""
    import numpy

    image = bpy.data.images.load(str(path), check_existing=False)
    try:
        _take_raw(image)
        image.alpha_mode = "CHANNEL_PACKED"
        width, height = image.size
        if width * height == 0:
            return hashlib.sha256(path.read_bytes()).hexdigest()
        pixels = numpy.empty(width * height * image.channels, dtype=numpy.float32)
        image.pixels.foreach_get(pixels)
        return hashlib.sha256(pixels.tobytes()).hexdigest()
    finally:
        bpy.data.images.remove(image)


def _take_raw(image: Any) -> None:
    """Read the numbers of a picture as they stand; without a space for it Blender leaves those of our formats alone."""
    spaces = image.colorspace_settings.bl_rna.properties["name"].enum_items
    name = next((name for name in ("Non-Color", "Raw", "Utility - Raw") if name in spaces), None)
    if name is not None:
        image.colorspace_settings.name = name


def write_thumbnail(bpy: Any, scene: Any, path: Path) -> None:
    """Write the picture that was drawn last as a small JPEG, as a person would see it."""
    image = scene.render.image_settings
    # Another format may also change what it cannot have, such as the depth.
    kept = [(name, getattr(image, name)) for name in _FORMAT_PARTS if hasattr(image, name)]
    whole = path.with_name("whole.png")
    path.parent.mkdir(parents=True, exist_ok=True)
    if hasattr(image, "media_type"):
        image.media_type = "IMAGE"
    image.file_format = "PNG"
    # A frame of chunks is no result of one render.
    drawn = bpy.data.images.get(WHOLE) or bpy.data.images["Render Result"]
    drawn.save_render(str(whole), scene=scene)
    if drawn.name == WHOLE:
        bpy.data.images.remove(drawn)
    for name, value in kept:
        setattr(image, name, value)
    picture = bpy.data.images.load(str(whole), check_existing=False)
    try:
        factor = _THUMBNAIL_SIDE / max(*picture.size, _THUMBNAIL_SIDE)
        picture.scale(*(max(1, round(side * factor)) for side in picture.size))
        picture.file_format, picture.filepath_raw = "JPEG", str(path)
        picture.save()
    finally:
        bpy.data.images.remove(picture)
        whole.unlink()
    make_canonical(path)


def draw_preview(bpy: Any, scene: Any, frame: int, path: Path) -> Drawn:
    """Draw a frame small and with few samples, as a PNG; afterwards the scene is to be opened again."""
    _choose_format(scene, "PNG", with_passes=False)
    hold(scene, _PREVIEW_SETS)
    width, height = whole_size_of(scene)
    factor = min(1.0, _PREVIEW_SIDE / max(size_of(scene)))
    scene.render.resolution_x = max(1, round(width * factor))
    scene.render.resolution_y = max(1, round(height * factor))
    scene.render.resolution_percentage = 100
    scene.cycles.samples = min(int(scene.cycles.samples), _PREVIEW_SAMPLES)
    return draw_frame(bpy, scene, frame, path, lambda _: None)


def peak_memory_bytes() -> int:
    """The most memory that this process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB
