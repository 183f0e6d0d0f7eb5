import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import docking_world
from dockyard_science.canonical import sha256_file
from dockyard_science.errors import ScienceError
from dockyard_science.protocol import (
    Channel,
    OpenRequest,
    ProtocolError,
    TaskRequest,
    fit_summary,
    parse_request,
)
from dockyard_science.session import run_task, serve
from dockyard_science.vina_tool import VinaTool

SOURCE = Path(__file__).parents[1] / "src"
SPEC = {"seed": 42, "exhaustiveness": 1, "numModes": 1, "energyRangeKcalMol": 3}


def _task(folder, **changes):
    task = {"type": "task", "id": "t1", "kind": "task", "itemId": "ethanol", "attempt": 1}
    return task | {"folder": str(folder), "spec": {}, "inputs": {}} | changes


def _line(message):
    return json.dumps(message).encode() + b"\n"


class Pipes:
    """The worker's ends of a channel."""

    def __init__(self):
        requests, self.worker_out = os.pipe()
        self.worker_in, messages = os.pipe()
        self.channel = Channel(requests, messages)
        self.tool_ends = (requests, messages)

    def messages(self):
        return [json.loads(line) for line in os.read(self.worker_in, 65536).splitlines()]


class Tool:
    def __init__(self, work):
        self._work = work
        self.forgotten = 0

    def run(self, task, progress):
        return self._work(task, progress)

    def forget(self):
        self.forgotten += 1


@pytest.fixture
def pipes():
    return Pipes()


def _outcome(pipes, tmp_path, work):
    tool = Tool(work)
    run_task(pipes.channel, tool, parse_request(_line(_task(tmp_path))))
    return pipes.messages()[-1], tool


def _raise(error):
    raise error


def test_a_task_is_read_with_its_files(tmp_path):
    task = parse_request(_line(_task(tmp_path, inputs={"ligand/source": "/a/b"}, spec={"ligandId": "x"})))
    assert isinstance(task, TaskRequest)
    assert task.inputs == {"ligand/source": Path("/a/b")}
    assert task.out == tmp_path / "out"
    assert parse_request(_line({"type": "open", "spec": SPEC})) == OpenRequest(SPEC)


@pytest.mark.parametrize("line", [b"{", b"[]", b"{}", b'{"type":"task","kind":"finish"}', b'"open"'])
def test_anything_else_is_refused(line):
    with pytest.raises(ProtocolError):
        parse_request(line)


def test_what_the_input_brings_about_is_told_with_its_code(pipes, tmp_path):
    error = ScienceError("LIGAND_PARSE_FAILED", "The SMILES has an open ring.")
    message, tool = _outcome(pipes, tmp_path, lambda *_: _raise(error))
    assert message == {
        "type": "failed",
        "id": "t1",
        "code": "LIGAND_PARSE_FAILED",
        "message": "The SMILES has an open ring.",
    }
    assert tool.forgotten == 0


@pytest.mark.parametrize("error", [RuntimeError("secret path"), SystemExit(2)])
def test_an_unknown_error_is_a_crash_whose_details_stay_in_the_log(pipes, tmp_path, capsys, error):
    message, tool = _outcome(pipes, tmp_path, lambda *_: _raise(error))
    assert message["code"] == "ENGINE_CRASHED"
    assert "secret" not in message["message"]
    assert "Traceback" in capsys.readouterr().out
    assert tool.forgotten == 1


def test_no_memory_has_its_own_code(pipes, tmp_path):
    message, _ = _outcome(pipes, tmp_path, lambda *_: _raise(MemoryError()))
    assert message["code"] == "ENGINE_OUT_OF_MEMORY"


def test_outputs_and_summary_are_told(pipes, tmp_path):
    output = {"path": "a.sdf", "kind": "poses", "mediaType": "chemical/x-mdl-sdfile", "format": "sdf"}
    message, _ = _outcome(pipes, tmp_path, lambda *_: ([output], {"poseCount": 1}))
    assert message == {"type": "done", "id": "t1", "outputs": [output], "summary": {"poseCount": 1}}


def test_progress_is_bounded_and_not_a_flood(pipes, tmp_path):
    def work(_task, progress):
        for percent in range(1000):
            progress(percent)
        return [], {}

    run_task(pipes.channel, Tool(work), parse_request(_line(_task(tmp_path))))
    told = [message for message in pipes.messages() if message["type"] == "progress"]
    assert 1 <= len(told) < 20
    assert all(0 <= message["percent"] <= 100 for message in told)


def test_a_session_that_was_not_opened_does_no_task(pipes, tmp_path):
    os.write(pipes.worker_out, _line(_task(tmp_path)))
    os.close(pipes.worker_out)
    serve(pipes.channel)
    assert pipes.messages()[0]["code"] == "ENGINE_CRASHED"


def test_a_summary_that_is_too_large_loses_its_last_warnings():
    warnings = [{"code": f"W{index}", "message": "x" * 300} for index in range(40)]
    fitted = fit_summary({"poseCount": 1, "warnings": warnings})
    assert len(json.dumps(fitted)) <= 8 * 1024
    assert 0 < len(fitted["warnings"]) < 40
    assert fitted["warnings"] == warnings[: len(fitted["warnings"])]


@pytest.mark.parametrize(
    ("cache_hit", "told"), [(False, "a new preparation was used"), (True, "an earlier preparation was used")]
)
def test_a_stale_preparation_is_the_first_warning(tmp_path, monkeypatch, cache_hit, told):
    import types

    other = {"code": "COFACTOR_REMOVED", "message": "NDP"}
    found = {"receptor": {"cacheHit": cache_hit}, "warnings": [other]}
    prepared = types.SimpleNamespace(prepare=lambda *_, **__: ([], found))
    monkeypatch.setitem(sys.modules, "dockyard_science.receptor", prepared)
    monkeypatch.setattr("dockyard_science.receptor", prepared, raising=False)
    spec = {"cached": False, "staleField": "toolchainSha256"}
    task = parse_request(
        _line(_task(tmp_path, kind="prepare", spec=spec, inputs={"receptor/source": str(tmp_path / "r.pdb")}))
    )
    _, summary = VinaTool(SPEC).run(task, lambda _: None)
    assert [warning["code"] for warning in summary["warnings"]] == [
        "PREPARED_RECEPTOR_STALE",
        "COFACTOR_REMOVED",
    ]
    message = summary["warnings"][0]["message"]
    assert "toolchainSha256" in message
    assert told in message


class Session:
    """A session as the worker starts one."""

    def __init__(self, folder):
        requests, self.worker_out = os.pipe()
        self.worker_in, messages = os.pipe()
        program = (
            "import os, sys\n"
            f"os.dup2({requests}, 203); os.dup2({messages}, 204); os.dup2(203, 3); os.dup2(204, 4)\n"
            "os.closerange(5, 210)\n"
            "os.execv(sys.executable, [sys.executable, '-P', '-m', 'dockyard_science.session'])\n"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": os.pathsep.join([str(SOURCE), *sys.path[1:]]),
                "DOCKYARD_CCD": os.environ["DOCKYARD_CCD"],
            },
            pass_fds=(requests, messages),
            stdout=subprocess.PIPE,
        )
        os.close(requests)
        os.close(messages)
        self._reader = os.fdopen(self.worker_in, "rb")

    def say(self, message):
        os.write(self.worker_out, _line(message))

    def hear(self):
        return json.loads(self._reader.readline())

    def end_of(self, task_id):
        while (message := self.hear())["type"] == "progress":
            assert message["id"] == task_id
        assert message["id"] == task_id
        return message

    def close(self):
        os.close(self.worker_out)
        return self.process.wait(timeout=20)


def test_a_session_is_ready_at_once_outlives_a_bad_task_and_ends_with_its_worker(tmp_path):
    # A file that looks like a library must not be taken for one.
    (tmp_path / "json.py").write_text("raise SystemExit('not me')\n")
    started = time.monotonic()
    session = Session(tmp_path)
    session.say({"type": "open", "spec": SPEC})
    assert session.hear() == {"type": "ready"}
    assert time.monotonic() - started < 5
    for number in (1, 2):
        session.say(_task(tmp_path / str(number), id=f"t{number}"))
        message = session.hear()
        assert (message["type"], message["id"], message["code"]) == ("failed", f"t{number}", "ENGINE_CRASHED")
    assert session.close() == 0
    assert b"Traceback" in session.process.stdout.read()


def test_a_session_docks_one_ligand_after_another_whatever_one_of_them_is(tmp_path):
    box = tmp_path / "box.json"
    box.write_text(json.dumps(docking_world.BOX))
    inputs = {"prepared/receptor/prepared.pdbqt": str(docking_world.RECEPTOR), "prepared/box.json": str(box)}
    session = Session(tmp_path)
    session.say({"type": "open", "spec": docking_world.SPEC})
    assert session.hear() == {"type": "ready"}
    digests = []
    for number, smiles in enumerate(["Oc1ccccc1", "C1CC", "Oc1ccccc1"]):
        spec = {
            "ligandId": "lig",
            "label": None,
            "source": {"kind": "smiles", "smiles": smiles},
            "protonationPh": 7.4,
        }
        folder = tmp_path / str(number)
        folder.mkdir()
        session.say(_task(folder, id=f"t{number}", spec=spec, inputs=inputs))
        message = session.end_of(f"t{number}")
        if smiles == "C1CC":
            assert (message["type"], message["code"]) == ("failed", "LIGAND_PARSE_FAILED")
            continue
        assert message["summary"]["bestAffinityKcalMol"] < 0
        assert all((folder / "out" / output["path"]).is_file() for output in message["outputs"])
        digests.append(sha256_file(folder / "out" / "ligands" / "lig" / "poses.sdf"))
    assert digests[0] == digests[1]
    assert session.close() == 0
