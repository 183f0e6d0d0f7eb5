"""Which code prepared and docked, and the name of a prepared receptor that follows from it."""

import functools
import hashlib

from dockyard_session.toolchain import Toolchain, toolchain_of

#: The folders of `science/` whose code docking is made of; the control side has the same list.
PACKAGES = ("session", "structures", "autodock-vina")

#: The libraries whose version can change a result.
_LIBRARIES = (
    "dimorphite-dl",
    "gemmi",
    "meeko",
    "numpy",
    "pdb2pqr",
    "posebusters",
    "prolif",
    "propka",
    "rdkit",
    "scipy",
    "vina",
)


@functools.cache
def current_toolchain() -> Toolchain:
    """The toolchain of this process."""
    return toolchain_of(PACKAGES, _LIBRARIES)


def cache_key(identity_sha256: str, preparation_sha256: str, toolchain_digest: str) -> str:
    """The name of a prepared receptor: digest of the three digests (hex in, hex out)."""
    text = f"{identity_sha256}\n{preparation_sha256}\n{toolchain_digest}\n"
    return hashlib.sha256(text.encode("ascii")).hexdigest()
