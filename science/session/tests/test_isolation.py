"""What happens in the process of a ligand stays there; the next ligand finds everything as it was."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dockyard_session.errors import ScienceError
from dockyard_session.isolation import Isolation, StageLimit, Watch


class Warm:
    """Something expensive that the parent made; every child begins with it as it is."""

    tasks = 0


def handle(task, enter):
    Warm.tasks += 1
    return globals()[f"do_{task[0]}"](enter, *task[1:])


def do_count(_enter):
    return Warm.tasks, os.getpid()


def do_print(_enter, text):
    print(text)  # noqa: T201
    os.write(1, b"from below\n")


def do_refuse(_enter):
    raise ScienceError("LIGAND_TOO_LARGE", "too large")


def do_stumble(_enter):
    raise KeyError("odd")


def do_starve(_enter):
    raise MemoryError


def do_die(_enter, number):
    os.kill(os.getpid(), number)
    time.sleep(60)


def do_leave(_enter):
    os._exit(7)


def do_stages(enter, seconds):
    enter("second")
    time.sleep(seconds)
    return "done"


@pytest.fixture
def isolation():
    made = Isolation(handle)
    yield made
    made.close()


@pytest.fixture
def run(isolation):
    def run(*task, limits=None):
        run.text, run.stages = b"", []

        def take(data):
            run.text += data

        return isolation.run(task, stage="first", watch=Watch(limits or {}, run.stages.append, take))

    return run


def code_of(run, *task, **options):
    with pytest.raises(ScienceError) as failure:
        run(*task, **options)
    return failure.value.code, failure.value.message


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_process_does_many_tasks(run):
    first, second = run("count"), run("count")
    assert second == (first[0] + 1, first[1])
    assert first[1] != os.getpid()
    assert Warm.tasks == 0


def test_what_is_printed_arrives_with_the_task_that_printed_it(run):
    run("print", "x" * 200_000)
    assert run.text == b"x" * 200_000 + b"\nfrom below\n"
    run("print", "short")
    assert run.text == b"short\nfrom below\n"


def test_a_refusal_keeps_the_process(run):
    pid = run("count")[1]
    assert code_of(run, "refuse") == ("LIGAND_TOO_LARGE", "too large")
    assert run("count")[1] == pid


@pytest.mark.parametrize(
    ("task", "code", "words"),
    [
        (("stumble",), "ENGINE_CRASHED", "KeyError"),
        (("starve",), "ENGINE_OUT_OF_MEMORY", "memory"),
        (("die", signal.SIGSEGV), "ENGINE_CRASHED", "SIGSEGV while first"),
        (("die", signal.SIGKILL), "ENGINE_OUT_OF_MEMORY", "killed while first"),
        (("leave",), "ENGINE_CRASHED", "exit status 7"),
    ],
)
def test_a_loss_has_its_code_and_the_next_process_is_fresh(run, task, code, words):
    pid = run("count")[1]
    found, message = code_of(run, *task)
    assert found == code
    assert words in message
    assert not is_alive(pid)
    assert run("count")[0] == 1


def test_a_stage_that_takes_too_long_is_ended(run):
    pid = run("count")[1]
    limits = {"second": StageLimit(0.1, "LIGAND_PREPARATION_TIMEOUT", "too slow")}
    begin = time.monotonic()
    assert code_of(run, "stages", 30, limits=limits) == ("LIGAND_PREPARATION_TIMEOUT", "too slow")
    assert time.monotonic() - begin < 5
    assert run.stages == ["second"]
    assert not is_alive(pid)


def test_the_limit_of_another_stage_does_not_count(run):
    limits = {"first": StageLimit(0.1, "LIGAND_PREPARATION_TIMEOUT", "too slow")}
    assert run("stages", 0.3, limits=limits) == "done"


def test_closing_ends_the_process_and_its_files(isolation, run):
    before = len(list(Path("/proc/self/fd").iterdir()))
    pid = run("count")[1]
    isolation.close()
    assert not is_alive(pid)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_process_ends_with_a_parent_that_was_killed():
    program = (
        "import os, sys, time; from test_isolation import *;"
        "isolation = Isolation(handle);"
        "pid = isolation.run(('count',), stage='first', watch=Watch({}, print, print))[1];"
        "print(pid, flush=True); time.sleep(60)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    parent = subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True
    )
    child = int(parent.stdout.readline())
    assert is_alive(child)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 10
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    parent.stdout.close()
    assert not is_alive(child)
