"""The page of published results: checking, reading, cancelling, exporting."""

import json

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from core.files.errors import SaveError
from core.published.finding import VERDICTS
from core.studies.published import CheckPublished
from core.studies.study import run_to_end
from gui.jobs import JobRunner
from gui.pages.published import PublishedPage
from gui.published.model import MARKS, Column, FindingsModel
from gui.published.report import SavePublishedPdf
from gui.theme import DARK


@pytest.fixture
def jobs(qtbot):
    runner = JobRunner()
    yield runner
    runner.shutdown()


@pytest.fixture
def page(qtbot, jobs, settings, theme, answers):
    page = PublishedPage(jobs, settings, answers)
    page.replications.setValue(2)
    qtbot.addWidget(page)
    page.resize(1100, 700)
    page.show()
    return page


@pytest.fixture(scope="module")
def some():
    return run_to_end(CheckPublished("table 3", replications=2))


@pytest.fixture
def checked(qtbot, page):
    page.check()
    qtbot.waitUntil(lambda: page.result is not None and page.result.complete, timeout=30_000)
    qtbot.waitUntil(lambda: not page.cancel_button.isVisible())
    return page


def texts(model, parent=None):
    """Return what a tree shows, line by line below each source."""
    parent = parent or QModelIndex()
    shown = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        shown.append([index.siblingAtColumn(c).data() for c in range(model.columnCount())])
        shown += texts(model, index)
    return shown


def test_an_empty_page_says_what_to_do_and_offers_it(qtbot, page):
    assert page.start_button.isVisible()
    assert not page.tree.isVisible()
    assert not page.export_button.isVisible()
    qtbot.mouseClick(page.start_button, Qt.MouseButton.LeftButton)
    assert page.cancel_button.isVisible()
    assert page.progress.isVisible()
    assert not page.start_button.isVisible()


def test_a_check_shows_every_claim_below_its_source(checked):
    shown = texts(checked.model)
    assert len(shown) == checked.result.planned + len(checked.result.by_source())
    assert not checked.progress.isVisible()
    assert checked.check_button.isVisible()
    assert checked.export_button.isEnabled()
    assert checked.summary.text() == checked.result.summary()


def test_a_selected_claim_is_explained(checked):
    checked.tree.setCurrentIndex(checked.model.index_of("ap.table_3.v_measure"))
    text = checked.explanation.toPlainText()
    assert "with a digit lost" in text
    assert "! misprint." in text
    assert "Printed: 0.275. Ours: 0.254." in text


def test_only_what_is_not_confirmed_is_shown_on_request(checked):
    checked.tree.setCurrentIndex(checked.model.index_of("ap.table_3.v_measure"))
    checked.only_open.setChecked(True)
    # What could not be checked is not confirmed either.
    expected = [f.claim for f in checked.result.findings if f.agrees is not True]
    shown = [line for line in texts(checked.model) if line[Column.VERDICT]]
    assert sorted(line[Column.CLAIM] for line in shown) == sorted(expected)
    # What was read is still selected, and the sources still say what holds of all of them.
    assert checked.model.finding(checked.tree.currentIndex()).key == "ap.table_3.v_measure"
    assert " of 113 confirmed" in texts(checked.model)[0][0]


def test_a_cancelled_check_keeps_what_it_has_and_says_so(qtbot, page, jobs):
    page.replications.setValue(1000)
    page.check()
    qtbot.waitUntil(lambda: bool(page.result.findings), timeout=30_000)
    page.cancel_button.click()
    qtbot.waitUntil(lambda: not jobs.jobs, timeout=10_000)
    assert not page.result.complete
    assert page.summary.text().startswith("Partial: ")
    assert "Cancelled" in page.notices.notice.text
    assert page.export_button.isEnabled()
    assert page.check_button.isVisible()


def test_a_check_does_not_begin_twice(page, jobs):
    page.check()
    page.check()
    assert len(jobs.jobs) == 1


@pytest.mark.parametrize("ending", ["md", "json", "pdf"])
def test_findings_are_exported(qtbot, checked, answers, tmp_path, ending):
    answers.save_path = tmp_path / f"out.{ending}"
    checked.ask_export()
    qtbot.waitUntil(lambda: checked.notices.notice is not None, timeout=30_000)
    assert str(answers.save_path) in checked.notices.notice.text
    data = answers.save_path.read_bytes()
    if ending == "pdf":
        assert data.startswith(b"%PDF-")
        assert data.rstrip().endswith(b"%%EOF")
    elif ending == "json":
        assert len(json.loads(data)["findings"]) == checked.result.planned
    else:
        assert data.decode("utf-8").startswith("# Published results, checked")


def test_an_export_that_fails_says_why(qtbot, checked, answers, tmp_path):
    answers.save_path = tmp_path / "no folder" / "out.pdf"
    checked.ask_export()
    qtbot.waitUntil(lambda: checked.notices.notice is not None, timeout=30_000)
    assert "Not exported" in checked.notices.notice.text
    assert "does not exist" in checked.notices.notice.text


def test_every_verdict_has_a_mark_of_its_own_kind():
    assert set(MARKS) == set(VERDICTS)
    good = {MARKS[v] for v in ("reproduced", "holds", "reproduced within sampling error")}
    bad = {MARKS[v] for v in ("not reproduced", "does not hold", "misprint")}
    assert not good & bad


def test_the_tree_agrees_with_itself(qtmodeltester, some):
    model = FindingsModel()
    model.show_result(some, only_open=False)
    qtmodeltester.check(model, force_py=True)


def test_the_same_findings_do_not_rebuild_the_tree(some):
    model = FindingsModel()
    assert model.show_result(some, only_open=False)
    assert not model.show_result(some, only_open=False)
    assert model.show_result(some, only_open=True)


def test_a_pdf_is_dark_on_white_whatever_the_window(qapp, theme, some, tmp_path):
    palette = QApplication.palette()
    dark = QPalette(palette)
    dark.setColor(QPalette.ColorRole.Text, DARK.text)
    run_to_end(SavePublishedPdf(tmp_path / "light.pdf", some))
    QApplication.setPalette(dark)
    try:
        run_to_end(SavePublishedPdf(tmp_path / "dark.pdf", some))
    finally:
        QApplication.setPalette(palette)
    light, other = ((tmp_path / f"{n}.pdf").read_bytes() for n in ("light", "dark"))
    assert len(light) == len(other)


def test_a_pdf_that_is_cancelled_leaves_no_file(qapp, some, tmp_path):
    steps = SavePublishedPdf(tmp_path / "out.pdf", some).run()
    next(steps)
    steps.close()
    assert not list(tmp_path.iterdir())


def test_a_pdf_has_the_ending_of_one(qapp, some, tmp_path):
    with pytest.raises(SaveError, match=r"\.pdf"):
        run_to_end(SavePublishedPdf(tmp_path / "out.doc", some))


def test_the_window_has_the_page(window):
    titles = [page.title for page in window.pages]
    assert "Published" in titles
    window.show_page(titles.index("Published"))
    assert window.published_page.start_button.hasFocus() or not window.isActiveWindow()


def test_a_whole_export_is_called_partial_because_it_is_checked_again(
    qtbot, window, checked, answers, tmp_path
):
    answers.save_path = tmp_path / "found.json"
    checked.ask_export()
    checked.check()
    qtbot.waitUntil(lambda: checked.notices.notice is not None, timeout=10_000)
    assert "found.json" in checked.notices.notice.text
    assert not checked.result.complete
    assert "partial" not in checked.notices.notice.text
    checked._on_cancel()
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=20_000)
