"""Model, assembly, chains and alternative locations, in this order."""

import re

import gemmi
import pytest

from dockyard_session.errors import ScienceError
from dockyard_structures.atoms import residue_of
from dockyard_structures.selection import select
from dockyard_structures.structure import read_structure
from structures_world import FOLATE, PR, PROTEASE, dimer, receptor, records, write_with


def _select(path, **changes):
    return select(read_structure(path).structure, receptor(**changes))


def _refused(code, path, **changes):
    with pytest.raises(ScienceError) as error:
        _select(path, **changes)
    assert error.value.code == code
    return error.value.message


def test_first_assembly_is_the_default_and_asymmetric_takes_all():
    assert _select(PR).chains == ["A"]
    assert _select(PR, assemblyId="2").chains == ["B"]
    assert _select(PR, assemblyId="asymmetric").chains == ["A", "B"]


def test_first_assembly_of_a_file_without_assemblies_is_the_file_and_is_noted():
    selection = _select(PROTEASE)
    assert selection.chains == ["A", "B", "_"]
    assert "no assemblies" in selection.assembly["note"]
    assert "none" in _refused("RECEPTOR_ASSEMBLY_NOT_FOUND", PROTEASE, assemblyId="2")
    assert "it has 1, 2" in _refused("RECEPTOR_ASSEMBLY_NOT_FOUND", PR, assemblyId="7")


def test_copies_of_an_assembly_are_named_and_stand_apart(tmp_path):
    path = dimer(tmp_path)
    selection = _select(path)
    assert selection.chains == ["A", "A-2"]
    first, second = (selection.model[name][0]["N"][0].pos for name in selection.chains)
    assert second.tolist() == pytest.approx([200 - first.x, -first.y, first.z])
    assert _select(path, chains=["A-2"]).chains == ["A-2"]
    assert "A, A-2" in _refused("RECEPTOR_CHAIN_NOT_FOUND", path, chains=["B"])


def test_a_missing_chain_is_named_with_those_there_are():
    message = _refused("RECEPTOR_CHAIN_NOT_FOUND", PR, chains=["B"])
    assert "it has A" in message
    assert "outside the chosen assembly" in message
    assert "A, B, _" in _refused("RECEPTOR_CHAIN_NOT_FOUND", PROTEASE, chains=["A", "X"])


def test_models_go_by_their_number(tmp_path):
    lines = records(FOLATE)
    second = [line[:30] + f"{float(line[30:38]) + 1:8.3f}" + line[38:] for line in lines]
    text = ["MODEL        2", *lines, "TER", "ENDMDL", "MODEL        5", *second, "TER", "ENDMDL", "END", ""]
    path = tmp_path / "models.pdb"
    path.write_text("\n".join(text))
    two, five = (_select(path, model=number).model["A"][0]["N"][0].pos.x for number in (2, 5))
    assert five - two == pytest.approx(1)
    assert "it has 2, 5" in _refused("RECEPTOR_MODEL_NOT_FOUND", path, model=1)


def test_the_one_model_of_a_program_that_counts_from_0_is_the_first(tmp_path):
    lines = records(FOLATE)
    path = tmp_path / "zero.pdb"
    path.write_text("\n".join(["MODEL        0", *lines, "TER", "ENDMDL", "END", ""]))
    assert _select(path, model=1).model.count_atom_sites() == len(lines)
    assert "it has 0" in _refused("RECEPTOR_MODEL_NOT_FOUND", path, model=2)
    # Of two models the first is the one that is called 1.
    path.write_text(
        "\n".join(["MODEL        0", *lines, "ENDMDL", "MODEL        1", *lines[:500], "ENDMDL", "END", ""])
    )
    assert _select(path, model=1).model.count_atom_sites() == 500


def test_a_shared_place_goes_to_the_residue_and_location_of_highest_occupancy_then_the_first(tmp_path):
    lines = [line for line in records(FOLATE) if int(line[22:26]) < 30]
    changed = []
    for line in lines:
        if int(line[22:26]) == 10 and line[12:16].strip() == "CB":
            changed += [
                f"{line[:16]}{label}{line[17:54]}  {share:.2f}{line[60:]}"
                for label, share in (("A", 0.5), ("B", 0.5))
            ]
        elif int(line[22:26]) == 12:
            changed += [
                f"{line[:16]}A{line[17:54]}  0.30{line[60:]}",
                f"{line[:16]}BALA{line[20:54]}  0.70{line[60:]}",
            ]
        else:
            changed.append(line)
    selection = _select(write_with(tmp_path / "alternatives.pdb", changed))
    chosen = {row["residue"]: row["chosen"] for row in selection.altlocs}
    assert chosen[10] == "A"
    assert [residue.name for residue in selection.model["A"] if residue.seqid.num == 12] == ["ALA"]
    assert not any(site.atom.has_altloc() for site in selection.model.all())


def test_an_atom_written_twice_counts_once_and_in_two_places_is_refused(tmp_path):
    lines = [line for line in records(FOLATE) if int(line[22:26]) < 30]
    twice = _select(write_with(tmp_path / "twice.pdb", [*lines[:50], lines[49], *lines[50:]]))
    assert twice.model.count_atom_sites() == len(lines)
    copies = [line[:30] + f"{float(line[30:38]) + 40:8.3f}" + line[38:] for line in lines[-5:]]
    message = _refused("RECEPTOR_UNREADABLE", write_with(tmp_path / "two.pdb", [*lines, *copies]))
    assert "two atoms called" in message


def test_a_residue_without_a_number_is_named_without_one():
    residue = gemmi.Residue()
    residue.name = "ZN"
    with pytest.raises(ScienceError) as error:
        residue_of("A", residue)
    assert error.value.code == "RECEPTOR_UNREADABLE"
    assert "A residue A:ZN has no number" in error.value.message


def test_places_that_lost_their_letters_are_told_by_their_occupancies(tmp_path):
    lines = [line for line in records(FOLATE) if int(line[22:26]) < 30]

    def doubled(*shares):
        changed = []
        for line in lines:
            if int(line[22:26]) != 12:
                changed.append(line)
                continue
            for index, share in enumerate(shares):
                place = f"{float(line[30:38]) + 0.4 * index:8.3f}"
                changed.append(f"{line[:30]}{place}{line[38:54]}  {share:.2f}{line[60:]}")
        return write_with(tmp_path / "doubled.pdb", changed)

    selection = _select(doubled(0.43, 0.57))
    assert selection.model.count_atom_sites() == len(lines)
    (row,) = selection.altlocs
    assert (row["residue"], row["chosen"], row["occupancies"]) == (12, "B", {"A": 0.43, "B": 0.57})
    assert "one residue" in selection.remarks[0]
    assert selection.doubled == []
    assert _select(doubled(0.33, 0.34, 0.34)).altlocs[0]["chosen"] == "B"
    # Whole atoms are not places of one atom, nor are parts that are more than one atom.
    assert "two atoms called" in _refused("RECEPTOR_UNREADABLE", doubled(1.0, 1.0))
    assert "two atoms called" in _refused("RECEPTOR_UNREADABLE", doubled(0.6, 0.6))


def test_a_part_of_an_entry_is_taken_as_it_is_where_its_first_assembly_is_another_part(tmp_path):
    remark = [line for line in PR.read_text().splitlines() if line.startswith("REMARK 350")]
    second = [line for line in records(PR) if line[21] == "B"]
    source = tmp_path / "second.pdb"
    source.write_text("\n".join([*remark, *second, "END", ""]))
    selection = _select(source)
    assert selection.chains == ["B"]
    assert "as it is" in selection.assembly["note"]
    (warning,) = selection.warnings
    assert warning["code"] == "RECEPTOR_ATOMS_FEWER_THAN_DECLARED"
    assert "has none of its chains; it has B" in warning["message"]
    assert _select(source, assemblyId="2").warnings == []
    first = tmp_path / "first.pdb"
    first.write_text("\n".join([*remark, *(line for line in records(PR) if line[21] == "A"), "END", ""]))
    assert "none of its chains" in _refused("RECEPTOR_ASSEMBLY_NOT_FOUND", first, assemblyId="2")


def _numbers(selection):
    return [residue.seqid.num for residue in selection.model["A"]]


def _folate(*parts):
    """Residues of the folate reductase, in this order."""
    numbers = [number for first, last in parts for number in range(first, last + 1)]
    return [line for number in numbers for line in records(FOLATE) if int(line[22:26]) == number]


@pytest.mark.parametrize(
    ("parts", "moved"),
    [
        (((1, 11), (13, 30), (12, 12)), {12, 13}),
        (((12, 12), (1, 11), (13, 30)), {12, 13}),
        (((1, 9), (15, 30), (10, 14)), {10, 15}),
    ],
)
def test_what_a_program_wrote_elsewhere_in_the_chain_goes_where_its_bonds_are(tmp_path, parts, moved):
    selection = _select(write_with(tmp_path / "parts.pdb", _folate(*parts)))
    assert _numbers(selection) == list(range(1, 31))
    (remark,) = (text for text in selection.remarks if "order of their bonds" in text)
    assert {int(number) for number in re.findall(r"A:[A-Z]{3} (\d+)", remark)} == moved


def test_parts_that_no_bond_joins_stay_in_the_order_of_the_file(tmp_path):
    path = write_with(tmp_path / "gaps.pdb", _folate((20, 30), (1, 8), (10, 18)))
    selection = _select(path)
    assert _numbers(selection) == [*range(20, 31), *range(1, 9), *range(10, 19)]
    assert selection.remarks == []


def test_a_ring_of_parts_begins_where_the_file_begins(tmp_path):
    # The fifth residue once more, with another number, so that more than one part could go on behind the fourth.
    again = [line[:22] + "  99" + line[26:] for line in _folate((5, 5))]
    selection = _select(write_with(tmp_path / "twice.pdb", [*_folate((6, 12), (1, 4), (5, 5)), *again]))
    assert _numbers(selection) == [*range(6, 13), *range(1, 6), 99]


def test_a_copy_that_stands_upon_another_one_on_the_axis_is_left_out(tmp_path):
    structure = read_structure(dimer(tmp_path)).structure
    chain = structure[0]["A"]
    # The axis is at x = 100, y = 0; the second ion stands off it.
    for number, x in ((801, 100.1), (802, 104.0)):
        atom = gemmi.Atom()
        atom.name, atom.element, atom.pos = "K", gemmi.Element("K"), gemmi.Position(x, 0.0, 10.0)
        ion = gemmi.Residue()
        ion.name, ion.seqid, ion.subchain = "K", gemmi.SeqId(str(number)), chain[0].subchain
        ion.add_atom(atom)
        chain.add_residue(ion)
    selection = select(structure, receptor())
    there = [
        (chain.name, residue.seqid.num)
        for chain in selection.model
        for residue in chain
        if residue.name == "K"
    ]
    assert there == [("A", 801), ("A", 802), ("A-2", 802)]
    assert any("A-2:K 801" in remark for remark in selection.remarks)
    assert len(selection.model["A"]) == len(selection.model["A-2"]) + 1
