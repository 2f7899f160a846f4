"""Order in which the sections of a corpus are read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from heapq import heappop, heappush
from math import sqrt
from operator import itemgetter

from synth.corpus.corpus import Corpus
from synth.corpus.sections import Section, sections
from synth.generation.proposals.archive import has_conditions
from synth.generation.writer import priority

_WITH_CONDITIONS = 1 / 3  # factor of the place of a section with conditions, so that it tends to come first


def turns(
    corpus: Corpus, doc_ids: Iterable[str], seed: int, fresh: Collection[str] = (), draw: str = ""
) -> Iterator[Section]:
    """Yield all sections in the order of the search. Sections with chunks in `fresh` come first.

    Documents take turns. A document with more sections has its turn more often, by the square root of its number of
    sections. Within a document, sections with conditions tend to come first, because few others give a conditional
    question. The position of a section depends only on its document, the seed and `draw`, the name of the shuffle. A
    document is split into sections when its turn comes.
    """

    def placed(doc_id: str) -> Iterator[tuple[float, str, Section]]:
        drawn = [(place_of(one), one) for one in sections(corpus, doc_id)]
        for place, (_, section) in enumerate(sorted(drawn, key=lambda pair: pair[0])):
            yield (place + firsts[doc_id]) / sqrt(len(drawn)), section.section_id, section

    def place_of(section: Section) -> float:
        text = "\n".join(corpus.chunk(name).text for name in section.chunk_ids)
        share = _WITH_CONDITIONS if has_conditions(text, section.language) else 1.0
        return share * priority(seed, f"{draw}section", section.section_id)

    def is_new(section: Section) -> bool:
        return not known.isdisjoint(section.chunk_ids)

    known = frozenset(fresh)
    firsts = {doc_id: priority(seed, f"{draw}document", doc_id) for doc_id in doc_ids}
    homes = {corpus.chunk(chunk_id).doc_id for chunk_id in known} & firsts.keys()
    new = [item for doc_id in homes for item in placed(doc_id) if is_new(item[-1])]
    yield from (section for *_, section in sorted(new, key=itemgetter(0, 1)))
    # Lower bound of a document's first place: as if each of its chunks were a section.
    earliest = sorted((first / sqrt(corpus.chunk_count(doc_id) or 1), doc_id) for doc_id, first in firsts.items())
    waiting: list[tuple[float, str, Section]] = []
    for least, doc_id in earliest:
        while waiting and waiting[0][0] < least:
            yield heappop(waiting)[-1]
        for item in placed(doc_id):
            if doc_id not in homes or not is_new(item[-1]):
                heappush(waiting, item)
    while waiting:
        yield heappop(waiting)[-1]
