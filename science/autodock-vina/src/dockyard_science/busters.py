"""The modules of PoseBusters, told what its configuration `dock` tells them, and the names of its checks.

Its geometry module takes a tenth of a second for a pose and its energy ratio seconds for a ligand, because they work
row by row and over fifty conformers; imported it costs a second. So a screen by the same measures passes what is
plainly right, and the modules here are imported and asked only about what it does not pass: their word counts.
Every constant is that of `posebusters/config/dock.yml` in version 0.6.5, which a test compares; only the rings that
cannot be flat are fewer.
"""

import functools
import logging
from typing import Any

from rdkit import Chem, rdBase

#: The verdict of each check: passed or not, None where the check could not be computed.
Verdicts = dict[str, bool | None]

#: How RDKit's bounds of distances are made, and how far beyond them a distance may be, as a share of the bound.
BOUNDS = {
    "set15bounds": True,
    "scaleVDW": True,
    "doTriangleSmoothing": True,
    "useMacrocycle14config": False,
}
BOND_SHARE, ANGLE_SHARE, CLASH_SHARE = 0.25, 0.25, 0.3

#: Atoms that lie in one plane, by SMARTS, and how far from the plane an atom may be, in angstrom.
AROMATIC_RINGS = {
    "aromatic_5_membered_rings_sp2": "[ar5^2]1[ar5^2][ar5^2][ar5^2][ar5^2]1",
    "aromatic_6_membered_rings_sp2": "[ar6^2]1[ar6^2][ar6^2][ar6^2][ar6^2][ar6^2]1",
}
DOUBLE_BONDS = {"trigonal_planar_double_bonds": "[C;X3;^2](*)(*)=[C;X3;^2](*)(*)"}
FLAT_ANGSTROM = 0.25

#: Rings that the package asks not to be flat, and how far from the plane their farthest atom must be, in angstrom.
PACKAGE_RINGS = {
    "non-aromatic_6_membered_rings": (
        "[C,O,S,N;R1]~1[C,O,S,N;R1][C,O,S,N;R1][C,O,S,N;R1][C,O,S,N;R1][C,O,S,N;R1]1"
    ),
    "non-aromatic_6_membered_rings_db03_0": "[C;R1]~1[C;R1][C,O,S,N;R1]~[C,O,S,N;R1][C;R1][C;R1]1",
    "non-aromatic_6_membered_rings_db03_1": "[C;R1]~1[C;R1][C;R1]~[C;R1][C,O,S,N;R1][C;R1]1",
    "non-aromatic_6_membered_rings_db02_0": "[C;R1]~1[C;R1][C;R1][C,O,S,N;R1]~[C,O,S,N;R1][C;R1]1",
    "non-aromatic_6_membered_rings_db02_1": "[C;R1]~1[C;R1][C,O,S,N;R1][C;R1]~[C;R1][C;R1]1",
}
PUCKERED_ANGSTROM = 0.05

# Two double bonds on opposite sides make a ring of six flat or nearly so: quinones, 4H-pyrans, 1,4-dihydropyridines as
# in nifedipine and NADH. So an atom of such a ring, which is on a double bond or between the two, begins no ring here.
_NOT_OPPOSITE = "R1;!$(*1-*=*-*-*=*-1);!$(*1=*-*-*=*-*-1)"
#: Those of them that cannot be flat.
PUCKERED_RINGS = {name: smarts.replace("R1", _NOT_OPPOSITE, 1) for name, smarts in PACKAGE_RINGS.items()}

#: The largest energy of a pose over the mean energy of this number of relaxed conformers (UFF).
ENERGY_RATIO, ENSEMBLE_CONFORMERS = 100.0, 50

#: A distance to an atom of the receptor over the sum of the radii is at least this.
LEAST_RELATIVE_DISTANCE = 0.75
#: The largest distance to the nearest atom of the protein, in angstrom.
FARTHEST_ANGSTROM = 5.0
#: The largest share of the ligand's volume that may overlap.
OVERLAP_SHARE = 0.075
#: Atoms beyond this distance are ignored, in angstrom; both modules have this default.
SEARCH_ANGSTROM = 6.0

#: Parts of a receptor, each with the radii of its distances and the scale of the radii of its volume.
PARTS: dict[str, tuple[str, float]] = {
    "protein": ("vdw", 0.8),
    "organic_cofactors": ("vdw", 0.8),
    "inorganic_cofactors": ("covalent", 0.5),
    "waters": ("vdw", 0.5),
}

GEOMETRY_CHECKS = ("bond_lengths", "bond_angles", "internal_steric_clash")
AROMATIC_FLATNESS, RING_PUCKER = "aromatic_ring_flatness", "non-aromatic_ring_non-flatness"
DOUBLE_BOND_FLATNESS, INTERNAL_ENERGY = "double_bond_flatness", "internal_energy"
FARTHEST_CHECK = "protein-ligand_maximum_distance"
DISTANCE_CHECKS = {part: f"minimum_distance_to_{part}" for part in PARTS}
VOLUME_CHECKS = {part: f"volume_overlap_with_{part}" for part in PARTS}

#: Every check by the name that PoseBusters gives it in its tables, in their order.
CHECKS = (
    *GEOMETRY_CHECKS,
    AROMATIC_FLATNESS,
    RING_PUCKER,
    DOUBLE_BOND_FLATNESS,
    INTERNAL_ENERGY,
    FARTHEST_CHECK,
    *DISTANCE_CHECKS.values(),
    *VOLUME_CHECKS.values(),
)


def geometry(pose: Chem.Mol) -> Verdicts:
    """Bond lengths, bond angles and clashes within one pose."""
    found = _modules().check_geometry(
        pose,
        threshold_bad_bond_length=BOND_SHARE,
        threshold_bad_angle=ANGLE_SHARE,
        threshold_clash=CLASH_SHARE,
        bound_matrix_params=BOUNDS,
    )["results"]
    outputs = ("bond_lengths_within_bounds", "bond_angles_within_bounds", "no_internal_clash")
    return {name: _verdict(found[output]) for name, output in zip(GEOMETRY_CHECKS, outputs, strict=True)}


def aromatic_flatness(pose: Chem.Mol) -> Verdicts:
    """Whether aromatic rings are flat."""
    return {AROMATIC_FLATNESS: _flatness(pose, AROMATIC_RINGS, FLAT_ANGSTROM, nonflat=False)}


def double_bond_flatness(pose: Chem.Mol) -> Verdicts:
    """Whether double bonds between carbons are flat."""
    return {DOUBLE_BOND_FLATNESS: _flatness(pose, DOUBLE_BONDS, FLAT_ANGSTROM, nonflat=False)}


def ring_pucker(pose: Chem.Mol) -> Verdicts:
    """Whether saturated rings are not flat."""
    return {RING_PUCKER: _flatness(pose, PUCKERED_RINGS, PUCKERED_ANGSTROM, nonflat=True)}


def internal_energy(pose: Chem.Mol) -> Verdicts:
    """Whether the strain is plausible for the molecule; takes seconds for a drug, in one thread, from a fixed seed."""
    found = _modules().check_energy_ratio(
        pose,
        threshold_energy_ratio=ENERGY_RATIO,
        ensemble_number_conformations=ENSEMBLE_CONFORMERS,
        num_threads=1,
    )["results"]
    return {INTERNAL_ENERGY: _verdict(found["energy_ratio_passes"])}


def distance(pose: Chem.Mol, part: str, atoms: Chem.Mol) -> Verdicts:
    """Whether atoms of one part of the receptor are too near; for the protein also whether it is too far away."""
    found = _modules().check_intermolecular_distance(
        pose,
        atoms,
        radius_type=PARTS[part][0],
        radius_scale=1.0,
        clash_cutoff=LEAST_RELATIVE_DISTANCE,
        ignore_types={"hydrogens"},
        max_distance=FARTHEST_ANGSTROM,
    )["results"]
    near = {DISTANCE_CHECKS[part]: _verdict(found["no_clashes"])}
    return near | {FARTHEST_CHECK: _verdict(found["not_too_far_away"])} if part == "protein" else near


def volume(pose: Chem.Mol, part: str, atoms: Chem.Mol) -> Verdicts:
    """Whether the volume of the ligand overlaps with that of one part of the receptor."""
    found = _modules().check_volume_overlap(
        pose, atoms, clash_cutoff=OVERLAP_SHARE, vdw_scale=PARTS[part][1], ignore_types={"hydrogens"}
    )["results"]
    return {VOLUME_CHECKS[part]: _verdict(found["no_volume_clash"])}


def _flatness(pose: Chem.Mol, systems: dict[str, str], angstrom: float, *, nonflat: bool) -> bool | None:
    found = _modules().check_flatness(
        pose, threshold_flatness=angstrom, flat_systems=systems, check_nonflat=nonflat
    )
    return _verdict(found["results"]["flatness_passes"])


@functools.cache
def _modules() -> Any:
    """The modules of PoseBusters without log lines: their answers say everything about a pose."""
    import posebusters

    logging.getLogger("posebusters").setLevel(logging.CRITICAL + 1)
    # PoseBusters sends RDKit's messages to Python's log; this call sends them back, and they stay switched off.
    rdBase.LogToCppStreams()
    rdBase.DisableLog("rdApp.*")
    return posebusters


def _verdict(value: Any) -> bool | None:
    """A module's answer; it says that it could not look by what is no number."""
    return bool(value) if value == value and value is not None else None  # noqa: PLR0124 - NaN is not itself
