import hashlib

from dockyard_science.toolchain import (
    _V3,
    _x86_level,
    cache_key,
    cpu_class,
    current_toolchain,
    toolchain_sha256,
)


def _tree(root):
    (root / "src" / "package").mkdir(parents=True)
    (root / "requirements.lock").write_text("vina==1\n")
    (root / "src" / "package" / "b.py").write_text("b = 1\n")
    (root / "src" / "package" / "a.py").write_text("a = 1\n")
    (root / "src" / "package" / "table.tsv").write_text("a\t1\n")
    (root / "src" / "package" / "notes.txt").write_text("not code\n")


def test_the_digest_is_of_the_lock_and_the_sources(tmp_path):
    _tree(tmp_path)
    digests = {
        "requirements.lock": b"vina==1\n",
        "src/package/a.py": b"a = 1\n",
        "src/package/b.py": b"b = 1\n",
        "src/package/table.tsv": b"a\t1\n",
    }
    lines = "".join(f"{path}\t{hashlib.sha256(data).hexdigest()}\n" for path, data in sorted(digests.items()))
    assert toolchain_sha256(tmp_path) == hashlib.sha256(lines.encode()).hexdigest()


def test_the_digest_changes_with_any_source_and_with_nothing_else(tmp_path):
    _tree(tmp_path)
    before = toolchain_sha256(tmp_path)
    (tmp_path / "src" / "package" / "notes.txt").write_text("other notes\n")
    assert toolchain_sha256(tmp_path) == before
    (tmp_path / "src" / "package" / "a.py").write_text("a = 2\n")
    recoded = toolchain_sha256(tmp_path)
    assert recoded != before
    (tmp_path / "src" / "package" / "table.tsv").write_text("a\t2\n")
    assert toolchain_sha256(tmp_path) != recoded


def test_the_present_toolchain_names_its_libraries():
    toolchain = current_toolchain()
    assert toolchain.versions["vina"] == "1.2.7"
    assert {"rdkit", "meeko", "pdb2pqr", "propka", "gemmi", "dimorphite-dl"} <= set(toolchain.versions)
    assert toolchain.worker_image_digest == "sha256:" + toolchain.sha256


def test_the_cpu_class_is_the_highest_level_whose_flags_are_all_there():
    assert _x86_level(frozenset(_V3)) == "x86-64-v3"
    assert _x86_level(frozenset(_V3 - {"fma"})) == "x86-64-v2"
    assert _x86_level(frozenset()) == "x86-64"
    assert cpu_class() != ""


def test_the_cache_key_is_of_the_three_digests():
    key = cache_key("a" * 64, "b" * 64, "c" * 64)
    assert key == hashlib.sha256(f"{'a' * 64}\n{'b' * 64}\n{'c' * 64}\n".encode()).hexdigest()
