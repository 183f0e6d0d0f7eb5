"""Lets tests import every package here, and the helpers beside the tests of each."""

import sys
from pathlib import Path

for _folder in sorted(Path(__file__).parent.glob("*/*")):
    if _folder.name in {"src", "tests"}:
        sys.path.insert(0, str(_folder))
