"""The command ``labels``, run as a process."""

import json

import pytest

from core import ContingencyTable, score
from core.cli import commands
from core.files.results import ScoredTable, scores_csv
from tests.cli.test_main import python

TRUTH, KMEANS, DBSCAN = list("aabbc"), [0, 0, 1, 1, 10], [-1, 0, 0, 1, 2]


@pytest.fixture
def file(tmp_path):
    rows = zip(range(1, 6), TRUTH, KMEANS, DBSCAN, strict=True)
    lines = ["id;truth;k/means;dbscan", *(";".join(map(str, row)) for row in rows)]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_it_is_a_command_and_its_help_waits_for_nothing_heavy():
    assert "labels" in commands()
    heavy = ("numpy", "scipy", "sklearn", "rich", "openpyxl", "joblib", "PySide6", "gui")
    done = python(
        "import sys, main\n"
        "main.main(['labels', '--help'])\n"
        f"sys.exit([name for name in {heavy!r} if name in sys.modules] or 0)\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "--truth" in done.stdout


def test_each_prediction_is_scored_as_a_table_is(program, file):
    done = program("labels", "labels.csv", "--truth", "truth", "--csv", text=False)
    tables = [ContingencyTable.from_labels(TRUTH, labels) for labels in (KMEANS, DBSCAN)]
    expected = scores_csv(
        [
            ScoredTable(score(table), name, "labels.csv")
            for table, name in zip(tables, ("k/means", "dbscan"), strict=True)
        ]
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == expected.encode("utf-8")


def test_columns_are_named_by_number_and_noise_is_dropped(program, file):
    done = program(
        *("labels", file, "--truth", "2", "--predictions", "4", "--json", "--metrics", "ap,ari"),
        *("--noise", "-1", "--noise-policy", "drop"),
    )
    (result,) = json.loads(done.stdout)["results"]
    table = ContingencyTable.from_labels(TRUTH, DBSCAN, noise="drop")
    assert (result["name"], result["counts"]) == ("dbscan", table.counts.tolist())
    assert result["scores"]["ari"] == score(table)["ari"]


def test_a_text_names_the_predictions_side_by_side(program, file):
    done = program("labels", "labels.csv", "--truth", "truth")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].startswith("labels.csv: k/means   3 x 3   N = 5")
    alone = program("labels", "labels.csv", "--truth", "truth", "--predictions", "dbscan")
    lines = alone.stdout.splitlines()
    assert lines[0] == "labels.csv: dbscan   3 x 4   N = 5"
    assert lines[1].startswith('"truth" holds the truth classes; semicolons separate')


def test_swapped_tables_have_the_clusters_as_rows(program, file):
    done = program("labels", file, "--truth", "truth", "--swap", "--json", "--metrics", "ap")
    first = json.loads(done.stdout)["results"][0]
    assert (first["truth"], first["clusters"]) == (["0", "1", "10"], ["a", "b", "c"])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--truth", "gold"], 1, 'no column "gold"'),
        (["--truth", "9"], 1, "numbered 1 to 4"),
        (["--truth", "truth", "--predictions", "truth"], 1, "at once"),
        (["--truth", "truth", "--encoding", "klingon"], 1, "not an encoding"),
        ([], 2, "--truth"),
        (["--truth", "truth", "--noise-policy", "keep"], 2, "cluster, drop or singletons"),
        (["--truth", "truth", "--missing", "keep"], 2, "refuse, drop or noise"),
        (["--truth", "truth", "--separator", "x"], 2, "separator"),
        (["--truth", "truth", "--csv", "--json"], 2, "not both"),
    ],
)
def test_mistakes_are_told_in_one_line(program, file, arguments, code, words):
    done = program("labels", "labels.csv", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert code == 2 or done.stderr.count("\n") == 1


def test_a_missing_label_is_named_with_its_line(program, tmp_path):
    (tmp_path / "x.csv").write_text("truth,cluster\na,0\nb,\n", "utf-8")
    done = program("labels", "x.csv", "--truth", "truth")
    assert done.returncode == 1
    assert done.stderr.startswith('x.csv, line 3: the item has no label in column "cluster"')


def test_the_remedy_of_a_missing_label_is_no_option(program, tmp_path):
    (tmp_path / "x.csv").write_text("truth,cluster\na,0\nb,\n", "utf-8")
    done = program("labels", "x.csv", "--truth", "truth")
    assert "leave such items out (--missing drop), or take them for noise" in done.stderr
    assert "(--missing noise)." in done.stderr
    done = program("labels", "x.csv", "--truth", "truth", "--missing", "drop")
    assert done.returncode == 0


def test_labels_from_standard_input_are_a_file_that_does_not_exist(program):
    done = program("labels", "-", "--truth", "truth", stdin="truth,cluster\na,0\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "Labels are not read from standard input: name the file that holds them.\n"
    )
