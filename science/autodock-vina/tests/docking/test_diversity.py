"""Picks and clusters of a ranking, against RDKit's own."""

import io
import json
from pathlib import Path

from rdkit.DataStructs import TanimotoSimilarity
from rdkit.ML.Cluster import Butina

from dockyard_science.diversity import CLUSTER_SIMILARITY, clusters_of, fingerprints, picks_of, serve

_DRUGS = Path(__file__).parent / "data" / "drugs-pka.tsv"
_STEROIDS = [
    "CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C",
    "CC(=O)[C@@]1(O)CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C",
    "C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@H]2O",
]


def drugs() -> list[str]:
    """SMILES of drugs that nobody has sorted."""
    lines = [line.split("\t") for line in _DRUGS.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    column = lines[0].index("smiles")
    return list(dict.fromkeys(line[column] for line in lines[1:]))


def test_clusters_are_those_of_butina_the_largest_first() -> None:
    smiles = _STEROIDS[:1] + drugs() + _STEROIDS[1:]
    prints = fingerprints(smiles)
    # RDKit takes the last of equals first, so it gets the ranking from its end.
    backwards = prints[::-1]
    distances = [
        1 - TanimotoSimilarity(one, other)
        for place, one in enumerate(backwards)
        for other in backwards[:place]
    ]
    theirs = Butina.ClusterData(distances, len(prints), 1 - CLUSTER_SIMILARITY, isDistData=True)
    wanted = {frozenset(len(prints) - 1 - place for place in cluster) for cluster in theirs}
    found: dict[int, set[int]] = {}
    for place, number in enumerate(clusters_of(smiles)):
        assert number is not None
        found.setdefault(number, set()).add(place)
    assert {frozenset(cluster) for cluster in found.values()} == wanted
    sizes = [len(found[number]) for number in sorted(found)]
    assert sizes == sorted(sizes, reverse=True)
    assert {0, len(smiles) - 1} <= found[1]


def test_picks_begin_with_the_best_and_differ_from_each_other() -> None:
    smiles = _STEROIDS + drugs()
    picks, distance = picks_of(smiles, 20)
    assert len(picks) == 20
    assert picks == sorted(picks)
    assert picks[0] == 0
    assert not {1, 2} & set(picks)
    prints = fingerprints(smiles)
    nearest = max(
        TanimotoSimilarity(prints[one], prints[other]) for one in picks for other in picks if one < other
    )
    assert distance > 0.4
    assert 1 - nearest >= distance - 1e-9


def test_what_is_no_molecule_is_in_no_cluster_and_never_picked() -> None:
    assert clusters_of(["CCO", "no molecule", "CCO"]) == [1, None, 1]
    assert picks_of(["no molecule", "CCO", "c1ccccc1"], 9) == ([1, 2], 0.0)
    assert clusters_of([]) == []


def test_requests_are_answered_line_by_line() -> None:
    answers = io.StringIO()
    requests = [{"smiles": ["CCO", "CCN"]}, {"smiles": ["CCO", "CCN"], "pick": 1}]
    serve(io.StringIO("".join(json.dumps(one) + "\n" for one in requests)), answers)
    ready, clusters, picks = map(json.loads, answers.getvalue().splitlines())
    assert ready == {"ready": True}
    assert clusters == {"clusters": [1, 2]}
    assert picks["picks"] == [0]
