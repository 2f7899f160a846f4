"""Whatever a model claims, a fact's terms stand in its spans, or there is no fact."""

from hypothesis import given, settings
from hypothesis import strategies as st

from synth.grammar.reading import Reading
from synth.transforms.claim_parts import Unproved, places
from synth.transforms.claim_words import KINDS
from synth.transforms.claims import Claim, Passage, proved
from tests.transforms.made import chunks, document

ENGLISH = (
    "The **Kell lighthouse**, which stands on a [reef](r.md), was built in 1811 by Anna Keller. It does not (usually) "
    'burn "oil", but `lamp_mode=2` is C++ at 3.5% of 1,250 ships, 2-3 times a day.'
)
TEXTS = (
    ENGLISH,
    "**青禾图书馆**于2019年在厦门开设了一间[阅览室](a.md)，成立于1990年。它不出借《地图》（约300册），可以用`MQTT`报告。",
    "**青禾圖書館**於2019年在廈門開設了一間[閱覽室](a.md)，成立於1990年。它不出借《地圖》（約300冊），可以用`MQTT`報告。",
)
READINGS = [Reading(document("a.md", text)) for text in TEXTS]
PASSAGES = [Passage.of(reading, chunks(reading.document)[0]) for reading in READINGS]
SENTENCES = [(passage, sentence.text) for passage in PASSAGES for sentence in passage.sentences]


@st.composite
def claims(draw):
    passage, text = draw(st.sampled_from(SENTENCES))

    def part():
        start = draw(st.integers(0, len(text) - 1))
        length = draw(st.integers(1, 24))
        return draw(st.one_of(st.just(text[start : start + length]), st.text(max_size=6)))

    qualifiers = tuple((draw(st.sampled_from(sorted(KINDS))), part()) for _ in range(draw(st.integers(0, 2))))
    quote = draw(st.one_of(st.just(text), st.just(part())))
    name = draw(st.sampled_from(["Kell lighthouse", "青禾图书馆", "青禾圖書館", part()]))
    return passage, Claim(
        quote, name, part(), draw(st.one_of(st.just(""), st.just(part()))), qualifiers, draw(st.booleans())
    )


@given(claims())
@settings(max_examples=400)
def test_a_fact_stands_where_it_says_or_there_is_none(drawn):
    passage, claim = drawn
    try:
        fact = proved(claim, passage)
    except Unproved:
        return
    text = passage.reading.document.text
    terms = [fact.subject, *([fact.object] if fact.object else []), *fact.qualifiers]
    for start, end in fact.spans:
        assert 0 <= start < end <= len(text)
    for term in terms:
        assert any(a <= term.start < term.end <= b for a, b in fact.spans)
    assert fact.relation
    assert fact.object or fact.qualifiers
    assert fact.negated == claim.negated


@given(st.text(alphabet="ab1.,-()「」 图書_#", max_size=20), st.text(alphabet="ab1.,-()「」 图書_#", max_size=5))
@settings(max_examples=300)
def test_places_end_and_lie_in_the_text(text, part):
    found = list(places(part, text))
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert found == sorted(set(found))
