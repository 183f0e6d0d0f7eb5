"""What the conversion of a PDB file to mmCIF costs, next to gemmi alone, in turns.

Prints JSON, in seconds of one processor.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gemmi

from dockyard_science.convert_structures import pdb_to_mmcif

#: Rounds that are not counted: the tool's process is warm, and one that has just started is not.
_WARM_UP = 5


def main() -> int:
    """Measure both in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    pairs = [
        (_seconds(lambda: pdb_to_mmcif(options.source)), _seconds(lambda: _bare(options.source)))
        for _ in range(_WARM_UP + options.rounds)
    ][_WARM_UP:]
    converted, bare = zip(*pairs, strict=True)
    sys.stdout.write(json.dumps({"seconds": converted, "bareSeconds": bare}))
    return 0


def _bare(source: Path) -> str:
    structure = gemmi.read_pdb(str(source))
    structure.setup_entities()
    return structure.make_mmcif_document().as_string()


def _seconds(work: Callable[[], Any]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


if __name__ == "__main__":
    raise SystemExit(main())
