"""What is found in a folder, under which id and title, and LangChain documents."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from langchain_core.documents import Document as LangChainDocument

from synth.core.records import Document, text_hash
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.globs import matches
from synth.corpus.documents.loading import load


def write(root: Path, **named: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    for name, text in named.items():
        path = root / name.replace("__", "/").replace("_md", ".md").replace("_txt", ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def ids(*sources: object, **options: object) -> list[str]:
    return [made.doc_id for made in load(list(sources), CorpusSettings(**options)).documents]  # type: ignore[arg-type]


def test_a_folder_is_walked_in_order(tmp_path: Path) -> None:
    root = write(tmp_path / "docs", b_md="b", a__z_md="z", a__B_txt="B", c__d__e_md="e")
    assert ids(root) == ["a/B.txt", "a/z.md", "b.md", "c/d/e.md"]
    assert ids(str(root)) == ids(root)
    assert ids(root / "b.md") == ["b.md"]
    first = load([root]).documents[0]
    assert first.source == (root / "a" / "B.txt").as_posix()
    assert first.content_hash == text_hash("B")
    assert (first.metadata["format"], first.metadata["kind"]) == ("text", "txt")


def test_include_and_exclude(tmp_path: Path) -> None:
    root = write(tmp_path / "docs", a_md="a", b_txt="b", drafts__c_md="c", x__drafts__d_md="d", x__e_md="e")
    assert ids(root, include=["*.md"]) == ["a.md", "drafts/c.md", "x/drafts/d.md", "x/e.md"]
    assert ids(root, include=["*.md"], exclude=["drafts"]) == ["a.md", "x/e.md"]
    assert ids(root, exclude=["drafts/", "*.txt"]) == ["a.md", "x/e.md"]
    assert ids(root, exclude=["/drafts"]) == ["a.md", "b.txt", "x/drafts/d.md", "x/e.md"]
    assert ids(root, include=["x/**"]) == ["x/drafts/d.md", "x/e.md"]
    assert ids(root, include=["x/*.md"]) == ["x/e.md"]


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.md", "a/b.md", True),
        ("*.md", "a/b.mdx", False),
        ("a/*.md", "a/b/c.md", False),
        ("a/**/c.md", "a/c.md", True),
        ("a/**/c.md", "a/b/d/c.md", True),
        ("**/c.md", "c.md", True),
        ("[ab].md", "a.md", True),
        ("[!ab].md", "a.md", False),
        ("?.md", "中.md", True),
        ("a+b(c).md", "a+b(c).md", True),
        ("docs", "docs/a.md", True),
        ("./docs", "docs/a.md", True),
        ("[", "[", True),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, [pattern]) is expected


def test_clashing_ids_get_the_name_of_their_source(tmp_path: Path) -> None:
    one = write(tmp_path / "one", a_md="1", only_md="x")
    two = write(tmp_path / "two", a_md="2")
    assert ids(one, two) == ["one/a.md", "only.md", "two/a.md"]
    deep = write(tmp_path / "deep" / "one", a_md="3")
    assert ids(one, deep) == ["a.md", "only.md", "a.md~2"]
    assert ids(one / "a.md", two / "a.md") == ["one/a.md", "two/a.md"]


def test_the_same_file_named_twice_is_loaded_once(tmp_path: Path) -> None:
    root = write(tmp_path / "docs", a_md="a", b_md="b")
    assert ids(root, root / "a.md", root) == ["a.md", "b.md"]


def test_names_are_nfc(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "café.md")
    (tmp_path / name).write_text("x")
    assert ids(tmp_path) == [unicodedata.normalize("NFC", name)]
    (tmp_path / unicodedata.normalize("NFC", name)).write_text("y")
    assert ids(tmp_path) == ["café.md", "café.md~2"]


def test_links_inside_the_folder_are_followed_once(tmp_path: Path) -> None:
    root = write(tmp_path / "docs", **{".store__a_md": "a"}, real__b_md="b")
    (root / "shown").symlink_to(root / ".store")
    (root / "again").symlink_to(root / "real")
    loaded = load([root])
    assert [made.doc_id for made in loaded.documents] == ["real/b.md", "shown/a.md"]
    assert [(Path(s.source).name, s.reason) for s in loaded.skipped] == [("again", "duplicate")]


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("a_guide-to_it.md", "No heading.", "a guide to it"),
        ("x.md", "---\ntitle: 'Front *matter*'\n---\n\n# Heading\n", "Front *matter*"),
        ("x.md", "---\ntags: a\n---\n\nText.\n\n# The `real` **one** #\n", "The real one"),
        ("x.md", "```\n# no\n```\n\nYes it is\n=========\n", "Yes it is"),
        ("x.md", "## Second level only\n", "Second level only"),
        ("x.md", "### Before\n\n# First level\n", "First level"),
        ("x.md", "No heading at all.\n", "x"),
        ("x.md", '---\ntitle: "The \\"old\\" lamp: #1"  # of two\n---\n\n# Heading\n', 'The "old" lamp: #1'),
        ("x.md", "---\ntags: [a]\ntitle: Plain words # a comment\n---\nText.\n", "Plain words"),
        ("x.md", "---\ntitle: >-\n  Over two\n  lines\ndate: 2025\n---\n", "Over two lines"),
        ("x.md", "---\ntitle: 'It''s lit'\n...\n\nText.\n", "It's lit"),
        ("x.md", '+++\ntitle = "澄湖 C:\\\\x"\ndraft = false\n+++\n\n# Heading\n', "澄湖 C:\\x"),
        ("x.md", '+++\n[params]\ntitle = "of a table"\n+++\n\n# Heading\n', "Heading"),
        ("x.md", "---\n\nNot metadata.\ntitle: no\n\n---\n\n# Heading\n", "Heading"),
        ("x.md", "# 安裝指南 {#top}\n", "安裝指南"),
        ("Version history.md", "Text.\n\n## Sync history\n\nText.\n\n## Restore\n", "Version history"),
        ("x.md", "## Version history\n\nText.\n\n### Restore\n", "Version history"),
        ("x.txt", "# not a heading in plain text\n", "x"),
        ("Amazon_rainforest/003.txt", "Trees.", "Amazon rainforest"),
        ("2008年奥运会-181.txt", "赛事。", "2008年奥运会 181"),
    ],
)
def test_titles(name: str, text: str, title: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    (made,) = load([tmp_path]).documents
    assert made.title == title


def test_text_is_kept_but_for_line_ends_and_the_mark(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf# A\r\n\r\ntext\twith  spaces \rnext\x0cpage\n")
    (made,) = load([tmp_path]).documents
    assert made.text == "# A\n\ntext\twith  spaces \nnext\x0cpage\n"


def test_langchain_documents(tmp_path: Path) -> None:
    given = [
        LangChainDocument(page_content="Page one.", metadata={"source": "guide/a.pdf", "page": 0, "title": "Guide"}),
        LangChainDocument(page_content="Page two.", metadata={"source": "guide/a.pdf", "page": 1}),
        LangChainDocument(page_content="# M", metadata={"source": "m.md"}),
        LangChainDocument(page_content="No source."),
        LangChainDocument(page_content="No source."),
        LangChainDocument(page_content="With id.", id="own"),
        LangChainDocument(page_content="  ", metadata={"source": "blank"}),
    ]
    loaded = load(given)
    names = [made.doc_id for made in loaded.documents]
    assert names[:3] == ["guide/a.pdf#0", "guide/a.pdf#1", "m.md"]
    assert names[3].startswith("document-")
    assert names[4] == names[3] + "~2"
    assert names[5] == "own"
    assert [made.metadata["format"] for made in loaded.documents[:3]] == ["text", "text", "markdown"]
    assert loaded.documents[0].title == "Guide"
    assert [(s.source, s.reason) for s in loaded.skipped] == [("blank", "empty")]
    root = write(tmp_path / "docs", a_md="a")
    assert ids(root, given[3])[0] == "a.md"


def test_documents_pass_through() -> None:
    made = Document(doc_id="d", source="s", title="t", text="x", content_hash=text_hash("x"), metadata={})
    (got,) = load([made]).documents
    assert got.metadata["format"] == "text"
    assert (got.doc_id, got.text, got.content_hash) == ("d", "x", made.content_hash)
