"""With its wrong isomer drawn, or none, a ligand is docked in its likely states, and the deposited one wins."""

import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import pytest

from state_panel import NAMES, drawings, judged, prepared

LEAST_SHARE = 0.8


@pytest.mark.long
def test_the_deposited_isomer_wins_in_eight_of_ten(tmp_path, capsys):
    judgements = []
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("spawn")) as pool:
        found = pool.map(prepared, NAMES, [tmp_path / name for name in NAMES])
        tasks = [pool.submit(judged, drawing) for each in found for drawing in drawings(each)]
        for each in as_completed(tasks):
            judgements.append(each.result())
            with capsys.disabled():
                print(f"\n{judgements[-1][1]}", end="", flush=True)  # noqa: T201 - the run takes minutes
    assert len(NAMES) == 10
    of_mirrors = [each for each in judgements if "mirror image" in each[1]]
    assert len(of_mirrors) == len(NAMES)
    for each in (of_mirrors, judgements):
        wins = sum(is_won for is_won, _ in each)
        assert wins >= LEAST_SHARE * len(each), sorted(told for _, told in each)
