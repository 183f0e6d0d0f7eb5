"""Which files are read, which are refused: by content, and never a part taken for the whole."""

import gemmi
import pytest

from dockyard_session.errors import ScienceError
from dockyard_structures.structure import read_structure
from structures_world import (
    CALCIUM,
    FOLATE,
    MODIFIED,
    PR,
    PROTEASE,
    REDUCTASE,
    TRYPSIN,
    atom_of,
    records,
    write_with,
)


def _refused(path):
    with pytest.raises(ScienceError) as error:
        read_structure(path)
    assert error.value.code == "RECEPTOR_UNREADABLE"
    return error.value.message


def _write(tmp_path, data, name="receptor"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def _cif(path, style=gemmi.cif.Style.Simple):
    structure = gemmi.read_pdb(str(path))
    structure.setup_entities()
    return structure.make_mmcif_document().as_string(style)


@pytest.mark.parametrize("path", [PR, CALCIUM, PROTEASE, MODIFIED, TRYPSIN, REDUCTASE, FOLATE])
def test_reads_every_atom_of_a_whole_file(path):
    source = read_structure(path)
    assert source.format == "pdb"
    assert source.structure[0].count_atom_sites() == len(records(path))
    assert source.warnings == []


def test_reads_mmcif_whatever_the_file_is_called(tmp_path):
    source = read_structure(_write(tmp_path, _cif(PR), "1a28.pdb"))
    assert source.format == "mmcif"
    assert source.structure[0].count_atom_sites() == len(records(PR))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  \n\n",
        b"\x1f\x8b\x08\x00rest",
        b"ATOM  \x00\x00\x00",
        "<!DOCTYPE html><html>404 not found</html>",
        "CCO ethanol\n",
        "data_x\n_cell.length_a 1\n",
        "ATOM      1  N   ALA A   1      xx.xxx  11.000  12.000  1.00 20.00           N\nEND\n",
        "ATOM      1  N   ALA A   1         nan  11.000  12.000  1.00 20.00           N\nEND\n",
    ],
)
def test_refuses_what_is_no_structure(tmp_path, data):
    assert _refused(_write(tmp_path, data))


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("path", [PR, PROTEASE])
def test_refuses_an_entry_of_the_archive_cut_anywhere(tmp_path, path, share):
    data = path.read_bytes()
    _refused(_write(tmp_path, data[: int(len(data) * share)]))


def test_refuses_an_entry_of_the_archive_cut_between_two_lines(tmp_path):
    lines = PR.read_text().splitlines()
    assert "END" in _refused(_write(tmp_path, "\n".join(lines[:1500]) + "\n"))


def test_refuses_a_program_s_file_cut_within_a_line_or_a_residue(tmp_path):
    lines = records(FOLATE)
    whole = "\n".join(lines)
    for columns in (40, 70):
        cut = whole.index("ATOM    700") + columns
        assert _refused(_write(tmp_path, whole[:cut]))
    index = next(i for i, line in enumerate(lines) if i > 500 and line[12:16].strip() == "CA")
    assert "lacks" in _refused(_write(tmp_path, "\n".join(lines[: index + 1]) + "\n"))


@pytest.mark.parametrize("header", ["HEADER", "HEADER    PROTEIN", "HEADER    COMPLEX    22-NOV-26"])
def test_a_header_that_a_program_wrote_asks_for_no_end(tmp_path, header):
    lines = [header, "TITLE     a model", *records(FOLATE)]
    source = read_structure(_write(tmp_path, "\n".join(lines) + "\n"))
    assert [warning["code"] for warning in source.warnings] == ["RECEPTOR_END_MISSING"]
    cut = next(i for i, line in enumerate(lines) if i > 500 and line[12:16].strip() == "CA")
    assert "lacks" in _refused(_write(tmp_path, "\n".join(lines[: cut + 1]) + "\n"))


def test_a_last_residue_whose_side_chain_was_not_seen_ends_its_chain_with_its_second_oxygen(tmp_path):
    lines = [line for line in records(FOLATE) if int(line[22:26]) <= 40]
    seen = [line for line in lines if int(line[22:26]) < 40 or line[12:16].strip() in {"N", "CA", "C", "O"}]
    assert len(seen) < len(lines)
    assert "lacks" in _refused(_write(tmp_path, "\n".join(seen) + "\n"))
    end = atom_of(seen, 40, "O")
    source = read_structure(_write(tmp_path, "\n".join([*seen, f"{end[:13]}OXT{end[16:]}"]) + "\n"))
    assert [warning["code"] for warning in source.warnings] == ["RECEPTOR_END_MISSING"]


def test_warns_where_nothing_shows_whether_the_file_is_whole(tmp_path):
    source = read_structure(_write(tmp_path, "\n".join(records(FOLATE)) + "\n"))
    assert [warning["code"] for warning in source.warnings] == ["RECEPTOR_END_MISSING"]


def test_warns_of_an_entry_with_fewer_atoms_than_it_counts(tmp_path):
    text = "\n".join(line for line in PR.read_text().splitlines() if "HOH" not in line[17:20]) + "\n"
    source = read_structure(_write(tmp_path, text))
    assert [warning["code"] for warning in source.warnings] == ["RECEPTOR_ATOMS_FEWER_THAN_DECLARED"]


@pytest.mark.parametrize("style", [gemmi.cif.Style.Simple, gemmi.cif.Style.Pdbx])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.97])
def test_refuses_mmcif_cut_anywhere(tmp_path, style, share):
    text = _cif(PR, style)
    _refused(_write(tmp_path, text[: int(len(text) * share)]))


def test_refuses_mmcif_cut_between_two_atoms(tmp_path):
    lines = _cif(PR, gemmi.cif.Style.Pdbx).splitlines()
    last = max(i for i, line in enumerate(lines) if line.startswith(("ATOM", "HETATM")))
    assert "not closed" in _refused(_write(tmp_path, "\n".join(lines[: last - 40]) + "\n"))
    lines = [line for line in _cif(PR).splitlines() if line]
    first = min(i for i, line in enumerate(lines) if line.startswith(("ATOM", "HETATM")))
    assert "announces" in _refused(_write(tmp_path, "\n".join(lines[: first + 900]) + "\n"))


def test_a_blank_chain_is_called_underscore(tmp_path):
    lines = [line[:21] + " " + line[22:] for line in records(FOLATE)]
    source = read_structure(write_with(tmp_path / "blank.pdb", lines))
    assert [chain.name for chain in source.structure[0]] == ["_"]
    mixed = [line[:21] + ("_" if i % 2 else " ") + line[22:] for i, line in enumerate(lines)]
    assert "no id" in _refused(write_with(tmp_path / "both.pdb", mixed))


def test_windows_line_ends_are_read(tmp_path):
    source = read_structure(_write(tmp_path, PR.read_bytes().replace(b"\n", b"\r\n")))
    assert source.structure[0].count_atom_sites() == len(records(PR))
    assert atom_of(records(PR), 725, "OE1")


def test_the_types_of_a_pdbqt_file_are_read_as_elements(tmp_path):
    types = ["A", "OA", "NA", "Na", "SA", "HD", "Zn", "Fe", "MG", "Cl", "TZ"]
    names = ["CD1", "OG", "NE2", "NA", "SD", "HN", "ZN", "FE", "MG", "CL", "TZ"]
    lines = [
        f"ATOM  {number:5d} {name:>4} HIS A   1    {number:8.3f}{0:8.3f}{0:8.3f}  1.00  0.00    {-0.1:6.3f} {kind:<2}"
        for number, (name, kind) in enumerate(zip(names, types, strict=True))
    ]
    source = read_structure(write_with(tmp_path / "receptor.pdbqt", lines))
    found = {site.atom.name: site.atom.element.name for site in source.structure[0].all()}
    assert found == {
        "CD1": "C", "OG": "O", "NE2": "N", "NA": "Na", "SD": "S", "HN": "H", "ZN": "Zn", "FE": "Fe",
        "MG": "Mg", "CL": "Cl",
    }  # fmt: skip


def test_a_bare_backbone_without_an_end_is_whole(tmp_path):
    backbone = [line for line in records(CALCIUM) if line[12:16].strip() in {"N", "CA", "C", "O"}]
    source = read_structure(_write(tmp_path, "\n".join([*backbone, ""])))
    assert source.structure[0].count_atom_sites() == len(backbone)
    assert [warning["code"] for warning in source.warnings] == ["RECEPTOR_END_MISSING"]


def test_methyl_groups_under_each_other_s_names_are_named_by_their_places(tmp_path):
    names = {"CG1": "CG2", "CG2": "CG1", "CD1": "CD2", "CD2": "CD1"}
    lines = [
        f"{line[:13]}{names[line[13:16]]}{line[16:]}"
        if line[17:20] in {"VAL", "LEU"} and line[13:16] in names
        else line
        for line in records(FOLATE)
    ]
    read, right = (read_structure(write_with(tmp_path / "f.pdb", each)) for each in (lines, records(FOLATE)))
    places = [
        {(str(site.residue), site.atom.name): site.atom.pos.tolist() for site in source.structure[0].all()}
        for source in (read, right)
    ]
    assert places[0] == places[1]
    assert "CD1 and CD2 of LEU for each other" in read.remarks[0]
    assert right.remarks == []


def test_segments_are_chains_where_residues_without_a_chain_id_count_alike(tmp_path):
    lines = [f"{line[:21]} {line[22:72]}" for line in records(CALCIUM)]
    twice = [f"{line}{segment}{line[76:]}" for segment in ("PROA", "PROB") for line in lines]
    source = read_structure(write_with(tmp_path / "two.pdb", twice))
    assert [chain.name for chain in source.structure[0]] == ["PROA", "PROB"]
    assert source.structure[0].count_atom_sites() == 2 * len(lines)
    alone = read_structure(write_with(tmp_path / "one.pdb", [f"{line}PROA{line[76:]}" for line in lines]))
    assert [chain.name for chain in alone.structure[0]] == ["_"]


def test_the_end_of_a_chain_may_have_the_oxygens_of_simulation_programs(tmp_path):
    lines = [line for line in records(FOLATE) if int(line[22:26]) <= 40]
    end = atom_of(lines, 40, "O")
    for first, second in (("O1", "O2"), ("OT1", "OT2")):
        named = [line for line in lines if line != end]
        named += [f"{end[:13]}{name:<3}{end[16:]}" for name in (first, second)]
        source = read_structure(_write(tmp_path, "\n".join([*named, ""])))
        assert [atom.name for atom in source.structure[0][0][-1]][-2:] == ["O", "OXT"]
