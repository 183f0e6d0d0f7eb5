"""The one table of interactions: what ProLIF calls each of them, and what the contract does.

Limits and patterns are ProLIF's own. ProLIF tells every pair of atoms that fits; `one_per` says of which a reader wants
only the best one.
"""

import functools
from dataclasses import dataclass
from typing import Any, Literal

from dockyard_science.prolif_door import interaction

InteractionType = Literal[
    "hydrogen_bond",
    "salt_bridge",
    "metal_coordination",
    "halogen_bond",
    "pi_stacking",
    "pi_cation",
    "hydrophobic",
    "water_bridge",
]

#: The types in the order in which a pose has them.
TYPES: tuple[InteractionType, ...] = (
    "hydrogen_bond",
    "salt_bridge",
    "metal_coordination",
    "halogen_bond",
    "pi_stacking",
    "pi_cation",
    "water_bridge",
    "hydrophobic",
)

#: Of what one contact is told: a pair of atoms, of rings, of charged groups; an atom of the ligand, or a residue.
OnePer = Literal["atoms", "rings", "groups", "ligand_atom", "residue"]


@dataclass(frozen=True)
class Kind:
    """A class of ProLIF and the type that it finds.

    `ligand_role` is the ligand's part in a hydrogen bond, `angle` ProLIF's name of the angle that is told, which of a
    plane is at most 90 degrees. `ligand` is how many atoms of the ligand's match are told, None for all; `receptor`
    which atom of the receptor's match, None for the nearest one of a ring.
    """

    prolif: str
    type: InteractionType
    one_per: OnePer
    ligand_role: Literal["donor", "acceptor"] | None = None
    angle: str | None = None
    is_plane: bool = False
    ligand: int | None = 1
    receptor: int | None = 0

    @functools.cached_property
    def detector(self) -> Any:
        """ProLIF's own class, made once."""
        return interaction(self.prolif)


#: The class of hydrogen bonds by the ligand's part in them; a water's bonds are found by the same classes.
HYDROGEN_BONDS = (
    Kind("HBAcceptor", "hydrogen_bond", "atoms", "acceptor", "DHA_angle"),
    Kind("HBDonor", "hydrogen_bond", "atoms", "donor", "DHA_angle", ligand=2),
)

KINDS = (
    *HYDROGEN_BONDS,
    Kind("Cationic", "salt_bridge", "groups"),
    Kind("Anionic", "salt_bridge", "groups"),
    Kind("MetalAcceptor", "metal_coordination", "atoms"),
    Kind("XBDonor", "halogen_bond", "ligand_atom", angle="AXD_angle", ligand=2),
    Kind("XBAcceptor", "halogen_bond", "ligand_atom", angle="AXD_angle", receptor=1),
    Kind(
        "FaceToFace", "pi_stacking", "rings", angle="plane_angle", is_plane=True, ligand=None, receptor=None
    ),
    Kind(
        "EdgeToFace", "pi_stacking", "rings", angle="plane_angle", is_plane=True, ligand=None, receptor=None
    ),
    Kind("CationPi", "pi_cation", "groups", angle="angle", is_plane=True, receptor=None),
    Kind("PiCation", "pi_cation", "groups", angle="angle", is_plane=True, ligand=None),
    Kind("Hydrophobic", "hydrophobic", "residue"),
)
