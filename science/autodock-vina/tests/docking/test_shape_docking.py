"""A ligand that is docked in shapes of its ring has the files of every other ligand, and says which pose has which."""

import json
import time
from dataclasses import replace

import pytest
from rdkit import Chem
from vina import Vina

from docking_world import BOX, RECEPTOR, SPEC, TOOLCHAIN, Docker
from dockyard_science import ring_shapes
from dockyard_science.conformer import embed_more
from dockyard_science.docking import MIN_RMSD_ANGSTROM, DockingEngine, DockingTask, run_docking
from dockyard_science.ligand import prepare_ligand
from dockyard_science.ligand_request import LigandRequest
from dockyard_science.ligand_sources import RawLigand
from dockyard_science.modes import VinaRun, merge_modes
from dockyard_science.pdbqt import split_models
from dockyard_session.errors import ScienceError
from json_schema import schema_of, violations

LIGANDS = {"ten": "O=C1CC(O)CCCCCCO1", "eight": "O=C1CCC(O)CCCN1", "flat": "Oc1ccccc1"}
# Twenty searches take a while; what holds for four of them holds for twenty.
SHAPED = (pytest.param("ten", marks=pytest.mark.long), "eight")
QUICK = ("eight", "flat")


class Shaped(Docker):
    """Docks each ligand once, when its result is asked for."""

    def __init__(self, engine, out):
        super().__init__(engine, out)
        self.results = {}
        self.progress = {}

    def dock(self, name):
        if name not in self.results:
            self.percents = []
            self.results[name] = self(name, LIGANDS[name])
            self.progress[name] = self.percents
        return self.out / "ligands" / name


@pytest.fixture(scope="module")
def docked(engine, tmp_path_factory):
    return Shaped(engine, tmp_path_factory.mktemp("shaped"))


@pytest.fixture(scope="module")
def bare():
    vina = Vina("vina", cpu=1, seed=SPEC["seed"], verbosity=0)
    vina.set_receptor(str(RECEPTOR))
    vina.compute_vina_maps(BOX["centerAngstrom"], BOX["sizeAngstrom"])

    def dock(pdbqt, exhaustiveness):
        vina.set_ligand_from_string(pdbqt)
        vina.dock(exhaustiveness, SPEC["numModes"])
        modes, energy_range = SPEC["numModes"], SPEC["energyRangeKcalMol"]
        return VinaRun(vina.poses(modes, energy_range), vina.energies(modes, energy_range).tolist())

    return dock


def folder(docker, name):
    return docker.dock(name) if isinstance(docker, Shaped) else docker.out / "ligands" / name


def result_of(docked, name):
    return json.loads((folder(docked, name) / "result.json").read_text())


def merged(runs):
    return merge_modes(
        runs,
        most=SPEC["numModes"],
        energy_range=SPEC["energyRangeKcalMol"],
        min_rmsd=MIN_RMSD_ANGSTROM,
    )


@pytest.mark.parametrize("name", SHAPED)
def test_the_result_tells_the_shapes_and_fits_its_schema(docked, name):
    document = result_of(docked, name)
    assert violations(document, schema_of("result")) == []
    result = document["result"]
    shapes = result["ligand"]["ringShapes"]["shapes"]
    assert len(shapes) == docked.results[name][1]["shapesDocked"] > 1
    assert {pose["shape"] for pose in result["poses"]} <= {shape["shape"] for shape in shapes}
    energies = [pose["affinityKcalMol"] for pose in result["poses"]]
    assert energies == sorted(energies)
    assert energies[-1] - energies[0] <= SPEC["energyRangeKcalMol"]
    assert len(energies) <= SPEC["numModes"]
    assert result["provenance"]["parameters"]["exhaustiveness"] == 1
    assert result["provenance"]["parameters"]["shapeExhaustiveness"] == 1


def test_a_ligand_without_such_a_ring_says_nothing_of_shapes(docked):
    text = (folder(docked, "flat") / "result.json").read_text()
    assert "hape" not in text.replace("smilesDocked", "")
    assert "shape" not in (folder(docked, "flat") / "poses.sdf").read_text()
    assert "shape" not in (folder(docked, "flat") / "dock.log").read_text()
    assert "shapesDocked" not in docked.results["flat"][1]


def test_every_mode_is_what_vina_alone_finds_with_its_shape(docked, bare):
    name = "eight"
    result = result_of(docked, name)["result"]
    assert len(result["ligand"]["ringShapes"]["shapes"]) == 2
    runs = [bare(shape["pdbqt"], 1) for shape in result["ligand"]["ringShapes"]["shapes"]]
    text = (folder(docked, name) / "poses.pdbqt").read_text()
    assert merged(runs).run.pdbqt == text
    for pose, mode in zip(result["poses"], split_models(text), strict=True):
        alone = [model.partition("\n") for model in split_models(runs[pose["shape"] - 1].pdbqt)]
        first, _, rest = mode.partition("\n")
        # All but the bounds to mode 1, which may be another one.
        assert (first.split()[:4], rest) in [(line.split()[:4], more) for line, _, more in alone]
    assert min(run.energies[0][0] for run in runs) == result["bestAffinityKcalMol"]


@pytest.mark.long
def test_the_bounds_of_one_search_are_those_that_vina_wrote(bare):
    run = bare(prepare_ligand(RawLigand("smiles", "OCC(O)c1ccc(cc1)S(=O)(=O)N"), 7.4).pdbqt, 1)
    again = merged([run])
    assert len(again.run.energies) == len(run.energies) > 2
    for ours, theirs in zip(split_models(again.run.pdbqt), split_models(run.pdbqt), strict=True):
        (first, _, rest), (line, _, more) = ours.partition("\n"), theirs.partition("\n")
        assert (rest, len(first)) == (more, len(line.rstrip()))
        assert [float(word) for word in first.split()[3:]] == pytest.approx(
            [float(word) for word in line.split()[3:]], abs=0.002
        )


@pytest.mark.parametrize("name", SHAPED)
def test_the_sdf_says_which_shape_a_pose_has(docked, name):
    poses = result_of(docked, name)["result"]["poses"]
    mols = list(Chem.SDMolSupplier(str(folder(docked, name) / "poses.sdf"), removeHs=False))
    assert [int(mol.GetProp("shape")) for mol in mols] == [pose["shape"] for pose in poses]
    for mol in mols:
        Chem.AssignStereochemistryFrom3D(mol)
        assert Chem.MolToSmiles(Chem.RemoveHs(mol)) == docked.results[name][1]["smilesDocked"]


@pytest.mark.long
def test_another_order_gives_the_same_bytes(docked, dock):
    for name in reversed(QUICK):
        dock(name, LIGANDS[name])
    for name in QUICK:
        for file in ("poses.sdf", "poses.pdbqt", "dock.log"):
            again, before = (folder(place, name) / file for place in (dock, docked))
            assert again.read_bytes() == before.read_bytes()
        assert result_of(dock, name)["sha256"] == result_of(docked, name)["sha256"]


@pytest.mark.parametrize("name", SHAPED)
def test_progress_goes_over_all_shapes(docked, name):
    log = (folder(docked, name) / "dock.log").read_text()
    percents = docked.progress[name]
    count = docked.results[name][1]["shapesDocked"]
    assert percents == sorted(percents)
    assert percents[-1] == 100
    # Between the preparation and the writing each shape moves it on.
    assert len({int((percent - 3) / 94 * count) for percent in percents if 3 < percent < 97}) == count
    assert f"shape {count} of {count}\n" in log
    assert log.count("mode |   affinity") == count


def slow_task(out, limit):
    return DockingTask(
        "ring",
        LigandRequest(RawLigand("smiles", "O=C1CCCCCCCCO1"), 7.4),
        {"kind": "ligand", "label": "ring", "source": {"kind": "smiles"}},
        out / "ring",
        TOOLCHAIN,
        preparation_seconds=limit,
    )


@pytest.fixture
def slowed(monkeypatch):
    """An engine whose child process takes so many seconds more for each batch of conformers."""
    engines = []

    def make(seconds):
        def slow(built, count, seed, *, is_random):
            time.sleep(seconds)
            return embed_more(built, count, seed, is_random=is_random)

        monkeypatch.setattr(ring_shapes, "embed_more", slow)
        monkeypatch.setattr(ring_shapes, "LARGE", replace(ring_shapes.LARGE, conformers=31, kept=2))
        engines.append(DockingEngine(SPEC, RECEPTOR, BOX))
        return engines[0]

    yield make
    engines[0].close()


@pytest.mark.long
def test_each_batch_of_conformers_has_the_limit_of_a_preparation_to_itself(slowed, tmp_path):
    begin = time.monotonic()
    assert run_docking(slowed(1.5), slow_task(tmp_path, 4.0), lambda _: None)["shapesDocked"] == 2
    assert time.monotonic() - begin > 4.0


def test_a_hang_while_the_shapes_are_built_is_ended(slowed, tmp_path):
    with pytest.raises(ScienceError, match=r"within 2 seconds") as failure:
        run_docking(slowed(60), slow_task(tmp_path, 2.0), lambda _: None)
    assert failure.value.code == "LIGAND_PREPARATION_TIMEOUT"


class LateWord:
    """An engine whose stars are read before the word that its docking has begun, as on a busy machine."""

    def run(self, task, watch):
        watch.on_stage("building the shapes of a ring")
        watch.on_text(b"|----|----|\n*****")
        watch.on_stage("docking")
        watch.on_text(b"*****")
        return {}


def test_progress_does_not_fall_when_the_word_of_a_stage_comes_late(tmp_path):
    percents = []
    run_docking(LateWord(), slow_task(tmp_path, 4.0), percents.append)
    assert percents == sorted(percents)
    assert percents[1] == percents[2] < percents[3] < percents[4] == 100
