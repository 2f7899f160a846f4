"""Chunks from the store are the chunks that were made."""

import pytest

from synth.core.store import Store
from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.documents.stored_chunks import cached_chunks
from tests.corpus import document

TEXT = "# Kell\n\nThe lamp was lit. It burned oil.\n\n## 灯塔\n\n凯尔灯塔建于1811年。灯光很远也能看见。\n" * 3


class Refusing:
    """A store that has everything, or says what it lacks."""

    def __init__(self, store):
        self.get = store.get

    def put(self, kind, key, value):
        raise AssertionError("made again")


@pytest.mark.parametrize("settings", [ChunkSettings(), ChunkSettings(size=12), ChunkSettings("fixed", 20, 5)])
def test_they_are_made_once_and_come_back_the_same(tmp_path, settings):
    with Store(tmp_path / "s.sqlite") as store:
        made = cached_chunks(document("a.md", TEXT), settings, store)
        assert made == chunk(document("a.md", TEXT), settings)
        assert cached_chunks(document("a.md", TEXT), settings, Refusing(store)) == made


def test_another_text_place_or_setting_is_cut_anew(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        cached_chunks(document("a.md", TEXT), ChunkSettings(), store)
        for other, settings in (
            (document("b.md", TEXT), ChunkSettings()),
            (document("a.md", TEXT + "x"), ChunkSettings()),
            (document("a.md", TEXT, "text"), ChunkSettings()),
            (document("a.md", TEXT), ChunkSettings(size=399)),
        ):
            with pytest.raises(AssertionError, match="made again"):
                cached_chunks(other, settings, Refusing(store))
