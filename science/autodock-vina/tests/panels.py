"""Panels of molecules, of which `npm test` has some and the long runs have all."""

import pytest


def one_in(count, cases):
    """The cases, of which the long runs alone have all but each `count`-th."""
    return [
        case if number % count == 0 else pytest.param(*_values(case), marks=pytest.mark.long)
        for number, case in enumerate(cases)
    ]


def _values(case):
    return (case,) if isinstance(case, str) else case
