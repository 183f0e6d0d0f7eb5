import hashlib
import shutil

import pytest

from dockyard_science.toolchain import PACKAGES, cache_key, current_toolchain
from dockyard_session.toolchain import SCIENCE_ROOT, toolchain_sha256


def test_the_present_toolchain_names_its_libraries():
    toolchain = current_toolchain()
    assert toolchain.versions["vina"] == "1.2.7"
    assert {"rdkit", "meeko", "pdb2pqr", "propka", "gemmi", "dimorphite-dl"} <= set(toolchain.versions)
    assert toolchain.worker_image_digest == "sha256:" + toolchain.sha256


@pytest.fixture
def science(tmp_path):
    """The packages that docking is made of, as they are, beside the package of another tool."""
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__", "tests")
        shutil.copytree(SCIENCE_ROOT / package, tmp_path / package, ignore=ignored)
    (tmp_path / "other-tool" / "src").mkdir(parents=True)
    return tmp_path


def test_the_digest_of_docking_does_not_depend_on_other_tools(science):
    assert toolchain_sha256(science, PACKAGES) == current_toolchain().sha256
    (science / "other-tool" / "src" / "tool.py").write_text("tool = 1\n")
    (science / "other-tool" / "requirements.lock").write_text("other==1\n")
    assert toolchain_sha256(science, PACKAGES) == current_toolchain().sha256


@pytest.mark.parametrize("package", PACKAGES)
def test_the_digest_of_docking_depends_on_each_package_it_is_made_of(science, package):
    (science / package / "src" / "more.py").write_text("more = 1\n")
    assert toolchain_sha256(science, PACKAGES) != current_toolchain().sha256


def test_the_cache_key_is_of_the_three_digests():
    key = cache_key("a" * 64, "b" * 64, "c" * 64)
    assert key == hashlib.sha256(f"{'a' * 64}\n{'b' * 64}\n{'c' * 64}\n".encode()).hexdigest()
