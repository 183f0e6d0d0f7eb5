"""One rule names a residue everywhere: what is unambiguous is enough, and what is not lists what there is."""

import pytest

from dockyard_science.residue_names import label, with_places
from dockyard_session.errors import ScienceError
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure
from receptor_world import FOLATE_BOX, session
from structures_world import FOLATE, PR, TRYPSIN, atom_line, records, write_with


def _model(path, **receptor):
    return select(read_structure(path).structure, session({}, receptor=receptor)["receptor"]).model


def _named(name=None, chain=None, residue=None, code="", **more):
    return {"chain": chain, "residue": residue, "insertionCode": code, **_of(name), **more}


def _of(name):
    return {} if name is None else {"residueName": name}


def _native(component, chain=None, residue=None):
    return {"componentId": component, "chain": chain, "residue": residue, "insertionCode": ""}


def _code(model, spec):
    with pytest.raises(ScienceError) as error:
        with_places(model, spec)
    return error.value.code, error.value.message


def _place(filled):
    return {key: filled[key] for key in ("chain", "residue", "insertionCode")}


A1 = {"chain": "A", "residue": 1, "insertionCode": ""}


def test_every_option_takes_a_name_that_stands_for_one_residue():
    model = _model(PR)
    spec = session(
        {"ligand": {"componentId": "str", "chain": None, "residue": None}},
        native=_native("STR"),
        fixedProtonationStates=[{**_named("HIS", "A", 881), "state": "epsilon", "reason": None}],
        flexibleResidues=[_named("GLN", "A", 725)],
        retainResidues=[_named("STR")],
        removeResidues=[_named("STR", "A")],
    )
    filled = with_places(model, spec)
    assert _place(filled["box"]["ligand"]) == A1
    assert _place(filled["nativeReference"]) == A1
    assert filled["preparation"]["retainResidues"] == filled["preparation"]["removeResidues"] == [A1]
    assert filled["preparation"]["fixedProtonationStates"] == spec["preparation"]["fixedProtonationStates"]
    by_number = session({"residues": [_named("GLN", None, 725), _named(None, "A", 718)]})
    found = [_place(each) for each in with_places(model, by_number)["box"]["residues"]]
    assert [(each["chain"], each["residue"]) for each in found] == [("A", 725), ("A", 718)]


def test_what_stands_for_several_lists_them_whatever_option_it_is_in():
    model = _model(PR, assemblyId="asymmetric")
    both = "STR:A:1, STR:B:2"
    pocket = {"ligand": {"componentId": "STR", "chain": None, "residue": None}}
    code, message = _code(model, session(pocket))
    assert code == "POCKET_LIGAND_AMBIGUOUS"
    assert both in message
    code, message = _code(model, session(FOLATE_BOX, native=_native("STR")))
    assert code == "RECEPTOR_RESIDUE_AMBIGUOUS"
    assert both in message
    for field in ("flexibleResidues", "fixedProtonationStates"):
        code, message = _code(model, session(FOLATE_BOX, **{field: [_named("HIS", "A")]}))
        assert code == "RECEPTOR_RESIDUE_AMBIGUOUS"
        assert "HIS:A:" in message
        assert "Say which one" in message
    kept = with_places(model, session(FOLATE_BOX, retainResidues=[_named("STR")]))
    assert [each["chain"] for each in kept["preparation"]["retainResidues"]] == ["A", "B"]


def test_what_is_not_there_is_told_with_what_is():
    model = _model(PR)
    code, message = _code(model, session(FOLATE_BOX, native=_native("STR", "B")))
    assert (code, "STR:A:1" in message) == ("NATIVE_REFERENCE_NOT_FOUND", True)
    code, message = _code(model, session(FOLATE_BOX, removeResidues=[_named("HEM", "A")]))
    assert (code, "no HEM:A" in message) == ("RECEPTOR_RESIDUE_NOT_FOUND", True)
    code, message = _code(model, session(FOLATE_BOX, retainResidues=[_named("HEM", "A", 1)]))
    assert code == "RECEPTOR_RESIDUE_NOT_FOUND"
    code, message = _code(model, session(FOLATE_BOX, flexibleResidues=[_named("GLN", "Q")]))
    assert (code, "GLN:A:" in message) == ("RECEPTOR_RESIDUE_NOT_FOUND", True)


def test_two_names_of_one_residue_are_refused():
    model = _model(PR)
    twice = [_named(None, "A", 725), _named("GLN", None, 725)]
    code, message = _code(model, session(FOLATE_BOX, flexibleResidues=twice))
    assert code == "RECEPTOR_RESIDUE_AMBIGUOUS"
    assert "A:725 more than once" in message


def test_a_number_alone_is_the_residue_without_an_insertion_code_where_there_is_one(tmp_path):
    code = next(line for line in records(TRYPSIN) if line[26] != " ")
    where = {"chain": "A", "residue": int(code[22:26])}
    number = _named(None, None, where["residue"], residueName=None)
    plain = with_places(_model(TRYPSIN), session({"residues": [{**number, "chain": "A"}]}))
    assert plain["box"]["residues"][0]["insertionCode"] == ""
    lone = [atom_line("C1", "UNL", 9, [0, 0, 0], "C")]
    lone = [line[:26] + "B" + line[27:] for line in lone]
    model = _model(write_with(tmp_path / "lone.pdb", records(FOLATE), lone))
    filled = with_places(model, session(FOLATE_BOX, native=_native("UNL")))
    assert filled["nativeReference"]["insertionCode"] == "B"


def test_a_label_is_what_was_written():
    assert [label(each) for each in (_named("STR"), _named("STR", "A"), _named("STR", "A", 1, "B"))] == [
        "STR",
        "STR:A",
        "STR:A:1B",
    ]
    assert label(_named(None, "A", 41)) == "A:41"
