"""Makes frames of a film differ threefold in their time, from the first to the last: PYTHON uneven_scene.py SCENE LAST SAMPLES OUT."""

import os
import sys

import bpy

scene_file, last, samples, out = sys.argv[1:5]
bpy.ops.wm.open_mainfile(filepath=scene_file, use_scripts=False)
scene = bpy.context.scene
# Most of a small frame's time does not depend on its samples, so eight times as many take three times as long.
for frame, times in ((1, 1), (int(last), 8)):
    scene.cycles.samples = int(samples) * times
    scene.keyframe_insert("cycles.samples", frame=frame)
scene.render.resolution_percentage = 50
bpy.ops.wm.save_as_mainfile(filepath=out, check_existing=False)
# Blender 4.5 as a module never ends by itself.
os._exit(0)
