"""A ligand that is asked for in its likely states is docked in each, and the best by score and cost has the poses."""

import json

import pytest
from rdkit import Chem

from docking_world import SPEC, Docker
from dockyard_science.ccd import default_ccd
from dockyard_science.docked_states import docked_states
from dockyard_science.dry_run import LigandChecker
from dockyard_science.ligand import prepare_ligand, prepare_states
from dockyard_science.ligand_request import LigandRequest
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.modes import state_exhaustiveness
from dockyard_science.pka_table import read_table
from dockyard_science.poses import DockedPoses, Pose
from dockyard_science.states import KCAL_MOL_PER_UNIT, MOST_ISOMERS, MOST_STATES
from dockyard_science.tautomers import near_tautomers
from dockyard_session.errors import ScienceError
from json_schema import schema_of, violations

PH = 7.4
RACEMATE = "C[C@H]([NH3+])Cc1ccccc1 |&1:1|"
# As many open centres as a batch of nonsense has.
TWENTY_CENTRES = "CC(F)" + "C(Cl)C(F)" * 9 + "C(Br)C"


def states_of(smiles, ph=PH):
    return prepare_states(LigandRequest(RawLigand("smiles", smiles), ph, states="likely"))


def told(states):
    return [(state.smiles_docked, state.cost) for state in states.each]


def codes(states):
    return [warning["code"] for warning in states.each[0].warnings]


def canonical(smiles):
    return Chem.MolToSmiles(Chem.MolFromSmiles(smiles))


@pytest.mark.parametrize(
    ("smiles", "expected"),
    [
        ("Oc1ccccc1", ["Oc1ccccc1"]),
        ("CC(F)Cl", ["C[C@@H](F)Cl", "C[C@H](F)Cl"]),
        ("CC=CCl", ["C/C=C/Cl", r"C/C=C\Cl"]),
        ("Cc1cnc[nH]1", ["Cc1c[nH]cn1", "Cc1cnc[nH]1", "Cc1c[nH+]c[nH]1"]),
        ("Oc1cccc(Cl)n1", ["O=c1cccc(Cl)[nH]1", "O=c1cccc(Cl)[n-]1", "Oc1cccc(Cl)n1"]),
        # Drawn in a form that hardly occurs in water, which is none of its likely states.
        ("Oc1ccccn1", ["O=c1cccc[nH]1"]),
        # A symmetric cage leaves no choice.
        ("NC12CC3CC(CC(C3)C1)C2", ["[NH3+]C12CC3CC(CC(C3)C1)C2"]),
    ],
)
def test_a_ligand_stands_for_its_isomers_tautomers_and_forms_near_the_ph(smiles, expected):
    made = [smiles for smiles, _ in told(states_of(smiles))]
    assert made == [canonical(each) for each in expected]


def test_the_forms_of_a_site_within_a_unit_of_the_ph_differ_by_the_cost_of_the_distance():
    near = states_of("C1COCCN1Cc1ccccc1", 7.0)
    [first, second] = told(near)
    assert first[1] == 0.0
    [site] = near.each[0].sites
    assert second[1] == pytest.approx(KCAL_MOL_PER_UNIT * abs(site["effectivePKa"] - 7.0), abs=0.001)
    assert 0 < second[1] <= KCAL_MOL_PER_UNIT
    assert near.each[0].sites[0]["state"] != near.each[1].sites[0]["state"]
    # Both are docked, so neither is told as the other one; further away there is one again.
    assert "PROTONATION_NEAR_PKA" not in codes(near)
    assert len(states_of("C1COCCN1Cc1ccccc1", 3.0).each) == 1


def test_of_an_ion_that_two_tautomers_give_there_is_one():
    assert told(states_of("Cc1cnc[nH]1", 7.4))[-1][0] == "Cc1c[nH+]c[nH]1"
    assert [cost for _, cost in told(states_of("Cc1cnc[nH]1", 7.4))].count(0.0) == 2


@pytest.mark.parametrize("mark", ["&1", "o1"])
def test_a_racemate_stands_for_both_isomers_whichever_is_drawn(mark):
    drawn = RACEMATE.replace("&1", mark)
    both = states_of(drawn)
    assert told(both) == told(states_of(drawn.replace("C[C@H]", "C[C@@H]")))
    assert len(both.each) == 2
    [warning] = both.each[0].warnings
    assert warning["code"] == "STEREO_RELATIVE"
    assert "each of them was docked" in warning["message"]


def test_states_do_not_depend_on_the_writing():
    one = states_of("CC(O)C(N)c1ccc(O)nc1")
    assert told(one) == told(states_of("Oc1ccc(cn1)C([NH3+])C(C)O"))
    assert [state.pdbqt for state in one.each] == [
        state.pdbqt for state in states_of("Oc1ccc(cn1)C([NH3+])C(C)O").each
    ]


def test_states_that_explode_are_limited_and_told():
    many = states_of(TWENTY_CENTRES)
    assert len(many.each) == MOST_ISOMERS
    assert many.on_paper == 2**20
    message = next(w["message"] for w in many.each[0].warnings if w["code"] == "STATES_LIMITED")
    assert "1,048,576" in message
    assert f"the {MOST_ISOMERS} likeliest" in message


def test_at_most_sixteen_states_are_docked_the_likeliest_first():
    # Four open centres and a site near the pH: sixteen isomers of each of two forms.
    many = states_of("CC(F)C(Cl)C(F)C(Cl)CCCCN1CCOCC1")
    costs = [cost for _, cost in told(many)]
    assert len(costs) == MOST_STATES
    assert costs == sorted(costs)
    assert costs.count(0.0) == MOST_ISOMERS
    assert "STATES_LIMITED" in codes(many)


@pytest.mark.parametrize("smiles", ["CC(O)C(N)c1ccccc1", "CN(C)CCOc1ccccc1", "Oc1ccccn1", RACEMATE])
def test_one_state_is_what_it_was(smiles):
    raw = RawLigand("smiles", smiles)
    [single] = prepare_states(LigandRequest(raw, PH)).each
    assert single.record() == prepare_ligand(raw, PH).record()
    assert prepare_states(LigandRequest(raw, PH)).on_paper is None


def test_a_file_that_is_docked_as_it_is_has_one_state():
    pdbqt = prepare_ligand(RawLigand("smiles", "CC(O)CN"), PH).pdbqt
    states = prepare_states(LigandRequest(RawLigand("pdbqt", pdbqt), PH, states="likely"))
    assert (len(states.each), states.on_paper) == (1, 1)


def rows():
    for name, _, units, pairs, _ in read_table("tautomer_pairs.tsv"):
        for pair in pairs.split(", "):
            yield name, float(units), *pair.split(">")


@pytest.mark.parametrize(
    ("smiles", "count"),
    [
        # The table of unlikely tautomers has the other form of these, and the xanthines keep their proton at N7.
        ("O=[N+]([O-])c1c[nH]cn1", 1),
        ("Cc1ncc([N+](=O)[O-])[nH]1", 1),
        ("Brc1c[nH]cn1", 1),
        ("Cn1c(=O)c2[nH]cnc2n(C)c1=O", 1),
        ("Cc1c[nH]cn1", 2),
        ("O=[N+]([O-])c1ccc2[nH]cnc2c1", 2),
        ("Nc1ncnc2[nH]cnc12", 2),
    ],
)
def test_a_form_that_hardly_occurs_is_no_state(smiles, count):
    assert len(near_tautomers(Chem.MolFromSmiles(smiles))) == count


@pytest.mark.parametrize(("name", "units", "one", "other"), list(rows()))
def test_each_row_of_the_table_of_near_tautomers_is_proven(name, units, one, other):
    found = {Chem.MolToSmiles(mol): above for mol, above in near_tautomers(Chem.MolFromSmiles(one))}
    assert found[canonical(other)] - found[canonical(one)] == units, name
    assert min(found.values()) == 0.0
    assert told(states_of(one)) == told(states_of(other))


@pytest.mark.parametrize(
    "smiles",
    [
        "c1ccc2[nH]ncc2c1",
        "Cc1nc[nH]n1",
        "Oc1ccccc1",
        "CC(=O)N",
        "c1ccc2[nH]ccc2c1",
        "Cn1ccnc1",
        "O=c1cccc[nH]1",
    ],
)
def test_no_form_is_added_that_hardly_occurs(smiles):
    for form, _ in near_tautomers(Chem.MolFromSmiles(smiles)):
        # 2H-indazole, 4H-1,2,4-triazole and hydroxypyridine are rarer than one in ten.
        assert not form.HasSubstructMatch(
            Chem.MolFromSmarts("[$(c1ccc2n[nH]cc2c1),$([nH]1cnnc1),$(Oc1ccccn1)]")
        )


def test_all_states_together_are_searched_at_most_twice_as_long_up_to_eight():
    assert [state_exhaustiveness(8, states) for states in (1, 2, 3, 4, 8, 16)] == [8, 8, 6, 4, 2, 2]
    assert [state_exhaustiveness(1, states) for states in (1, 2, 16)] == [1, 1, 1]


@pytest.fixture(scope="module")
def docked(engine, tmp_path_factory):
    docker = Docker(engine, tmp_path_factory.mktemp("states"))
    docker.summary = docker("open", "CC(O)c1ccncc1", states="likely")[1]
    docker("same", docker.summary["smilesDocked"])
    return docker


def result_of(docked, name):
    return json.loads((docked.out / "ligands" / name / "result.json").read_text())


def test_the_best_state_has_the_poses_and_the_others_their_scores(docked):
    document = result_of(docked, "open")
    assert violations(document, schema_of("result")) == []
    result = document["result"]
    states = result["states"]
    assert states["onPaper"] == len(states["each"]) == docked.summary["statesDocked"] == 2
    totals = [state["totalKcalMol"] for state in states["each"]]
    winner = states["each"][states["won"] - 1]
    assert winner["totalKcalMol"] == min(totals)
    assert (
        winner["bestAffinityKcalMol"]
        == result["bestAffinityKcalMol"]
        == result["poses"][0]["affinityKcalMol"]
    )
    assert winner["smiles"] == result["ligand"]["smilesDocked"]
    assert result["provenance"]["parameters"]["stateExhaustiveness"] == SPEC["exhaustiveness"]
    # What is docked alone has the same poses.
    alone = result_of(docked, "same")["result"]
    assert alone["poses"] == result["poses"]
    assert "states" not in alone
    pose = next(Chem.SDMolSupplier(str(docked.out / "ligands/open/poses.sdf")))
    assert pose.GetProp("state") == f"{states['won']} of 2"
    assert pose.GetProp("state_cost_kcal_mol") == "0.000"


def test_progress_and_log_go_over_all_states(docked):
    log = (docked.out / "ligands/open/dock.log").read_text()
    assert log.count("mode |   affinity") == 2
    assert "state 2 of 2: " in log
    first = docked.percents[: docked.percents.index(100.0) + 1]
    assert first == sorted(first)


def poses(*scores, shapes=(None,)):
    rows = enumerate(zip(scores, shapes, strict=True), 1)
    modes = [Pose(mode, score, 0, 0, 0, 0, 0, shape) for mode, (score, shape) in rows]
    return DockedPoses(Chem.Mol(), modes, "")


def test_the_cost_decides_between_states_and_one_that_does_not_fit_is_passed_over():
    prepared = states_of("C1COCCN1Cc1ccccc1", 7.0)
    cost = prepared.each[1].cost
    too_large = ScienceError("LIGAND_TOO_LARGE", "It does not fit.")
    assert docked_states(prepared, [poses(-6.0), poses(-6.0 - cost + 0.1)]).number == 1
    assert docked_states(prepared, [poses(-6.0), poses(-6.0 - cost - 0.1)]).number == 2
    one = docked_states(prepared, [too_large, poses(-5.0)])
    assert (one.number, one.scores) == (2, [None, -5.0])
    with pytest.raises(ScienceError, match="does not fit"):
        docked_states(prepared, [too_large, too_large])


def test_what_bends_the_rings_of_a_state_is_part_of_its_cost():
    prepared = states_of("CC1CCCNC1")
    first, second = ([shape.energy for shape in each.shapes.found.shapes] for each in prepared.each)
    relaxed, bent = second.index(0) + 1, second.index(max(second)) + 1
    strain = max(second)
    assert strain > 0.5
    other = poses(-6.0, shapes=[first.index(0) + 1])
    assert docked_states(prepared, [other, poses(-5.9 - strain, shapes=[bent])]).number == 1
    won = docked_states(prepared, [other, poses(-6.1 - strain, shapes=[bent])])
    assert (won.number, won.scores, won.costs) == (2, [-6.0, -6.1 - strain], [0.0, strain])
    # A mode without the strain that is hardly worse says what the ligand would do.
    won = docked_states(prepared, [other, poses(-6.3, -6.2, shapes=[bent, relaxed])])
    assert (won.number, won.costs) == (2, [0.0, 0.1])


@pytest.mark.parametrize("smiles", ["CC1CCCN1C(C)=O", "CC1CCCCCCCCCCC(=O)O1"])
def test_puckers_of_a_ring_of_five_and_shapes_of_a_large_one_cost_nothing(smiles):
    shapes = prepare_ligand(RawLigand("smiles", smiles), PH).shapes
    energies = [shape.energy for shape in shapes.found.shapes]
    assert max(energies) > 0.5
    assert {shapes.strain(number) for number in range(1, 1 + len(energies))} == {0.0}


def test_a_dry_run_tells_the_states(tmp_path):
    checker = LigandChecker(1)
    source = {"kind": "smiles", "smiles": "CC(O)c1ccncc1"}
    spec = {"ligandId": "l", "label": "l", "source": source, "protonationPh": PH, "states": "likely"}
    _, summary = checker.check(spec, None, tmp_path, ccd=default_ccd(), progress=lambda _: None)
    checker.close()
    told = json.loads((tmp_path / "ligands/l/preparation.json").read_text())
    assert violations(told, schema_of("ligand-preparation")) == []
    found = told["preparation"]["states"]
    assert summary["statesDocked"] == len(found["each"]) == found["onPaper"] == 2
