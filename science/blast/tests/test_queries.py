import itertools

import pytest

from dockyard_blast.fasta import Record, parse_queries
from dockyard_blast.merge import merge_reports
from dockyard_blast.queries import CLEANED, PARTS, cut, read_part, write_queries
from dockyard_session.errors import ScienceError


def records(*lengths):
    return tuple(Record(index + 1, 0, f"q{index}", "M" * length) for index, length in enumerate(lengths))


@pytest.mark.parametrize(
    ("lengths", "parts", "expected"),
    [
        ((10, 10, 10, 10), 2, [(0, 2), (2, 4)]),
        ((100, 1, 1, 1), 2, [(0, 1), (1, 4)]),
        ((1, 1, 1, 100), 2, [(0, 3), (3, 4)]),
        ((1, 100, 1), 3, [(0, 1), (1, 2), (2, 3)]),
        ((5,), 1, [(0, 1)]),
        ((1, 1, 1, 1, 96), 3, [(0, 3), (3, 4), (4, 5)]),
    ],
)
def test_parts_are_whole_queries_balanced_by_letters(lengths, parts, expected):
    assert cut(records(*lengths), parts) == expected


@pytest.mark.parametrize("parts", [1, 2, 7, 20])
def test_every_query_is_in_one_part_and_no_part_is_empty(parts):
    bounds = cut(records(*[(index * 37) % 91 + 1 for index in range(20)]), parts)
    assert bounds[0][0] == 0
    assert bounds[-1][1] == 20
    assert all(first < to for first, to in bounds)
    assert all(before[1] == after[0] for before, after in itertools.pairwise(bounds))


def test_more_tasks_than_queries_are_refused():
    with pytest.raises(ScienceError) as caught:
        cut(records(5, 5), 3)
    assert caught.value.code == "TASK_COUNT_MISMATCH"
    assert "taskCount is 3" in caught.value.message


def test_a_part_is_read_with_the_numbers_of_the_whole_file(tmp_path):
    queries = parse_queries(b">a x\nMKV\n>b\nMKLM\n>c\nMKLMN\n", "prot")
    write_queries(queries, "prot", 2, tmp_path)
    parts = [read_part(tmp_path / CLEANED, tmp_path / PARTS, ordinal) for ordinal in range(2)]
    found = [(record.number, record.title, record.letters) for part in parts for record in part]
    assert found == [(1, "a x", "MKV"), (2, "b", "MKLM"), (3, "c", "MKLMN")]
    assert len(parts[0]) == 2


def test_reports_are_merged_in_the_order_of_the_queries(tmp_path):
    section = "\n\nQuery= {0}\n\nLength=3\n\nhits {0}\n\nEffective search space used: {0}\n"
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "hits.tsv").write_text(f"q{number}\n")
        (folder / "hits.json").write_text(f'{{"BlastOutput2":[\n{{"q":{number}}},\n{{"r":{number}}}\n]}}\n')
        (folder / "alignments.txt").write_text(f"HEAD\n{section.format(number)}\n\nFOOT\n")
    (tmp_path / "out").mkdir()
    merge_reports([tmp_path / "1", tmp_path / "2"], tmp_path / "out")
    assert (tmp_path / "out" / "hits.tsv").read_text() == "q1\nq2\n"
    merged = (tmp_path / "out" / "hits.json").read_text()
    assert merged == '{"BlastOutput2":[\n{"q":1},\n{"r":1},\n{"q":2},\n{"r":2}\n]}\n'
    text = (tmp_path / "out" / "alignments.txt").read_text()
    assert text == f"HEAD\n{section.format(1)}{section.format(2)}\n\nFOOT\n"
