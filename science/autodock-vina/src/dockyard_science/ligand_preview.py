"""Tells the charge that a ligand would be docked with, before a job is submitted and nothing is built.

`python -m dockyard_science.ligand_preview` reads one JSON request a line from its standard input, `{"source":
{"kind": "smiles", "smiles": ...} or {"kind": "ccd", "componentId": ...}, "ph": 7.4}`, and writes one answer a line:
`{"charge": ..., "smiles": ..., "warnings": [...]}`, or `{"code": ..., "message": ...}` for what docking would refuse;
an `{"inchi": ...}` is answered by `{"smiles": ...}`, null where RDKit cannot read it. The steps are those of the
preparation as far as the charges. The first line, `{"ready": true}`, says that all is loaded. The process ends with
its input, and with a fault of ours: who asked starts another one.
"""

from typing import Any, TextIO

from rdkit import Chem, rdBase

from dockyard_science.ccd import Ccd, default_ccd
from dockyard_science.ligand_protonation import protonate
from dockyard_science.ligand_sources import load_ligand, read_ligand
from dockyard_science.line_process import main, serve_lines
from dockyard_science.plain_ligand import plain_ligand
from dockyard_science.spec import LigandSource, LigandSpec
from dockyard_science.stereo import without_passing_labels
from dockyard_science.tautomers import tautomer_of
from dockyard_session.errors import ScienceError
from dockyard_session.tool import TaskWarning

_WARM_UP: LigandSource = {"kind": "smiles", "smiles": "CC(=O)Nc1ncccn1.Cl"}


def preview(source: LigandSource, ph: float, ccd: Ccd) -> dict[str, Any]:
    """The charge and SMILES of a ligand at a pH with what its preparation would warn of, or why it is refused."""
    spec: LigandSpec = {"ligandId": "preview", "label": None, "source": source, "protonationPh": ph}
    warnings: list[TaskWarning] = []
    try:
        ligand = read_ligand(load_ligand(spec, None, ccd))
        desalted = plain_ligand(ligand, warnings)
    except ScienceError as error:
        return {"code": error.code, "message": error.message}
    chosen = tautomer_of(without_passing_labels(desalted.mol), "as_sent", ph, warnings)
    state = protonate(chosen, ph, warnings)
    return {
        "charge": Chem.GetFormalCharge(state.mol),
        "smiles": Chem.MolToSmiles(state.mol),
        "warnings": warnings,
    }


def smiles_of_inchi(inchi: str) -> str | None:
    """The SMILES of an InChI; None where RDKit cannot read it, or reads something else than what it says."""
    with rdBase.BlockLogs():
        mol = Chem.MolFromInchi(inchi)
        if mol is None or mol.GetNumAtoms() == 0:
            return None
        smiles = str(Chem.MolToSmiles(mol))
        again = Chem.MolToInchiKey(Chem.MolFromSmiles(smiles))
    return smiles if again == Chem.InchiToInchiKey(inchi) else None


def serve(requests: TextIO, answers: TextIO, ccd: Ccd) -> None:
    """Answer requests until there are no more."""
    preview(_WARM_UP, 7.4, ccd)
    serve_lines(requests, answers, lambda request: _answer(request, ccd))


def _answer(request: dict[str, Any], ccd: Ccd) -> dict[str, Any]:
    if "inchi" in request:
        return {"smiles": smiles_of_inchi(request["inchi"])}
    return preview(request["source"], request["ph"], ccd)


if __name__ == "__main__":
    raise SystemExit(main(lambda requests, answers: serve(requests, answers, default_ccd())))
