"""Work in turns of the event loop."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer

from gui.turns import Turns


def test_the_window_lives_between_two_turns(qtbot):
    turns = Turns()
    order: list[str] = []

    def beat():
        order.append("beat")

    def work(name):
        order.append(name)
        # What it asks of the window comes before the next one.
        QTimer.singleShot(0, beat)

    for name in "abc":
        turns.put(name, partial(work, name))

    assert order == []
    qtbot.waitUntil(lambda: len(order) == 6)
    assert order == ["a", "beat", "b", "beat", "c", "beat"]
    assert turns.waiting == 0


def test_newer_work_replaces_older_and_keeps_its_place(qtbot):
    turns, done = Turns(), []
    turns.put("a", lambda: done.append("old"))
    turns.put("b", lambda: done.append("b"))
    turns.put("a", lambda: done.append("new"))
    assert turns.waiting == 2
    qtbot.waitUntil(lambda: turns.waiting == 0)
    assert done == ["new", "b"]


def test_what_is_forgotten_is_not_done(qtbot):
    turns, done = Turns(), []
    turns.put("a", lambda: done.append("a"))
    turns.clear()
    qtbot.wait(20)
    assert done == []


def test_work_may_ask_for_more_of_its_kind(qtbot):
    turns = Turns()
    done: list[int] = []

    def again():
        done.append(len(done))
        if len(done) < 3:
            turns.put("a", again)

    turns.put("a", again)
    qtbot.waitUntil(lambda: done == [0, 1, 2])


def test_work_that_fails_does_not_hold_up_the_rest(qtbot):
    turns, done = Turns(), []

    def fail():
        raise ValueError("cannot draw")

    turns.put("a", fail)
    turns.put("b", lambda: done.append("b"))
    with qtbot.captureExceptions() as caught:
        qtbot.waitUntil(lambda: done == ["b"])
    assert [str(error) for _, error, _ in caught] == ["cannot draw"]
