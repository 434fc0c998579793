"""The command ``score``, run as a process."""

import inspect
import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from core import METRICS, score
from core.cli.scoring import score as score_command
from core.files.results import ScoredTable, scores_csv, scores_json
from core.files.sessions import SessionContent, write_session
from core.files.tables import parse_table
from core.formatting import format_score
from core.metrics.catalogue import FAMILIES
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.table import ContingencyTable
from tests.cli.conftest import ROOT, environment

FIGURE_1 = ROOT / "resources" / "samples" / "figure_1.csv"
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes and signals")


@pytest.fixture
def tie(tmp_path):
    path = tmp_path / "tie.csv"
    path.write_text("1,1\n0,0\n", "utf-8")
    return path


def one_line(text):
    assert text.endswith("\n")
    assert text.count("\n") == 1
    return text[:-1]


def test_scores_are_printed_with_their_family_and_each_class(program):
    done = program("score", FIGURE_1)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].endswith("figure_1.csv   4 x 4   N = 2\u202f521")
    assert "Associativity and peakiness" in lines
    assert next(line.split()[-1] for line in lines if line.startswith("AP ")) == "0.6168"
    assert [line.split() for line in lines[-4:]] == [
        ["4", "571", "3", "0.4192"],
        ["5", "790", "1", "0.0848"],
        ["6", "555", "2", "0.4856"],
        ["7", "605", "0", "0.7939"],
    ]
    assert "\x1b" not in done.stdout
    assert not [line for line in lines if line != line.rstrip()]


def test_what_is_undefined_has_a_dash_and_its_reason(program, tie):
    done = program("score", tie)
    assert done.returncode == 0
    line = next(line for line in done.stdout.splitlines() if line.startswith("AP "))
    assert line.split("—")[1].strip() == score([[1, 1], [0, 0]]).why("ap")
    assert "Warning: Class T2 is empty" in done.stdout


def test_json_is_the_export_byte_by_byte(program):
    done = program("score", FIGURE_1, "--json", text=False)
    table = parse_table(FIGURE_1.read_text("utf-8")).table
    expected = scores_json([ScoredTable(score(table), "figure_1", "figure_1.csv")])
    assert done.stdout == expected.encode("utf-8")


def test_csv_is_the_export_byte_by_byte_and_opens_again(program):
    done = program("score", FIGURE_1, "--csv", text=False)
    table = parse_table(FIGURE_1.read_text("utf-8")).table
    expected = scores_csv([ScoredTable(score(table), "figure_1", "figure_1.csv")])
    assert done.stdout == expected.encode("utf-8")
    again = program("score", "-", "--json", stdin=done.stdout.decode("utf-8"))
    assert json.loads(again.stdout)["results"][0]["counts"] == table.counts.tolist()


def test_standard_input_is_read(program):
    done = program("score", "-", "--metrics", "ari", stdin="8,2\n1,9\n")
    assert done.returncode == 0
    assert "0.4620" in done.stdout


def test_options_reach_the_reader_and_the_metrics(program):
    done = program(
        *("score", "-", "--json", "--metrics", "v_measure,ap", "--beta", "0.5"),
        *("--average", "min", "--empty-truth", "zero", "--q", "2", "--transpose"),
        *("--draws", "20", "--seed", "7"),
        *("--separator", "semicolon", "--thousands", ".", "--blank-zero"),
        *("--header", "--no-index", "--encoding", "cp1252"),
        stdin="a;b\n1.234;5\n;7\n",
    )
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert document["options"] == {
        "q": 2.0,
        "beta": 0.5,
        "average": "min",
        "empty_truth": "zero",
        "draws": 20,
        "seed": 7,
    }
    result = document["results"][0]
    assert list(result["scores"]) == ["v_measure", "ap"]
    assert result["counts"] == [[1234, 0], [5, 7]]
    assert result["truth"] == ["a", "b"]


def test_several_files_stand_side_by_side(program, tie):
    done = program("score", FIGURE_1, tie, "--metrics", "ari,ap", "--digits", "2")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    head = next(line for line in lines if line.split() == ["figure_1.csv", "tie.csv"])
    ari = next(line for line in lines if line.startswith("ARI"))
    assert ari.split()[-2:] == ["0.18", "0.00"]
    assert len(ari) == len(head)
    assert f"tie.csv: {score([[1, 1], [0, 0]]).why('ap')} (AP)" in lines


def test_a_bad_file_is_one_line_and_the_good_ones_are_scored(program, tmp_path):
    (tmp_path / "bad.csv").write_text("5,-1\n1,3\n", "utf-8")
    done = program("score", "bad.csv", FIGURE_1, "missing.csv", "--metrics", "ap")
    assert done.returncode == 1
    bad, missing = done.stderr.splitlines()
    assert bad.startswith('bad.csv, line 1, column 2: "-1" is negative')
    assert missing.startswith("missing.csv does not exist")
    assert "0.6168" in done.stdout


def test_nothing_is_printed_where_no_file_is_good(program):
    done = program("score", "missing.csv", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    one_line(done.stderr)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--metrics", "arri"], "did you mean ari"),
        (["--metrcs", "ari"], "--metrics"),
        (["--metrics", ","], "at least one"),
        (["--average", "median"], "arithmetic"),
        (["--beta", "-1"], "0 or more"),
        (["--beta", "x"], "--beta"),
        (["--q", "0"], "q is 0.0: it must be a number above 0"),
        (["--q", "nan"], "above 0"),
        (["--draws", "1"], "draws is 1: it must be a whole number from 2 to"),
        (["--draws", "2.5"], "--draws"),
        (["--seed", "-1"], "seed is -1: it must be a whole number, 0 or more"),
        (["--digits", "40"], "17"),
        (["--separator", "x"], "semicolon"),
        (["--thousands", "x"], "separate"),
        (["--json", "--csv"], "choose one of"),
    ],
)
def test_wrong_usage_is_2_with_a_hint(program, arguments, hint):
    done = program("score", FIGURE_1, *arguments)
    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_wrong_option_is_said_in_more_than_one_line(program):
    done = program("score", FIGURE_1, "--q", "-2")
    (error,) = [line for line in done.stderr.splitlines() if line.startswith("Error")]
    assert error == "Error: Invalid value: q is -2.0: it must be a number above 0"


def test_the_options_of_the_command_have_other_defaults_than_the_core(program):
    parameters = inspect.signature(score_command, eval_str=True).parameters
    for option, value in asdict(ScoreOptions()).items():
        assert parameters[option].default is None, option
        (help_text,) = [one.help for one in parameters[option].annotation.__metadata__]
        assert help_text.endswith(
            f"by default {value:g}." if option in ("q", "beta") else f"{value}."
        )
    done = program("score", FIGURE_1, "--json", "--metrics", "ap")
    assert json.loads(done.stdout)["options"] == asdict(ScoreOptions())


def test_the_order_of_the_entropies_is_not_shown(program):
    usual = program("score", FIGURE_1).stdout.splitlines()
    done = program("score", FIGURE_1, "--q", "2").stdout.splitlines()
    assert "Generalised information, q = 1" in usual
    assert not [line for line in usual if "conventions" in line]
    assert "Generalised information, q = 2" in done
    assert "Not the usual conventions: q = 2." in done
    table = parse_table(FIGURE_1.read_text("utf-8")).table
    shown = next(line.split()[-1] for line in done if line.startswith("AMI_q "))
    assert shown == format_score(score(table, ["ari"])["ari"])


def test_a_small_score_is_printed_as_zero_or_out_of_line(program):
    lines = program("score", FIGURE_1).stdout.splitlines()
    scores = score(parse_table(FIGURE_1.read_text("utf-8")).table)
    shown = {line.split("  ")[0]: line for line in lines}
    for key in ("ap", "p_bound", "smi_q", "var_mi_q"):
        assert shown[METRICS[key].symbol].endswith(" " + format_score(scores[key])), key
    ends = {len(shown[METRICS[key].symbol]) for key in ("ap", "p_bound", "smi_q", "var_mi_q")}
    assert len(ends) == 1


def test_a_default_metric_is_missing_in_the_text(program):
    lines = program("score", FIGURE_1).stdout.splitlines()
    for metric in METRICS.values():
        named = [line for line in lines if f" {metric.name} " in f" {line}"]
        if metric.per == "table":
            assert bool(named) == (metric.when != "request"), metric.key
    headings = [line for line in lines if line in {family.name for family in FAMILIES}]
    assert headings == [f.name for f in FAMILIES if f.name in headings]


REQUEST = [key for key, metric in METRICS.items() if metric.when == "request"]


@pytest.mark.skipif(not REQUEST, reason="every metric is computed by default")
def test_a_metric_on_request_cannot_be_asked_for(program):
    done = program("score", FIGURE_1, "--metrics", ",".join(REQUEST), "--draws", "20")
    assert (done.returncode, done.stderr) == (0, "")
    for key in REQUEST:
        assert METRICS[key].name in done.stdout


@pytest.mark.skipif("tp" not in METRICS, reason="no metric counts pairs")
def test_a_count_of_pairs_is_rounded(program):
    counts = [[10**12, 3], [1, 10**12 + 7]]
    exact = sum(n * (n - 1) // 2 for row in counts for n in row)
    text = "\n".join(",".join(map(str, row)) for row in counts)
    plain = program("score", "-", "--metrics", "tp", stdin=text)
    assert plain.stdout.splitlines()[-1].endswith(" " + format_score(exact))
    exported = program("score", "-", "--metrics", "tp", "--json", stdin=text)
    assert json.loads(exported.stdout)["results"][0]["scores"]["tp"] == exact
    assert f'"tp": {exact}' in exported.stdout


def test_wrong_commands_are_2_with_a_hint(program):
    done = program("scor", FIGURE_1)
    assert done.returncode == 2
    assert "score" in done.stderr


def test_long_names_are_never_cut(program):
    name = "a very long name of a truth class " * 10
    done = program("score", "-", stdin=f",x\n{name},5\n", env={"COLUMNS": "40"})
    assert name.strip() in done.stdout


def test_names_with_markup_and_controls_are_shown_as_they_are(program):
    done = program("score", "-", stdin=',x\n[red]:smile:,5\n"b\x1b[31m\n",6\n')
    assert "[red]:smile:" in done.stdout
    assert "b\\x1b[31m\\n" in done.stdout or "b\\x1b[31m" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
    ],
)
def test_a_console_without_unicode_gets_plain_signs(program, env):
    data = ",é🎈\nx,1\n".encode()
    done = program("score", "-", stdin=data, env=env, text=False)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"\\U0001f388" in done.stdout
    dashes = [line for line in done.stdout.splitlines() if line.startswith(b"AP ")]
    assert b" -  " in dashes[0] or b"\xe2\x80\x94" in dashes[0]


@POSIX
def test_a_reader_that_has_seen_enough_is_no_error():
    command = [sys.executable, str(ROOT / "main.py"), "score", str(FIGURE_1)]
    # The end that is read is closed before anything is written.
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@POSIX
def test_an_interrupt_is_130_and_quiet():
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), "score", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    # More than a pipe holds, so once it is written the program is reading.
    process.stdin.write(b"1,2\n" * 100_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said_in_one_line(program):
    with Path("/dev/full").open("wb") as full:
        for option in ([], ["--json"]):
            done = program("score", FIGURE_1, *option, stdout=full)
            assert done.returncode == 1
            assert "no space" in one_line(done.stderr)


def test_a_program_without_a_console_does_not_fail(tmp_path):
    script = (
        "import sys; sys.stdout = sys.stderr = sys.stdin = None\n"
        "import main\n"
        f"codes = [main.main(['score', {str(FIGURE_1)!r}]), main.main(['score', 'no.csv']),\n"
        f"  main.main(['score', {str(FIGURE_1)!r}, '--json']), main.main(['score', '-'])]\n"
        "sys.exit(codes != [0, 1, 0, 1])\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, env=environment(), timeout=60, check=False)
    assert done.returncode == 0


def test_every_metric_can_be_asked_for_by_its_key(program):
    done = program("score", FIGURE_1, "--json", "--metrics", ",".join(METRICS))
    assert list(json.loads(done.stdout)["results"][0]["scores"]) == list(METRICS)


@POSIX
@pytest.mark.parametrize(("term", "coloured"), [("xterm-256color", True), ("dumb", False)])
def test_a_narrow_terminal_cuts_nothing(term, coloured, tie):
    import pty

    try:
        master, slave = pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal can be made here: {error}")
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), "score", str(tie), str(FIGURE_1)],
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=subprocess.PIPE,
        env=environment(TERM=term, COLUMNS="30"),
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    _, err = process.communicate(timeout=60)
    os.close(master)
    assert (process.returncode, err) == (0, b"")
    text = shown.decode("utf-8")
    assert "…" not in text
    assert ("\x1b[" in text) == coloured
    assert "Adjusted mutual information" in text


@pytest.mark.skipif(sys.platform != "linux", reason="needs names of files that are not UTF-8")
@pytest.mark.parametrize("option", ["--json", "--csv", "--digits=4"])
def test_the_name_of_a_file_may_not_be_utf8(program, tmp_path, option):
    name = os.fsdecode(b"caf\xe9.csv")
    (tmp_path / name).write_text("8,2\n1,9\n", "utf-8")
    done = program("score", name, option, "--metrics", "ari")
    assert (done.returncode, done.stderr) == (0, "")
    assert "caf\\udce9.csv" in done.stdout.replace("\\\\", "\\")
    if option == "--json":
        assert json.loads(done.stdout)["results"][0]["source"] == "caf\\udce9.csv"
    (tmp_path / name).write_text("8,x\n1,9\n", "utf-8")
    done = program("score", name, option)
    assert (done.returncode, done.stdout) == (1, "")
    assert one_line(done.stderr).startswith("caf\\udce9.csv, line 1, column 2")


@pytest.mark.parametrize(
    ("cell", "mark", "shown"), [("1.234", ".", "."), ("1,234", ",", ","), ("1 234", " ", '" "')]
)
def test_what_separates_thousands_is_said_with_its_option(program, tmp_path, cell, mark, shown):
    (tmp_path / "t.csv").write_text(f"{cell};2\n3;4\n", "utf-8")
    done = program("score", "t.csv")
    assert done.returncode == 1
    assert one_line(done.stderr).endswith(f" separates thousands (--thousands {shown}).")
    assert program("score", "t.csv", "--thousands", mark).returncode == 0


@POSIX
def test_a_pipe_is_refused_and_not_waited_for(program, tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    done = program("score", "pipe.csv")
    assert done.returncode == 1
    assert one_line(done.stderr).startswith("pipe.csv is a pipe or a device")


def test_a_metric_that_can_be_asked_for_is_not_listed(program):
    done = program("metrics")
    assert done.returncode == 0
    assert done.stderr == ""
    listed = [line.split()[0] for line in done.stdout.splitlines() if "_" in line or "ap" in line]
    assert {"ap", "bcubed_f", "smi_q", "ari_max"} <= set(listed)
    assert "only where it is asked for" in done.stdout


def test_a_symbol_or_capitals_do_not_lead_to_the_key(program):
    for typed, key in (("AMI", "ami"), ("Cramér's V", "cramers_v"), ("NMI-max", "nmi_max")):
        done = program("score", "-", "--metrics", typed, stdin="8,2\n1,9\n")
        assert done.returncode == 2
        assert f"did you mean {key}?" in " ".join(done.stderr.split())


def test_a_row_that_lacks_a_cell_is_taken_for_a_decimal_comma(program):
    done = program("score", "-", stdin="1,2\n3\n")
    assert done.returncode == 1
    assert "cells where the other has" in done.stderr


def test_an_option_that_no_metric_reads_is_called_unusual(program):
    typed = ("score", "-", "--draws", "10", "--metrics")
    assert "draws" not in program(*typed, "ami", stdin="8,2\n1,9\n").stdout
    assert "draws = 10" in program(*typed, "ap_expected", stdin="8,2\n1,9\n").stdout


# Formats, and several tables in a file


PETS = [[8, 2], [1, 9]]


def results(done):
    assert done.stderr == ""
    assert done.returncode == 0
    return [
        (one["name"], one["source"], one["counts"]) for one in json.loads(done.stdout)["results"]
    ]


def workbook(path, **sheets):
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def test_a_format_cannot_be_scored(program, tmp_path):
    import numpy as np

    workbook(tmp_path / "t.xlsx", Pets=PETS)
    (tmp_path / "t.json").write_text(json.dumps(PETS), "utf-8")
    np.save(tmp_path / "t.npy", PETS)
    np.savez(tmp_path / "t.npz", pets=PETS)
    files = ("t.xlsx", "t.json", "t.npy", "t.npz")
    done = program("score", *files, "--json", "--metrics", "ari")
    assert results(done) == [
        ("Pets", "t.xlsx", PETS),
        ("t (t.json)", "t.json", PETS),
        ("t (t.npy)", "t.npy", PETS),
        ("pets", "t.npz", PETS),
    ]
    shown = program("score", *files, "--metrics", "ari").stdout
    assert shown.splitlines()[0].startswith("t.xlsx   2 x 2   N = 20")


def test_several_tables_of_a_file_are_scored_as_one(program, tmp_path):
    workbook(tmp_path / "t.xlsx", A=PETS, B=[[5, 1], [2, 3]], About=[["made by hand"]])
    done = program("score", "t.xlsx", "--json", "--metrics", "ari", "--transpose")
    assert results(done) == [
        ("A", "t.xlsx", [[8, 1], [2, 9]]),
        ("B", "t.xlsx", [[5, 2], [1, 3]]),
    ]
    lines = program("score", "t.xlsx", "--metrics", "ari").stdout.splitlines()
    assert lines[0].startswith("t.xlsx: A   2 x 2   N = 20")
    assert [line for line in lines if 'Sheet "About" was left out' in line]
    assert next(line.split() for line in lines if line.split()[-1:] == ["B"]) == ["A", "B"]
    again = program("score", "-", "--json", "--metrics", "ari", stdin=done.stdout)
    assert results(again) == results(done)
    as_csv = program("score", "t.xlsx", "--csv", "--metrics", "ari")
    again = program("score", "-", "--json", "--metrics", "ari", stdin=as_csv.stdout)
    assert [counts for _, _, counts in results(again)] == [PETS, [[5, 1], [2, 3]]]


def test_a_sheet_and_a_range_cannot_be_named(program, tmp_path):
    workbook(tmp_path / "t.xlsx", A=PETS, B=[["x", "", ""], ["", 5, 1], ["", 2, 3], [9]])
    typed = ("score", "t.xlsx", "--json", "--metrics", "ari", "--sheet", "B", "--range")
    assert results(program(*typed, "B2:C3")) == [("B", "t.xlsx", [[5, 1], [2, 3]])]
    for wrong, word in ((["--sheet", "C"], 'choose "A", "B"'), (["--range", "B2"], "2 sheets")):
        done = program("score", "t.xlsx", *wrong)
        assert done.returncode == 1
        assert word in one_line(done.stderr)


def test_the_remedy_of_a_total_is_not_an_option(program, tmp_path):
    (tmp_path / "t.csv").write_text(",a,b\nx,1,2\ny,3,4\nTotal,4,7\n", "utf-8")
    done = program("score", "t.csv")
    assert done.returncode == 1
    message = one_line(done.stderr)
    assert "--totals drop" in message
    assert "--totals keep" in message
    typed = ("score", "t.csv", "--json", "--metrics", "ari", "--totals")
    assert results(program(*typed, "drop"))[0][2] == [[1, 2], [3, 4]]
    assert results(program(*typed, "keep"))[0][2] == [[1, 2], [3, 4], [4, 7]]
    done = program(*typed, "maybe")
    assert done.returncode == 2
    assert "drop or keep" in done.stderr


def test_blank_lines_cannot_be_said_to_separate_tables(program, tmp_path):
    (tmp_path / "t.csv").write_text("1,2\n\n3,4\n", "utf-8")
    done = program("score", "t.csv")
    assert done.returncode == 1
    assert one_line(done.stderr).endswith("say that blank lines separate tables (--several).")
    done = program("score", "t.csv", "--json", "--metrics", "ari", "--several")
    assert results(done) == [("t 1", "t.csv", [[1, 2]]), ("t 2", "t.csv", [[3, 4]])]


def test_a_bad_workbook_is_more_than_one_line(program, tmp_path):
    workbook(tmp_path / "t.xlsx", A=[["", "a"], ["cat", "=1+1"]])
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99)
    done = program("score", "t.xlsx", "old.xls")
    assert done.returncode == 1
    bad, old = done.stderr.splitlines()
    assert bad.startswith("t.xlsx, A!B2 (class cat, cluster a): the formula")
    assert old.startswith("old.xls is an old Excel file")


def test_the_tables_of_a_session_are_scored_like_files(program, tmp_path):
    tables = [
        NamedTable("first", ContingencyTable([[8, 2], [1, 9]])),
        NamedTable("second", ContingencyTable([[3, 0], [0, 3]])),
    ]
    write_session(SessionContent(tuple(tables)), tmp_path / "mine.tallyscope")
    done = program("score", tmp_path / "mine.tallyscope", "--json", "--metrics", "ari")
    results = json.loads(done.stdout)["results"]
    assert [r["name"] for r in results] == ["first", "second"]
    assert results[1]["scores"]["ari"] == 1
