"""Which files of a sequence a frame needs: the rules by which Blender counts them."""

import re
from typing import Any

_DIGITS = re.compile(r"^(.*?)(\d+)(\D*)$")


def image_frame(user: Any, frame: int) -> int:
    """The number of the picture of an image sequence at a frame; `user` says how the sequence is run through."""
    length = user.frame_duration
    # "Auto Refresh" is of the viewport: a frame that is drawn has its own picture without it as well.
    place = frame - user.frame_start + 1
    if user.use_cyclic and length > 0:
        place = place % length or length
    return int(min(max(place, 1), max(length, 1)) + user.frame_offset)


def volume_frame(volume: Any, frame: int) -> int | None:
    """The number of the file of a volume sequence at a frame; None where the volume is empty there."""
    length, place = volume.frame_duration, frame - volume.frame_start + 1
    mode = volume.sequence_mode
    if length <= 0:
        return None
    if mode == "CLIP" and not 1 <= place <= length:
        return None
    if mode == "REPEAT":
        place = (place - 1) % length + 1
    elif mode == "PING_PONG":
        turn = max(2 * length - 2, 1)
        place = (place - 1) % turn
        place = (place if place < length else turn - place) + 1
    else:
        place = min(max(place, 1), length)
    return int(place + volume.frame_offset)


def numbered(path: str, number: int) -> str:
    """The path of a file of a sequence: its last digits give way to the number."""
    head, slash, name = path.rpartition("/")
    found = _DIGITS.match(name)
    if found is None:
        return path
    digits = str(abs(number)).zfill(len(found[2]))
    return f"{head}{slash}{found[1]}{'-' if number < 0 else ''}{digits}{found[3]}"


def udim_paths(path: str, tiles: list[int]) -> list[str]:
    """The paths of all tiles of a tiled image."""
    found = []
    for tile in tiles:
        across, up = (tile - 1001) % 10, (tile - 1001) // 10
        name = path.replace("<UDIM>", str(tile)).replace("<UVTILE>", f"u{across + 1}_v{up + 1}")
        found.append(name)
    return found
