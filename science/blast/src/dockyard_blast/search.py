"""Searches the queries of one task and writes the three reports about them.

BLAST searches many queries in one pass over the database, which takes half of the time of single searches. The hits of
the reports are those of the archive of this pass. Statistics, masks and messages are not: the archive has those of its
first query alone, and shows the masks of some queries on others. The reports take them from the facts of each query
(`facts`).
"""

import json
import re
from pathlib import Path
from typing import Any

from dockyard_blast.database import Database
from dockyard_blast.facts import SECTION, Fact, searches_of, statistics_of
from dockyard_blast.fasta import Record, write_fasta
from dockyard_blast.programs import check_run, run_program, too_large
from dockyard_blast.titles import (
    Letters,
    letters_of,
    restore_hits,
    restore_rows,
    restore_section,
    restored,
)
from dockyard_blast.work import Settings, Work
from dockyard_session.errors import ScienceError

HITS = "hits.tsv"
REPORT = "hits.json"
ALIGNMENTS = "alignments.txt"

#: BLAST keeps so many hits when nobody says how many.
DEFAULT_MAX_HITS = 500

# A summary holds 8 KiB.
_SHOWN_QUERIES = 20
_SHOWN_CHARACTERS = 60
_NOTHING_FOUND = "No hits found"
_QUERY_ID = re.compile(r"\bQuery_(\d+)\b")
_QUERY_LINE = re.compile(r"^(Query  (\d+) +)(\S+)( +\d+)$", re.MULTILINE)
_POSTED = re.compile(r"^ *Posted date:.*\n", re.MULTILINE)
# An archive holds some 6 kB for each query and hit beyond what the reports do; it is no output, only bounded.
_ARCHIVE_FACTOR = 8
_LEAST_ARCHIVE = 64 * 1024 * 1024


def search(
    records: list[Record],
    facts: list[Fact],
    *,
    database: Database,
    settings: Settings,
    work: Work,
    out: Path,
) -> dict[str, Any]:
    """Search `records`, whose numbers are those in the whole file, and write the reports; returns a summary."""
    write_fasta(Path(work.folder, "queries.fasta"), records)
    for volume in database.folder.iterdir():
        Path(work.folder, volume.name).symlink_to(volume)
    _run_search(database, settings, work)
    work.progress(80)
    found = searches_of(_format(work, 15, REPORT, settings))
    queries = [letters_of(record.title.encode()) for record in records]
    letters = restore_hits(found, database.titles())
    work.progress(87)
    rows = _format(work, 6, HITS, settings).read_text(encoding="utf-8", errors="replace")
    Path(out, HITS).write_text(restore_rows(rows, found, queries, letters), encoding="utf-8", newline="\n")
    work.progress(92)
    _write_report(found, facts, records, out)
    _write_alignments(
        _format(work, 0, ALIGNMENTS, settings), facts, list(zip(queries, letters, strict=True)), out
    )
    size = sum(Path(out, name).stat().st_size for name in (HITS, REPORT, ALIGNMENTS))
    if size > settings.max_output_bytes:
        raise too_large(settings.max_output_bytes)
    return {
        "queries": len(records),
        "residues": sum(len(record.letters) for record in records),
        "hits": rows.count("\n"),
        "best": best_hits(Path(out, HITS)),
        "queriesWithHits": sum(1 for report in found if report["results"]["search"].get("hits")),
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


def _write_report(found: list[dict[str, Any]], facts: list[Fact], records: list[Record], out: Path) -> None:
    """One line for each query, so that reports of several tasks are put together by their lines."""
    if len(found) != len(records):
        raise ScienceError("ENGINE_CRASHED", "BLAST did not report each query once.")
    lines = [
        json.dumps(_joined(report, fact, record), ensure_ascii=False, separators=(",", ":"))
        for report, fact, record in zip(found, facts, records, strict=True)
    ]
    Path(out, REPORT).write_text(wrap_reports(lines), encoding="utf-8")


def wrap_reports(lines: list[str]) -> str:
    """The report of several queries, one on each line."""
    return '{"BlastOutput2":[\n' + ",\n".join(lines) + "\n]}\n"


def _joined(report: dict[str, Any], fact: Fact, record: Record) -> dict[str, Any]:
    # BLAST leaves the list out where no query of the search can be judged.
    hits = report["results"]["search"].get("hits", [])
    masks = _masks(fact)
    for hsp in (hsp for hit in hits for hsp in hit["hsps"]):
        # In this report, unlike in the alignments, BLAST marks no mask that begins before the stretch that it shows.
        inside = [mask for mask in masks if mask[0] >= hsp["query_from"]]
        hsp["qseq"] = _masked(hsp["qseq"], hsp["query_from"], inside)
    message: str = fact.search["message"]
    if hits:
        message = message.removesuffix(_NOTHING_FOUND).removesuffix(" ")
    message = _QUERY_ID.sub(f"Query_{record.number}", message)
    search = {**fact.search, "query_id": f"Query_{record.number}", "hits": hits, "message": message}
    if "query_title" in search:
        search["query_title"] = restored(search["query_title"], letters_of(record.title.encode()))
    if not message:
        del search["message"]
    return {"report": {**report, "results": {"search": search}}}


def _masks(fact: Fact) -> list[tuple[int, int]]:
    """The masked stretches of a query, both ends included; BLAST counts these from 0 and alignments from 1."""
    masking: list[dict[str, int]] = fact.search.get("query_masking", [])
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


def _write_alignments(
    made: Path, facts: list[Fact], letters: list[tuple[Letters, list[Letters]]], out: Path
) -> None:
    """The sections of the archive, each with statistics and masks of its own query; head and foot stand once."""
    text = made.read_text(encoding="utf-8", errors="replace")
    sections = list(SECTION.finditer(text))
    if len(sections) != len(facts):
        raise ScienceError("ENGINE_CRASHED", "BLAST did not show each query once.")
    with Path(out, ALIGNMENTS).open("w", encoding="utf-8", newline="\n") as file:
        file.write(text[: sections[0].start()])
        for section, fact, (query, hits) in zip(sections, facts, letters, strict=True):
            own = _with_own_masks(_with_own_statistics(section.group(), fact), _masks(fact))
            file.write(restore_section(own, query, hits))
        file.write(_POSTED.sub("", text[sections[-1].end() :]))


def _with_own_masks(section: str, masks: list[tuple[int, int]]) -> str:
    def shown(line: re.Match[str]) -> str:
        return line[1] + _masked(line[3], int(line[2]), masks) + line[4]

    return _QUERY_LINE.sub(shown, section)


def _with_own_statistics(section: str, fact: Fact) -> str:
    return section.removesuffix(statistics_of(section)) + fact.statistics


def head_and_foot(text: str) -> tuple[int, int]:
    """Where the sections of an alignments file begin and end."""
    spans = [match.span() for match in SECTION.finditer(text)]
    return spans[0][0], spans[-1][1]
