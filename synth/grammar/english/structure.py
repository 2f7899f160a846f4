"""English for the author from structure: goals, lead-ins and rules, by the parse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from synth.grammar.english.phrases import Unsure
from synth.grammar.english.wording import lemma_of, plain_word
from synth.grammar.structure.forms import StructureForms
from synth.grammar.structure.language import Rule, Stated, StructureLanguage
from synth.grammar.structure.outline import bare
from synth.text.stems import stems

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

    from synth.grammar.reading import Reading
    from synth.grammar.structure.outline import Section

FORMS = StructureForms.of(__package__)
_HOW_TO = re.compile(r"^how (?:do (?:i|you|we)|to|can (?:i|you|we)) (?P<goal>[a-z].*?)\??$", re.IGNORECASE)
_YOURS = {"your": "my", "yours": "mine", "yourself": "myself"}
_NUMBERS = "one two three four five six seven eight nine ten twelve fifteen twenty thirty sixty ninety".split()
_VALUES = dict(zip(_NUMBERS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 60, 90), strict=True))
_THRESHOLD = re.compile(
    r"(?P<bound>\b(?:more than|over|at least|longer than|greater than|higher than|older than|less than|fewer than|"
    r"under|shorter than|younger than|lower than|no more than|at most))\s+(?P<money>[$€£]?)"
    rf"(?P<n>\d[\d,]*|{'|'.join(_NUMBERS)})(?P<percent>\s?%|)(?P<joint>[- ]?)",
    re.IGNORECASE,
)
_UPWARDS = ("more than", "over", "at least", "longer than", "greater than", "higher than", "older than")
_FOLLOWING = re.compile(
    r"\b(?:the |any of the |one of the |all of the )?following(?P<noun>(?: [a-z-]+){0,4})", re.IGNORECASE
)
_DATE = re.compile(r"\d+[/-]\d+[/-]\d+|\b(?:19|20)\d\d\b")
_SPACE = re.compile(r"\s+")
_MOST_CONDITION, _LEAST_CONDITION = 26, 4


def _gerunds() -> dict[str, str]:
    known = {}
    for verb in FORMS.tables["verbs"]:
        known[verb + "ing"] = verb
        if verb.endswith("e") and not verb.endswith("ee"):
            known[verb[:-1] + "ing"] = verb
        if re.fullmatch(r"(?:.*[^aeiou])?[aeiou][bdgmnprt]", verb):
            known[verb + verb[-1] + "ing"] = verb
    return known


_GERUNDS = _gerunds()
_VERBS = frozenset(FORMS.tables["verbs"])
_NOUN_TOO = frozenset(
    "access apply book change check contact design file help host log order plan record release report "
    "review share test track train transfer travel use view work back charge claim limit link list "
    "present process query schedule set store trial update upgrade drop format copy cut post".split()
)
_AFTER_VERB = re.compile(
    r"^(?:a|an|the|your|my|our|to|for|in|on|up|out|off|from|with|new|another|any|all|it|into|as|how|time|it's)$"
)


def goal(heading: str) -> str:
    """The task that a heading names, in the base form: "Requesting time off" is "request time off"; "" for none."""
    if match := _HOW_TO.match(heading):
        return _mine(match["goal"])
    first, _, rest = heading.rstrip(".").partition(" ")
    word = first.lower()
    verb = word if word in _VERBS else _GERUNDS.get(word, "")
    second = rest.partition(" ")[0].lower()
    if not verb or not rest or len(heading.split()) > 9:
        return ""
    if word in _NOUN_TOO and not _AFTER_VERB.match(second):
        return ""
    if word in _GERUNDS and second in ("of", "and"):
        return ""
    return _mine(f"{verb} {rest}")


def _mine(text: str) -> str:
    """A text about the reader's things, as the reader says it, without the capitals of a title."""
    words = [_YOURS.get(word.lower(), word) for word in text.split()]
    title_case = sum(word[:1].isupper() for word in words[1:]) > len(words[1:]) / 2
    return " ".join(
        word.lower() if title_case and word[:1].isupper() and word[1:].islower() else word for word in words
    )


def noun(text: str, reading: Reading) -> str:
    """A heading or label as it stands in a sentence: small letters, unless one of its words is a name.

    A name is a word that the prose of the document never has in small letters, in any form.
    """
    words = text.strip().split()
    small = _small_stems(reading)
    plain = [_PLAIN.fullmatch(word.strip("()[],.;:'\"’“”")) is not None for word in words]
    known = all(set(stems(word)) <= small for word, is_plain in zip(words, plain, strict=True) if is_plain)
    if not known or (" " in text and any(text in sentence.text[1:] for sentence in reading.sentences)):
        return " ".join(words)
    return " ".join(w.lower() if is_plain and w != "I" else w for w, is_plain in zip(words, plain, strict=True))


_PLAIN = re.compile(r"[A-Z](?:[a-z’'-]*|[a-z]+(?:-[A-Za-z]+)+)")


def label(text: str, reading: Reading) -> str:
    """The name of an attribute as it stands in a sentence: small letters but for abbreviations and names."""
    small = _small_stems(reading)
    return " ".join(
        word.lower()
        if _PLAIN.fullmatch(word.strip("()[],.;:'\"’“”")) and (at == 0 or set(stems(word)) <= small)
        else word
        for at, word in enumerate(text.strip().split())
    )


def thing(heading: str, reading: Reading) -> str:
    """What a heading names, with its article, as it stands in a sentence; "" for a heading that names nothing."""
    parses = _parsed_headings(reading)
    parse = parses.get(heading)
    if parse is not None:
        root = next((token for token in parse if token.dep_ == "ROOT"), None)
        alone = len([token for token in parse if token.is_alpha]) == 1
        if root is None or (alone and not (root.pos_ in ("NOUN", "PROPN", "NUM", "X") or root.tag_ == "VBG")):
            return ""
    said = noun(heading, reading)
    last = said.rstrip(")").split()[-1].lower() if said else ""
    starts = said.lower().startswith(("the ", "a ", "an "))
    acts = said.split()[0].lower() in _GERUNDS if said else False
    if last and not starts and _ROLE.search(last) and said.count(" ") < 4:
        return f"{'an' if said[0].lower() in 'aeiou' else 'a'} {said}"
    return f"the {said}" if last in _WITH_ARTICLE and not starts and not acts else said


def _parsed_headings(reading: Reading) -> dict[str, Doc]:
    key = id(reading)
    if key not in _HEADINGS:
        _HEADINGS.clear()
        _HEADINGS[key] = {bare(h.text): doc for h, doc in zip(reading.headings, reading.parsed_headings, strict=True)}
    return _HEADINGS[key]


_HEADINGS: dict[int, dict[str, Doc]] = {}
_ROLE = re.compile(
    r"(?:engineer|designer|manager|analyst|developer|researcher|architect|director|officer|consultant|specialist|assistant|"
    r"coordinator|administrator|apprentice|recruiter|scientist|technician|supervisor|programmer|tester|writer|editor)$"
)
_WITH_ARTICLE = frozenset(FORMS.tables["with_article"])


def _small_stems(reading: Reading) -> set[str]:
    """Stems of the words that the prose of a document has in small letters."""
    key = id(reading)
    if key not in _STEMS:
        _STEMS.clear()
        text = " ".join(sentence.text for sentence in reading.sentences)
        _STEMS[key] = set(stems(" ".join(set(_SMALL_WORD.findall(text))))) | _FUNCTION_STEMS
    return _STEMS[key]


_STEMS: dict[int, set[str]] = {}
_SMALL_WORD = re.compile(r"(?<![\w/.-])[a-z]+(?![\w/-])")
_FUNCTION_STEMS = set(stems("a an the of to in on at by for with from and or about your my our a "))


def listing(lead: str, parse: Any) -> str:
    """The question that a lead-in answers with the list below it; "" for none."""
    if parse is None or not parse.text.rstrip().endswith(":"):
        return ""
    try:
        question = _listing(parse)
    except Unsure:
        return ""
    if not question or FORMS.has("consequence_leans", question) or re.search(r"\b(?:we|our|us)\b", question, re.I):
        return ""
    return question


def _listing(doc: Doc) -> str:
    text = doc.text.rstrip(" :")
    for name, frame in (
        ("lead_goal", "How do I {}?"),
        ("lead_steps", "How do I {}?"),
        ("lead_count", "What are the {}?"),
    ):
        if match := FORMS.patterns[name].fullmatch(text):
            return frame.format(_as_reader_text(match["what"]))
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or len(doc) > 30:
        return ""
    subject = next((t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None:
        return ""
    subject_span = doc[subject.left_edge.i : subject.right_edge.i + 1]
    if "," in subject_span.text:
        return ""
    if match := _FOLLOWING.match(subject_span.text):
        what = match["noun"].strip()
        rest = doc[subject.right_edge.i + 1 :].text.rstrip(" :")
        return (
            f"Which {what} {_as_reader_text(rest)}?"
            if (what and rest and root.lemma_ != "be") or (what and len(rest.split()) > 1)
            else ""
        )
    if doc[0].i != subject_span.start and subject_span.start > 0:
        head = doc[: subject_span.start].text.strip(" ,")
        if not re.match(r"^(?:for|in|at|on|during|under|as|when|if|to|after|before)\b", head, re.I):
            return ""
        tail = f" {_as_reader_text(head[:1].lower() + head[1:])}"
    else:
        tail = ""
    auxiliary, verb = _inverted(root)
    after = doc[root.i + 1 :].text.rstrip(" :")
    after = re.sub(r",? ?(?:such as|for example|namely|like|as follows)$", "", after)
    subject_text = _as_reader(subject_span)
    if root.lemma_ == "have" and not auxiliary.startswith("d"):
        return ""
    what = "What"
    if match := _FOLLOWING.search(after):
        noun_ = match["noun"].strip()
        what = f"Which {noun_}" if noun_ else "What"
        after = (after[: match.start()] + after[match.end() :]).strip()
        open_end = not after or after.split()[-1].lower() in ("for", "in", "with", "to", "of", "by", "on", "from")
        if not open_end and not noun_ and root.lemma_ not in FORMS.tables["having"]:
            return ""
    elif after and root.lemma_ not in ("be",):
        return ""  # the list is no object of the verb
    elif root.lemma_ == "be" and not after:
        return f"What {plain_word(root)} {subject_text}{tail}?" if len(subject_span) >= 2 else ""
    elif after:
        return ""
    return _SPACE.sub(" ", f"{what} {auxiliary} {subject_text} {verb} {after}{tail}?").replace(" ?", "?")


def _inverted(root: Token) -> tuple[str, str]:
    """The auxiliary before the subject, and the verb behind it. Raises Unsure without a clear tense."""
    auxiliaries = [t for t in root.children if t.dep_ in ("aux", "auxpass")]
    negated = " not" if any(t.dep_ == "neg" for t in root.children) else ""
    if auxiliaries:
        first, *others = auxiliaries
        rest = " ".join([*(plain_word(t) for t in others), root.text])
        return _for_me(plain_word(first), root), f"{negated} {rest}".strip()
    if root.lemma_ == "be":
        return _for_me(plain_word(root), root), negated.strip()
    if root.tag_ not in ("VBZ", "VBP", "VBD"):
        raise Unsure
    return {"VBZ": "does", "VBP": "do", "VBD": "did"}[root.tag_], f"{negated} {lemma_of(root)}".strip()


def _for_me(word: str, root: Token) -> str:
    addressed = any(t.dep_ in ("nsubj", "nsubjpass") and t.lower_ == "you" for t in root.children)
    return {"are": "am", "were": "was"}.get(word, word) if addressed else word


def _as_reader(span: Span) -> str:
    """A span in which "you" is "I": what the text tells its reader, as the reader says it."""
    said = ""
    for token in span:
        word, lower = token.text, token.lower_
        if lower == "you":
            is_subject = token.dep_ in ("nsubj", "nsubjpass") or (
                token.i + 1 < len(token.doc) and token.doc[token.i + 1].pos_ in ("AUX", "VERB")
            )
            word = "I" if is_subject else "me"
        elif lower in _YOURS:
            word = _YOURS[lower]
        elif lower in ("n't", "n’t") and said.endswith("am"):
            word = " not"
        elif token.i and token.doc[token.i - 1].lower_ == "you":
            word = {"are": "am", "were": "was", "'re": "'m", "’re": "’m"}.get(lower, word)
        elif token.i == 0 and word in ("A", "An", "The", "All", "Each", "Every", "No", "Any", "Some"):
            word = lower
        elif token.i == 0 and word[1:].islower() and token.pos_ not in ("PROPN",) and word != "I":
            word = word.lower()
        said += word + token.whitespace_
    return _SPACE.sub(" ", said).strip()


def _as_reader_text(text: str) -> str:
    """The same for a text without a parse."""
    text = re.sub(r"\byou(?: are|['’]re)\b", "I am", text)
    text = re.sub(r"\byourself\b", "myself", re.sub(r"\byour\b", "my", text))
    text = re.sub(r"\byou\b(?= to\b|$)", "me", text)
    text = re.sub(r"\byou\b", "I", text)
    return re.sub(r"\b(for|to|with|of|from|by|on|at) I\b", r"\1 me", text).strip()


def about(question: str, thing: str) -> str:
    """A question, with the thing that it is about where none of its words is in it."""
    if set(stems(thing)) & set(stems(question)):
        return question
    first = thing.split()[0].lower()
    lead = f"When {thing}" if first in _GERUNDS else FORMS.frame("about", thing, question).format(thing=thing)
    return f"{lead}, {question[0].lower()}{question[1:]}"


def rules(reading: Reading, section: Section, thing: str) -> Iterator[Rule]:
    """The conditions of the sentences of a section, but those of numbered steps."""
    steps = [(block.start, block.end) for block in section.body if block.kind == "list_item" and block.number]
    if not section.body:
        return
    start, end = section.body[0].start, section.body[-1].end
    for sentence, doc in zip(reading.sentences, reading.parsed, strict=True):
        if not start <= sentence.start < end or any(a <= sentence.start < b for a, b in steps):
            continue
        if " if " not in f" {sentence.text.lower()}" or len(doc) > 70:
            continue
        rule = _rule(doc)
        if rule:
            condition, answer, question, case, case_question = rule
            yield Rule(
                condition=condition,
                answer=answer,
                question=question,
                case=case,
                case_question=case_question,
                spans=((sentence.start, sentence.end),),
            )


def _rule(doc: Doc) -> tuple[str, str, str, str, str] | None:
    """Condition, consequence, question, case and its question of a sentence with one "if"."""
    marks = [token for token in doc if token.lower_ == "if" and token.dep_ == "mark"]
    if len(marks) != 1 or not doc.text.rstrip().endswith((".", "!")):
        return None
    clause = marks[0].head
    root = clause.head
    if clause.dep_ != "advcl" or root.dep_ not in ("ROOT", "conj"):
        return None
    first, last = clause.left_edge.i, clause.right_edge.i
    if doc[first].i != marks[0].i or root.dep_ == "conj":
        return None
    condition = doc[first + 1 : last + 1]
    while len(condition) and condition[-1].is_punct:
        condition = condition[:-1]
    if not _LEAST_CONDITION <= len(condition) <= _MOST_CONDITION or ";" in condition.text or "(" in condition.text:
        return None
    if (
        FORMS.has("weak", condition.text)
        or _DATE.search(condition.text)
        or not any(t.dep_.startswith("nsubj") for t in condition)
    ):
        return None
    before, after = doc[:first].text.strip(), doc[last + 1 :].text.strip().lstrip(",;–— ").strip()
    if before and after.strip(" .!") and len(before.split()) > 4:
        return None
    main = (
        f"{before} {after}".strip()
        if before.rstrip(",").strip() and len(before.split()) <= 4
        else ((after.strip(" .!") and after) or before)
    )
    main = re.sub(r"^(?:then|so|however|also|otherwise),? ", "", main, flags=re.IGNORECASE).strip(" .!,")
    if re.search(r"\b(?:is|are|was|in|at|on|to|of|the|a|an|and|or|via|from|with|by|for)$", main):
        return None
    main = re.sub(r"(?<=[a-z]) (?:however|also|then)(?= )", "", main)
    if re.search(r"\b(?:for example|e\.g\.|for instance|although|though|this means)\b", main, re.IGNORECASE):
        return None
    if main.lower().startswith(("and ", "but ", "or ", "also ")) or len(main.split()) < 3:
        return None
    if FORMS.has("consequence_leans", main) or FORMS.has("pointing_verb", main) or main.count("(") != main.count(")"):
        return None
    subjects = [t for t in root.children if t.dep_ in ("nsubj", "nsubjpass", "expl")]
    commands = root.tag_ == "VB" and not any(t.dep_ in ("aux", "auxpass") for t in root.children)
    if any(first <= t.i <= last for t in subjects) or not (subjects or commands):
        return None
    if _embeds(doc, marks[0], root) or _tells_of(root):
        return None
    ask = _consequence(root)
    said = _as_reader(condition)
    if re.search(r"\byou(?:r|rs)?\b", said, re.I):
        return None
    answer = main[:1].upper() + main[1:]
    case = _case(said)
    return said, answer, f"{ask} if {said}?", f"{case}." if case else "", f"{ask}?"


def _embeds(doc: Doc, mark: Token, root: Token) -> bool:
    """True where "if" means "whether": "check if", "ask your manager if"."""
    verbs = FORMS.tables["embedding"]
    return root.lemma_ in verbs or (mark.i > 0 and doc[mark.i - 1].lemma_ in verbs)


def _tells_of(root: Token) -> bool:
    """True for a main clause that tells of a symptom, a cause or the past, and not of what follows or what to do."""
    going_on = root.tag_ == "VBG" and not any(t.lower_ == "going" for t in root.subtree)
    return going_on or root.tag_ == "VBD" or root.lemma_ in FORMS.tables["symptoms"]


def _consequence(root: Token) -> str:
    """The words that ask for what follows, by the subject and the verb of the main clause."""
    subject = next((t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None and root.tag_ == "VB":
        return "What should I do"
    passive = any(t.dep_ == "auxpass" for t in root.children)
    if subject is None or subject.lower_ != "you" or passive or root.lemma_ in ("be", "receive", "get", "lose"):
        return "What happens"
    modal = next((t.lower_ for t in root.children if t.dep_ == "aux" and t.tag_ == "MD"), "")
    negated = any(t.dep_ == "neg" for t in root.children)
    urges = root.lemma_ in ("need", "have", "want") and any(t.dep_ == "xcomp" for t in root.children)
    if modal in ("must", "should") or (modal in ("may", "might") and urges):
        return f"What {'must' if modal == 'must' else 'should'} I {'not ' if negated else ''}do"
    if modal in ("can", "could") and not negated:
        return "What can I do"
    if urges and root.lemma_ != "want":
        return "What do I need to do"
    return "What happens"


def _case(condition: str) -> str:
    """The condition as a case with a number of its own, which its threshold covers; "" without a threshold."""
    match = _THRESHOLD.search(condition)
    if re.search(r"\b(?:not|never|no)\b|n['’]t\b", condition):
        return ""
    if match is None or len(_THRESHOLD.findall(condition)) > 1:
        return ""
    word = match["n"].lower()
    n = _VALUES.get(word) or int(word.replace(",", ""))
    if n < 2 and match["bound"].lower() not in _UPWARDS:
        return ""
    number = n + max(1, round(n * 0.3)) if match["bound"].lower() in _UPWARDS else max(1, n * 2 // 3)
    if number == n:
        return ""
    shown = f"{match['money']}{number:,}{match['percent']}{match['joint']}"
    rest = condition[match.end() :]
    if n == 1:
        rest = re.sub(
            r"^(year|month|week|day|hour|minute|mile|person|night)\b",
            lambda m: "people" if m[1] == "person" else m[1] + "s",
            rest,
        )
    said = condition[: match.start()] + shown + rest
    return said[:1].upper() + said[1:]


def statements(reading: Reading, section: Section) -> Iterator[Stated]:
    """What sentences of a section say of an amount, or deny, as questions."""
    if not section.body:
        return
    start, end = section.body[0].start, section.body[-1].end
    steps = [(block.start, block.end) for block in section.body if block.kind == "list_item" and block.number]
    for sentence, doc in zip(reading.sentences, reading.parsed, strict=True):
        if (
            not start <= sentence.start < end
            or any(a <= sentence.start < b for a, b in steps)
            or not 5 <= len(doc) <= 34
        ):
            continue
        try:
            found = _amount_asked(doc) or _denied(doc)
        except Unsure:
            continue
        if found is None:
            continue
        pattern, question, answer = found
        question = _SPACE.sub(" ", question).replace(" ,", ",").replace(" ?", "?").replace(" '", "'").replace(" ’", "’")
        if (
            FORMS.has("consequence_leans", question)
            or _WRITER.search(question)
            or question.count("(") != question.count(")")
        ):
            continue
        yield Stated(
            pattern=pattern,
            question=question,
            answer=answer,
            spans=((sentence.start, sentence.end),),
        )


_WRITER = re.compile(r"\b(?:we|our|us|me|you|here|there|then|now|also|instead|so)\b|[;:]", re.IGNORECASE)


def _parts(doc: Doc) -> tuple[Token, Span] | None:
    """The main verb of a sentence that begins with its subject, and the subject."""
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or root.pos_ not in ("VERB", "AUX"):
        return None
    subject = next((t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None or subject.left_edge.i != 0 or subject.i > root.i:
        return None
    span = doc[0 : subject.right_edge.i + 1]
    if any(t.dep_ == "conj" or t.text in (",", ";", ":") for t in span):
        return None
    if subject.pos_ == "PRON" and subject.lower_ != "you":
        return None
    if len(span) > 10 or any(t.dep_ in ("relcl", "conj") and t.pos_ == "VERB" for t in root.children):
        return None
    return root, span


def _amount_asked(doc: Doc) -> tuple[str, str, str] | None:
    """How many, how much or what percentage: of the object of the verb, where a number counts it."""
    parts = _parts(doc)
    if parts is None or any(t.dep_ == "neg" for t in parts[0].children):
        return None
    root, subject = parts
    if subject[0].lower_ in ("a", "an"):
        return None
    thing = next((t for t in root.children if t.dep_ in ("dobj", "attr") and t.i > root.i), None)
    if thing is None or root.lemma_ == "be":
        return None
    span = doc[thing.left_edge.i : thing.right_edge.i + 1]
    match = _COUNTED.match(span.text)
    if match is None:
        return None
    after = doc[span.end :].text.rstrip(" .!")
    if any(t.dep_ in ("advcl", "ccomp") or t.lower_ in ("which", "who", "but", "and") for t in doc[span.end :]):
        return None
    auxiliary, verb = _inverted(root)
    if match["money"] or match["percent"]:
        of = (match["rest"] or "").strip()
        what = "What percentage" if match["percent"] else "How much"
        if (
            match["money"]
            and of
            and not of.startswith(("of ", "per ", "for ", "on ", "toward", "in ", "a ", "each ", "towards"))
        ):
            return None
        head = f"{what} {of}" if match["percent"] else what
        after = f"{of} {after}" if match["money"] else after
    else:
        head = f"How many {match['rest'].strip()}"
        if not (match["rest"] or "").strip() or match["n"].lower() in ("one", "1") or " to " in match["rest"]:
            return None
    if thing.text in match["amount"].split() and not match["money"]:
        return None
    answer = match["amount"] if match["money"] or match["percent"] else f"{match['amount']} {thing.text}"
    question = f"{_as_reader_text(head)} {auxiliary} {_as_reader(subject)} {verb} {_as_reader_text(after)}?"
    return "amount_said", question, answer


_COUNTED = re.compile(
    r"(?P<amount>(?:up to |at least |at most |no more than |a maximum of |a minimum of |about |approximately |only )?"
    rf"(?P<money>[$€£])?\s?(?P<n>\d[\d,.]*|{'|'.join(_NUMBERS)})(?P<percent>\s?%| percent)?)(?:(?P<rest>\s.*)|$)",
    re.IGNORECASE,
)


_ALLOWS = re.compile(
    r"\b(?:can|could|may|must|should|required?|allowed|permitted|eligible|covered?|paid|pay|available|supported?|includ\w+|"
    r"refund\w*|needs?|charged?|accept\w*|offer\w*|provid\w+|reimburs\w+|expires?|transfer\w*|carry)\b",
    re.IGNORECASE,
)


def _denied(doc: Doc) -> tuple[str, str, str] | None:
    """Whether something is so that the sentence denies."""
    parts = _parts(doc)
    if parts is None or not doc.text.endswith("."):
        return None
    root, subject = parts
    negations = [t for t in root.children if t.dep_ == "neg" and t.lower_ in ("not", "n't", "n’t")]
    if subject[0].lower_ in ("some", "many", "most", "few", "not", "any", "several", "all", "every", "each"):
        return None
    if len(negations) != 1 or any(t.dep_ == "conj" for t in root.children):
        return None
    rest = FORMS.patterns["hedge"].sub("", doc[root.i + 1 :].text.rstrip(" ."))
    if len(rest.split()) < 2 or re.search(
        r"\b(?:but|unless|until|because|only|necessarily|yet|however|except|just|always)\b", rest
    ):
        return None
    auxiliary, verb = _inverted(root)
    verb = re.sub(r"^not ?", "", verb)
    if not _ALLOWS.search(doc.text):
        return None
    if root.lemma_ in ("want", "know", "worry", "think", "hesitate", "forget", "mean", "matter", "have", "expect"):
        return None
    adverbs = [
        t.text
        for t in root.children
        if t.dep_ == "advmod" and t.i < root.i and t.lower_ not in ("also", "however", "generally")
    ]
    question = f"{auxiliary.capitalize()} {_as_reader(subject)} {' '.join(adverbs)} {verb} {_as_reader_text(rest)}?"
    return None if " not " in question else ("whether", question, "No")


def option(does: str) -> str:
    """What an option does, after "to"; "" for a description that does not begin with a verb."""
    first, _, rest = does.partition(" ")
    word = first.lower()
    base = (
        word
        if word in _VERBS
        else next((form for form in (word[:-1], word[:-2]) if form in _VERBS and word.endswith("s")), "")
    )
    return f"{base} {rest}" if base and rest and len(rest.split()) > 1 and "(" not in does else ""


STRUCTURE = StructureLanguage(
    forms=FORMS,
    goal=goal,
    listing=listing,
    rules=rules,
    statements=statements,
    about=about,
    option=option,
    noun=label,
    thing=thing,
    joint=" ",
)
