"""Structure of plain text: headings, lists and code, recognised by the form of the lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from synth.text.block import Block
from synth.text.numbering import Numbered, numbered

KEY_VALUE = re.compile(r"(?:[*+-]\s+|\d{1,9}[.)]\s+)?(?P<key>[^\n:：。.!?！？|]{1,60}?)(?::(?=\s)|：)\s*\S")
"""Regular expression for a key and its value, such as "Port: 8080"."""

_LINE = re.compile(r"[^\n]*\n?")
_TAB = 8
_BULLET = re.compile(r"[-*+–][ \t\u3000]+(?=\S)|[•·●○◦▪■□◆]\s*(?=\S)")
_ATX = re.compile(r"(?P<marks>#{1,6})[ \t]+(?=\S)")
_FENCE = re.compile(r"(?P<mark>`{3,}+|~{3,}+)[^`]*$")
_RULE = re.compile(r"(?P<mark>[-=_~^*#+.\"'─━═])(?P=mark){2,}$|(?:[-*_=]\s){2,}[-*_=]$")
_CONTENTS = re.compile(r"\S.*?(?:\.{4,}|(?: \.){4,}|…{2,}|·{4,})\s*[\divxlc]+$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!。！…:：;；,，、?？][\"'”’」』)）\]]*$")
_QUESTION = re.compile(r"[?？]$")
_TITLED = re.compile(r"[A-Z][\w'’-]*(?: (?:[A-Z][\w'’-]*|[a-z]{1,4}))*\.$")
"""Regular expression for a title that ends in a full stop: "Grant of Rights."."""

_COLUMNS = re.compile(r"\S(?: {3,}|\t| +\| +)\S")
_LETTER = re.compile(r"[^\W\d_]")
_WIDE = re.compile("[\u2e80-\uffef\U00020000-\U0003ffff]")
_QUOTED = re.compile(r">(?!>)\s?")
_FOOTNOTE = re.compile(r"\[\^?\d{1,3}\]:?\s")

_PROMPT = re.compile(r"^(?:\$|>>>|%|PS [^>]*>|[A-Z]:\\[^>]*>|[\w.-]+@[\w.-]+:?\S*[$#])\s\S")
_DRAWN = re.compile(r"[\u2500-\u259f]|\+[-=]{2,}|-{2,}>|<-{2,}|^\|.*\|$|^[\s|/\\+_<>^vV*'.-]+$")
_COMMENT = re.compile(r"(?:#+|//|/\*|\*/|--|;)(?:\s|$)")
_STATEMENT = re.compile(
    r"[{}\\]$|[=)\]]\s*;$|^[\])}]|[({\[]$|^[\w.\[\]\"'-]+\s*[-+*/|&:]?=\s*\S|^@\w+$|\w\((?!e?s\))[^()\s]*\):?$"
    r"|^</?\w[^>]*>|^\[[\w. -]+\]$|&&|\|\||\w::\w"
)
_COMMAND = re.compile(r"[a-z][\w./-]*(?: +[!-~]*[!-+\--9@-~]){0,8}$")
_CODE = (_PROMPT, _DRAWN, _STATEMENT)
_UNSPOKEN = re.compile(r"[{}<>;=|\\$`]|\(\)|->|::|//")

_LONGEST_HEADING = 80
"""Maximum width of a heading, in columns. A wide character (Chinese, Japanese, Korean) takes two."""

_MOST_WORDS = 12
_LONGEST_KEY = 40
_CENTRED = 8
"""Minimum extra indentation of a centred heading over the text below, in columns."""

_MOST_LINES = 20
"""Maximum number of lines of a paragraph that are read to find its indentation."""

_LONGEST_LINE = 400
"""Maximum length, in characters, of a line that may be code or an entry in a table of contents."""

_IN_LISTS = ("number", "number_before_bracket", "number_in_brackets")
"""Numbering styles that mark a heading in Chinese only if the line stands alone."""

_CODE_SHARE = 0.6
"""Share of the lines that must look like code or a drawing to make a paragraph code."""

_TITLE, _SECTION, _INNERMOST = 0, 70, 990
"""Ranks of headings without a number or underline; a lower rank is an outer heading.

In order: the title, a heading before any numbered heading, and a heading after one.
"""


@dataclass(frozen=True, slots=True)
class _Line:
    """Line without the white space at its ends. `indent` is in columns."""

    start: int
    end: int
    indent: int
    words: str

    @property
    def width(self) -> int:
        return len(self.words) + len(_WIDE.findall(self.words))

    @property
    def is_wide(self) -> bool:
        """Whether the line is mostly Chinese, Japanese or Korean."""
        return self.width > 1.4 * len(self.words)


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines without a blank line between them. `kind` is "code", "text" or "comment", which may be either."""

    kind: str
    lines: list[_Line]


@dataclass(slots=True)
class _Item:
    """Open list item.

    `style` is the name of the numbering style, "bullet" or "key". Of two items in one column, the one with the higher
    `rank` is nested deeper.
    """

    block: Block
    indent: int
    style: str
    rank: int


def text_blocks(text: str) -> list[Block]:
    """Return the blocks of plain text, in order.

    The span of a block excludes the mark of a list item and the underline of a heading.
    """
    return _with_headings(text, list(_Walk(text).blocks()))


def _with_headings(text: str, found: list[Block]) -> list[Block]:
    """Return the blocks with their headings set, and with levels from 1 to 6.

    In `found`, the level of a heading is its rank, which is lowest for the outermost headings.
    """
    heads = [block for block in found if block.kind == "heading"]
    first = found[0] if heads and heads[0] is found[0] and heads[0].level == _SECTION else None
    followed = len(found) > 1 and found[1].kind == "heading"
    has_title = first is not None and (followed or any(head.level != _SECTION for head in heads))
    path: list[tuple[int, str]] = []
    placed = []
    for block in found:
        if block.kind != "heading":
            placed.append(replace(block, headings=tuple(title for _, title in path)))
            continue
        rank = _TITLE if has_title and block is first else block.level
        while path and path[-1][0] >= rank:
            path.pop()
        path.append((rank, " ".join(text[block.start : block.end].split())))
        placed.append(replace(block, level=min(len(path), 6), headings=tuple(title for _, title in path)))
    return placed


def _lines(text: str) -> list[_Line]:
    lines = []
    for match in _LINE.finditer(text):
        raw = match.group()
        words = raw.strip()
        before = raw[: len(raw) - len(raw.lstrip())] if words else ""
        start = match.start() + len(before)
        columns = len(before.expandtabs(_TAB)) + before.count("\u3000")
        lines.append(_Line(start, start + len(words), columns, words))
    return lines


def _runs(lines: Sequence[_Line]) -> list[_Run]:
    """Split the lines at blank lines and code fences. The last line must be blank."""
    runs: list[_Run] = []
    part: list[_Line] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line.words)
        if fence:
            part.append(line)
            if mark and mark["mark"].startswith(fence):
                runs.append(_Run("code", part))
                part, fence = [], ""
        elif line.words and not mark:
            part.append(line)
        else:
            runs += _parts(part)
            part, fence = ([line], mark["mark"]) if mark else ([], "")
    if fence:
        runs.append(_Run("code", part))
    return _with_comments(runs)


def _parts(lines: list[_Line]) -> Iterator[_Run]:
    """Yield an underlined title at the start as its own run, then the other lines."""
    titled = 2 if len(lines) > 1 and _underlines(lines[1], lines[0]) else 0
    if titled:
        yield _Run("text", lines[:2])
    if lines[titled:]:
        yield _Run(_kind(lines[titled:]), lines[titled:])


def _kind(lines: Sequence[_Line]) -> str:
    """Return the kind of a run: "code", "text" or "comment", which may be either."""
    words = [line.words for line in lines if not _RULE.match(line.words)]
    if not words or max(map(len, words)) > _LONGEST_LINE:
        return "text"
    if all(_COMMENT.match(line) for line in words):
        return "comment"
    if any(map(_COMMENT.match, words)) and all(_COMMENT.match(line) or _COMMAND.match(line) for line in words):
        return "code"
    unlabelled = [line for line in words if not KEY_VALUE.match(line) and not _CONTENTS.match(line)]
    code = sum(bool(_COMMENT.match(line) or any(form.search(line) for form in _CODE)) for line in unlabelled)
    columns = sum(bool(_COLUMNS.search(line)) for line in unlabelled) if len(words) > 1 else 0
    return "code" if max(code, columns) > _CODE_SHARE * len(words) else "text"


def _with_comments(runs: list[_Run]) -> list[_Run]:
    """Merge adjacent code runs, including the comments before, between and after them."""
    merged: list[_Run] = []
    for index, run in enumerate(runs):
        near = {other.kind for other in (*merged[-1:], *runs[index + 1 : index + 2])}
        kind = ("code" if near & {"code"} else "text") if run.kind == "comment" else run.kind
        if kind == "code" and merged and merged[-1].kind == "code":
            merged[-1].lines.extend(run.lines)
        else:
            merged.append(_Run(kind, run.lines))
    return merged


class _Walk:
    """Parser state: walks over the lines of a text and keeps track of the open list items."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = [*_lines(text), _Line(len(text), len(text), 0, "")]
        self.runs = _runs(self.lines)
        starts = (run.lines[0] for run in self.runs if run.kind == "text")
        indents = Counter(line.indent for line in starts if line.width > _LONGEST_HEADING // 2)
        self.base = indents.most_common(1)[0][0] if indents else 0
        self.items: list[_Item] = []
        self.groups = 0
        self.values: dict[str, int] = {}
        self.underlines: list[str] = []
        self.ranked = False
        self.numbers: dict[tuple[str, int], list[int]] = {}  # line indices by numbering style and value
        for place, line in enumerate(self.lines):
            if number := numbered(text, line.start, line.end, use="heading"):
                self.numbers.setdefault((number.style.name, number.value), []).append(place)
        self.part: list[_Line] = []  # lines of the current paragraph or of the innermost open item
        self.in_item = False

    def blocks(self) -> Iterator[Block]:
        for index, run in enumerate(self.runs):
            if run.kind == "code":
                yield Block("code", run.lines[0].start, run.lines[-1].end, ())
            else:
                following = self.runs[index + 1] if index + 1 < len(self.runs) else None
                yield from self._run(run.lines, following, is_first=index == 0)

    def _run(self, lines: Sequence[_Line], following: _Run | None, *, is_first: bool) -> Iterator[Block]:
        ahead = [*lines, *(following.lines[:1] if following else ())]
        skipped = -1
        for index, line in enumerate(lines):
            alone = len(lines) == 1
            after = ahead[index + 1] if index + 1 < len(ahead) else None
            if index == skipped:
                continue
            if _RULE.match(line.words):
                yield from self._end()
            elif len(line.words) < _LONGEST_LINE and _CONTENTS.match(line.words):
                yield from self._end()
                yield Block("directive", line.start, line.end, ())
            elif not self.part and index + 1 < len(lines) and _underlines(lines[index + 1], line):
                yield self._head(line, line.start, self._underline_rank(lines[index + 1].words[0]), "")
                skipped = index + 1
            elif number := self._heading_number(line, after, lines, alone=alone):
                yield from self._end()
                yield self._head(line, line.start, number.rank, number.number)
            elif alone and after and following and (mark := _ATX.match(line.words)):
                yield self._head(line, line.start + mark.end(), len(mark["marks"]), "")
            elif alone and after and following and self._is_plain_heading(line, following, is_first=is_first):
                yield self._head(line, line.start, _INNERMOST if self.ranked else _SECTION, "")
            elif item := self._item(line, after):
                yield from self._end()
                self._open(item)
                self.part, self.in_item = [line], True
            else:
                if not self.part:
                    self._close(min(other.indent for other in lines[index : index + _MOST_LINES]))
                self.part.append(line)
        yield from self._end()

    def _end(self) -> Iterator[Block]:
        """Yield the paragraph or list item that ends here."""
        if self.part:
            first, last = self.part[0], self.part[-1]
            open_item = self.items[-1].block if self.items else None
            if open_item and self.in_item:
                role = open_item.role or ("key_value" if KEY_VALUE.match(self.text, open_item.start, last.end) else "")
                yield replace(open_item, end=last.end, role=role)
            elif open_item:
                yield replace(open_item, start=first.start, end=last.end, role="continuation")
            else:
                yield Block("paragraph", first.start, last.end, (), role=self._role())
        self.part, self.in_item = [], False

    def _role(self) -> str:
        first = self.part[0]
        if all(_QUOTED.match(line.words) for line in self.part):
            return "quotation"
        if _FOOTNOTE.match(first.words):
            return "footnote"
        return "key_value" if KEY_VALUE.match(first.words) else ""

    def _is_fresh(self) -> bool:
        """Return whether a new block may start at the current line: no paragraph is open, or it ends a sentence."""
        return not self.part or self.in_item or bool(_SENTENCE_END.search(self.part[-1].words))

    # Headings

    def _head(self, line: _Line, start: int, rank: int, number: str) -> Block:
        self.items.clear()
        number = number or ((found := numbered(self.text, start, line.end, use="heading")) and found.number) or ""
        self.ranked = self.ranked or rank != _SECTION or bool(number)
        return Block("heading", start, line.end, (), level=rank, number=number)

    def _underline_rank(self, mark: str) -> int:
        if mark not in self.underlines:
            self.underlines.append(mark)
        return self.underlines.index(mark) + 1

    def _heading_number(
        self, line: _Line, after: _Line | None, lines: Sequence[_Line], *, alone: bool
    ) -> Numbered | None:
        """Return the number of a numbered heading, or None if the line is not one."""
        number = numbered(self.text, line.start, line.end, use="heading")
        if number is None or not after or not self._is_fresh() or line.width > _LONGEST_HEADING:
            return None
        title, style = self.text[number.end : line.end], number.style
        ends = _SENTENCE_END.search(title) and not (alone and (_QUESTION.search(title) or _TITLED.match(title)))
        if ends or title[:1].islower() or not (title or (style.use == "heading" and alone)) or _COLUMNS.search(title):
            return None
        sibling = style.use == "both" or style.name in ("decimal", "bare_number")
        if sibling and (self._continues(number) or self._is_continued(number, after)):
            return None
        if style.use == "both" and (after.indent > max(line.indent + 1, self.base) or self._is_listed(number)):
            return None
        if style.name == "bare_number" and (not alone or number.value != self.values.get("bare_number", 0) + 1):
            return None
        if not alone and not (line.is_wide and style.name not in _IN_LISTS):
            wraps = line is not lines[0] or line.width > 0.7 * lines[1].width or after.words[:1].islower()
            if style.use == "both" or wraps:
                return None
        self.values[style.name] = number.value
        return number

    def _is_listed(self, number: Numbered) -> bool:
        """Return whether the line with the next number of this style is a sentence. Then both lines are list items."""
        places = self.numbers.get((number.style.name, number.value + 1), [])
        after = bisect_right(places, number.end, key=lambda place: self.lines[place].start)
        if after == len(places):
            return False
        line, below = self.lines[places[after]], self.lines[places[after] + 1]
        ends = _SENTENCE_END.search(line.words) and not _TITLED.match(line.words.partition(" ")[2])
        return bool(ends) or line.width > _LONGEST_HEADING or bool(below.words and not line.is_wide)

    def _continues(self, number: Numbered) -> bool:
        """Return whether `number` directly follows the number of the innermost open item."""
        return (
            bool(self.items)
            and self.items[-1].style == number.style.name
            and (self.values.get(number.style.name) == number.value - 1)
        )

    def _is_continued(self, number: Numbered, after: _Line) -> bool:
        """Return whether the next line has the next number.

        Then both lines are list items or lines of a table of contents.
        """
        follower = numbered(self.text, after.start, after.end, use="heading")
        return (
            follower is not None
            and follower.style is number.style
            and follower.value == number.value + 1
            and follower.number.count(".") == number.number.count(".")
        )

    def _is_plain_heading(self, line: _Line, following: _Run, *, is_first: bool) -> bool:
        """Return whether a line that stands alone is a heading without a number."""
        words, after = line.words, following.lines[0]
        if following.kind == "code" or line.width > _LONGEST_HEADING or len(words.split()) > _MOST_WORDS:
            return False
        if _SENTENCE_END.search(words) and not (_QUESTION.search(words) and line.width > 12):
            return False
        letters = len(_LETTER.findall(words))
        if words[:1].islower() or letters < 0.6 * len(words.replace(" ", "")) or _UNSPOKEN.search(words):
            return False
        if _COLUMNS.search(words) or _FOOTNOTE.match(words) or 0 < line.indent - after.indent < _CENTRED:
            return False
        if _has_mark(self.text, line) or numbered(self.text, line.start, line.end, use="item"):
            return False
        speaks = len(following.lines) > 1 or after.width > _LONGEST_HEADING // 2 or _SENTENCE_END.search(after.words)
        return bool(is_first or speaks or _has_mark(self.text, after))

    # Lists

    def _item(self, line: _Line, after: _Line | None) -> _Item | None:
        """Return the list item that starts at a line, or None. The depth of the item is set later by `_open`."""
        start, style, rank, number, role = -1, "", 0, "", ""
        if match := _BULLET.match(line.words):
            if self._is_fresh() or (after is not None and _BULLET.match(after.words)):
                start, style, rank = line.start + match.end(), "bullet", 500
        elif mark := numbered(self.text, line.start, line.end, use="item"):
            follows = self.values.get(mark.style.name) == mark.value - 1
            counts = follows or mark.value == 1 or (not self.part and mark.style.name != "letter")
            begins = self._is_fresh() or follows or (after is not None and self._is_continued(mark, after))
            if mark.end < line.end and counts and begins:
                start, style, rank, number = mark.end, mark.style.name, mark.rank, mark.number
                self.values[style] = mark.value
        elif self._is_fresh() and _is_pair(line) and (self._in_pairs() or (after is not None and _is_pair(after))):
            start, style, rank, role = line.start, "key", 0, "key_value"
        if start < 0:
            return None
        block = Block("list_item", start, start, (), number=number, role=role)
        return _Item(block, line.indent, style, rank)

    def _in_pairs(self) -> bool:
        return self.in_item and self.items[-1].style == "key"

    def _open(self, item: _Item) -> None:
        """Set the depth, group and parent of an item, and add it to the open items."""
        while self.items and self.items[-1].indent > item.indent + 1:
            self.items.pop()
        siblings = [
            n for n, other in enumerate(self.items) if other.style == item.style and other.indent >= item.indent - 1
        ]
        if siblings:
            group = self.items[siblings[-1]].block.group
            del self.items[siblings[-1] :]
        else:
            while self.items and self.items[-1].indent >= item.indent - 1 and self.items[-1].rank >= item.rank:
                self.items.pop()
            self.groups += 1
            group = self.groups
        parent = self.items[-1].block.start if self.items else -1
        item.block = replace(item.block, level=len(self.items) + 1, group=group, parent=parent)
        self.items.append(item)

    def _close(self, indent: int) -> None:
        """Close the items that a paragraph at this column does not belong to."""
        while self.items and (self.items[-1].style == "key" or indent < self.items[-1].indent + 2):
            self.items.pop()


def _underlines(line: _Line, title: _Line) -> bool:
    """Return whether a line underlines the title above it."""
    is_long = len(line.words) >= max(3, title.width // 2) and len(line.words) <= 2 * title.width + 4
    return bool(_RULE.match(line.words)) and " " not in line.words and is_long and title.width <= _LONGEST_HEADING


def _is_pair(line: _Line) -> bool:
    match = KEY_VALUE.match(line.words)
    return match is not None and len(match["key"]) <= _LONGEST_KEY and len(match["key"].split()) <= 5


def _has_mark(text: str, line: _Line) -> bool:
    """Return whether a line starts with a bullet or number, or is a key with its value."""
    return bool(_BULLET.match(line.words) or _is_pair(line) or numbered(text, line.start, line.end, use="heading"))
