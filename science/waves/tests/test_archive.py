"""Archives of cases: every kind is read, and none writes outside, links, or grows without end."""

import io
import tarfile
import zipfile

import pytest

from dockyard_session.errors import ScienceError
from dockyard_waves.archive import Bounds, is_archive, unpack
from dockyard_waves.layout import lay_out_files
from dockyard_waves.outputs import MOST_OUTPUTS, gather, output_of

FILES = {"INPUT": b"STOP\n", "data/wind.dat": b"1 2 3\n"}


def tar_of(path, mode, members):
    with tarfile.open(path, mode) as archive:
        for name, content, kind in members:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(content), "/etc/passwd"
            archive.addfile(info, io.BytesIO(content))
    return path


def zip_of(path, members, attributes=0):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type = attributes, zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


@pytest.mark.parametrize("ending", ["zip", "tar", "tar.gz", "tar.xz"])
def test_every_kind_of_archive_is_unpacked(tmp_path, ending):
    path = tmp_path / f"case.{ending}"
    if ending == "zip":
        zip_of(path, FILES.items())
    else:
        mode = {"tar": "w", "tar.gz": "w:gz", "tar.xz": "w:xz"}[ending]
        tar_of(path, mode, [(name, content, tarfile.REGTYPE) for name, content in FILES.items()])
    assert is_archive(path)
    assert unpack(path, tmp_path / "out") == sorted(FILES)
    assert {name: (tmp_path / "out" / name).read_bytes() for name in FILES} == FILES


def test_a_command_file_is_no_archive(tmp_path):
    (tmp_path / "INPUT").write_bytes(b"PROJECT 'a' '1'\n")
    assert not is_archive(tmp_path / "INPUT")


@pytest.mark.parametrize("name", ["../out.dat", "a/../../b", "/etc/passwd", "C:\\x", "a\\..\\..\\b"])
def test_a_name_that_leads_out_is_refused_and_nothing_is_written(tmp_path, name):
    for path in (
        zip_of(tmp_path / "a.zip", [(name, b"x")]),
        tar_of(tmp_path / "a.tar", "w", [(name, b"x", tarfile.REGTYPE)]),
    ):
        with pytest.raises(ScienceError, match="refused") as failed:
            unpack(path, tmp_path / "in" / "out")
        assert failed.value.code == "CASE_PATH_REFUSED"
    assert [
        file for file in tmp_path.rglob("*") if file.suffix not in {".zip", ".tar"} and file.is_file()
    ] == []


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_refused(tmp_path, kind):
    with pytest.raises(ScienceError, match="a link or a device") as failed:
        unpack(tar_of(tmp_path / "a.tar", "w", [("link", b"", kind)]), tmp_path / "out")
    assert failed.value.code == "CASE_PATH_REFUSED"


def test_a_link_in_a_zip_is_refused(tmp_path):
    with pytest.raises(ScienceError, match="a link or a device"):
        unpack(zip_of(tmp_path / "a.zip", [("link", b"/etc/passwd")], 0o120777 << 16), tmp_path / "out")


def test_bombs_are_given_up_while_they_are_read(tmp_path):
    path = zip_of(tmp_path / "a.zip", [("zeros", bytes(50_000_000))])
    assert path.stat().st_size < 100_000
    with pytest.raises(ScienceError, match="more than 1000000 bytes") as failed:
        unpack(path, tmp_path / "out", Bounds(bytes=1_000_000))
    assert failed.value.code == "CASE_UNREADABLE"
    assert (tmp_path / "out" / "zeros").stat().st_size <= 1_000_000
    many = zip_of(tmp_path / "b.zip", [(f"f{number}", b"") for number in range(20)])
    with pytest.raises(ScienceError, match="more than 10 files"):
        unpack(many, tmp_path / "many", Bounds(files=10))


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: data[:40] + b"\0\1\2" * 30]
)
@pytest.mark.parametrize("ending", ["zip", "tar.gz", "tar.xz"])
def test_a_damaged_archive_is_unreadable(tmp_path, ending, damage):
    path = tmp_path / f"case.{ending}"
    if ending == "zip":
        zip_of(path, FILES.items())
    else:
        tar_of(path, f"w:{ending[-2:]}", [(n, c * 500, tarfile.REGTYPE) for n, c in FILES.items()])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ScienceError) as failed:
        unpack(path, tmp_path / "out")
    assert failed.value.code == "CASE_UNREADABLE"


def test_a_file_that_is_only_named_as_an_archive_is_unreadable(tmp_path):
    source = tmp_path / "source"
    source.write_bytes(b"7z\xbc\xaf\x27\x1c")
    with pytest.raises(ScienceError, match=r"'case\.7z' is no archive of the kinds zip, tar") as caught:
        lay_out_files(source, "case.7z", {}, tmp_path / "case")
    assert caught.value.code == "CASE_UNREADABLE"


def test_what_a_store_does_not_take_goes_into_one_archive(tmp_path):
    names = [f"cases/1/f{number:03}.txt" for number in range(MOST_OUTPUTS + 5)] + ["cases/1/a?b"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    outputs = gather(
        tmp_path, "cases/1/", [(name, "field") for name in names], [output_of("summary.json", "summary")]
    )
    assert len(outputs) == MOST_OUTPUTS
    with tarfile.open(tmp_path / "cases/1/case.tar") as archive:
        packed = archive.getnames()
    assert "a?b" in packed
    assert (tmp_path / "cases/1/case.txt").read_text().split() == packed
    assert len(packed) + len(outputs) - 3 == len(names)
