"""Runs of the program, played as it was recorded: runs that are cut or lost give the bytes of one run."""

import json
import re

import pytest

from dockyard_session.errors import ScienceError
from dockyard_swan import cut
from dockyard_swan.prove import allowed_cuts, prove
from dockyard_swan.times import text_of
from swan_cases import COMPUTE, STATIONARY, Job, LostError, bare, packed, read, write_case

RESULTS = ["out/points.tbl", "plain.tbl", "swan.tbl", "points.spc", "fields.mat", "fields.txt", "end.hot"]


def test_a_run_that_is_lost_three_times_gives_the_bytes_of_one_run(tmp_path, pack):
    folder = write_case(tmp_path / "case")
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip", "inside/"))
    summary = job.prepare()
    assert (summary["resumable"], summary["resumableReason"], summary["steps"]) == (True, None, 30)
    for percent in (10, 45, 85):
        job.worker.lose_at = percent
        with pytest.raises(LostError):
            job.task()
    out, outputs, summary = job.task()
    assert job.worker.checkpoints == 4
    whole = bare(folder, tmp_path / "bare", pack)
    assert [output["path"] for output in outputs] == ["summary.json", *RESULTS, "PRINT"]
    assert [name for name in RESULTS if (out / name).read_bytes() != (whole / name).read_bytes()] == []
    assert summary["greatestWaveHeightMetres"] == pytest.approx(1.6, abs=0.5)
    report = json.loads((out / "summary.json").read_bytes())
    assert [table["rows"] for table in report["tables"]] == [22, 12, 12]


def test_a_case_for_which_the_job_has_no_memory_is_refused_before_its_first_second(tmp_path, pack):
    folder = write_case(tmp_path / "case")
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"), mostNumbers=100)
    with pytest.raises(
        ScienceError, match=r"case\.swn: the spectra .* are \d+ numbers .* parameters\.grid"
    ) as failed:
        job.prepare()
    assert failed.value.code == "CASE_INVALID"


def test_a_state_of_another_grid_is_named_with_its_line(tmp_path, pack):
    start = {"COMPUTE NONSTAT": "INITIAL HOTSTART 'before.hot' UNFORMATTED\nCOMPUTE NONSTAT"}
    folder = write_case(tmp_path / "case", start, {"before.hot": "the state of another grid"})
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"))
    with pytest.raises(ScienceError, match=r"line 21: SWAN breaks down .* 'before\.hot': .* another grid"):
        job.prepare()


def test_work_that_is_done_again_after_a_loss_is_one_piece_at_most(tmp_path, pack):
    folder = write_case(tmp_path / "case")
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"))
    job.prepare()
    job.worker.lose_at = 85
    with pytest.raises(LostError):
        job.task()
    note = json.loads(job.worker.kept["checkpoint/checkpoint/run.json"].read_bytes())
    assert text_of(note["time"]) == "20260101.040000"
    out, _outputs, _summary = job.task()
    # The log has each piece once: the four before the loss, and the last.
    assert (out / "PRINT").read_text(encoding="latin-1").count("Execution started") == 5


def test_a_checkpoint_of_another_case_is_not_believed(tmp_path, pack):
    folder = write_case(tmp_path / "case")
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"))
    job.prepare()
    job.worker.lose_at = 85
    with pytest.raises(LostError):
        job.task()
    state = job.worker.kept["checkpoint/checkpoint/state.hot"]
    state.write_bytes(state.read_bytes()[:-1] + b"x")
    job.worker.checkpoints = 0
    out, _outputs, _summary = job.task()
    assert job.worker.checkpoints == 4
    whole = bare(folder, tmp_path / "bare", pack)
    assert (out / "end.hot").read_bytes() == (whole / "end.hot").read_bytes()


def test_the_proof_finds_a_run_unequal_that_is_cut_with_the_text_hotfile(tmp_path, pack, monkeypatch):
    folder = write_case(tmp_path / "case")
    case = read(folder)
    assert prove(case, folder, pack, tmp_path / "one", 60).is_resumable
    monkeypatch.setattr(cut, "HOT_FORMAT", "FREE")
    proof = prove(case, folder, pack, tmp_path / "two", 60)
    assert not proof.is_resumable
    assert proof.reason.startswith("Cut into two pieces the run is another one:")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"NONSTAT 1\n": "NONSTAT 4\n"}, r"Cut into two pieces the run is another one: \S+ differs"),
        (
            {COMPUTE: "COMPUTE STAT 20260101.000000"},
            "A stationary",
        ),
        ({"'fields.txt'": "'fields.nc'"}, r"fields\.nc: NetCDF"),
        ({"'plain.tbl'": "'swan.tbl'"}, r"swan\.tbl: two commands write it"),
        ({" 10 MIN ": " 0.01 SEC "}, "The time step is no whole number"),
    ],
)
def test_a_run_that_cannot_be_cut_says_why(tmp_path, pack, changes, reason):
    folder = write_case(tmp_path / "case", changes)
    proof = prove(read(folder), folder, pack, tmp_path / "scratch", 60)
    assert not proof.is_resumable
    assert re.match(reason, proof.reason), proof.reason


def test_runs_are_cut_where_every_input_has_values(tmp_path):
    folder = write_case(
        tmp_path / "case", files={"swell.tpar": "TPAR\n20260101.00 1. 8. 0. 4.\n20260101.03 2. 9. 0. 4.\n"}
    )
    assert [text_of(cut) for cut in allowed_cuts(read(folder), folder)] == ["20260101.030000"]


def test_a_run_whose_inputs_share_no_time_is_not_cut(tmp_path, pack):
    halves = "".join(f"20260101.{hour:02}30 1. 8. 0. 4.\n" for hour in range(6))
    folder = write_case(tmp_path / "case", files={"swell.tpar": f"TPAR\n20251231.2330 1. 8. 0. 4.\n{halves}"})
    proof = prove(read(folder), folder, pack, tmp_path / "scratch", 60)
    assert not proof.is_resumable
    assert "no step at which each input that changes has values (WIND, swell.tpar)" in proof.reason


def test_waves_that_do_not_change_allow_every_cut_that_the_wind_allows(tmp_path):
    one = write_case(tmp_path / "one", files={"swell.tpar": "TPAR\n20260101.00 1. 8. 0. 4.\n"})
    assert [text_of(cut)[9:11] for cut in allowed_cuts(read(one), one)] == ["01", "02", "03", "04"]


def test_an_uncut_run_is_the_run_too(tmp_path, pack):
    folder = write_case(tmp_path / "case", {"NONSTAT 1\n": "NONSTAT 4\n"})
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"))
    assert not job.prepare()["resumable"]
    out, _outputs, summary = job.task()
    whole = bare(folder, tmp_path / "bare", pack)
    assert [name for name in RESULTS if (out / name).read_bytes() != (whole / name).read_bytes()] == []
    assert job.worker.checkpoints == 0
    (warning,) = summary["warnings"]
    assert warning["message"].startswith(
        "1 of 30 steps ended before SWAN's iterations had converged: at the end 100 %"
    )


def test_what_swan_writes_as_netcdf_is_told_in_the_summary(tmp_path, pack):
    changes = {
        "NOHEADER 'fields.mat'": "NOHEADER 'fields.nc'",
        "TABLE 'P' HEADER 'out/points.tbl' TIME XP YP DEP HS": "TABLE 'P' HEADER 'points.nc' DEP HS",
        "'points.spc'": "'spectra.nc'",
    }
    job = Job(tmp_path / "job", packed(write_case(tmp_path / "case", changes), tmp_path / "case.zip"))
    assert "NetCDF files of two runs cannot be joined" in job.prepare()["resumableReason"]
    out, outputs, summary = job.task()
    assert {"fields.nc", "points.nc", "spectra.nc"} <= {output["path"] for output in outputs}
    report = json.loads((out / "summary.json").read_bytes())
    table = next(table for table in report["tables"] if table["file"] == "points.nc")
    assert [(point["x"], point["y"]) for point in table["points"]] == [(2500, 1000), (4000, 1000)]
    assert table["rows"] == 22
    (field,) = (field for field in report["fields"] if field["file"] == "fields.nc")
    assert {"significantWaveHeightMetres", "directionDegrees"} == set(field["ranges"])
    heights = field["ranges"]["significantWaveHeightMetres"]
    assert 0 <= heights["least"] < heights["greatest"] == summary["greatestWaveHeightMetres"]


@pytest.mark.parametrize(
    "changes",
    [
        # NetCDF of a stationary run has no time.
        STATIONARY | {"NOHEADER 'fields.mat'": "NOHEADER 'fields.nc'"},
        # Names of the case are names in its MATLAB files.
        {"GEN3 WESTH\n": "GEN3 WESTH\nQUANTITY HSIGN 'H_s' 'height'\nQUANTITY XP 'x' 'x'\n"},
        # The last step ends before the run does.
        {"10 MIN 20260101.050000": "11 MIN 20260101.050000"},
        # SWAN's 0.7 MIN are not quite 42 SEC.
        {"10 MIN 20260101.050000": "0.7 MIN 20260101.003500"},
    ],
)
def test_what_a_run_leaves_for_its_judgement_changes_nothing(tmp_path, pack, changes):
    folder = write_case(tmp_path / "case", changes)
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"), pieceSeconds=1e6)
    job.prepare()
    out, _outputs, summary = job.task()
    whole = bare(folder, tmp_path / "bare", pack)
    names = [name for name in [*RESULTS, "fields.nc"] if (out / name).is_file()]
    assert len(names) == len(RESULTS)
    assert [name for name in names if (out / name).read_bytes() != (whole / name).read_bytes()] == []
    assert summary["greatestWaveHeightMetres"] > 0


def test_iterations_that_end_early_are_a_success_that_is_warned_of_with_the_figures(tmp_path, pack):
    changes = {
        COMPUTE: "COMPUTE STAT 20260101.000000",
        "NONSTAT 1\n": "STAT 3\n",
    }
    job = Job(tmp_path / "job", packed(write_case(tmp_path / "case", changes), tmp_path / "case.zip"))
    assert job.prepare()["resumableReason"].startswith("A stationary computation has no state")
    _out, _outputs, summary = job.task()
    warning, missing = summary["warnings"]
    assert warning["code"] == "NOT_CONVERGED"
    assert (missing["code"], missing["message"]) == ("OUTPUT_NOT_WRITTEN", "SWAN wrote no 'plain.tbl'.")
    assert "91.67 % of the points are accurate, and 99.5 % are required" in warning["message"]


def test_errors_that_the_case_lets_swan_pass_over_are_warned_of(tmp_path, pack):
    changes = STATIONARY | {
        "CGRID REG": "SET 0 90 0.05 200 3\nCGRID REG",
        "CONSTANT PAR 1 8 0 4": "CONSTANT PAR 1 8 0 0",
        "BLOCK 'COMPGRID' HEADER 'fields.txt' LAYOUT 3 HSIGN": "BLOCK 'COMPGRID' 'fields.txt' HSIGN",
    }
    job = Job(tmp_path / "job", packed(write_case(tmp_path / "case", changes), tmp_path / "case.zip"))
    first, second = job.prepare()["warnings"]
    assert first["code"] == second["code"] == "ERROR_PASSED_OVER"
    assert re.match(
        r"case\.swn, line 9: SWAN says 'Power of cosine is less or equal to zero'", first["message"]
    )
    assert "'Data field skipped:fields.txt'" in second["message"]
    _out, _outputs, summary = job.task()
    assert summary["warnings"] == [{"code": "OUTPUT_NOT_WRITTEN", "message": "SWAN wrote no 'fields.txt'."}]


@pytest.mark.parametrize(
    ("changes", "place", "says"),
    [
        ({"GEN3 WESTH": "GEN3 WESTH\nQUANTITY NOTHING"}, r"case\.swn, line \d+", "SWAN says"),
        ({"SIDE W": "SIDE Q"}, r"case\.swn, line \d+", "SWAN says"),
        # SWAN takes no MAXERR there, computes nothing for it, and ends as after a good run.
        ({"MODE NON": "SET NAUTICAL MAXERR=3\nMODE NON"}, r"case\.swn, line 2", "Illegal keyword: MAXERR"),
        (
            {"MODE NON": "SET MAXERR=0\nMODE NON"},
            r"case\.swn, line 22",
            "a warning, by which nothing is computed",
        ),
        (
            {"INPGRID WIND": "$ INPGRID WIND", "READINP WIND": "$ READINP WIND"},
            r"case\.swn, line \d+",
            "SWAN says 'It is not recommended to use quadruplets in combination with zero wind conditions.'",
        ),
    ],
)
def test_complaints_of_the_program_have_their_line(tmp_path, pack, changes, place, says):
    folder = write_case(tmp_path / "case", changes)
    job = Job(tmp_path / "job", packed(folder, tmp_path / "case.zip"))
    with pytest.raises(ScienceError, match=place) as failed:
        job.prepare()
    assert failed.value.code == "CASE_INVALID"
    assert says in failed.value.message
