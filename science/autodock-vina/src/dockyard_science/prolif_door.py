"""ProLIF's classes of interactions; every other module takes them from here.

`import prolif` loads MDAnalysis, pandas and what draws pictures, for trajectories, tables and notebooks that docking
never has. That import is a second of processor time in every session. The classes themselves need none of it, so the
modules that hold them are loaded by themselves, with empty stand-ins for those packages. Whoever imports ProLIF later
gets all of it, and other classes.
"""

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, cast

# What the modules import and the classes never call.
_NOT_NEEDED = (
    "MDAnalysis",
    "MDAnalysis.coordinates",
    "MDAnalysis.coordinates.timestep",
    "MDAnalysis.topology",
    "MDAnalysis.topology.tables",
    "pandas",
    "tqdm",
    "tqdm.auto",
)
# Packages whose own `__init__` is left out; the modules in them are found by their paths.
_PACKAGES = ("prolif", "prolif.interactions", "prolif.io")


class _StandIn(ModuleType):
    """A module whose every name is a class without content, for annotations and for tables that stay empty."""

    __path__: list[str]

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []
        self.vdwradii: dict[str, float] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return object


def _load() -> ModuleType:
    with _modules_replaced():
        for name in _NOT_NEEDED:
            sys.modules[name] = _StandIn(name)
        for name in _PACKAGES:
            spec = importlib.util.find_spec(name)
            if spec is None:
                raise ModuleNotFoundError(name)
            sys.modules[name] = importlib.util.module_from_spec(spec)
        return importlib.import_module("prolif.interactions.interactions")


@contextlib.contextmanager
def _modules_replaced() -> Iterator[None]:
    """Put back what Python knew of ProLIF and of the packages that are not needed."""
    roots = {"prolif", *(name.partition(".")[0] for name in _NOT_NEEDED)}
    before = _taken(roots)
    try:
        yield
    finally:
        _taken(roots)
        sys.modules.update(before)


def _taken(roots: set[str]) -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name.partition(".")[0] in roots]
    return {name: sys.modules.pop(name) for name in names}


_CLASSES = _load()


def interaction(name: str) -> Any:
    """An interaction of ProLIF by the name of its class, with the limits that ProLIF gives it."""
    return cast("Any", getattr(_CLASSES, name))()
