"""A long frame in chunks of its samples: each chunk is kept when it is drawn, so a loss costs one chunk and no byte.

The frame is the mean of its chunks, added in their order as 32-bit floats. The preparation decides for all frames of a
job whether they are cut, and where, so nothing that happens later changes a picture.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dockyard_blender.needed import compositor_of
from dockyard_session.canonical import sha256_file, write_json
from dockyard_session.tool import Reporter

#: A frame that takes longer is cut into chunks of about half of this.
MOST_WHOLE_SECONDS = 600.0
NOTE, SUM = "chunks.json", "chunks.npy"
_PREFIX = "checkpoint/"


@dataclass
class Note:
    """How many samples of a frame are drawn, and the digest of their sum."""

    frame: int
    chunk_samples: int
    samples: int
    done: int = 0
    sum_sha256: str = ""


def why_whole(scene: Any, *, with_passes: bool, on_gpu: bool, seconds: float) -> str | None:
    """Say why frames of the scene are drawn in one piece; None where they are cut."""
    cycles, render = scene.cycles, scene.render
    editor = scene.sequence_editor
    # Blender gives scenes an editor without strips.
    strips = render.use_sequencer and editor is not None and len(editor.strips_all) > 0
    # Of a light the word means that its shadows are caught, and lights have it by default.
    catches = any(thing.is_shadow_catcher and thing.type != "LIGHT" for thing in scene.objects)
    reasons = (
        (seconds <= MOST_WHOLE_SECONDS, "it takes about ten minutes at most"),
        (cycles.samples < 2, "it has one sample"),
        (cycles.use_adaptive_sampling, "its sampling is adaptive"),
        (cycles.use_denoising, "it is denoised"),
        (cycles.use_guiding, "its paths are guided by those before"),
        (render.use_compositing and compositor_of(scene) is not None, "it goes through the compositor"),
        (strips, "it goes through the sequencer"),
        (on_gpu, "another card would go on with other pixels"),
        (with_passes, "its passes are no means of samples"),
        (catches, "it has a catcher of shadows"),
    )
    return next((words for is_so, words in reasons if is_so), None)


def chunk_samples_of(samples: int, seconds: float) -> int:
    """The samples of a chunk: a power of two, so that a job that finds other seconds mostly cuts in the same places."""
    most = max(1, min(samples - 1, int(samples * MOST_WHOLE_SECONDS / 2 / seconds)))
    return int(1 << (most.bit_length() - 1))


def sum_of_chunks(
    draw: Callable[[int, int], Any], note: Note, kept: Mapping[str, Path], out: Path, reporter: Reporter
) -> Any:
    """The mean of a frame's samples; `draw` answers the pixels of so many samples from the one with the number on."""
    import numpy

    total = _taken_up(note, kept)
    while note.done < note.samples:
        length = min(note.chunk_samples, note.samples - note.done)
        pixels = draw(note.done, length) * numpy.float32(length / note.samples)
        total = pixels if total is None else total + pixels
        note.done += length
        if note.done < note.samples:
            numpy.save(out / SUM, total)
            note.sum_sha256 = sha256_file(out / SUM)
            write_json(out / NOTE, asdict(note))
            reporter.keep([NOTE, SUM])
    return total


def _taken_up(note: Note, kept: Mapping[str, Path]) -> Any:
    """The sum that an earlier attempt has kept, with its place in the note; None where the frame begins."""
    import numpy

    try:
        found = Note(**json.loads(kept[_PREFIX + NOTE].read_bytes()))
        same = (found.frame, found.chunk_samples, found.samples) == (
            note.frame,
            note.chunk_samples,
            note.samples,
        )
        if not same or sha256_file(kept[_PREFIX + SUM]) != found.sum_sha256:
            return None
        total = numpy.load(kept[_PREFIX + SUM])
    except (KeyError, ValueError, TypeError, OSError):
        return None
    note.done = found.done
    return total
