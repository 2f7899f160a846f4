"""Personas: readers who ask the questions, made from the topics of a corpus or read from a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synth.core.errors import InputError
from synth.core.fields import Fields, read_toml
from synth.core.input_files import bytes_of
from synth.core.jsonl import parsed_line
from synth.corpus.documents.decoding import decode
from synth.corpus.documents.reasons import Unloadable
from synth.corpus.graph import KnowledgeGraph
from synth.text.language import detect, is_chinese
from synth.text.normalise import collapse_space, to_traditional
from synth.text.question_style import STYLES
from synth.text.stems import stems
from synth.text.tokens import content_words

LEVELS = ("beginner", "user", "expert")

_MOST_KEYWORDS = 12
_FIELDS = ("name", "about", "keywords", "style", "level")

# Level, style, name and description of the personas of a topic.
_ROLES: Mapping[str, tuple[tuple[str, str, str, str], ...]] = {
    "en": (
        ("beginner", "conversational", "someone new to {topic}", "Has just met {topic} and asks what things are."),
        ("expert", "plain", "someone who maintains {topic}", "Knows {topic} well and checks particulars."),
        ("user", "keywords", "someone looking up {topic}", "Needs one fact about {topic} quickly."),
        ("user", "formal", "someone writing a report on {topic}", "Collects facts about {topic} to quote them."),
    ),
    "zh": (
        ("beginner", "conversational", "刚接触{topic}的人", "第一次了解{topic}，想知道各种东西是什么。"),
        ("expert", "plain", "负责{topic}的人", "熟悉{topic}，需要核对细节。"),
        ("user", "keywords", "查找{topic}资料的人", "想尽快查到有关{topic}的一个事实。"),
        ("user", "formal", "撰写{topic}报告的人", "收集有关{topic}的事实，以便引用。"),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """Reader who asks questions, named by a role.

    `keywords` are the reader's interests. `style` is one of `synth.text.question_style.STYLES`, or "" for any style.
    `level` is one of `LEVELS`, or "".
    """

    name: str
    about: str
    keywords: tuple[str, ...] = ()
    style: str = ""
    level: str = ""


def personas_from_topics(graph: KnowledgeGraph, language: str, n: int) -> tuple[Persona, ...]:
    """Return at most `n` personas for the passages in `language`, one per topic, largest topics first.

    A topic is the "category" of chunks. If chunks have no category, the result is empty. If there are fewer topics than
    `n`, a topic gets several personas with different roles.
    """
    topics = topics_of(graph, language)
    roles = _ROLES["zh" if is_chinese(language) else "en"]
    personas = []
    for turn in range(len(roles)):
        for at, (topic, keywords) in enumerate(topics):
            level, style, name, about = (
                to_traditional(part) if language == "zh-Hant" else part for part in roles[(turn + at) % len(roles)]
            )
            shown = _shown(topic, language)
            personas.append(
                Persona(
                    name=name.format(topic=shown).strip(),
                    about=about.format(topic=shown).strip(),
                    keywords=keywords,
                    style=style,
                    level=level,
                )
            )
    return tuple(personas[: max(0, n)])


def _shown(topic: str, language: str) -> str:
    """Return a topic for use in a sentence. In Chinese, a topic in Latin letters is surrounded by spaces."""
    return f" {topic} " if is_chinese(language) and topic.isascii() else topic


def topics_of(graph: KnowledgeGraph, language: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the topics of the passages in `language`, largest first, each with its typical words."""
    words: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter()
    everywhere: Counter[str] = Counter()
    for chunk in graph.chunks():
        topic = graph.value(chunk.chunk_id, "category")
        if not topic or str(graph.value(chunk.doc_id, "language") or detect(chunk.text)) != language:
            continue
        distinct = set(content_words(chunk.text))
        sizes[str(topic)] += 1
        words.setdefault(str(topic), Counter()).update(distinct)
        everywhere.update(distinct)
    order = sorted(sizes, key=lambda topic: (-sizes[topic], topic))
    return [(topic, _typical_words(topic, words[topic], everywhere)) for topic in order]


def _typical_words(topic: str, words: Counter[str], everywhere: Counter[str]) -> tuple[str, ...]:
    """Return the topic, then the words that are more frequent in its passages than elsewhere."""
    candidates = [word for word in words if len(word) > 1 and not word[0].isdigit() and words[word] > 1]
    candidates.sort(key=lambda word: (-words[word] * words[word] / everywhere[word], word))
    return tuple(dict.fromkeys([topic, *candidates]))[:_MOST_KEYWORDS]


def affinity(persona: Persona, text: str, category: str = "") -> float:
    """Return the affinity, from 0 to 1, of a persona to `text` with the topic `category`.

    It is 1 if the category is one of the keywords. Otherwise it is the share of the keywords' words that the text
    contains. Without keywords, the words of `about` are used.
    """
    if category and category.casefold() in (keyword.casefold() for keyword in persona.keywords):
        return 1.0
    keyword_stems = {word for keyword in persona.keywords for word in stems(keyword)} or set(stems(persona.about))
    return len(keyword_stems.intersection(stems(text))) / len(keyword_stems) if keyword_stems else 0.0


def nearest(personas: Sequence[Persona], text: str, category: str = "") -> Persona | None:
    """Return the persona with the highest affinity to a text, or None if every affinity is 0.

    Of equal personas, the first is returned.
    """
    best = max(personas, key=lambda persona: affinity(persona, text, category), default=None)
    return best if best is not None and affinity(best, text, category) > 0 else None


def read_personas(path: Path) -> tuple[Persona, ...]:
    """Read personas from a file: TOML with tables `[[persona]]`, or JSONL with one object per line.

    Each persona needs `name` and `about`, and may have `keywords` (a list of texts), `style` and `level`. Raise
    ConfigError, InputError or RecordError, which name the file, the entry and the field.
    """
    personas = tuple(map(_persona, _toml(path) if path.suffix.lower() == ".toml" else _jsonl(path)))
    if not personas:
        raise InputError(
            f"the personas file {path} contains no persona; write [[persona]] tables, or one JSON object per line"
        )
    names = Counter(persona.name for persona in personas)
    for name, times in names.items():
        if times > 1:
            raise InputError(
                f"the personas file {path} uses the name '{name}' {times} times; give each persona a different name"
            )
    return personas


def _toml(path: Path) -> Iterable[Fields]:
    tables = read_toml(path, "personas")
    tables.only(("persona",))
    return tables.inners("persona") if tables.values else ()


def _jsonl(path: Path) -> Iterable[Fields]:
    try:
        text = decode(bytes_of(path))[0]
    except (OSError, Unloadable) as error:
        raise InputError(f"cannot read the personas file {path}: {error}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{path}:{number}"
            yield Fields(parsed_line(line, place), place)


def _persona(fields: Fields) -> Persona:
    fields.only(_FIELDS)
    keywords = fields.texts("keywords") if "keywords" in fields.values else ()
    return Persona(
        name=collapse_space(fields.text("name")),
        about=collapse_space(fields.text("about")),
        keywords=tuple(map(collapse_space, keywords)),
        style=fields.choice("style", STYLES),
        level=fields.choice("level", LEVELS),
    )
