"""A tool for the tests of sessions: it tells what it was given, or breaks."""

HEAVY_MODULES = ("heavy_module",)


class BrittleTool:
    def __init__(self, spec):
        self._spec = spec

    def run(self, task, _progress):
        if task.spec.get("fails"):
            raise RuntimeError("broken")
        return [], {"spec": self._spec}

    def forget(self):
        pass


def open_session(spec):
    return BrittleTool(spec)
