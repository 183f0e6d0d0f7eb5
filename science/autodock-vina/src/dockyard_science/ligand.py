"""Makes a ligand ready for docking: salt, tautomer, protonation, stereo, three dimensions, PDBQT, in this order.

The same molecule gives the same bytes however it was written and whatever the job's seed is. Every failure has a code;
nothing is changed in the ligand without a warning or an entry in the result.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from rdkit import Chem

from dockyard_science.conformer import build_conformer
from dockyard_science.described_ligand import BuiltState, SentLigand, as_it_is, describe, write_pdbqt
from dockyard_science.ligand_protonation import as_given, protonate, task_warning
from dockyard_science.ligand_request import LigandRequest
from dockyard_science.ligand_sources import RawLigand, read_ligand
from dockyard_science.modes import most_small_shapes, state_exhaustiveness
from dockyard_science.pdbqt import move_atoms
from dockyard_science.plain_ligand import plain_ligand
from dockyard_science.prepared_ligand import PreparedLigand, PreparedShapes, PreparedStates
from dockyard_science.ring_shapes import ring_shapes
from dockyard_science.spec import LigandProtonation, LigandTautomer
from dockyard_science.states import (
    MOST_ISOMERS,
    MOST_STATES,
    LigandState,
    LikelyStates,
    likely_states,
    limit_warning,
)
from dockyard_science.stereo import (
    OpenStereo,
    label_from_coordinates,
    stereo_choices,
    without_passing_labels,
)
from dockyard_science.stereo_words import warn_of_axes
from dockyard_science.tautomers import tautomer_of
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning

# Isomers tried where stereo is open; a cage can have dozens on paper that cannot exist.
_MAX_TRIED = 16
# The exhaustiveness of a job that names none.
_EXHAUSTIVENESS = 8


def _no_step() -> None:
    return


def prepare_ligand(
    raw: RawLigand,
    protonation_ph: float,
    protonation: LigandProtonation = "model",
    tautomer: LigandTautomer = "as_sent",
    on_step: Callable[[], None] = _no_step,
    *,
    exhaustiveness: int = _EXHAUSTIVENESS,
) -> PreparedLigand:
    """Prepare a ligand in one state, at a pH or as given. Raises ScienceError with one of the LIGAND_ codes."""
    request = LigandRequest(raw, protonation_ph, protonation, tautomer)
    return prepare_states(request, on_step, exhaustiveness=exhaustiveness).each[0]


def prepare_states(
    request: LigandRequest, on_step: Callable[[], None] = _no_step, *, exhaustiveness: int = _EXHAUSTIVENESS
) -> PreparedStates:
    """Prepare a ligand in the states that are asked for. Raises ScienceError with one of the LIGAND_ codes.

    The exhaustiveness of the docking says how many shapes of rings there may be. `on_step` is called now and then
    while states and the shapes of a ring are built, which takes long but not for ever.
    """
    ligand = read_ligand(request.raw)
    is_single = request.states == "single"
    if ligand.pdbqt is not None:
        return PreparedStates([as_it_is(ligand, ligand.pdbqt)], None if is_single else 1)
    warnings: list[TaskWarning] = []
    desalted = plain_ligand(ligand, warnings, is_each_docked=not is_single)
    sent = SentLigand(desalted, ligand.smiles_input, request.tautomer)
    wanted = without_passing_labels(desalted.mol)

    def finish(built: BuiltState, told: list[TaskWarning], each: int) -> PreparedLigand:
        warn_of_axes(built.state.mol, told)
        shapes = _shapes(built, told, on_step, most_small_shapes(each))
        pdbqt = write_pdbqt(built.mol) if shapes is None else shapes.pdbqts[0]
        return describe(sent, built, pdbqt, shapes, told)

    if is_single:
        built = _one_state(wanted, request, warnings)
        return PreparedStates([finish(built, warnings, exhaustiveness)], None)
    likely = likely_states(wanted, request.protonation_ph, warnings)
    all_built = _each_state(likely, on_step, warnings)
    each = state_exhaustiveness(exhaustiveness, len(all_built))
    return PreparedStates([finish(one, [*warnings], each) for one in all_built], likely.on_paper)


def _one_state(wanted: Chem.Mol, request: LigandRequest, warnings: list[TaskWarning]) -> BuiltState:
    """The ligand in its one state; of open isomers the first that exists."""
    if request.protonation == "as_given":
        state = as_given(wanted)
    else:
        chosen = tautomer_of(wanted, request.tautomer, request.protonation_ph, warnings)
        state = protonate(chosen, request.protonation_ph, warnings)
    candidates, unknown = stereo_choices(state.mol)
    built, force_field = _build(state.mol, candidates)
    if unknown:
        docked = Chem.MolToSmiles(Chem.RemoveHs(built))
        warnings.append(_stereo_warning(unknown, f"one isomer was docked: {docked}"))
    return BuiltState(built, force_field, state, unknown)


def _each_state(
    likely: LikelyStates, on_step: Callable[[], None], warnings: list[TaskWarning]
) -> list[BuiltState]:
    """The likeliest states that exist, as many as there may be.

    Raises ScienceError LIGAND_EMBED_FAILED where none can be built.
    """
    built: list[BuiltState] = []
    tried: Counter[str] = Counter()
    good: Counter[str] = Counter()
    is_cut = False
    for state in likely.states:
        if len(built) == MOST_STATES or good[state.form] == MOST_ISOMERS:
            is_cut = True
        elif tried[state.form] < _MAX_TRIED:
            on_step()
            tried[state.form] += 1
            found = _built_state(state)
            good[state.form] += found is not None
            built += [] if found is None else [found]
    if not built:
        first = likely.states[0]
        mol, force_field = _build(first.protonated.mol, [first.protonated.mol, first.isomer])
        built = [BuiltState(mol, force_field, first.protonated, first.unknown, first.cost)]
    if is_cut:
        warnings.append(limit_warning(len(built), likely.on_paper))
    if built[0].unknown:
        isomers = max(good.values(), default=1)
        told = "one isomer was" if isomers < 2 else f"{isomers} isomers of it were"
        warnings.append(_stereo_warning(built[0].unknown, f"{told} docked, each as a state"))
    return built


def _built_state(state: LigandState) -> BuiltState | None:
    """A state in three dimensions; None for an isomer that exists on paper only."""
    try:
        mol, force_field = build_conformer([state.isomer])
    except ScienceError:
        return None
    if state.unknown:
        label_from_coordinates(mol)
    return BuiltState(mol, force_field, state.protonated, state.unknown, state.cost)


def _build(given: Chem.Mol, candidates: Sequence[Chem.Mol]) -> tuple[Chem.Mol, str]:
    """Build the first isomer that exists; of a cage whose isomers on paper do not, what its rings allow."""
    is_open = len(candidates) > 1
    built, force_field = build_conformer([*candidates[:_MAX_TRIED], given] if is_open else [given])
    if is_open:
        label_from_coordinates(built)
    return built, force_field


def _shapes(
    built: BuiltState, warnings: list[TaskWarning], on_step: Callable[[], None], most: int
) -> PreparedShapes | None:
    found = ring_shapes(built.mol, built.force_field or "none", on_step, most)
    if found is None:
        return None
    if found.is_fallback:
        sizes = " and ".join(str(size) for size in found.rings)
        message = (
            f"No second conformation of the ring of {sizes} atoms could be built; it was docked in one shape."
        )
        warnings.append(task_warning("MACROCYCLE_RIGID", message))
    places = [np.asarray(shape.mol.GetConformer().GetPositions()) for shape in found.shapes]
    # Meeko looks at bonds alone: another shape has the same atoms, types and torsions.
    lowest = write_pdbqt(found.shapes[0].mol)
    return PreparedShapes(found, [lowest, *(move_atoms(lowest, places[0], other) for other in places[1:])])


def _stereo_warning(unknown: OpenStereo, done: str) -> TaskWarning:
    parts = {"stereocentre": unknown.centres, "double bond": unknown.double_bonds}
    counts = " and ".join(f"{count} {name}{'s' * (count > 1)}" for name, count in parts.items() if count)
    return task_warning("STEREO_UNSPECIFIED", f"The input leaves {counts} open; {done}")


def warm_up() -> None:
    """Load what the libraries load with their first molecule, so that every later one finds it there."""
    prepare_ligand(RawLigand("smiles", "CC(=O)Nc1ncccn1.Cl"), 7.4).record()
