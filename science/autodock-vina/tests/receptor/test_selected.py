"""What was selected of a structure is what is prepared."""

import pytest

from dockyard_session.errors import ScienceError
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure
from receptor_world import session
from structures_world import dimer, receptor, records, write_with


@pytest.mark.long
def test_copies_are_prepared_under_letters_that_the_report_tells(tmp_path, prepare_file):
    box = {"residues": [{"chain": "A-2", "residue": number, "insertionCode": ""} for number in (30, 60)]}
    files = prepare_file(dimer(tmp_path), session(box))
    assert {line[21] for line in files.pdb.splitlines() if line.startswith("ATOM")} == {"A", "B"}
    assert files.report["renames"] == [{"chain": "A-2", "toChain": "B"}]
    assert files.summary["box"]["derivation"]["residues"][0]["chain"] == "A-2"
    assert files.summary["box"]["receptorHeavyAtoms"] > 50
    states = {row["chain"] for row in files.report["protonationStates"]}
    assert states == {row["chain"] for row in files.report["pka"]} == {"A", "A-2"}


def test_hydrogens_of_the_file_go(prepared, tmp_path):
    text = prepared("1s3v").out / "receptor" / "prepared.pdb"
    selection = select(read_structure(text).structure, receptor())
    assert selection.hydrogens_removed == prepared("1s3v").report["hydrogens"]
    only = [line for line in records(text) if line[76:78].strip() == "H"]
    bare = read_structure(write_with(tmp_path / "hydrogens.pdb", only)).structure
    with pytest.raises(ScienceError, match="RECEPTOR_EMPTY"):
        select(bare, receptor())
