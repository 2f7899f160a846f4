"""Kinds of names, corrected by the words in the name and around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth.corpus.analysis.mentions.broad import is_broad

if TYPE_CHECKING:
    from spacy.tokens import Span


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Last words of names, by kind. "name" covers events, prizes and other things without a kind of their own.
_ENDINGS = {
    "place": _words(
        """
        airport archipelago avenue bay beach bridge canal canyon castle channel cemetery city coast county
        desert district forest gulf harbor harbour hill hills island islands isles lake lighthouse mountain
        mountains mount ocean palace park peninsula plateau port province rainforest reef region reservoir ridge
        river road sea square stadium station street strait tower town township valley village voivodeship
        volcano waterfall borough oblast prefecture plaza abbey cathedral
        """
    ),
    "organisation": _words(
        """
        academy agency airlines association authority bank board brewery bureau church club college commission
        committee company conservatory co corporation corps council foundation gmbh group inc institute
        institution league ltd ministry orchestra parliament party police press records regiment school senate
        society studios trust union university
        """
    ),
    "name": _words(
        """
        act agreement algorithm award awards battle campaign ceremony championship championships conference
        convention crisis cup declaration digital disease effect election elections emmy engine equation
        festival games grammy law laws medal model movement olympics operation oscar prize process protocol
        rebellion revolution rum series siege syndrome system theorem theory tour tournament treaty war wars
        actor actress documentary film picture
        """
    ),
}
_PREFIXES = {
    "place": _words("lake mount fort cape port lough loch isle"),
    "name": _words("best hurricane operation battle treaty siege"),
}
# Technical abbreviations, which the recogniser labels as companies.
_TECHNICAL = _words(
    """
    ADSL AI API APIs ASCII ASGI CD CDN CGI CI CLI CORS CPU CRUD CSRF CSS CSV DB DNA DNS DVD GPS GPU GUI HD HDMI
    HTML HTTP HTTPS IDE IDs IO IP IPs ISBN JS JSON JWT LAN LLM LLMs ML MQTT ORM OS PC PDF PEP PIN PR RAM REST
    RNA ROM RPC SDK SIM SMS SPA SQL SSD SSE SSH SSL TCP TLS TTL TV UDP UI URI URL URLs USB UTC UTF UUID UX VHF
    VM VPN VPS WSGI XML XSS YAML ZIP
    """
)
_PLACING = _words("in at near from to of around across through throughout outside towards toward between via into")
_PRODUCT = re.compile(r"[A-Z]*+[a-z]++[A-Z]\w*+|[^\W\d]*+\d\w*+")


def settled(kind: str, name: str) -> str:
    """Return the kind that the words of an English name show, such as "place" for "Heron Lake", else `kind`."""
    words = name.replace("’", "'").split()
    if name in _TECHNICAL:
        return "term"
    if {"Award", "Awards", "Prize", "Medal"} & {*words}:
        return "name"
    if kind in ("code", "term", "work") or not words:
        return kind
    last = words[-1].casefold().rstrip(".")
    if len(words) > 1:
        for ending_kind, endings in _ENDINGS.items():
            if last in endings:
                return ending_kind
        for prefix_kind, prefixes in _PREFIXES.items():
            if words[0].casefold() in prefixes:
                return prefix_kind
        if len(words) > 2 and words[0] in ("University", "Ministry", "Bank", "Department", "Institute", "Board"):
            return "organisation"
    if kind == "person" and (any(word.endswith("'s") for word in words) or any(map(str.isdigit, name))):
        return "name"
    return "name" if kind in ("person", "place") and len(words) == 1 and _PRODUCT.fullmatch(name) else kind


def is_placed(span: Span) -> bool:
    """Whether a recognised place is a country, or is used like a place: "in X", "X, Y"."""
    doc = span.doc
    if is_broad(span.text):
        return True
    before = span.start - 1
    while before >= 0 and doc[before].lower_ in ("the", "a", "an", "nearby", "central", "northern", "southern", ","):
        before -= 1
    if before >= 0 and doc[before].lower_ in _PLACING:
        return True
    after = doc[span.end].text if span.end < len(doc) else ""
    return (
        after == "," or after.casefold() in _ENDINGS["place"] or after in ("neighborhood", "neighbourhood", "'s", "’s")
    )
