"""Makes a small film to render: a cube that moves and turns, and everything that a scene may name.

    PYTHON examples/blender/make_scene.py FOLDER

PYTHON is one that has Blender as a module: `dockyard tools install blender` tells where it is, in `folder`, below `bin/python`.
Below FOLDER lie `scenes/shot.blend` (frames 1 to 25), `textures/` (a plain texture, a tiled one and a sequence), `library/` with a
linked object that has a texture of its own, and `light/` with a picture of a sky. Two cameras change at frame 13, by markers.

    ./dockyard render FOLDER/scenes/shot.blend FOLDER --frames 1-25 --watch --out frames
"""

import math
import os
import sys
from pathlib import Path

import bpy

SIZE = 32


def picture(path, colour, *, is_float=False):
    """Write a picture of two tones."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = bpy.data.images.new(path.stem, SIZE, SIZE, float_buffer=is_float)
    tones = [(*colour, 1.0), (*(each * 0.4 for each in colour), 1.0)]
    pixels = [
        value
        for row in range(SIZE)
        for column in range(SIZE)
        for value in tones[(row // 8 + column // 8) % 2]
    ]
    image.pixels.foreach_set(pixels)
    image.file_format = "OPEN_EXR" if is_float else "PNG"
    image.filepath_raw = str(path)
    image.save()
    bpy.data.images.remove(image)


def material(name, path, source="FILE"):
    """A material whose colour comes from a picture."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    node = nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.load(str(path))
    if source == "TILED":
        node.image.source = "TILED"
        node.image.tiles.new(1002)
        node.image.filepath = str(path).replace("1001", "<UDIM>")
    if source == "SEQUENCE":
        node.image.source = "SEQUENCE"
        user = node.image_user
        user.frame_duration, user.frame_start, user.frame_offset = 5, 1, 0
        user.use_cyclic, user.use_auto_refresh = True, True
    links.new(node.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def save(path):
    """Save with relative paths."""
    path.parent.mkdir(parents=True, exist_ok=True)
    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False)
    bpy.ops.file.make_paths_relative()
    bpy.ops.wm.save_mainfile()


def library(folder):
    """A file whose object another scene links."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    picture(folder / "library/textures/stone.png", (0.5, 0.5, 0.6))
    bpy.ops.mesh.primitive_cone_add(radius1=0.6, depth=1.2, location=(1.6, 0.4, 0.6))
    cone = bpy.context.object
    cone.name = "Cone"
    cone.data.materials.append(material("Stone", folder / "library/textures/stone.png"))
    save(folder / "library/props.blend")


def camera(scene, name, place, frame):
    """A camera that looks at the middle, from a marker on."""
    data = bpy.data.cameras.new(name)
    thing = bpy.data.objects.new(name, data)
    scene.collection.objects.link(thing)
    thing.location = place
    x, y, z = place
    thing.rotation_euler = (math.atan2(math.hypot(x, y), z - 0.5), 0, math.atan2(x, -y))
    mark = scene.timeline_markers.new(name, frame=frame)
    mark.camera = thing
    return thing


def film(folder, width, height, samples):
    """The scene itself."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    picture(folder / "textures/wood.png", (0.8, 0.5, 0.2))
    for tile in (1001, 1002):
        picture(
            folder / f"textures/floor.{tile}.png",
            (0.2, 0.6 if tile == 1001 else 0.2, 0.3),
        )
    for number in range(1, 6):
        picture(
            folder / f"textures/screen_{number:03d}.png",
            (0.2 * number, 0.2, 1 - 0.15 * number),
        )
    picture(folder / "light/sky.exr", (0.9, 1.0, 1.2), is_float=True)
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
    cube = bpy.context.object
    cube.data.materials.append(material("Wood", folder / "textures/wood.png"))
    for frame in (1, 25):
        cube.location.x = -1 if frame == 1 else 1
        cube.rotation_euler.z = 0 if frame == 1 else math.pi
        cube.keyframe_insert("location", frame=frame)
        cube.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.mesh.primitive_plane_add(size=8)
    floor = bpy.context.object
    for corner in floor.data.uv_layers[0].data:
        corner.uv.x *= 2
    floor.data.materials.append(
        material("Floor", folder / "textures/floor.1001.png", "TILED")
    )
    bpy.ops.mesh.primitive_plane_add(
        size=1.5, location=(-1.8, 1.2, 0.9), rotation=(math.pi / 2, 0, 0.4)
    )
    bpy.context.object.data.materials.append(
        material("Screen", folder / "textures/screen_001.png", "SEQUENCE")
    )
    with bpy.data.libraries.load(str(folder / "library/props.blend"), link=True) as (
        _,
        to,
    ):
        to.objects = ["Cone"]
    scene.collection.objects.link(to.objects[0])
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes.new("ShaderNodeTexEnvironment")
    sky.image = bpy.data.images.load(str(folder / "light/sky.exr"))
    background = scene.world.node_tree.nodes["Background"]
    scene.world.node_tree.links.new(sky.outputs["Color"], background.inputs["Color"])
    scene.camera = camera(scene, "Front", (0.5, -5, 2), 1)
    camera(scene, "Side", (4.5, -2.5, 3), 13)
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False
    scene.frame_start, scene.frame_end = 1, 25
    save(folder / "scenes/shot.blend")


def main():
    """Make the folder."""
    folder = Path(sys.argv[1]).resolve()
    width, height, samples = (
        (int(each) for each in sys.argv[2:5]) if len(sys.argv) > 2 else (320, 240, 32)
    )
    library(folder)
    film(folder, width, height, samples)
    print(
        f"{folder / 'scenes/shot.blend'}: 25 frames of {width} x {height}, {samples} samples"
    )
    sys.stdout.flush()
    # Blender 4.5 as a module never ends by itself.
    os._exit(0)


if __name__ == "__main__":
    main()
