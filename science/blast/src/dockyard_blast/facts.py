"""What BLAST says of each query apart from its hits: statistics, masks, messages.

BLAST searches many queries in one pass over the database, and the archive of such a pass keeps the statistics of its
first query alone, and no messages: reports made from the archive would show every other query the first one's effective
search space. So all queries are searched in a database that has nothing to find and claims the size of the real one.
That search says truly what does not depend on hits. The preparation makes it for the whole job, because starting the
programs takes longer than such a search of some queries does, and each task reads what concerns its own queries.
"""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dockyard_blast.database import Database
from dockyard_blast.fasta import Record, write_fasta
from dockyard_blast.programs import check_run, run_program
from dockyard_blast.work import Settings, Work
from dockyard_session.errors import ScienceError

#: The facts of all queries, a line of JSON for each.
FACTS = "facts.jsonl"

#: A query in an alignments file. A title is wrapped into lines without a blank one between them, so no title can look
#: like the end of a section.
SECTION = re.compile(r"\n\nQuery= .*?\n\nEffective search space used: \d+\n", re.DOTALL)
_STATISTICS = re.compile(r"\n\n(?:Lambda [^\n]*\n.*?)?\n*Effective search space used: \d+\n\Z", re.DOTALL)

_SIGNS = re.compile(r"[^A-Za-z0-9]+")
# BLAST's own title of a query of which it leaves nothing of the title.
_UNTITLED = "No definition line"

_ALIAS = "_facts"
_NOTHING = "_nothing"
# The reports of so many queries are held in memory at once.
_AT_ONCE = 5000


@dataclass(frozen=True)
class Fact:
    """The facts of one query.

    `search` is the query's report in JSON, without a hit; `statistics` is the end of the query's alignments.
    """

    search: dict[str, Any]
    statistics: str


def write_facts(
    records: Sequence[Record], database: Database, settings: Settings, work: Work, path: Path
) -> None:
    """Write the facts of all queries for searches in `database`, of which only type and size count."""
    _claim_size(database, work)
    with path.open("w", encoding="ascii", newline="\n") as file:
        for first in range(0, len(records), _AT_ONCE):
            for fact in _judged(records[first : first + _AT_ONCE], settings, work):
                line = None if fact is None else {"search": fact.search, "statistics": fact.statistics}
                file.write(json.dumps(line, separators=(",", ":")) + "\n")


def read_facts(path: Path, records: Sequence[Record]) -> list[Fact]:
    """The facts of records that follow each other, by their numbers in the whole file.

    Raises ENGINE_CRASHED for a query that BLAST could not judge, and for lines that are no facts of these queries.
    """
    first = records[0].number - 1
    with path.open("rb") as file:
        lines = list(itertools.islice(file, first, first + len(records)))
    if len(lines) != len(records):
        raise ScienceError("ENGINE_CRASHED", "The preparation has left no facts of these queries.")
    return [_fact_of(line, record) for line, record in zip(lines, records, strict=True)]


def searches_of(path: Path) -> list[dict[str, Any]]:
    """The reports in a file of `-outfmt 15`; BLAST passes titles of the database on in whatever encoding."""
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    reports: list[dict[str, Any]] = value["BlastOutput2"]
    return [one["report"] for one in reports]


def _fact_of(line: bytes, record: Record) -> Fact:
    """The facts in a line. An instance that lied prepared the job, so the line may be anything."""
    try:
        value = json.loads(line.decode("ascii"))
    except (ValueError, RecursionError):
        value = {}
    if value is None:
        message = f"BLAST cannot judge query {record.number}; it may have no letter that can be searched."
        raise ScienceError("ENGINE_CRASHED", message)
    if not _is_fact(value) or not _is_about(value["search"], record):
        message = f"The preparation has left no facts of query {record.number}."
        raise ScienceError("ENGINE_CRASHED", message)
    return Fact(**value)


def _is_fact(value: Any) -> bool:
    if not isinstance(value, dict) or value.keys() != {"search", "statistics"}:
        return False
    search, statistics = value["search"], value["statistics"]
    return (
        isinstance(search, dict)
        and search.get("hits") == []
        and isinstance(search.get("stat"), dict)
        and isinstance(search.get("message"), str)
        and _are_masks(search.get("query_masking", []))
        and isinstance(statistics, str)
        and _STATISTICS.fullmatch(statistics) is not None
    )


def _are_masks(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(stretch, dict) and all(type(stretch.get(end)) is int for end in ("from", "to"))
        for stretch in value
    )


def _is_about(search: dict[str, Any], record: Record) -> bool:
    title = search.get("query_title", "")
    if search.get("query_len") != len(record.letters) or not isinstance(title, str):
        return False
    # BLAST joins blanks, and leaves signs at the end of a title out, so only letters and digits are compared.
    said, asked = (_SIGNS.sub("", text) for text in (title, record.title))
    return title == _UNTITLED or asked.startswith(said)


def _judged(records: Sequence[Record], settings: Settings, work: Work) -> list[Fact | None]:
    """The facts of each query; None for a query that BLAST cannot judge, so that the others are searched."""
    try:
        return list(_facts_of(records, settings, work))
    except ScienceError as error:
        if error.code != "ENGINE_CRASHED":
            raise
    if len(records) == 1:
        return [None]
    middle = len(records) // 2
    halves = (records[:middle], records[middle:])
    return [fact for half in halves for fact in _judged(half, settings, work)]


def _facts_of(records: Sequence[Record], settings: Settings, work: Work) -> Iterator[Fact]:
    write_fasta(Path(work.folder, "queries.fasta"), records)
    arguments = ["-query", "queries.fasta", "-db", _ALIAS, *settings.arguments()]
    for form, name in (("15", "facts.json"), ("0", "facts.txt")):
        done = run_program(
            work.pack,
            settings.program,
            [*arguments, "-outfmt", form, "-out", name],
            folder=work.folder,
            deadline=work.deadline,
        )
        check_run(done)
    # BLAST leaves the list of hits out where no query of a search can be judged, such as a query of X alone.
    said = [
        {"hits": [], **report["results"]["search"]} for report in searches_of(Path(work.folder, "facts.json"))
    ]
    shown = Path(work.folder, "facts.txt").read_text(encoding="utf-8", errors="replace")
    statistics = [statistics_of(section.group()) for section in SECTION.finditer(shown)]
    if {len(said), len(statistics)} != {len(records)} or any(search["hits"] for search in said):
        raise ScienceError("ENGINE_CRASHED", "BLAST did not report each query once.")
    return map(Fact, said, statistics)


def statistics_of(section: str) -> str:
    """The end of a section, which shows the statistics of its query."""
    shown = _STATISTICS.search(section)
    if shown is None:
        raise ScienceError("ENGINE_CRASHED", "BLAST showed a query without its statistics.")
    return shown.group()


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
    alias = f"{_ALIAS}.pal" if database.molecule == "prot" else f"{_ALIAS}.nal"
    Path(work.folder, alias).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
