"""The one rule by which a request names residues: component, chain and number, of which what is unambiguous is enough.

A name that stands for several residues is refused with all that it stands for, but where residues are kept or removed:
there it means all of them. A number without an insertion code means the residue without one, where there is such a one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import gemmi

from dockyard_science.spec import SessionSpec
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Residue, residue_of
from dockyard_structures.residues import STATE_NAMES, short_list

AMBIGUOUS = "RECEPTOR_RESIDUE_AMBIGUOUS"
_MOST_SHOWN = 12

#: A residue as a request names it: `residueName` or `componentId`, `chain`, `residue`, `insertionCode`.
Named = Mapping[str, Any]


def with_places(model: gemmi.Model, spec: SessionSpec) -> SessionSpec:
    """The specification with chain and number of every residue that it names.

    Raises RECEPTOR_RESIDUE_AMBIGUOUS, POCKET_LIGAND_AMBIGUOUS and what a residue that is not there is refused with.
    """
    box: dict[str, Any] = {**spec["box"]}
    preparation: dict[str, Any] = {**spec["preparation"]}
    if box["ligand"] is not None:
        ligand = the_residue(
            model, box["ligand"], "POCKET_LIGAND_NOT_FOUND", "POCKET_LIGAND_AMBIGUOUS", is_ligand=True
        )
        box["ligand"] = {**box["ligand"], **_place(ligand)}
    if box["residues"] is not None:
        box["residues"] = [_completed(model, each, "POCKET_LIGAND_NOT_FOUND") for each in box["residues"]]
    native: Any = spec["nativeReference"]
    if native is not None:
        found = the_residue(model, native, "NATIVE_REFERENCE_NOT_FOUND", is_ligand=True)
        native = {**native, **_place(found)}
    for field, code in (
        ("fixedProtonationStates", "PROTONATION_FAILED"),
        ("flexibleResidues", "RECEPTOR_RESIDUE_NOT_FOUND"),
    ):
        if field in preparation:
            named = [_completed(model, each, code) for each in preparation[field]]
            _refuse_twice(named, field)
            preparation[field] = named
    for field in ("retainResidues", "removeResidues"):
        if field in preparation:
            preparation[field] = _all(model, preparation[field])
    return cast(SessionSpec, {**spec, "box": box, "nativeReference": native, "preparation": preparation})


def the_residue(
    model: gemmi.Model, wanted: Named, absent: str, ambiguous: str = AMBIGUOUS, *, is_ligand: bool = False
) -> Residue:
    """The one residue that a name stands for; raises the codes `absent` and `ambiguous`.

    A ligand may be an amino acid, of which the chains have many: what the file has as a ligand is meant then.
    """
    found = _matching(model, wanted)
    if is_ligand and len(found) > 1:
        found = [residue for residue in found if residue.hetero] or found
    if len(found) == 1:
        return found[0]
    if found:
        copies = f"{len(found)} copies of {label(wanted)}"
        message = f"The selected chains have {copies}: {_listed(found)}. Say which one."
        raise ScienceError(ambiguous, message)
    raise ScienceError(absent, _absent(model, wanted))


def label(named: Named) -> str:
    """A residue as it was named, such as `STR`, `STR:A`, `STR:A:1` or `A:41`."""
    number = named.get("residue")
    parts = (_name(named), named.get("chain"), None if number is None else f"{number}{_code(named)}")
    return ":".join(str(part) for part in parts if part is not None)


def _completed(model: gemmi.Model, named: Named, absent: str) -> dict[str, Any]:
    """What names one residue, with its place; what has its place already is looked at by whoever uses it."""
    if named["chain"] is not None and named["residue"] is not None:
        return dict(named)
    return {**named, **_place(the_residue(model, named, absent))}


def _all(model: gemmi.Model, named: Sequence[Named]) -> list[dict[str, Any]]:
    """The places of all residues that names stand for, each once; a place itself stays, whatever is there."""
    places: dict[str, dict[str, Any]] = {}
    for each in named:
        found = [_place(residue) for residue in _matching(model, each)]
        is_place = each["chain"] is not None and each["residue"] is not None and _name(each) is None
        if not found and not is_place:
            raise ScienceError("RECEPTOR_RESIDUE_NOT_FOUND", _absent(model, each))
        for place in found or [dict(each)]:
            places.setdefault(label(place), place)
    return list(places.values())


def _matching(model: gemmi.Model, wanted: Named) -> list[Residue]:
    """The residues of a model that a name stands for."""
    name, chain, number, code = _name(wanted), wanted["chain"], wanted["residue"], _code(wanted)
    found = [
        residue_of(each.name, residue)
        for each in model
        if chain is None or each.name == chain
        for residue in each
        if (number is None or residue.seqid.num == number) and (name is None or _is_called(residue, name))
    ]
    if number is None:
        return found
    exact = [residue for residue in found if residue.insertion_code == code]
    return exact if exact or code else found


def _is_called(residue: gemmi.Residue, name: str) -> bool:
    """Whether a residue has a name; HIE and others of programs are called by their amino acid, too."""
    own = residue.name.upper()
    return name in {own, STATE_NAMES.get(own, own)}


def _absent(model: gemmi.Model, wanted: Named) -> str:
    name = _name(wanted)
    copies = [] if name is None else _matching(model, {"residueName": name, "chain": None, "residue": None})
    if copies:
        return f"There is no {label(wanted)}; the selected chains have {_listed(copies)}."
    present = short_list(chain.name for chain in model)
    return f"The selected chains ({present}) have no {'residue ' if name is None else ''}{label(wanted)}."


def _refuse_twice(named: Sequence[Named], field: str) -> None:
    seen: set[str] = set()
    for each in named:
        place = label({key: each[key] for key in ("chain", "residue", "insertionCode")})
        if place in seen:
            raise ScienceError(AMBIGUOUS, f"{field} names {place} more than once. Keep one of them.")
        seen.add(place)


def _place(residue: Residue) -> dict[str, Any]:
    return {
        "chain": residue.chain,
        "residue": residue.number,
        "insertionCode": residue.insertion_code,
    }


def _name(named: Named) -> str | None:
    name = named.get("componentId") or named.get("residueName")
    return None if name is None else str(name).upper()


def _code(named: Named) -> str:
    return (named.get("insertionCode") or "").strip()


def _listed(residues: Sequence[Residue]) -> str:
    return short_list(
        (
            f"{residue.deposited_name}:{residue.chain}:{residue.number}{residue.insertion_code}"
            for residue in residues
        ),
        most=_MOST_SHOWN,
    )
