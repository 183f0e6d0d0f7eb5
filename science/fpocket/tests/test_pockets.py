import pytest

from dockyard_fpocket.pockets import AnswerError, read_pockets
from dockyard_fpocket.program import FEWEST_ATOMS, _failure
from dockyard_fpocket.report import table_of
from dockyard_fpocket.selected import Owner

_NAMES = (
    *("Score", "Druggability Score", "Number of Alpha Spheres", "Total SASA", "Polar SASA", "Apolar SASA"),
    *(
        "Volume",
        "Mean local hydrophobic density",
        "Mean alpha sphere radius",
        "Mean alp. sph. solvent access",
    ),
    *("Apolar alpha sphere proportion", "Hydrophobicity score", "Volume score", "Polarity score"),
    *("Charge score", "Proportion of polar atoms", "Alpha sphere density"),
    *("Cent. of mass - Alpha Sphere max dist", "Flexibility"),
)
_COUNTS = {"Number of Alpha Spheres": "2", "Polarity score": "6", "Charge score": "-1"}
OWNERS = [Owner("A", 10, "", "MET"), Owner("A", 10, "", "MET"), Owner("=A", 11, "B", "LEU")]


def info(**changed: str) -> str:
    values = dict.fromkeys(_NAMES, "0.500") | _COUNTS | changed
    return "Pocket 1 :\n" + "".join(f"\t{name} : \t{value}\n" for name, value in values.items()) + "\n"


def answer(folder, text, spheres=((1.0, 2.0, 3.0), (5.0, 2.0, 4.0)), serials=(3, 1, 2)):
    (folder / "pockets").mkdir(exist_ok=True)
    (folder / "selected_info.txt").write_text(text)
    lines = [
        f"ATOM  {i:5d}    {'CO'[i % 2]} STP     1    {x:8.3f}{y:8.3f}{z:8.3f}    0.00     3.75\n"
        for i, (x, y, z) in enumerate(spheres)
    ]
    (folder / "pockets/pocket1_vert.pqr").write_text("HEADER\n" + "".join(lines) + "TER\nEND\n")
    atoms = [f"ATOM  {serial:5d}   CB MET A  10\n" for serial in serials]
    (folder / "pockets/pocket1_atm.pdb").write_text("HEADER\n" + "".join(atoms) + "TER\nEND\n")
    return folder


def test_takes_numbers_spheres_and_residues_as_the_program_wrote_them(tmp_path):
    found, [pocket] = read_pockets(answer(tmp_path, info(Flexibility="-nan")), OWNERS, 10)
    assert found == 1
    assert pocket.numbers["score"] == 0.5
    assert pocket.numbers["flexibility"] is None
    assert [each["apolar"] for each in pocket.spheres] == [True, False]
    assert pocket.center == [3.0, 2.0, 3.5]
    assert pocket.box == {"centerAngstrom": [3.0, 2.0, 3.5], "sizeAngstrom": [18.0, 18.0, 18.0]}
    assert pocket.residues == [OWNERS[0], OWNERS[2]]


def test_the_box_grows_with_the_spheres_within_its_bounds(tmp_path):
    spheres = ((0.0, 0.0, 0.0), (20.0, 90.0, 1.0))
    _, [pocket] = read_pockets(answer(tmp_path, info(), spheres), OWNERS, 10)
    assert pocket.box["sizeAngstrom"] == [28.0, 40.0, 18.0]


def test_keeps_no_more_pockets_than_were_asked_for_and_tells_how_many_there_are(tmp_path):
    text = info() + info().replace("Pocket 1", "Pocket 2")
    found, pockets = read_pockets(answer(tmp_path, text), OWNERS, 1)
    assert (found, len(pockets)) == (2, 1)


@pytest.mark.parametrize(
    "text",
    [
        info().replace("Pocket 1", "Pocket 2"),
        info().replace("\tScore", "\tScora"),
        info().replace("\tVolume : \t0.500\n", ""),
        info(Score="nan"),
        info(**{"Number of Alpha Spheres": "3"}),
    ],
)
def test_takes_no_answer_that_is_not_as_this_release_writes_it(tmp_path, text):
    with pytest.raises(AnswerError):
        read_pockets(answer(tmp_path, text), OWNERS, 10)


def test_refuses_an_atom_that_the_selected_file_does_not_have(tmp_path):
    with pytest.raises(AnswerError, match="no atom 4"):
        read_pockets(answer(tmp_path, info(), serials=(4,)), OWNERS, 10)


def test_no_cell_of_the_table_is_a_formula(tmp_path):
    _, [pocket] = read_pockets(answer(tmp_path, info(), serials=(3,)), OWNERS, 10)
    assert table_of([pocket]).splitlines()[1].split(",")[-1] == "_A:LEU11B"


def test_tells_an_empty_selection_from_a_crash():
    assert _failure(1, b"! File contains no atoms...\n", 0).code == "POCKETS_NO_ATOMS"
    assert _failure(1, b"! malloc failed\n", FEWEST_ATOMS).code == "ENGINE_CRASHED"
    assert _failure(-9, b"", 0).code == "ENGINE_OUT_OF_MEMORY"
    assert "signal 11" in _failure(-11, b"", 0).message
