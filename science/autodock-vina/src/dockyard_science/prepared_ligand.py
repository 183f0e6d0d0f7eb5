"""A ligand that is ready for docking, and what the result says about how it became so."""

from dataclasses import dataclass, field
from typing import Any

from rdkit import Chem

from dockyard_science.descriptors import descriptors
from dockyard_science.modes import other_exhaustiveness, shape_exhaustiveness
from dockyard_science.ring_search import WINDOW_KCAL_MOL
from dockyard_science.ring_shapes import RingShapes
from dockyard_science.spec import LigandProtonation, LigandTautomer
from dockyard_science.stereo import OpenStereo
from dockyard_session.tool import TaskWarning


@dataclass(frozen=True)
class PreparedShapes:
    """The shapes of a ligand's rings: how they were found, and the PDBQT of each."""

    found: RingShapes
    pdbqts: list[str]

    def searches(self, exhaustiveness: int) -> list[int]:
        """How long each is searched of a ligand that is searched so long in one shape."""
        count = len(self.pdbqts)
        if not self.found.is_built_first:
            return [shape_exhaustiveness(exhaustiveness, count)] * count
        others = count - 1
        each = other_exhaustiveness(exhaustiveness, others, is_built_usual=self.is_built_usual)
        return [exhaustiveness, *[each] * others]

    @property
    def is_built_usual(self) -> bool:
        """Whether the first shape, as it was built, is one that molecules take, and no boat that was left."""
        return self.strain(1) <= WINDOW_KCAL_MOL

    def strain(self, shape: int | None) -> float:
        """What a shape, counted from 1, costs, in kcal/mol."""
        return self.found.shapes[shape - 1].strain if shape else 0.0

    def record(self) -> dict[str, Any]:
        """What the result says about the shapes; energies in kcal/mol above the lowest."""
        return {
            "rings": self.found.rings,
            "conformersMade": self.found.made,
            "distinct": self.found.distinct,
            "shapes": [
                {"shape": number, "energyKcalMol": shape.energy, "pdbqt": pdbqt}
                for number, (shape, pdbqt) in enumerate(zip(self.found.shapes, self.pdbqts, strict=True), 1)
            ],
        }


@dataclass(frozen=True)
class PreparedLigand:
    """A ligand as it is docked: its PDBQT, the SMILES of exactly that molecule, and what was done to it.

    `shapes` is None where no ring has shapes of its own; else `pdbqt` is that of the first. `sent` is the molecule
    without salts, before anything else was done to it.
    """

    sent: Chem.Mol
    pdbqt: str
    smiles_input: str
    smiles_docked: str
    formula: str
    heavy_atoms: int
    formal_charge: int
    torsions: int
    removed_fragments: list[str]
    open_stereo: OpenStereo
    force_field: str | None
    macrocycles: list[int]
    protonation: LigandProtonation
    tautomer: LigandTautomer
    sites: list[dict[str, Any]]
    warnings: list[TaskWarning] = field(default_factory=list)
    shapes: PreparedShapes | None = None
    # Of its state above the likeliest one, in kcal/mol.
    cost: float = 0.0

    def state_record(self, number: int) -> dict[str, Any]:
        """What the result says of the ligand as one state of several, counted from 1."""
        return {
            "state": number,
            "smiles": self.smiles_docked,
            "formalCharge": self.formal_charge,
            "costKcalMol": self.cost,
        }

    def record(self) -> dict[str, Any]:
        """What the result says about the preparation."""
        shapes = {} if self.shapes is None else {"ringShapes": self.shapes.record()}
        return {
            "smilesInput": self.smiles_input,
            "smilesDocked": self.smiles_docked,
            "formula": self.formula,
            "heavyAtoms": self.heavy_atoms,
            "formalCharge": self.formal_charge,
            "protonation": self.protonation,
            # A ligand without this choice keeps the record that it had before the choice existed.
            **({} if self.tautomer == "as_sent" else {"tautomer": self.tautomer}),
            "protonationSites": self.sites,
            "activeTorsions": self.torsions,
            "descriptors": descriptors(self.sent),
            "removedFragments": self.removed_fragments,
            "openStereo": {"centres": self.open_stereo.centres, "doubleBonds": self.open_stereo.double_bonds},
            "forceField": self.force_field,
            "rigidMacrocycles": self.macrocycles,
            # With it a docking can be repeated by Vina alone.
            "pdbqt": self.pdbqt,
            **shapes,
        }


@dataclass(frozen=True)
class PreparedStates:
    """A ligand in its states, the likeliest first; `on_paper` is how many there are, None where one was asked for."""

    each: list[PreparedLigand]
    on_paper: int | None

    def record(self) -> dict[str, Any]:
        """What a dry run says of states; nothing where one was asked for."""
        if self.on_paper is None:
            return {}
        each = [ligand.state_record(number) for number, ligand in enumerate(self.each, 1)]
        return {"states": {"onPaper": self.on_paper, "each": each}}
