"""What propka says of chains: the same numbers as it gives by itself, without its searches through every atom.

For each group that takes or loses a proton propka asks every atom and every backbone group of the structure, and for
each pair of coupled groups it goes through all of them, so a structure of twice the size takes four times as long.
Here the same terms are added up in the same order from arrays, groups too far away for a hydrogen bond are left out
beforehand, and a pair that was found once is not looked for again. Every number is the same to the last bit. A run on
the same text as the one before takes the rows of that run.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import propka.conformation_container
import propka.iterative
import propka.version
from numpy.typing import NDArray
from pdb2pqr import io
from pdb2pqr import main as pdb2pqr_main
from propka.determinants import set_backbone_determinants
from propka.energy import MIN_DISTANCE_4TH, calculate_scale_factor, calculate_weight
from propka.iterative import find_iterative

Rows = list[dict[str, Any]]

# What names files, which differ in each run and say nothing of the molecule.
_PATHS = frozenset({"input_path", "output_pqr", "pdb_output"})

# Rounding in a comparison of squares cannot bridge this much, in angstrom.
_MARGIN_ANGSTROM = 0.1

_run_propka = pdb2pqr_main.run_propka


class PropkaRuns:
    """Runs propka as pdb2pqr does, and remembers the last run."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._key: tuple[Any, ...] | None = None
        self._rows: Rows = []
        self._table = ""

    def run(self, args: Any, biomolecule: Any) -> tuple[Rows, str]:
        """The rows of propka and its table, the caller's own; raises what propka raises."""
        text = io.print_biomolecule_atoms(atomlist=biomolecule.atoms, chainflag=args.keep_chain, pdbfile=True)
        options = sorted((name, repr(value)) for name, value in vars(args).items() if name not in _PATHS)
        key = ("".join(text), *options)
        if key != self._key:
            with _without_searches():
                rows, table = _run_propka(args, biomolecule)
            self._key, self._rows, self._table = key, [dict(row) for row in rows], table
        return [dict(row) for row in self._rows], self._table


@contextlib.contextmanager
def _without_searches() -> Iterator[None]:
    """Let propka use the functions of this file; its own come back afterwards."""
    own = propka.version.radial_volume_desolvation
    propka.version.radial_volume_desolvation = _Desolvation()
    propka.conformation_container.set_backbone_determinants = near_backbone_determinants
    propka.iterative.find_iterative = _Pairs()
    try:
        yield
    finally:
        propka.version.radial_volume_desolvation = own
        propka.conformation_container.set_backbone_determinants = set_backbone_determinants
        propka.iterative.find_iterative = find_iterative


class _Desolvation:
    """`radial_volume_desolvation` of propka over arrays; the sum is taken atom by atom in propka's order."""

    def __init__(self) -> None:
        self._container: Any = None
        self._places: NDArray[np.float64] = np.empty((0, 3))
        self._volumes: NDArray[np.float64] = np.empty(0)
        self._residues: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._numbers: dict[tuple[Any, Any], int] = {}

    def __call__(self, parameters: Any, group: Any) -> None:
        """Set what lies around a group, and what that costs its charge."""
        if group.atom.conformation_container is not self._container:
            self._read(parameters, group.atom.conformation_container)
        own = self._numbers.get((group.atom.res_num, group.atom.chain_id), -1)
        x, y, z = (self._places - (group.x, group.y, group.z)).T
        squares = x * x + y * y + z * z
        is_other = self._residues != own
        near = is_other & (squares < parameters.desolv_cutoff_squared)
        terms = self._volumes[near] / np.maximum(MIN_DISTANCE_4TH, squares[near] * squares[near])
        # A sum of numpy adds in pairs; accumulating adds one after the other, as propka does.
        volume = float(np.add.accumulate(terms)[-1]) if terms.size else 0.0
        group.num_volume = int(np.count_nonzero(is_other & (squares < parameters.buried_cutoff_squared)))
        group.buried = calculate_weight(parameters, group.num_volume)
        scale = calculate_scale_factor(parameters, group.buried)
        beyond = max(0.00, volume - parameters.desolvationAllowance)
        group.energy_volume = group.charge * parameters.desolvationPrefactor * beyond * scale

    def _read(self, parameters: Any, container: Any) -> None:
        atoms = container.get_non_hydrogen_atoms()
        self._container, self._numbers = container, {}
        self._places = _places(atoms)
        self._residues = np.array(
            [self._numbers.setdefault((each.res_num, each.chain_id), len(self._numbers)) for each in atoms],
            dtype=np.int64,
        )
        sizes = parameters.VanDerWaalsVolume
        self._volumes = np.array(
            [
                sizes["C4"]
                if each.element == "C" and each.name not in {"CA", "C"}
                else sizes.get(each.element, 1.0)
                for each in atoms
            ],
            dtype=np.float64,
        )


def near_backbone_determinants(groups: Sequence[Any], backbone: Sequence[Any], version: Any) -> None:
    """`set_backbone_determinants` of propka, each group with the backbone that is near enough for a hydrogen bond."""
    parameters = version.parameters
    bonds = [*parameters.backbone_CO_hydrogen_bond.values(), *parameters.backbone_NH_hydrogen_bond.values()]
    reach = max(cutoff for _, _, cutoff in bonds) + _MARGIN_ANGSTROM
    ends = [_interaction_atoms(each) for each in backbone]
    owners = np.repeat(np.arange(len(backbone)), [len(each) for each in ends])
    places = _places([atom for each in ends for atom in each])
    for group in groups:
        near: set[int] = set()
        for atom in group.interaction_atoms_for_acids:
            away = places - (atom.x, atom.y, atom.z)
            near |= set(owners[np.einsum("ij,ij->i", away, away) < reach * reach].tolist())
        set_backbone_determinants([group], [backbone[index] for index in sorted(near)], version)


class _Pairs:
    """`find_iterative` of propka, asked once for each pair of a list."""

    def __init__(self) -> None:
        self._list: Any = None
        self._found: dict[tuple[int, int], Any] = {}
        self._search: Callable[..., Any] = find_iterative

    def __call__(self, pair: Sequence[Any], iteratives: Any) -> Any:
        """The two iterative groups of a pair; the groups of a list live as long as the list."""
        if iteratives is not self._list:
            self._list, self._found = iteratives, {}
        key = (id(pair[0]), id(pair[1]))
        if key not in self._found:
            self._found[key] = self._search(pair, iteratives)
        return self._found[key]


def _interaction_atoms(group: Any) -> list[Any]:
    return [*group.interaction_atoms_for_acids, *group.interaction_atoms_for_bases]


def _places(atoms: Sequence[Any]) -> NDArray[np.float64]:
    return np.array([(each.x, each.y, each.z) for each in atoms], dtype=np.float64).reshape(-1, 3)
