"""A tool for the tests of sessions: it tells what it was given, or breaks."""

HEAVY_MODULES = ("heavy_module",)


class BrittleTool:
    def __init__(self, spec):
        self._spec = spec

    def run(self, task, reporter):
        if task.spec.get("fails"):
            raise RuntimeError("broken")
        if task.spec.get("keeps"):
            before = task.inputs.get("checkpoint/state.txt")
            (task.out / "state.txt").write_text("half")
            is_kept = reporter.keep(["state.txt"])
            return [], {"kept": is_kept, "before": before.read_text() if before else None}
        return [], {"spec": self._spec}

    def forget(self):
        pass


def open_session(spec):
    return BrittleTool(spec)
