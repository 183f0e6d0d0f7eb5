"""The end of a render: one sheet with the small pictures of all frames, so that a whole film is seen at once."""

import math
from pathlib import Path
from typing import Any

from dockyard_blender.canonical import make_canonical
from dockyard_session.tool import Output, TaskResult

SHEET = "contact-sheet.png"
_GAP = 4


def merge(bpy: Any, thumbnails: list[Path], out: Path) -> TaskResult:
    """Put the pictures side by side in their order, as nearly square as it goes."""
    import numpy

    pictures = [_pixels_of(bpy, path) for path in thumbnails]
    cell_height = max(picture.shape[0] for picture in pictures)
    cell_width = max(picture.shape[1] for picture in pictures)
    columns = max(1, round(math.sqrt(len(pictures) * cell_height / cell_width)))
    rows = math.ceil(len(pictures) / columns)
    height, width = rows * (cell_height + _GAP) - _GAP, columns * (cell_width + _GAP) - _GAP
    sheet = numpy.zeros((height, width, 4), dtype=numpy.float32)
    sheet[..., 3] = 1
    for index, picture in enumerate(pictures):
        # Rows of Blender's pictures go from the bottom.
        row, column = rows - 1 - index // columns, index % columns
        top, left = row * (cell_height + _GAP), column * (cell_width + _GAP)
        sheet[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    image = bpy.data.images.new("sheet", width, height, alpha=False)
    image.pixels.foreach_set(sheet.ravel())
    image.file_format, image.filepath_raw = "PNG", str(out / SHEET)
    image.save()
    bpy.data.images.remove(image)
    make_canonical(out / SHEET)
    summary = {"frameCount": len(thumbnails)}
    return [Output(path=SHEET, kind="sheet", mediaType="image/png", format="png")], summary


def _pixels_of(bpy: Any, path: Path) -> Any:
    import numpy

    image = bpy.data.images.load(str(path), check_existing=False)
    width, height = image.size
    pixels = numpy.empty(width * height * 4, dtype=numpy.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)
