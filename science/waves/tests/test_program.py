"""A program has the processor time that it is given, however long it waits for other work of the machine."""

import pytest

from dockyard_waves.program import Budget, Pack, TimeUpError, run_program


def _pack(folder, text):
    program = folder / "model"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return Pack("1", "0" * 64, "variable", {"model": program}, {})


def test_a_program_ends_when_its_processor_time_is_used_up_and_the_next_has_none(tmp_path):
    pack, budget = _pack(tmp_path, "echo begun; while :; do :; done"), Budget(0.5)
    lines = []

    def follow(line):
        lines.append(line)
        return True

    for _turn in range(2):
        with pytest.raises(TimeUpError):
            run_program(pack, "model", tmp_path, follow, budget)
    assert lines == ["begun"]
    assert budget.seconds <= 0


def test_a_program_that_waits_uses_none_of_its_time(tmp_path):
    budget = Budget(0.5)
    ended = run_program(
        _pack(tmp_path, "sleep 0.6; echo done"), "model", tmp_path, lambda _line: True, budget
    )
    assert (ended.code, ended.printed) == (0, "done\n")
    assert budget.seconds > 0.3
