"""A hostile set or sheet costs one line that names it, and neither memory nor a traceback."""

import io
import json
import zipfile

import openpyxl
import pytest

from synth.annotation.formats.formats import read_sheet
from synth.core.errors import InputError
from synth.core.restricted_process import Limits
from synth.testset.foreign import files
from synth.testset.foreign.files import read_records

ROW = {"question": "When?", "answer": "1931", "context": "It was built in 1931."}
BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefghi", "bcdefghij", strict=True)
)


def workbook(part="xl/worksheets/sheet1.xml", **changes):
    """A workbook of one row, with a part of its XML changed."""
    book = openpyxl.Workbook()
    for line in (ROW, ROW.values()):
        book.active.append(list(line))
    sound, data = io.BytesIO(), io.BytesIO()
    book.save(sound)
    with zipfile.ZipFile(sound) as old, zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name).decode()
            for before, after in changes.items() if name == part else ():
                content = content.replace(*after) if before else content
            new.writestr(name, content)
    return data.getvalue()


FAR = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
MERGED = '</sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
END = "</sheetData>"
SOUND = {
    "dates.yaml": b"- {question: 'When?', answer: 2021-03-05, context: x, at: 2021-03-05T10:00:00Z}\n",
    "keys.yaml": b"- {question: 'When?', answer: '1', context: x, 1: y, 2021-01-01: z}\n",
    "far.xlsx": workbook(end=(END, FAR)),
    "merged.xlsx": workbook(end=(END, MERGED)),
    "size.xlsx": workbook(end=("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>')),
}
REFUSED = {
    "tag.yaml": (b"- !!python/object/apply:os.system ['true']\n", "is not YAML: could not determine a constructor"),
    "own-tag.yaml": (b"- !secret {question: x}\n", "is not YAML: could not determine a constructor"),
    "impossible-date.yaml": (b"- {question: !!timestamp 2021-99-99, answer: x}\n", "is not YAML"),
    "deep.yaml": (b"[" * 5000, "the nesting in line 1 is deeper than 100 levels"),
    "list.yaml": (b"&a [*a]\n", "contains no record"),
    "bomb.yaml": (BOMB.encode() + b"rows: [{question: x, more: *j}]\n", "memory"),
    "pairs.yaml": (b"- {[a]: b}\n", "is not YAML"),
    "deep.json": (b'{"a":' * 100_000, "nested too deeply"),
    "squad.json": (b'[{"paragraphs": ["x"]}]', "AttributeError"),
    "zeros.xlsx": (workbook(end=(END, " " * 20_000_000 + END)), "unpacks to"),
    "entities.xlsx": (workbook(end=("<worksheet", "<!DOCTYPE a [<!ENTITY b 'c'>]><worksheet")), "document type"),
    "cut.xlsx": (workbook()[:2000], "not a zip file"),
    "other.parquet": (b"PAR1" + b"\xff" * 100 + b"PAR1", "as Parquet"),
}
DAMAGED = {
    "recursive.yaml": (b"- {question: 'When?'}\n- &a {question: x, self: *a}\n", "contains itself"),
    "deep.jsonl": (json.dumps(ROW).encode() + b"\n" + b"[" * 100_000, "nested too deeply"),
}


def one_line(path, read):
    with pytest.raises(InputError) as error:
        read(path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value) or path.name in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("name", SOUND)
def test_odd_values_of_sound_sets_are_read(tmp_path, name):
    (tmp_path / name).write_bytes(SOUND[name])
    rows = read_records(tmp_path / name).rows
    assert rows[0][1]["question"] == "When?"
    assert all(isinstance(value, str) for value in rows[0][1].values())
    assert json.dumps(rows)


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_sets_are_refused_on_one_line(tmp_path, name, monkeypatch):
    monkeypatch.setattr(files, "_LIMITS", Limits(memory=200_000_000))
    content, says = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    assert says in one_line(tmp_path / name, read_records)


@pytest.mark.parametrize("name", DAMAGED)
def test_a_hostile_record_costs_itself_alone(tmp_path, name):
    content, says = DAMAGED[name]
    (tmp_path / name).write_bytes(content)
    records = read_records(tmp_path / name)
    assert [row["question"] for _, row in records.rows] == ["When?"]
    assert [says in damaged.reason for damaged in records.damaged] == [True]


@pytest.mark.parametrize("name", ["far.xlsx", "merged.xlsx", "size.xlsx"])
def test_a_sheet_as_large_as_a_sheet_can_be_costs_what_it_holds(tmp_path, name):
    (tmp_path / name).write_bytes(SOUND[name])
    (problem,) = read_sheet(tmp_path / name).problems
    assert "the header lacks column id and decision" in problem.reason


def test_a_sheet_that_unpacks_to_much_is_refused(tmp_path):
    (tmp_path / "zeros.xlsx").write_bytes(REFUSED["zeros.xlsx"][0])
    assert "unpacks to" in one_line(tmp_path / "zeros.xlsx", read_sheet)
