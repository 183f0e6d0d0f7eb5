"""How sure a prediction program is of each residue of its model: pLDDT, which stands where crystals have B factors.

A B factor of an experiment must never be taken for it: a high one says the opposite. So a file has to say that it is a
prediction, by its metrics (ModelCIF), by the name of a program or the record of one (PDB), or by what no refinement
writes: one value for all atoms of each residue in a file without any record of an experiment or of anything else.
ModelCIF may have the values in a table of their own, which is then read instead; its metrics may be others than pLDDT.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gemmi

from dockyard_science.box import distance_to_box
from dockyard_science.spec import Box
from dockyard_session.tool import TaskWarning
from dockyard_structures.atoms import Residue, ResidueKey
from dockyard_structures.residues import AMINO_ACIDS, STATE_NAMES, insertion_code, short_list

#: Below this the place of a residue is as good as not predicted.
LOW_CONFIDENCE = 50.0

_WHOLE = 100.0
_PROGRAMS = re.compile(
    r"alphafold|colabfold|esmfold|boltz|openfold|rosettafold|omegafold|chai-1|plddt", re.IGNORECASE
)
_EXPERIMENTS = re.compile(
    r"^EXPDTA(?!.*THEORETICAL)|^REMARK   [23] |^CRYST1 *(?!1\.000 )[\d.]+|^_(exptl|refine|reflns)\.",
    re.MULTILINE,
)
_HEADS = ("HEADER", "TITLE", "COMPND", "AUTHOR", "REMARK", "EXPDTA", "SOURCE", "JRNL", "PARENT")

# A file without a header is a prediction by its values alone where it has this many residues and values.
_FEWEST_RESIDUES = 20
_FEWEST_VALUES = 10


@dataclass(frozen=True)
class Confidence:
    """pLDDT of the residues of a model, from 0 to 100, by their keys."""

    by_residue: Mapping[ResidueKey, float]

    def report(self) -> dict[str, Any]:
        """What an inspection says of it."""
        values = list(self.by_residue.values())
        low = [
            f"{chain}:{number}{code}"
            for (chain, number, code), value in self.by_residue.items()
            if value < LOW_CONFIDENCE
        ]
        return {
            "residues": len(values),
            "mean": round(math.fsum(values) / len(values), 1),
            "least": round(min(values), 1),
            "below50": low,
        }


def confidence_of(structure: gemmi.Structure, text: str) -> Confidence | None:
    """The confidence that a file has instead of B factors; None where it has none."""
    residues = [
        (chain.name, residue)
        for chain in structure[0]
        for residue in chain
        if STATE_NAMES.get(residue.name, residue.name) in AMINO_ACIDS and residue.seqid.num is not None
    ]
    has_metrics = all(re.search(line, text, re.MULTILINE) for line in (r"^\ufeff?data_", r"^_ma_qa_metric\."))
    listed = _listed(text) if has_metrics else {}
    is_one = has_metrics or _says_so(text) or _shows_so(text, [each for _, each in residues])
    if listed is None or not is_one:
        return None
    values = {
        (chain, int(residue.seqid.num or 0), insertion_code(residue)): value
        for chain, residue in residues
        if (value := listed.get((residue.subchain, residue.label_seq)) if listed else _value(residue))
        is not None
    }
    most = max(values.values(), default=0.0)
    if most <= 0.0 or most > _WHOLE:
        return None
    # ESMFold writes a share of 1, other programs a share of 100.
    factor = _WHOLE if most <= 1.0 else 1.0
    return Confidence({key: round(value * factor, 2) for key, value in values.items()})


def low_confidence_warnings(
    confidence: Confidence | None, polymer: Sequence[Residue], box: Box
) -> list[TaskWarning]:
    """A warning that names the residues in the box which the program did not predict."""
    if confidence is None:
        return []
    low = [
        f"{residue.label} ({value:.0f})"
        for residue in polymer
        if (value := confidence.by_residue.get(residue.key, _WHOLE)) < LOW_CONFIDENCE
        and any(distance_to_box(atom.position, box) == 0.0 for atom in residue.heavy_atoms)
    ]
    if not low:
        return []
    message = (
        f"The model has residues in the box with a pLDDT below {LOW_CONFIDENCE:g}: {short_list(low, most=8)}."
    )
    return [{"code": "RECEPTOR_LOW_CONFIDENCE", "message": message}]


def _listed(text: str) -> dict[tuple[str, int | None], float] | None:
    """The table of pLDDT of a ModelCIF file, by label_asym_id and label_seq_id; empty where B factors have its place.

    None where no metric of residues is pLDDT, by its type or its name.
    """
    document = gemmi.cif.read_string(text.removeprefix("\ufeff"))
    block = next((each for each in document if each.find_values("_atom_site.id")), document[0])
    kinds = {
        row.str(0)
        for row in block.find("_ma_qa_metric.", ["id", "?mode", "?type", "?name"])
        if not (row.has(1) and row.str(1) == "global")
        and any(row.str(at).lower().startswith("plddt") for at in (2, 3) if row.has(at))
    }
    if not kinds:
        return None
    values: dict[tuple[str, int | None], float] = {}
    columns = ["label_asym_id", "label_seq_id", "metric_id", "metric_value"]
    for row in block.find("_ma_qa_metric_local.", columns):
        value = gemmi.cif.as_number(row[3])
        if row.str(2) in kinds and row.str(1).isdecimal() and math.isfinite(value):
            # Of several models the first stands first.
            values.setdefault((row.str(0), int(row.str(1))), value)
    return values


def _says_so(text: str) -> bool:
    if _EXPERIMENTS.search(text):
        return False
    if re.search(r"^data_", text, re.MULTILINE):
        return any(
            _PROGRAMS.search(line) for line in text.splitlines() if not line.startswith(("ATOM", "HETATM"))
        )
    heads = [line for line in text.splitlines() if line.startswith(_HEADS)]
    return any(line.startswith("PARENT") or _PROGRAMS.search(line) for line in heads)


def _shows_so(text: str, residues: Sequence[gemmi.Residue]) -> bool:
    """Whether a file that says nothing of itself has one value for each residue, some of them above 50 of 100.

    Without that bound estimated errors in angstrom would count, which RoseTTAFold's refinement writes there.
    """
    if any(line.startswith((*_HEADS, "CRYST1")) for line in text.splitlines()) or _EXPERIMENTS.search(text):
        return False
    whole = [residue for residue in residues if len(residue) > 1]
    # Programs that add hydrogens give them another value, or none.
    alike = all(len({atom.b_iso for atom in residue if not atom.is_hydrogen()}) == 1 for residue in whole)
    values = {_value(residue) for residue in whole}
    is_sure = (
        max(values, default=0.0) > LOW_CONFIDENCE or LOW_CONFIDENCE / _WHOLE < max(values, default=0.0) <= 1.0
    )
    return alike and is_sure and len(whole) >= _FEWEST_RESIDUES and len(values) >= _FEWEST_VALUES


def _value(residue: gemmi.Residue) -> float:
    atom = residue.find_atom("CA", "*") or residue[0]
    return float(atom.b_iso)
