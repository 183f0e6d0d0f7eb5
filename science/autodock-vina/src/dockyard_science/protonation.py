"""Hydrogens on a receptor's chains: pdb2pqr with propka at the pH asked for, fixed states over both.

pdb2pqr builds missing side-chain atoms, protonates, turns ASN, GLN and HIS where that gives better hydrogen
bonds, and moves side chains that it has built where they bump. What it changed is found by comparing its atoms
with those it was given. It runs in this process, on the chains only: retained components are not seen by it.
"""

import contextlib
import logging
import tempfile
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pdb2pqr import main as pdb2pqr_main
from pdb2pqr.biomolecule import Biomolecule

from dockyard_science.deposited_places import deposited_atoms_stay
from dockyard_science.faults import Culprit, SideChainError
from dockyard_science.fixed_states import (
    check_fixed,
    fixed_residues,
    histidine_forms,
    keeps_proton,
    remove_lost,
)
from dockyard_science.linked import uncharged_before_caps, undefined, with_amide_hydrogens
from dockyard_science.pdb2pqr_data import files_read_once
from dockyard_science.propka_rows import PropkaRuns
from dockyard_science.spec import PreparationSpec
from dockyard_science.stretches import letter_stretches
from dockyard_session.errors import ScienceError, one_line
from dockyard_structures.atoms import Atom, Residue, ResidueKey, write_pdb
from dockyard_structures.residues import NUCLEOTIDES, missing_heavy_atoms, short_list

#: Above this share of missing heavy atoms pdb2pqr repairs nothing and goes on without them.
REPAIR_LIMIT = 0.1

# Without these three atoms no other atom of a residue can be placed.
_FRAME = frozenset({"N", "CA", "C"})

# propka uses 0 to 14; this pKa is beyond any pH.
_FORCED_PKA = 99.0

# Chains are protonated again around a histidine or with crowded residues held, which propka does not see.
_PROPKA = PropkaRuns()

_ACID_HYDROGENS = {"ASP": {"HD1", "HD2"}, "GLU": {"HE1", "HE2"}}

# The hydrogen that a neutral histidine of a form does not have.
_SURPLUS_HYDROGEN = {"delta": "HE2", "epsilon": "HD1"}

_PHOSPHATE = ("P", "OP1", "OP2", "OP3", "O1P", "O2P", "O3P")

# The hydrogen that pdb2pqr puts on the first O5' of a strand.
_FREE_START_HYDROGEN = "H5T"

# The hydrogens that make the state, the state with all of these hydrogens, the state without them.
_STATES = {
    "ARG": ({"HE", "HH11", "HH12", "HH21", "HH22"}, "cationic", "neutral"),
    "CYS": ({"HG"}, "neutral", "no hydrogen on SG"),
    "LYS": ({"HZ1", "HZ2", "HZ3"}, "cationic", "neutral"),
    "TYR": ({"HH"}, "neutral", "anionic"),
}

# The state of a histidine by whether ND1 and NE2 have a hydrogen.
_HISTIDINE_STATES = {
    (True, True): "cationic",
    (True, False): "neutral, hydrogen on ND1",
    (False, True): "neutral, hydrogen on NE2",
    (False, False): "anionic",
}


@dataclass
class Protonated:
    """Chains with all hydrogens; the pKa table as propka gave it, before fixed states; pdb2pqr's remarks.

    `lacking` are its remarks on states that the force field does not have.
    """

    residues: list[Residue]
    pka: list[dict[str, Any]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)


def check_complete(residues: Sequence[Residue], *, side_chains: bool) -> None:
    """Raise RECEPTOR_MISSING_ATOMS where atoms are missing that nothing can build.

    `side_chains` says that a missing side-chain atom is one of those as well, and then no residue is to blame.
    """
    broken: list[str] = []
    culprits: list[Culprit] = []
    missing_count = heavy_count = 0
    for residue in residues:
        missing = missing_heavy_atoms(residue.name, (atom.name for atom in residue.atoms))
        heavy_count += len(residue.heavy_atoms)
        missing_count += len(missing)
        fatal = missing if side_chains else [name for name in missing if name in _FRAME]
        if fatal:
            broken.append(f"{residue.label} lacks {', '.join(fatal)}")
            culprits.append(Culprit(residue.key, frozenset(fatal), whole=True))
    if broken:
        message = f"Heavy atoms are missing: {short_list(broken, most=4)}."
        raise SideChainError("RECEPTOR_MISSING_ATOMS", message, [] if side_chains else culprits)
    if missing_count > REPAIR_LIMIT * heavy_count:
        message = (
            f"{missing_count} heavy atoms are missing beside {heavy_count} that are there, too many to build."
        )
        raise ScienceError("RECEPTOR_MISSING_ATOMS", message)


def protonate(
    residues: Sequence[Residue],
    preparation: PreparationSpec,
    held: Set[ResidueKey] = frozenset(),
    forms: Mapping[ResidueKey, str] | None = None,
) -> Protonated:
    """Add hydrogens and missing atoms with pdb2pqr and propka; residues in `held` are not turned.

    `forms` are those of histidines beside the fixed ones; neither are turned. Raises PROTONATION_FAILED where
    pdb2pqr gives up or a fixed state cannot be set, RECEPTOR_MISSING_ATOMS where it left atoms out.
    """
    fixed = fixed_residues(residues, preparation["fixedProtonationStates"])
    forms = {**(forms or {}), **histidine_forms(fixed)}
    lettered = letter_stretches(residues)
    letters, names = lettered.letter_of, lettered.chains
    text = write_pdb([undefined(each) for each in lettered.residues], lettered.letters, blank=False)
    forced = {key: ("HIS", form) for key, form in forms.items()}
    forced |= {key: (state["residueName"], state["state"]) for key, state in fixed.items()}
    imposed = _Imposed(
        {(letters[key], key[1], key[2]): state for key, state in forced.items()},
        [(key[1], letters[key], key[2]) for key in held | forms.keys()],
    )
    remarks: list[logging.LogRecord] = []
    result, rows = _run(text, preparation, imposed, remarks)
    built = {
        (names[each.chain_id], int(each.res_seq), each.ins_code.strip()): [_atom(atom) for atom in each.atoms]
        for each in result.residues
    }
    protonated = with_amide_hydrogens(
        [_with_phosphate(residue, built.get(residue.key, [])) for residue in residues]
    )
    check_complete(protonated, side_chains=True)
    protonated = [
        remove_lost(residue, fixed[residue.key], protonated) if residue.key in fixed else residue
        for residue in protonated
    ]
    check_fixed(protonated, fixed, "the force field has no such state there, as at the end of a chain")
    return Protonated(
        protonated,
        [_pka_row(row, names) for row in rows],
        _texts(remarks),
        _texts([record for record in remarks if record.funcName == "apply_pka_values"]),
    )


def _with_phosphate(residue: Residue, built: Sequence[Atom]) -> Residue:
    """A residue as pdb2pqr built it, with the phosphate that begins its strand; pdb2pqr would put a hydrogen there."""
    phosphate = [atom for atom in residue.heavy_atoms if atom.name in _PHOSPHATE]
    if (
        residue.atom("P") is None
        or residue.name not in NUCLEOTIDES
        or any(atom.name == "P" for atom in built)
    ):
        return residue.with_atoms(built)
    return residue.with_atoms(
        [*phosphate, *(atom for atom in built if atom.name not in {*_PHOSPHATE, _FREE_START_HYDROGEN})]
    )


@dataclass
class _Imposed:
    """States by chain letter, number and insertion code, and the residues that pdb2pqr is not to turn.

    pdb2pqr takes a state from the pKa that propka gives, and of a histidine's neutral forms the one that has the
    other's hydrogen no more.
    """

    states: dict[tuple[str, int, str], tuple[str, str]]
    held: list[tuple[int, str, str]]

    def override(self, rows: list[dict[str, Any]]) -> None:
        """Put the pKa of each residue beyond any pH, on the side of its state."""
        for row in rows:
            found = self.states.get((row["chain_id"], int(row["res_num"]), row["ins_code"].strip()))
            if found and row["group_label"].startswith(found[0]):
                row["pKa"] = _FORCED_PKA if keeps_proton(*found) else -_FORCED_PKA

    def leave_forms(self, biomolecule: Any) -> None:
        """Take the hydrogen from each histidine that its form does not have."""
        for residue in biomolecule.residues:
            place = (residue.chain_id, int(residue.res_seq), residue.ins_code.strip())
            _, form = self.states.get(place, ("", ""))
            surplus = _SURPLUS_HYDROGEN.get(form)
            if surplus and residue.has_atom(surplus):
                residue.remove_atom(surplus)


def _run(
    text: str,
    preparation: PreparationSpec,
    imposed: _Imposed,
    remarks: list[logging.LogRecord],
) -> tuple[Any, list[dict[str, Any]]]:
    """Run pdb2pqr on PDB text; its biomolecule and propka's rows. What it logs is added to `remarks`."""
    rows: list[dict[str, Any]] = []
    run_propka = pdb2pqr_main.run_propka

    def run_with_fixed(*args: Any) -> Any:
        found, table = _PROPKA.run(*args)
        rows.extend(dict(row) for row in found)
        imposed.override(found)
        return found, table

    def hold(biomolecule: Any, _: Any) -> None:
        hold_residues(biomolecule, list(imposed.held))
        imposed.leave_forms(biomolecule)

    hold_residues = Biomolecule.hold_residues
    with (
        tempfile.TemporaryDirectory() as folder,
        _collect(remarks),
        uncharged_before_caps(),
        files_read_once(),
        deposited_atoms_stay(),
    ):
        source, target = Path(folder, "chains.pdb"), Path(folder, "chains.pqr")
        source.write_text(text, encoding="ascii")
        pdb2pqr_main.run_propka = run_with_fixed
        Biomolecule.hold_residues = hold
        try:
            _, _, biomolecule = pdb2pqr_main.run_pdb2pqr(_arguments(preparation, source, target))
        except ScienceError:
            raise
        # pdb2pqr and propka raise errors of any type; here every error is about this receptor.
        except (Exception, SystemExit) as error:
            cause = one_line(str(error.__cause__ or error) or type(error).__name__, 300)
            raise ScienceError("PROTONATION_FAILED", f"pdb2pqr gave up: {cause}") from error
        finally:
            pdb2pqr_main.run_propka = run_propka
            Biomolecule.hold_residues = hold_residues
    return biomolecule, rows


def _arguments(preparation: PreparationSpec, source: Path, target: Path) -> list[str]:
    return [
        *("--ff", preparation["forceField"], "--ffout", "AMBER", "--keep-chain"),
        *("--with-ph", repr(float(preparation["protonationPh"])), "--titration-state-method", "propka"),
        *("--log-level", "ERROR", str(source), str(target)),
    ]


@contextlib.contextmanager
def _collect(remarks: list[logging.LogRecord]) -> Iterator[None]:
    """Collect what pdb2pqr says about the molecule, and keep pdb2pqr and propka out of the task's log."""

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            # What is built is found by comparison; file readers name paths; states and bumps are news.
            if record.funcName == "apply_pka_values" or record.name == "pdb2pqr.debump":
                remarks.append(record)

    loggers = [logging.getLogger(name) for name in ("pdb2pqr", "PDB2PQR3.8.0", "propka")]
    collector = Collector(logging.WARNING)
    before = [(logger, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.propagate = False
        logger.addHandler(collector)
    try:
        yield
    finally:
        for logger, propagate in before:
            logger.propagate = propagate
            logger.removeHandler(collector)


def _texts(records: Sequence[logging.LogRecord]) -> list[str]:
    return list(dict.fromkeys(one_line(record.getMessage(), 200) for record in records))


def _atom(atom: Any) -> Atom:
    # pdb2pqr names an element only where the file does; the name of an atom that it builds begins with the element.
    element = atom.element.strip().capitalize() or atom.name.strip("0123456789")[0]
    return Atom(atom.name, element, (round(atom.x, 3), round(atom.y, 3), round(atom.z, 3)))


def _pka_row(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {
        "chain": names.get(row["chain_id"], row["chain_id"]),
        "residue": int(row["res_num"]),
        "insertionCode": row["ins_code"].strip(),
        "group": row["group_label"][:3].strip(),
        "pKa": round(float(row["pKa"]), 2),
        "modelPka": round(float(row["model_pKa"]), 2),
        "buriedFraction": round(float(row["buried"]), 2),
    }


def carboxylic_state(residue: Residue) -> str:
    """The state of a protonated ASP or GLU: neutral with a hydrogen on its acid, else anionic."""
    hydrogens = _ACID_HYDROGENS[residue.name]
    return "neutral" if any(atom.name in hydrogens for atom in residue.atoms) else "anionic"


def makes_state(residue_name: str, hydrogen: str) -> bool:
    """Whether a hydrogen of this name shows the residue's state."""
    if residue_name == "HIS":
        return hydrogen in {"HD1", "HE2"}
    if residue_name == "TYR":
        # A tyrosine without this hydrogen gets it back, because no template lacks it.
        return False
    others = _STATES[residue_name][0] if residue_name in _STATES else set()
    return hydrogen in _ACID_HYDROGENS.get(residue_name, others)


def state_of(residue: Residue) -> str | None:
    """The state of a protonated residue by its hydrogens, where the residue has more than one state."""
    names = {atom.name for atom in residue.atoms}
    if residue.name in _ACID_HYDROGENS:
        return carboxylic_state(residue)
    if residue.name == "HIS":
        return _HISTIDINE_STATES[("HD1" in names, "HE2" in names)]
    if residue.name not in _STATES:
        return None
    hydrogens, with_them, without = _STATES[residue.name]
    return with_them if hydrogens <= names else without
