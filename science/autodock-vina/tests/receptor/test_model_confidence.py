"""pLDDT is read from predictions as their programs write them, and never from the B factors of an experiment."""

import gemmi
import pytest

from dockyard_science.model_confidence import confidence_of, low_confidence_warnings
from dockyard_structures.atoms import residue_of
from dockyard_structures.structure import read_structure
from linked_world import box_around, number, piece
from structures_world import TRYPSIN, write_with

LINES = piece(16, 60)
ALPHAFOLD = (
    "HEADER                                            01-JUL-21",
    "TITLE     ALPHAFOLD MONOMER V2.0 FOR X",
)
CELL = "CRYST1   54.890   58.520   67.630  90.00  90.00  90.00 P 21 21 21    4"
NO_CELL = "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1"


def predicted(share=1.0):
    """The stretch with a value for each residue: 40 to 95, of 100 or as a share of it."""
    return [
        f"{line[:60]}{(40 + (number(line) - 16) * 1.25) / (100 if share == 1.0 else 1):6.2f}{line[66:]}"
        for line in LINES
    ]


def with_hydrogens(lines):
    """A hydrogen beside each alpha carbon, with no value of its own."""
    beside = {
        line: f"{line[:12]} HA {line[16:60]}  0.00{line[66:76]} H" for line in lines if line[12:16] == " CA "
    }
    return [each for line in lines for each in ([line, beside[line]] if line in beside else [line])]


def as_pdb(lines, *heads):
    return "\n".join([*heads, *lines, "TER", "END", ""])


def as_mmcif(lines, extra=""):
    structure = gemmi.read_pdb_string(as_pdb(lines))
    structure.setup_entities()
    return structure.make_mmcif_document().as_string() + extra


METRIC = "loop_\n_ma_qa_metric.id\n_ma_qa_metric.mode\n_ma_qa_metric.name\n1 global pLDDT\n2 local pLDDT\n#\n"


def with_table(kind, share=1.0):
    """A ModelCIF file whose pLDDT is in the table of its metrics alone; the coordinates have nothing in its place."""
    structure = gemmi.read_pdb_string(as_pdb([f"{line[:60]}  0.00{line[66:]}" for line in LINES]))
    structure.setup_entities()
    structure.assign_serial_numbers()
    for at, residue in enumerate(structure[0][0], 1):
        residue.label_seq = at
    document = structure.make_mmcif_document()
    metrics = document[0].init_loop("_ma_qa_metric.", ["id", "mode", "name", "type"])
    metrics.add_row(["7", "local", "X", gemmi.cif.quote(kind)])
    names = ["ordinal_id", "label_asym_id", "label_seq_id", "metric_value", "metric_id", "model_id"]
    local = document[0].init_loop("_ma_qa_metric_local.", names)
    for residue in structure[0][0]:
        value = (40 + (residue.seqid.num - 16) * 1.25) * share
        at = str(residue.label_seq)
        local.add_row([at, residue.subchain, at, f"{value:.4f}", "7", "1"])
    return document.as_string()


def read(tmp_path, text):
    path = tmp_path / "model"
    path.write_text(text)
    return confidence_of(read_structure(path).structure, text)


@pytest.mark.parametrize(
    "text",
    [
        as_pdb(predicted(100), *ALPHAFOLD, NO_CELL),
        as_pdb(predicted(1.0), "PARENT N/A"),
        as_pdb(predicted(100), "PARENT N/A"),
        as_pdb(predicted(100)),
        as_pdb(with_hydrogens(predicted(100))),
        as_mmcif(predicted(100), METRIC),
        as_mmcif(predicted(100)),
        with_table("pLDDT"),
        with_table("pLDDT in [0,1]", share=0.01),
    ],
    ids=[
        "AlphaFold",
        "ESMFold, shares",
        "ESMFold",
        "without a header",
        "with hydrogens",
        "mmCIF",
        "mmCIF of coordinates alone",
        "ModelCIF, the table of metrics",
        "ModelCIF, the table of metrics, shares",
    ],
)
def test_a_prediction_has_a_confidence(tmp_path, text):
    found = read(tmp_path, text)
    assert found.by_residue[("A", 16, "")] == pytest.approx(40, abs=0.6)
    assert found.by_residue[("A", 60, "")] == pytest.approx(95, abs=0.6)
    assert found.report()["below50"] == [f"A:{place}" for place in range(16, 24)]


@pytest.mark.parametrize(
    "text",
    [
        TRYPSIN.read_text(),
        # Solved with a prediction; one value for each residue, as at low resolution; no header at all.
        as_pdb(predicted(100), "EXPDTA    X-RAY DIFFRACTION", "REMARK   3 STARTING MODEL: ALPHAFOLD", CELL),
        as_pdb(predicted(100), CELL),
        as_pdb(LINES),
        as_mmcif(
            predicted(100), "_exptl.entry_id X\n_exptl.method 'X-RAY DIFFRACTION'\n_software.name AlphaFold\n"
        ),
        as_pdb([f"{line[:60]}  0.00{line[66:]}" for line in LINES], "PARENT N/A"),
        as_pdb([f"{line[:60]}120.00{line[66:]}" for line in LINES], "PARENT N/A"),
        # SWISS-MODEL's estimate, which is none of the places of atoms.
        with_table("normalized score", share=0.01),
        as_mmcif(predicted(100), METRIC.replace("pLDDT", "QMEANDisCo")),
        # The estimated errors, in angstrom, of RoseTTAFold's refinement with PyRosetta.
        as_pdb([f"{line[:60]}{number(line) / 5:6.2f}{line[66:]}" for line in LINES]),
    ],
    ids=[
        "entry",
        "solved with one",
        "a cell",
        "no header",
        "mmCIF",
        "nothing",
        "beyond 100",
        "QMEAN",
        "QMEAN, B",
        "errors",
    ],
)
def test_b_factors_are_no_confidence(tmp_path, text):
    assert read(tmp_path, text) is None


def test_residues_in_the_box_below_50_are_named(tmp_path):
    path = write_with(tmp_path / "model.pdb", predicted(100))
    structure = read_structure(path).structure
    polymer = [residue_of(chain.name, each) for chain in structure[0] for each in chain]
    found = confidence_of(structure, path.read_text())
    around = [line for line in LINES if number(line) in {18, 19}]
    (warning,) = low_confidence_warnings(found, polymer, box_around(around, size=6.0))
    assert warning["code"] == "RECEPTOR_LOW_CONFIDENCE"
    assert "A:GLY 18 (42)" in warning["message"]
    sure = box_around([line for line in LINES if number(line) == 60], size=6.0)
    assert low_confidence_warnings(found, polymer, sure) == []
    assert low_confidence_warnings(None, polymer, box_around(around)) == []
