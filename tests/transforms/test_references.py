from itertools import pairwise

import pytest

from synth.core.records import Chunk
from synth.corpus.graph_builder import Tools, build
from synth.corpus.transforms.references import References
from tests.transforms.made import MemoryStore, chunks, document

GUIDE = """# Guide

Some words about the guide.

## Setting up { #set-up }

Unpack the box.

## First Run

Press the button.

## First Run

Press it again.

## 常见问题

没有问题。

## 常見問題與解答

沒有問題。
"""


def cut_at_headings(one):
    starts = [0, *(n + 1 for n in range(len(one.text)) if one.text.startswith("\n#", n)), len(one.text)]
    return [
        Chunk(chunk_id=f"{one.doc_id}@{n}", doc_id=one.doc_id, start=a, end=b, text=one.text[a:b])
        for n, (a, b) in enumerate(pairwise(starts))
        if a < b
    ]


def graph_of(files, format="markdown", cache=None):
    documents = [document(doc_id, text, format) for doc_id, text in files.items()]
    return build(documents, [c for d in documents for c in cut_at_headings(d)], [References()], Tools(cache))


def targets(text, source="docs/page.md", **more):
    """Where the links of one page lead."""
    graph, _ = graph_of({"docs/guide.md": GUIDE, source: text}, **more)
    return [edge.target_id for edge in graph.relationships("refers_to") if edge.source_id.startswith(source)]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("See [the guide](guide.md).", "docs/guide.md"),
        ("See [the guide](./guide.md 'Read me').", "docs/guide.md"),
        ("See [[guide]].", "docs/guide.md"),
        ("See [[guide|the guide]] or a table's [[guide\\|one]].", "docs/guide.md"),
        ("See [[guide#First Run|how it runs]].", "docs/guide.md@2"),
        ("See [the guide](/docs/guide.md).", "docs/guide.md"),
        ("See [the guide](../docs/guide.md?plain=1).", "docs/guide.md"),
        ("See [the guide](guide).", "docs/guide.md"),
        ("See [the guide](../docs/guide/).", "docs/guide.md"),
        ("See [the guide](guide.html).", "docs/guide.md"),
        ("See [the **guide**][g].\n\n[g]: guide.md", "docs/guide.md"),
        ("See [guide].\n\n[Guide]: <guide.md> 'title'", "docs/guide.md"),
        ('See <a class="x" href="guide.md">the guide</a>.', "docs/guide.md"),
        ("[![badge](badge.svg)](guide.md)", "docs/guide.md"),
        ("See docs/guide.md for more.", "docs/guide.md"),
        ("See `guide.md`.", "docs/guide.md"),
        ("请参阅guide.md。", "docs/guide.md"),
        ("请参阅[指南](guide.md)。", "docs/guide.md"),
        ("請參閱[指南](guide.md#常见问题)。", "docs/guide.md@4"),
        ("請參閱[指南](guide.md#%E5%B8%B8%E8%A6%8B%E5%95%8F%E9%A1%8C%E8%88%87%E8%A7%A3%E7%AD%94)。", "docs/guide.md@5"),
        ("See [it](guide.md#set-up).", "docs/guide.md@1"),
        ("See [it](guide.md#setting-up).", "docs/guide.md@1"),
        ("See [it](guide.md#first-run).", "docs/guide.md@2"),
        ("See [it](guide.md#first-run-1).", "docs/guide.md@3"),
        ("See [it](guide.md#first-run_1).", "docs/guide.md@3"),
        ("See [it](guide.md#no-such-heading).", "docs/guide.md"),
        ("See guide.md#set-up.", "docs/guide.md@1"),
    ],
)
def test_where_a_link_leads(text, target):
    assert targets(text) == [target]


@pytest.mark.parametrize(
    "text",
    [
        "See [the guide](https://example.org/guide.md).",
        "Write to [us](mailto:guide.md@example.org).",
        "![picture](guide.md)",
        "```\n[the guide](guide.md) and guide.md\n```",
        "See [nothing](missing.md) and missing.md.",
        "See [above](../../guide.md).",
        "The file guide.html is made for you.",
        "See https://example.org/docs/guide.md there.",
        "See [this page](page.md) and page.md.",
        "See [below](#nowhere).",
    ],
)
def test_what_leads_nowhere_in_the_corpus(text):
    assert targets(text) == []


def test_the_edge_says_the_links_and_their_places():
    text = "See [the *guide*](guide.md), and once more [how to begin](guide.md), 或 guide.md."
    graph, _ = graph_of({"docs/guide.md": GUIDE, "docs/page.md": text})
    (edge,) = graph.relationships("refers_to")
    assert edge.shared == ("the guide → guide.md", "how to begin → guide.md", "guide.md → guide.md")
    spans = graph.spans(edge.source_id, edge.target_id, "refers_to")
    assert [text[a:b] for a, b in spans] == ["[the *guide*](guide.md)", "[how to begin](guide.md)", "guide.md"]


def test_a_link_within_a_page_joins_its_chunks():
    text = "# One\n\nSee [two](#two) and [one](#one).\n\n# Two\n\nSee [one](#one).\n"
    assert targets(text) == ["docs/page.md@1", "docs/page.md@0"]


def test_an_anchor_of_html_is_a_place():
    text = '# One\n\nSee [it](#here).\n\n# Two\n\n<a id="here"></a>Words.\n'
    assert targets(text) == ["docs/page.md@1"]


def test_a_plain_text_has_no_links_but_mentions_paths():
    assert targets("See docs/guide.md.", source="page.txt", format="text") == ["docs/guide.md"]
    assert targets("See [it](guide.md#set-up).", source="docs/page.txt", format="text") == ["docs/guide.md@1"]


def test_a_name_that_two_pages_have_is_not_guessed():
    files = {"a/intro.md": "# A\n", "b/intro.md": "# B\n", "c.md": "See intro.md, then b/intro.md."}
    graph, _ = graph_of(files)
    assert [edge.target_id for edge in graph.relationships("refers_to")] == ["b/intro.md"]


def test_the_page_of_a_folder_may_be_named_by_the_folder():
    graph, _ = graph_of({"start/index.md": "# Start\n", "a.md": "[Start](start/) here, or [there](start)."})
    assert [edge.target_id for edge in graph.relationships("refers_to")] == ["start/index.md"]


def test_a_page_that_is_added_is_found_by_links_read_before():
    store = MemoryStore()
    page = {"docs/page.md": "See [the guide](guide.md#set-up)."}
    before, _ = graph_of(page, cache=store)
    after, counts = graph_of({**page, "docs/guide.md": GUIDE}, cache=store)
    assert list(before.relationships("refers_to")) == []
    assert [edge.target_id for edge in after.relationships("refers_to")] == ["docs/guide.md@1"]
    assert (counts["references"].computed, counts["references"].reused) == (1, 1)


def test_a_link_counts_for_every_chunk_that_holds_it_whole():
    one, guide = document("docs/page.md", "Before. [the guide](guide.md) after."), document("docs/guide.md", GUIDE)
    pieces = [
        Chunk(chunk_id=f"{a}-{b}", doc_id=one.doc_id, start=a, end=b, text=one.text[a:b])
        for a, b in ((0, 20), (0, 31), (8, len(one.text)))
    ]
    graph, _ = build([one, guide], [*pieces, *chunks(guide)], [References()])
    assert [edge.source_id for edge in graph.relationships("refers_to")] == ["0-31", f"8-{len(one.text)}"]
