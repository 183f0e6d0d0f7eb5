"""The preparation of a render: the scene is opened and checked, and its first frame is drawn small, free of charge.

What is wrong fails the job here, with the path of each thing as the customer knows it. `scene.json` says how the scene
was understood.
"""

import math
from pathlib import Path
from typing import Any

from dockyard_blender.animation import samples_in
from dockyard_blender.assets import Findings, find_assets
from dockyard_blender.checks import (
    camera_at,
    check_assets,
    check_libraries,
    check_pictures,
    check_scene,
    size_of,
    warnings_of,
)
from dockyard_blender.chunks import chunk_samples_of, why_whole
from dockyard_blender.drawing import Drawn, apply_settings, draw_preview, peak_memory_bytes
from dockyard_blender.header import text_of
from dockyard_blender.opening import Opened, build_of
from dockyard_blender.sizes import check_picture
from dockyard_blender.spec import RenderSpec, frames_of
from dockyard_blender.tree import Places
from dockyard_session.canonical import write_json
from dockyard_session.errors import ScienceError
from dockyard_session.protocol import fit_summary
from dockyard_session.tool import Output, TaskResult, TaskWarning
from dockyard_session.toolchain import cpu_class

#: The format of scene.json; one with another meaning gets another name.
SCHEMA = "dockyard.render.scene/v1"
SCENE, PREVIEW = "scene.json", "preview.png"
_LISTED = 10_000
#: Bytes of a pixel while Cycles draws it, of each pass beside its colours, and of denoising; measured at 3840 x 2160.
_PIXEL_BYTES, _PASS_BYTES, _DENOISING_BYTES = 64, 36, 190
#: A part of the limit is left for what grows while a frame is drawn.
_MEMORY_SHARE = 0.9


def prepare(opened: Opened, places: Places, spec: RenderSpec, out: Path) -> TaskResult:
    """Check a scene that is open and draw its preview; raises the code of what is wrong."""
    bpy, frames = opened.bpy, frames_of(spec)
    scene = opened.scene(spec["settings"]["scene"])
    warnings = warnings_of(opened, scene)
    apply_settings(bpy, scene, spec)
    check_scene(opened, scene, frames)
    findings = find_assets(bpy, scene, places, frames)
    check_libraries(opened)
    warnings += check_assets(opened, findings, only_warn=spec["missingAssets"] == "warn")
    for picture in findings.pictures:
        with picture.opens() as file:
            check_picture(picture.said, file, spec["memoryBytes"] * _MEMORY_SHARE)
    warnings += check_pictures(findings, only_warn=spec["missingAssets"] == "warn")
    if spec["isDefaultFrame"]:
        warnings.append(_range_warning(scene))
    scene.frame_set(frames[0])
    size, samples = size_of(scene), samples_in(scene, frames)
    facts = _facts(opened, scene, spec, findings) | {"samples": max(samples)}
    preview = draw_preview(bpy, scene, frames[0], out / PREVIEW)
    memory = _memory_needed(scene, size, preview)
    _check_memory(memory, spec["memoryBytes"])
    # The samples may be others in each frame: the job is told of the mean, and is cut for the longest.
    seconds = estimated_seconds(preview, size, sum(samples) / len(samples))
    longest = estimated_seconds(preview, size, max(samples))
    whole = why_whole(
        scene, with_passes=spec["settings"]["passes"], on_gpu=spec.get("device") == "gpu", seconds=longest
    )
    report = {
        **facts,
        "chunkSamples": None if whole is not None else chunk_samples_of(max(samples), longest),
        "preview": {"frame": frames[0], "width": preview.width, "height": preview.height},
        "memoryBytes": memory,
        "estimatedSecondsPerFrame": seconds,
        "warnings": warnings,
    }
    write_json(out / SCENE, report)
    return [
        Output(path=SCENE, kind="scene", mediaType="application/json", format="json"),
        Output(path=PREVIEW, kind="preview", mediaType="image/png", format="png"),
    ], fit_summary(_summary(report, frames, warnings, whole=whole, build=build_of(bpy)))


def _summary(
    report: dict[str, Any],
    frames: list[int],
    warnings: list[TaskWarning],
    *,
    whole: str | None,
    build: str | None,
) -> dict[str, Any]:
    told = (
        "scene",
        "camera",
        "width",
        "height",
        "samples",
        "usesAdaptiveSampling",
        "preview",
        "blenderVersion",
    )
    return {
        **{name: report[name] for name in told},
        "frameCount": len(frames),
        "estimatedSecondsPerFrame": report["estimatedSecondsPerFrame"],
        "memoryBytes": report["memoryBytes"],
        "resumable": whole is None,
        "resumableReason": None
        if whole is None
        else f"A frame is drawn in one piece, because {whole}; frames that are done are kept.",
        "cpuClass": cpu_class(),
        "warnings": list(warnings),
        **({} if build is None else {"build": build}),
    }


def _facts(opened: Opened, scene: Any, spec: RenderSpec, findings: Findings) -> dict[str, Any]:
    width, height = size_of(scene)
    return {
        "schema": SCHEMA,
        "file": spec["scene"],
        "fileVersion": text_of(opened.version),
        "blenderVersion": ".".join(str(part) for part in opened.bpy.app.version),
        "engine": scene.render.engine,
        "scene": scene.name,
        "viewLayers": [layer.name for layer in scene.view_layers if layer.use],
        "camera": camera_at(scene, frames_of(spec)[0]).name,
        "width": width,
        "height": height,
        "usesAdaptiveSampling": bool(scene.cycles.use_adaptive_sampling),
        "denoises": bool(scene.cycles.use_denoising),
        "seed": int(scene.cycles.seed),
        "isTransparent": bool(scene.render.film_transparent),
        "framesPerSecond": round(scene.render.fps / scene.render.fps_base, 3),
        "sceneRange": {"start": scene.frame_start, "end": scene.frame_end, "step": scene.frame_step},
        "files": [{"path": path, "usedBy": owner} for path, owner in sorted(set(findings.present))[:_LISTED]],
    }


def _range_warning(scene: Any) -> TaskWarning:
    start, end, step = scene.frame_start, scene.frame_end, scene.frame_step
    ranges = f"{start}-{end}" if step == 1 else f"{start}-{end}:{step}"
    told = f"frame {start} alone" if start == end else f"the frames {ranges}"
    message = f"No frame was asked for, so frame 1 is drawn. The scene itself has {told}."
    return {"code": "FRAME_DEFAULTED", "message": message}


def estimated_seconds(preview: Drawn, size: tuple[int, int], samples: float) -> float:
    """The seconds of a frame, as its pixels and samples stand to those of the preview; most with adaptive sampling."""
    pixels = size[0] * size[1] / (preview.width * preview.height)
    factor = pixels * samples / max(1, preview.samples)
    return round(preview.seconds - preview.sampling_seconds + preview.sampling_seconds * factor, 2)


def _memory_needed(scene: Any, size: tuple[int, int], preview: Drawn) -> int:
    passes = sum(_passes_of(layer) for layer in scene.view_layers if layer.use) - 1
    denoising = _DENOISING_BYTES if scene.cycles.use_denoising else 0
    pixels = size[0] * size[1] - preview.width * preview.height
    return peak_memory_bytes() + max(0, pixels) * (_PIXEL_BYTES + passes * _PASS_BYTES + denoising)


def _passes_of(layer: Any) -> int:
    """The passes of a view layer, its colours among them; a matte has one for every two of its levels."""
    names = {name for name in dir(layer) if name.startswith("use_pass_") and getattr(layer, name)}
    mattes = {name for name in names if "cryptomatte" in name} - {"use_pass_cryptomatte_accurate"}
    plain = [name for name in names if "cryptomatte" not in name and name != "use_pass_combined"]
    levels = len(mattes) * ((layer.pass_cryptomatte_depth + 1) // 2)
    return 1 + len(plain) + levels + len(layer.aovs) + len(layer.lightgroups)


def _check_memory(needed: int, limit: int) -> None:
    if needed <= limit * _MEMORY_SHARE:
        return
    gibibytes = math.ceil(needed / _MEMORY_SHARE / 2**30)
    raise ScienceError(
        "SCENE_NEEDS_MEMORY",
        f"A frame needs about {needed / 1e9:.1f} GB of memory, and may use {limit / 1e9:.1f} GB. Ask for"
        f" parameters.memoryGiB {gibibytes}, or simplify the scene, take smaller textures or a smaller"
        " resolutionPercent.",
    )
