import json

import pytest

from dockyard_blast import facts
from dockyard_blast.facts import read_facts, statistics_of
from dockyard_blast.fasta import Record
from dockyard_session.errors import ScienceError

END = "\n\nLambda      K        H\n   0.3    0.1    0.4 \n\n\nEffective search space used: 7\n"


def records(first, count):
    return [Record(first + index, 0, f"q{first + index}", "MKV") for index in range(count)]


def facts_file(tmp_path, count):
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(f"{json.dumps(fact(at + 1))}\n" for at in range(count)))
    return path


def fact(number, **changed):
    search = {"query_id": "Query_1", "query_title": f"q{number}", "query_len": 3, "hits": [], "stat": {}}
    return {
        "search": {**search, "message": "No hits found", **changed},
        "statistics": f"\n\nEffective search space used: {number}\n",
    }


def test_a_task_reads_the_facts_of_its_own_queries(tmp_path):
    path = facts_file(tmp_path, 7)
    found = read_facts(path, records(3, 2))
    assert [(one.search["query_title"], one.statistics.split()[-1]) for one in found] == [
        ("q3", "3"),
        ("q4", "4"),
    ]
    assert (
        read_facts(facts_file(tmp_path, 2), [Record(1, 0, "q1,  ", "MKV")])[0].search["query_title"] == "q1"
    )


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "1",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        "\u00e9",
        json.dumps(fact(2)),
        json.dumps(fact(1, query_len=4)),
        json.dumps(fact(1, query_title=1)),
        json.dumps(fact(1, hits=[{}])),
        json.dumps(fact(1, message=None)),
        json.dumps(fact(1, query_masking=[{"from": "1", "to": 2}])),
        json.dumps({**fact(1), "statistics": ""}),
        json.dumps({**fact(1), "more": 1}),
    ],
)
def test_lines_that_are_no_facts_of_a_query_fail_its_task_with_a_code(tmp_path, line):
    path = tmp_path / "facts.jsonl"
    path.write_text(f"{line}\n{json.dumps(fact(2))}\n", encoding="utf-8")
    with pytest.raises(ScienceError) as caught:
        read_facts(path, records(1, 1))
    assert caught.value.code == "ENGINE_CRASHED"
    assert len(read_facts(path, records(2, 1))) == 1


def test_a_query_that_blast_cannot_judge_leaves_the_others_their_facts(tmp_path, monkeypatch):
    asked = []

    def answer(records, _settings, _work):
        asked.append(len(records))
        if any(record.title == "q4" for record in records):
            raise ScienceError("ENGINE_CRASHED", "BLAST did not report each query once.")
        return iter([facts.Fact(**fact(record.number)) for record in records])

    monkeypatch.setattr(facts, "_facts_of", answer)
    monkeypatch.setattr(facts, "_claim_size", lambda *_: None)
    path = tmp_path / "facts.jsonl"
    facts.write_facts(records(1, 7), None, None, None, path)
    assert path.read_text().splitlines()[3] == "null"
    assert len(read_facts(path, records(1, 3))) == 3
    assert len(read_facts(path, records(5, 3))) == 3
    with pytest.raises(ScienceError, match="BLAST cannot judge query 4") as caught:
        read_facts(path, records(4, 2))
    assert caught.value.code == "ENGINE_CRASHED"
    assert len(asked) <= 7


def test_facts_that_are_missing_are_no_facts_of_other_queries(tmp_path):
    path = facts_file(tmp_path, 7)
    with pytest.raises(ScienceError) as caught:
        read_facts(path, records(7, 2))
    assert caught.value.code == "ENGINE_CRASHED"


@pytest.mark.parametrize("middle", ["hit\n\nScore = 1", "***** No hits found *****"])
def test_the_statistics_of_a_section_are_its_end(middle):
    section = f"\n\nQuery= q\n\nLength=3\n\n\n{middle}{END}"
    assert statistics_of(section) == END


def test_a_section_may_have_the_search_space_alone():
    assert statistics_of("\n\nQuery= q\n\nLength=3\n\nEffective search space used: 0\n").endswith(" 0\n")
    with pytest.raises(ScienceError):
        statistics_of("\n\nQuery= q\n\nLength=3\n")
