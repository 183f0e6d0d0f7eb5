"""Pockets by fpocket-rs, in a process of its own: what it does with an odd file ends that process and nothing else.

Its volumes are drawn by chance, so its pocket score and the order that this gives differ between two runs on one file.
Its alpha spheres and its druggability score do not. So a report takes those, ranks by the druggability score, and finds
the residues of a pocket from its spheres. None of it is fpocket's own score or rank.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from dockyard_science.box import LARGEST_SIDE_ANGSTROM, RESIDUES_MARGIN_ANGSTROM, SMALLEST_SIDE_ANGSTROM
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Residue, chain_letters, write_pdb

METHOD = "fpocket-rs"
MOST_POCKETS = 20

_SECONDS = 120
# The spheres are computed from places with three decimals, so a touched atom may be this far off.
_TOUCH_ANGSTROM = 0.05


def find_pockets(polymer: Sequence[Residue]) -> dict[str, Any]:
    """The pockets of a receptor's chains, best first by fpocket-rs's own score; or why fpocket-rs found none."""
    report: dict[str, Any] = {
        "method": f"{METHOD} {metadata.version(METHOD)}",
        "note": "Score (druggability) and rank are fpocket-rs's own; they are not those of fpocket.",
        "failure": None,
        "pockets": [],
    }
    if not polymer:
        return report
    try:
        letters = chain_letters(residue.chain for residue in polymer)
        text = write_pdb(polymer, letters, blank=False)
    except ScienceError as error:
        return report | {"failure": error.message}
    found = _detect(text)
    if found is None:
        return report | {"failure": "fpocket-rs ended without an answer."}
    pockets = [_pocket(spheres, score, polymer) for score, spheres in found]
    pockets.sort(key=lambda each: (-each["score"], -each["alphaSpheres"], each["centerAngstrom"]))
    ranked = [{"rank": rank} | pocket for rank, pocket in enumerate(pockets[:MOST_POCKETS], start=1)]
    return report | {"pockets": ranked}


def _detect(text: str) -> list[tuple[float, list[list[float]]]] | None:
    """The druggability score and the alpha spheres (x, y, z, radius in angstrom) of each pocket."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "chains.pdb")
        path.write_text(text, encoding="ascii")
        command = [sys.executable, "-m", "dockyard_science.inspect_pockets", str(path)]
        try:
            done = subprocess.run(  # noqa: S603 - it is this very module
                command,
                env=_environment(),
                capture_output=True,
                check=True,
                timeout=_SECONDS,
            )
            return [(score, spheres) for score, spheres in json.loads(done.stdout)]
        except (subprocess.SubprocessError, OSError, ValueError, TypeError):
            return None


def _environment() -> dict[str, str]:
    """The environment of the child: that of this process, with the path on which this process finds its modules."""
    path = os.pathsep.join(each for each in sys.path if each)
    return os.environ | {"PYTHONPATH": path, "PYTHONSAFEPATH": "1", "RAYON_NUM_THREADS": "1"}


def _pocket(spheres: Sequence[Sequence[float]], score: float, polymer: Sequence[Residue]) -> dict[str, Any]:
    places = np.array([sphere[:3] for sphere in spheres])
    low, high = places.min(axis=0), places.max(axis=0)
    sides = np.clip(high - low + RESIDUES_MARGIN_ANGSTROM, SMALLEST_SIDE_ANGSTROM, LARGEST_SIDE_ANGSTROM)
    return {
        "score": score,
        "alphaSpheres": len(spheres),
        "centerAngstrom": [round(float(value), 2) for value in (low + high) / 2],
        "sizeAngstrom": [round(float(value), 1) for value in sides],
        "residues": _touched(spheres, polymer),
    }


def _touched(spheres: Sequence[Sequence[float]], polymer: Sequence[Residue]) -> list[dict[str, Any]]:
    """The residues with an atom on the surface of an alpha sphere: each sphere touches four atoms and holds none."""
    owners = [(residue, atom) for residue in polymer for atom in residue.heavy_atoms]
    tree = cKDTree(np.array([atom.position for _, atom in owners]))
    touched: dict[int, Residue] = {}
    for *place, radius in spheres:
        for index in tree.query_ball_point(place, radius + _TOUCH_ANGSTROM):
            touched[id(owners[index][0])] = owners[index][0]
    return [residue.reference() for residue in polymer if id(residue) in touched]


def main(path: str) -> None:
    """Print the pockets of a PDB file as JSON: score and spheres of each."""
    import fpocket_rs

    found = fpocket_rs.detect_pockets(path)["pockets"]
    pockets = [
        [
            round(float(pocket["drug_score"]), 3) + 0.0,
            sorted([float(value) for value in sphere] for sphere in pocket["alpha_spheres"]),
        ]
        for pocket in found
        if pocket["alpha_spheres"]
    ]
    sys.stdout.write(json.dumps(pockets))


if __name__ == "__main__":
    main(sys.argv[1])
