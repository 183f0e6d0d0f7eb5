"""The package of a scene as a tree of files: each input lies at its own path, as it lay with the customer."""

import os
from pathlib import Path, PurePosixPath

from dockyard_session.errors import ScienceError


def lay_out(root: Path, files: dict[str, str], inputs: dict[str, Path]) -> None:
    """Make the tree below `root` of links to the inputs, which nobody can write to."""
    for path, name in files.items():
        place = root / path
        if not Path(os.path.normpath(place)).is_relative_to(root):
            raise ScienceError("ASSET_OUTSIDE_PACKAGE", f"{path} leads out of the package.")
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_symlink():
            place.symlink_to(inputs[name])


class Places:
    """Finds the files that a scene names, inside the tree and nowhere else."""

    def __init__(self, root: Path, attached: list[str]) -> None:
        """Know the tree, and the files in it that stand for any file of their name."""
        self.root = root
        self._attached = {PurePosixPath(path).name: root / path for path in attached}

    def within(self, path: str) -> Path | None:
        """The path in the tree that an absolute path of Blender means; None where it leads out of the tree."""
        plain = os.path.normpath(path.replace("\\", "/"))
        return Path(plain) if plain.startswith(f"{self.root}/") else None

    def attachment(self, path: str) -> Path | None:
        """The attachment that has the name of a file, wherever the scene looks for it; None where there is none."""
        return self._attached.get(name_of(path))

    def told(self, path: str) -> str:
        """A path as the customer knows it."""
        # A relative path that leads out of the tree is no place of this machine to the customer.
        is_relative = path.startswith(f"{self.root}/")
        return os.path.relpath(os.path.normpath(path), self.root) if is_relative else path


def name_of(path: str) -> str:
    """The last part of a path of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
