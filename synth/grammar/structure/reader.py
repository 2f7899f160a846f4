"""Reader that finds the subject of each section of a document, and creates facts and drafts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from synth.core.records import Draft
from synth.grammar.reading import Reading
from synth.grammar.structure.facts import Fact
from synth.grammar.structure.forms import Aspect
from synth.grammar.structure.language import StructureLanguage
from synth.grammar.structure.outline import ItemList, Section, bare, text_of
from synth.text.normalise import to_simplified
from synth.text.stems import stems
from synth.text.tokens import content_words

_COMMAND_NAME = re.compile(r"[a-z][\w.+-]*(?: [a-z][\w-]*){0,2}")
_COVER = 1500
"""Number of characters at the start of a text that are searched for signs of a company report."""

_TABLES = ("csv", "tsv", "xlsx", "xls", "ods")
_MARK = re.compile(r"[?？]\s*$")


def shares(first: str, second: str) -> bool:
    """Return whether two texts share a content word; inflected forms are equal."""
    return bool(set(stems(" ".join(content_words(first)))) & set(stems(" ".join(content_words(second)))))


def repeats(condition: str, answer: str) -> bool:
    """Return whether an answer says little more than its condition: fewer than two of its words are new."""
    return len(set(stems(answer)) - set(stems(condition))) < 2


@dataclass(slots=True)
class StructureReader:
    """Reader of one document, which finds the subject of each section."""

    reading: Reading
    language: StructureLanguage
    _title_span: tuple[int, int] | None = field(init=False, default=None)
    _titled: str = field(init=False, default="")
    command: str = field(init=False, default="")
    """Command that the document is about: its title, if lines of code start with it, else ""."""

    _headings: Counter[str] = field(init=False, default_factory=Counter)
    is_report: bool = field(init=False, default=False)
    """Whether this is the yearly report of a company. Questions on its figures need the company's name and the year."""

    def __post_init__(self) -> None:
        reading = self.reading
        if self.language.parsed is not None:
            reading.parse_alone([*reading.headings, *filter(self.language.parsed, reading.sentences)])
        first = next((block for block in self.reading.blocks if block.kind == "heading"), None)
        title, text = bare(self.reading.document.title), self.reading.document.text
        used = re.compile(rf"^[ \t$]*`*(?:sudo )?{re.escape(title)}\b", re.MULTILINE)
        if _COMMAND_NAME.fullmatch(title) and "`" in text and used.search(text):
            self.command = title
        self.is_report = self.language.forms.has("report", f"{title}\n{text[:_COVER]}")
        self._headings.update(bare(block.headings[-1]) for block in self.reading.blocks if block.kind == "heading")
        self._titled = self.title(bare(self.reading.document.title))
        if first is not None and self._titled and self._titled in text_of(self.reading, first):
            self._title_span = first.start, first.end

    @property
    def subject(self) -> str:
        """Name in the title of the document, or ""."""
        return self._titled

    @property
    def chinese(self) -> bool:
        """Whether the document is Chinese, so that lengths count characters."""
        return self.reading.is_chinese

    def thing(self, section: Section) -> str:
        """Return the subject of a section: the name in its heading, or in the heading or title above it, or "".

        A heading that occurs several times, or is a general word, names a part of the subject above it, so the heading
        above is used. If only the title is above such a heading, the result is "".
        """
        forms, is_part = self.language.forms, False
        if forms.has("law", section.title):
            return self.title(section.title)
        for heading in reversed(section.names[-2:]):
            if heading == section.title:
                return "" if is_part else self.title(heading)
            if forms.has("label", heading) or _MARK.search(heading) or self.aspect(heading):
                continue
            if forms.has("chapter", heading) or forms.has("unclean", heading) or forms.has("options", heading):
                continue
            if len(content_words(heading)) > 8 or self.language.goal(heading, self.reading):
                continue
            named = self.language.thing(heading, self.reading)
            is_part = bool(named) and (self._headings[heading] > 1 or forms.has("generic_name", named))
            if named and not is_part:
                return named
        return ""

    def title(self, title: str) -> str:
        """Return the name in a title, as written in a sentence, or "" if there is none ("README")."""
        forms = self.language.forms
        bare = forms.patterns["title_tail"].sub("", title).strip(" -–—:：|")
        if forms.has("unclean", bare):
            return ""
        bare = title if bare.lower().endswith((" the", " a", " of", " for", " to")) else bare
        return "" if not bare or forms.has("label", bare) or "/" in bare else self.language.thing(bare, self.reading)

    def aspect(self, heading: str) -> tuple[Aspect, re.Match[str]] | None:
        for aspect in self.language.forms.aspects:
            if match := aspect.heading.fullmatch(to_simplified(heading)):
                return aspect, match
        return None

    def command_of(self, section: Section) -> str:
        """Return the command that a section is about: its heading, else the heading above it, else `command`."""
        above = (name for name in reversed(section.names[-2:]) if _COMMAND_NAME.fullmatch(name))
        return next((name for name in above if not self.language.forms.has("options", name)), self.command)

    def tells_a_problem(self, section: Section) -> bool:
        """Return whether the heading of a section names a problem or a task.

        The sentences of such a section are unclear without the heading.
        """
        heading, forms = section.heading, self.language.forms
        tells = section.head is not None and not (forms.has("label", heading) or self.aspect(heading))
        return tells and bool(self.language.goal(heading, self.reading) or forms.has("problem", heading))

    def within(self, question: str, section: Section) -> str:
        """Return a question on a table if it names the section's subject, else "". Some languages add the subject.

        A file that is a table, such as CSV, needs no subject.
        """
        if self.reading.document.metadata.get("kind") in _TABLES:
            return question
        thing = self.thing(section)
        return self.about(question, thing) if thing else ""

    def about(self, question: str, thing: str) -> str:
        """Return a question if it names its subject `thing`, else "". Some languages add the subject."""
        return self.language.about(question, thing)

    def asked(self, frame: str, fact: Fact) -> str:
        """Return the question for the value of an attribute, or "" if it would be too complex.

        Places, times and amounts have templates of their own, if the language has them.
        """
        forms, frames = self.language.forms, self.language.forms.frames
        kind = next(
            (kind for kind in ("when", "where", "amount", "extent") if forms.has(f"{kind}_label", fact.label)), ""
        )
        plural = "plural" if forms.has("plural", fact.label) else ""
        names = [f"{frame}_{sort}" for sort in (kind, plural)] + (
            ["value_plural"] if plural and "number" in frame else []
        )
        name = next((name for name in names if name in frames), frame)
        own = bool(set(content_words(fact.thing)) & set(content_words(fact.label)))
        for_thing = "" if own else forms.words["for_thing"].format(thing=fact.thing)
        question = forms.ask(
            forms.frame(name, fact.thing, fact.label), fact.label, thing=fact.thing, for_thing=for_thing
        )
        return "" if forms.has("chained", question) else question

    def fact(
        self, kind: str, thing: str, label: str, answer: str, spans: tuple[tuple[int, int], ...], **rest: object
    ) -> Fact:
        title = self._title_span if thing and thing == self._titled else None
        answer = answer.strip()
        return Fact(kind=kind, thing=thing, label=label, answer=answer, spans=spans, title=title, **rest)  # type: ignore[arg-type]

    def draft(self, fact: Fact, question: str, question_type: str, pattern: str, worth: float) -> Draft:
        question = question if self.chinese else question[:1].upper() + question[1:]
        return Draft(
            question=question,
            golden_answers=(fact.answer,),
            spans=fact.spans,
            pattern=pattern,
            worth=worth,
            question_type=question_type,
            items=len(fact.items),
        )

    def head_span(self, section: Section) -> tuple[tuple[int, int], ...]:
        return ((section.head.start, section.head.end),) if section.head else ()

    def lead_span(self, found: ItemList) -> tuple[tuple[int, int], ...]:
        if found.lead_start < 0:
            return ()
        end = next(block.end for block in self.reading.blocks if block.start == found.lead_start)
        return ((found.lead_start, end),)

    def fits(self, text: str, most: int) -> bool:
        return 0 < (len(text) if self.chinese else len(text.split())) <= most

    def points(self, text: str) -> bool:
        return self.language.forms.has("points", text)

    def parse_at(self, start: int) -> object:
        """Return the parse of the last sentence in the block that starts at offset `start`, or None."""
        end = next(block.end for block in self.reading.blocks if block.start == start)
        first, last = self.reading.within(start, end)
        is_parsed = first < last and self.language.parsed is not None
        return self.reading.parse_of(self.reading.sentences[last - 1]) if is_parsed else None
