"""Whether a scene can be drawn here as it is meant: what would draw another picture is told before it is paid.

Warnings are of what is left out on purpose: scripts, files that the compositor writes, texts and limits that differ
from run to run.
"""

from typing import Any

from dockyard_blender.assets import Findings
from dockyard_blender.opening import Opened
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning

#: The longest side of a picture.
MOST_PIXELS_A_SIDE = 16_384
_NAMED = 5
#: Pictures that are read to their last pixel; a sequence of tens of thousands would take longer than its frames.
_MOST_READ = 1000


def check_scene(opened: Opened, scene: Any, frames: list[int]) -> None:
    """Raise the failure of a scene that cannot be drawn: ENGINE_UNSUPPORTED, CAMERA_MISSING, RESOLUTION_TOO_LARGE."""
    engine = scene.render.engine
    if engine != "CYCLES":
        raise ScienceError(
            "ENGINE_UNSUPPORTED",
            f"The scene {scene.name} is drawn with {engine}, which needs a GPU with a screen; here Cycles draws. Choose"
            " Cycles in the properties of the render.",
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
    percent = render.resolution_percentage / 100
    return max(1, int(render.resolution_x * percent)), max(1, int(render.resolution_y * percent))


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
    found = [_scripts(opened), _simulations(opened, scene), _left_out(scene)]
    return [warning for warning in found if warning is not None]


def _scripts(opened: Opened) -> TaskWarning | None:
    bpy = opened.bpy
    named = [f"the text {text.name}" for text in bpy.data.texts if text.use_module]
    for blocks in _animated(bpy):
        for block in blocks:
            data = getattr(block, "animation_data", None)
            for curve in [] if data is None else data.drivers:
                if curve.driver.type == "SCRIPTED" and not curve.driver.is_simple_expression:
                    named.append(f"the driver of {curve.data_path} of {block.name}")
    if not named:
        return None
    message = f"Scripts of the scene do not run: {_told(named)} What they would set stays as it was saved."
    return {"code": "SCRIPTS_DISABLED", "message": message}


def _animated(bpy: Any) -> list[Any]:
    data = bpy.data
    return [
        getattr(data, name)
        for name in (
            "objects",
            "materials",
            "meshes",
            "curves",
            "lights",
            "cameras",
            "worlds",
            "node_groups",
            "shape_keys",
            "armatures",
            "scenes",
            "particles",
        )
    ]


def _simulations(opened: Opened, scene: Any) -> TaskWarning | None:
    """Simulations count from frame to frame, and a frame that is drawn alone has none before it."""
    named = []
    world = scene.rigidbody_world
    if world is not None and world.enabled and not world.point_cache.is_baked:
        named.append("the rigid bodies")
    for thing in scene.objects:
        for modifier in thing.modifiers:
            if modifier.type in {"CLOTH", "SOFT_BODY"} and not modifier.point_cache.is_baked:
                named.append(f"{modifier.name} of {thing.name}")
        for system in thing.particle_systems:
            cache = system.point_cache
            if system.settings.type == "EMITTER" and not (cache.is_baked or cache.use_external):
                named.append(f"{system.name} of {thing.name}")
    if not named:
        return None
    message = (
        f"Not baked: {_told(named)} Each frame is drawn by itself, so it may not be as in playback. Bake to disk"
        " cache in Blender, and save."
    )
    return {"code": "SIMULATION_NOT_BAKED", "message": message}


def compositor_of(scene: Any) -> Any:
    """The compositor of a scene, None for none; from Blender 5.0 on it is a group of nodes."""
    if hasattr(scene, "compositing_node_group"):
        return scene.compositing_node_group
    return scene.node_tree if scene.use_nodes else None


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
