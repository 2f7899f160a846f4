"""Check the prose of README, docs and the folder READMEs: sentence length, nested parentheses, phrases to avoid.

    python scripts/check_prose.py [FILE ...] [--table]

A sentence is wrong if it has more than 25 words, a parenthesis inside another, or a phrase of `prose_phrases.toml`.
Code, tables, headings and addresses of links are no sentences. `--table` prints the mean and the longest sentence of
each page. Exit code 1 when a sentence is wrong, or when a page has a mean over 16 words.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_WORDS, MOST_MEAN = 25, 16.0
_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.DOTALL | re.MULTILINE)
_NOT_PROSE = re.compile(r"^\s*(?:\||#|<|!\[|--8<--|\$ |!!!|\?\?\?)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"`[^`]*`")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
_END = re.compile(r"(?<=[.!?])[\"”)]?\s+(?=[A-Z\"“(`*\d])")


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs and list items of a Markdown page, each in one line, without markup."""
    text = _FENCE.sub("\n\n", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        is_item = bool(_ITEM.match(line))
        if not line.strip() or _NOT_PROSE.match(line) or is_item:
            if lines:
                yield " ".join(lines)
            lines = []
        if line.strip() and not _NOT_PROSE.match(line):
            lines.append(_ITEM.sub("", line).strip())


def plain(paragraph: str) -> str:
    """A paragraph without markup; what is code counts as one word."""
    text = _LINK.sub(r"\1", paragraph)
    text = _CODE.sub("Code", text)
    return re.sub(r"[*_]{1,2}(\S(?:.*?\S)?)[*_]{1,2}", r"\1", text)


def sentences(text: str) -> list[str]:
    """The sentences of a page."""
    found = [part.strip() for one in paragraphs(text) for part in _END.split(plain(one))]
    return [sentence for sentence in found if len(sentence.split()) > 2]


def faults(sentence: str, phrases: Sequence[re.Pattern[str]]) -> Iterator[str]:
    """What is wrong with a sentence."""
    count = len(sentence.split())
    if count > MOST_WORDS:
        yield f"{count} words"
    if re.search(r"\([^()]*\(", sentence):
        yield "a parenthesis inside another"
    for phrase in phrases:
        if match := phrase.search(sentence):
            yield f"'{match[0]}'"


def pages(names: Sequence[str]) -> list[Path]:
    """The named pages, or all."""
    if names:
        return [Path(name) for name in names]
    return [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("synth/**/README.md"))]


def main() -> int:
    """Print what is wrong, and the table where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    listed = tomllib.loads((Path(__file__).parent / "prose_phrases.toml").read_text(encoding="utf-8"))["avoid"]
    phrases = [re.compile(phrase, re.IGNORECASE) for phrase in listed]
    wrong = 0
    for page in pages(options.files):
        found = sentences(page.read_text(encoding="utf-8"))
        name = page.resolve().relative_to(ROOT) if page.resolve().is_relative_to(ROOT) else page
        said = [(sentence, list(faults(sentence, phrases))) for sentence in found]
        for sentence, why in said:
            if why:
                wrong += 1
                if not options.table:
                    print(f"{name}: {', '.join(why)}: {sentence}")
        lengths = [len(sentence.split()) for sentence in found] or [0]
        mean = sum(lengths) / len(lengths)
        if mean > MOST_MEAN:
            wrong += 1
            if not options.table:
                print(f"{name}: mean sentence of {mean:.1f} words")
        if options.table:
            bad = sum(bool(why) for _, why in said)
            print(f"{name!s:48} {len(found):4} sentences, mean {mean:4.1f}, longest {max(lengths):3}, {bad} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
