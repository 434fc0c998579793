"""The process that measures: it tells what it has, and never outlives who started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.profiling.process import ChildError, messages_of

ROOT = Path(__file__).parents[3]


def tell(task, send):
    for number in range(task):
        send(number)


def fail(_task, send):
    send("begun")
    raise ValueError("a table of another shape")


def run_out_of_memory(_task, _send):
    raise MemoryError


def die(_task, _send):
    os._exit(7)


def tell_and_work_for_ever(_task, send):
    send(os.getpid())
    while True:
        pass


def said(work, task=None):
    return [message for message in messages_of(work, task) if message is not None]


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie has ended, too.
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def gone(pid, seconds=5.0):
    end = time.monotonic() + seconds
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not is_alive(pid)


def test_messages_come_in_order():
    assert said(tell, 5) == [0, 1, 2, 3, 4]


def test_a_failure_is_told_as_it_was():
    with pytest.raises(ChildError, match="a table of another shape"):
        said(fail)


def test_memory_that_is_short_is_said():
    with pytest.raises(ChildError, match="not enough memory"):
        said(run_out_of_memory)


def test_a_process_that_dies_is_no_end_of_its_work():
    with pytest.raises(ChildError, match="code 7"):
        said(die)


def test_who_waits_is_asked_now_and_then_whether_to_go_on():
    messages = messages_of(tell_and_work_for_ever, None)
    found = [next(messages) for _ in range(60)]
    messages.close()
    assert found.count(None) >= 2


@pytest.mark.skipif(os.name != "posix", reason="asks for processes as POSIX has them")
def test_a_process_lives_on_after_its_generator_was_closed():
    messages = messages_of(tell_and_work_for_ever, None)
    pid = next(message for message in messages if message is not None)
    assert is_alive(pid)
    messages.close()
    assert gone(pid)


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_a_process_lives_on_after_its_parent_was_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import os\n"
        "from core.profiling.process import messages_of\n"
        "def work(task, send):\n"
        "    send(os.getpid())\n"
        "    while True: pass\n"
        "if __name__ == '__main__':\n"
        "    for message in messages_of(work, None):\n"
        "        if message: print(message, flush=True)\n"
    )
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert is_alive(pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert gone(pid)
