"""Which ligands are alike, and which of the best differ from each other, by their Morgan fingerprints.

`python -m dockyard_science.diversity` reads one JSON request a line from its standard input, `{"smiles": [...]}` or
`{"smiles": [...], "pick": 50}`, and writes one answer a line: `{"clusters": [...]}`, the number of each molecule's
cluster, or `{"picks": [...], "distance": 0.6}`, the places of the picked ones. The order is a ranking, the best first.
A molecule that cannot be read is in no cluster and is never picked. The first line, `{"ready": true}`, says that all is
loaded. The process ends with its input.
"""

from collections.abc import Sequence
from typing import Any, TextIO

import numpy as np
from rdkit import Chem, DataStructs
from rdkit.Chem import rdFingerprintGenerator
from rdkit.DataStructs import ExplicitBitVect
from rdkit.SimDivFilters.rdSimDivPickers import LeaderPicker

from dockyard_science.line_process import main, serve_lines

#: Molecules of one cluster are at least so alike (Tanimoto) to the one in its middle.
CLUSTER_SIMILARITY = 0.6
#: The distance of picks is found to this.
_STEP = 0.01

_MORGAN = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)


def fingerprints(smiles: Sequence[str]) -> list[ExplicitBitVect | None]:
    """The Morgan fingerprint of each molecule; None where it cannot be read."""
    molecules = (Chem.MolFromSmiles(one) for one in smiles)
    return [None if mol is None else _MORGAN.GetFingerprint(mol) for mol in molecules]


def clusters_of(smiles: Sequence[str]) -> list[int | None]:
    """The Butina cluster of each molecule, from 1: the largest first, of equal ones that with the better member."""
    read = [(place, print_) for place, print_ in enumerate(fingerprints(smiles)) if print_ is not None]
    members = _butina([print_ for _, print_ in read])
    members.sort(key=lambda cluster: (-len(cluster), min(cluster)))
    found: list[int | None] = [None] * len(smiles)
    for number, cluster in enumerate(members, start=1):
        for member in cluster:
            found[read[member][0]] = number
    return found


def picks_of(smiles: Sequence[str], count: int) -> tuple[list[int], float]:
    """So many molecules that differ most, the best first, and the Tanimoto distance that each has from all others.

    RDKit's LeaderPicker takes the first of the ranking, leaves out what lies nearer than a distance, and goes on; the
    distance is the largest that leaves as many as are wanted. Fewer come back where the ranking has fewer.
    """
    read = [(place, print_) for place, print_ in enumerate(fingerprints(smiles)) if print_ is not None]
    prints = [print_ for _, print_ in read]
    if len(prints) <= count:
        return [place for place, _ in read], 0.0
    picker = LeaderPicker()

    def at(step: int) -> list[int]:
        return list(picker.LazyBitVectorPick(prints, len(prints), step * _STEP, pickSize=count))

    low, high = 0, round(1 / _STEP)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if len(at(middle)) >= count else (low, middle)
    return [read[pick][0] for pick in sorted(at(low))], low * _STEP


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request."""
    if "pick" not in request:
        return {"clusters": clusters_of(request["smiles"])}
    picks, distance = picks_of(request["smiles"], request["pick"])
    return {"picks": picks, "distance": round(distance, 2)}


def _butina(prints: Sequence[ExplicitBitVect]) -> list[list[int]]:
    """Clusters by Butina's method, each with its middle first.

    RDKit's own wants all distances as one Python list, which takes gigabytes for ten thousand molecules.
    """
    near: list[list[int]] = [[place] for place in range(len(prints))]
    for place in range(1, len(prints)):
        alike = np.asarray(DataStructs.BulkTanimotoSimilarity(prints[place], prints[:place]))
        for other in np.flatnonzero(alike >= CLUSTER_SIMILARITY).tolist():
            near[place].append(other)
            near[other].append(place)
    taken: set[int] = set()
    clusters: list[list[int]] = []
    for middle in sorted(range(len(prints)), key=lambda place: (-len(near[place]), place)):
        if middle in taken:
            continue
        cluster = [place for place in near[middle] if place not in taken]
        taken.update(cluster)
        clusters.append(cluster)
    return clusters


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer requests until there are no more."""
    serve_lines(requests, answers, answer)


if __name__ == "__main__":
    raise SystemExit(main(serve))
