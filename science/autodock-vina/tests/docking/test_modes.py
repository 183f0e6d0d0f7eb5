"""Modes of several shapes make one list: by score, without doubles, with Vina's own bounds."""

import numpy as np
import pytest

from dockyard_science.modes import (
    VinaRun,
    merge_modes,
    other_exhaustiveness,
    rmsd_lower,
    rmsd_upper,
    shape_exhaustiveness,
)
from dockyard_science.pdbqt import coordinates, split_models

TYPES = ("C", "OA", "A", "HD")
PLACES = np.array([(0.0, 0.0, 0.0), (1.4, 0.0, 0.0), (0.0, 1.5, 0.0), (1.9, 0.8, 0.0)])


def model(number, energy, places, lower=0.0, upper=0.0):
    rows = "".join(
        f"ATOM  {serial:5d}  X   UNL     1    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00    +0.000 {kind:<2s}\n"
        for serial, (kind, (x, y, z)) in enumerate(zip(TYPES, places, strict=True), 1)
    )
    bounds = f"{energy:9.3f}  {lower:9.3f}  {upper:9.3f}"
    return f"MODEL {number}\nREMARK VINA RESULT: {bounds}\nREMARK SMILES COC\nROOT\n{rows}ENDROOT\nENDMDL\n"


def run(*modes):
    """A search that found modes of (energy, shift along z)."""
    text = "".join(
        model(number, energy, PLACES + np.array([0, 0, shift]))
        for number, (energy, shift) in enumerate(modes, 1)
    )
    return VinaRun(text, [[energy, energy, 0.0, 0.0, 0.0] for energy, _ in modes])


def merge(*runs, most=9, energy_range=3.0):
    return merge_modes(runs, most=most, energy_range=energy_range, min_rmsd=1.0)


def energies(merged):
    return [row[0] for row in merged.run.energies]


def test_the_modes_of_all_shapes_come_in_the_order_of_their_scores():
    merged = merge(run((-7.0, 0), (-6.0, 5)), run((-8.0, 10), (-5.5, 15)))
    assert energies(merged) == [-8.0, -7.0, -6.0, -5.5]
    assert merged.shapes == [2, 1, 1, 2]
    places = [coordinates(text)[0, 2] for text in split_models(merged.run.pdbqt)]
    assert places == [10, 0, 5, 15]


def test_of_two_modes_closer_than_vina_keeps_them_the_better_one_stays():
    merged = merge(run((-7.0, 0)), run((-6.9, 0.99), (-6.8, 1.01)))
    assert energies(merged) == [-7.0, -6.8]


def test_of_equal_scores_the_lower_shape_comes_first():
    assert merge(run((-7.0, 0)), run((-7.0, 5)), run((-7.0, 0.5))).shapes == [1, 2]


def test_number_and_range_of_the_modes_hold_for_all_shapes_together():
    runs = [run((-7.0, 0), (-6.0, 5)), run((-9.0, 10), (-5.9, 15))]
    assert energies(merge(*runs, most=2)) == [-9.0, -7.0]
    assert energies(merge(*runs, energy_range=3.0)) == [-9.0, -7.0, -6.0]
    assert energies(merge(*runs, energy_range=0.5)) == [-9.0]


def test_a_shape_without_a_mode_is_passed_over():
    merged = merge(VinaRun("", []), run((-7.0, 0)))
    assert (energies(merged), merged.shapes) == ([-7.0], [2])
    assert merge(VinaRun("", [])).run == VinaRun("", [])


def test_only_number_and_bounds_of_a_mode_are_written_anew():
    turned = PLACES[:, [1, 0, 2]] + np.array([0, 0, 3.0])
    second = VinaRun(model(1, -6.0, turned), [[-6.0, -6.0, 0.0, 0.0, 0.0]])
    merged = merge(run((-7.0, 0)), second)
    # By hand, squares in the plane and 9 across: to itself 0, 3.92, 4.5; to the nearest carbon or oxygen 0, 3.92, 2.25.
    assert merged.run.pdbqt == model(1, -7.0, PLACES) + model(2, -6.0, turned, lower=3.325, upper=3.436)


def test_hydrogens_do_not_count_and_the_lower_bound_knows_elements():
    one, other = PLACES[:3], PLACES[[2, 1, 0]]
    elements = np.array(["C", "O", "C"])
    assert rmsd_lower(one, other, elements) == 0
    assert rmsd_upper(one, other) == pytest.approx(np.sqrt(2 * 1.5**2 / 3))
    assert rmsd_lower(one, other, np.array(["C", "O", "N"])) == pytest.approx(rmsd_upper(one, other))


@pytest.mark.parametrize(
    ("exhaustiveness", "shapes", "each"),
    [(8, 20, 2), (8, 4, 2), (8, 2, 4), (8, 1, 8), (8, 3, 3), (1, 20, 1), (6, 20, 1), (32, 20, 8), (5, 4, 2)],
)
def test_a_shape_is_searched_a_quarter_and_all_together_no_less_than_one(exhaustiveness, shapes, each):
    assert shape_exhaustiveness(exhaustiveness, shapes) == each


@pytest.mark.parametrize(
    ("exhaustiveness", "others", "each"),
    [(8, 1, 2), (8, 4, 2), (8, 5, 1), (8, 7, 1), (1, 1, 1), (32, 7, 4), (2, 2, 1)],
)
def test_a_shape_beside_the_built_one_is_searched_a_quarter_and_all_of_them_as_long_as_it(
    exhaustiveness, others, each
):
    assert other_exhaustiveness(exhaustiveness, others, is_built_usual=True) == each


@pytest.mark.parametrize(
    ("exhaustiveness", "others", "each"), [(8, 1, 8), (8, 3, 2), (8, 7, 1), (1, 1, 1), (32, 3, 10)]
)
def test_shapes_beside_a_strained_one_are_searched_as_long_as_it_together(exhaustiveness, others, each):
    assert other_exhaustiveness(exhaustiveness, others, is_built_usual=False) == each
