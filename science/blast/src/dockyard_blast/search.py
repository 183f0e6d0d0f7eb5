"""Searches the queries of one task and writes the three reports about them.

BLAST searches many queries in one pass over the database, which takes half of the time of single searches. The archive
of such a pass keeps the statistics of its first query alone, and no messages: reports made from it would show every
other query the first one's effective search space. So the same queries are searched once more in a database that has
nothing to find and claims the size of the real one, which takes a tenth of a second. That search says truly what does
not depend on hits: statistics, masks, messages. The reports take that from it, and the hits from the archive, which
also shows the masks of some queries on others.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_blast.database import Database
from dockyard_blast.fasta import Record, write_fasta
from dockyard_blast.programs import Deadline, Pack, check_run, run_program, too_large
from dockyard_session.errors import ScienceError
from dockyard_session.tool import Progress

HITS = "hits.tsv"
REPORT = "hits.json"
ALIGNMENTS = "alignments.txt"

#: BLAST keeps so many hits when nobody says how many.
DEFAULT_MAX_HITS = 500

# A summary holds 8 KiB.
_SHOWN_QUERIES = 20
_SHOWN_CHARACTERS = 60
# The volumes of the request lie in the same folder; no name of theirs begins with an underscore.
_FACTS = "_facts"
_NOTHING = "_nothing"
_NOTHING_FOUND = "No hits found"
_QUERY_ID = re.compile(r"\bQuery_(\d+)\b")
# A title is wrapped into lines without a blank one between them, so no title can look like the end of a section.
_SECTION = re.compile(r"\n\nQuery= .*?\n\nEffective search space used: \d+\n", re.DOTALL)
_STATISTICS = re.compile(r"\n\n(?:Lambda [^\n]*\n.*?)?\n*Effective search space used: \d+\n\Z", re.DOTALL)
_QUERY_LINE = re.compile(r"^(Query  (\d+) +)(\S+)( +\d+)$", re.MULTILINE)
_POSTED = re.compile(r"^ *Posted date:.*\n", re.MULTILINE)
# An archive holds some 6 kB for each query and hit beyond what the reports do; it is no output, only bounded.
_ARCHIVE_FACTOR = 8
_LEAST_ARCHIVE = 64 * 1024 * 1024


@dataclass(frozen=True)
class Settings:
    """What a request says of a search."""

    program: str
    task: str
    evalue: float | None
    max_hits: int
    threads: int
    max_output_bytes: int

    def arguments(self) -> list[str]:
        """The arguments that searches and reports share."""
        evalue = [] if self.evalue is None else ["-evalue", f"{self.evalue!r}"]
        return ["-task", self.task, *evalue, "-max_target_seqs", str(self.max_hits)]


@dataclass(frozen=True)
class Work:
    """Where and with what a task is done."""

    pack: Pack
    folder: Path
    deadline: Deadline
    progress: Progress


def search(
    records: list[Record], database: Database, settings: Settings, work: Work, out: Path
) -> dict[str, Any]:
    """Search `records`, whose numbers are those in the whole file, and write the reports; returns a summary."""
    write_fasta(Path(work.folder, "queries.fasta"), records)
    for volume in database.folder.iterdir():
        Path(work.folder, volume.name).symlink_to(volume)
    _run_search(database, settings, work)
    work.progress(80)
    facts = _search_nothing(database, settings, work, len(records))
    work.progress(85)
    rows = _format(work, 6, HITS, settings)
    hits = _write_hits(rows, out)
    found = _searches(_parsed(_format(work, 15, REPORT, settings)))
    work.progress(92)
    _write_report(found, facts, records, out)
    _write_alignments(_format(work, 0, ALIGNMENTS, settings), Path(work.folder, "facts.txt"), facts, out)
    size = sum(Path(out, name).stat().st_size for name in (HITS, REPORT, ALIGNMENTS))
    if size > settings.max_output_bytes:
        raise too_large(settings.max_output_bytes)
    return {
        "queries": len(records),
        "residues": sum(len(record.letters) for record in records),
        "hits": hits,
        "best": best_hits(Path(out, HITS)),
        "queriesWithHits": sum(1 for one in found if one["report"]["results"]["search"]["hits"]),
    }


def _run_search(database: Database, settings: Settings, work: Work) -> None:
    arguments = [
        *("-query", "queries.fasta", "-db", database.name, "-out", "archive.asn", "-outfmt", "11"),
        *("-num_threads", str(settings.threads), *settings.arguments()),
    ]
    bound = max(_LEAST_ARCHIVE, _ARCHIVE_FACTOR * settings.max_output_bytes)
    done = run_program(
        work.pack,
        settings.program,
        arguments,
        folder=work.folder,
        deadline=work.deadline,
        largest_file_bytes=bound,
    )
    if done.returncode != 0 and "File too large" in done.stderr:
        raise too_large(settings.max_output_bytes)
    check_run(done)


def _search_nothing(database: Database, settings: Settings, work: Work, count: int) -> list[dict[str, Any]]:
    """What BLAST says of the queries and the size of the database alone."""
    _claim_size(database, work)
    arguments = ["-query", "queries.fasta", "-db", _FACTS, *settings.arguments()]
    for form, name in (("15", "facts.json"), ("0", "facts.txt")):
        done = run_program(
            work.pack,
            settings.program,
            [*arguments, "-outfmt", form, "-out", name],
            folder=work.folder,
            deadline=work.deadline,
        )
        check_run(done)
    facts = _searches(_parsed(Path(work.folder, "facts.json")))
    if len(facts) != count or any(fact["report"]["results"]["search"]["hits"] for fact in facts):
        raise ScienceError("ENGINE_CRASHED", "BLAST did not report each query once.")
    return facts


def _claim_size(database: Database, work: Work) -> None:
    """A database of one letter, which no word of a query fits, with the number of letters of the real one."""
    Path(work.folder, "nothing.fasta").write_text(">nothing\nA\n", encoding="ascii")
    arguments = ["-in", "nothing.fasta", "-dbtype", database.molecule, "-out", _NOTHING]
    check_run(run_program(work.pack, "makeblastdb", arguments, folder=work.folder, deadline=work.deadline))
    lines = [
        "TITLE facts",
        f"DBLIST {_NOTHING}",
        *(f"{key} {database.sequences}" for key in ("NSEQ", "STATS_NSEQ")),
        *(f"{key} {database.letters}" for key in ("LENGTH", "STATS_TOTLEN")),
    ]
    alias = f"{_FACTS}.pal" if database.molecule == "prot" else f"{_FACTS}.nal"
    Path(work.folder, alias).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


def _format(work: Work, form: int, name: str, settings: Settings) -> Path:
    made = Path(work.folder, f"archive-{name}")
    arguments = ["-archive", "archive.asn", "-outfmt", str(form), "-out", made.name]
    done = run_program(
        work.pack,
        "blast_formatter",
        [*arguments, "-max_target_seqs", str(settings.max_hits)],
        folder=work.folder,
        deadline=work.deadline,
        largest_file_bytes=settings.max_output_bytes,
    )
    if done.returncode != 0 and made.exists() and made.stat().st_size >= settings.max_output_bytes:
        raise too_large(settings.max_output_bytes)
    check_run(done)
    return made


def _parsed(path: Path) -> dict[str, Any]:
    """A report of BLAST, which passes titles of the database on as they are, in whatever encoding."""
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    return value


def _searches(report: dict[str, Any]) -> list[dict[str, Any]]:
    reports: list[dict[str, Any]] = report["BlastOutput2"]
    return reports


def _write_hits(made: Path, out: Path) -> int:
    data = made.read_bytes()
    Path(out, HITS).write_bytes(data)
    return data.count(b"\n")


def best_hits(path: Path) -> list[dict[str, Any]]:
    """The best hit of each of the first queries that have any, for people who follow the job."""
    best: dict[str, dict[str, Any]] = {}
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if columns[0] in best:
                continue
            if len(best) == _SHOWN_QUERIES:
                break
            best[columns[0]] = {
                "query": columns[0][:_SHOWN_CHARACTERS],
                "subject": columns[1][:_SHOWN_CHARACTERS],
                "identityPercent": float(columns[2]),
                "length": int(columns[3]),
                "evalue": float(columns[10]),
                "bitScore": float(columns[11]),
            }
    return list(best.values())


def _write_report(
    found: list[dict[str, Any]], facts: list[dict[str, Any]], records: list[Record], out: Path
) -> None:
    """One line for each query, so that reports of several tasks are put together by their lines."""
    if len(found) != len(records):
        raise ScienceError("ENGINE_CRASHED", "BLAST did not report each query once.")
    lines = [
        json.dumps(_joined(one, fact, record.number), ensure_ascii=False, separators=(",", ":"))
        for one, fact, record in zip(found, facts, records, strict=True)
    ]
    Path(out, REPORT).write_text(wrap_reports(lines), encoding="utf-8")


def wrap_reports(lines: list[str]) -> str:
    """The report of several queries, one on each line."""
    return '{"BlastOutput2":[\n' + ",\n".join(lines) + "\n]}\n"


def _joined(one: dict[str, Any], fact: dict[str, Any], number: int) -> dict[str, Any]:
    hits = one["report"]["results"]["search"]["hits"]
    said = fact["report"]["results"]["search"]
    masks = _masks(fact)
    for hsp in (hsp for hit in hits for hsp in hit["hsps"]):
        # In this report, unlike in the alignments, BLAST marks no mask that begins before the stretch that it shows.
        inside = [mask for mask in masks if mask[0] >= hsp["query_from"]]
        hsp["qseq"] = _masked(hsp["qseq"], hsp["query_from"], inside)
    message: str = said["message"]
    if hits:
        message = message.removesuffix(_NOTHING_FOUND).removesuffix(" ")
    message = _QUERY_ID.sub(f"Query_{number}", message)
    search = {**said, "query_id": f"Query_{number}", "hits": hits, "message": message}
    if not message:
        del search["message"]
    return {"report": {**one["report"], "results": {"search": search}}}


def _masks(fact: dict[str, Any]) -> list[tuple[int, int]]:
    """The masked stretches of a query, both ends included; BLAST counts these from 0 and alignments from 1."""
    masking: list[dict[str, int]] = fact["report"]["results"]["search"].get("query_masking", [])
    return [(stretch["from"] + 1, stretch["to"] + 1) for stretch in masking]


def _masked(letters: str, first: int, masks: list[tuple[int, int]]) -> str:
    """The letters of a query from `first` on, with gaps, in small letters where the query is masked."""
    upper = letters.upper()
    last = first + len(letters)
    near = [(begin, end) for begin, end in masks if begin <= last and end >= first]
    if not near:
        return upper
    shown, at = [], first
    for letter in upper:
        is_masked = letter != "-" and any(begin <= at <= end for begin, end in near)
        shown.append(letter.lower() if is_masked else letter)
        at += letter != "-"
    return "".join(shown)


def _write_alignments(made: Path, facts: Path, said: list[dict[str, Any]], out: Path) -> None:
    """The sections of the archive, each with statistics and masks of its own query; head and foot stand once."""
    count = len(said)
    text = made.read_text(encoding="utf-8", errors="replace")
    sections = [match.group() for match in _SECTION.finditer(text)]
    own = [match.group() for match in _SECTION.finditer(facts.read_text(encoding="utf-8", errors="replace"))]
    if len(sections) != count or len(own) != count:
        raise ScienceError("ENGINE_CRASHED", "BLAST did not show each query once.")
    first, last = next(_SECTION.finditer(text)), list(_SECTION.finditer(text))[-1]
    with Path(out, ALIGNMENTS).open("w", encoding="utf-8", newline="\n") as file:
        file.write(text[: first.start()])
        for section, shown, fact in zip(sections, own, said, strict=True):
            file.write(_with_own_masks(_with_own_statistics(section, shown), _masks(fact)))
        file.write(_POSTED.sub("", text[last.end() :]))


def _with_own_masks(section: str, masks: list[tuple[int, int]]) -> str:
    def shown(line: re.Match[str]) -> str:
        return line[1] + _masked(line[3], int(line[2]), masks) + line[4]

    return _QUERY_LINE.sub(shown, section)


def _with_own_statistics(section: str, said: str) -> str:
    shown, own = _STATISTICS.search(section), _STATISTICS.search(said)
    if shown is None or own is None:
        raise ScienceError("ENGINE_CRASHED", "BLAST showed a query without its statistics.")
    return section[: shown.start()] + own.group()


def head_and_foot(text: str) -> tuple[int, int]:
    """Where the sections of an alignments file begin and end."""
    spans = [match.span() for match in _SECTION.finditer(text)]
    return spans[0][0], spans[-1][1]
