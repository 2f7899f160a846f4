"""Topics of rows where no transform found topics: folders and titles."""

import pytest

from synth.corpus.graph import KnowledgeGraph
from synth.corpus.testing import corpus_from
from synth.generation.row_topics import category
from tests.corpus import document


@pytest.mark.parametrize(
    ("paths", "topics"),
    [
        (["a.md", "b.md"], ["Page 0", "Page 1"]),
        (["docs/a.md", "docs/b.md", "docs/c.md"], ["Page 0", "Page 1", "Page 2"]),
        (["docs/run/a.md", "docs/set/b.md"], ["run", "set"]),
        (["docs/run/a.md", "docs/run/b.md", "docs/c.md"], ["Page 0", "Page 1", "Page 2"]),
        (["docs/run/x/a.md", "docs/run/y/b.md", "docs/c.md"], ["x", "y", "Page 2"]),
        # A folder whose name begins another name holds no file of that one.
        (["run/a.md", "run-fast/b.md", "run.md", "run0/c.md"], ["run", "run-fast", "Page 2", "run0"]),
    ],
)
def test_the_topic_is_the_outermost_folder_with_at_most_half_of_the_documents_else_the_title(paths, topics):
    documents = [document(path, "A text.\n", title=f"Page {number}") for number, path in enumerate(paths)]
    corpus = corpus_from(documents)
    found = [category(corpus.chunks_of(path)[0].chunk_id, corpus, KnowledgeGraph()) for path in paths]
    assert found == topics
