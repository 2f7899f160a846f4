"""Lines of a list that explain one term: `name` - what it is."""

from __future__ import annotations

import re

from synth.grammar.chinese.candidates import Candidate, Found, Writer, nominal
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.names import proper

_MARK = re.compile(r"(?:-|–|—|——|:|：)")
_TYPED = re.compile(r"(?<![A-Za-z])(?:int|str|bool|dict|list|float|bytes)(?![A-Za-z])")
_FOR = re.compile(r"^(?:主要|可)?(?:用于|用来)(?P<A>.{4,})$")


def glossary(line: Line, writer: Writer) -> Found:
    """X - 一个Y的Z。 -> X是什么？ for a line of a list that opens with a name."""
    tokens = [token for token in line.tokens if token.text.strip()]
    if len(tokens) < 4 or tokens[0].start != 0 or tokens[0].tag not in ("code", "nz") or not proper(tokens[0]):
        return
    mark = _MARK.fullmatch(tokens[1].text.strip())
    if mark is None or tokens[-1].text != "。" or not re.search(r"[A-Z_.\-/@()]", tokens[0].text):
        return
    start, end = tokens[2].start, tokens[-1].start
    text = line.simple[start:end]
    if re.search(r"[,;:。]", text) or not 6 <= len(text) <= 40 or not line.whole(start, end):
        return
    name = line.written(0, tokens[0].end)
    use = _FOR.match(text)
    if use is not None:
        a = start + use.start("A")
        if a not in line.edges:
            return
        form = "{S}用于什么？" if "的" in line.simple[a:end] and line.span(a, end)[-1].tag == "n" else "{S}用来做什么？"
    elif tokens[2].tag == "v" and len(tokens) > 5 and tokens[3].text == "一个":
        form, a = "{S}用来做什么？", start
    elif nominal(line, start, end) and tokens[2].tag != "v" and not _TYPED.search(text):
        form, a = "{S}是什么？", start
    else:
        return
    yield Candidate(writer.fill(form, S=name), line.answer(a, end), line, (line.index,), "glossary", 0.8, 3, name)
