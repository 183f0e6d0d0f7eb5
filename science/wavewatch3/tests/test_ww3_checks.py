"""What is wrong with a case is told with file and line, before a program sees it; files are written anew for pieces."""

import re
import struct

import pytest

from dockyard_session.errors import ScienceError
from dockyard_wavewatch3.case import NETCDF, find_root, read_case
from dockyard_wavewatch3.cut import Piece, allowed_cuts, piece_text, reason_against
from dockyard_wavewatch3.forcing import check_forcing
from dockyard_wavewatch3.namelists import unused_parameters
from dockyard_wavewatch3.prove import Made, proof_window
from dockyard_wavewatch3.results import (
    breaks_waves,
    check_depths,
    diverged,
    highest_of,
    place_of,
    table_of,
)
from dockyard_wavewatch3.run import is_written, lay_out
from dockyard_wavewatch3.shell import Schedule, read_shell
from dockyard_wavewatch3.times import seconds_of, text_of
from ww3_cases import changed, make_case

NAMELIST = """! A run
&DOMAIN_NML
  DOMAIN%START = '20260101 000000'
  DOMAIN%STOP  = '20260101 060000'
/
&OUTPUT_TYPE_NML
  TYPE%FIELD%LIST = 'HS'
  TYPE%POINT%FILE = 'points.list'
/
&OUTPUT_DATE_NML
  DATE%FIELD = '20260101 000000' '3600' '20260102 000000'  ! hourly
  DATE%POINT%STRIDE = '600'
/
"""


@pytest.mark.parametrize(
    ("name", "changes", "code", "says"),
    [
        (
            "ww3_grid.inp",
            {"'bottom.dat'": "'Bottom.dat'"},
            "CASE_FILE_MISSING",
            "line 11: .* The case has 'bottom.dat'",
        ),
        (
            "ww3_grid.inp",
            {"'bottom.dat'": "'../input/bottom.dat'"},
            "CASE_PATH_REFUSED",
            r"ww3_grid\.inp, line 11",
        ),
        (
            "ww3_grid.inp",
            {"END OF NAMELISTS": "  END OF NAMELISTS"},
            "CASE_INVALID",
            "line 6: a line of 'END OF NAMELISTS', from its first column on, is missing",
        ),
        (
            "ww3_grid.inp",
            {"END OF NAMELISTS": "  &PROX XFR = 1.1 /\nEND OF NAMELISTS"},
            "CASE_INVALID",
            "line 6: ww3_grid knows no namelist &PROX",
        ),
        (
            "ww3_shel.inp",
            {"20260101 010000\n": "20260101 016000\n"},
            "CASE_INVALID",
            "line 12: '20260101 016000' is no time",
        ),
        ("ww3_grid.inp", {"'bottom.dat'": "'/etc/passwd'"}, "CASE_PATH_REFUSED", "it is absolute"),
        (
            "ww3_grid.inp",
            {"1.1 0.05": "nan 0.05"},
            "CASE_INVALID",
            r"ww3_grid\.inp, line 3: 'nan' is no number",
        ),
        ("ww3_shel.inp", {"20260101 010000\n": "20260100 010000\n"}, "CASE_INVALID", "which is not after"),
        (
            "ww3_shel.inp",
            {"   20260101 000000\n": "   20261301 000000\n"},
            "CASE_INVALID",
            "line 11: '20261301 000000'",
        ),
        (
            "ww3_shel.inp",
            {"20260101 000000 1800 ": "20260101 000000 half "},
            "CASE_INVALID",
            r"line 14: '20260101 000000 half 20260101 010000' is no begin, seconds between two and end",
        ),
        (
            "ww3_shel.inp",
            {"8.00 250. 0.": "8.00"},
            "CASE_INVALID",
            "WND has 3 numbers behind its time, and here are 1",
        ),
        ("ww3_shel.inp", {"   20260101 000000\n": "   now\n"}, "CASE_INVALID", "no lines with the times"),
        ("ww3_outp.inp", {"1800.": "inf"}, "CASE_INVALID", r"ww3_outp\.inp, line 2: 'inf' is no number"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path, name, changes, code, says):
    folder = changed(make_case(tmp_path), name, changes)
    with pytest.raises(ScienceError, match=says) as failed:
        read_case(folder)
    assert failed.value.code == code


def test_the_files_say_what_runs_and_a_namelist_wins(tmp_path):
    folder = make_case(tmp_path)
    (folder / "ww3_shel.nml").write_text(NAMELIST)
    (folder / "points.list").write_text("0. 0. 'P'\n")
    for name in ("ww3_prep_wind.inp", "ww3_prep.inp", "ww3_ounf.inp"):
        (folder / name).write_text("$\n")
    case = read_case(folder)
    assert [step.file for step in case.before] == [
        "ww3_grid.inp",
        "ww3_strt.inp",
        "ww3_prep.inp",
        "ww3_prep_wind.inp",
    ]
    assert (case.shell_step.file, case.ignored) == ("ww3_shel.nml", ("ww3_ounf.inp",))
    (folder / "points.list").unlink()
    with pytest.raises(
        ScienceError, match=r"ww3_shel\.nml, line 8: the file 'points\.list' is not in the case"
    ):
        read_case(folder)
    (folder / "points.list").write_text("0. 0. 'P'\n")
    (folder / "ww3_prep.inp").write_text(
        "$\n  'WND' 'LL' T T\n  'NAME' 1 1 '(....)' '(....)'\n  45 'wind.dat'\n"
    )
    with pytest.raises(ScienceError, match=r"ww3_prep\.inp, line 4: the file 'wind\.dat' is not in the case"):
        read_case(folder)
    (folder / "wind.dat").write_text("")
    (folder / "ww3_prnc.inp").write_text("$\n")
    (folder / "ww3_shel.nml").unlink()
    with pytest.raises(ScienceError, match=r"ww3_prnc\.inp: this build reads no NetCDF"):
        read_case(folder)
    (folder / "ww3_prnc.inp").write_text("$\n 'WND' 'LL' T T\n 'x' 'y'\n 'u' 'v'\n 'wind.nc'\n")
    with pytest.raises(ScienceError, match=r"ww3_prnc\.inp, line 5: the file 'wind\.nc' is not in the case"):
        read_case(folder, NETCDF)
    (folder / "wind.nc").write_text("")
    case = read_case(folder, NETCDF)
    assert (case.before[-1].file, case.after[-1].file, case.ignored) == ("ww3_prnc.inp", "ww3_ounf.inp", ())
    (folder / "ww3_trnc.nml").write_text("&TRACK_NML\n/\n")
    with pytest.raises(
        ScienceError, match=r"ww3_trnc\.nml: there are no tracks, because ww3_shel\.inp asks for none"
    ):
        read_case(folder, NETCDF)
    (folder / "ww3_trnc.nml").unlink()
    (folder / "ww3_grid.inp").unlink()
    with pytest.raises(ScienceError, match=r"The case has no ww3_grid\.inp or ww3_grid\.nml"):
        read_case(folder)


def test_a_group_that_a_program_does_not_look_for_is_named(tmp_path):
    folder = make_case(tmp_path)
    (folder / "points.list").write_text("0. 0. 'P'\n")
    (folder / "ww3_shel.nml").write_text(NAMELIST.replace("&OUTPUT_TYPE_NML", "&OUTPUTS_NML"))
    with pytest.raises(ScienceError, match=r"ww3_shel\.nml, line 6: ww3_shel knows no namelist &OUTPUTS_NML"):
        read_case(folder)


def write_times(path, *clocks):
    """A file of fields that has nothing but its times."""
    count = struct.pack("<i", 7) if path.name == "nest.ww3" else b""
    records = [b"a head", *(struct.pack("<2i", 20260101, clock) + count for clock in clocks)]
    lengths = [struct.pack("<i", len(record)) for record in records]
    parts = [part for one, record in zip(lengths, records, strict=True) for part in (one, record, one)]
    path.write_bytes(b"".join(parts))


@pytest.mark.parametrize(
    ("starts", "files", "begin", "cut"),
    [
        # Nothing changes but the wind of the example: each hour, which is 30 steps.
        (["ww3_strt.inp"], {}, 29, 33),
        # A level that changes at 04:00, and a wind at 00:30, 01:00, … before: both lie in the steps.
        (["ww3_strt.inp"], {"level.ww3": (0, 40000), "wind.ww3": (0, 3000, 33000)}, 104, 122),
        # A level that never changes in the run, and one that changes with its second step.
        (["ww3_strt.inp"], {"level.ww3": (0, 90000), "ice.ww3": (0, 400)}, 1, 31),
        # The state of an earlier run holds at its own time alone.
        (["restart.ww3"], {"level.ww3": (0, 40000)}, 0, 122),
        # Spectra at the boundary change, too.
        (["ww3_strt.inp"], {"nest.ww3": (0, 20000)}, 59, 63),
        # What changes beyond 200 steps is not waited for there, and elsewhere what changed so long before is left out.
        (["restart.ww3"], {"level.ww3": (0, 70000)}, 0, 32),
        (["ww3_strt.inp"], {"level.ww3": (0, 400), "ice.ww3": (0, 73000)}, 209, 227),
    ],
)
def test_the_proof_goes_over_the_first_change_of_each_input(tmp_path, starts, files, begin, cut):
    folder = make_case(tmp_path, "--hours", "8")
    if starts == ["restart.ww3"]:
        (folder / "ww3_strt.inp").unlink()
        (folder / "restart.ww3").write_bytes(b"a state")
    for name, clocks in files.items():
        write_times(folder / name, *clocks)
    case = read_case(folder)
    found = proof_window(Made(case, folder, 120.0), 120)
    assert [(time - case.shell.begin) / 120 for time in found] == [begin, cut]


def test_a_wind_that_ends_before_the_run_is_named_with_the_line_of_its_file(tmp_path):
    folder = make_case(tmp_path)
    (folder / "wind.dat").write_text("")
    (folder / "ww3_prep.inp").write_text("$\n  'WND' 'LL' T T\n  45 'wind.dat'\n")
    case = read_case(folder)

    def write(*clocks):
        write_times(folder / "wind.ww3", *clocks)

    for good in ((0,), (0, 10000)):
        write(*good)
        check_forcing(case, folder)
    write(0, 4000)
    with pytest.raises(
        ScienceError, match=r"ww3_prep\.inp, line 3, 'wind\.dat': the wind ends at 20260101 004000"
    ):
        check_forcing(case, folder)


def test_each_task_has_the_folder_with_its_number(tmp_path):
    names = ["storm/run0/ww3_shel.inp", "storm/run10/ww3_shel.inp", "storm/run1/ww3_shel.nml", "readme"]
    assert find_root(tmp_path, names, 1, 11) == tmp_path / "storm/run1"
    assert find_root(tmp_path, names[:1], 0, 1) == tmp_path / "storm/run0"
    for index, count, code in ((2, 11, "CASE_FILE_MISSING"), (0, 1, "CASE_INVALID")):
        with pytest.raises(ScienceError) as failed:
            find_root(tmp_path, names, index, count)
        assert failed.value.code == code


def test_a_day_of_0_is_the_last_of_the_month_before():
    assert text_of(seconds_of("19680600", "000000", "")) == "19680531 000000"
    assert text_of(seconds_of("20260101", "240000", "")) == "20260102 000000"
    assert text_of(seconds_of("20260101", "04000", "")) == "20260101 004000"


@pytest.mark.parametrize("kind", ["inp", "nml"])
def test_a_piece_writes_what_comes_after_its_begin_and_a_restart_file_at_its_cut(tmp_path, kind):
    text = (make_case(tmp_path) / "ww3_shel.inp").read_text()
    shell = read_shell(f"ww3_shel.{kind}", text if kind == "inp" else NAMELIST.replace("060000", "010000"))
    if kind == "nml":
        assert shell.outputs["POINT"].stride == 600
    cut, begin = shell.begin + 2400, shell.begin + 1200
    piece = read_shell(shell.name, piece_text(shell, Piece(begin, cut)))
    assert (piece.begin, piece.end) == (begin, cut)
    assert piece.outputs["RESTART"] == Schedule(cut, 1, cut)
    hourly = shell.outputs["FIELD"].stride
    assert piece.outputs["FIELD"].begin == shell.begin + hourly
    assert (
        read_shell(shell.name, piece_text(shell, Piece(None, None))).outputs["FIELD"]
        == shell.outputs["FIELD"]
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"20260101 000000 1800": "20260101 000000 1801"}, "do not fit the global time step of 120 s"),
        ({"20260101 000000 600 ": "20260101 000030 600 "}, "do not fit the global time step"),
        ({"'WND' 20260101 000000": "'WND' 20260101 000100"}, "an input changes at a time"),
    ],
)
def test_a_case_that_cannot_be_cut_says_why(tmp_path, changes, says):
    folder = changed(make_case(tmp_path), "ww3_shel.inp", changes)
    shell = read_case(folder).shell
    assert says in reason_against(shell, 120.0)
    plain = read_case(make_case(tmp_path / "plain")).shell
    assert reason_against(plain, 120.0) is None
    assert reason_against(plain, 90.5).startswith("The global time step is no whole number")
    assert [cut - plain.begin for cut in allowed_cuts(plain, 120.0)][:3] == [240, 480, 720]


def test_a_point_without_waves_at_the_end_has_no_period_and_direction_there(tmp_path):
    head = " Time : 2026/01/01 0{}:00:00 UTC\n\n       X        Y          Hs     L      Tr    Dir.  Spr.     fp\n"
    calm = "      0.0E3   36.0E3    0.004    0.0   0.00    0.0   0.00  0.0000\n"
    swell = "      0.0E3   36.0E3    1.770  166.0  10.38  180.0  24.92  0.1000\n"
    file = tmp_path / "tab33.ww3"
    file.write_text(head.format(0) + calm + head.format(1) + swell + head.format(2) + calm)
    (point,) = table_of(file.name, file)["points"]
    assert point["ranges"]["significantWaveHeightMetres"] == {"least": 0.004, "greatest": 1.77, "last": 0.004}
    assert point["ranges"]["peakPeriodSeconds"] == {"least": 10.0, "greatest": 10.0, "last": None}
    assert point["ranges"]["directionDegrees"] == {"least": 180.0, "greatest": 180.0, "last": None}


@pytest.mark.parametrize("broken", [" 0.6826E+02  0.1510E+01", "0.4E+01  NaN", "**********", "-0.1000E+21"])
def test_fields_of_waves_that_no_sea_has_are_told_with_time_and_place(tmp_path, broken):
    head = " Statitics of Wave height\n   (time, min, max, avg, std)\n\n"
    row = " 20260205 0{} 30 00    0.5519E-08  {}\n"
    file, points = tmp_path / "tab50.ww3", tmp_path / "ww3.26020501.hs"
    # Of one or two points there are no further columns.
    file.write_text(
        head + row.format(0, " 0.4413E+01  0.1510E+01  0.1114E+01") + row.format(1, " 0.2175E+01")
    )
    assert highest_of(file) == {"metres": 4.413, "at": "20260205 00 30 00"}
    file.write_text(head + row.format(0, "0.1E+01") + row.format(1, broken))
    found = highest_of(file)
    assert text_of(found.time) == "20260205 013000"
    points.write_text(" WAVEWATCH III 20260205 013000 .hs  0.0100 m\n   0.2500E+05  0.0000E+00     280\n"
                      "   0.5000E+05  0.1000E+04********\n   0.7500E+05  0.0000E+00    9000\n")  # fmt: skip
    failed = diverged(found, points)
    assert failed.code == "MODEL_DIVERGED"
    assert failed.message.endswith("m at 20260205 013000, the first at x 50000 y 1000 (no number).")
    assert highest_of(tmp_path / "none") is None


def test_waves_that_have_no_room_in_their_water_are_told_where_the_build_breaks_them(tmp_path):
    heights, depths = tmp_path / "ww3.26020501.hs", tmp_path / "ww3.26020501.dpt"
    head = " WAVEWATCH III 20260205 013000 .hs  0.0100 m\n"
    row = "   0.{}000E+04  0.1000E+04 {:7d}\n"
    depths.write_text(head + row.format(1, 400) + row.format(2, 30) + row.format(3, -999))
    # At the end of a beach there may be more than twice the depth, and on land there is nothing.
    heights.write_text(head + row.format(1, 790) + row.format(2, 90) + row.format(3, -999))
    check_depths(0, heights, depths)
    check_depths(0, heights, None)
    heights.write_text(head + row.format(1, 810) + row.format(2, 90) + row.format(3, -999))
    with pytest.raises(
        ScienceError, match=r"Waves of 8\.1 m at .* at x 1000 y 1000, in water of 4 m, where waves break\."
    ) as failed:
        check_depths(0, heights, depths)
    assert failed.value.code == "MODEL_DIVERGED"


@pytest.mark.parametrize(
    ("switches", "parameters", "breaks"),
    [
        ("SHRD PR3 DB1 O7", "", True),
        ("SHRD PR3 MLIM", "&MISC CICE0 = 0.25 /", True),
        ("SHRD PR3 DB0", "", False),
        (None, "", False),
        ("DB1", "&SDB1 BJALFA = 1., BJGAM = 0.73 /", True),
        ("DB1", "$ &SDB1 BJALFA = 0. /\n", True),
        ("DB1", "&SDB1 BJALFA = 1., bjgam=1.2 /", False),
        ("DB1", "&SDB1 BJALFA = 1.E-3 /", False),
        ("MLIM", "&MISC FMICHE = 2.0 /", False),
    ],
)
def test_waves_break_by_the_build_and_by_the_case(switches, parameters, breaks):
    assert breaks_waves(switches, parameters) is breaks


def test_a_table_of_one_point_has_the_place_that_its_program_told(tmp_path):
    named = "      {}{}\n"
    told = "  Requested output for  1 points : \n ----\n" + named.format(
        "buoy 7".ljust(40), "    475.0E3     0.0E3"
    )
    assert place_of("  Points in file : \n" + named.format("a".ljust(40), "   1.00  2.00") + told) == (
        475_000,
        0,
    )
    assert place_of(told + named.format("b".ljust(40), "   -180.00     45.25")) is None
    file = tmp_path / "tab51.ww3"
    file.write_text("    Date     Time        Hs     L      Tr    Dir.  Spr.     fp    p_dir  p_spr\n"
                    "  19680606  0 00 00    2.692  397.6  15.34  310.0  18.82  0.0600  310.0  18.82\n")  # fmt: skip
    (point,) = table_of(file.name, file, (475_000, 0))["points"]
    assert (point["x"], point["y"]) == (475_000, 0)


def test_namelists_of_physics_that_the_build_has_not_are_told():
    lines = [
        "$",
        "&SIN4 ZWND = 5. /",
        "  &PRO3 CFLTM = 1. /",
        "&MISC NOSW = 2 /",
        "&ROTD PLAT = 37. /",
        "END OF NAMELISTS",
        "&SDS4",
    ]
    told = unused_parameters("ww3_grid.inp", lines, {"PR3", "UQ", "ST0"})
    assert [line.partition(",")[2][:14] for line in told] == [" line 2: &SIN4", " line 5: &ROTD"]
    assert "switch ST4, and this one passes over it" in told[0]
    assert unused_parameters("ww3_grid.inp", lines, {"PR3", "ST4", "RTD"}) == []


def test_numbers_that_stand_in_the_file_of_a_program_itself_need_no_file(tmp_path):
    made = make_case(tmp_path / "case")
    wind = (
        "  'WND' 'AI' F T\n  20260101 000000\n  'UNIT' 3 1 '(..T..)' '(..F..)'\n  {} 'dummy.name'\n  1. 1.\n"
    )
    (made / "ww3_prep.inp").write_text(wind.format(10))
    assert read_case(made).before[-1].program == "ww3_prep"
    (made / "ww3_prep.inp").write_text(wind.format(20))
    with pytest.raises(
        ScienceError, match=r"ww3_prep\.inp, line 4: the file 'dummy\.name' is not in the case"
    ):
        read_case(made)
    (made / "ww3_prep.inp").unlink()
    grid = made / "ww3_grid.inp"
    text = grid.read_text()
    (line,) = [each for each in text.split("\n") if "'bottom.dat'" in each]
    own = re.sub(r"^(\s*\S+\s+\S+\s+)\d+", r"\g<1>10", line.replace("bottom.dat", "none.dat"))
    grid.write_text(text.replace(line, own))
    assert read_case(made).before[0].program == "ww3_grid"


@pytest.mark.parametrize(
    ("name", "text", "code", "says"),
    [
        (
            "ww3_ounf.nml",
            "&FILE_NML\n  FILE%PREFIX = 'out/ww3.'\n/\n",
            "CASE_INVALID",
            r"ww3_ounf\.nml, line 2: outputs are written into no folder",
        ),
        ("ww3_ounp.inp", '$\n "../ww3."\n', "CASE_PATH_REFUSED", r"ww3_ounp\.inp, line 2 names '\.\./ww3\.'"),
        ("ww3_ounf.inp", "$\n /tmp/ww3.\n", "CASE_PATH_REFUSED", r"ww3_ounf\.inp, line 2 names '/tmp/ww3\.'"),
        (
            "ww3_prnc.nml",
            '&FILE_NML FILE % FILENAME = "../wind.nc" /\n',
            "CASE_PATH_REFUSED",
            r"ww3_prnc\.nml, line 1 names '\.\./wind\.nc'",
        ),
        (
            "ww3_bounc.inp",
            "$\n WRITE\n 2\n 1\nbuoy.nc\n'STOPSTRING'\n",
            "CASE_FILE_MISSING",
            r"ww3_bounc\.inp, line 5: the file 'buoy\.nc' is not in the case",
        ),
        (
            "ww3_bounc.nml",
            "&BOUND_NML\n  BOUND%FILE = 'spec.list'\n/\n",
            "CASE_PATH_REFUSED",
            r"spec\.list, line 2 names '\.\./input/b\.nc'",
        ),
    ],
)
def test_files_of_netcdf_lie_in_the_folder_of_the_case(tmp_path, name, text, code, says):
    folder = make_case(tmp_path)
    (folder / name).write_text(text)
    (folder / "a.nc").write_text("")
    (folder / "spec.list").write_text("a.nc\n../input/b.nc\n")
    with pytest.raises(ScienceError, match=says) as failed:
        read_case(folder, NETCDF)
    assert failed.value.code == code


def test_a_slash_behind_the_first_word_of_a_line_is_no_folder(tmp_path):
    folder = make_case(tmp_path)
    (folder / "ww3_ounf.inp").write_text("$\n 20260101 000000 3600. 2\n 3 4  ! version/type\n /\n ww3.\n")
    assert [step.file for step in read_case(folder, NETCDF).after][-1] == "ww3_ounf.inp"


def test_a_namelist_wins_over_the_file_of_its_own_name(tmp_path):
    folder = make_case(tmp_path)
    for name in ("ww3_ounf_a.nml", "ww3_ounf_a.inp", "ww3_ounf_b.inp"):
        (folder / name).write_text("&FIELD_NML\n/\n" if name.endswith("nml") else "$\n")
    case = read_case(folder, NETCDF)
    assert [step.file for step in case.after if step.program == "ww3_ounf"] == [
        "ww3_ounf_a.nml",
        "ww3_ounf_b.inp",
    ]


def test_what_a_program_writes_over_is_a_copy_and_old_outputs_are_no_inputs(tmp_path):
    case, work = tmp_path / "case", tmp_path / "work"
    case.mkdir()
    for name in ("wind.ww3", "bottom.dat", "out_grd.ww3", "ww3.202601_tab.nc", "nest2.ww3"):
        (case / name).write_text("old")
    lay_out(case, work, copy=lambda name: name.endswith(".ww3"))
    (work / "wind.ww3").write_text("new")
    assert (case / "wind.ww3").read_text() == "old"
    lay_out(case, tmp_path / "run", leave_out=is_written)
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["bottom.dat", "wind.ww3"]
