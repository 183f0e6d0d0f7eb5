"""The session of SWAN: its preparation checks and proves the cases of a job, and each task runs one of them."""

import json
from pathlib import Path
from typing import Any, cast

from dockyard_session.canonical import sha256_hex, write_json
from dockyard_session.protocol import TaskRequest, fit_summary
from dockyard_session.tool import Output, Reporter, TaskResult, TaskWarning
from dockyard_session.toolchain import toolchain_of
from dockyard_swan.case import Case
from dockyard_swan.prepare import Bounds, find_case, prepare
from dockyard_swan.prove import allowed_cuts
from dockyard_swan.ranges import fields_of, tables_of
from dockyard_swan.resume import LOG, Run, convergence_of
from dockyard_swan.spec import SwanSpec
from dockyard_swan.times import text_of
from dockyard_waves.outputs import gather, output_of
from dockyard_waves.pieces import Note, Span, run_pieces, taken_up
from dockyard_waves.program import installed_pack
from dockyard_waves.spec import TaskSpec
from dockyard_waves.tool import PLAN, SUMMARY, WavesTool, plan_summary

#: The format of summary.json; one with another meaning gets another name.
SCHEMA = "dockyard.swan.result/v1"

#: The most files that a warning names.
_MOST_NAMED = 5
_FOLDERS = ("session", "waves", "swan")


def open_session(spec: dict[str, Any]) -> "SwanTool":
    """The tool of one session."""
    return SwanTool(cast("SwanSpec", spec))


class SwanTool(WavesTool[SwanSpec]):
    """Does the preparation and the tasks of a job."""

    def _prepare(self, task: TaskRequest, work: Path, names: list[str], reporter: Reporter) -> TaskResult:
        count = self._spec["taskCount"]
        found = [find_case(work / "case", names, self._spec["commandFile"], index) for index in range(count)]
        bounds = Bounds(self._spec["mostNumbers"], self._spec["secondsPerNumber"])
        plans = prepare(found, bounds, installed_pack(), work / "scratch", reporter.progress)
        write_json(task.out / PLAN, {"cases": plans})
        outputs = [Output(path=PLAN, kind="plan", mediaType="application/json", format="json")]
        return outputs, fit_summary(plan_summary(plans))

    def _run(self, task: TaskRequest, work: Path, names: list[str], reporter: Reporter) -> TaskResult:
        spec = cast("TaskSpec", task.spec)
        found = find_case(work / "case", names, self._spec["commandFile"], spec["index"])
        plan = json.loads(task.inputs[f"prepared/{PLAN}"].read_bytes())["cases"][spec["index"]]
        pack, last = installed_pack(), found.case.computes[-1]
        run = Run(
            case=found.case,
            root=found.root,
            pack=pack,
            out=task.out,
            folder=spec["folder"],
            scratch=work / "scratch",
            span=Span(
                begin=last.begin or 0,
                end=last.end,
                step=last.step,
                cuts=allowed_cuts(found.case, found.root) if plan["resumable"] else [],
                piece_seconds=self._spec["pieceSeconds"],
                step_seconds=plan["secondsPerStep"],
                leg_until=task.leg_until,
            ),
            case_sha256=sha256_hex("\n".join(found.case.file.lines).encode("latin-1")),
        )
        note = run_pieces(run, taken_up(run, task.inputs), reporter)
        warnings = [*_warnings(note), *_missing(run)]
        report = _report(found.case, plan, note, run, warnings)
        write_json(task.out / f"{spec['folder']}{SUMMARY}", report)
        always = [output_of(f"{spec['folder']}{SUMMARY}", "summary")]
        outputs = gather(
            task.out, spec["folder"], [(name, _kind(run, name)) for name in run.result_files()], always
        )
        reporter.progress(100)
        return outputs, fit_summary(_summary(report, warnings))


def _kind(run: Run, name: str) -> str:
    for written in run.case.writes:
        if f"{run.folder}{written.path}" == name:
            return written.kind
    return "log"


def _warnings(note: Note) -> list[TaskWarning]:
    found = convergence_of(note)
    if not found.steps_short:
        return []
    short = (
        f"{found.steps_short} of {found.steps} steps ended" if found.steps > 1 else "The computation ended"
    )
    message = (
        f"{short} before SWAN's iterations had converged: at the end {found.accurate:g} % of the points are accurate,"
        f" and {found.required:g} % are required by NUM."
    )
    return [{"code": "NOT_CONVERGED", "message": message}]


def _missing(run: Run) -> list[TaskWarning]:
    """What the case asks for and SWAN has not written, as where its times lie behind the end."""
    written = {name.removeprefix(run.folder) for name in run.result_files()}
    asked = dict.fromkeys(f"'{each.path}'" for each in run.case.writes if each.path not in written)
    if not asked:
        return []
    named = ", ".join(list(asked)[:_MOST_NAMED]) + (" and more" if len(asked) > _MOST_NAMED else "")
    return [{"code": "OUTPUT_NOT_WRITTEN", "message": f"SWAN wrote no {named}."}]


def _report(
    case: Case, plan: dict[str, Any], note: Note, run: Run, warnings: list[TaskWarning]
) -> dict[str, Any]:
    """summary.json; it has no host, path or time of a run, so that equal input gives equal bytes."""
    toolchain = toolchain_of(_FOLDERS, ())
    whole = run.out / run.folder
    return {
        "schema": SCHEMA,
        "case": {
            "commandFile": case.file.name,
            "commandFileSha256": run.case_sha256,
            "isNonstationary": case.is_nonstationary,
            "isSpherical": case.is_spherical,
        },
        "grid": {name: plan[name] for name in ("grid", "points", "directions", "frequencies")},
        "computations": [
            {
                "isStationary": one.is_stationary,
                "begin": None if one.begin is None else text_of(one.begin),
                "end": None if one.end is None else text_of(one.end),
                "stepSeconds": one.step or None,
                "steps": one.steps,
            }
            for one in case.computes
        ],
        "convergence": {
            "accuratePercent": convergence_of(note).accurate,
            "requiredPercent": convergence_of(note).required,
            "stepsNotConverged": convergence_of(note).steps_short,
        },
        "resumable": plan["resumable"],
        "resumableReason": plan["reason"],
        "tables": tables_of(case, run.root, whole),
        "fields": fields_of(case, whole),
        "files": [name.removeprefix(run.folder) for name in run.result_files() if name != run.folder + LOG],
        "warnings": list(warnings),
        "provenance": {
            "program": {
                "name": "SWAN",
                "version": run.pack.version,
                "variant": run.pack.variant,
                "packSha256": run.pack.digest,
                "packSource": run.pack.source,
            },
            "toolchainSha256": toolchain.sha256,
            "cpuClass": toolchain.cpu_class,
        },
    }


def _summary(report: dict[str, Any], warnings: list[TaskWarning]) -> dict[str, Any]:
    """What the task tells of itself: the greatest wave height, its steps, and the last values at the first points."""
    heights = [
        each["ranges"]["significantWaveHeightMetres"]["greatest"]
        for each in [*report["tables"], *report["fields"]]
        if "significantWaveHeightMetres" in each["ranges"]
    ]
    known = [height for height in heights if height is not None]
    return {
        "steps": sum(one["steps"] for one in report["computations"]),
        "greatestWaveHeightMetres": max(known, default=None),
        "accuratePercent": report["convergence"]["accuratePercent"],
        "resumable": report["resumable"],
        "points": _first_points(report["tables"])[:10],
        "warnings": list(warnings),
    }


def _first_points(tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The last values at the points of all tables, those of the shortest first; a point may be in several."""
    points: dict[tuple[float, float | None], dict[str, Any]] = {}
    for table in sorted(tables, key=lambda table: len(table["points"])):
        for p in table["points"]:
            point = points.setdefault((p["x"], p["y"]), {"x": p["x"], "y": p["y"]})
            point |= {name: each["last"] for name, each in p["ranges"].items() if name not in point}
    return list(points.values())
