"""Search for paths among passages that were read, and for further passages worth reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from synth.core.records import Chunk, Statement
from synth.corpus.corpus import Corpus
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import Named, Notes, Relation
from synth.corpus.sections import HEADING, Section, lines_of, section_of
from synth.generation.proposals.joining import (
    CorpusWords,
    as_written,
    is_joining,
    is_proper,
    links_beside,
    names_apart,
    terms,
)
from synth.generation.proposals.paths import BRIDGE, CHOICE, ENTITY, MATTER, REFERENCE, RULE, WORD, Path, link_kind
from synth.text.normalise import normalise
from synth.text.same_text import is_near_copy, is_same_text, says_the_same
from synth.text.stems import stems

_WORTH: Mapping[str, float] = {RULE: 1.0, CHOICE: 0.8, ENTITY: 0.8, REFERENCE: 0.7, BRIDGE: 0.5, MATTER: 0.4, WORD: 0.4}
"""Weight of a kind of path.

In a blind reading, paths from a rule to a case led to the best questions, and bridges over a name to the fewest. A
human author found questions if two passages name the same entity, and none over a shared everyday word.
"""

_LEAST = 0.85  # minimum weight of shared words to join two statements; a word of a single passage weighs 1
_FEWEST_TERMS = 2  # minimum shared terms of two statements whose passages name no common entity
_SAME_SCOPE = 0.5  # minimum share of common words in the scopes of statements on the same attribute
_NAMES_TOO = 0.3  # bonus of a path whose passages name a common entity
_ONE_DOCUMENT = 0.2  # bonus of a path within one document
_MOST_NAMING = 6  # maximum number of passages that name an entity, if the entity may join two of them
WAITING = 8
"""Maximum result of `Paths.waiting`, which stops counting paths at this number."""

_EMPTY_REPLIES = 2  # replies in a row without a question, after which further passages must be read first
_MOST_PATHS = 2  # maximum paths per statement or passage
_OF_WORD = 40  # maximum statements examined per word
_NEAR = 1500  # maximum characters between passages of a document that are read together
_PARTNERS = 12  # passages searched for a partner, or for those on the same matter
_ON_MATTER = 600  # characters of a section used to search for others on the same matter

_Search: TypeAlias = tuple[float, int, Statement, str, str]
"""Search for a passage that may be related to a statement: rank, number, statement, query and name (`_search_for`)."""


@dataclass(slots=True)
class Paths:
    """Finder of paths among read passages, and of passages worth reading to complete a path.

    `graph` contains what was read, `corpus` all documents. If `by_graph` is False, a shared rare word is enough to join
    passages. This simple method serves as a baseline. The best path comes first. Each statement and passage is an end
    of at most `_MOST_PATHS` paths, and each pair of passages has at most one path.
    """

    graph: KnowledgeGraph
    corpus: Corpus
    by_graph: bool = True
    _words: CorpusWords = field(init=False)
    _sections: dict[str, Section] = field(init=False, default_factory=dict)
    _by_word: dict[str, list[Statement]] = field(init=False, default_factory=dict)
    _by_subject: dict[str, list[Statement]] = field(init=False, default_factory=dict)
    _naming: dict[str, list[tuple[Named, Notes]]] = field(init=False, default_factory=dict)
    _names_in: dict[str, dict[str, Named]] = field(init=False, default_factory=dict)
    _heap: list[tuple[float, int, Path]] = field(init=False, default_factory=list)
    _weak: list[tuple[float, int, Path]] = field(init=False, default_factory=list)
    _joined: set[frozenset[str]] = field(init=False, default_factory=set)
    _used: Counter[str] = field(init=False, default_factory=Counter)
    _in_vain: set[tuple[str, str]] = field(init=False, default_factory=set)
    _empty: int = field(init=False, default=0)
    _lines: dict[str, list[tuple[int, int, str]]] = field(init=False, default_factory=dict)
    _notes: dict[str, Notes] = field(init=False, default_factory=dict)
    _searches: list[_Search] = field(init=False, default_factory=list)
    _homes: Counter[str] = field(init=False, default_factory=Counter)
    """How often `partner` returned a section, by each of its chunks."""
    _count: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._words = CorpusWords(self.corpus)

    def learn(self, notes: Notes) -> None:
        """Record the notes on a section. The graph must already contain them."""
        self._empty = 0
        for chunk_id in notes.section.chunk_ids:
            self._sections[chunk_id] = notes.section
        for named in notes.entities:
            self._names_in.setdefault(notes.section.section_id, {})[normalise(named.name)] = named
        if not self.by_graph:
            self._learn_words(notes)
            return
        for matter, is_strong in self._on_matter(notes):
            self._push(matter, self._heap if is_strong else self._weak)
        self._notes[notes.section.section_id] = notes
        for statement in notes.statements:
            for found in self._paths_of(statement):
                self._push(found)
            for found in self._weak_paths_of(statement):
                self._push(found, self._weak)
            self._index(statement)
        for named in notes.entities:
            for path in self._over(named, notes):
                self._push(path)
            if self._words.is_telling(named.name) and (best := _best_on(named, notes)) is not None:
                self._search_for(0.5, best, named.name, named.name)
            self._naming.setdefault(normalise(named.name), []).append((named, notes))
        for relation in notes.relations:
            for other in self._by_subject.get(normalise(relation.target), ()):
                bridge = self._bridge(relation, notes, other)
                if bridge is not None:
                    self._push(bridge)

    def next(self, language: str = "", *, weak: bool = False) -> Path | None:
        """Return the best path not returned before, or None.

        If a `language` is given, paths in other languages stay for later calls. If `weak`, return a weak path, whose
        shared words may be a poor link. After two replies in a row without a question, there is no path until `learn`
        records further notes.
        """
        heap = self._weak if weak else self._heap
        others: list[tuple[float, int, Path]] = []
        chosen = None
        while heap and chosen is None and not self.are_failing:
            entry = heappop(heap)
            path = entry[-1]
            if language and path.language != language:
                others.append(entry)
            elif self._is_open(path, self._joined, self._used):
                chosen = path
                self._joined.add(path.passages)
                self._used.update(_ends(path))
        for entry in others:
            heappush(heap, entry)
        return chosen

    def tried(self, paths: Sequence[Path], followed: Collection[Path], *, elsewhere: bool = False) -> None:
        """Record the reply to a request on `paths`. The paths in `followed` led to a question.

        A path that joins statements of the other paths by the same words is not returned again. If `elsewhere`, the
        reply has a question over other passages of the request.
        """
        for path in paths:
            if path not in followed:
                words = stems(path.joined_by)
                self._in_vain.update((end.statement_id, word) for end in path.statements for word in words)
        self._empty = 0 if followed or elsewhere else self._empty + 1

    @property
    def are_failing(self) -> bool:
        """Whether the latest replies contained no question on a path, so that further passages must be read first."""
        return self._empty >= _EMPTY_REPLIES

    def _is_open(self, path: Path, joined: Collection[frozenset[str]], used: Mapping[str, int]) -> bool:
        """Return whether a path may still be returned.

        Its passages must not be joined yet. Each end must be part of fewer than `_MOST_PATHS` paths. No end may be a
        statement for which a request on paths with the same words yielded no question.
        """
        if path.passages in joined or any(used.get(name, 0) >= _MOST_PATHS for name in _ends(path)):
            return False
        words = stems(path.joined_by)
        return not any(all((end.statement_id, word) in self._in_vain for word in words) for end in path.statements)

    def join(self, path: Path) -> None:
        """Record that a question already joins the passages of a path."""
        self._joined.add(path.passages)

    def waiting(self, *, weak: bool = False) -> int:
        """Return the number of paths that `next` can return, at most WAITING: the strong ones, or with `weak` all.

        Only paths in the language of the best path count.
        """
        joined, used, languages = set(self._joined), Counter(self._used), list[str]()
        heap = [*self._heap, *self._weak] if weak else self._heap.copy()
        heapify(heap)
        while heap and len(languages) < WAITING and not self.are_failing:
            path = heappop(heap)[-1]
            is_wanted = not languages or path.language == languages[0]
            if is_wanted and self._is_open(path, joined, used):
                joined.add(path.passages)
                used.update(_ends(path))
                languages.append(path.language)
        return len(languages)

    def near(self, section: Section, count: int = _PARTNERS) -> list[str]:
        """Return the ids of the passages whose words are most similar to those of a section, best first.

        Passages of the section, those beside it, and those of documents that rows must not be about are left out.
        """
        corpus = self.corpus
        text = " ".join(corpus.chunk(name).text for name in section.chunk_ids)[:_ON_MATTER]
        own = [corpus.chunk(name) for name in section.chunk_ids]
        found = [name for name in corpus.top_asked(text, count + len(own)) if name not in section.chunk_ids]
        apart = [name for name in found if not any(_adjacent(corpus.chunk(name), chunk) for chunk in own)]
        return apart[:count]

    def has_read(self, section: Section) -> bool:
        """Return whether notes on a section were recorded."""
        return section.section_id in self._notes

    def partner(
        self,
        read: Iterable[str],
        *,
        same_first: bool = False,
        used: Collection[str] = (),
        home: Section | None = None,
    ) -> tuple[Section, Chunk] | None:
        """Return a section that was read, or `home`, and a related passage outside `read`; None if there is none.

        Passages similar to the scope of a rule come first, then those with the name of an entity, then those similar to
        another statement. If `same_first`, the passages of the statement's document come before other passages.
        Sections of the documents `used` come last, and those that were returned most often.
        """
        known = frozenset(read)
        searches = [one for one in self._searches if home is None or self._section(one[2].chunk_id) == home]
        for search in sorted(searches, key=lambda one: (one[2].doc_id in used, self._homes[one[2].chunk_id], one)):
            self._searches.remove(search)
            if (chunk := self._found(search, known, same_first=same_first)) is not None:
                section = self._section(search[2].chunk_id)
                self._homes.update(section.chunk_ids)
                return section, chunk
        return None

    def _found(self, search: _Search, known: Collection[str], *, same_first: bool) -> Chunk | None:
        """Return the best result of a search that is not `known` and not beside the statement, or None."""
        *_, statement, query, name = search
        home = self.corpus.chunk(statement.chunk_id)
        found = [self.corpus.chunk(chunk_id) for chunk_id in self.corpus.top_asked(query, _PARTNERS)]
        if same_first:
            found.sort(key=lambda chunk: chunk.doc_id != home.doc_id)
        for chunk in found:
            if chunk.chunk_id in known or _adjacent(chunk, home) or normalise(name) not in normalise(chunk.text):
                continue
            if self.corpus.language(chunk.doc_id) == self.corpus.language(home.doc_id):
                return chunk
        return None

    # Internals

    def _learn_words(self, notes: Notes) -> None:
        """Join a section to earlier sections that share a rare word with it."""
        for statement in notes.statements:
            for word in dict.fromkeys(stems(statement.text)):
                if self._words.is_rare(word):
                    for other in self._by_word.get(word, ())[:_OF_WORD]:
                        if self._apart(statement, other):
                            self._push(self._path(WORD, other, statement, word, self._words.weight([word])))
                    self._by_word.setdefault(word, []).append(statement)

    def _paths_of(self, statement: Statement) -> Iterator[Path]:
        """Yield paths from a statement to statements read before."""
        for other, shared, weight in self._sharing(statement):
            kind = link_kind(statement, other)
            first, second = (statement, other) if statement.kind == "rule" or kind != RULE else (other, statement)
            fits = self._is_case(first, second, shared) if kind == RULE else self._are_alike(first, second)
            if kind and fits and self._apart(statement, other):
                yield self._path(kind, first, second, ", ".join(_written(shared, first, second)), weight)
        for chunk_id in self.corpus.links(statement.chunk_id):
            for other in self._stated(chunk_id):
                beside = self._links_to(statement, other) and self._apart(statement, other)
                if beside and (words := self._words.in_common(statement, other)):
                    joined_by = ", ".join(_written(words, statement, other))
                    yield self._path(REFERENCE, statement, other, joined_by, 2 * _LEAST)

    def _links_to(self, statement: Statement, other: Statement) -> bool:
        """Return whether a link beside a statement leads to the document of another statement."""
        return links_beside(statement, self.corpus.document(statement.doc_id), other.doc_id)

    def _on_matter(self, notes: Notes) -> Iterator[tuple[Path, bool]]:
        """Yield (path, is strong) for paths to earlier passages on the same matter.

        Each path joins the two statements that share the most words. `_says_much` tells whether it is strong.
        """
        near = {self._sections[name].section_id for name in self.near(notes.section) if name in self._sections}
        for section_id in sorted(near & self._notes.keys()):
            best: tuple[float, list[str], Statement, Statement] | None = None
            for one in self._notes[section_id].statements:
                for other in notes.statements:
                    if not self._apart(one, other):
                        continue
                    words = self._words.in_common(one, other)
                    weight = self._words.weight(words) + (link_kind(one, other) == RULE) if words else 0.0
                    if weight > (best[0] if best else 0.0):
                        best = weight, words, one, other
            if best is None:
                continue
            _, words, one, other = best
            if not self._words.both_contain(filter(self._words.is_rare, words), (one, other)):
                continue
            ends = [self._section(end.chunk_id) for end in (one, other)]
            if one.doc_id == other.doc_id or len(words) >= _FEWEST_TERMS or self._both_name(ends):
                first, second = (other, one) if link_kind(one, other) == RULE and other.kind == "rule" else (one, other)
                joined_by = ", ".join(_written(words, first, second))
                path = self._path(MATTER, first, second, joined_by, self._words.weight(words))
                yield path, self._says_much(words, (one, other))

    def _says_much(self, words: Sequence[str], ends: Sequence[Statement]) -> bool:
        """Return whether the words that two statements share are a strong link.

        The words need at least the weight `_LEAST`. If both passages name the same entity, this is enough. Otherwise
        the words must form several terms. One of the words must be rare, and one must be in the subject or scope of a
        statement. A human author found nothing to ask over two everyday words, a number, or something that both only
        mention.
        """
        if not self._words.weight(words) >= _LEAST:
            return False
        if self._both_name([self._section(end.chunk_id) for end in ends]):
            return True
        about = {word for end in ends for word in stems(f"{end.subject} {end.scope}")}
        said = [f"{end.subject}. {end.scope}. {end.text}" for end in ends]
        rare = any(map(self._words.is_rare, words))
        return rare and not about.isdisjoint(words) and terms(words, said) >= _FEWEST_TERMS

    def _over(self, named: Named, notes: Notes) -> Iterator[Path]:
        """Yield paths to earlier passages that name the same entity.

        There are no paths if many passages name the entity, or if its name is not specific (`CorpusWords.is_telling`).
        """
        earlier = self._naming.get(normalise(named.name), [])
        weight = self._words.weight(stems(named.name))
        if not self._words.is_telling(named.name) or len(earlier) >= _MOST_NAMING:
            return
        for other, other_notes in earlier:
            first, second = _best_on(other, other_notes), _best_on(named, notes)
            if first is not None and second is not None and self._apart(first, second):
                yield self._path(ENTITY, first, second, named.name, weight)

    def _bridge(self, relation: Relation, notes: Notes, other: Statement) -> Path | None:
        """Return the path from a relation to a statement about its target, or None.

        The passage of the relation must also state something else, and the name of the target must be specific
        (`CorpusWords.is_telling`).
        """
        name = normalise(relation.target)
        own = [one for one in notes.statements if one.chunk_id == relation.chunk_id and normalise(one.subject) != name]
        if not own or not self._words.is_telling(relation.target) or not self._apart(own[0], other):
            return None
        link = f"{relation.source} {relation.verb} {relation.target}"
        return self._path(BRIDGE, own[0], other, link, self._words.weight(stems(relation.target)))

    def _path(self, kind: str, first: Statement, second: Statement, joined_by: str, weight: float) -> Path:
        sections = tuple(self._section(one.chunk_id) for one in (first, second))
        closeness = min(1.0, weight / (4 * _LEAST))
        gain = _ONE_DOCUMENT if first.doc_id == second.doc_id else 0.0
        telling = self._both_name(sections)
        if telling and kind != ENTITY:
            joined_by = joined_by if telling[0] in joined_by else f"{joined_by}; {telling[0]}"
            gain += _NAMES_TOO
        return Path(kind, sections, (first, second), joined_by, round(_WORTH[kind] + closeness + gain, 6))

    def _weak_paths_of(self, statement: Statement) -> Iterator[Path]:
        """Yield paths from a rule to statements that share one rare word with it, if both passages name one entity.

        They are used when nothing better is left.
        """
        for other, shared, _ in self._sharing(statement):
            words = [word for word in shared if self._words.is_rare(word)]
            first, second = (statement, other) if statement.kind == "rule" else (other, statement)
            related = self._both_name([self._section(end.chunk_id) for end in (first, second)])
            written = self._words.both_contain(words, (first, second))
            if link_kind(first, second) == RULE and written and related and self._apart(statement, other):
                joined_by = ", ".join(_written(words, first, second))
                yield self._path(RULE, first, second, joined_by, self._words.weight(words))

    def _push(self, path: Path, heap: list[tuple[float, int, Path]] | None = None) -> None:
        if len(path.passages) > 1:
            self._count += 1
            heappush(self._heap if heap is None else heap, (-path.weight, self._count, path))

    def _index(self, statement: Statement) -> None:
        for word in dict.fromkeys(_words(statement)):
            self._by_word.setdefault(word, []).append(statement)
        if subject := normalise(statement.subject):
            self._by_subject.setdefault(subject, []).append(statement)
        query = f"{statement.scope} {statement.subject}" if statement.kind != "rule" else statement.scope
        if query.strip() and statement.kind in ("rule", "attribute", "list", "event"):
            self._search_for(0.0 if statement.kind == "rule" else 1.0, statement, query)

    def _search_for(self, rank: float, statement: Statement, query: str, name: str = "") -> None:
        """Store a search for a passage that may be related to a statement. A lower `rank` is searched first.

        The passage should be near `query` and must contain `name`, if given.
        """
        self._count += 1
        self._searches.append((rank, self._count, statement, query, name))

    def _sharing(self, statement: Statement) -> Iterator[tuple[Statement, list[str], float]]:
        """Yield (statement, words, weight) for earlier statements with common words in scope or subject."""
        shared: dict[str, tuple[Statement, list[str]]] = {}
        for word in dict.fromkeys(_words(statement)):
            for other in self._by_word.get(word, ())[:_OF_WORD]:
                shared.setdefault(other.statement_id, (other, []))[1].append(word)
        for other, words in shared.values():
            yield other, words, self._words.weight(words)

    def _is_case(self, rule: Statement, case: Statement, shared: Iterable[str]) -> bool:
        """Return whether a statement may be a case of a rule.

        Both must share several rare words. One rare word is enough if they are in one document or name the same entity.
        One of the rare words must be in the subject or scope of the rule, and both passages must contain one of them.
        """
        words = [word for word in shared if self._words.is_rare(word)]
        sections = [self._section(one.chunk_id) for one in (rule, case)]
        return (
            self._words.weight(words) >= _LEAST
            and (rule.doc_id == case.doc_id or len(words) >= _FEWEST_TERMS or bool(self._both_name(sections)))
            and not set(stems(f"{rule.scope} {rule.subject}")).isdisjoint(words)
            and self._words.both_contain(words, (rule, case))
        )

    def _both_name(self, sections: Iterable[Section]) -> list[str]:
        """Return the specific names that all of the sections contain, as the first section writes them."""
        named = [self._names_in.get(section.section_id, {}) for section in sections]
        return [named[0][key].name for key in sorted(set.intersection(*map(set, named))) if self._words.is_telling(key)]

    def _are_of_one_thing(self, first: Statement, second: Statement) -> bool:
        """Return whether two statements may be about one thing.

        This is so if they are in one document, or if the names in the brief do not distinguish their documents. In any
        other case both passages must contain the same proper name.
        """
        ends = (first, second)
        documents = [self.corpus.document(end.doc_id) for end in ends]
        one, other = (names_apart(document.doc_id, document.title, self.corpus.brief) for document in documents)
        apart = first.doc_id != second.doc_id and one and other and not one & other
        return not apart or any(map(is_proper, self._both_name([self._section(end.chunk_id) for end in ends])))

    def _are_alike(self, first: Statement, second: Statement) -> bool:
        """Return whether two statements seem to state the same attribute of two things of one kind."""
        one, other = set(stems(first.scope)), set(stems(second.scope))
        named = [
            self._names_in.get(self._section(end.chunk_id).section_id, {}).get(normalise(end.subject))
            for end in (first, second)
        ]
        kinds = [normalise(name.kind) for name in named if name is not None]
        known = len(kinds) > 1 and all(kinds)
        alike = kinds[0] == kinds[1] if known else one == other and any(map(self._words.is_rare, one))
        return alike and any(map(is_joining, one & other)) and len(one & other) >= _SAME_SCOPE * len(one | other)

    def _stated(self, chunk_id: str) -> list[Statement]:
        if chunk_id not in self._sections or chunk_id not in self.graph:
            return []
        return [self.graph.statement(name) for name in self.graph.targets(chunk_id, "states")]

    def _apart(self, first: Statement, second: Statement) -> bool:
        corpus = self.corpus
        one, other = corpus.chunk(first.chunk_id), corpus.chunk(second.chunk_id)
        return (
            self._section(first.chunk_id) != self._section(second.chunk_id)
            and (not _adjacent(one, other) or _may_be_exception(first, second, (one, other)))
            and corpus.language(one.doc_id) == corpus.language(other.doc_id)
            and not is_same_text(one.text, other.text)
            and not is_near_copy(one.text, other.text)
            and self._are_of_one_thing(first, second)
            and not self._is_restated(first, second)
            and not self._is_restated(second, first)
        )

    def _is_restated(self, end: Statement, other: Statement) -> bool:
        """Return whether the passage of the statement `other` says everything that the statement `end` says.

        No question needs both passages then.
        """
        own = [text for start, stop, text in self._sentences(end) if any(start < b and a < stop for a, b in end.spans)]
        others = [text for *_, text in self._sentences(other)]
        return bool(own) and all(any(says_the_same(text, again) for again in others) for text in own)

    def _sentences(self, end: Statement) -> list[tuple[int, int, str]]:
        """Return the sentences of the passage of a statement, with their offsets."""
        section = self._section(end.chunk_id)
        if section.section_id not in self._lines:
            lines = lines_of(self.corpus, section)
            self._lines[section.section_id] = [(one.start, one.end, one.text) for one in lines if one.kind != HEADING]
        return self._lines[section.section_id]

    def _section(self, chunk_id: str) -> Section:
        return self._sections.get(chunk_id) or section_of(self.corpus, chunk_id)


def _written(shared: Iterable[str], *statements: Statement) -> list[str]:
    """Return the words with the stems in `shared`, as the statements write them."""
    return as_written(set(shared), [f"{one.scope} {one.subject} {one.text}" for one in statements])


def _ends(path: Path) -> list[str]:
    """Return the ids of the statements and passages that a path joins."""
    return [*(end.statement_id for end in path.statements), *path.passages]


def _best_on(named: Named, notes: Notes) -> Statement | None:
    """Return the statement of a passage that says most about an entity, or None.

    A statement with the entity's name is preferred, else one at the place of the name. Rules come first.
    """
    name = normalise(named.name)
    having = [one for one in notes.statements if name in normalise(f"{one.subject} {one.text}")]
    near = [
        one
        for one in notes.statements
        if any(start < stop and begin < end for start, end in one.spans for begin, stop in named.spans)
    ]
    return min(having or near, key=lambda one: one.kind != "rule", default=None)


def _words(statement: Statement) -> list[str]:
    return [word for word in stems(f"{statement.scope} {statement.subject}") if is_joining(word)]


def _may_be_exception(first: Statement, second: Statement, chunks: tuple[Chunk, Chunk]) -> bool:
    """Return whether one statement may be an exception to the other: two rules under different headings of a page."""
    one, other = chunks
    overlap = one.start < other.end and other.start < one.end
    return first.kind == second.kind == "rule" and one.headings != other.headings and not overlap


def _adjacent(one: Chunk, other: Chunk) -> bool:
    """Return whether two passages are so near that a reader would read both."""
    return one.doc_id == other.doc_id and max(one.start, other.start) - min(one.end, other.end) < _NEAR
