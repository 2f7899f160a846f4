"""Small files of every kind, made on the spot."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any


def pdf(pages: Sequence[Sequence[str]], *, password: str = "", title: str = "") -> bytes:
    """A PDF of lines of text, set in a standard font; Chinese through a standard Chinese encoding."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    objects.append(
        b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-H /DescendantFonts "
        b"[<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>] >>"
    )
    kids = []
    for lines in pages:
        drawn = b"\n".join(_line(line, 760 - 14 * number) for number, line in enumerate(lines) if line)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
        fonts = b"<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        content = len(objects)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources %s /Contents %d 0 R >>" % (fonts, content)
        )
        kids.append(len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    return _with_password(_assembled(objects), password, title)


def _line(line: str, height: int) -> bytes:
    if line.isascii():
        escaped = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)").encode()
        return b"BT /F1 11 Tf 50 %d Td (%s) Tj ET" % (height, escaped)
    return b"BT /F2 11 Tf 50 %d Td <%s> Tj ET" % (height, line.encode("utf-16-be").hex().encode())


def _assembled(objects: Sequence[bytes]) -> bytes:
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
    return out.getvalue()


def _with_password(data: bytes, password: str, title: str) -> bytes:
    if not password and not title:
        return data
    from pypdf import PdfWriter

    writer = PdfWriter(clone_from=io.BytesIO(data))
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def docx(fill: Callable[[Any], None]) -> bytes:
    from docx import Document

    document = Document()
    fill(document)
    return _saved(document)


def pptx(fill: Callable[[Any], None]) -> bytes:
    from pptx import Presentation

    deck = Presentation()
    fill(deck)
    return _saved(deck)


def xlsx(rows: Sequence[Sequence[Any]], name: str = "Sheet") -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = name
    for row in rows:
        book.active.append(list(row))
    return _saved(book)


def _saved(thing: Any) -> bytes:
    out = io.BytesIO()
    thing.save(out)
    return out.getvalue()


def repacked(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """A zip archive with each part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(part.filename, change(part.filename, old.read(part)))
    return out.getvalue()


def zip_encrypted(data: bytes) -> bytes:
    """The archive with the encryption flag set on every part."""
    made = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = made.find(mark)
        while place >= 0:
            made[place + offset] |= 1
            place = made.find(mark, place + 4)
    return bytes(made)


def ole(stream: str = "EncryptedPackage") -> bytes:
    """The beginning of an OLE container with a stream of that name."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + stream.encode("utf-16-le") + bytes(500)
