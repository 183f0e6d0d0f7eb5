"""Fixed protonation states of every residue that can have one, by both methods, and those that cannot be."""

import numpy as np
import pytest

from dockyard_science.anionic_tyrosine import add_anionic_templates, anionic_key
from dockyard_science.ccd import default_ccd
from dockyard_science.fixed_states import fixed_residues, remove_lost
from dockyard_science.templates import make_templates
from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import Atom, Residue
from receptor_world import beyond, open_site, session, small_site
from structures_world import atom_line, atom_of, position, write_with

# Of a state: the hydrogens by which it is told, and which of them are there.
HYDROGENS = {
    ("ASP", "anionic"): (("HD1", "HD2"), 0),
    ("ASP", "neutral"): (("HD1", "HD2"), 1),
    ("GLU", "anionic"): (("HE1", "HE2"), 0),
    ("GLU", "neutral"): (("HE1", "HE2"), 1),
    ("HIS", "delta"): (("HD1",), 1),
    ("HIS", "epsilon"): (("HE2",), 1),
    ("HIS", "both"): (("HD1", "HE2"), 2),
    ("LYS", "cationic"): (("HZ1", "HZ2", "HZ3"), 3),
    ("LYS", "neutral"): (("HZ1", "HZ2", "HZ3"), 2),
    ("CYS", "neutral"): (("HG",), 1),
    ("CYS", "anionic"): (("HG",), 0),
    ("TYR", "neutral"): (("HH",), 1),
    ("TYR", "anionic"): (("HH",), 0),
}
SETS = [
    {
        141: ("ASP", "neutral"),
        143: ("GLU", "neutral"),
        127: ("HIS", "delta"),
        130: ("HIS", "epsilon"),
        122: ("LYS", "neutral"),
        6: ("CYS", "anionic"),
        121: ("TYR", "anionic"),
    },
    {
        141: ("ASP", "anionic"),
        143: ("GLU", "anionic"),
        127: ("HIS", "both"),
        130: ("HIS", "delta"),
        122: ("LYS", "cationic"),
        6: ("CYS", "neutral"),
        121: ("TYR", "neutral"),
    },
]


def _fixed(number, name, state, chain="A"):
    place = {"chain": chain, "residue": number, "insertionCode": "", "reason": None}
    return place | {"residueName": name, "state": state}


def _box(lines):
    place = beyond(lines, 130, "NE2", 0)
    return {"centerAngstrom": [float(value) for value in place], "sizeAngstrom": [30.0, 30.0, 30.0]}


def test_the_sets_hold_every_state():
    assert {state for each in SETS for state in each.values()} == set(HYDROGENS)


@pytest.mark.parametrize("method", ["pdb2pqr-propka", "meeko"])
@pytest.mark.parametrize("states", SETS)
def test_every_fixed_state_is_what_the_residue_gets(prepare_file, tmp_path, method, states):
    lines = small_site()
    fixed = [_fixed(number, *state) for number, state in states.items()]
    spec = session(_box(lines), protonationMethod=method, fixedProtonationStates=fixed)
    files = prepare_file(write_with(tmp_path / "site.pdb", lines), spec)
    for number, state in states.items():
        own = [line for line in files.pdb.splitlines() if line[22:26].strip() == str(number)]
        names = [line[12:16].strip() for line in own]
        told, there = HYDROGENS[state]
        assert sum(name in told for name in names) == there, (number, state, names)
        ring = [name for name in names if name in {"HD1", "HE2"}]
        assert state[0] != "HIS" or set(ring) == set(told)
        typed = [line for line in files.pdbqt.splitlines() if line[22:26].strip() == str(number)]
        assert sum(line[12:16].strip() in told for line in typed) == there
    rows = {row["residue"]: row for row in files.report["protonationStates"] if row["isFixed"]}
    assert rows.keys() == states.keys()
    assert rows[6]["state"] == states[6][1]
    decided = {row["residue"]: row["decidedBy"] for row in files.report["histidines"]}
    assert (decided[127], decided[130]) == ("fixed", "fixed")
    assert [each["code"] for each in files.report["warnings"]] == []


@pytest.mark.parametrize("key", ["TYR", "NTYR", "CTYR"])
def test_the_template_of_a_phenolate_is_tyrosine_s_without_its_proton(key):
    templates = make_templates(set(), default_ccd())
    add_anionic_templates(templates, [anionic_key(key)])
    neutral, anionic = (templates.residue_templates[each] for each in (key, anionic_key(key)))
    assert set(neutral.atom_names) - set(anionic.atom_names) == {"HH"}
    oxygen = anionic.mol.GetAtomWithIdx(anionic.atom_names.index("OH"))
    assert (oxygen.GetFormalCharge(), oxygen.GetDegree()) == (-1, 1)
    links = {neutral.atom_names[index]: label for index, label in neutral.link_labels.items()}
    assert {anionic.atom_names[index]: label for index, label in anionic.link_labels.items()} == links
    assert anionic_key(key) not in templates.ambiguous["TYR"]


def _cysteine(number, sulfur):
    return Residue("A", number, "", "CYS", "CYS", False, [Atom("SG", "S", sulfur)])


def test_a_cysteine_in_a_disulfide_cannot_be_fixed():
    bonded = [_cysteine(1, (0.0, 0.0, 0.0)), _cysteine(2, (2.05, 0.0, 0.0)), _cysteine(3, (9.0, 0.0, 0.0))]
    with pytest.raises(ScienceError, match="A:CYS 1 cannot be fixed: it is in a disulfide") as error:
        fixed_residues(bonded, [_fixed(1, "CYS", "anionic")])
    assert error.value.code == "PROTONATION_FAILED"
    assert len(fixed_residues(bonded, [_fixed(3, "CYS", "anionic")])) == 1


@pytest.mark.parametrize("method", ["pdb2pqr-propka", "meeko"])
def test_a_hydrogen_towards_a_retained_metal_cannot_be_fixed(prepare_file, tmp_path, method):
    lines = open_site()
    zinc = atom_line("ZN", "ZN", 900, beyond(lines, 130, "NE2", 2.1), "ZN")
    source = write_with(tmp_path / "zinc.pdb", lines, [zinc])
    options = {"protonationMethod": method, "retainComponents": ["ZN"]}
    for state in ("epsilon", "both"):
        spec = session(_box(lines), fixedProtonationStates=[_fixed(130, "HIS", state)], **options)
        with pytest.raises(
            ScienceError, match=r"A:HIS 130 cannot be made .* NE2 binds a retained metal"
        ) as error:
            prepare_file(source, spec)
        assert error.value.code == "PROTONATION_FAILED"
    spec = session(_box(lines), fixedProtonationStates=[_fixed(130, "HIS", "delta")], **options)
    assert (
        next(row for row in prepare_file(source, spec).report["histidines"] if row["residue"] == 130)["form"]
        == "delta"
    )


def _phenol_at(tmp_path, metal, distance):
    """The small site with a metal at the oxygen of tyrosine 121, bent as such bonds are, where there is most room."""
    lines = small_site()
    carbon, oxygen, side = (position(atom_of(lines, 121, name)) for name in ("CZ", "OH", "CE1"))
    others = np.array([position(line) for line in lines if int(line[22:26]) != 121])
    along = (oxygen - carbon) / np.linalg.norm(oxygen - carbon)
    across = (carbon - side) - np.dot(carbon - side, along) * along
    across /= np.linalg.norm(across)
    angles = np.linspace(0, 2 * np.pi, 36)[:, None]
    around = np.cos(angles) * across + np.sin(angles) * np.cross(along, across)
    places = oxygen + distance * (0.6 * along + 0.8 * around)
    room = np.linalg.norm(places[:, None] - others[None], axis=2).min(axis=1)
    extra = [atom_line(metal, metal, 900, places[room.argmax()], metal)]
    return write_with(tmp_path / f"{metal}.pdb", lines, extra)


@pytest.mark.parametrize(
    ("metal", "method"),
    [
        ("ZN 2.0", "pdb2pqr-propka"),
        pytest.param("ZN 2.0", "meeko", marks=pytest.mark.long),
        ("ZN 2.75", ""),
        pytest.param("CA 2.4", "", marks=pytest.mark.long),
    ],
)
def test_a_tyrosine_is_a_phenolate_where_its_oxygen_binds_a_transition_metal(
    prepare_file, tmp_path, metal, method
):
    name, distance = metal.split()
    source = _phenol_at(tmp_path, name, float(distance))
    options = {"protonationMethod": method or "pdb2pqr-propka", "retainComponents": [name]}
    files = prepare_file(source, session(_box(small_site()), **options))
    tyrosine = [line for line in files.pdb.splitlines() if line[17:26] == "TYR A 121"]
    assert ("HH" in {line[12:16].strip() for line in tyrosine}) == (method == "")
    (site,) = (row for row in files.report["metalSites"] if row["residue"] == 121)
    assert (site["atom"], site["metal"]["residueName"]) == ("OH", name)
    assert site["hydrogensRemoved"] == (["HH"] if method == "pdb2pqr-propka" else [])
    assert files.report["hydrogensSetByTemplate"] == []
    if method:
        spec = session(_box(small_site()), fixedProtonationStates=[_fixed(121, "TYR", "neutral")], **options)
        with pytest.raises(ScienceError, match=r"A:TYR 121 cannot be made neutral: its OH binds a retained"):
            prepare_file(source, spec)


def test_a_neutral_lysine_loses_the_hydrogen_that_has_no_oxygen_to_go_to():
    hydrogens = [("HZ1", (1.0, 0.0, 0.0)), ("HZ2", (-0.5, 0.87, 0.0)), ("HZ3", (-0.5, -0.87, 0.0))]
    atoms = [Atom("NZ", "N", (0.0, 0.0, 0.0)), *(Atom(name, "H", place) for name, place in hydrogens)]
    lysine = Residue("A", 1, "", "LYS", "LYS", False, atoms)
    oxygens = [
        Residue("A", number, "", "GLY", "GLY", False, [Atom("O", "O", place)])
        for number, place in ((2, (2.8, 0.0, 0.0)), (3, (-1.4, -2.4, 0.0)))
    ]
    kept = remove_lost(lysine, _fixed(1, "LYS", "neutral"), [lysine, *oxygens])
    assert [atom.name for atom in kept.atoms] == ["NZ", "HZ1", "HZ3"]
