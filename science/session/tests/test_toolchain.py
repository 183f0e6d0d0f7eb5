import hashlib

import pytest

from dockyard_session.toolchain import (
    _V3,
    SCIENCE_ROOT,
    _x86_level,
    cpu_class,
    toolchain_of,
    toolchain_sha256,
)

FOLDERS = ("shared", "tool")


def _tree(root):
    for folder in (*FOLDERS, "other-tool"):
        package = root / folder / "src" / "package"
        package.mkdir(parents=True)
        (package / "a.py").write_text("a = 1\n")
        (package / "table.tsv").write_text("a\t1\n")
        (package / "notes.txt").write_text("not code\n")
    for folder in ("tool", "other-tool"):
        (root / folder / "requirements.lock").write_text("vina==1\n")


def test_the_digest_is_of_the_lock_and_the_sources_of_the_packages(tmp_path):
    _tree(tmp_path)
    digests = {
        "shared/src/package/a.py": b"a = 1\n",
        "shared/src/package/table.tsv": b"a\t1\n",
        "tool/requirements.lock": b"vina==1\n",
        "tool/src/package/a.py": b"a = 1\n",
        "tool/src/package/table.tsv": b"a\t1\n",
    }
    lines = "".join(f"{path}\t{hashlib.sha256(data).hexdigest()}\n" for path, data in sorted(digests.items()))
    assert toolchain_sha256(tmp_path, FOLDERS) == hashlib.sha256(lines.encode()).hexdigest()


@pytest.mark.parametrize(
    "file", ["tool/src/package/a.py", "tool/requirements.lock", "shared/src/package/table.tsv"]
)
def test_the_digest_changes_with_each_file_of_the_packages(tmp_path, file):
    _tree(tmp_path)
    before = toolchain_sha256(tmp_path, FOLDERS)
    (tmp_path / file).write_text("changed\n")
    assert toolchain_sha256(tmp_path, FOLDERS) != before


@pytest.mark.parametrize(
    "file",
    ["tool/src/package/notes.txt", "other-tool/src/package/b.py", "other-tool/requirements.lock", "new.py"],
)
def test_the_digest_changes_with_nothing_else(tmp_path, file):
    _tree(tmp_path)
    before = toolchain_sha256(tmp_path, FOLDERS)
    (tmp_path / file).write_text("changed\n")
    assert toolchain_sha256(tmp_path, FOLDERS) == before


def test_a_toolchain_names_the_versions_of_its_libraries():
    toolchain = toolchain_of(("session",), ("pytest",))
    assert set(toolchain.versions) == {"python", "pytest"}
    assert toolchain.sha256 == toolchain_sha256(SCIENCE_ROOT, ("session",))
    assert toolchain.worker_image_digest == "sha256:" + toolchain.sha256


def test_the_cpu_class_is_the_highest_level_whose_flags_are_all_there():
    assert _x86_level(frozenset(_V3)) == "x86-64-v3"
    assert _x86_level(frozenset(_V3 - {"fma"})) == "x86-64-v2"
    assert _x86_level(frozenset()) == "x86-64"
    assert cpu_class() != ""
