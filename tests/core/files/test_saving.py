"""Saving is a study: it can be stopped before the file is replaced, and never after."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from core.files.errors import SaveError
from core.files.opening import open_file
from core.files.results import SaveScores, ScoredTable
from core.files.sessions import SaveSession, SessionContent
from core.files.tables import Saved, SaveTable, read_table, stamp_of
from core.named_table import NamedTable
from core.scoring import score
from core.studies import study
from core.studies.study import run_to_end
from core.table import ContingencyTable

TABLE = ContingencyTable(np.arange(40).reshape(20, 2))


def studies(folder):
    return [
        SaveTable(TABLE, folder / "t.csv"),
        SaveScores(folder / "s.csv", score(TABLE, ["ari"]), name="t"),
        SaveScores(folder / "s.json", [ScoredTable(score(TABLE, ["ari"]))]),
        SaveScores(folder / "s.tsv", score(TABLE, ["ari"]), summary=True),
        SaveScores(folder / "s.md", score(TABLE, ["ari"])),
        SaveScores(folder / "s.tex", score(TABLE, ["ari"])),
        SaveScores(folder / "s.xlsx", score(TABLE, ["ari"])),
        SaveSession(SessionContent((NamedTable("t", TABLE),)), folder / "s.tallyscope"),
    ]


@pytest.fixture(autouse=True)
def every_step(monkeypatch):
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)


@pytest.mark.parametrize("old", ["old", None])
@pytest.mark.parametrize("number", range(8))
def test_saving_that_is_stopped_leaves_the_file_as_it_was(tmp_path, number, old):
    saving = studies(tmp_path)[number]
    n_steps = len(list(saving.run()))
    if old is None:
        saving.path.unlink()
    else:
        saving.path.write_text(old, "utf-8")
    left = list(tmp_path.iterdir())
    for taken in range(n_steps):
        steps = saving.run()
        for _ in range(taken):
            assert next(steps).result is None
        steps.close()
        assert list(tmp_path.iterdir()) == left
        assert old is None or saving.path.read_text("utf-8") == old


@pytest.mark.parametrize("number", range(8))
def test_only_the_step_after_the_file_is_replaced_has_the_result(tmp_path, number):
    saving = studies(tmp_path)[number]
    steps = []
    for step in saving.run():
        assert saving.path.exists() == (step.result is not None)
        steps.append(step)
    assert steps[-1].result == Saved(saving.path, stamp_of(saving.path.stat()))
    fractions = [step.fraction for step in steps]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert list(tmp_path.iterdir()) == [saving.path]


def test_saving_a_table_steps_often_and_writes_what_opens_again(tmp_path):
    steps = list(SaveTable(TABLE, tmp_path / "t.csv", ";").run())
    assert len(steps) > 20
    assert {step.total for step in steps} == {20}
    assert ";" in (tmp_path / "t.csv").read_text("utf-8")
    assert read_table(tmp_path / "t.csv").table == TABLE


def test_the_stamp_of_a_saved_file_is_that_of_the_file_that_is_opened(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("old", "utf-8")
    path.chmod(0o640)
    saved = run_to_end(SaveTable(TABLE, str(path)))
    assert (saved.path, saved.stamp, saved.tables) == (path, read_table(path).stamp, 1)


def test_a_disk_that_fails_while_saving_is_one_sentence_and_leaves_nothing(tmp_path):
    for saving in studies(tmp_path / "missing"):
        with pytest.raises(SaveError, match=r"^[^\n]*does not exist\.$"):
            run_to_end(saving)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize(("code", "says"), [(errno.ENOSPC, "full"), (errno.EROFS, "read-only")])
def test_a_disk_that_is_full_or_read_only_takes_the_old_file(
    tmp_path, monkeypatch, number, code, says
):
    saving = studies(tmp_path)[number]
    saving.path.write_text("old", "utf-8")

    def fails(descriptor):
        raise OSError(code, "no")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(SaveError, match=rf"^[^\n]*{says}[^\n]*\.$"):
        run_to_end(saving)
    assert saving.path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [saving.path]


@pytest.mark.parametrize("number", range(8))
def test_a_file_that_is_read_only_is_replaced(tmp_path, monkeypatch, number):
    saving = studies(tmp_path)[number]
    saving.path.write_text("old", "utf-8")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SaveError, match=r"is read-only: choose another name"):
        run_to_end(saving)
    assert saving.path.read_text("utf-8") == "old"


@pytest.mark.parametrize("number", range(8))
def test_a_file_that_another_program_holds_is_lost(tmp_path, monkeypatch, number):
    saving = studies(tmp_path)[number]
    saving.path.write_text("old", "utf-8")

    def held(self, target):
        raise PermissionError(errno.EACCES, "held")

    monkeypatch.setattr(Path, "replace", held)
    with pytest.raises(SaveError, match=r"another program has the file open\.$"):
        run_to_end(saving)
    assert saving.path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [saving.path]


def test_names_that_json_can_hold_are_exported_to_it(tmp_path):
    scores = score(ContingencyTable([[1, 2], [3, 4]], ["a\0b", "c"]), ["ari"])
    run_to_end(SaveScores(tmp_path / "s.json", scores))
    with pytest.raises(SaveError, match=r'class 1, "a\\x00b".* cannot hold: .* as \.json\.'):
        run_to_end(SaveScores(tmp_path / "s.csv", scores))
    lone = score(ContingencyTable([[1, 2], [3, 4]], ["\ud800", "c"]), ["ari"])
    run_to_end(SaveScores(tmp_path / "lone.json", lone))
    (found,) = open_file(tmp_path / "lone.json").tables
    assert found.table.truth == ("\ud800", "c")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lone.json", "s.json"]


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_the_source_of_an_export_may_have_a_name_that_is_not_utf8(tmp_path, suffix):
    scores = score(TABLE, ["ari"])
    path = tmp_path / f"s.{suffix}"
    run_to_end(SaveScores(path, scores, name="caf\udce9", source="caf\udce9.csv"))
    assert "\\udce9.csv" in path.read_text("utf-8")
