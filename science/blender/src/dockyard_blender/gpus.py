"""Chooses the GPUs on which Cycles draws: those that this session may use, by the best way that they have."""

from typing import Any

from dockyard_session.errors import ScienceError

#: Ways of Cycles to NVIDIA's GPUs, the faster one first.
_WAYS = ("OPTIX", "CUDA")


def use_gpus(bpy: Any) -> str:
    """Have Cycles draw on the GPUs alone; answers their names. Raises GPU_UNUSABLE where it finds none."""
    preferences = bpy.context.preferences.addons["cycles"].preferences
    for way in _WAYS:
        try:
            preferences.compute_device_type = way
        except TypeError:
            # A site's own build may lack the way.
            continue
        preferences.refresh_devices()
        found = [device for device in preferences.devices if device.type == way]
        if found:
            for device in preferences.devices:
                device.use = device.type == way
            return ", ".join(sorted(device.name for device in found))
    raise ScienceError(
        "GPU_UNUSABLE", "Cycles finds no GPU on this machine: there is none, or its driver does not fit."
    )
