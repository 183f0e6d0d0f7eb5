"""Runs of the programs, played as they were recorded: runs that are cut or lost give the bytes of one run."""

import json
import re
import shutil
import subprocess
import tarfile

import pytest

from dockyard_session.errors import ScienceError
from dockyard_waves.program import installed_pack
from dockyard_waves.tool import plan_summary
from dockyard_wavewatch3.case import read_case
from dockyard_wavewatch3.forcing import forcing_times
from dockyard_wavewatch3.made import MadeArchive, unpack_made
from dockyard_wavewatch3.prepare import make
from dockyard_wavewatch3.prove import Made, proof_window, prove
from ww3_cases import Job, LostError, changed, make_case, make_nest, packed, use_programs, with_netcdf

RESULTS = ["mod_def.ww3", "out_grd.ww3", "out_pnt.ww3", "tab33.ww3", "ww3.26010100.hs", "ww3.26010101.dir"]


@pytest.fixture(autouse=True)
def _programs(tmp_path, monkeypatch):
    use_programs(monkeypatch, tmp_path / "programs")


def bare(job, case, work, further=()):
    """What the programs write by themselves after the preparation."""
    shutil.copytree(case, work)
    with tarfile.open(job.plan["prepared/prepared.tar"]) as archive:
        for info in archive:
            (work / info.name.partition("/")[2]).write_bytes(archive.extractfile(info).read())
    pack = installed_pack()
    for name in ("ww3_shel", "ww3_outf", "ww3_outp", *further):
        subprocess.run([pack.programs[name]], cwd=work, check=True, stdout=subprocess.DEVNULL)
    return work


def test_a_run_that_is_lost_three_times_gives_the_bytes_of_one_run(tmp_path):
    case = make_case(tmp_path / "case")
    job = Job(tmp_path / "job", packed(case, tmp_path / "case.tar.gz"))
    summary = job.prepare()
    assert (summary["resumable"], summary["resumableReason"], summary["steps"]) == (True, None, 30)
    for percent in (10, 45, 85):
        job.worker.lose_at = percent
        with pytest.raises(LostError):
            job.task()
    out, outputs, summary = job.task()
    whole = bare(job, case, tmp_path / "bare")
    assert {output["path"] for output in outputs} >= {"summary.json", "log.ww3", *RESULTS}
    assert [name for name in RESULTS if (out / name).read_bytes() != (whole / name).read_bytes()] == []
    assert 1 < summary["greatestWaveHeightMetres"] < 1.6
    assert len(summary["points"]) == 3
    report = json.loads((out / "summary.json").read_bytes())
    assert report["tables"][0]["rows"] == 9
    assert report["highest"] == {"metres": summary["greatestWaveHeightMetres"], "at": "20260101 00 00 00"}
    # Fourteen cuts, each of which is kept once: no piece that was kept is done again.
    assert job.worker.checkpoints == 14


def test_a_nest_is_proven_over_a_change_of_its_spectra_and_survives_three_losses(tmp_path):
    case = make_nest(tmp_path)
    # A piece is two steps, however fast they are.
    job = Job(tmp_path / "job", packed(case, tmp_path / "case.tar.gz"), pieceSeconds=1e-6)
    assert job.prepare()["resumable"]
    (tmp_path / "tables").mkdir()
    made = tmp_path / "made"
    grid = make(read_case(case, set()), made, tmp_path / "tables", installed_pack())
    spectra = forcing_times(made)[-1]
    assert [time - spectra[0] for time in spectra] == [0, 1800, 3600]
    begin, cut = proof_window(Made(read_case(case, set()), made, grid.step), 120)
    assert begin < spectra[1] < cut
    for percent in (10, 45, 85):
        job.worker.lose_at = percent
        with pytest.raises(LostError):
            job.task()
    out, _outputs, _summary = job.task()
    whole = bare(job, case, tmp_path / "bare")
    assert [name for name in RESULTS if (out / name).read_bytes() != (whole / name).read_bytes()] == []


def test_a_build_with_netcdf_reads_and_writes_it(tmp_path):
    case = with_netcdf(make_case(tmp_path / "case"))
    job = Job(tmp_path / "job", packed(case, tmp_path / "case.tar.gz"), pieceSeconds=1e6)
    assert job.prepare()["resumable"]
    out, outputs, _ = job.task()
    whole = bare(job, case, tmp_path / "bare", ("ww3_ounf", "ww3_ounp"))
    written = ["ww3.202601.nc", "ww3.202601_tab.nc"]
    assert [
        name for name in (*RESULTS, *written) if (out / name).read_bytes() != (whole / name).read_bytes()
    ] == []
    kinds = {each["path"]: (each["kind"], each["mediaType"]) for each in outputs}
    assert [kinds[name] for name in written] == [
        ("field", "application/x-netcdf"),
        ("table", "application/x-netcdf"),
    ]
    assert json.loads((out / "summary.json").read_bytes())["case"]["notRun"] == []


def test_a_wind_of_netcdf_that_ends_too_early_is_told_with_its_line(tmp_path):
    case = with_netcdf(make_case(tmp_path / "case"))
    changed(case, "ww3_shel.inp", {"20260101 010000\n   1": "20260101 020000\n   1"})
    job = Job(tmp_path / "job", packed(case, tmp_path / "case.tar.gz"))
    with pytest.raises(
        ScienceError, match=r"ww3_prnc\.nml, line 6, 'wind\.nc': the wind ends at 20260101 010000"
    ) as found:
        job.prepare()
    assert found.value.code == "CASE_INVALID"


def test_a_file_of_netcdf_that_cannot_be_read_is_told_with_what_it_lacks(tmp_path):
    case = changed(with_netcdf(make_case(tmp_path / "case")), "ww3_prnc.nml", {"'uwnd'": "'u10'"})
    job = Job(tmp_path / "job", packed(case, tmp_path / "case.tar.gz"))
    with pytest.raises(ScienceError, match=r"ww3_prnc\.nml: ww3_prnc says in PRNC \(a variable") as found:
        job.prepare()
    assert found.value.code == "CASE_INVALID"


def test_each_task_gets_what_was_made_for_it_and_what_cases_have_alike_is_kept_once(tmp_path):
    folders = [tmp_path / "case0", tmp_path / "case1"]
    for index, folder in enumerate(folders):
        folder.mkdir()
        (folder / "ww3_shel.inp").write_text("of the case")
        (folder / "mod_def.ww3").write_bytes(b"the grid" * 10_000)
        (folder / "wind.ww3").write_text(f"wind {index}")
    with tarfile.open(tmp_path / "made.tar", "w") as tar:
        archive = MadeArchive(tar)
        for index, folder in enumerate(folders):
            archive.add(index, folder)
    assert (tmp_path / "made.tar").stat().st_size < 100_000
    for index in (1, 0):
        made = tmp_path / f"made{index}"
        unpack_made(tmp_path / "made.tar", index, folders[index], made)
        assert (made / "mod_def.ww3").read_bytes() == b"the grid" * 10_000
        assert (made / "wind.ww3").read_text() == f"wind {index}"


def test_a_cut_after_an_odd_number_of_steps_is_found_to_be_another_run(tmp_path):
    case = read_case(make_case(tmp_path / "case"))
    pack = installed_pack()
    (tmp_path / "tables").mkdir()
    grid = make(case, tmp_path / "made", tmp_path / "tables", pack)
    made = Made(case, tmp_path / "made", grid.step)
    assert prove(made, pack, tmp_path / "even", 60, steps_before=4).is_resumable
    odd = prove(made, pack, tmp_path / "odd", 60, steps_before=5)
    assert not odd.is_resumable
    assert "out_grd.ww3" in odd.reason


def test_points_that_the_run_leaves_out_are_warned_of(tmp_path):
    case = make_case(tmp_path / "case")
    stop = "   0. 0. 'STOPSTRING'"
    changed(case, "ww3_shel.inp", {stop: f"   99000. -20000. 'far away'\n{stop}"})
    job = Job(tmp_path / "job", packed(case, tmp_path / "case.tar.gz"), pieceSeconds=1e6)
    (warning,) = job.prepare()["warnings"]
    assert warning["code"] == "POINT_LEFT_OUT"
    assert re.match(
        r"ww3_shel\.inp: the point 'far away' at 0?\.990E\+05 -0?\.200E\+05 lies outside", warning["message"]
    )
    two = plan_summary(json.loads(job.plan["prepared/plan.json"].read_bytes())["cases"] * 2)
    assert [each["message"][:8] for each in two["warnings"]] == ["Case 0: ", "Case 1: "]


@pytest.mark.parametrize(
    ("name", "changes", "code", "says"),
    [
        (
            "ww3_grid.inp",
            {"'NONE'\n": "'NONE'\n  7000000 1100000\n"},
            "ENGINE_OUT_OF_MEMORY",
            r"ww3_grid: the grid and its spectra need more memory than there is \('Error allocating \d+ bytes'\)",
        ),
        (
            "ww3_grid.inp",
            {"1.1 0.05": "1.1 0.0x5"},
            "CASE_INVALID",
            r"ww3_grid\.inp, line 3, entry 2, '0\.0x5': ww3_grid says in W3GRID",
        ),
        (
            "ww3_grid.inp",
            {"END OF NAMELISTS": "  &PRO3 CFLTM = 0.7, WDTHXX = 1. /\nEND OF NAMELISTS"},
            "CASE_INVALID",
            r"ww3_grid\.inp, line 6: &PRO3 has no 'CFLTM' in this build: ww3_grid says in READNL",
        ),
        (
            "ww3_shel.inp",
            {"DPT CUR WND": "DPT CUR WAVEZ"},
            "CASE_INVALID",
            r"ww3_shel\.inp, line 16: ww3_shel knows no 'WAVEZ'",
        ),
        (
            "ww3_shel.inp",
            {"2000.0 3000.0 'DEEP'": "99000.0 3000.0 'DEEP'"},
            "CASE_INVALID",
            r"ww3_shel\.inp: the point 'DEEP' at .* lies outside of the grid, .* says in W3OUTP",
        ),
        # A run that cannot be cut is tried, too: its first step.
        (
            "ww3_shel.inp",
            {"20260101 000000 1800 ": "20260101 000000 1801 ", "DPT CUR WND": "DPT CUR WAVEY"},
            "CASE_INVALID",
            r"ww3_shel\.inp, line 16: ww3_shel knows no 'WAVEY'",
        ),
        ("ww3_grid.inp", {"'RECT'": "'ROUND'"}, "CASE_INVALID", r"ww3_grid\.inp: ww3_grid says in W3GRID"),
        (
            "bottom.dat",
            {"60.00": "sixty"},
            "CASE_INVALID",
            r"ww3_grid\.inp: ww3_grid says in INA2R \(a map of numbers",
        ),
    ],
)
def test_complaints_of_a_program_have_their_file(tmp_path, name, changes, code, says):
    case = changed(make_case(tmp_path / "case"), name, changes)
    job = Job(tmp_path / "job", packed(case, tmp_path / "case.tar.gz"))
    with pytest.raises(ScienceError, match=says) as failed:
        job.prepare()
    assert failed.value.code == code
