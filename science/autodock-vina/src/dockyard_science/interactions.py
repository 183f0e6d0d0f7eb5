"""Interactions of every pose with the receptor, as ProLIF finds them, under the names of the contract.

ProLIF's classes look for one pattern of atoms in the ligand, for another in a residue, and at distance and angles.
What matches a pattern does not depend on the pose, so it is looked up once: in the receptor when its pocket is made, in
the ligand once for all modes. The patterns are matched in the whole pocket, not in residues that were cut out of it,
so that the nitrogen of a peptide bond is seen as one. Then only residues near a mode are asked.
"""

import sys
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from rdkit import Chem
from scipy.spatial.distance import cdist

from dockyard_science.ccd import Ccd, default_ccd
from dockyard_science.interaction_records import Contact, Record, best_contacts, records
from dockyard_science.interaction_sides import LigandSide, ReceptorSides, Side
from dockyard_science.interaction_types import HYDROGEN_BONDS, KINDS, Kind
from dockyard_science.pdbqt import Coordinates, coordinates
from dockyard_science.pocket_molecule import build_pocket
from dockyard_science.side_chains import SideChains
from dockyard_science.spec import Box
from dockyard_science.water_bridges import Bridge, bridges

#: Residues with a heavy atom this near to one of the ligand are asked, as in ProLIF's own fingerprint.
VICINITY_ANGSTROM = 6.0

# Whose limit is a distance between atoms; that of rings is one between their centres.
_BETWEEN_ATOMS = frozenset(
    {"hydrogen_bond", "salt_bridge", "metal_coordination", "halogen_bond", "hydrophobic"}
)


class InteractionFinder:
    """Finds the interactions of poses with one receptor around one box, which is read once."""

    def __init__(self, receptor_pdbqt: str, box: Box, ccd: Ccd, side_chains_pdbqt: str = "") -> None:
        """Read the receptor as it is docked into; side chains that turn are given by themselves."""
        self._pocket = build_pocket(receptor_pdbqt, box, ccd, side_chains_pdbqt)
        self._sides = ReceptorSides(self._pocket)
        self._heavy = np.array(
            [atom.GetIdx() for atom in self._pocket.mol.GetAtoms() if atom.GetAtomicNum() > 1], dtype=np.intp
        )
        self._reported = np.isin(np.arange(len(self._pocket.residues)), self._pocket.reported)

    def find(self, mol: Chem.Mol, side_chains: Sequence[str] = ()) -> list[list[Record]]:
        """The interactions of every mode, best mode first; mode n is the conformer n - 1 of `mol`.

        `side_chains` has those that turned (PDBQT) as they stand in each mode.
        """
        ligand = LigandSide(mol)
        return [
            self._of_mode(ligand, mode, side_chains[mode] if side_chains else "")
            for mode in range(mol.GetNumConformers())
        ]

    def _of_mode(self, ligand: LigandSide, mode: int, side_chains: str) -> list[Record]:
        ligand.stand(mode)
        moved = coordinates(side_chains) if side_chains else None
        self._sides.stand(self._pocket.positions_with(moved))
        nearest = self._nearest(ligand.xyz[ligand.heavy])
        near = np.flatnonzero((nearest <= VICINITY_ANGSTROM) & self._reported).tolist()
        contacts: list[Contact] = []
        for residue in near:
            side = self._sides.of(residue)
            for kind in KINDS:
                if kind.type not in _BETWEEN_ATOMS or nearest[residue] <= kind.detector.distance:
                    contacts += _contacts(kind, ligand, side, residue)
        found = best_contacts(contacts, ligand.mol, self._pocket)
        bridged = self._bridges(ligand, near, nearest)
        modes = ligand.mol.GetNumConformers()
        return records(found, bridged, self._pocket, ligand.xyz, self._sides.xyz, modes=modes)

    def _nearest(self, ligand: Coordinates) -> npt.NDArray[np.float64]:
        """The distance of each residue to the ligand, between heavy atoms, angstrom."""
        xyz = self._sides.xyz[self._heavy]
        low, high = ligand.min(axis=0) - VICINITY_ANGSTROM, ligand.max(axis=0) + VICINITY_ANGSTROM
        inside = np.flatnonzero(((xyz >= low) & (xyz <= high)).all(axis=1))
        nearest = np.full(len(self._pocket.residues), np.inf)
        owners = self._pocket.owners[self._heavy[inside]]
        np.minimum.at(nearest, owners, cdist(ligand, xyz[inside]).min(axis=0))
        return nearest

    def _bridges(
        self, ligand: LigandSide, near: Sequence[int], nearest: npt.NDArray[np.float64]
    ) -> list[Bridge]:
        waters = [
            residue
            for residue in near
            if self._pocket.residues[residue].is_water
            and nearest[residue] <= HYDROGEN_BONDS[0].detector.distance
        ]
        return bridges(ligand, waters, self._sides, self._pocket) if waters else []


def _contacts(kind: Kind, ligand: Side, side: Side, residue: int) -> list[Contact]:
    return [
        Contact(
            kind=kind,
            residue=residue,
            ligand=tuple(found["indices"]["ligand"]),
            receptor=tuple(found["indices"]["protein"]),
            distance=float(found["distance"]),
            angle=None if kind.angle is None else float(found[kind.angle]),
        )
        for found in kind.detector.detect(ligand, side)
    ]


def open_finder(receptor_pdbqt: str, box: Box, side_chains: SideChains | None) -> InteractionFinder | None:
    """A finder, or None for a receptor that cannot be read as molecules: no reason to lose a docking."""
    try:
        turning = "" if side_chains is None else side_chains.text
        return InteractionFinder(receptor_pdbqt, box, default_ccd(), turning)
    except Exception:
        _note("The receptor")
        return None


def interaction_records(
    finder: InteractionFinder | None, mol: Chem.Mol, side_chains: Sequence[str]
) -> Sequence[list[Record] | None]:
    """The interactions of every mode; None for each where they could not be had."""
    nothing: list[Any] = [None] * mol.GetNumConformers()
    if finder is None:
        return nothing
    try:
        return finder.find(mol, side_chains)
    except Exception:
        _note("A ligand")
        return nothing


def _note(what: str) -> None:
    """Leave the cause in the session's own log; the ligand's log has to be the same bytes every time."""
    sys.stderr.write(f"{what} has no interactions:\n{traceback.format_exc()}")
