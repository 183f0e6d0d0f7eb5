"""Kinds of cases, played as the program was recorded: all their files are the bare program's, and are read rightly."""

import json
import tarfile

import pytest

from swan_cases import COMPUTE, FILES, STATIONARY, Job, bare, packed, read, write_case

DRY = "".join(" ".join(f"{9 - 3 * i:.1f}" for i in range(6)) + "\n" for _ in range(4))
# Two iterations do not converge.
SHORT = STATIONARY | {"NONSTAT 1\n": "STAT 2\n"}


def table(name, style, words):
    """The case with a table more."""
    return {"TABLE 'P' SWAN": f"TABLE 'P' {style} '{name}' {words}\nTABLE 'P' SWAN"}


def run(tmp_path, pack, changes, files=()):
    """The case through the tool, and the bare program's files; answers summary.json."""
    folder = write_case(tmp_path / "case", changes, dict(files))
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"))
    plan = job.prepare()
    out, _outputs, summary = job.task()
    whole = bare(folder, tmp_path / "bare", pack)
    paths = dict.fromkeys(written.path for written in read(folder).writes)
    assert [path for path in paths if not (whole / path).is_file()] == []
    packed_away = out / "case.tar"
    if packed_away.is_file():
        with tarfile.open(packed_away) as archive:
            archive.extractall(out, filter="data")
    assert [path for path in paths if (out / path).read_bytes() != (whole / path).read_bytes()] == []
    assert "OUTPUT_NOT_WRITTEN" not in [warning["code"] for warning in summary["warnings"]]
    return plan, json.loads((out / "summary.json").read_bytes())


def ranges_of(report, name, of="tables"):
    """The ranges that are told of a file."""
    (found,) = (each["ranges"] for each in report[of] if each["file"] == name)
    return found


@pytest.mark.parametrize(
    ("changes", "is_cut"),
    [
        # SWAN counts the times of output from the begin of the run, where they begin before.
        ({COMPUTE: "COMPUTE NONSTAT 20260101.002000 10 MIN 20260101.050000"}, True),
        ({"RTP DIR OUTPUT 20260101.000000 30 MIN": "RTP DIR OUTPUT 20251231.234000 50 MIN"}, True),
        ({COMPUTE: f"COMPUTE STAT 20260101.000000\n{COMPUTE}"}, True),
        (
            {
                COMPUTE: "COMPUTE NONSTAT 20260101.000000 10 MIN 20260101.013000\n"
                "COMPUTE NONSTAT 20260101.014000 10 MIN 20260101.050000"
            },
            True,
        ),
        # A request does not count the computations before it.
        (
            {
                COMPUTE: "COMPUTE NONSTAT 20260101.000000 10 MIN 20260101.020000\n"
                "TABLE 'P' NOHEADER 'x.tbl' TIME HSIGN OUTPUT 20260101.000000 50 MIN\n"
                "COMPUTE NONSTAT 20260101.020000 10 MIN 20260101.050000"
            },
            True,
        ),
        # A blank marks no comments; heads are known by their words.
        ({"GEN3 WESTH\n": "GEN3 WESTH\nOUTPUT OPTIONS ' ' TABLE 16 BLOCK 6 SPEC 6\n"}, True),
        (
            {
                COMPUTE: "COMPUTE NONSTAT 20260101.000000 10 MIN 20260101.020000\nHOTFILE 'm.hot' UNFORMATTED\n"
                "INITIAL HOTSTART 'm.hot' UNFORMATTED\n"
                "COMPUTE NONSTAT 20260101.020000 10 MIN 20260101.050000"
            },
            False,
        ),
        # It rounds a step that its single precision does not have.
        ({"RTP DIR OUTPUT 20260101.000000 30 MIN": "RTP DIR OUTPUT 20260101.000000 0.3 HR"}, False),
        ({"RTP DIR OUTPUT 20260101.000000 30 MIN": "RTP DIR OUTPUT 20260101.000000 0.5 HR"}, True),
        ({"RTP DIR OUTPUT 20260101.000000 30 MIN": "RTP DIR OUTPUT 20260101.000000 3 MIN"}, True),
    ],
)
def test_a_run_writes_at_the_times_of_the_bare_program(tmp_path, pack, changes, is_cut):
    plan, report = run(tmp_path, pack, changes)
    assert plan["resumable"] is is_cut, plan["resumableReason"]
    rows = {table["file"]: table["rows"] for table in report["tables"]}
    assert rows["plain.tbl"] == len((tmp_path / "bare" / "plain.tbl").read_text().splitlines())


@pytest.mark.parametrize("name", ["tablé.tbl", "it''s.tbl", "out/it.nc.tbl"])
def test_files_are_found_by_the_names_that_the_program_gives_them(tmp_path, pack, name):
    _plan, report = run(tmp_path, pack, SHORT | table(name, "NOHEADER", "HS"))
    assert name.replace("''", "'") in report["files"]


@pytest.mark.parametrize(
    ("style", "words"),
    [
        ("NOHEADER", "FOR TRA HS DEP"),
        ("HEADER", "WIND VEL HSIGN DEPTH"),
        ("HEADER", "PTDIR HSIGN DEP"),
        ("HEADER", "PTHSIGN PTRTP PTWLEN HS DEP"),
        ("INDEXED", "TIME HS DEP"),
        ("INDEXED", "PTDIR HS DEP"),
        ("SWAN", "TRA HS DEP"),
    ],
)
def test_a_table_is_read_by_the_columns_that_its_quantities_take(tmp_path, pack, style, words):
    base = {} if "TIME" in words else SHORT
    _plan, report = run(tmp_path, pack, base | table("more.tbl", style, words))
    told = ranges_of(report, "more.tbl")
    alone = ranges_of(report, "swan.tbl")["significantWaveHeightMetres"]
    assert told["significantWaveHeightMetres"]["greatest"] == pytest.approx(alone["greatest"], rel=1e-3)
    assert told["depthMetres"]["greatest"] == pytest.approx(12.55, abs=0.1)


def test_several_stationary_computations_tell_how_many_did_not_converge(tmp_path, pack):
    fields = {"HEADER 'fields.txt' LAYOUT 3 HSIGN": "NOHEADER 'fields.txt' LAYOUT 3 HSIGN DEP"}
    several = {COMPUTE: "\n".join(["COMPUTE"] * 6)}
    _plan, report = run(tmp_path, pack, SHORT | fields | several)
    assert report["convergence"]["stepsNotConverged"] == 4
    # Maps of two quantities come in turns, and are not told.
    assert [each["file"] for each in report["fields"]] == ["fields.mat"]
    assert [each["rows"] for each in report["tables"]] == [12, 12, 12]


@pytest.mark.parametrize("exception", ["99999.", "1234.56", "-999.99"])
def test_an_exception_value_is_known_by_the_figures_that_are_printed(tmp_path, pack, exception):
    changes = {
        "GEN3 WESTH\n": f"GEN3 WESTH\nQUANTITY HSIGN excv={exception}\n",
        "POINTS 'P' 2500. 1000. &\n       4000. 1000.   !": "POINTS 'P' 800. 1000. &\n      9e4 0. !",
    }
    fields = {"HEADER 'fields.txt' LAYOUT 3 HSIGN": "NOHEADER 'fields.txt' LAYOUT 3 HSIGN"}
    _plan, report = run(tmp_path, pack, SHORT | changes | fields, {"bottom.dat": DRY})
    for of, name in (("tables", "plain.tbl"), ("tables", "swan.tbl"), ("fields", "fields.txt")):
        told = ranges_of(report, name, of)["significantWaveHeightMetres"]
        assert 0 <= told["least"] <= told["greatest"] < 3


def test_names_of_quantities_that_the_case_gives_are_known(tmp_path, pack):
    names = "QUANTITY HSIGN 'Hm0'\nQUANTITY DIR 'HsDir'\nQUANTITY BOTLEV 'Hsea'\nQUANTITY TMM10 'T_m'\n"
    changes = {"GEN3 WESTH\n": f"GEN3 WESTH\n{names}", "XP YP HSIGN DIR": "XP YP HSIGN DIR BOTLEV TMM10"}
    _plan, report = run(tmp_path, pack, SHORT | changes)
    told = ranges_of(report, "fields.mat", "fields")
    assert set(told) == {"significantWaveHeightMetres", "directionDegrees", "meanPeriodTmm10Seconds"}
    assert told["directionDegrees"]["greatest"] > 40 > told["significantWaveHeightMetres"]["greatest"]


def test_another_mark_of_comments_is_no_row(tmp_path, pack):
    changes = {"GEN3 WESTH\n": "GEN3 WESTH\nOUTPUT OPTIONS '#'\n"}
    plan, report = run(tmp_path, pack, changes)
    assert plan["resumable"]
    assert [each["rows"] for each in report["tables"]] == [22, 12, 12]


def test_a_table_has_the_places_of_its_points_and_not_their_rounded_figures(tmp_path, pack):
    changes = {
        "TABLE 'P' NOHEADER 'plain.tbl' HS RTP": "TABLE 'P' NOHEADER 'plain.tbl' XP HS",
        "2500. 1000. &": "2500.123 1000. 2500.123 1500. &",
    }
    _plan, report = run(tmp_path, pack, changes)
    (told,) = (each for each in report["tables"] if each["file"] == "plain.tbl")
    assert [(point["x"], point["y"]) for point in told["points"]] == [
        (2500.123, 1000), (2500.123, 1500), (4000, 1000),
    ]  # fmt: skip


def test_what_the_program_tests_is_written(tmp_path, pack):
    changes = {"NUM STOPC": "TEST 1 0 POINTS IJ 2 1 PAR 'tp.par'\nNUM STOPC"}
    plan, report = run(tmp_path, pack, changes)
    assert "TEST writes at each iteration" in plan["resumableReason"]
    assert "tp.par" in report["files"]


@pytest.mark.parametrize("middle", ["", "HOTFILE 'end.hot' UNFORMATTED\n"])
def test_a_state_that_is_taken_up_may_be_written_again(tmp_path, pack, middle):
    first = write_case(tmp_path / "first", {COMPUTE: COMPUTE.replace("05", "01")})
    whole = bare(first, tmp_path / "before", pack)
    state = (whole / "end.hot").read_bytes()
    start = f"INITIAL HOTSTART 'end.hot' UNFORMATTED\n{COMPUTE.replace('.000000', '.010000')}"
    end = "HOTFILE 'end.hot' UNFORMATTED\n"
    if middle:
        # The state is kept in the middle of the run alone.
        first, last = (COMPUTE.replace(".000000", at) for at in (".010000", ".020000"))
        start = f"INITIAL HOTSTART 'end.hot' UNFORMATTED\n{first.replace('05', '02')}\n{middle}{last}"
    folder = write_case(tmp_path / "case", ({end: ""} if middle else {}) | {COMPUTE: start})
    (folder / "end.hot").write_bytes(state)
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"))
    assert job.prepare()["resumable"]
    out, _outputs, _summary = job.task()
    again = bare(folder, tmp_path / "bare", pack)
    assert (out / "end.hot").read_bytes() == (again / "end.hot").read_bytes() != state
    assert (out / "plain.tbl").read_bytes() == (again / "plain.tbl").read_bytes()


def test_a_file_that_is_asked_for_and_not_written_is_warned_of(tmp_path, pack):
    late = {"HS RTP OUTPUT 20260101.003000 50 MIN": "HS RTP OUTPUT 20260102.000000 50 MIN"}
    folder = write_case(tmp_path / "case", late, FILES)
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"))
    job.prepare()
    _out, _outputs, summary = job.task()
    assert [(each["code"], each["message"]) for each in summary["warnings"]] == [
        ("OUTPUT_NOT_WRITTEN", "SWAN wrote no 'plain.tbl'.")
    ]
