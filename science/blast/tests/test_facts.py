import json

import pytest

from dockyard_blast.facts import read_facts, statistics_of
from dockyard_blast.fasta import Record
from dockyard_session.errors import ScienceError

END = "\n\nLambda      K        H\n   0.3    0.1    0.4 \n\n\nEffective search space used: 7\n"


def records(first, count):
    return [Record(first + index, 0, f"q{first + index}", "MKV") for index in range(count)]


def facts_file(tmp_path, count):
    path = tmp_path / "facts.jsonl"
    lines = [json.dumps({"search": {"query_len": at + 1}, "statistics": f"{at}"}) for at in range(count)]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_a_task_reads_the_facts_of_its_own_queries(tmp_path):
    path = facts_file(tmp_path, 7)
    facts = read_facts(path, records(3, 2))
    assert [(fact.search["query_len"], fact.statistics) for fact in facts] == [(3, "2"), (4, "3")]


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
