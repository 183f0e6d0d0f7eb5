"""Files around a render: which scenes are read, which pictures of a sequence are meant, what is taken out of one."""

import gzip
import struct
import zlib
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from dockyard_blender.canonical import (
    PictureError,
    canonical_exr,
    canonical_jpeg,
    canonical_png,
    make_canonical,
)
from dockyard_blender.drawing import Drawn
from dockyard_blender.frames import image_frame, numbered, udim_paths, volume_frame
from dockyard_blender.header import check_version, read_version
from dockyard_blender.preparing import estimated_seconds
from dockyard_blender.sizes import check_picture, size_of_picture
from dockyard_blender.spec import frames_of, padded
from dockyard_blender.tree import Places, lay_out
from dockyard_session.errors import ScienceError


@pytest.mark.parametrize(
    ("head", "version"),
    [
        (b"BLENDER-v405REND", (4, 5)),
        (b"BLENDER_v279RENDH", (2, 79)),
        (b"BLENDER17-01v0500REND", (5, 0)),
    ],
)
def test_the_version_of_a_scene_is_read_plain_and_packed(tmp_path, head, version):
    plain, packed = tmp_path / "plain.blend", tmp_path / "packed.blend"
    plain.write_bytes(head + bytes(100))
    packed.write_bytes(gzip.compress(head + bytes(100)))
    assert read_version(plain) == read_version(packed) == version


@pytest.mark.parametrize("data", [b"", b"BLENDER", b"PK\x03\x04", b"\x1f\x8bxx", b"BLEND" * 9])
def test_what_is_no_scene_is_told(tmp_path, data):
    path = tmp_path / "scene.blend"
    path.write_bytes(data)
    with pytest.raises(ScienceError) as told:
        read_version(path)
    assert told.value.code == "SCENE_UNREADABLE"


def test_a_later_scene_is_refused_and_an_earlier_one_is_not(tmp_path):
    path = tmp_path / "scene.blend"
    path.write_bytes(b"BLENDER17-01v0500REND" + bytes(50))
    with pytest.raises(ScienceError) as told:
        check_version(path, (4, 5))
    assert (told.value.code, "5.0" in told.value.message) == ("SCENE_TOO_NEW", True)
    assert check_version(path, (5, 0)) == check_version(path, (5, 2)) == (5, 0)


def test_pictures_of_a_sequence_are_counted_as_blender_counts_them():
    user = SimpleNamespace(
        frame_duration=5,
        frame_start=1,
        frame_offset=10,
        use_cyclic=False,
        use_auto_refresh=False,
        frame_current=3,
    )
    assert [image_frame(user, frame) for frame in (-3, 1, 3, 5, 9)] == [11, 11, 13, 15, 15]
    user.use_cyclic = True
    assert [image_frame(user, frame) for frame in (0, 1, 5, 6, 11, -4)] == [15, 11, 15, 11, 11, 11]
    volume = SimpleNamespace(frame_duration=4, frame_start=1, frame_offset=0, sequence_mode="CLIP")
    assert [volume_frame(volume, frame) for frame in (0, 1, 4, 5)] == [None, 1, 4, None]
    volume.sequence_mode = "EXTEND"
    assert [volume_frame(volume, frame) for frame in (0, 5)] == [1, 4]
    volume.sequence_mode = "REPEAT"
    assert [volume_frame(volume, frame) for frame in (0, 5, 8)] == [4, 1, 4]
    volume.sequence_mode = "PING_PONG"
    assert [volume_frame(volume, frame) for frame in range(1, 9)] == [1, 2, 3, 4, 3, 2, 1, 2]


def test_names_of_sequences_and_tiles():
    assert numbered("/a.1/wood_003.v2.png", 12) == "/a.1/wood_003.v12.png"
    assert numbered("/a/wood_003.png", 12) == "/a/wood_012.png"
    assert numbered("/a/wood.png", 12) == "/a/wood.png"
    assert udim_paths("/a/b.<UDIM>.png", [1001, 1012]) == ["/a/b.1001.png", "/a/b.1012.png"]
    assert udim_paths("/a/b.<UVTILE>.png", [1001, 1012]) == ["/a/b.u1_v1.png", "/a/b.u2_v2.png"]


def test_frames_and_their_names():
    assert frames_of({"ranges": [(1, 10, 4), (-2, -2, 1), (5, 6, 1)]}) == [-2, 1, 5, 6, 9]
    assert [padded(frame) for frame in (7, -7, 12345)] == ["0007", "-0007", "12345"]


def test_a_package_is_a_tree_that_nothing_leads_out_of(tmp_path):
    given = tmp_path / "given"
    given.write_bytes(b"x")
    root = tmp_path / "tree"
    lay_out(root, {"scenes/a.blend": "one", "textures/b.png": "one"}, {"one": given})
    lay_out(root, {"scenes/a.blend": "one"}, {"one": given})
    assert (root / "textures/b.png").read_bytes() == b"x"
    places = Places(root, ["scenes/sky.exr"])
    assert places.within(f"{root}/scenes/../textures/b.png") == root / "textures/b.png"
    assert places.within(f"{root}/../b.png") is None
    assert places.within("C:\\pictures\\b.png") is None
    assert places.attachment("C:\\pictures\\sky.exr") == root / "scenes/sky.exr"
    assert places.attachment("/elsewhere/b.png") is None
    assert places.told(f"{root}/textures/b.png") == "textures/b.png"
    assert places.told(f"{root}/scenes/../../b.png") == "../b.png"
    assert places.told("/elsewhere/b.png") == "/elsewhere/b.png"
    with pytest.raises(ScienceError) as told:
        lay_out(root, {"../out.png": "one"}, {"one": given})
    assert told.value.code == "ASSET_OUTSIDE_PACKAGE"


def _png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png(*more):
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _png_chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 2, 0, 0, 0)),
            *more,
            _png_chunk(b"IDAT", zlib.compress(bytes(7))),
            _png_chunk(b"IEND", b""),
        ]
    )


def test_texts_and_times_are_taken_out_of_a_png():
    bare = _png()
    told = _png(_png_chunk(b"tEXt", b"Date\0now"), _png_chunk(b"tIME", bytes(7)))
    assert canonical_png(bare) == canonical_png(told) == bare
    for data in (b"", bare[:-5], b"GIF89a"):
        with pytest.raises(PictureError):
            canonical_png(data)


def _attribute(name, kind, value):
    return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value


def _exr(*more):
    window = struct.pack("<4i", 0, 0, 0, 17)
    header = b"".join(
        [
            b"\x76\x2f\x31\x01" + struct.pack("<I", 2),
            _attribute(b"channels", b"chlist", b"R\0" + struct.pack("<iiii", 2, 0, 1, 1) + b"\0"),
            _attribute(b"compression", b"compression", b"\x03"),
            *more,
            _attribute(b"dataWindow", b"box2i", window),
            b"\0",
        ]
    )
    chunks = [struct.pack("<ii", top, 4) + b"data" for top in (0, 16)]
    first = len(header) + 16
    return header + struct.pack("<QQ", first, first + len(chunks[0])) + b"".join(chunks)


def test_dates_are_taken_out_of_an_exr_and_its_chunks_are_found_after_it():
    bare = _exr()
    told = _exr(
        _attribute(b"Date", b"string", b"2026/11/29 10:00:00"), _attribute(b"File", b"string", b"/elsewhere")
    )
    assert canonical_exr(told) == canonical_exr(bare) == bare
    matte = _exr(_attribute(b"cryptomatte/1/manifest", b"string", b"{}"))
    assert canonical_exr(matte) == matte
    with pytest.raises(PictureError):
        canonical_exr(b"\x76\x2f\x31\x01" + struct.pack("<I", 0x1002) + bare[8:])


def test_comments_are_taken_out_of_a_jpeg(tmp_path):
    def segment(code, data):
        return struct.pack(">BBH", 0xFF, code, len(data) + 2) + data

    end = segment(0xDA, b"scan") + b"\x01\xff\x00\xff\xd9"
    bare = b"\xff\xd8" + segment(0xE0, b"JFIF\0") + end
    told = b"\xff\xd8" + segment(0xE0, b"JFIF\0") + segment(0xFE, b"Blender:Date: now") + end
    assert canonical_jpeg(told) == canonical_jpeg(bare) == bare
    path: Path = tmp_path / "frame.jpg"
    path.write_bytes(told)
    make_canonical(path)
    assert path.read_bytes() == bare
    path.write_bytes(told[:20])
    with pytest.raises(PictureError):
        make_canonical(path)


def _png_of(width, height, depth=8):
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIB", 13, b"IHDR", width, height, depth) + bytes(99)


def _exr_of(width, height):
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    return b"\x76\x2f\x31\x01\x02\0\0\0channels\0chlist\0\1\0\0\0\0dataWindow\0box2i\0\x10\0\0\0" + window


def _jpeg_of(width, height):
    text = b"\xff\xe1" + struct.pack(">H", 60_000) + bytes(59_998)
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(99)
    return b"\xff\xd8" + 2 * text + frame


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (_png_of(7, 5), (7, 5, 4)),
        (_png_of(7, 5, 16), (7, 5, 8)),
        (_exr_of(300, 200), (300, 200, 8)),
        (_jpeg_of(640, 480), (640, 480, 4)),
        (b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 512 +X 1024\n", (1024, 512, 8)),
        (b"\xff\xd8\xff\xd9", None),
        (_png_of(7, 5)[:20], None),
        (b"", None),
        (b"text", None),
    ],
)
def test_a_picture_says_how_large_it_is(data, size):
    assert size_of_picture(BytesIO(data)) == size


@pytest.mark.parametrize(
    "data", [_png_of(100_000, 100_000), _exr_of(100_000, 100_000), _jpeg_of(65_000, 65_000)]
)
def test_a_few_bytes_that_say_they_are_a_huge_picture_are_refused(data):
    with pytest.raises(ScienceError) as told:
        check_picture("textures/a.png", BytesIO(data), 6e9)
    assert told.value.code == "SCENE_NEEDS_MEMORY"
    assert "textures/a.png" in told.value.message
    check_picture("textures/a.png", BytesIO(_png_of(16_384, 16_384)), 6e9)


def test_only_the_time_of_samples_grows_with_the_size_of_a_frame(tmp_path):
    preview = Drawn(tmp_path, 320, 180, 16, 3.0, 0.5, "")
    assert estimated_seconds(preview, (320, 180), 16) == 3.0
    assert estimated_seconds(preview, (640, 360), 32) == 2.5 + 0.5 * 4 * 2
