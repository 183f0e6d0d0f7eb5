"""Packages import in one direction: a tool what is shared, what is shared no tool, and no tool another one."""

import ast
import sys
from pathlib import Path

import pytest

from dockyard_session.toolchain import SCIENCE_ROOT

# What each shared package may import besides itself and the standard library; a tool may import both, and libraries.
SHARED = {
    "dockyard_session": frozenset(),
    "dockyard_structures": frozenset({"dockyard_session", "gemmi"}),
    "dockyard_waves": frozenset({"dockyard_session"}),
}


def _packages(root):
    return {path.name: path for path in root.glob("*/src/*") if (path / "__init__.py").is_file()}


def _imports(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            # A relative import is one of the package itself; the style check asks for whole names anyway.
            yield (node.module or "").partition(".")[0] if node.level == 0 else ""


def trespasses(root):
    """What is imported against the rule, as `file: package`."""
    packages = _packages(root)
    found = []
    for package, folder in packages.items():
        for file in sorted(folder.rglob("*.py")):
            for name in _imports(file):
                if name in {"", package} or name in sys.stdlib_module_names:
                    continue
                allowed = (
                    name in SHARED[package]
                    if package in SHARED
                    else name not in packages.keys() - SHARED.keys()
                )
                if not allowed:
                    found.append(f"{file.relative_to(root)}: {name}")
    return found


def test_no_package_imports_what_it_must_not():
    assert {*SHARED, "dockyard_science"} <= _packages(SCIENCE_ROOT).keys()
    assert trespasses(SCIENCE_ROOT) == []


@pytest.mark.parametrize(
    ("package", "line"),
    [
        ("session/src/dockyard_session", "import gemmi"),
        ("session/src/dockyard_session", "from dockyard_structures import atoms"),
        ("structures/src/dockyard_structures", "import numpy.linalg"),
        (
            "structures/src/dockyard_structures",
            "def lazily():\n    from dockyard_science.box import make_box",
        ),
        ("fish/src/dockyard_fish", "from dockyard_fowl.tool import open_session"),
    ],
)
def test_each_rule_is_held(tmp_path, package, line):
    for known in (
        "session/src/dockyard_session",
        "structures/src/dockyard_structures",
        "fish/src/dockyard_fish",
    ):
        (tmp_path / known).mkdir(parents=True)
        (tmp_path / known / "__init__.py").touch()
    fowl = tmp_path / "fowl/src/dockyard_fowl"
    fowl.mkdir(parents=True)
    (fowl / "__init__.py").write_text(
        "import numpy\nimport dockyard_session.tool\nfrom dockyard_structures import atoms\n"
    )
    assert trespasses(tmp_path) == []
    (tmp_path / package / "more.py").write_text(f"{line}\n")
    file = Path(package, "more.py")
    assert [each.partition(":")[0] for each in trespasses(tmp_path)] == [str(file)]
