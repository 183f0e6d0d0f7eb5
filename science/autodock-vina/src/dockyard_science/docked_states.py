"""The states of a ligand after each was docked: which one won, and what the others had.

The best is the one whose score and cost add up to the least. Poses, files and scores of the result are those of the
state that won, as if it had been sent alone: the score of a result never has a cost in it.

A state costs what makes it rarer than the likeliest one, and what bends its rings: Vina's score has no strain of them,
so an isomer would win by a boat that no molecule of it takes. The strain is that of the mode whose score and strain add
up to the least.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dockyard_science.poses import DockedPoses
from dockyard_science.prepared_ligand import PreparedLigand, PreparedStates
from dockyard_session.errors import ScienceError


@dataclass(frozen=True)
class DockedStates:
    """The prepared states, the best score of each (kcal/mol; None where no pose fits the box), its cost, the winner."""

    prepared: PreparedStates
    scores: list[float | None]
    costs: list[float]
    number: int
    poses: DockedPoses

    @property
    def won(self) -> PreparedLigand:
        """The state that won."""
        return self.prepared.each[self.number - 1]

    def record(self) -> dict[str, Any]:
        """What the result says of states; nothing where one was asked for."""
        if self.prepared.on_paper is None:
            return {}
        rows = zip(self.prepared.each, self.scores, self.costs, strict=True)
        return {
            "states": {
                "onPaper": self.prepared.on_paper,
                "won": self.number,
                "each": [
                    {
                        **ligand.state_record(number),
                        "costKcalMol": cost,
                        "bestAffinityKcalMol": score,
                        "totalKcalMol": None if score is None else _total(score, cost),
                    }
                    for number, (ligand, score, cost) in enumerate(rows, 1)
                ],
            }
        }

    def summary(self) -> dict[str, Any]:
        """What the summary of the task says of states; nothing where one was asked for."""
        return {} if self.prepared.on_paper is None else {"statesDocked": len(self.scores)}

    def properties(self) -> dict[str, str]:
        """The properties of a pose in the SDF that tell its state; none where one was asked for."""
        if self.prepared.on_paper is None:
            return {}
        return {
            "state": f"{self.number} of {len(self.scores)}",
            "state_cost_kcal_mol": f"{self.costs[self.number - 1]:.3f}",
        }


def docked_states(prepared: PreparedStates, docked: Sequence[DockedPoses | ScienceError]) -> DockedStates:
    """Choose the state that won; of equal ones the likelier. Raises the first failure where every state failed."""
    pairs = list(zip(prepared.each, docked, strict=True))
    costs = [_cost(ligand, one) for ligand, one in pairs]
    scores = [one.poses[0].affinity if isinstance(one, DockedPoses) else None for one in docked]
    totals = [
        (_total(one.poses[0].affinity, cost), number, one)
        for number, (one, cost) in enumerate(zip(docked, costs, strict=True), 1)
        if isinstance(one, DockedPoses)
    ]
    if not totals:
        raise next(one for one in docked if isinstance(one, ScienceError))
    _, number, poses = min(totals, key=lambda entry: entry[:2])
    return DockedStates(prepared, scores, costs, number, poses)


def _cost(ligand: PreparedLigand, docked: DockedPoses | ScienceError) -> float:
    if isinstance(docked, ScienceError) or ligand.shapes is None:
        return ligand.cost
    strained = min(pose.affinity + ligand.shapes.strain(pose.shape) for pose in docked.poses)
    return round(ligand.cost + strained - docked.poses[0].affinity, 3)


def _total(score: float, cost: float) -> float:
    return round(score + cost, 3) + 0.0
