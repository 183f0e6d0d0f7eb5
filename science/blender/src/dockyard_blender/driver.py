"""The script that starts a session, as `PYTHON driver.py -- …` and as `blender … --python driver.py -- …`.

What stands before `--` is of whoever runs the script, and what stands behind it is of the session.
"""

import sys

from dockyard_session.session import main

if __name__ == "__main__":
    sys.argv = [sys.argv[0], *sys.argv[sys.argv.index("--") + 1 :]]
    raise SystemExit(main())
