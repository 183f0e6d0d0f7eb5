"""The session of blastp and blastn: it prepares queries and database, searches a part of the queries, and merges.

A session keeps the database unpacked for its tasks. A prepared database that an earlier job made of the same files is
taken as it is, so makeblastdb runs once for each database.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dockyard_blast.database import (
    VOLUMES,
    Database,
    make_database,
    pack_volumes,
    read_database,
    unpack_volumes,
    write_database,
)
from dockyard_blast.facts import FACTS, read_facts, write_facts
from dockyard_blast.fasta import Molecule, Record, read_queries
from dockyard_blast.merge import merge_reports
from dockyard_blast.programs import Deadline, Pack, current_pack
from dockyard_blast.queries import CLEANED, PARTS, read_part, write_queries
from dockyard_blast.search import ALIGNMENTS, DEFAULT_MAX_HITS, HITS, REPORT, search
from dockyard_blast.work import Settings, Work
from dockyard_session.canonical import write_json
from dockyard_session.errors import ScienceError
from dockyard_session.protocol import TaskRequest
from dockyard_session.tool import Output, Progress, Reporter, TaskResult

DATABASE = "database.json"
SUMMARY = "search.json"

#: The time that preparation and merging may take; the time of a search stands in the request.
_STEP_SECONDS = 3600.0
_DEFAULT_SECONDS = 3600.0
_DEFAULT_OUTPUT_BYTES = 64 * 1024 * 1024
_REPORTS: tuple[tuple[str, str, str, str], ...] = (
    (HITS, "hits", "text/tab-separated-values", "tsv"),
    (REPORT, "hits_report", "application/json", "json"),
    (ALIGNMENTS, "alignments", "text/plain", "txt"),
)


def open_session(spec: dict[str, Any]) -> "SearchTool":
    """Open the session of one job."""
    return SearchTool(spec)


class SearchTool:
    """Does the tasks of one job."""

    def __init__(self, spec: dict[str, Any]) -> None:
        """Take what all tasks share."""
        self._spec = spec
        self._molecule: Molecule = "prot" if spec["program"] == "blastp" else "nucl"
        self._pack: Pack = current_pack()
        self._database: Database | None = None
        self._settings = Settings(
            program=spec["program"],
            task=spec["task"],
            evalue=spec.get("evalue"),
            max_hits=spec.get("maxHits") or DEFAULT_MAX_HITS,
            threads=spec.get("threads") or 1,
            max_output_bytes=spec.get("maxOutputBytes") or _DEFAULT_OUTPUT_BYTES,
        )

    def run(self, task: TaskRequest, reporter: Reporter) -> TaskResult:
        """Do one task or step below the task's `out` folder."""
        task.out.mkdir(parents=True, exist_ok=True)
        if task.kind == "prepare":
            return self._prepare(task, reporter.progress)
        if task.kind == "merge":
            return self._merge(task, reporter.progress)
        return self._search(task, reporter.progress)

    def forget(self) -> None:
        """Drop the unpacked database."""
        if self._database is not None:
            shutil.rmtree(self._database.folder, ignore_errors=True)
            self._database = None

    def _prepare(self, task: TaskRequest, progress: Progress) -> TaskResult:
        deadline = Deadline(_STEP_SECONDS)
        queries = read_queries(task.inputs["queries"], self._molecule)
        bounds = write_queries(queries, self._molecule, self._spec["taskCount"], task.out)
        progress(20)
        database = self._prepare_database(task, deadline)
        progress(60)
        work = Work(self._pack, Path(task.folder, "facts"), deadline, progress)
        self._write_facts(queries.records, database, work, Path(task.out, FACTS))
        progress(100)
        outputs = [
            _output(CLEANED, "queries", "text/x-fasta", "fasta"),
            _output(PARTS, "query_parts", "application/json", "json"),
            _output(FACTS, "query_facts", "application/x-ndjson", "jsonl"),
            _output(VOLUMES, "database_volumes", "application/x-tar", "tar"),
            _output(DATABASE, "database_facts", "application/json", "json"),
        ]
        summary = {
            "queries": len(queries.records),
            "residues": sum(len(record.letters) for record in queries.records),
            "tasks": len(bounds),
            "database": database.facts(),
            "databaseReused": bool(task.spec["cached"]),
            "cacheKey": self._spec["database"]["cacheKey"],
            "warnings": [
                {"code": code, "message": message}
                for code, message in (*queries.warnings, *database.warnings)
            ],
        }
        return outputs, summary

    def _write_facts(self, records: Sequence[Record], database: Database, work: Work, path: Path) -> None:
        work.folder.mkdir()
        write_facts(records, database, self._settings, work, path)
        shutil.rmtree(work.folder, ignore_errors=True)

    def _prepare_database(self, task: TaskRequest, deadline: Deadline) -> Database:
        if task.spec["cached"]:
            for name in (VOLUMES, DATABASE):
                shutil.copyfile(task.inputs[f"cached/{name}"], Path(task.out, name))
            return read_database(Path(task.out, DATABASE), task.out)
        wanted = self._spec["database"]
        files = {name: task.inputs[source] for name, source in wanted["files"].items()}
        folder = Path(task.folder, "volumes")
        if set(files) == {VOLUMES}:
            unpacked = Path(task.folder, "unpacked")
            unpack_volumes(files[VOLUMES], unpacked)
            files = {path.name: path for path in unpacked.iterdir()}
        database = make_database(files, wanted, pack=self._pack, folder=folder, deadline=deadline)
        pack_volumes(database, Path(task.out, VOLUMES))
        write_database(Path(task.out, DATABASE), database)
        return database

    def _search(self, task: TaskRequest, progress: Progress) -> TaskResult:
        deadline = Deadline(self._spec.get("timeoutSeconds") or _DEFAULT_SECONDS)
        database = self._open_database(task)
        prefix = task.spec["prefix"]
        out, folder = Path(task.out, prefix), Path(task.folder, "work")
        for made in (out, folder):
            made.mkdir(parents=True, exist_ok=True)
        records = read_part(
            task.inputs[f"prepared/{CLEANED}"], task.inputs[f"prepared/{PARTS}"], task.spec["ordinal"]
        )
        work = Work(self._pack, folder, deadline, progress)
        facts = read_facts(task.inputs[f"prepared/{FACTS}"], records)
        summary = search(records, facts, database=database, settings=self._settings, work=work, out=out)
        numbers = {"firstQuery": records[0].number, **summary}
        counts = {name: value for name, value in numbers.items() if name != "best"}
        self._write_summary(Path(out, SUMMARY), database.facts(), [counts], [])
        shutil.rmtree(folder, ignore_errors=True)
        progress(100)
        return _outputs(prefix), numbers

    def _merge(self, task: TaskRequest, progress: Progress) -> TaskResult:
        verified: list[int] = task.spec["verified"]
        folders = []
        for ordinal in verified:
            # Inputs are files by name; the merger reads them by their folder.
            folder = Path(task.folder, "parts", str(ordinal))
            folder.mkdir(parents=True)
            for name in (HITS, REPORT, ALIGNMENTS, SUMMARY):
                source = task.inputs[f"outputs/{ordinal}/{task.spec['prefixes'][str(ordinal)]}{name}"]
                Path(folder, name).symlink_to(source)
            folders.append(folder)
        merge_reports(folders, task.out)
        if (
            max(Path(task.out, name).stat().st_size for name in (HITS, REPORT, ALIGNMENTS))
            > _DEFAULT_OUTPUT_BYTES
        ):
            message = "The merged reports are larger than 64 MiB; the reports of each task are there."
            raise ScienceError("OUTPUT_TOO_LARGE", message)
        progress(80)
        parts = [
            json.loads(Path(folder, SUMMARY).read_text(encoding="utf-8"))["parts"][0] for folder in folders
        ]
        facts = json.loads(Path(folders[0], SUMMARY).read_text(encoding="utf-8"))["database"]
        missing = [ordinal for ordinal in range(self._spec["taskCount"]) if ordinal not in set(verified)]
        self._write_summary(Path(task.out, SUMMARY), facts, parts, missing)
        progress(100)
        names = ("queries", "residues", "hits", "queriesWithHits")
        return _outputs(""), {name: sum(part[name] for part in parts) for name in names}

    def _write_summary(
        self, path: Path, database: dict[str, Any], parts: list[dict[str, Any]], missing: list[int]
    ) -> None:
        """What was searched with what, so that a result explains itself."""
        settings = self._settings
        # A database that is taken again for the same files has the version and date of this request.
        wanted = self._spec["database"]
        said = {name: wanted[name] for name in ("version", "date") if wanted.get(name) is not None}
        value = {
            "schema": "dockyard.blast.search/v1",
            "program": settings.program,
            "task": settings.task,
            "evalue": settings.evalue,
            "maxHits": settings.max_hits,
            "engine": {**self._pack.provenance(), "toolchainSha256": self._spec["toolchainSha256"]},
            "database": {**database, **said},
            "queriesSha256": self._spec["queriesSha256"],
            "parts": parts,
            "missingTasks": missing,
        }
        write_json(path, value)

    def _open_database(self, task: TaskRequest) -> Database:
        """The database of the job, unpacked once for all tasks of this session."""
        if self._database is None:
            folder = Path(task.folder.parent, "database")
            shutil.rmtree(folder, ignore_errors=True)
            unpack_volumes(task.inputs[f"prepared/{VOLUMES}"], folder)
            self._database = read_database(task.inputs[f"prepared/{DATABASE}"], folder)
        return self._database


def _outputs(prefix: str) -> list[Output]:
    reports = [_output(f"{prefix}{name}", kind, media, form) for name, kind, media, form in _REPORTS]
    return [*reports, _output(f"{prefix}{SUMMARY}", "search_summary", "application/json", "json")]


def _output(path: str, kind: str, media_type: str, form: str) -> Output:
    return Output(path=path, kind=kind, mediaType=media_type, format=form)
