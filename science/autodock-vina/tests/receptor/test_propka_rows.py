"""propka's numbers are added up faster and are the same to the last bit; a molecule is not asked about twice."""

import propka.conformation_container
import propka.iterative
import propka.version
import pytest

from dockyard_science import propka_rows, protonation
from dockyard_science.propka_rows import PropkaRuns
from receptor_world import FOLATE_BOX, open_site, session, small_site
from structures_world import PROTEASE, TRYPSIN, position, write_with

MIDDLE = {"centerAngstrom": [0.0, 0.0, 0.0], "sizeAngstrom": [40.0, 40.0, 40.0]}
BOXES = {TRYPSIN: [0.3, 13.7, 19.5], PROTEASE: [10.0, 24.0, 6.0]}
PATCHED = (
    (propka.version, "radial_volume_desolvation"),
    (propka.conformation_container, "set_backbone_determinants"),
    (propka.iterative, "find_iterative"),
)


class Both:
    """Runs propka as it is and ours, and keeps what both say."""

    def __init__(self):
        self.own, self.ours = [], []

    def run(self, args, biomolecule):
        rows, table = propka_rows._run_propka(args, biomolecule)
        self.own.append(([dict(row) for row in rows], table))
        found = PropkaRuns().run(args, biomolecule)
        self.ours.append(([dict(row) for row in found[0]], found[1]))
        return found


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(None, id="a site"),
        pytest.param(TRYPSIN, marks=pytest.mark.long, id="trypsin"),
        pytest.param(PROTEASE, marks=pytest.mark.long, id="a dimer"),
    ],
)
def test_every_number_is_the_one_that_propka_gives_by_itself(prepare_file, tmp_path, monkeypatch, source):
    both = Both()
    monkeypatch.setattr(protonation, "_PROPKA", both)
    before = [getattr(module, name) for module, name in PATCHED]
    if source is None:
        source = write_with(tmp_path / "site.pdb", small_site())
        prepare_file(source, session(FOLATE_BOX))
    else:
        prepare_file(source, session(MIDDLE | {"centerAngstrom": BOXES[source]}))
    assert len(both.own) > 0
    assert both.ours == both.own
    assert [getattr(module, name) for module, name in PATCHED] == before


def _runs(monkeypatch):
    """A list that grows with each run of propka."""
    runs = []
    own = propka_rows._run_propka

    def counted(*args):
        runs.append(1)
        return own(*args)

    monkeypatch.setattr(propka_rows, "_run_propka", counted)
    monkeypatch.setattr(protonation, "_PROPKA", PropkaRuns())
    return runs


def test_the_same_molecule_is_asked_about_once(prepare_file, tmp_path, monkeypatch):
    """Fixed states come after propka, so they make no other molecule of it; and no run sees what another was told."""
    runs = _runs(monkeypatch)
    lines = small_site()
    source = write_with(tmp_path / "site.pdb", lines)
    box = MIDDLE | {"centerAngstrom": [float(value) for value in position(lines[0])]}
    place = {"chain": "A", "residue": 130, "insertionCode": "", "residueName": "HIS", "reason": None}
    first = prepare_file(source, session(box), name="first")
    fixed = session(box, fixedProtonationStates=[place | {"state": "both"}])
    second = prepare_file(source, fixed, name="second")
    third = prepare_file(source, session(box), name="third")
    assert len(runs) == 1
    assert first.report["pka"] == second.report["pka"]
    assert (first.pdbqt, first.report) == (third.pdbqt, third.report)
    assert first.pdbqt != second.pdbqt


def test_another_molecule_or_ph_is_asked_about_anew(prepare_file, tmp_path, monkeypatch):
    runs = _runs(monkeypatch)
    lines = small_site()
    box = MIDDLE | {"centerAngstrom": [float(value) for value in position(lines[0])]}
    source = write_with(tmp_path / "site.pdb", lines)
    prepare_file(source, session(box), name="first")
    prepare_file(source, session(box, protonationPh=5.0), name="acid")
    prepare_file(write_with(tmp_path / "open.pdb", open_site()), session(box), name="open")
    assert len(runs) == 3
