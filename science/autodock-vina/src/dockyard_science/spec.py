"""What the compute worker asks for and what it is answered, as it stands in the JSON lines of the session.

The control side validates every field before it sends it; these types only say what is there. Lengths are in
angstrom, energies in kcal/mol, and both say so in their names.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

from dockyard_structures.spec import ReceptorSpec

ProtonationMethod = Literal["pdb2pqr-propka", "meeko"]
ForceField = Literal["AMBER", "CHARMM", "PARSE"]
LigandProtonation = Literal["model", "as_given"]
LigandTautomer = Literal["as_sent", "likely"]
LigandStates = Literal["single", "likely"]
Repair = Literal["none", "far", "box"]
ScoringFunction = Literal["vina", "vinardo"]


class FixedProtonationState(TypedDict):
    """A residue whose state the customer set against what the pH and its surroundings would give.

    Of a residue that a request names by less than its place, chain or number are None until `residue_names` has filled
    them in, here and in every other reference.
    """

    chain: str
    residue: int
    residueName: str
    state: Literal["anionic", "neutral", "cationic", "delta", "epsilon", "both"]
    insertionCode: str
    reason: str | None


class ResidueRef(TypedDict):
    """A residue by its author numbering; an absent insertion code is the empty string.

    With a name, the file has to agree.
    """

    chain: str
    residue: int
    insertionCode: str
    residueName: NotRequired[str]


class FlexibleResidue(ResidueRef):
    """A residue whose side chain turns while a ligand is docked."""


class WatersWithin(TypedDict):
    """Waters that stay for their distance, in angstrom, from the box or the heavy atoms of the ligand."""

    angstrom: float
    of: Literal["box", "ligand"]


class PreparationSpec(TypedDict):
    """How the receptor is prepared; component lists hold CCD ids.

    What a job does not use is absent; without `repair` it is `far`.
    """

    protonationPh: float
    protonationMethod: ProtonationMethod
    forceField: ForceField
    fixedProtonationStates: list[FixedProtonationState]
    removeComponents: list[str]
    retainComponents: list[str]
    removeResidues: NotRequired[list[ResidueRef]]
    retainResidues: NotRequired[list[ResidueRef]]
    retainWatersWithin: NotRequired[WatersWithin]
    flexibleResidues: NotRequired[list[FlexibleResidue]]
    repair: NotRequired[Repair]


class PocketLigand(TypedDict):
    """The ligand of the file around which the box goes; chain and residue only where it has copies."""

    componentId: str
    chain: str | None
    residue: int | None
    insertionCode: NotRequired[str]


class BoxSpec(TypedDict):
    """Exactly one of centre, ligand and residues is there; the size is required with a centre only."""

    centerAngstrom: list[float] | None
    sizeAngstrom: list[float] | None
    ligand: PocketLigand | None
    residues: list[ResidueRef] | None


class NativeReference(TypedDict):
    """The ligand of the file that is docked again as a control."""

    componentId: str
    chain: str
    residue: int
    insertionCode: str


class SessionSpec(TypedDict):
    """What all tasks of one session have in common; without `scoringFunction` it is Vina's own."""

    seed: int
    exhaustiveness: int
    numModes: int
    energyRangeKcalMol: float
    scoringFunction: NotRequired[ScoringFunction]
    receptor: ReceptorSpec
    preparation: PreparationSpec
    preparationSha256: str
    box: BoxSpec
    nativeReference: NativeReference | None


class InspectSpec(TypedDict):
    """An inspection: which part of the file, and the preparation whose refusals are told."""

    kind: Literal["receptor-inspect"]
    receptor: ReceptorSpec
    preparation: PreparationSpec


class PrepareSpec(TypedDict):
    """The preparation of a receptor: whether prepared files come with it, and what made a sent one stale."""

    cached: bool
    staleField: str | None


class SmilesSource(TypedDict):
    """A ligand written as SMILES."""

    kind: Literal["smiles"]
    smiles: str


class CcdSource(TypedDict):
    """A ligand by its id in the Chemical Component Dictionary."""

    kind: Literal["ccd"]
    componentId: str


class ArtifactLigandSource(TypedDict):
    """A ligand in a file; it comes as the input `ligand/source`."""

    kind: Literal["artifact"]
    artifactId: str
    format: str
    sha256: str


class RecordSource(TypedDict):
    """A record of a stored library; its structure comes as the input `ligand/source`, unless `fault` says why not."""

    kind: Literal["record"]
    format: Literal["smi", "sdf"]
    sha256: str
    line: int
    fault: str | None


LigandSource = SmilesSource | CcdSource | ArtifactLigandSource | RecordSource


class LigandSpec(TypedDict):
    """One ligand to dock, or with `dryRun` to prepare alone; without `protonation` its state is computed for the pH.

    Without `tautomer` it keeps the protons of its groups where they were sent; without `states` it is docked in one.
    """

    ligandId: str
    label: str | None
    source: LigandSource
    protonationPh: float
    protonation: NotRequired[LigandProtonation]
    tautomer: NotRequired[LigandTautomer]
    states: NotRequired[LigandStates]
    dryRun: NotRequired[Literal[True]]


class ControlSpec(TypedDict):
    """The control docking of the native ligand; `id` is `native:{component}:{chain}:{residue}`."""

    id: str
    protonationPh: float


class Box(TypedDict):
    """The effective search box as it stands in box.json; `derivation` says what it was made from."""

    centerAngstrom: list[float]
    sizeAngstrom: list[float]
    derivation: dict[str, Any]


@dataclass(frozen=True)
class CachedReceptor:
    """The files of an earlier preparation with the same cache key; `flexible` where side chains turn."""

    pdb: Path
    pdbqt: Path
    report: Path
    flexible: Path | None = None
