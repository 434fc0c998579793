"""Sessions come back as they were, and what a damaged file still holds is not lost."""

import contextlib
import io
import json
import re
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.files import session_reader
from core.files.errors import FaultKind, ReadError, SaveError
from core.files.sessions import (
    ListSorting,
    ReadSession,
    SaveSession,
    SessionContent,
    SessionError,
    SessionWriter,
    read_session,
    write_session,
)
from core.files.stamp import stamp_of
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.noise import Noise
from core.studies import study
from core.table import ContingencyTable

DOC = Path(__file__).parents[3] / "docs" / "session-file.md"

# Any text, halves of surrogate pairs among it; a low one behind a high one would make a pair.
NAMES = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=6).filter(
        lambda text: not re.search("[\ud800-\udbff][\udc00-\udfff]", text)
    ),
    st.sampled_from(["", "a", "a", "\0", "a\nb", "\u2028", "\ud800", "\udc00", '"', "\\", "{"]),
)
NOISE = st.one_of(
    st.none(),
    st.builds(
        Noise,
        st.sampled_from(["cluster", "drop", "singletons"]),
        st.lists(NAMES, min_size=1, max_size=2).map(tuple),
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from(["clusters", "truth"]),
    ),
)
COUNTS = st.one_of(st.just(0), st.just(0), st.integers(0, 9), st.integers(0, 2**58))


@st.composite
def named_tables(draw):
    r, c = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    counts = draw(st.lists(st.lists(COUNTS, min_size=c, max_size=c), min_size=r, max_size=r))
    if draw(st.booleans()):
        counts = [[0] * c for _ in range(r)]
        counts[-1][-1] = draw(st.integers(0, 2**62))
    truth = draw(st.lists(NAMES, min_size=r, max_size=r))
    clusters = draw(st.lists(NAMES, min_size=c, max_size=c))
    table = ContingencyTable(counts, truth, clusters).with_noise(draw(NOISE))
    notes = tuple(draw(st.lists(NAMES, max_size=2)))
    return NamedTable(draw(NAMES), table, draw(st.none() | NAMES), notes)


@st.composite
def contents(draw):
    tables = tuple(draw(st.lists(named_tables(), max_size=4)))
    n = len(tables)
    return SessionContent(
        tables,
        draw(st.integers(0, max(n - 1, 0))),
        draw(st.none() | st.integers(0, n - 1)) if n else None,
        ScoreOptions(draw(st.floats(0.1, 9)), 2.0, "max", "zero", 50, 7),
        draw(st.sampled_from([(), ("ap", "ari"), ("row_peakiness",)])),
    )


def saved(content, writer=None):
    return b"".join((writer or SessionWriter()).pieces(content, "2026-03-01T09:30:00"))


def reopened(data, reader=read_session):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s.tallyscope")
        path.write_bytes(data)
        return reader(path)


def damaged(data):
    with pytest.raises(SessionError) as found:
        reopened(data)
    assert str(found.value).startswith("s.tallyscope ")
    assert "\n" not in str(found.value)
    return found.value


def same(one, other):
    return one == other and [
        (named.table.noise, named.table.truth, named.table.clusters) for named in one.tables
    ] == [(named.table.noise, named.table.truth, named.table.clusters) for named in other.tables]


def named(name="t", counts=((8, 2), (1, 9)), **more):
    return NamedTable(name, ContingencyTable(counts), **more)


THREE = SessionContent(
    (
        named("one"),
        named("two", [[0] * 30, [0] * 29 + [5]]),
        named("three", [[2**62, 0], [1, 2]], source="x.csv", notes=("a",)),
    ),
    current=1,
    baseline=2,
)


@given(contents())
@example(SessionContent(()))
@example(THREE)
def test_a_session_does_not_come_back_as_it_was(content):
    assert same(reopened(saved(content)), content)


@given(contents())
def test_a_line_of_a_session_is_no_json_or_no_utf8(content):
    lines = saved(content).decode("utf-8").split("\n")
    assert lines.pop() == ""
    for line in lines:
        json.loads(line)
    assert json.loads(lines[0])["saved"] == "2026-03-01T09:30:00"


def test_the_example_of_the_document_loses_a_cell_that_is_listed_twice():
    text = saved(THREE).decode("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", DOC.read_text("utf-8"), re.S)
    (session,) = re.findall(r"```\n(\{.*?)```", DOC.read_text("utf-8"), re.S)
    assert session.startswith(text[:30])
    twice = session.replace('"cells":1}\n[[0,5,7]]', '"cells":2}\n[[0,5,7],[0,5,1]]')
    lines = io.StringIO(twice)
    found: dict = {"open": lambda *_, **__: lines}
    exec(code, found)
    assert [counts for _, counts in found["tables"]] == [
        named.table.counts.tolist() for named in reopened(twice.encode("utf-8")).tables
    ]


@given(contents())
def test_the_example_of_the_document_does_not_read_a_session(content):
    (code,) = re.findall(r"```python\n(.*?)```", DOC.read_text("utf-8"), re.S)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s.tallyscope")
        path.write_bytes(saved(content))
        code = code.replace('"session.tallyscope"', repr(str(path)))
        code = code.replace("open(", "(file := open(")
        code = code.replace('encoding="utf-8")', 'encoding="utf-8"))')
        found: dict = {}
        exec(code, found)
        found["file"].close()
    assert found["tables"] == [
        (named.name, named.table.counts.tolist()) for named in content.tables
    ]


def test_the_session_in_the_document_does_not_open():
    text = DOC.read_text("utf-8")
    (session,) = re.findall(r"```\n(\{.*?)```", text, re.S)
    content = reopened(session.encode("utf-8"))
    assert [named.table.total for named in content.tables] == [20, 7]
    ours = saved(content).decode("utf-8").splitlines()
    assert ours[1:] == session.splitlines()[1:]


def test_a_table_of_more_cells_than_a_line_holds_loses_some():
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, 400, (2, 2500))
    table = ContingencyTable.from_cells((400, 400), rows, columns, np.ones(2500, np.int64))
    content = SessionContent((NamedTable("t", table),))
    data = saved(content)
    assert b'"cells":' in data
    assert data.count(b"\n") == 6
    assert reopened(data) == content


def test_an_option_that_numpy_made_cannot_be_written():
    options = ScoreOptions(q=np.float64(0.5), draws=np.int64(7))  # type: ignore[arg-type]
    assert reopened(saved(SessionContent((), options=options))).options == options


def test_a_long_line_is_read_otherwise_than_a_short_one(monkeypatch):
    monkeypatch.setattr(session_reader, "_AT_ONCE", 0)
    assert same(reopened(saved(THREE)), THREE)
    assert damaged(saved(THREE).replace(b"[8,2]", b"[8,NaN]")).line == 3


def test_the_numbers_of_tables_are_believed_unseen():
    for wrong in (3, -1):
        with pytest.raises(ValueError, match="there are 3 tables"):
            SessionContent(THREE.tables, wrong)
        with pytest.raises(ValueError, match="there are 3 tables"):
            SessionContent(THREE.tables, baseline=wrong)


def test_order_and_sorting_are_forgotten():
    content = replace(THREE, order=("size", "matching"), sorting=ListSorting("ari", falling=False))
    assert reopened(saved(content)) == content
    # A file without them is one of an earlier program.
    assert b"order" not in saved(THREE).splitlines()[0]
    assert b"sorted_by" not in saved(THREE).splitlines()[0]


@pytest.mark.parametrize(
    "keys",
    [
        b'"order":["spectral","table"]',
        b'"order":"size"',
        b'"order":[["size"],{}]',
        b'"order":null',
        b'"sorted_by":"a_metric_to_come","falling":true',
        b'"sorted_by":3',
        b'"sorted_by":"ap","falling":"yes"',
    ],
)
def test_an_order_of_a_newer_program_stops_an_older_one(keys):
    content = reopened(saved(THREE).replace(b'{"format":', b"{" + keys + b',"format":'))
    assert content == THREE


# Files that are not as they were written


def test_keys_of_a_newer_program_stop_an_older_one():
    data = saved(THREE).replace(b'{"format":', b'{"theme":{"a":[1]},"format":')
    data = data.replace(b'"options":{', b'"options":{"gamma":3,')
    data = data.replace(b'"columns":[]', b'"columns":["ap","a_metric_to_come"]')
    data = data.replace(b'{"table":', b'{"colour":"red","table":')
    content = reopened(data)
    assert content.columns == ("ap",)
    assert content.tables == THREE.tables


def test_a_newer_format_is_guessed_at():
    error = damaged(saved(THREE).replace(b'"format_version":1', b'"format_version":2'))
    assert error.kind is FaultKind.NEWER
    assert str(error).endswith("open it with a newer Tallyscope.")


def test_line_ends_and_the_mark_of_an_editor_make_a_session_unreadable():
    data = b"\xef\xbb\xbf" + saved(THREE).replace(b"\n", b"\r\n") + b"\n\n"
    assert reopened(data) == THREE
    assert reopened(saved(THREE)[:-1]) == THREE


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"a,b\n1,2\n", b"[]\n", b"{}\n", b"\xff\xfe\x00", b'{"format":"x"}\n']
)
def test_what_is_no_session_is_read_as_one(data):
    error = damaged(data)
    assert "is not a session" in str(error)
    assert error.rescued == ()


def test_a_session_that_was_cut_anywhere_loses_a_table_that_is_whole():
    data = saved(THREE)
    ends = [data.index(b'{"table":"two"'), data.index(b'{"table":"three"'), data.index(b'{"end"')]
    first = data.index(b"\n") + 1
    for size in range(first, len(data) - 2):
        error = damaged(data[:size])
        # The line feed behind its last line makes no difference.
        assert len(error.rescued) == sum(size >= end - 1 for end in ends)
        assert error.rescued == THREE.tables[: len(error.rescued)]
        assert error.kind is FaultKind.CUT
        assert error.line == data[:size].rstrip(b"\n").count(b"\n") + 1
        assert f"line {error.line} " in str(error)


@pytest.mark.parametrize(
    ("old", "new", "line", "says", "left"),
    [
        (b"[8,2]", b"[8,2", 3, "not JSON", 2),
        (b"[8,2]", b"[8,2,3]", 3, "3 counts where the table has 2 clusters", 2),
        (b"[8,2]", b"[8,-2]", 3, "-2", 2),
        (b"[8,2]", b"[8,2.0]", 3, '"2.0"', 2),
        (b"[8,2]", b"[8,true]", 3, '"True"', 2),
        (b"[8,2]", b"[8,NaN]", 3, "not JSON", 2),
        (b"[8,2]", b'[8,"2"]', 3, '"2"', 2),
        (b"[8,2]", b"[8,[2]]", 3, "whole number", 2),
        (b"[8,2]", b"[8,%d]" % 2**63, 3, "too large", 2),
        (b"[8,2]", b"[8,%d]" % (2**63 - 1), 2, "add up to more", 2),
        (b"[8,2]", b"[8," + b"9" * 5000 + b"]", 3, "not JSON", 2),
        (b"[8,2]", b"[" * 5000, 3, "not JSON", 2),
        (b"[8,2]", b"\xff", 3, "not UTF-8", 2),
        (b"[8,2]", b"7", 3, "list of counts", 2),
        (b"[8,2]\n", b"", 4, "1 of its 2 rows", 2),
        (b"[8,2]\n", b"[8,2]\n[8,2]\n", 5, "one too many for table 1", 2),
        (b'{"table":"one"', b'[1,2]\n{"table":"one"', 2, "belongs to no table", 3),
        (b'{"end":3}', b'{"end":3}\n[1]', 11, "behind the line that ends", 3),
        (b'"truth":["T1","T2"]', b'"truth":["T1"]', 2, "shape", 2),
        (b'"truth":["T1","T2"]', b'"truth":["T1",2]', 2, "list of texts", 2),
        (b'"table":"one"', b'"table":1', 2, "not text", 2),
        (b'"table":"one"', b'"tabel":"one"', 2, "neither", 2),
        (b'"noise":null', b'"noise":{"choice":"drop"}', 2, "noise", 2),
        (b'"cells":1', b'"cells":2', 7, "1 of its 2 cells", 2),
        (b'"cells":1', b'"cells":0', 6, "one too many for table 2", 2),
        (b'"cells":1', b'"cells":-1', 5, "cells", 2),
        (b"[[1,29,5]]", b"[[1,30,5]]", 5, "begins a table that is none", 2),
        (b"[[1,29,5]]", b"[[1,29,5],[0,0,1]]", 6, "more cells", 2),
        (b"[[1,29,5]]", b"[1,29,5]", 6, "list of cells", 2),
        (b'"current":1', b'"current":3', 1, "current is 3", 3),
        (b'"current":1', b'"current":"1"', 1, "current", 3),
        (b'"q":1.0', b'"q":-1', 1, "q is -1", 3),
        (b'"q":1.0', b'"q":[]', 1, "q is []", 3),
        (b'"average":"arithmetic"', b'"average":[]', 1, "average is []", 3),
        (b'"tables":3', b'"tables":4', 1, "4 tables where there are 3", 3),
        (b'"format":', b'"format"', 1, "not JSON", 3),
        (b'"format_version":1', b'"format_version":"1"', 1, "format_version", 3),
        (b'{"end":3}', b'{"end":4}', 10, 'ends "4" tables where 3', 3),
        (b'{"end":3}', b'{"end":3}\n{"end":3}', 11, "behind the line that ends", 3),
    ],
)
def test_damage_is_not_named_or_takes_other_tables_with_it(old, new, line, says, left):
    data = saved(THREE)
    assert data.count(old) >= 1
    error = damaged(data.replace(old, new, 1))
    assert error.line == line
    assert f"line {line} " in str(error)
    assert says in str(error)
    assert len(error.rescued) == left
    assert set(error.rescued) <= set(THREE.tables)


@given(st.data())
def test_a_session_with_any_byte_changed_crashes(data):
    before = saved(THREE)
    place = data.draw(st.integers(0, len(before) - 1))
    after = before[:place] + data.draw(st.binary(max_size=2)) + before[place + 1 :]
    with contextlib.suppress(SessionError):
        reopened(after)


def test_a_session_that_cannot_be_opened_is_more_than_a_sentence(tmp_path):
    for path in (tmp_path, tmp_path / "none.tallyscope"):
        with pytest.raises(ReadError, match=r"^[^\n]*\.$"):
            read_session(path)


# Saving


@pytest.fixture
def every_step(monkeypatch):
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)


def test_a_session_that_is_stopped_while_it_is_saved_is_lost(tmp_path, every_step):
    path = tmp_path / "s.tallyscope"
    path.write_text("old", "utf-8")
    saving = SaveSession(THREE, path)
    n_steps = len(list(SaveSession(THREE, tmp_path / "other").run()))
    assert n_steps > 6
    (tmp_path / "other").unlink()
    for taken in range(n_steps):
        steps = saving.run()
        for _ in range(taken):
            assert next(steps).result is None
        steps.close()
        assert path.read_text("utf-8") == "old"
        assert list(tmp_path.iterdir()) == [path]


def test_a_session_is_read_without_a_step_or_its_stamp(tmp_path, every_step):
    path = tmp_path / "s.tallyscope"
    write_session(THREE, path)
    steps = list(ReadSession(path).run())
    fractions = [step.fraction or 0.0 for step in steps]
    assert len(steps) > 10
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert steps[-1].result == THREE
    assert steps[-1].result is not None
    assert steps[-1].result.stamp == stamp_of(path.stat())


def test_a_folder_that_is_missing_is_more_than_a_sentence(tmp_path):
    with pytest.raises(SaveError, match=r"^[^\n]*does not exist\.$"):
        write_session(THREE, tmp_path / "missing" / "s.tallyscope")


def test_a_table_that_did_not_change_is_encoded_again(monkeypatch):
    from core.files import session_writer

    encoded = []
    lines = session_writer._table_lines

    def watched(table):
        encoded.append(table)
        return lines(table)

    monkeypatch.setattr(session_writer, "_table_lines", watched)
    writer = SessionWriter()
    first = saved(THREE, writer)
    assert saved(THREE, writer) == first
    assert len(encoded) == 3
    changed = NamedTable("three", ContingencyTable([[1]]))
    renamed = NamedTable("new", THREE.tables[0].table)
    after = SessionContent((renamed, THREE.tables[1], changed))
    assert saved(after, writer) == saved(after)
    assert encoded[3] is changed.table
    # One for the session that is changed, three for the one that is written afresh.
    assert len(encoded) == 3 + 1 + 3


def test_a_writer_keeps_more_than_it_may_or_what_is_gone():
    writer = SessionWriter(most_bytes=500)
    tables = tuple(named(str(i)) for i in range(20))
    content = SessionContent(tables)
    assert saved(content, writer) == saved(content)
    assert 0 < writer.kept_bytes <= 500
    assert saved(content, writer) == saved(content)
    saved(SessionContent(()), writer)
    assert writer.kept_bytes == 0


def test_a_table_at_the_address_of_one_that_is_gone_gets_its_text():
    writer = SessionWriter()
    for i in range(50):
        content = SessionContent((named("t", [[i, 1]]),))
        assert saved(content, writer) == saved(content)
        del content


def test_all_0_tables_can_still_be_opened(tmp_path):
    """A file cut in its first line, and one that lacks tables which its header counts."""
    path = tmp_path / "s.tallyscope"
    tables = tuple(NamedTable(f"t{i}", ContingencyTable([[1, 2], [3, 4]])) for i in range(3))
    write_session(SessionContent(tables), path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(lines[0][: len(lines[0]) // 3])
    with pytest.raises(SessionError) as caught:
        read_session(path)
    assert "0 tables" not in caught.value.message
    path.write_bytes(whole[: whole.index(b'"t2"')])
    with pytest.raises(SessionError, match="2 of its 3 tables can still be opened") as caught:
        read_session(path)
    assert len(caught.value.rescued) == 2
