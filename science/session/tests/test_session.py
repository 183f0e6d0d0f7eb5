import json
import os
import time
from pathlib import Path

import pytest

from dockyard_session.errors import ScienceError
from dockyard_session.protocol import (
    Channel,
    OpenRequest,
    ProtocolError,
    TaskRequest,
    fit_summary,
    parse_request,
)
from dockyard_session.session import run_task, serve
from session_process import Session, line_of, task_line

SPEC = {"seed": 42, "exhaustiveness": 1, "numModes": 1, "energyRangeKcalMol": 3}


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

    def run(self, task, reporter):
        return self._work(task, reporter)

    def forget(self):
        self.forgotten += 1


@pytest.fixture
def pipes():
    return Pipes()


def _outcome(pipes, tmp_path, work):
    tool = Tool(work)
    run_task(pipes.channel, tool, parse_request(line_of(task_line(tmp_path))))
    return pipes.messages()[-1], tool


def _raise(error):
    raise error


def test_a_task_is_read_with_its_files(tmp_path):
    task = parse_request(
        line_of(task_line(tmp_path, inputs={"ligand/source": "/a/b"}, spec={"ligandId": "x"}))
    )
    assert isinstance(task, TaskRequest)
    assert task.inputs == {"ligand/source": Path("/a/b")}
    assert (task.out, task.leg_until) == (tmp_path / "out", None)
    leg = parse_request(line_of(task_line(tmp_path, legSeconds=60)))
    assert isinstance(leg, TaskRequest)
    assert 0 < leg.leg_until - time.monotonic() <= 60
    assert parse_request(line_of({"type": "open", "spec": SPEC})) == OpenRequest(SPEC)


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
    def work(_task, reporter):
        for percent in range(1000):
            reporter.progress(percent)
        return [], {}

    run_task(pipes.channel, Tool(work), parse_request(line_of(task_line(tmp_path))))
    told = [message for message in pipes.messages() if message["type"] == "progress"]
    assert 1 <= len(told) < 20
    assert all(0 <= message["percent"] <= 100 for message in told)


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_checkpoint_waits_for_the_answer(pipes, tmp_path, is_kept):
    os.write(pipes.worker_out, line_of({"type": "kept", "id": "t1", "isKept": is_kept}))
    work = Tool(lambda _task, reporter: ([], {"kept": reporter.keep(["a", "b/c"])}))
    run_task(pipes.channel, work, parse_request(line_of(task_line(tmp_path))))
    asked, done = pipes.messages()
    assert asked == {"type": "checkpoint", "id": "t1", "files": ["a", "b/c"]}
    assert (done["type"], done["summary"]) == ("done", {"kept": is_kept})


def test_an_answer_to_another_checkpoint_or_none_at_all_is_no_answer(pipes, tmp_path):
    for line in ({"type": "kept", "id": "t2", "isKept": True}, task_line(tmp_path), {"type": "kept"}):
        os.write(pipes.worker_out, line_of(line))
        with pytest.raises(ProtocolError):
            pipes.channel.keep("t1", ["a"])
    os.close(pipes.worker_out)
    assert pipes.channel.keep("t1", ["a"]) is False


def test_a_session_that_was_not_opened_does_no_task(pipes, tmp_path):
    os.write(pipes.worker_out, line_of(task_line(tmp_path)))
    os.close(pipes.worker_out)
    serve(pipes.channel, "brittle_tool")
    assert pipes.messages()[0]["code"] == "ENGINE_CRASHED"


def test_a_summary_that_is_too_large_loses_its_last_warnings():
    warnings = [{"code": f"W{index}", "message": "x" * 300} for index in range(40)]
    fitted = fit_summary({"poseCount": 1, "warnings": warnings})
    assert len(json.dumps(fitted)) <= 8 * 1024
    assert 0 < len(fitted["warnings"]) < 40
    assert fitted["warnings"] == warnings[: len(fitted["warnings"])]


def _open(folder):
    session = Session(folder, "brittle_tool", ["session/src", "session/tests"])
    session.say({"type": "open", "spec": SPEC})
    assert session.hear() == {"type": "ready"}
    return session


def test_a_session_is_ready_at_once_outlives_a_bad_task_and_ends_with_its_worker(tmp_path):
    # A file that looks like a library must not be taken for one.
    (tmp_path / "json.py").write_text("raise SystemExit('not me')\n")
    started = time.monotonic()
    session = _open(tmp_path)
    assert time.monotonic() - started < 5
    for number in (1, 2):
        session.say(task_line(tmp_path, id=f"t{number}", spec={"fails": True}))
        message = session.hear()
        assert (message["type"], message["id"], message["code"]) == ("failed", f"t{number}", "ENGINE_CRASHED")
    assert session.close() == 0
    assert b"Traceback" in session.process.stdout.read()


def test_a_session_loads_what_is_heavy_while_there_is_no_task(tmp_path):
    session = _open(tmp_path)
    assert session.process.stdout.readline() == b"heavy modules are here\n"
    session.say(task_line(tmp_path))
    assert session.hear()["summary"] == {"spec": SPEC}
    assert session.close() == 0


def test_a_task_keeps_a_checkpoint_and_its_next_attempt_reads_it(tmp_path):
    (tmp_path / "out").mkdir()
    session = _open(tmp_path)
    session.say(task_line(tmp_path, spec={"keeps": True}))
    assert session.hear() == {"type": "checkpoint", "id": "t1", "files": ["state.txt"]}
    session.say({"type": "kept", "id": "t1", "isKept": True})
    assert session.hear()["summary"] == {"kept": True, "before": None}
    inputs = {"checkpoint/state.txt": str(tmp_path / "out" / "state.txt")}
    session.say(task_line(tmp_path, id="t2", spec={"keeps": True}, inputs=inputs))
    assert session.hear()["id"] == "t2"
    session.say({"type": "kept", "id": "t2", "isKept": False})
    assert session.hear()["summary"] == {"kept": False, "before": "half"}
    assert session.close() == 0


def test_a_tool_that_is_not_there_is_no_session(tmp_path):
    session = Session(tmp_path, "no_such_tool", ["session/src"])
    session.say({"type": "open", "spec": SPEC})
    assert session.close() == 1


def test_a_task_says_when_its_work_begins(pipes, tmp_path):
    def work(task, reporter):
        reporter.working()
        return [], None

    run_task(pipes.channel, Tool(work), parse_request(line_of(task_line(tmp_path))))
    assert [(message["type"], message["id"]) for message in pipes.messages()] == [
        ("working", "t1"),
        ("done", "t1"),
    ]
