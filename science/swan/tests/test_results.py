"""What SWAN wrote is read: places of tables, ranges of fields as text, and states with numbers that are none."""

import math
import struct

import pytest

from dockyard_session.errors import ScienceError
from dockyard_swan.places import places_of
from dockyard_swan.results import check_sound, check_state, fields_of, tables_of
from swan_cases import read, write_case


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


def test_a_state_with_a_number_that_is_none_is_told_with_its_place(tmp_path):
    state = tmp_path / "state.hot"

    def write(broken):
        spectra = [[1.0] * 40 for _ in range(4)]
        spectra[2][7] = broken
        records = [
            b"41.51".ljust(20),
            *(struct.pack("<2f", 100 * k, 50) for k in range(4)),
            b"20260101.010000".ljust(20),
        ]
        for number, spectrum in enumerate(spectra, start=2):
            records += [struct.pack("<i", number), struct.pack("<40f", *spectrum)]
        frame = [struct.pack("<i", len(record)) for record in records]
        state.write_bytes(
            b"".join(part for at, record in enumerate(records) for part in (frame[at], record, frame[at]))
        )

    write(2.0)
    check_state(state, 0)
    for broken in (math.nan, math.inf):
        write(broken)
        with pytest.raises(
            ScienceError, match=r"at x 200 y 50 has a number that is none, at 00010101"
        ) as failed:
            check_state(state, 0)
        assert failed.value.code == "MODEL_DIVERGED"
