"""The files that a scene names: where each is looked for, which it means at the frames of the job, what is missing.

Paths of a library's data are relative to the library, tiles and sequences mean many files, and an absolute path
means an attachment of the same name.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from dockyard_blender.frames import image_frame, numbered, udim_paths, volume_frame
from dockyard_blender.needed import drawn_scenes, needed_by
from dockyard_blender.tree import Places


@dataclass(frozen=True)
class Asset:
    """A file, or the files of a sequence, that a block of data names."""

    kind: str
    owner: str
    #: As the scene has it, made absolute by Blender.
    path: str
    #: The files that the frames of the job need of it; a folder of a cache stands for all that is in it.
    files: tuple[str, ...]
    #: Gives the block another path; None where that cannot be done.
    relink: Callable[[str], None] | None = None


@dataclass(frozen=True)
class Picture:
    """A picture that is there."""

    #: The path as the customer knows it.
    said: str
    #: The block of data that names it.
    owner: str
    opens: Callable[[], BinaryIO]
    #: Whether Blender reads its pixels.
    is_readable: Callable[[], bool]


@dataclass
class Findings:
    """What became of the files that a scene names; each path as the customer knows it."""

    present: list[tuple[str, str]] = field(default_factory=list)
    missing: list[tuple[str, str]] = field(default_factory=list)
    outside: list[tuple[str, str]] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)


def find_assets(bpy: Any, scene: Any, places: Places, frames: list[int]) -> Findings:
    """Look for every file that drawing the frames needs, and lead absolute paths to attachments of the same names."""
    _relink_libraries(bpy, places)
    findings = Findings()
    needed = needed_by(bpy, scene)
    for asset in _assets_of(bpy, scene, needed, frames):
        _judge(bpy, asset, places, findings)
    for image in (block for block in needed if block.id_type == "IMAGE" and block.packed_file is not None):
        findings.pictures.append(
            Picture(f"{image.name}, packed,", "image", partial(_packed, image), partial(_has_pixels, image))
        )
    return findings


def _judge(bpy: Any, asset: Asset, places: Places, findings: Findings) -> None:
    said = f"{asset.kind} {asset.owner}"
    if places.within(asset.path) is None:
        files = [places.attachment(file) for file in asset.files]
        first = files[0] if files else None
        if first is None or asset.relink is None:
            findings.outside.append((places.told(asset.path), said))
            return
        asset.relink(str(first.parent / _name_of(asset.path)))
        found = dict(zip(asset.files, files, strict=True))
    else:
        found = {file: places.within(file) for file in asset.files}
    for file, path in found.items():
        is_there = path is not None and path.exists()
        (findings.present if is_there else findings.missing).append((places.told(file), said))
        if path is not None and path.is_file() and asset.kind == "image":
            readable = partial(_is_readable, bpy, path)
            findings.pictures.append(Picture(places.told(file), said, partial(_opened, path), readable))


def _opened(path: Path) -> BinaryIO:
    return path.open("rb")


def _packed(image: Any) -> BinaryIO:
    return BytesIO(image.packed_file.data)


def _has_pixels(image: Any) -> bool:
    # A picture of several layers has no size of its own.
    has = all(image.size) or image.type == "MULTILAYER"
    image.buffers_free()
    return has


def _is_readable(bpy: Any, path: Path) -> bool:
    """Load a picture by itself, because a sequence or the tiles of an image are one block with many files."""
    image = bpy.data.images.load(str(path), check_existing=False)
    try:
        return _has_pixels(image)
    finally:
        bpy.data.images.remove(image)


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _libraries(bpy: Any) -> list[Any]:
    """The libraries that are files; once a scene is open, the paths of all are relative to the scene."""
    return [
        library
        for library in bpy.data.libraries
        if library.packed_file is None and not getattr(library, "is_archive", False)
    ]


def _relink_libraries(bpy: Any, places: Places) -> None:
    """Libraries come first: what they bring names files, too."""
    seen: set[str] = set()
    # A library that is read anew may bring others.
    while new := [library for library in _libraries(bpy) if library.name not in seen]:
        library = new[0]
        seen.add(library.name)
        path = _absolute(bpy, library.filepath, None)
        given = None if places.within(path) is not None else places.attachment(path)
        if given is not None:
            library.filepath = str(given)
            library.reload()


def _assets_of(bpy: Any, scene: Any, needed: set[Any], frames: list[int]) -> Iterator[Asset]:
    for library in _libraries(bpy):
        path = _absolute(bpy, library.filepath, None)
        yield Asset("library", library.name, path, (path,), _setter(library))
    by_type: dict[str, list[Any]] = {}
    for block in sorted(needed, key=lambda each: (each.id_type, each.name_full)):
        by_type.setdefault(block.id_type, []).append(block)
    users = _image_users(needed)
    for image in by_type.get("IMAGE", []):
        yield from _image(bpy, image, users.get(image, []), frames)
    yield from _data_files(bpy, by_type, frames)
    for thing in by_type.get("OBJECT", []):
        yield from _object_caches(bpy, thing)
    for block in needed:
        yield from _node_files(bpy, block)
    if scene.rigidbody_world is not None:
        yield from _point_cache(bpy, scene.rigidbody_world.point_cache, "the rigid bodies", scene.library)
    for each in drawn_scenes(scene):
        yield from _strips(bpy, each)


def _data_files(bpy: Any, by_type: dict[str, list[Any]], frames: list[int]) -> Iterator[Asset]:
    """The files of blocks that have one each."""
    for clip in by_type.get("MOVIECLIP", []):
        yield _plain(bpy, "movie", clip)
    for font in by_type.get("FONT", []):
        if font.filepath != "<builtin>" and font.packed_file is None:
            yield _plain(bpy, "font", font)
    for volume in by_type.get("VOLUME", []):
        if volume.filepath and volume.packed_file is None:
            yield _volume(bpy, volume, frames)
    for cache in by_type.get("CACHEFILE", []):
        yield _cache(bpy, cache, frames)


def _absolute(bpy: Any, path: str, library: Any) -> str:
    return str(bpy.path.abspath(path, library=library))


def _plain(bpy: Any, kind: str, block: Any) -> Asset:
    path = _absolute(bpy, block.filepath, block.library)
    return Asset(kind, block.name, path, (path,), _setter(block))


def _image(bpy: Any, image: Any, users: list[Any], frames: list[int]) -> Iterator[Asset]:
    if image.source not in {"FILE", "SEQUENCE", "MOVIE", "TILED"} or image.packed_file is not None:
        return
    if len(image.packed_files) > 0 or not image.filepath:
        return
    path = _absolute(bpy, image.filepath, image.library)
    files = [path]
    if image.source == "TILED":
        files = udim_paths(path, [tile.number for tile in image.tiles])
    elif image.source == "SEQUENCE":
        numbers = {image_frame(user, frame) for user in users for frame in frames}
        files = [numbered(path, number) for number in sorted(numbers)]
    yield Asset("image", image.name, path, tuple(files), _setter(image))


def _volume(bpy: Any, volume: Any, frames: list[int]) -> Asset:
    path = _absolute(bpy, volume.filepath, volume.library)
    files = [path]
    if volume.is_sequence:
        numbers = {volume_frame(volume, frame) for frame in frames} - {None}
        files = [numbered(path, number) for number in sorted(n for n in numbers if n is not None)]
    return Asset("volume", volume.name, path, tuple(files), _setter(volume))


def _cache(bpy: Any, cache: Any, frames: list[int]) -> Asset:
    path = _absolute(bpy, cache.filepath, cache.library)
    files = [path]
    if cache.is_sequence:
        numbers = {int(cache.frame) if cache.override_frame else frame for frame in frames}
        files = [numbered(path, number + int(cache.frame_offset)) for number in sorted(numbers)]
    return Asset("cache", cache.name, path, tuple(files), _setter(cache))


def _object_caches(bpy: Any, thing: Any) -> Iterator[Asset]:
    library = thing.library
    for modifier in thing.modifiers:
        owner = f"{thing.name}, {modifier.name}"
        if modifier.type == "MESH_CACHE" and modifier.filepath:
            path = _absolute(bpy, modifier.filepath, library)
            yield Asset("cache", owner, path, (path,), _setter(modifier))
        elif modifier.type == "FLUID" and modifier.fluid_type == "DOMAIN":
            path = _absolute(bpy, modifier.domain_settings.cache_directory, library)
            yield Asset("fluid cache", owner, path, (path,))
        elif modifier.type == "OCEAN" and modifier.is_cached:
            path = _absolute(bpy, modifier.filepath, library)
            yield Asset("ocean cache", owner, path, (path,))
        elif modifier.type == "NODES":
            yield from _node_bakes(bpy, modifier, owner, library)
        elif modifier.type in {"CLOTH", "SOFT_BODY"}:
            yield from _point_cache(bpy, modifier.point_cache, owner, library)
        elif modifier.type == "DYNAMIC_PAINT" and modifier.canvas_settings is not None:
            for surface in modifier.canvas_settings.canvas_surfaces:
                yield from _point_cache(bpy, surface.point_cache, owner, library)
    for system in thing.particle_systems:
        yield from _point_cache(bpy, system.point_cache, f"{thing.name}, {system.name}", library)


def _point_cache(bpy: Any, cache: Any, owner: str, library: Any) -> Iterator[Asset]:
    """The folder of a simulation that is baked to disk: one that is named, or the one beside its own .blend file."""
    if cache.use_external and cache.filepath:
        path = _absolute(bpy, cache.filepath, library)
        yield Asset("simulation cache", owner, path, (path,))
    elif cache.use_disk_cache and cache.is_baked and not cache.use_external:
        is_own = library is None or not cache.use_library_path
        blend = Path(bpy.data.filepath if is_own else _absolute(bpy, library.filepath, None))
        path = str(blend.parent / f"blendcache_{blend.stem}")
        yield Asset("simulation cache", owner, path, (path,))


def _node_bakes(bpy: Any, modifier: Any, owner: str, library: Any) -> Iterator[Asset]:
    for bake in modifier.bakes:
        if bake.bake_target == "PACKED":
            continue
        own = bake.directory if bake.use_custom_path else ""
        folder = own or modifier.bake_directory
        # Without a folder nothing is baked, which is a warning and no file.
        if folder:
            path = _absolute(bpy, folder, library)
            yield Asset("geometry-node cache", owner, path, (path,))


def _trees_of(block: Any) -> Iterator[Any]:
    if block.id_type == "NODETREE":
        yield block
    tree = getattr(block, "node_tree", None)
    if tree is not None:
        yield tree


def _image_users(needed: set[Any]) -> dict[Any, list[Any]]:
    """How each image is run through, by every node and texture that shows it."""
    found: dict[Any, list[Any]] = {}
    for block in needed:
        if block.id_type == "TEXTURE" and getattr(block, "image", None) is not None:
            found.setdefault(block.image, []).append(block.image_user)
        for tree in _trees_of(block):
            for node in tree.nodes:
                image, user = getattr(node, "image", None), getattr(node, "image_user", node)
                if image is not None and hasattr(user, "frame_duration"):
                    found.setdefault(image, []).append(user)
    return found


def _node_files(bpy: Any, block: Any) -> Iterator[Asset]:
    """Lights measured in files, which nodes name themselves."""
    for tree in _trees_of(block):
        for node in tree.nodes:
            if node.bl_idname == "ShaderNodeTexIES" and node.mode == "EXTERNAL" and node.filepath:
                path = _absolute(bpy, node.filepath, block.library)
                yield Asset("light profile", f"{block.name}, {node.name}", path, (path,), _setter(node))


def _setter(of: Any) -> Callable[[str], None]:
    return lambda to: setattr(of, "filepath", to)


def _strips(bpy: Any, scene: Any) -> Iterator[Asset]:
    editor = scene.sequence_editor
    if not scene.render.use_sequencer or editor is None:
        return
    for strip in editor.strips_all:
        if strip.type == "IMAGE":
            folder = _absolute(bpy, strip.directory, scene.library)
            files = tuple(str(Path(folder) / element.filename) for element in strip.elements)
            yield Asset("strip", strip.name, folder, files)
        elif strip.type == "MOVIE":
            path = _absolute(bpy, strip.filepath, scene.library)
            yield Asset("strip", strip.name, path, (path,), _setter(strip))
