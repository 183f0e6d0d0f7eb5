"""The same receptor gives the same bytes in another process with another order of hashing."""

import os
import subprocess
import sys
from pathlib import Path

from receptor_world import FOLATE_BOX, beside, digests, prepare_in, session, small_site
from structures_world import write_with

_PROGRAM = """
import sys
from pathlib import Path
from receptor_world import FOLATE_BOX, prepare_in, session
prepare_in(Path(sys.argv[2]), Path(sys.argv[1]), session(FOLATE_BOX, retainComponents=["NDP"]))
"""


def test_all_outputs_are_the_same_bytes_in_another_process(tmp_path):
    lines = small_site()
    source = write_with(tmp_path / "holo.pdb", lines, beside(lines, "NDP"))
    prepare_in(tmp_path / "here", source, session(FOLATE_BOX, retainComponents=["NDP"]))
    environment = {
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path]),
        "PYTHONHASHSEED": "12345",
        "DOCKYARD_CCD": os.environ["DOCKYARD_CCD"],
    }
    command = [sys.executable, "-c", _PROGRAM, str(source), str(tmp_path / "there")]
    subprocess.run(command, env=environment, check=True, timeout=120)
    assert digests(tmp_path / "there") == digests(tmp_path / "here")
    assert len(digests(tmp_path / "here")) == 4
