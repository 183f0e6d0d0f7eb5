"""Which code made a result: the digest of the tool's packages and locked libraries, versions, CPU class.

Same toolchain digest, same CPU class, same seed and inputs give the same bytes; so all of it is recorded
with a result. The control side computes the same digest from the same files (a test compares the two).
"""

import hashlib
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from dockyard_session.canonical import sha256_file

#: The folder `science/` of the checkout or image.
SCIENCE_ROOT = Path(__file__).resolve().parents[3]

_LOCK = "requirements.lock"

# The endings of code, and of the tables that the code reads.
_SOURCES = frozenset({".py", ".tsv"})

# The x86-64 psABI's microarchitecture levels, by the names of the flags in /proc/cpuinfo.
_V2 = frozenset({"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"})
_V3 = _V2 | {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"}
_V4 = _V3 | {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}


@dataclass(frozen=True)
class Toolchain:
    """The code that made a result: `sha256` in lower-case hex, `versions` by package name, `cpu_class`."""

    sha256: str
    versions: Mapping[str, str]
    cpu_class: str

    @property
    def worker_image_digest(self) -> str:
        """A placeholder for the digest of the image where there is no image."""
        return f"sha256:{self.sha256}"


def toolchain_of(folders: Iterable[str], libraries: Iterable[str]) -> Toolchain:
    """The toolchain of this process: of the packages in these folders of `science/`, with the versions of libraries."""
    versions = {"python": platform.python_version()} | {name: metadata.version(name) for name in libraries}
    return Toolchain(toolchain_sha256(SCIENCE_ROOT, folders), versions, cpu_class())


def toolchain_sha256(root: Path, folders: Iterable[str]) -> str:
    """Digest of `requirements.lock` and every `src/**/*.py` and `src/**/*.tsv` of these folders, in lower-case hex.

    It is taken over lines of path (below `root`, with `/`), tab, SHA-256 and newline, sorted by the bytes of the path.
    """
    files = [file for folder in folders for file in _code_of(root / folder)]
    digests = {file.relative_to(root).as_posix(): sha256_file(file) for file in files}
    lines = (f"{path}\t{digests[path]}\n".encode() for path in sorted(digests, key=str.encode))
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _code_of(package: Path) -> list[Path]:
    """The lock of a package, which only tools have, and its sources."""
    sources = [file for file in (package / "src").rglob("*") if file.suffix in _SOURCES]
    return [*package.glob(_LOCK), *sources]


def cpu_class() -> str:
    """The class of processors that compute alike: the x86-64 level, on other machines the architecture."""
    machine = platform.machine().lower()
    if machine not in {"x86_64", "amd64"}:
        return {"arm64": "aarch64"}.get(machine, machine)
    flags = _cpu_flags(Path("/proc/cpuinfo"))
    return _x86_level(flags)


def _x86_level(flags: frozenset[str]) -> str:
    for level, needed in (("x86-64-v4", _V4), ("x86-64-v3", _V3), ("x86-64-v2", _V2)):
        if needed <= flags:
            return level
    return "x86-64"


def _cpu_flags(cpuinfo: Path) -> frozenset[str]:
    try:
        lines = cpuinfo.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return frozenset()
    flags = next((line for line in lines if line.startswith("flags")), "")
    return frozenset(flags.partition(":")[2].split())
