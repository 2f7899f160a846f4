"""Facts and questions from a document's structure: FAQ, procedures, lists, attributes, amounts, tables, rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import dropwhile, pairwise, zip_longest

from synth.core.records import Draft
from synth.grammar.structure.facts import Fact, Told
from synth.grammar.structure.figures import figure
from synth.grammar.structure.forms import Aspect
from synth.grammar.structure.keyed import keyed_told
from synth.grammar.structure.outline import ItemList, Section, bare, lists, sections, text_of
from synth.grammar.structure.reader import StructureReader, repeats, shares
from synth.grammar.structure.table_facts import table_told
from synth.text.normalise import to_simplified
from synth.text.stems import stems
from synth.text.tokens import content_words

MOST_ITEMS, LEAST_ITEMS = 12, 2
"""Maximum and minimum number of items in a list that is an answer."""

MOST_WORDS = {True: 420, False: 170}
"""Maximum length of an answer: characters in Chinese (True), else words (False)."""

LEAST_WORDS, ENOUGH_WORDS = 2, 4
"""Minimum number of content words in a condition, not counting words of the section's subject and the title.

A question that does not name the subject is clear only with ENOUGH_WORDS such words in its condition.
"""

MOST_ADVICE = {True: 150, False: 70}
LONGEST_ITEM = {True: 120, False: 45}
LONGEST_VALUE = {True: 90, False: 30}
_MARK = re.compile(r"[?？]\s*$")
_KEY = re.compile(r"(?P<key>[^:：。.!?！？]{1,60}?)\s*(?:[:：]\s*|\s[–—-]\s)(?P<value>\S.*)", re.DOTALL)
_OPTION = re.compile(
    r"^[ \t]*(?:[-*+] )?`?(?P<option>--?[A-Za-z][\w-]*(?:(?:, ?| |/)--?[A-Za-z][\w-]*)?)`?"
    r"(?:[ =](?:<[^>\n]{1,20}>|\[[^\]\n]{1,20}\]|[A-Z]{2,12}))?"
    r"(?:[ \t]{2,}|[ \t]*(?:#|:|：|—|–)[ \t]*)(?:#[ \t]*)?(?P<does>[^\n#]{4,60}?)[ \t]*$",
    re.MULTILINE,
)
_MOST_STEPS = 0.7
"""A list is a procedure if more than this share of its items are instructions."""

_COMMAND = re.compile(r"`+(?:\w+\n)?(?P<command>[^`\n]{2,120})\n?`+")
_PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")
_OPERAND = re.compile(r"\{\{[^\[].*?\}\}|\.\.\.|sudo")
"""Placeholder, ellipsis or "sudo". A line of code that contains only these and a command's name is no example."""

_BOLD = re.compile(r"(?:[-*+] )?(?:\*\*|__|<(?:strong|b)>)(?P<text>If\b[^*<]{8,200})(?:\*\*|__|</(?:strong|b)>)")
_LINKED = re.compile(r"(?:[-*+]|\d+[.)])?\s*\[[^\]]*\]\([^)]*\)[\s.]*")
_NAMED = re.compile(r"[A-Z]")
_CLOSED = re.compile(r"[:：]\s*$")


PATTERNS = (
    "advice", "amount", "amount_said", "applies", "case", "cell", "change", "command", "dated", "deadline", "defined",
    "described", "key_value", "least", "list", "meant", "most", "procedure", "rule", "scaled",
    "statute", "which_option", "year",
)  # fmt: skip
"""Names of the question patterns, as stored in drafts."""


@dataclass(slots=True)
class StructureAuthor(StructureReader):
    """Author of questions from the structure of one document."""

    def told(self) -> Iterator[Told]:
        """Yield the facts of the document with their questions, in order."""
        for section in sections(self.reading):
            yield from self._section(section)

    def _section(self, section: Section) -> Iterator[Told]:
        forms = self.language.forms
        if section.heading and forms.has("skip", section.heading):
            return
        thing = self.thing(section)
        if not (self.is_report or (_MARK.search(section.heading) and section.head)):
            for found in lists(self.reading, section):
                yield from self._list(section, found, thing)
        yield from table_told(self, section)
        yield from () if self.is_report else self._advised(section)
        yield from () if self.is_report or _MARK.search(section.heading) else keyed_told(self, section)
        yield from self._options(section)
        if self.command:
            yield from self._commands(section)
        if not (self.is_report or _MARK.search(section.heading) or self.tells_a_problem(section)):
            yield from self._rules(section, thing or self.title(section.title))
        if not (self.is_report or _MARK.search(section.heading)):
            yield from self._stated(section)

    # Lists

    def _list(self, section: Section, found: ItemList, thing: str) -> Iterator[Told]:
        heading = section.heading if section.head else ""
        goal = self.language.goal(heading, self.reading) if heading else ""
        is_law = self.language.forms.has("law", section.title)
        aspect = self.aspect(heading) if thing and heading and not is_law else None
        whole = list(lists(self.reading, section))
        alone = len(whole) == 1 and section.kinds <= {"list_item", "paragraph"}
        keyed = sum(_KEY.fullmatch(item.text) is not None for item in found.items)
        raw = section.head.headings[-1] if section.head else ""
        if aspect and "amount" in aspect[0].frames:
            yield from self._amounts(section, found, thing, aspect[0])
            return
        if (goal or (aspect and not {"steps", "made"}.isdisjoint(aspect[0].frames))) and alone and self._steps(found):
            if not self.language.forms.has("later_part", raw):  # earlier sections have the first steps
                yield from self._procedure(section, found, thing, goal, aspect)
            return
        if keyed >= 2:
            if not self.language.forms.has("options", heading):
                yield from self._described(section, found)
            if keyed >= len(found.items) - 1 and not found.ordered:
                return  # each item is a fact
        is_all = all(block.kind == "list_item" or block.start == found.lead_start for block in section.body)
        if aspect and "list" in aspect[0].frames and alone and is_all:
            frame = self.language.forms.frame("list", thing, heading, frames=aspect[0].frames["list"])
            label = aspect[1].groupdict().get("what") or heading
            if shares(label, thing) or label in thing:
                return
            yield from self._listed(section, found, thing, self._filled(frame, thing, aspect[1], heading), label)
        elif found.lead and _CLOSED.search(found.lead):
            parse = self.parse_at(found.lead_start)
            asked = self.language.listing(found.lead, parse)
            question = self._alone(asked, thing, section) if asked else ""
            kind = "procedure" if self.language.forms.has("asks_how", question) else "list"
            if self.language.forms.has("cut_off", question) or (kind == "procedure" and not self._are_steps(found)):
                return
            yield from self._listed(section, found, thing, question, found.lead, kind)

    def _alone(self, asked: str, thing: str, section: Section) -> str:
        """Return the question from a lead-in, with `thing` added if necessary; "" if it is unclear on its own."""
        if self.language.forms.has("law", section.title):
            return self.about(asked, thing)
        near, titled = shares(asked, f"{section.heading} {thing}"), shares(asked, section.title)
        least = LEAST_WORDS if self.language.forms.has("says_enough", asked) else ENOUGH_WORDS - titled
        if (near or titled) and len(set(content_words(asked))) >= least:
            return asked
        named = self.about(asked, thing)
        return named if named != asked else ""

    def _steps(self, found: ItemList) -> bool:
        """Return whether a list is ordered, by its numbers or its lead-in, and its items are instructions."""
        return (found.ordered or self.language.forms.has("steps", found.lead)) and self._are_steps(found)

    def _are_steps(self, found: ItemList) -> bool:
        steps = sum(not self.language.forms.has("no_step", item.text) for item in found.items)
        return steps > _MOST_STEPS * len(found.items)

    def _procedure(
        self, section: Section, found: ItemList, thing: str, goal: str, aspect: tuple[Aspect, re.Match[str]] | None
    ) -> Iterator[Told]:
        forms, above = self.language.forms, section.names[-2] if section.chain else ""
        goal = goal or (self.language.goal(above, self.reading) if aspect else "")
        frames = aspect[0].frames if aspect and thing else {}
        kind = "made" if "made" in frames and self._is_dish() else "steps"
        if kind in frames and aspect:
            frame = forms.frame("steps", thing, section.heading, frames=frames[kind])
            question = self._filled(frame, thing, aspect[1], section.heading)
        else:
            question = self._to_reach(goal, section) if goal else ""
        steps = tuple(dropwhile(lambda item: forms.has("storage", item.text), reversed(found.items)))[::-1]
        found = replace(found, items=steps)
        yield from self._listed(section, found, thing, question, section.heading, kind="procedure")

    def _to_reach(self, goal: str, section: Section) -> str:
        """Return a question such as "How do I {goal}?", or "" if the goal is unclear without the document's title."""
        name = self.language.product(section.title)
        says_enough = shares(goal, section.title) or len(set(content_words(goal))) > LEAST_WORDS or _NAMED.search(goal)
        if not says_enough or (name and not shares(goal, name)) or self.language.forms.has("goal_leans", goal):
            return ""
        return self.language.forms.frame("procedure", goal).format(goal=goal)

    def _is_dish(self) -> bool:
        """Return whether the document is a recipe: one of its headings is for ingredients."""
        found = (self.aspect(bare(block.headings[-1])) for block in self.reading.blocks if block.kind == "heading")
        return any(aspect is not None and "amount" in aspect[0].frames for aspect in found)

    def _listed(
        self, section: Section, found: ItemList, thing: str, question: str, label: str, kind: str = "list"
    ) -> Iterator[Told]:
        last_word = self.language.forms.patterns["item_end"]
        items = tuple(last_word.sub("", item.whole.rstrip(" ;；,，。.")).rstrip(" ;；,，") for item in found.items)
        joint = self.language.forms.words["items"]
        answer = joint.join(items)
        if not LEAST_ITEMS <= len(items) <= MOST_ITEMS or not self.fits(answer, MOST_WORDS[self.chinese]):
            return
        if any(not item[:1].isalnum() and item[:1] not in "\"“‘'(（《「$€£#@`" for item in items):
            return
        if any(not item or self.points(item) for item in items) or not question:
            return
        if any(not self.fits(item, LONGEST_ITEM[self.chinese]) for item in items):
            return
        text = self.reading.document.text
        if 2 * sum(bool(_LINKED.fullmatch(text, item.start, item.end)) for item in found.items) > len(items):
            return  # the answers are elsewhere
        spans = (*self.head_span(section), *self.lead_span(found), found.span)
        fact = self.fact(kind, thing, label, answer, spans, items=items, peers=f"{kind} {label.casefold()}")
        worth = 0.8 if kind == "procedure" else 0.72
        yield Told(fact, (self.draft(fact, question, "simple", kind, worth),))

    # Descriptions and amounts

    def _described(self, section: Section, found: ItemList) -> Iterator[Told]:
        """Yield the definitions in list items such as "NERDTree: plugin for browsing files"."""
        for item in found.items:
            match = None if item.items else _KEY.fullmatch(item.text)
            name, text = (match["key"].strip("*_` "), match["value"].strip()) if match else ("", "")
            asked = self.language.described(name, text, self.reading) if name else ""
            if not asked or self.points(text) or not self.fits(text, LONGEST_VALUE[self.chinese]):
                continue
            fact = self.fact("definition", name, name, text, (*self.head_span(section), (item.start, item.end)))
            yield Told(fact, (self.draft(fact, asked, "simple", "described", 0.64),))

    def _amounts(self, section: Section, found: ItemList, thing: str, aspect: Aspect) -> Iterator[Told]:
        forms = self.language.forms
        basis = forms.patterns["basis"].search(found.lead) if found.lead else None
        people = "_people" if basis and forms.has("people", basis["basis"]) else ""
        for item in found.items:
            match = forms.patterns["amount"].fullmatch(to_simplified(item.text))
            if match is None or item.items:
                continue
            name = item.text[slice(*match.span("name"))].strip(" *_`：:")
            answer = item.text[slice(*match.span("amount"))].strip()
            amount = figure(answer)
            several = "_plural" if forms.has("plural", name) and "amount_plural" in forms.frames else ""
            frame = forms.frame(f"amount_for{people}" if basis else f"amount{several}", thing, name)
            question = frame.format(thing=thing, name=name, basis=basis["basis"] if basis else "")
            spans = (*self.head_span(section), *self.lead_span(found), (item.start, item.end))
            fact = self.fact(
                "attribute",
                thing,
                name,
                answer,
                spans,
                peers=f"amount {basis['basis'] if basis else ''} {name}",
                amount=str(amount.value) if amount else "",
                unit=amount.unit if amount else "",
            )
            drafts = [self.draft(fact, question, "simple", "amount", 0.66)]
            if basis and amount and (times := forms.patterns["times"].search(basis["basis"])):
                drafts += self._scaled(fact, times, name, thing, people)
            yield Told(fact, tuple(drafts))

    def _scaled(self, fact: Fact, times: re.Match[str], name: str, thing: str, people: str) -> list[Draft]:
        """Return the question for a multiple of an amount, such as the flour for 4 people instead of 2.

        The list is empty if the amount is for more than 20 people (or pieces).
        """
        base = Decimal(times["n"])
        shown = figure(fact.answer)
        if base <= 0 or base > 20 or shown is None:
            return []
        wanted = base * (2 if base > 1 else 3)
        result = fact.number * wanted / base
        question = self.language.forms.frame(f"scaled{people}", thing, name).format(
            thing=thing, name=name, n=f"{wanted:f}", what=times["what"]
        )
        draft = self.draft(fact, question, "reasoning", "scaled", 0.74)
        answer = shown.written(result)
        return [replace(draft, golden_answers=(answer,), reckoning=f"{fact.number} * {wanted / base}")]

    # Rules

    def _rules(self, section: Section, thing: str) -> Iterator[Told]:
        known = set(content_words(f"{thing} {section.title}"))
        topic = f"{section.title} {' '.join(section.chain)}"
        is_law = self.language.forms.has("law", section.title)
        for rule in self.language.rules(self.reading, section, thing):
            if self.points(rule.answer) or not self.fits(rule.answer, LONGEST_ITEM[self.chinese]):
                continue
            own = len(set(content_words(rule.condition)) - known)
            says_enough = own >= ENOUGH_WORDS and not (is_law or self.command)
            question = rule.question if says_enough else self.about(rule.question, thing)
            if own < LEAST_WORDS or not question:
                continue
            if not all(self._is_known(noun, topic) for noun in rule.presumed):
                continue
            if not is_law and (
                repeats(rule.condition, rule.answer) or self._goes_on(rule.answer, rule.spans[0][1], section, topic)
            ):
                continue
            spans = (*self.head_span(section), *rule.spans)
            fact = self.fact("rule", thing, rule.condition, rule.answer, spans)
            drafts = [self.draft(fact, question, "conditional", "rule", 0.75)]
            if rule.case_question:
                asked = f"{rule.case} {rule.case_question}".strip()
                drafts.append(
                    self.draft(fact, self.about(asked, thing) if is_law else asked, "reasoning", "case", 0.85)
                )
            yield Told(fact, tuple(drafts))

    def _advised(self, section: Section) -> Iterator[Told]:
        """Yield the advice of paragraphs and list items that start with a condition ("If …").

        Advice that the next sentence or block continues is left out.
        """
        topic = f"{section.title} {' '.join(section.chain)}"
        if self.tells_a_problem(section) or self.language.forms.has("problem", section.title):
            return
        for block, after in zip_longest(section.body, section.body[1:]):
            below = after is not None and (after.level > block.level or after.role == "continuation")
            if block.kind not in ("paragraph", "list_item") or block.number or below:
                continue
            bold = _BOLD.match(self.reading.document.text, block.start, block.end)
            advice = self.language.advice(text_of(self.reading, block), bold["text"].strip(" :,") if bold else "")
            if advice is None or not self.fits(advice.answer, MOST_ADVICE[self.chinese]) or self.points(advice.answer):
                continue
            if repeats(advice.condition, advice.answer):
                continue
            if block.kind == "paragraph" and self._goes_on(advice.answer, block.end, section, topic):
                continue
            clear = len(set(content_words(advice.question))) >= ENOUGH_WORDS or shares(advice.question, topic)
            question = advice.question if clear else self.about(advice.question, self.title(section.title))
            if question and all(self._is_known(noun, topic) for noun in advice.presumed):
                spans = (*self.head_span(section), (block.start, block.end))
                fact = self.fact("rule", self.title(section.title), question, advice.answer, spans)
                yield Told(fact, (self.draft(fact, question, "conditional", "advice", 0.8),))

    def _is_known(self, noun: str, topic: str) -> bool:
        """Return whether a reader knows what a noun refers to.

        It does if the noun is in the table of known nouns, contains a number, or has only words of the topic.
        """
        known = shares(noun.split()[-1], " ".join(self.language.forms.tables["known"]))
        return known or any(map(str.isdigit, noun)) or set(stems(" ".join(content_words(noun)))) <= set(stems(topic))

    def _goes_on(self, answer: str, end: int, section: Section, topic: str) -> bool:
        """Return whether the sentence after an answer continues it: it repeats a word that is not in the topic.

        `end` is the offset at which the answer ends. Sentences of other sections do not count.
        """
        place = self.reading.within(0, end)[1]
        following = self.reading.sentences[place] if place < len(self.reading.sentences) else None
        if following is None or following.start >= section.body[-1].end:
            return False
        own = " ".join(set(content_words(answer)) - set(content_words(topic)))
        return shares(own, following.text) and not self.language.forms.has("restarts", following.text)

    def _stated(self, section: Section) -> Iterator[Told]:
        topic = f"{section.title} {' '.join(section.chain)}"
        for stated in self.language.stated(self.reading, section):
            if not all(self._is_known(noun, topic) for noun in stated.presumed):
                continue
            spans = (*self.head_span(section), *stated.spans)
            kind = "rule" if stated.question_type == "conditional" else "definition"
            fact = self.fact(kind, self.title(section.title), stated.question, stated.answer, spans)
            yield Told(fact, (self.draft(fact, stated.question, stated.question_type, stated.pattern, 0.78),))

    def _options(self, section: Section) -> Iterator[Told]:
        """Yield questions such as "Which tar option do I use to list files?", from help texts and lists of options."""
        title, text = self.command_of(section), self.reading.document.text
        found = []
        for block in section.body:
            if title and block.kind in ("code", "list_item"):
                matches = _OPTION.finditer(text, block.start, block.end)
                found += [(m["option"].strip(), m["does"].strip(" 。.;；"), m.span()) for m in matches]
        counts = Counter(does.casefold() for _, does, _ in found)
        for option, does, span in found:
            asked = self.language.option(does) if counts[does.casefold()] == 1 else ""
            if asked:
                question = self.language.forms.frame("which_option", option).format(thing=title, does=asked)
                fact = self.fact("attribute", title, does, option, (*self.head_span(section), span))
                yield Told(fact, (self.draft(fact, question, "simple", "which_option", 0.7),))

    def _commands(self, section: Section) -> Iterator[Told]:
        """Yield questions for a command. The line above it says what it does and ends in a colon."""
        title, text = self.command, self.reading.document.text
        for lead, block in pairwise(section.body):
            match = _COMMAND.fullmatch(text[block.start : block.end].strip())
            said = text_of(self.reading, lead)
            if match is None or lead.kind == "code" or not _CLOSED.search(said) or title not in match["command"]:
                continue
            answer = _PLACEHOLDER.sub(r"\1", match["command"]).strip()
            asked = self.language.option(said.strip(" :：-*"))
            named = re.search(rf"(?<![A-Za-z]){re.escape(title)}(?![A-Za-z])", asked)
            if asked and _OPERAND.sub("", match["command"]).strip(" '\"") != title and not named:
                spans = (*self.head_span(section), (lead.start, lead.end), (block.start, block.end))
                fact = self.fact("attribute", title, asked, answer, spans)
                question = self.language.forms.frame("command", title, asked).format(thing=title, does=asked)
                yield Told(fact, (self.draft(fact, question, "simple", "command", 0.76),))

    # Parts

    def _filled(self, frame: str, thing: str, match: re.Match[str], heading: str) -> str:
        named = {name: text or "" for name, text in match.groupdict().items()}
        label = heading if self.chinese else heading.lower()
        return frame.format(**{"what": heading, **named, "thing": thing, "label": label})
