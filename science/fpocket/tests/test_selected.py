from pathlib import Path

import gemmi
import pytest

from dockyard_fpocket.selected import LONG_NAME, SelectedFile, write_selected
from dockyard_session.errors import ScienceError
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure

_LINE = (
    "{record:<6}{serial:5d} {name:<4} {residue:>3} {chain}{number:4d}    "
    "{x:8.3f}{y:8.3f}{z:8.3f}  1.00{b:6.2f}          {element:>2}\n"
)


def atom(
    record="ATOM", serial=1, name=" CA", residue="ALA", *, chain="A", number=1, x=1.0, b=10.0, element="C"
):
    values = {"record": record, "serial": serial, "name": name, "residue": residue, "chain": chain}
    return _LINE.format(**values, number=number, x=x, y=2.0, z=3.0, b=b, element=element)


def selected(tmp_path: Path, text: str, assembly="asymmetric") -> SelectedFile:
    path = tmp_path / "source"
    path.write_text(text)
    spec = {"assemblyId": assembly, "model": 1, "chains": None}
    return write_selected(select(read_structure(path).structure, spec))


def test_counts_atoms_from_one_and_knows_the_residue_of_each(tmp_path):
    lines = [atom(serial=90), atom(serial=7, number=2, residue="GLY"), atom(serial=7, chain="B", number=2)]
    made = selected(tmp_path, "".join(lines) + "END\n")
    assert [int(line[6:11]) for line in made.text.splitlines() if line.startswith("ATOM")] == [1, 2, 3]
    assert [(each.chain, each.number, each.name) for each in made.owners] == [
        ("A", 1, "ALA"),
        ("A", 2, "GLY"),
        ("B", 2, "ALA"),
    ]
    assert made.chains == []


def test_keeps_the_kind_of_record_and_writes_waters_as_hetatm(tmp_path):
    lines = [
        atom(),
        atom("HETATM", 2, residue="CSO", number=2),
        atom("ATOM", 3, " O", "HOH", number=3, element="O"),
        atom("ATOM", 4, " C1", "STR", number=4),
    ]
    made = selected(tmp_path, "".join(lines) + "END\n")
    kinds = [(line[:6].strip(), line[17:20]) for line in made.text.splitlines()[:-1]]
    assert kinds == [("ATOM", "ALA"), ("HETATM", "CSO"), ("HETATM", "HOH"), ("ATOM", "STR")]
    assert made.atom_records == 2


def test_keeps_temperature_factors_within_their_columns(tmp_path):
    made = selected(tmp_path, atom(b=87.5) + atom(serial=2, number=2, b=999.99) + "END\n")
    assert [line[60:66] for line in made.text.splitlines()[:-1]] == [" 87.50", "999.99"]


def test_gives_long_chain_ids_a_letter_and_tells_which(tmp_path):
    structure = gemmi.read_pdb_string(atom() + atom(chain="B", serial=2) + "END\n")
    structure[0][1].name = "A-2"
    made = write_selected(select(structure, {"assemblyId": "asymmetric", "model": 1, "chains": None}))
    assert made.chains == [{"chain": "A-2", "written": "B"}]
    assert made.owners[1].chain == "A-2"


def test_writes_long_component_ids_as_one_that_fpocket_never_counts(tmp_path):
    structure = gemmi.read_pdb_string(atom() + atom("HETATM", 2, " C1", "LIG", number=2) + "END\n")
    structure[0][0][1].name = "A1ABC"
    made = write_selected(select(structure, {"assemblyId": "asymmetric", "model": 1, "chains": None}))
    assert made.components == [{"residueName": "A1ABC", "written": LONG_NAME}]
    assert made.text.splitlines()[1][17:20] == LONG_NAME
    assert made.owners[1].name == "A1ABC"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda structure: setattr(structure[0][0][0].seqid, "num", 10_000),
            "number that a PDB file cannot hold",
        ),
        (lambda structure: structure[0][0][0][0].pos.__setattr__("x", -1000.0), "coordinates"),
        (lambda structure: structure[0][0][0][0].pos.fromlist([9000.0, 9000.0, 9000.0]), "span"),
    ],
)
def test_refuses_what_the_columns_or_the_grid_cannot_hold(change, said):
    structure = gemmi.read_pdb_string(atom() + atom(serial=2, number=2, x=5.0) + "END\n")
    change(structure)
    with pytest.raises(ScienceError, match=said) as caught:
        write_selected(select(structure, {"assemblyId": "asymmetric", "model": 1, "chains": None}))
    assert caught.value.code == "RECEPTOR_UNREADABLE"


def test_refuses_more_atoms_than_serial_numbers():
    structure = gemmi.read_pdb_string(atom() + "END\n")
    residue = structure[0][0][0].clone()
    chain = structure[0][0]
    for number in range(2, 9_002):
        copy = residue.clone()
        copy.seqid.num = number
        for extra in range(11):
            more = residue[0].clone()
            more.name = f"C{extra}"
            copy.add_atom(more)
        chain.add_residue(copy)
    with pytest.raises(ScienceError, match="atoms, and a PDB file counts 99999"):
        write_selected(select(structure, {"assemblyId": "asymmetric", "model": 1, "chains": None}))
