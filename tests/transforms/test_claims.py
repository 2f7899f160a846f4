"""What a model claims, held against the sentence: what is borne out, and why the rest is not."""

import pytest

from synth.grammar.reading import Reading
from synth.transforms.claim_parts import Unproved
from synth.transforms.claims import Claim, Passage, proved
from tests.transforms.made import chunks, document


def claim(quote, subject, relation, object="", *qualifiers, negated=False):
    return Claim(quote, subject, relation, object, qualifiers, negated)


def fact_of(text, *parts, negated=False, quote=None, format="markdown"):
    held = document("a.md", text, format)
    passage = Passage.of(Reading(held), chunks(held)[0])
    sentence = quote or passage.sentences[-1].text
    return proved(claim(sentence, *parts, negated=negated), passage), text


def shown(fact):
    obj = fact.object.text if fact.object else None
    return fact.subject.text, fact.relation, obj, [(q.kind, q.text) for q in fact.qualifiers]


IN_PORTO, IN_2019 = ("place", "in Porto"), ("time", "in 2019")


@pytest.mark.parametrize(
    ("text", "parts", "wanted"),
    [
        (
            "The Meridian Library opened a reading room in Porto in 2019.",
            ("The Meridian Library", "opened", "a reading room", IN_PORTO, IN_2019),
            ("the Meridian Library", "open", "a reading room", [IN_PORTO, IN_2019]),
        ),
        (
            "In 2019, the Meridian Library has opened a reading room.",
            ("Meridian Library", "opened", "reading room", IN_2019),
            ("the Meridian Library", "open", "a reading room", [IN_2019]),
        ),
        (
            "The Kell lighthouse, which stands on a reef, was built in 1811 by Anna Keller.",
            ("Kell lighthouse", "was built", "by Anna Keller", ("time", "in 1811")),
            ("the Kell lighthouse", "be built", "by Anna Keller", [("time", "in 1811")]),
        ),
        (
            "The Elm station opened in 1902.",
            ("The Elm station", "opened", "", ("time", "in 1902")),
            ("the Elm station", "open", None, [("time", "in 1902")]),
        ),
        (
            "The `retry` option limits the number of attempts.",
            ("retry option", "limits", "the number"),
            ("the retry option", "limit", "the number of attempts", []),
        ),
        (
            "Rivermark supports full-text search.",
            ("Rivermark", "supports", "full-text search"),
            ("Rivermark", "support", "full-text search", []),
        ),
        (
            f"Rivermark is a library led by members from {', '.join(['the old schools'] * 9)} and the town.",
            ("Rivermark", "is", "a library"),
            ("Rivermark", "be", "a library", []),
        ),
        (
            "The Weeks Bridge is a pedestrian bridge over the Charles River.",
            ("Weeks Bridge", "is a pedestrian bridge over", "the Charles River"),
            ("the Weeks Bridge", "be", "a pedestrian bridge over the Charles River", []),
        ),
        (
            "楊青獲得第九屆金鐘獎「最佳女主角獎」。",
            ("楊青", "獲得", "第九屆金鐘獎「最佳女主角獎」"),
            ("楊青", "获得", "第九屆金鐘獎「最佳女主角獎」", []),
        ),
        (
            "杨青曾以《草山》一剧，在2006年时获得金钟奖。",
            ("杨青", "获得", "金钟奖"),
            ("杨青", "获得", "金钟奖", [("time", "2006年")]),
        ),
        (
            "Porto is the capital of the district.",
            ("Porto", "is", "capital"),
            ("Porto", "be", "the capital of the district", []),
        ),
        ("青禾图书馆位于厦门。", ("青禾图书馆", "位于", "厦门"), ("青禾图书馆", "位于", "厦门", [])),
        (
            "青禾图书馆于2019年在厦门开设了一间阅览室。",
            ("青禾图书馆", "开设了", "阅览室", ("place", "厦门")),
            ("青禾图书馆", "开设", "阅览室", [("time", "2019年"), ("place", "厦门")]),
        ),
        (
            "青禾圖書館位於廈門，成立於1990年。",
            ("青禾圖書館", "成立於", "1990年"),
            ("青禾圖書館", "成立于", "1990年", []),
        ),
        ("王明毕业于海港大学。", ("王明", "毕业于", "海港大学"), ("王明", "毕业于", "海港大学", [])),
        ("王明畢業於海港大學。", ("王明", "畢業於", "海港大學"), ("王明", "毕业于", "海港大學", [])),
        ("读者必须出示借阅证。", ("读者", "必须出示", "借阅证"), ("读者", "出示", "借阅证", [])),
    ],
)
def test_right_claims_become_facts(text, parts, wanted):
    assert shown(fact_of(text, *parts)[0]) == wanted


@pytest.mark.parametrize(
    ("text", "parts", "reason"),
    [
        ("The mayor of Porto opened a room.", ("Porto", "opened", "a room"), "subject is cut short"),
        ("The Harbour Board opened a room.", ("Harbour", "opened", "a room"), "other words stand between"),
        ("Anna Keller and Tom Reed built the mill.", ("Anna Keller", "built", "the mill"), "one of several"),
        ("Porto has old and new mills.", ("Porto", "has", "old"), "object is cut short"),
        ("The Elm mill was sold to Anna by Tom.", ("Tom", "sold", "The Elm mill"), "subject is cut short"),
        ("If the pump fails, Rivermark stops the lamp.", ("Rivermark", "stops", "the lamp"), "condition, a doubt"),
        ("Anna Keller said that Porto has a mill.", ("Porto", "has", "a mill"), "subject is cut short"),
        ("According to Anna, Porto has a mill.", ("Porto", "has", "a mill"), "condition, a doubt"),
        ("Only in winter, Rivermark lends maps.", ("Rivermark", "lends", "maps"), "'only'"),
        ("Rivermark does not lend maps.", ("Rivermark", "lend", "maps"), "negation"),
        ("Rivermark would lend maps.", ("Rivermark", "lend", "maps"), "would or will"),
        ("Rivermark lends maps?", ("Rivermark", "lends", "maps"), "question"),
        ("The company lends maps.", ("The company", "lends", "maps"), "does not read alone"),
        ("This tool lends maps.", ("This tool", "lends", "maps"), "does not read alone"),
        ("Rivermark lends maps.", ("Rivermark", "sells", "maps"), "relation is not between"),
        ("Rivermark lends maps.", ("Rivermark", "lends", "books"), "not in the sentence"),
        ("Rivermark has about 300 maps.", ("Rivermark", "has", "300 maps"), "other words"),
        ("Rivermark lends some maps.", ("Rivermark", "lends", "maps"), "other words"),
        ("Rivermark lends maps.", ("Rivermark", "lends", "maps", ("time", "in 2019")), "not in the sentence"),
        ("Rivermark lends maps in Porto.", ("Rivermark", "lends", "maps", ("time", "in Porto")), "another kind"),
        ("Rivermark lent 14 maps.", ("Rivermark", "lent", "4 maps"), "not in the sentence"),
        ("青禾图书馆的馆长位于厦门。", ("青禾图书馆", "位于", "厦门"), "other words stand between"),
        ("塔楼由安娜设计。", ("塔楼", "设计", "安娜"), "object is cut short"),
        ("The station opened in 1902.", ("The station", "opened", "", ("time", "in 1902")), "does not read alone"),
        ("Rivermark gives readers maps.", ("Rivermark", "gives readers", "maps"), "relation holds a noun"),
        ("Rivermark lent maps in 2019 and 2020.", ("Rivermark", "lent", "maps", IN_2019), "qualifier is cut short"),
        (
            "Rivermark lends maps, and Anna Keller sold the mill in 2019.",
            ("Rivermark", "lends", "maps", IN_2019),
            "too far",
        ),
        ("该公司位于厦门。", ("该公司", "位于", "厦门"), "does not read alone"),
        ("青禾图书馆位于厦门的郊区。", ("青禾图书馆", "位于", "厦门"), "object is cut short"),
        ("如果停电，水泵会停止运转。", ("水泵", "停止", "运转"), "condition, a doubt|other words"),
        ("据说青禾图书馆位于厦门。", ("青禾图书馆", "位于", "厦门"), "cut short|condition, a doubt"),
        ("據說，青禾圖書館位於廈門。", ("青禾圖書館", "位於", "廈門"), "condition, a doubt"),
        ("青禾图书馆只出借地图。", ("青禾图书馆", "出借", "地图"), "other words|'only'"),
        ("青禾圖書館不出借地圖。", ("青禾圖書館", "出借", "地圖"), "negation"),
        ("青禾图书馆位于厦门，王明生于1990年。", ("青禾图书馆", "生于", "1990年"), "other words"),
        ("青禾图书馆位于厦门吗？", ("青禾图书馆", "位于", "厦门吗"), "question"),
    ],
)
def test_what_the_sentence_does_not_bear_out_is_named(text, parts, reason):
    with pytest.raises(Unproved, match=reason):
        fact_of(text, *parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Rivermark does not lend maps.", ("Rivermark", "does not lend", "maps")),
        ("Rivermark doesn't lend maps.", ("Rivermark", "lend", "maps")),
        ("青禾图书馆不出借地图。", ("青禾图书馆", "不出借", "地图")),
        ("青禾圖書館不出借地圖。", ("青禾圖書館", "出借", "地圖")),
    ],
)
def test_a_denial_is_kept(text, parts):
    fact, _ = fact_of(text, *parts, negated=True)
    assert fact.negated
    assert fact.relation in ("lend", "出借")


@pytest.mark.parametrize(
    ("text", "parts", "modal"),
    [
        ("Rivermark can lend maps.", ("Rivermark", "lend", "maps"), "can"),
        ("Visitors must show a card.", ("Visitors", "must show", "a card"), "must"),
        ("读者可以出借地图。", ("读者", "出借", "地图"), "can"),
        ("讀者必須出示借閱證。", ("讀者", "必須出示", "借閱證"), "must"),
    ],
)
def test_a_modal_is_kept(text, parts, modal):
    assert fact_of(text, *parts)[0].modal == modal


@pytest.mark.parametrize(
    ("text", "parts", "wanted"),
    [
        ("Rivermark opened in Porto. It lends maps.", ("Rivermark", "lends", "maps"), "Rivermark"),
        ("青禾图书馆位于厦门。它出借地图。", ("青禾图书馆", "出借", "地图"), "青禾图书馆"),
        ("青禾圖書館位於廈門。它出借地圖。", ("青禾圖書館", "出借", "地圖"), "青禾圖書館"),
    ],
)
def test_a_pronoun_stands_for_the_subject_of_the_sentence_before(text, parts, wanted):
    fact, _ = fact_of(text, *parts)
    assert fact.subject.text == wanted
    assert text[fact.subject.start : fact.subject.end] in ("It", "它")
    mark = text.index(text[-1]) + 1
    assert [text[a:b].strip() for a, b in fact.spans] == [text[:mark], text[mark:].strip()]
    assert fact.trust < 0.8
    assert not fact.wording


def test_a_pronoun_is_not_given_to_a_name_inside_the_sentence_before():
    with pytest.raises(Unproved, match="another name"):
        fact_of("Rivermark opened in Porto. It lends maps.", "Porto", "lends", "maps")


def test_places_are_those_of_the_markup():
    fact, text = fact_of("**Rivermark** lends [old maps](maps.md) in `Porto`.", "Rivermark", "lends", "old maps")
    assert text[fact.subject.start : fact.subject.end] == "**Rivermark**"
    assert fact.object.text == "old maps"
    assert text[fact.object.start : fact.object.end] == "[old maps](maps.md)"
    for term in (fact.subject, fact.object):
        assert any(a <= term.start < term.end <= b for a, b in fact.spans)


@pytest.mark.parametrize(
    ("text", "parts", "sure"),
    [
        ("Rivermark lends maps.", ("Rivermark", "lends", "maps"), True),
        ("In Porto, Rivermark lends maps.", ("Rivermark", "lends", "maps"), False),
        ("青禾图书馆位于厦门。", ("青禾图书馆", "位于", "厦门"), True),
        ("青禾圖書館位於廈門，成立於1990年。", ("青禾圖書館", "成立於", "1990年"), False),
    ],
)
def test_only_one_short_clause_is_its_own_statement(text, parts, sure):
    assert fact_of(text, *parts)[0].wording == ({"statement": text} if sure else {})
