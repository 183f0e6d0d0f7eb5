"""A module that tells when it is imported."""

import sys

sys.stdout.write("heavy modules are here\n")
