"""What the drawing of a scene needs of the data in its file.

A file lists much that nobody draws: images of brushes, pictures behind a camera in the viewport, materials that
nothing has. What is missing of that is no reason to refuse a scene, so only what can be reached from the scene counts.
"""

from typing import Any

#: What lies between a scene and things that are not drawn.
_NOT_DRAWN = frozenset({"BRUSH", "SCREEN", "WINDOWMANAGER", "WORKSPACE", "PALETTE", "PAINTCURVE", "TEXT"})


def needed_by(bpy: Any, scene: Any) -> set[Any]:
    """Every block of data that can be reached from the scene by what is drawn."""
    uses: dict[Any, set[Any]] = {}
    for used, users in bpy.data.user_map().items():
        for user in users:
            uses.setdefault(user, set()).add(used)
    found, ahead = {scene}, [scene]
    while ahead:
        here = ahead.pop()
        for used in uses.get(here, ()):
            drawn = (
                used.id_type not in _NOT_DRAWN and not _is_backdrop(here, used) and not _is_off(here, used)
            )
            if used not in found and drawn:
                found.add(used)
                ahead.append(used)
    return found


def _is_backdrop(user: Any, used: Any) -> bool:
    """Whether an image is no part of the picture: behind a camera, an empty object, painted on, or tracked in."""
    if used.id_type not in {"IMAGE", "MOVIECLIP"}:
        return False
    if user.id_type == "OBJECT":
        # A modifier takes images, and an empty object shows one; of a clip an object takes what was tracked in it.
        return used.id_type == "MOVIECLIP" or user.type == "EMPTY"
    if user.id_type == "SCENE":
        # Up to Blender 4.5 the compositor is a part of its scene, and so is the image that is painted on.
        tree = compositor_of(user) if user.render.use_compositing else None
        return tree is None or all(used not in _shown_by(node) for node in tree.nodes)
    return bool(user.id_type == "CAMERA")


def _is_off(user: Any, used: Any) -> bool:
    """Whether a group of nodes is the compositor of a scene whose compositor is switched off (from Blender 5.0 on)."""
    return bool(
        user.id_type == "SCENE"
        and used.id_type == "NODETREE"
        and used == compositor_of(user)
        and not user.render.use_compositing
    )


def compositor_of(scene: Any) -> Any:
    """The compositor of a scene, None for none; from Blender 5.0 on it is a group of nodes."""
    if hasattr(scene, "compositing_node_group"):
        return scene.compositing_node_group
    return scene.node_tree if scene.use_nodes else None


def drawn_scenes(scene: Any) -> list[Any]:
    """The scene, and the scenes that its compositor and its sequencer draw beside it."""
    found = [scene]
    for each in found:
        found += [other for other in _beside(each) if other not in found]
    return found


def _beside(scene: Any) -> list[Any]:
    tree = compositor_of(scene) if scene.render.use_compositing else None
    nodes = [] if tree is None else [node for node in tree.nodes if node.bl_idname == "CompositorNodeRLayers"]
    layers = [node.scene for node in nodes if not node.mute and node.scene is not None]
    return list(dict.fromkeys([*layers, *(_of_strips(scene, set()) if scene.render.use_sequencer else ())]))


def _of_strips(scene: Any, seen: set[Any]) -> list[Any]:
    """The scenes that strips draw by their cameras; a strip may show the strips of its scene instead."""
    editor = scene.sequence_editor
    if editor is None or scene in seen:
        return []
    seen.add(scene)
    found = []
    for strip in editor.strips_all:
        if strip.type != "SCENE" or strip.mute or strip.scene is None:
            continue
        is_edit = strip.scene_input == "SEQUENCER"
        found += _of_strips(strip.scene, seen) if is_edit else [strip.scene]
    return found


def _shown_by(node: Any) -> tuple[Any, Any]:
    return getattr(node, "image", None), getattr(node, "clip", None)
