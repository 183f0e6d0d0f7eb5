"""The session of WAVEWATCH III: its preparation makes and proves the cases of a job, and each task runs one of them."""

import json
import re
import shutil
import tarfile
from pathlib import Path
from typing import Any, cast

from dockyard_session.canonical import write_json
from dockyard_session.protocol import TaskRequest, fit_summary
from dockyard_session.tool import Output, Reporter, TaskResult
from dockyard_session.toolchain import toolchain_of
from dockyard_waves.outputs import gather, output_of
from dockyard_waves.pieces import Span, run_pieces, taken_up
from dockyard_waves.program import installed_pack
from dockyard_waves.spec import TaskSpec, WavesSpec
from dockyard_waves.tool import PLAN, SUMMARY, WavesTool, plan_summary
from dockyard_wavewatch3.case import NETCDF, SHELL, Case, Step, find_root, parameter_files, read_case
from dockyard_wavewatch3.cut import allowed_cuts
from dockyard_wavewatch3.made import MadeArchive, case_sha256, unpack_made
from dockyard_wavewatch3.prepare import Bounds, Workshop, prepare
from dockyard_wavewatch3.results import (
    Broken,
    breaks_waves,
    check_depths,
    check_text,
    diverged,
    heights_input,
    highest_of,
    place_of,
    places_input,
    table_of,
)
from dockyard_wavewatch3.resume import Run
from dockyard_wavewatch3.run import is_written, lay_out, run_step, switches_of
from dockyard_wavewatch3.times import text_of

#: The archive of what was made; src/tools/wavewatch3 has the same name.
MADE = "prepared.tar"
#: The format of summary.json; one with another meaning gets another name.
SCHEMA = "dockyard.wavewatch3.result/v1"

_FOLDERS = ("session", "waves", "wavewatch3")
#: The flag of source terms, the last of six.
_SOURCES_INP = re.compile(r"^\s*(?:[TF]\s+){5}T\b", re.MULTILINE)
_SOURCES_NML = re.compile(r"^\s*RUN%FLSOU\s*=\s*\.?T", re.MULTILINE | re.IGNORECASE)
_TABLE = re.compile(r"^tab\d\d\.ww3$")
_WRITTEN_TABLE = re.compile(r"File name +: +(tab\d\d\.ww3)")
_KINDS = (
    (re.compile(r"^restart\d{3}\.ww3$"), "restart"),
    (re.compile(r"^mod_def\.ww3$"), "restart"),
    (re.compile(r"^(?:tab\d\d\.ww3|partition\.ww3|.*[._]tab\.nc)$"), "table"),
    (
        re.compile(
            r"^(?:out_pnt\.ww3|.*\.spc|buoy_.*|.*\.src|.*[._](?:spec|src|trck)\.nc|track_o\.ww3|nest\d+\.ww3)$"
        ),
        "spectrum",
    ),
    (re.compile(r"^(?:log\.ww3|.*\.out)$"), "log"),
)


def open_session(spec: dict[str, Any]) -> "Wavewatch3Tool":
    """The tool of one session."""
    return Wavewatch3Tool(cast("WavesSpec", spec))


class Wavewatch3Tool(WavesTool[WavesSpec]):
    """Does the preparation and the tasks of a job."""

    def _case(self, work: Path, names: list[str], index: int) -> Case:
        root = find_root(work / "case", names, index, self._spec["taskCount"])
        return read_case(root, NETCDF.intersection(installed_pack().programs))

    def _prepare(self, task: TaskRequest, work: Path, names: list[str], reporter: Reporter) -> TaskResult:
        count = self._spec["taskCount"]
        cases = [self._case(work, names, index) for index in range(count)]
        bounds = Bounds(self._spec["mostNumbers"], self._spec["secondsPerNumber"])
        with tarfile.open(task.out / MADE, "w", format=tarfile.PAX_FORMAT) as tar:
            shop = Workshop(installed_pack(), work / "scratch", MadeArchive(tar))
            plans = prepare(cases, bounds, shop, reporter.progress)
        write_json(task.out / PLAN, {"cases": plans})
        outputs = [
            Output(path=PLAN, kind="plan", mediaType="application/json", format="json"),
            output_of(MADE, "archive"),
        ]
        return outputs, fit_summary(plan_summary(plans))

    def _run(self, task: TaskRequest, work: Path, names: list[str], reporter: Reporter) -> TaskResult:
        spec = cast("TaskSpec", task.spec)
        index, folder = spec["index"], spec["folder"]
        case = self._case(work, names, index)
        plan = json.loads(task.inputs[f"prepared/{PLAN}"].read_bytes())["cases"][index]
        made = work / "made"
        unpack_made(task.inputs[f"prepared/{MADE}"], index, case.root, made)
        shell = case.shell
        span = Span(
            begin=shell.begin,
            end=shell.end,
            step=plan["stepSeconds"] or 0.0,
            cuts=allowed_cuts(shell, plan["stepSeconds"]) if plan["resumable"] else [],
            piece_seconds=self._spec["pieceSeconds"],
            step_seconds=plan["secondsPerStep"],
            leg_until=task.leg_until,
        )
        run = Run(case, made, installed_pack(), task.out, folder, work / "scratch", span, case_sha256(made))
        run_pieces(run, taken_up(run, task.inputs), reporter)
        highest = _highest(run, work / "heights")
        files, tables = _finish(run, work / "after")
        report = _report(case, plan, run, files, tables) | {"highest": highest}
        write_json(task.out / f"{folder}{SUMMARY}", report)
        always = [output_of(f"{folder}{SUMMARY}", "summary")]
        outputs = gather(task.out, folder, [(f"{folder}{name}", _kind(name)) for name in files], always)
        reporter.progress(100)
        return outputs, fit_summary(_summary(report))


def _highest(run: Run, work: Path) -> dict[str, Any] | None:
    """The greatest height of the fields, with its time; None where the case writes none.

    Raises MODEL_DIVERGED, with time and place, where a height is no number, or one that no sea has, and where waves
    have no room in their water at the last time of the fields.
    """
    fields, schedule = run.out / run.folder / "out_grd.ww3", run.case.shell.outputs.get("FIELD")
    if not fields.is_file() or schedule is None or schedule.stride <= 0:
        return None
    work.mkdir()
    for file in (fields, run.made / "mod_def.ww3"):
        (work / file.name).symlink_to(file.resolve())
    step = Step("ww3_outf", "ww3_outf.inp", "ww3_outf.inp")
    (work / step.file).write_text(heights_input(schedule.begin, schedule.stride))
    run_step(run.pack, step, work)
    highest = highest_of(work / "tab50.ww3")
    parameters = "\n".join(
        (run.case.root / name).read_text(encoding="latin-1") for name in parameter_files(run.case)
    )
    is_breaking = breaks_waves(switches_of(run.pack.programs[SHELL]), parameters) and _has_sources(run.case)
    if not isinstance(highest, Broken) and not is_breaking:
        return highest
    last = min(run.case.shell.end, schedule.end)
    last -= (last - schedule.begin) % schedule.stride
    time = highest.time if isinstance(highest, Broken) else last
    (work / step.file).write_text(places_input(time))
    run_step(run.pack, step, work)
    heights, depths = (next(work.glob(f"ww3.*.{name}"), None) for name in ("hs", "dpt"))
    if isinstance(highest, Broken):
        raise diverged(highest, heights)
    check_depths(time, heights, depths)
    return highest


def _has_sources(case: Case) -> bool:
    """Whether the case switches the source terms of its build on, the breaking of waves among them."""
    for name, flag in (("ww3_grid.nml", _SOURCES_NML), ("ww3_grid.inp", _SOURCES_INP)):
        if (case.root / name).is_file():
            return flag.search((case.root / name).read_text(encoding="latin-1")) is not None
    return False


def _finish(run: Run, after: Path) -> tuple[list[str], list[dict[str, Any]]]:
    """Run what makes texts of the joined files, and check them; answers the names of all files, and the tables."""
    own = run.out / run.folder
    lay_out(run.made, after, leave_out=is_written)
    for name in run.result_files():
        plain = name.removeprefix(run.folder)
        (after / plain).symlink_to(own / plain)
    places: dict[str, tuple[float, float] | None] = {}
    for step in run.case.after:
        printed = run_step(run.pack, step, after).printed
        places.update(dict.fromkeys(_WRITTEN_TABLE.findall(printed), place_of(printed)))
    tables = []
    for path in sorted(after.iterdir()):
        if path.is_symlink() or not path.is_file() or path.name.endswith((".inp", ".nml", ".nml.log")):
            continue
        if path.name.startswith(("tab", "ww3.")) and path.suffix != ".nc":
            check_text(path.name, path)
        table = table_of(path.name, path, places.get(path.name)) if _TABLE.match(path.name) else None
        tables += [] if table is None else [table]
        shutil.move(path, own / path.name)
    if (run.made / "mod_def.ww3").is_file():
        shutil.copyfile(run.made / "mod_def.ww3", own / "mod_def.ww3")
    return sorted(path.name for path in own.iterdir() if path.is_file()), tables


def _kind(name: str) -> str:
    return next((kind for pattern, kind in _KINDS if pattern.match(name)), "field")


def _report(
    case: Case, plan: dict[str, Any], run: Run, files: list[str], tables: list[dict[str, Any]]
) -> dict[str, Any]:
    """summary.json; it has no host, path or time of a run, so that equal input gives equal bytes."""
    toolchain = toolchain_of(_FOLDERS, ())
    return {
        "schema": SCHEMA,
        "case": {
            "shellFile": case.shell_step.file,
            "caseSha256": run.case_sha256,
            "notRun": list(case.ignored),
        },
        "grid": {"points": plan["points"], "spectrum": plan["spectrum"]},
        "run": {
            "begin": text_of(case.shell.begin),
            "end": text_of(case.shell.end),
            "stepSeconds": plan["stepSeconds"],
            "steps": plan["steps"],
        },
        "resumable": plan["resumable"],
        "resumableReason": plan["reason"],
        "tables": tables,
        "files": files,
        "provenance": {
            "program": {
                "name": "WAVEWATCH III",
                "version": run.pack.version,
                "variant": run.pack.variant,
                "switches": switches_of(run.pack.programs[SHELL]),
                "packSha256": run.pack.digest,
                "packSource": run.pack.source,
            },
            "toolchainSha256": toolchain.sha256,
            "cpuClass": toolchain.cpu_class,
        },
    }


def _summary(report: dict[str, Any]) -> dict[str, Any]:
    """What the task tells of itself: the greatest wave height, its steps, and the last values at the first points."""
    points = [point for table in report["tables"] for point in table["points"]]
    heights = [
        p["ranges"]["significantWaveHeightMetres"]["greatest"]
        for p in points
        if "significantWaveHeightMetres" in p["ranges"]
    ] + ([] if report["highest"] is None else [report["highest"]["metres"]])
    return {
        "steps": report["run"]["steps"],
        "greatestWaveHeightMetres": max(heights, default=None),
        "resumable": report["resumable"],
        "points": [
            {"x": p["x"], "y": p["y"], **{name: r["last"] for name, r in p["ranges"].items()}}
            for p in points[:10]
        ],
        "warnings": [],
    }
