"""Settings of a scene that its animation changes: Blender evaluates them anew for each frame that is drawn."""

from collections.abc import Collection, Sequence
from typing import Any

#: The samples of a pixel, by the name that curves have for them.
SAMPLES = "cycles.samples"


def hold(scene: Any, paths: Collection[str]) -> None:
    """Keep the animation of a scene from changing what was set, wherever the scene has keys or drivers for it."""
    data = scene.animation_data
    for curve in [] if data is None else [*_curves_of(data), *data.drivers]:
        if curve.data_path in paths:
            curve.mute = True


def samples_in(scene: Any, frames: Sequence[int]) -> list[int]:
    """The samples of each of the frames, of which a scene without keys for them has one number."""
    data = scene.animation_data
    curves = [] if data is None else _curves_of(data)
    found = next((curve for curve in curves if curve.data_path == SAMPLES and not curve.mute), None)
    if found is None:
        return [int(scene.cycles.samples)]
    return [max(1, int(found.evaluate(frame))) for frame in frames]


def _curves_of(data: Any) -> list[Any]:
    """The curves of the action and of the strips of a scene."""
    strips = [strip for track in data.nla_tracks for strip in track.strips]
    return [curve for acting in (data, *strips) if acting.action is not None for curve in _of_action(acting)]


def _of_action(acting: Any) -> list[Any]:
    """The curves of an action that are for the scene; before Blender 4.4 an action is of one thing alone."""
    if not hasattr(acting, "action_slot"):
        return list(acting.action.fcurves)
    if acting.action_slot is None:
        return []
    bags = [strip.channelbag(acting.action_slot) for layer in acting.action.layers for strip in layer.strips]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]
