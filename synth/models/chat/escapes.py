"""Repair of backslashes in JSON replies: a model may write LaTeX commands with single backslashes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMANDS = frozenset(
    # Commands of LaTeX that begin like an escape of JSON: \b, \f, \n, \r, \t, \u.
    """
    backepsilon backprime backsim backsimeq backslash bar barwedge bbox because begin beta beth between bf bfseries big
    bigcap bigcirc bigcup bigg bigl bigm bigodot bigoplus bigotimes bigr bigsqcup bigstar bigtriangledown
    bigtriangleup biguplus bigvee bigwedge binom blacklozenge blacksquare blacktriangle bm bmod boldsymbol bot bowtie
    boxed boxdot boxminus boxplus boxtimes brace brack breve bullet bumpeq Bigg
    fallingdotseq fbox fcolorbox flat footnote footnotesize forall frac frak frown
    nabla natural ncong ne nearrow neg neq newcommand newline nexists ngeq ngeqq ngtr ni nleftarrow nleq nleqq nless
    nmid nolimits nonumber norm not notag notin nparallel nprec nrightarrow nsim nsubseteq nsucc nsupseteq ntriangleleft
    nu num nwarrow
    raisebox rangle rbrace rbrack rceil ref relax renewcommand rfloor rgroup rhd rho right rightarrow rightarrowtail
    rightharpoondown rightharpoonup rightleftarrows rightleftharpoons rightrightarrows rightsquigarrow rightthreetimes
    risingdotseq rm rmoustache root rtimes rule rvert
    tag tan tanh tau tbinom text textbf textit textnormal textrm textsc textsf textstyle texttt textup tfrac therefore
    theta thickapprox thicksim thinspace tilde times tiny to top triangle triangledown triangleleft trianglelefteq
    triangleq triangleright tt twoheadleftarrow twoheadrightarrow
    ulcorner underbrace underline underset unlhd unrhd uparrow updownarrow upharpoonleft upharpoonright uplus upsilon
    upuparrows url urcorner
    """.split()
)
_WORDS = frozenset(
    """
    bar because begin between big bullet brace ne neg newline norm not notin num ref relax right root rule tag tan text
    therefore tilde times tiny to top triangle url natural nu ni rm tt
    """.split()
)
"""Names that count as LaTeX commands only next to mathematics.

With a backslash, each may also be a JSON escape, such as a line break or a tab, before the rest of a word.
"""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[a-zA-Z]+|.)", re.DOTALL)
_CODE = re.compile("u[0-9a-fA-F]{4}")
_ARGUMENT = re.compile(r"\s*[{^_\\$]")
_MATHS = re.compile(r"\$|\\\(|\\\[|\\[A-Za-z]+\s*[{^_]")


def with_latex(text: str) -> str:
    r"""Return JSON `text` with a second backslash before LaTeX commands and before invalid JSON escapes.

    Some escapes are ambiguous: `\text` may be a tab and three letters. Valid JSON is changed only if a string contains
    a sure LaTeX command. Sure commands are inside mathematics, precede a brace, or begin like a backspace or form feed.
    Then ambiguous commands near mathematics or before an argument are read as LaTeX too. A line break before an
    ordinary word stays a line break.
    """
    if "\\" not in text or not any(_has_latex(match.group()) for match in _STRING.finditer(text)):
        return text
    return _STRING.sub(lambda match: _string(match.group()), text)


def _has_latex(string: str) -> bool:
    """Return whether a string is not valid JSON, or contains a command that is surely LaTeX."""
    return any(_is_latex(match, string, in_maths=in_maths) for match, in_maths in _escapes(string))


def _is_latex(match: re.Match[str], string: str, *, in_maths: bool) -> bool:
    name = match.group()[1:]
    if not name[0].isalpha():
        return name[0] not in '"\\/'
    if _CODE.match(name):
        return False
    if name[0] not in "bfnrt":
        return True
    return name in _COMMANDS and (in_maths or name[0] in "bf" or string.startswith("{", match.end()))


def _escapes(string: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield (escape, whether it is between two dollar signs) for each escape in a string."""
    dollars = last = 0
    closing = string.rfind("$")
    for match in _ESCAPE.finditer(string):
        dollars += string.count("$", last, match.start())
        yield match, dollars % 2 == 1 and closing >= match.end()
        last = match.end()


def _string(string: str) -> str:
    done: list[str] = []
    last = 0
    has_maths = _MATHS.search(string) is not None
    for match, in_maths in _escapes(string):
        done += string[last : match.start()], _escape(match, string, in_maths=in_maths, has_maths=has_maths)
        last = match.end()
    return "".join(done) + string[last:]


def _escape(match: re.Match[str], string: str, *, in_maths: bool, has_maths: bool) -> str:
    whole, name = match.group(), match.group()[1:]
    if not name[0].isalpha():
        return whole if name[0] in '"\\/' else "\\" + whole
    if _CODE.fullmatch(name):
        return whole
    if name[0] not in "bfnrtu":
        return "\\" + whole
    if name in _COMMANDS:
        argument = _ARGUMENT.match(string, match.end()) is not None
        if in_maths or argument or name[0] in "bfu" or (name not in _WORDS and has_maths):
            return "\\" + whole
    return "\\" + whole if name[0] == "u" else whole
