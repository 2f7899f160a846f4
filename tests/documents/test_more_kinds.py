"""Mail, subtitles, books and exports of wikis."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from synth.corpus.documents.file_content import File
from synth.corpus.documents.loading import load
from synth.corpus.documents.readers.archive import BookReader, ExportReader
from synth.corpus.documents.readers.mail import MailboxReader, MailReader
from synth.corpus.documents.readers.subtitles import SubtitleReader
from synth.corpus.documents.reasons import Unloadable

MAIL = """From: Ada <ada@pumps.example>
To: ben@pumps.example
Subject: =?utf-8?q?Pump_=E6=B3=B5?=
Date: Tue, 5 Mar 2024 10:30:00 +0100
Message-ID: <1@pumps.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: multipart/alternative; boundary="y"

--y
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The pump costs 40 =A3
a month.

> Is it old?

--y
Content-Type: text/html

<p>Not this.</p>
--y--
--x
Content-Type: text/plain
Content-Disposition: attachment; filename="a.txt"

Attached.
--x--
"""
READ = "# Pump 泵\n\n- From: Ada <ada@pumps.example>\n- To: ben@pumps.example\n- Date: 2024-03-05 10:30\n\nThe pump costs 40 £ a month.\n\n> Is it old?\n"


def zipped(parts: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def test_a_message() -> None:
    content = MailReader().read(File("a.eml", MAIL.encode()))
    assert (content.title, content.text.replace("\\", "")) == ("Pump 泵", READ)
    page = "Subject: a\nContent-Type: text/html\n\n<p>The <b>pump</b>.</p><script>x</script>"
    assert MailReader().read(File("a.eml", page.encode())).text == "# a\n\nThe pump.\n"


def test_messages_of_a_mailbox() -> None:
    data = (
        f"From a Tue Mar  5 10:30:00 2024\n{MAIL}\nFrom b Tue Mar  5 10:30:00 2024\nSubject: two\n\nSecond.\n".encode()
    )
    passages = MailboxReader().read(File("a.mbox", data)).passages
    assert [(one.passage_id, one.title) for one in passages] == [("1@pumps.example", "Pump 泵"), ("2", "two")]
    assert passages[1].text == "# two\n\nSecond.\n"


def test_a_mailbox_is_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    messages = ["Subject: one\n\n>From here on it is quiet.\n\n", "Subject: two\r\n\r\nSecond."]
    (tmp_path / "a.mbox").write_bytes("".join(f"From a@b Tue Mar  5 2024\n{one}" for one in messages).encode())
    texts = [document.text for document in load([tmp_path]).documents]
    assert texts == ["# one\n\nFrom here on it is quiet.\n", "# two\n\nSecond.\n"]


SRT = """1
00:00:01,000 --> 00:00:02,000
<i>The pump</i>

2
00:00:02,100 --> 00:00:03,000
is old.

3
00:00:09,000 --> 00:00:10,000
{\\an8}It runs.
"""
VTT = """WEBVTT

NOTE by hand

STYLE
::cue {}

intro
00:01.000 --> 00:02.000 align:start
<v Ada>Is it old?</v>

00:02.000 --> 00:03.000
<v.loud Ben>Yes.

00:03.000 --> 00:04.000
<00:03.500><c>Very.</c>

00:04.000 --> 00:05.000
Very.
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.srt", SRT, "The pump is old.\n\nIt runs.\n"),
        ("a.vtt", VTT, "Ada: Is it old?\n\nBen: Yes. Very.\n"),
        ("a.vtt", "WEBVTT\n", ""),
    ],
)  # fmt: skip
def test_subtitles(name: str, text: str, expected: str) -> None:
    assert SubtitleReader().read(File(name, text.encode())).text == expected


CONTAINER = '<container xmlns="c"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
PACKAGE = (
    '<package xmlns="o" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Pumps</dc:title></metadata>'
    '<manifest><item id="b" href="b%20c.xhtml"/><item id="a" href="a.xhtml"/><item id="n" href="none.xhtml"/></manifest>'
    '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="n"/><itemref idref="x"/></spine></package>'
)


def test_chapters_of_a_book_in_their_order() -> None:
    parts = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": PACKAGE,
        "OPS/b c.xhtml": "<html><body><p>Second.</p></body></html>",
        "OPS/a.xhtml": "<html><body><h1>One</h1><p>First.</p></body></html>",
    }
    content = BookReader().read(File("a.epub", zipped(parts)))
    assert (content.title, content.text) == ("Pumps", "# One\n\nFirst.\n\nSecond.\n")
    for damaged in ({"OPS/book.opf": PACKAGE}, {"META-INF/container.xml": "<a/>"}):
        with pytest.raises(Unloadable, match="damaged"):
            BookReader().read(File("a.epub", zipped(damaged)))


def test_pages_of_an_export() -> None:
    parts = {
        "Space/a.html": "<html><head><title>A</title></head><body><p>The pump.</p></body></html>",
        "Space/b 12.md": "# B\n\nThe valve.\n",
        "Space/data.csv": "a,b",
        "__MACOSX/._b.md": "no",
        "Space/empty.md": " ",
    }
    content = ExportReader().read(File("a.zip", zipped(parts)))
    assert [(one.passage_id, one.title, one.text) for one in content.passages] == [
        ("Space/a.html", "A", "The pump.\n"),
        ("Space/b 12.md", "B", "# B\n\nThe valve.\n"),
    ]
    with pytest.raises(Unloadable, match="no HTML or Markdown pages"):
        ExportReader().read(File("a.zip", zipped({"a.bin": "x"})))


@pytest.mark.parametrize("reader", [BookReader(), ExportReader()])
def test_archives_that_unpack_to_much_more_are_refused(reader: BookReader | ExportReader) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.html", "a" * 5_000_000)
    with pytest.raises(Unloadable, match="unpacks to 5,000,000 bytes"):
        reader.read(File("a" + reader.suffixes[0], out.getvalue()))
