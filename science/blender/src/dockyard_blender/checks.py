"""Whether a scene can be drawn here as it is meant: what would draw another picture is told before it is paid.

Warnings are of what is left out on purpose: scripts, files that the compositor writes, texts and limits that differ
from run to run.
"""

from typing import Any

from dockyard_blender.assets import Findings
from dockyard_blender.header import text_of
from dockyard_blender.needed import compositor_of, drawn_scenes, needed_by
from dockyard_blender.opening import Opened
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning

#: The longest side of a picture.
MOST_PIXELS_A_SIDE = 16_384
_NAMED = 5
#: The warning of frames that depend on those before them, of which there are none here.
UNBAKED = "SIMULATION_NOT_BAKED"
#: Pictures that are read to their last pixel; a sequence of tens of thousands would take longer than its frames.
_MOST_READ = 1000


def check_scene(opened: Opened, scene: Any, frames: list[int]) -> None:
    """Raise the failure of a scene that cannot be drawn: ENGINE_UNSUPPORTED, CAMERA_MISSING, RESOLUTION_TOO_LARGE."""
    for each in drawn_scenes(scene):
        engine = each.render.engine
        if engine != "CYCLES":
            raise ScienceError(
                "ENGINE_UNSUPPORTED",
                f"The scene {each.name} is drawn with {engine}, which needs a GPU with a screen; here Cycles draws."
                " Choose Cycles in the properties of the render.",
            )
    if scene.render.use_multiview:
        raise ScienceError(
            "ENGINE_UNSUPPORTED",
            f"The scene {scene.name} has several views (stereoscopy), of which one frame makes several files."
            " Render one view at a time.",
        )
    for frame in frames:
        _check_camera(scene, frame)
    width, height = size_of(scene)
    if max(width, height) > MOST_PIXELS_A_SIDE:
        raise ScienceError(
            "RESOLUTION_TOO_LARGE",
            f"A frame would have {width} x {height} pixels, and a side may have {MOST_PIXELS_A_SIDE}.",
        )


def check_libraries(opened: Opened) -> None:
    """Raise SCENE_TOO_NEW where a library was written by a later Blender: what it brings would be other than it is."""
    installed = tuple(opened.bpy.app.version[:2])
    for library in opened.bpy.data.libraries:
        version = tuple(library.version[:2])
        if version > installed:
            raise ScienceError(
                "SCENE_TOO_NEW",
                f"The library {library.name} was written by Blender {text_of(version)}, and Blender"
                f" {text_of(installed)} would draw other pixels without a word. Ask for the software"
                f" blender-{text_of(version)}, or save the library for an older version (File, Save As, in that"
                " Blender).",
            )


def check_assets(opened: Opened, findings: Findings, *, only_warn: bool) -> list[TaskWarning]:
    """Raise ASSET_OUTSIDE_PACKAGE, ASSET_MISSING or COLOR_SPACE_MISSING, or answer them as warnings."""
    problems = [
        ("ASSET_OUTSIDE_PACKAGE", [f"{path} ({owner})" for path, owner in findings.outside]),
        ("ASSET_MISSING", [f"{path} ({owner})" for path, owner in findings.missing]),
        ("COLOR_SPACE_MISSING", opened.missing_spaces()),
    ]
    return _refused(problems, only_warn=only_warn)


def check_pictures(findings: Findings, *, only_warn: bool) -> list[TaskWarning]:
    """Raise ASSET_UNREADABLE, or answer it as a warning: Blender draws such a picture in pink, without a word."""
    looked_at = findings.pictures[:_MOST_READ]
    things = [f"{each.said} ({each.owner})" for each in looked_at if not each.is_readable()]
    return _refused([("ASSET_UNREADABLE", things)], only_warn=only_warn)


def _refused(problems: list[tuple[str, list[str]]], *, only_warn: bool) -> list[TaskWarning]:
    warnings: list[TaskWarning] = []
    for code, things in problems:
        if not things:
            continue
        message = _told(things)
        if not only_warn:
            raise ScienceError(code, message)
        warnings.append({"code": code, "message": message})
    return warnings


def _told(things: list[str]) -> str:
    unique = list(dict.fromkeys(things))
    more = f" and {len(unique) - _NAMED} more" if len(unique) > _NAMED else ""
    return f"{', '.join(unique[:_NAMED])}{more}."


def size_of(scene: Any) -> tuple[int, int]:
    """Width and height of a frame in pixels."""
    render = scene.render
    width, height = whole_size_of(scene)
    if not (render.use_border and render.use_crop_to_border):
        return width, height
    import numpy

    # Blender counts in 32 bits, and cuts what is behind the point.
    left, right, low, high = (
        int(numpy.float32(part) * numpy.float32(side))
        for part, side in (
            (render.border_min_x, width),
            (render.border_max_x, width),
            (render.border_min_y, height),
            (render.border_max_y, height),
        )
    )
    return max(1, right - left), max(1, high - low)


def whole_size_of(scene: Any) -> tuple[int, int]:
    """Width and height of a frame before it is cropped to its border."""
    render = scene.render
    percent = render.resolution_percentage
    return max(1, render.resolution_x * percent // 100), max(1, render.resolution_y * percent // 100)


def camera_at(scene: Any, frame: int) -> Any:
    """The camera of a frame: of the last marker with one until it, else of the first marker, else the scene's."""
    marks = [
        mark for mark in scene.timeline_markers if mark.camera is not None and not mark.camera.hide_render
    ]
    before = [mark for mark in marks if mark.frame <= frame]
    if before:
        return max(before, key=lambda mark: mark.frame).camera
    return min(marks, key=lambda mark: mark.frame).camera if marks else scene.camera


def _check_camera(scene: Any, frame: int) -> None:
    camera = camera_at(scene, frame)
    if camera is None:
        raise ScienceError("CAMERA_MISSING", f"The scene {scene.name} has no camera at frame {frame}.")
    if not any(thing == camera for thing in scene.objects):
        raise ScienceError(
            "CAMERA_MISSING",
            f"{camera.name}, the camera of frame {frame}, is not in the scene {scene.name} any more.",
        )


def warnings_of(opened: Opened, scene: Any) -> list[TaskWarning]:
    """What is left out of a scene on purpose, and what may not be as its maker sees it."""
    needed = sorted(needed_by(opened.bpy, scene), key=lambda each: (each.id_type, each.name_full))
    found = [_scripts(opened, needed), _simulations(scene, needed), _left_out(scene)]
    return [warning for warning in found if warning is not None]


def _scripts(opened: Opened, needed: list[Any]) -> TaskWarning | None:
    named = [f"the text {text.name}" for text in opened.bpy.data.texts if text.use_module]
    for block in needed:
        # The nodes of a material, a light or a world are animated by themselves.
        for part in (block, getattr(block, "node_tree", None)):
            data = getattr(part, "animation_data", None)
            for curve in [] if data is None else data.drivers:
                if curve.driver.type == "SCRIPTED" and not curve.driver.is_simple_expression:
                    named.append(f"the driver of {curve.data_path} of {block.name}")
    if not named:
        return None
    message = f"Scripts of the scene do not run: {_told(named)} What they would set stays as it was saved."
    return {"code": "SCRIPTS_DISABLED", "message": message}


def _simulations(scene: Any, needed: list[Any]) -> TaskWarning | None:
    """Simulations count from frame to frame, and a frame that is drawn alone has none before it."""
    named = []
    world = scene.rigidbody_world
    if world is not None and world.enabled and not world.point_cache.is_baked:
        named.append("the rigid bodies")
    for thing in (block for block in needed if block.id_type == "OBJECT"):
        for modifier in thing.modifiers:
            if _is_open(modifier):
                named.append(f"{modifier.name} of {thing.name}")
            elif _may_be_open(modifier):
                named.append(f"{modifier.name} of {thing.name}, unless it is baked into the file")
        for system in thing.particle_systems:
            cache = system.point_cache
            moves = system.settings.type == "EMITTER" or system.use_hair_dynamics
            if moves and not (cache.is_baked or cache.use_external):
                named.append(f"{system.name} of {thing.name}")
    if not named:
        return None
    message = (
        f"Not baked: {_told(named)} Each frame is drawn by itself, so it may not be as in playback. Bake to disk"
        " cache in Blender, and save."
    )
    return {"code": UNBAKED, "message": message}


def _is_open(modifier: Any) -> bool:
    """Whether a modifier simulates, and nothing of it is baked."""
    if modifier.type in {"CLOTH", "SOFT_BODY"}:
        return not modifier.point_cache.is_baked
    if modifier.type == "DYNAMIC_PAINT" and modifier.canvas_settings is not None:
        return any(not surface.point_cache.is_baked for surface in modifier.canvas_settings.canvas_surfaces)
    return any(
        _target_of(modifier, bake) == "DISK"
        and not (bake.directory if bake.use_custom_path else modifier.bake_directory)
        for bake in _simulations_of(modifier)
    )


def _may_be_open(modifier: Any) -> bool:
    """Whether a modifier simulates and would bake into the file, of which Blender does not tell whether it is done."""
    return any(_target_of(modifier, bake) == "PACKED" for bake in _simulations_of(modifier))


def _simulations_of(modifier: Any) -> list[Any]:
    bakes = modifier.bakes if modifier.type == "NODES" else []
    return [
        bake
        for bake in bakes
        if bake.node is not None and bake.node.bl_idname == "GeometryNodeSimulationOutput"
    ]


def _target_of(modifier: Any, bake: Any) -> str:
    """Where a simulation is baked to; the modifier says it where the bake does not."""
    return str(modifier.bake_target if bake.bake_target == "INHERIT" else bake.bake_target)


def file_outputs(scene: Any) -> list[Any]:
    """The nodes of the compositor that write files."""
    tree = compositor_of(scene)
    return (
        [] if tree is None else [node for node in tree.nodes if node.bl_idname == "CompositorNodeOutputFile"]
    )


def _left_out(scene: Any) -> TaskWarning | None:
    named = []
    if file_outputs(scene):
        named.append("files that the compositor writes")
    if scene.render.use_stamp:
        named.append("the stamp of date and names in the picture")
    if scene.cycles.time_limit > 0:
        named.append("the time limit of a frame, by which pictures would differ from machine to machine")
    if not named:
        return None
    return {"code": "SETTINGS_IGNORED", "message": f"Left out: {'; '.join(named)}."}
