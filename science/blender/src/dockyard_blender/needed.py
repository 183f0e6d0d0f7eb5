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
            if used not in found and used.id_type not in _NOT_DRAWN and not _is_backdrop(here, used):
                found.add(used)
                ahead.append(used)
    return found


def _is_backdrop(user: Any, used: Any) -> bool:
    """Whether an image is shown in the viewport alone: behind a camera, or as an empty object."""
    return used.id_type in {"IMAGE", "MOVIECLIP"} and user.id_type in {"CAMERA", "OBJECT", "SCENE"}
