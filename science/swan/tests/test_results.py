"""What SWAN wrote is read: places of tables, ranges of fields as text, and states with numbers that are none."""

import netCDF4
import numpy as np
import pytest

from dockyard_session.errors import ScienceError
from dockyard_swan.cut import END_FIELDS, HOT_OUT, Piece, piece_text
from dockyard_swan.places import places_of
from dockyard_swan.ranges import fields_of, tables_of
from dockyard_swan.results import check_end, check_sound
from swan_cases import matrix, read, write_case, write_state


def test_a_table_that_tells_no_places_has_those_of_its_points(tmp_path):
    changes = {"TABLE 'P' NOHEADER": "CURVE 'C' 0. 100. 2 400. 300. 1 400. 500.\nTABLE 'C' NOHEADER"}
    folder = write_case(tmp_path / "case", {**changes, "POINTS 'P' 2500. 1000. &": "POINTS 'P' FILE 'places'"},
                        {"places": "2500. 1000.\n4000, 1000\n"})  # fmt: skip
    text = folder / "case.swn"
    text.write_text(text.read_text().replace("       4000. 1000.   ! two places\n", ""))
    case = read(folder)
    points, curve, *_rest = [places_of(case, folder, each) for each in case.writes]
    assert points == [(2500, 1000), (4000, 1000)]
    assert curve == [(0, 100), (200, 200), (400, 300), (400, 500)]
    rows = "".join(f" {height}  8.0\n" for height in (1.0, 1.1, 1.2, 1.3) * 2)
    (folder / "plain.tbl").write_text(rows)
    (table,) = tables_of(case, folder, folder)
    assert [(point["x"], point["y"]) for point in table["points"]] == curve
    assert table["points"][3]["ranges"]["significantWaveHeightMetres"]["last"] == 1.3


@pytest.mark.parametrize(
    ("command", "numbers", "heights"),
    [
        ("NOHEADER 'fields.txt' LAYOUT 3 HSIGN", "0.5 1.5\n-9. 2.5\n", (0.5, 2.5)),
        ("NOHEADER 'fields.txt' LAYOUT 3 DEPTH 1. VEL HSIGN", "9 9\n 3 3 4 4 0.5 0.7\n", (0.5, 0.7)),
        # Another unit, another layout of the file, or counts that do not fit, tell nothing.
        ("NOHEADER 'fields.txt' LAYOUT 3 HSIGN 0.01", "50. 150.\n", None),
        ("HEADER 'fields.txt' LAYOUT 3 HSIGN", "0.5 1.5\n", None),
        ("NOHEADER 'fields.txt' LAYOUT 3 DEPTH HSIGN", "9 9 0.5\n", None),
        ("NOHEADER 'fields.txt' LAYOUT 3 HSIGN", "word 1.5\n", None),
    ],
)
def test_fields_as_text_tell_their_ranges(tmp_path, command, numbers, heights):
    block = "HEADER 'fields.txt' LAYOUT 3 HSIGN OUTPUT 20260101.000000 2 HR"
    case = read(write_case(tmp_path / "case", {block: command}))
    (tmp_path / "fields.txt").write_text(numbers)
    found = {
        each["file"]: each["ranges"]["significantWaveHeightMetres"] for each in fields_of(case, tmp_path)
    }
    wanted = None if heights is None else {"least": heights[0], "greatest": heights[1], "last": None}
    assert found.get("fields.txt") == wanted


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("fields.txt", "0.5 1.5\n-9. 12345.\n", "fields.txt: a significant wave height of 12345 m"),
        (
            "plain.tbl",
            " 1.0  8.0\n ******  8.0\n",
            "plain.tbl, row 2: a significant wave height that has no room",
        ),
    ],
)
def test_waves_that_no_sea_has_are_found_in_text(tmp_path, name, text, says):
    block = "HEADER 'fields.txt' LAYOUT 3 HSIGN OUTPUT 20260101.000000 2 HR"
    case = read(write_case(tmp_path / "case", {block: "NOHEADER 'fields.txt' LAYOUT 3 HSIGN"}))
    (tmp_path / name).write_text(text)
    with pytest.raises(ScienceError, match=says) as failed:
        check_sound(case, tmp_path, None)
    assert failed.value.code == "MODEL_DIVERGED"


def test_an_exception_value_of_the_case_is_no_wave(tmp_path):
    block = "HEADER 'fields.txt' LAYOUT 3 HSIGN OUTPUT 20260101.000000 2 HR"
    own = "QUANTITY HSIGN excv=999.\nBLOCK 'COMPGRID' "
    changes = {f"BLOCK 'COMPGRID' {block}": f"{own}NOHEADER 'fields.txt' LAYOUT 3 HSIGN"}
    case = read(write_case(tmp_path / "case", changes))
    (tmp_path / "fields.txt").write_text("0.5 1.5\n999. 2.\n")
    check_sound(case, tmp_path, None)


def write_netcdf(path, axes, heights, spectrum=None):
    """A file as SWAN writes it, of a regular grid of 3 x 2 points at two times; a dry point has no number."""
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("time", None), (axes[1], 2), (axes[0], 3), ("frequency", 4)):
            file.createDimension(name, size)
        time = file.createVariable("time", "i4", ("time",))
        time.units = "seconds since 1970-01-01"
        for name, places in zip(axes, ([0, 500, 1000], [0, 250]), strict=True):
            file.createVariable(name, "f4", (name,))[:] = places
        dims = ("time", axes[1], axes[0])
        hs = file.createVariable("hs", "f4", dims, fill_value=9.96921e36)
        for at, told in enumerate(heights):
            time[at] = 1767225600 + 3600 * at
            hs[at] = np.ma.masked_equal(told, -1)
        if spectrum is not None:
            file.createVariable("energy_1d", "f4", (*dims, "frequency"))[:] = spectrum


@pytest.mark.parametrize("axes", [("x", "y"), ("longitude", "latitude")])
@pytest.mark.parametrize("name", ["fields.nc", "fields.nc4", "fields.NC"])
@pytest.mark.parametrize(
    ("height", "says"),
    [
        (2.5, None),
        (41.0, "a .* height of 41 m at x 1000 y 0 at 20260101\\.010000"),
        (float("nan"), "a .* height of nan m at x 1000 y 0 at 20260101\\.010000"),
    ],
)
def test_waves_that_no_sea_has_are_found_in_netcdf(tmp_path, axes, name, height, says):
    changes = {"BLOCK 'COMPGRID' NOHEADER 'fields.mat'": f"BLOCK 'COMPGRID' NOHEADER '{name}'"}
    case = read(write_case(tmp_path / "case", changes))
    heights = [[[-1, 1.0, 1.1], [1.5, 1.2, 1.3]], [[-1, 1.0, height], [1.5, 1.2, 1.3]]]
    write_netcdf(tmp_path / name, axes, heights)
    if says is None:
        check_sound(case, tmp_path, None)
        (field, *_others) = fields_of(case, tmp_path)
        assert field["ranges"] == {
            "significantWaveHeightMetres": {"least": 1.0, "greatest": 2.5, "last": None}
        }
        return
    with pytest.raises(ScienceError, match=f"{name}: {says}") as failed:
        check_sound(case, tmp_path, None)
    assert failed.value.code == "MODEL_DIVERGED"


def test_a_spectrum_in_netcdf_is_looked_at_some_places_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr("dockyard_swan.netcdf._MOST_NUMBERS", 12)
    changes = {"SPECOUT 'P' SPEC2D ABS 'points.spc'": "SPECOUT 'COMPGRID' SPEC1D ABS 's.nc'"}
    case = read(write_case(tmp_path / "case", changes))
    energy = np.ones((2, 2, 3, 4), "f4")
    write_netcdf(tmp_path / "s.nc", ("x", "y"), np.ones((2, 2, 3)), energy)
    check_sound(case, tmp_path, None)
    energy[1, 1, 2, 3] = np.inf
    write_netcdf(tmp_path / "s.nc", ("x", "y"), np.ones((2, 2, 3)), energy)
    with pytest.raises(ScienceError, match=r"s\.nc: energy_1d is inf at x 1000 y 250 at 20260101\.010000"):
        check_sound(case, tmp_path, None)


def test_a_table_in_netcdf_has_the_rows_of_the_text(tmp_path):
    """A point outside has rows without numbers, and one that stands twice has rows for each."""
    changes = {
        "TABLE 'P' NOHEADER 'plain.tbl' HS RTP": "TABLE 'P' NOHEADER 'plain.nc' HS RTP",
        "2500. 1000. &": "2500. 1000. 2500. 1000. &",
        "4000. 1000.   !": "90000. 0.   !",
    }
    folder = write_case(tmp_path / "case", changes)
    case = read(folder)
    with netCDF4.Dataset(tmp_path / "plain.nc", "w") as file:
        for name, size in (("time", None), ("points", 3)):
            file.createDimension(name, size)
        time = file.createVariable("time", "i4", ("time",))
        time.units = "seconds since 1970-01-01"
        for name, places in (("x", [2500, 2500, 9e4]), ("y", [1000, 1000, 0])):
            file.createVariable(name, "f4", ("points",))[:] = places
        heights = file.createVariable("hs", "f4", ("time", "points"), fill_value=9.96921e36)
        for at in range(2):
            time[at] = 1767225600 + 3600 * at
            heights[at] = np.ma.masked_equal([1.5 + at, 1.5 + at, -1], -1)
    check_sound(case, tmp_path, None)
    (table,) = tables_of(case, folder, tmp_path)
    assert table["rows"] == 6
    assert [(point["x"], point["ranges"]) for point in table["points"]] == [
        (2500, {"significantWaveHeightMetres": {"least": 1.5, "greatest": 2.5, "last": 2.5}}),
        (90000, {}),
    ]


def test_a_field_of_waves_that_no_sea_has_is_told_with_its_time_and_place(tmp_path):
    folder = write_case(tmp_path / "case")
    case, file = read(folder), folder / "fields.mat"
    places = bytes(128) + matrix("Xp", 0, 500) + matrix("Yp", 0, 250)
    # A dry point has no number.
    file.write_bytes(places + matrix("Hsig_20260101_010000", 2.5, float("nan")))
    check_sound(case, folder, None)
    for height in (55.0, float("inf")):
        file.write_bytes(places + matrix("Hsig_20260101_010000", 2.5, height))
        with pytest.raises(
            ScienceError, match=r"fields\.mat: a .* height of (55|inf) m at x 500 y 250 at 20260101\.010000"
        ) as failed:
            check_sound(case, folder, None)
        assert failed.value.code == "MODEL_DIVERGED"
    file.write_bytes(bytes(128) + matrix("Hsig_20260101_010000", 2.5, 55))
    with pytest.raises(ScienceError, match=r"height of 55 m at 20260101\.010000, which"):
        check_sound(case, folder, None)


@pytest.mark.parametrize(
    ("off", "depth", "height", "says"),
    [
        ("", 4, 9, r"Waves of 9 m at 20260101\.050000 at x 500 y 250, in water of 4 m, where waves break"),
        ("", 4, 7, None),
        # At the end of a beach one step may leave more; without breaking SWAN lets waves grow as long as they shoal.
        ("", 0.05, 0.4, None),
        ("OFF BREAKING\n", 4, 9, None),
        ("OFF SOURCES\n", 4, 9, None),
        ("BREAKING CONSTANT 1. 5.\n", 4, 9, None),
        ("BREAKING CONSTANT 1. 0.73\n", 4, 9, "in water of 4 m, where waves break"),
        ("OFF BREAKING\n", 400, 41, "Waves of 41 m .* which no sea has"),
        ("", float("nan"), float("nan"), None),
    ],
)
def test_waves_at_the_end_of_a_piece_have_room_in_their_water(tmp_path, off, depth, height, says):
    case = read(write_case(tmp_path / "case", {"GEN3 WESTH\n": f"GEN3 WESTH\n{off}"}))
    places = matrix("Xp", 0, 500) + matrix("Yp", 0, 250)
    name = "20260101_050000"
    fields = matrix(f"Depth_{name}", 20, depth) + matrix(f"Hsig_{name}", 1, height)
    (tmp_path / END_FIELDS).write_bytes(bytes(128) + places + fields)
    write_state(tmp_path / HOT_OUT, 2.0)
    end = case.computes[-1].end
    if says is None:
        check_end(case, tmp_path, end)
        return
    with pytest.raises(ScienceError, match=says) as failed:
        check_end(case, tmp_path, end)
    assert failed.value.code == "MODEL_DIVERGED"


@pytest.mark.parametrize(("more", "has_room"), [(243, True), (244, True), (245, False)])
def test_a_case_with_all_the_outputs_that_the_program_takes_runs_as_it_is(tmp_path, more, has_room):
    """SWAN takes 250; the case has 5 of its own, beside the one that is replaced."""
    tables = "".join(f"TABLE 'P' NOHEADER 'p{at}.tbl' HS\n" for at in range(more))
    case = read(write_case(tmp_path / "case", {"SPECOUT": f"{tables}SPECOUT", "TABLE 'P' SWAN": "$"}))
    assert (END_FIELDS in piece_text(case, Piece(0, None, None))) is has_room


def test_a_state_with_a_number_that_is_none_is_told_with_its_place(tmp_path):
    case = read(write_case(tmp_path / "case"))
    fields = (matrix(name, 0, 0) for name in ("Xp", "Yp", "Depth", "Hsig"))
    (tmp_path / END_FIELDS).write_bytes(bytes(128) + b"".join(fields))
    write_state(tmp_path / HOT_OUT, 2.0)
    check_end(case, tmp_path, 0)
    for broken, has_time in ((float("nan"), True), (float("inf"), True), (float("nan"), False)):
        write_state(tmp_path / HOT_OUT, broken, has_time=has_time)
        with pytest.raises(
            ScienceError, match=r"at x 200 y 50 has a number that is none at 00010101"
        ) as failed:
            check_end(case, tmp_path, 0)
        assert failed.value.code == "MODEL_DIVERGED"
