"""Documents are known by every name that is theirs alone."""

import pytest

from synth.testset.document_names import DocumentNames

DOC_IDS = ("guide/install.md", "guide/index.md", "api/index.md", "Änderungen.md", "x.md", "old/x.md", "报告/2024年.pdf")
NAMES = DocumentNames(DOC_IDS, {"guide/install.md": "How to install"})


@pytest.mark.parametrize(
    ("name", "doc_id"),
    [
        *((doc_id, doc_id) for doc_id in DOC_IDS),
        ("docs/guide/install.md", "guide/install.md"),
        ("/home/ann/docs/guide/install.md", "guide/install.md"),
        ("D:\\docs\\Guide\\Install.MD", "guide/install.md"),
        ("guide\\install.md", "guide/install.md"),
        ("./guide/install.md", "guide/install.md"),
        ("file:///srv/docs/guide/install.md", "guide/install.md"),
        ("https://example.org/en/guide/install?v=2#top", "guide/install.md"),
        ("https://example.org/%E6%8A%A5%E5%91%8A/2024%E5%B9%B4.pdf", "报告/2024年.pdf"),
        ("A\u0308nderungen.md", "Änderungen.md"),
        ("install.md", "guide/install.md"),
        ("install", "guide/install.md"),
        ("how to install", "guide/install.md"),
        ("docs/old/x.md", "old/x.md"),
        ("docs/x.md", "x.md"),
        ("index.md", ""),
        ("install.txt", ""),
        ("other.md", ""),
        ("", ""),
    ],
)
def test_a_name_means_one_document_or_none(name, doc_id):
    assert NAMES.find(name) == doc_id


def test_the_longest_name_is_known_without_a_search():
    assert vars(NAMES)["longest"] == len("guide/install.md")
    assert DocumentNames(()).longest == 0


def test_a_file_name_in_another_folder_counts_where_all_documents_are_known():
    assert NAMES.find("tmp/upload/install.md") == "guide/install.md"
    some = DocumentNames(DOC_IDS, complete=False)
    assert (some.find("tmp/upload/install.md"), some.find("install.md")) == ("", "guide/install.md")


@pytest.mark.parametrize(
    ("name", "doc_id"),
    [
        ("tutorial/security/index.md", ""),
        ("/srv/docs/tutorial/security/index.md", ""),
        ("docs/index.md", "index.md"),
        ("/srv/api/docs/tutorial/first.md", "tutorial/first.md"),
        ("tutorial/tutorial/first.md", "tutorial/first.md"),
    ],
)
def test_where_documents_are_missing_the_end_that_shares_most_folders_decides(name, doc_id):
    some = DocumentNames(("index.md", "tutorial/first.md", "api/x.md"), complete=False)
    assert some.find(name) == doc_id
