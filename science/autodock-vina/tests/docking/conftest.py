import pytest

from docking_world import BOX, RECEPTOR, SPEC, Docker
from dockyard_science.docking import DockingEngine


@pytest.fixture(scope="session")
def engine():
    made = DockingEngine(SPEC, RECEPTOR, BOX)
    yield made
    made.close()


@pytest.fixture
def dock(engine, tmp_path):
    return Docker(engine, tmp_path)
