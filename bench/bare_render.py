"""Draws frames of a scene with bare Blender in one process: PYTHON bare_render.py SCENE THREADS FIRST LAST FOLDER."""

import os
import sys

import bpy

scene_file, threads, first, last, folder = sys.argv[1:6]
bpy.ops.wm.open_mainfile(filepath=scene_file, use_scripts=False)
scene = bpy.context.scene
scene.render.threads_mode, scene.render.threads = "FIXED", int(threads)
scene.render.image_settings.file_format = "PNG"
for frame in range(int(first), int(last) + 1):
    scene.frame_set(frame)
    scene.render.filepath = os.path.join(folder, f"frame.{frame:04d}")
    bpy.ops.render.render(write_still=True)
# Blender 4.5 as a module never ends by itself.
os._exit(0)
