"""The session of Blender: scenes are opened without their scripts, checked, and drawn frame by frame."""
