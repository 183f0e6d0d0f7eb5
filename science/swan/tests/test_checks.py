"""What is wrong with a case is told with file and line, before the program sees it."""

import re

import pytest

from dockyard_session.errors import ScienceError
from dockyard_swan.checks import check_case
from dockyard_swan.commands import read_commands
from dockyard_swan.prepare import find_case
from dockyard_swan.reading import read_case
from dockyard_swan.results import check_sound
from dockyard_waves.layout import lay_out_files
from swan_cases import FILES, packed, read, write_case

LONG = "x" * 300
SWELL = FILES["swell.tpar"].splitlines(keepends=True)
MESH = {
    "CGRID REGULAR 0. 0. 0. 5000. 2000. 5 3": "CGRID UNSTRUCTURED",
    "INPGRID BOTTOM": "READGRID UNSTRUCTURED TRIANGLE 'mesh'\nINPGRID BOTTOM",
    "SIDE W": "SIDE 7",
}
VERTICES = "3 2 0 1\n1 0. 0. 2\n2 900. 0. 2\n3 0. 900. 4\n"
ADCIRC = "a mesh\n1 3\n1 0. 0. 9.\n2 9. 0. 9.\n3 0. 9. 9.\n1 3 1 2 3\n1\n2\n2\n1\n2\n1\n2\n2 0\n2\n3\n"


@pytest.mark.parametrize(
    ("changes", "files", "code", "says"),
    [
        ({}, {"wind.dat": None}, "CASE_FILE_MISSING", "case.swn, line 7: the file 'wind.dat' is not in the case."),
        ({"'wind.dat'": "'Wind.dat'"}, {}, "CASE_FILE_MISSING", "the file 'Wind.dat' .* The case has 'wind.dat'"),
        ({"'swell.tpar'": "'../swell.tpar'"}, {}, "CASE_PATH_REFUSED", r"line 9 names '\.\./swell\.tpar'"),
        ({"'wind.dat'": "'/etc/passwd'"}, {}, "CASE_PATH_REFUSED", "line 7 names '/etc/passwd'.* it is absolute"),
        ({"'end.hot'": "'/dev/null'"}, {}, "CASE_PATH_REFUSED", "line 22 names '/dev/null'"),
        ({"'end.hot'": r"'C:\end.hot'"}, {}, "CASE_PATH_REFUSED", "line 22"),
        ({"'end.hot'": f"'{LONG}'"}, {}, "CASE_INVALID", "line 22: SWAN reads 180 characters"),
        ({"'end.hot'": "'PRINT'"}, {}, "CASE_INVALID", "line 22: 'PRINT' is written by SWAN"),
        ({"'end.hot'": "'dockyard_end.mat'"}, {}, "CASE_INVALID", "line 22: 'dockyard_end.mat' is written by SWAN"),
        ({"'end.hot'": "'wind.dat'"}, {}, "CASE_INVALID", "line 22: 'wind.dat' is both read and written"),
        ({"'bottom.dat'": "'bottom.dat"}, {}, "CASE_INVALID", "line 5: A quote is opened and not closed"),
        (
            {"GEN3 WESTH": "INPGRID CUR 0. 0. 0. 1 1 5000. 2000. NONSTAT 20260101.000000 1 HR 20260101.050000\n"
             "READINP CUR 0.1 'wind.dat' 3 0 FREE\nGEN3 WESTH"}, {}, "CASE_INVALID",
            "line 11: 'wind.dat' is read by line 7, too",
        ),
        ({"GEN3": "GUN3"}, {}, "CASE_INVALID", "line 10: 'GUN3' is no command of SWAN"),
        ({"GEN3 WESTH": "INCLUDE 'more'"}, {}, "CASE_INVALID", "line 10: INCLUDE is not read here"),
        ({"GEN3 WESTH": f"GEN3 WESTH{' ' * 180}AGROW"}, {}, "CASE_INVALID", "line 10: SWAN reads 180 characters"),
        ({"STOP\n": ""}, {}, "CASE_INVALID", "'anything' is no command"),
        ({"5000. 2000. 5 3": "5000. nan 5 3"}, {}, "CASE_INVALID", "line 3: 'nan' is no number"),
        ({"5000. 2000. 5 3": "5000. 2000. 5"}, {}, "CASE_INVALID", "line 3: CGRID REGULAR has 6 numbers"),
        ({"CIRCLE 12 0.06 0.6 9": ""}, {}, "CASE_INVALID", "line 3: CGRID has neither CIRCLE nor SECTOR"),
        ({"CIRCLE 12 0.06 0.6 9": "CIRCLE 12"}, {}, "CASE_INVALID", "line 3: CIRCLE has 1 numbers"),
        ({"5 3 1000. 666.7": "5 3 1000."}, {}, "CASE_INVALID", "line 4: INPGRID BOTTOM has 6 numbers"),
        ({"10 MIN": "0 MIN"}, {}, "CASE_INVALID", "line 21: The step '0'"),
        ({"10 MIN": "10 WEEKS"}, {}, "CASE_INVALID", "line 21: 'WEEKS' is no unit of time"),
        (
            {"MIN 20260101.050000": "MIN 20260101.000000"}, {}, "CASE_INVALID",
            "line 21: COMPUTE NONSTATIONARY ends at 20260101.000000, which is not after",
        ),
        ({"MIN 20260101.050000": "MIN 20260132.050000"}, {}, "CASE_INVALID", "line 21: '20260132.050000' is no time"),
        (
            {"MIN 20260101.050000": "MIN 20260101.070000"}, {}, "CASE_INVALID",
            "line 6: WIND has times from 20260101.000000 to 20260101.050000, and COMPUTE in line 21 runs from",
        ),
        ({"MODE NONSTATIONARY": "MODE STATIONARY"}, {}, "CASE_INVALID", "line 21: COMPUTE has times, but MODE"),
        ({"COMPUTE NONSTAT": "$ COMPUTE NONSTAT"}, {}, "CASE_INVALID", "COMPUTE is missing"),
        ({}, {"bottom.dat": "1 2 3\n"}, "CASE_INVALID", "bottom.dat, line 2: .* map 1 of BOTTOM, where 3 of 6"),
        ({}, {"bottom.dat": FILES["bottom.dat"].replace("8.200", "8,2x")}, "CASE_INVALID", "line 3: '2x' is no"),
        ({}, {"wind.dat": FILES["wind.dat"][:150]}, "CASE_INVALID", r"wind.dat, line \d+: .* ends in map \d of WIND"),
        (
            {"'wind.dat'": "SERIES 'list'"}, {"list": "wind.dat\n../wind.dat\n"}, "CASE_PATH_REFUSED",
            r"list, line 2 names '\.\./wind\.dat'",
        ),
        (
            {"GEN3 WESTH": "GEN3 WESTH\nBOUNDNEST2 WAMNEST 'list' FREE"}, {"list": "wind.dat\nparent.wam\n"},
            "CASE_FILE_MISSING", "list, line 2: the file 'parent.wam' is not in the case",
        ),
        (
            MESH, {"mesh.node": VERTICES, "mesh.ele": "1 3 0\n1 1 2 3\n"}, "CASE_INVALID",
            r"line 10: The mesh has no side 7; the markers of its boundary are 2, 4\.",
        ),
        (
            {**MESH, "INPGRID BOTTOM": "READGRID UNSTRUCTURED ADCIRC\nINPGRID BOTTOM"}, {"fort.14": ADCIRC},
            "CASE_INVALID", r"line 10: The mesh has no side 7; the markers of its boundary are 1, 2\.",
        ),
        ({}, {"swell.tpar": "".join(SWELL[:4])}, "CASE_INVALID",
         "line 9: 'swell.tpar' has times from 20260101.000000 to 20260101.020000, and COMPUTE in line 21 runs"),
        ({}, {"swell.tpar": "".join(SWELL).replace(".010000", ".016000")}, "CASE_INVALID",
         "swell.tpar, line 3: '20260101.016000' is no time"),
        ({}, {"wind.dat": FILES["wind.dat"].replace("13.000", "NaN")}, "CASE_INVALID", "'NaN' is no number, in map 6"),
    ],
)  # fmt: skip
def test_a_bad_case_is_told_with_code_and_place(tmp_path, changes, files, code, says):
    folder = write_case(tmp_path / "case", changes, files)
    with pytest.raises(ScienceError) as failed:
        check_case(read(folder), folder)
    assert failed.value.code == code
    assert re.search(says, failed.value.message), failed.value.message


def test_the_case_itself_is_good(tmp_path):
    folder = write_case(tmp_path / "case")
    case = read(folder)
    check_case(case, folder)
    assert (case.grid.points, case.grid.directions, case.grid.frequencies, case.steps) == ((6, 4), 12, 10, 30)
    assert [(read_.path, read_.line) for read_ in case.reads] == [
        ("bottom.dat", 5),
        ("wind.dat", 7),
        ("swell.tpar", 9),
    ]
    assert [written.kind for written in case.writes] == ["table"] * 3 + [
        "spectrum",
        "field",
        "field",
        "restart",
    ]


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("compute\nstop\n", ["COMP", "STOP"]),
        ("SET LEVEL 1. $ comment $ NAUT\nSETUP 0.\nSTOP", ["SET", "SETUP", "STOP"]),
        (
            "READ BOT 1. 'a'\nREADGRID COOR 1. 'b'\nREAD UNSTRUC ADC\nSTOP",
            ["READI", "READG", "READG", "STOP"],
        ),
        (
            "BOU SIDE N\nBOU NEST 'x' CLOS\nTAB 'p' 't'\nBLO 'f' 'b'\nSTOP",
            ["BOUN", "BOUNDN", "TAB", "BLO", "STOP"],
        ),
        (
            "PROJ 'a' '1'\n 'title'\nBOUNdspec SIDE N\nBOUNDNEST1 NEST 'x' CLOS\nSTOP",
            ["PROJ", "BOUN", "BOUNDN", "STOP"],
        ),
    ],
)
def test_commands_are_read_by_the_letters_that_tell_them(text, keywords):
    assert [command.keyword for command in read_commands("INPUT", text.encode()).commands] == keywords


def test_entries_have_names_repeats_and_places():
    (command, _stop) = read_commands(
        "INPUT", b"NUM STOPC [x] dabs=0.005 3*1.5 & $ and so on\n  1e-3 _\n 'a b'\nSTOP"
    ).commands
    told = [
        (entry.text, entry.name, entry.number, entry.repeats, entry.line) for entry in command.entries[2:]
    ]
    assert told == [
        ("0.005", "dabs", 0.005, 1, 1),
        ("3*1.5", None, 1.5, 3, 1),
        ("1e-3", None, 0.001, 1, 2),
        ("a b", None, None, 1, 3),
    ]


def test_the_command_file_is_the_only_one_or_the_named_one(tmp_path):
    folder = write_case(tmp_path / "case")
    write_case(folder / "run1")
    names = lay_out_files(packed(folder, tmp_path / "a.zip"), "a.zip", {}, tmp_path / "files")
    with pytest.raises(
        ScienceError, match=r"Several files may be the command file: 'case\.swn', 'run1/case\.swn'"
    ):
        find_case(tmp_path / "files", names, None, 0)
    assert find_case(tmp_path / "files", names, "run{index}/case.swn", 1).root.name == "run1"
    with pytest.raises(ScienceError, match=r"The case has no file 'run2/case\.swn'") as failed:
        find_case(tmp_path / "files", names, "run{index}/case.swn", 2)
    assert failed.value.code == "CASE_FILE_MISSING"


def test_a_command_file_may_come_with_its_files_beside_it(tmp_path):
    folder = write_case(tmp_path / "case")
    beside = {name: folder / name for name in FILES}
    names = lay_out_files(folder / "case.swn", "storm.swn", beside, tmp_path / "files")
    assert names == sorted([*FILES, "storm.swn"])
    assert find_case(tmp_path / "files", names, None, 0).case.steps == 30


SWAN_HEAD = """SWAN   1                                Swan standard file, version
$   Data produced by SWAN version 41.45AB.3
QUANT                                   description of quantities
     2                                  number of quantities in table
Hsig                                    Significant wave height
m                                       unit
   -0.9000E+01                          exception value
RTpeak                                  Relative peak period
sec                                     unit
   -0.9000E+01                          exception value
"""


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        (
            "plain.tbl",
            " 1.2 8.0\n NaN 8.0\n",
            "plain.tbl, line 2: a number is none, in the part of the run that begins at",
        ),
        ("fields.txt", "% Time\n 0.1 Infinity\n", "fields.txt, line 2: a number is none"),
        (
            "swan.tbl",
            f"{SWAN_HEAD}20260101.010000\n 1.0 8.0\n 55.0 8.0\n",
            "row 2: .* 55 m at 20260101.010000, which no sea",
        ),
        # A stationary run has no times; a head may say anything.
        ("swan.tbl", f"{SWAN_HEAD} 1.0 8.0\n 55.0 8.0\n", "row 2: .* 55 m, in the part"),
        (
            "swan.tbl",
            SWAN_HEAD.replace("Significant wave height", "height at inf depth") + " NaN 8.0\n",
            "line 11: a number is none",
        ),
    ],
)
def test_a_model_that_diverged_is_told_with_its_place(tmp_path, name, content, says):
    folder = write_case(tmp_path / "case")
    case = read(folder)
    (folder / "plain.tbl").write_text(" 1.2 8.0\n")
    check_sound(case, folder, None)
    (folder / name).write_text(content)
    with pytest.raises(ScienceError, match=says) as failed:
        check_sound(case, folder, case.computes[0].begin)
    assert failed.value.code == "MODEL_DIVERGED"


def test_error_levels_that_the_case_ignores_are_read():
    text = "SET maxerr=3\nCGRID 0. 0. 0. 1. 1. 1 1 CIRCLE 4 0.1 1. 3\nCOMPUTE\nSTOP"
    assert read_case(read_commands("INPUT", text.encode())).most_error == 3
