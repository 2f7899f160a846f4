"""Common parts of Office files, which are zip archives of XML: checks before parsing, formulas, figures."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from synth.corpus.documents.file_content import File
from synth.corpus.documents.reasons import DAMAGED, ENCRYPTED, TOO_LARGE, Unloadable, parsing
from synth.text.formulas import formula_text

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MOST_INFLATED = 100
_FREELY_INFLATED = 1_000_000
"""Bytes to which every part may unpack. A larger part may unpack to at most `_MOST_INFLATED` times its packed size.

Apache POI has these limits too (`ZipSecureFile`).
"""
_LARGEST_TREE = 30_000_000
"""Maximum bytes of XML parsed as a tree, for which lxml needs up to fifteen times as much memory."""

_FILE_NAME = re.compile(r".*\.(?:jpe?g|png|gif|bmp|[ew]mf|tiff?|svg|webp)|\S+\.\w{2,4}", re.IGNORECASE)
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")


def check_archive(file: File, *, whole: bool = False) -> None:
    """Raise Unloadable if `file` is encrypted, damaged or unpacks to an excessive size.

    The limits are `file.max_unpacked` bytes in total and 100 times the packed size of each part. With `whole`, for
    parsers that keep an XML tree in memory, each part of XML may have 30 MB. An OLE container is refused: it is a file
    with a password or of an old Office version. Parts that declare a document type are refused, because their entities
    could expand without limit.
    """
    if file.data.startswith(_OLE):
        if _ENCRYPTED_STREAM in file.data:
            raise Unloadable(ENCRYPTED, "save a copy without a password")
        raise Unloadable(DAMAGED, "it is a file of an old Office version with a new suffix; save it in the new format")
    with parsing("Office"), zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        parts = archive.infolist()
        if any(part.flag_bits & 1 for part in parts):
            raise Unloadable(ENCRYPTED, "save a copy without a password")
        unpacked = sum(part.file_size for part in parts)
        if unpacked > file.max_unpacked:
            raise Unloadable(TOO_LARGE, f"it unpacks to {unpacked:,} bytes, at most {file.max_unpacked:,} are read")
        for part in parts:
            if part.file_size > max(_FREELY_INFLATED, _MOST_INFLATED * part.compress_size):
                detail = f"{part.filename} unpacks to {part.file_size:,} bytes from {part.compress_size:,}"
                raise Unloadable(TOO_LARGE, f"{detail}; at most {_MOST_INFLATED} times the packed size is read")
            if part.filename.endswith((".xml", ".rels")):
                if whole and part.file_size > _LARGEST_TREE:
                    detail = f"{part.filename} has {part.file_size:,} bytes, at most {_LARGEST_TREE:,} are read"
                    raise Unloadable(TOO_LARGE, detail)
                with archive.open(part) as stream:
                    if b"<!DOCTYPE" in stream.read(1024):
                        raise Unloadable(DAMAGED, f"{part.filename} declares a document type; save the file again")


def formula(element: Any) -> str:
    """Return an `oMath` element as text ("x²") if text can express it, else as TeX between dollar signs.

    If it contains parts of an unknown kind, return its characters.
    """
    from officemath2latex import process_math_node

    try:
        tex = " ".join(process_math_node(element).split())
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return "".join(node.text or "" for node in element.iter("{*}t"))
    return formula_text(tex) or (f"${tex}$" if tex else "")


def alternative_text(description: str) -> str:
    """Return the text description of a picture, or "" if it is only the name of a file."""
    text = " ".join(description.split())
    return "" if _FILE_NAME.fullmatch(text) else text
