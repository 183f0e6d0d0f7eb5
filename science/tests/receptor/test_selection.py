"""Model, assembly, chains and alternative locations, in this order."""

import gemmi
import pytest

from dockyard_science.errors import ScienceError
from dockyard_science.selection import select
from dockyard_science.structure import read_structure
from receptor_world import FOLATE, PR, PROTEASE, records, session, write_with


def _select(path, **receptor):
    return select(read_structure(path).structure, session({}, receptor=receptor)["receptor"])


def _refused(code, path, **receptor):
    with pytest.raises(ScienceError) as error:
        _select(path, **receptor)
    assert error.value.code == code
    return error.value.message


def _dimer(tmp_path):
    """Half the folate reductase with an assembly of two copies, the second one turned about z and shifted."""
    half = write_with(tmp_path / "half.pdb", [line for line in records(FOLATE) if int(line[22:26]) <= 90])
    structure = gemmi.read_pdb(str(half))
    structure.setup_entities()
    assembly = gemmi.Assembly("1")
    generator = gemmi.Assembly.Gen()
    generator.subchains = [residue.subchain for residue in structure[0]["A"]][:1]
    turn = gemmi.Transform(gemmi.Mat33([[-1, 0, 0], [0, -1, 0], [0, 0, 1]]), gemmi.Vec3(200, 0, 0))
    for name, transform in (("1", gemmi.Transform()), ("2", turn)):
        operator = gemmi.Assembly.Operator()
        operator.name, operator.transform = name, transform
        generator.operators.append(operator)
    assembly.generators.append(generator)
    structure.assemblies.append(assembly)
    path = tmp_path / "dimer.cif"
    structure.make_mmcif_document().write_file(str(path))
    return path


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
    path = _dimer(tmp_path)
    selection = _select(path)
    assert selection.chains == ["A", "A-2"]
    first, second = (selection.model[name][0]["N"][0].pos for name in selection.chains)
    assert second.tolist() == pytest.approx([200 - first.x, -first.y, first.z])
    assert _select(path, chains=["A-2"]).chains == ["A-2"]
    assert "A, A-2" in _refused("RECEPTOR_CHAIN_NOT_FOUND", path, chains=["B"])


def test_copies_are_prepared_under_letters_that_the_report_tells(tmp_path, prepare_file):
    box = {"residues": [{"chain": "A-2", "residue": number, "insertionCode": ""} for number in (30, 60)]}
    files = prepare_file(_dimer(tmp_path), session(box))
    assert {line[21] for line in files.pdb.splitlines() if line.startswith("ATOM")} == {"A", "B"}
    assert files.report["renames"] == [{"chain": "A-2", "toChain": "B"}]
    assert files.summary["box"]["derivation"]["residues"][0]["chain"] == "A-2"
    assert files.summary["box"]["receptorHeavyAtoms"] > 50
    states = {row["chain"] for row in files.report["protonationStates"]}
    assert states == {row["chain"] for row in files.report["pka"]} == {"A", "A-2"}


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


def test_hydrogens_of_the_file_go(prepared, tmp_path):
    text = prepared("1s3v").out / "receptor" / "prepared.pdb"
    selection = _select(text)
    assert selection.hydrogens_removed == prepared("1s3v").report["hydrogens"]
    only = [line for line in records(text) if line[76:78].strip() == "H"]
    _refused("RECEPTOR_EMPTY", write_with(tmp_path / "hydrogens.pdb", only))
