"""E-mail: EML files with one message, and MBOX files with a document for each message. Uses the standard library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import BadLine, File, FileContent, ReadyPassage
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.readers.html import HtmlReader
from synth.corpus.documents.reasons import Limit, Unloadable, parsing

_MOST_MESSAGES = 50_000
_START = re.compile(rb"^From [^\n]*\n", re.MULTILINE)
"""Line that separates the messages of a mailbox (RFC 4155). In message text such a line begins with `>`."""

_ESCAPED = re.compile(rb"^>(?=>*From )", re.MULTILINE)
_QUOTED = re.compile(r"(?:>\s?)+")


class MailReader(Reader):
    """A message: its subject, sender, recipients, date and text. Attachments are left out."""

    name = "eml"
    suffixes = (".eml",)
    isolated = True

    def read(self, file: File) -> FileContent:
        with parsing("EML"):
            title, body = _read(message_from_bytes(file.data, policy=policy.default))
        return FileContent(body, title)


class MailboxReader(Reader):
    """A mailbox. The id of each document is the id of its message."""

    name = "mbox"
    suffixes = (".mbox",)
    isolated = True
    has_passages = True

    def read(self, file: File) -> FileContent:
        passages: dict[str, ReadyPassage] = {}
        bad: list[BadLine] = []
        count = Limit(_MOST_MESSAGES, "messages")
        for number, kept in enumerate(_START.split(file.data)[1:], start=1):
            count.add(1)
            try:
                with parsing("EML"):
                    message = message_from_bytes(_ESCAPED.sub(b"", kept), policy=policy.default)
                    title, body = _read(message)
            except Unloadable as error:
                bad.append(BadLine(f"message {number}", error.reason, error.detail))
                continue
            key = str(message["message-id"] or "").strip(" <>") or str(number)
            if body.strip():
                passages.setdefault(key, ReadyPassage(key, body, title))
        return FileContent(passages=tuple(passages.values()), bad_lines=tuple(bad))


def _read(message: EmailMessage) -> tuple[str, str]:
    """Return the subject and the text of a message."""
    title = " ".join(str(message["subject"] or "").split())
    heads = [f"{name}: {message[name]}" for name in ("From", "To", "Cc") if message[name]]
    if sent := getattr(message["date"], "datetime", None):
        heads.append(f"Date: {sent:%Y-%m-%d %H:%M}")
    return title, markdown.join([markdown.heading(1, title), *map(markdown.item, heads), *_body(message)])


def _body(message: EmailMessage) -> Iterator[str]:
    part = message.get_body(("plain", "html"))
    if part is None:
        return
    if part.get_content_type() == "text/html":
        page = str(part.get_content())
        yield HtmlReader().read(File("mail.html", page.encode("utf-8", "replace"))).text
        return
    for block in re.split(r"\n\s*\n", str(part.get_content()).replace("\r\n", "\n")):
        quoted = all(line.startswith(">") for line in block.strip().splitlines())
        text = " ".join(_QUOTED.sub("", line, count=1) if quoted else line for line in block.strip().splitlines())
        yield f"> {markdown.paragraph(text)}" if quoted and text.strip() else markdown.paragraph(text)
