import shutil
import socket

import numpy as np
import pytest

from synth.core.errors import MissingPartError
from synth.core.extras import install_command
from synth.models.encoders.base import encoder_named
from synth.models.encoders.sentence_transformers import SentenceTransformersEncoder

WORDS = ["[PAD]", "[UNK]", "harbour", "board", "meets", "港", "务", "局", "lake"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny model with random weights, saved as sentence-transformers save theirs."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    base, made = tmp_path_factory.mktemp("bert"), tmp_path_factory.mktemp("model")
    words = Tokenizer(WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    words.pre_tokenizer = Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]", pad_token="[PAD]").save_pretrained(base)
    torch.manual_seed(0)
    shape = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
    )
    BertModel(shape).save_pretrained(base)
    body = Transformer(str(base), max_seq_length=16)
    SentenceTransformer(modules=[body, Pooling(16)]).save(str(made))
    return made


def test_a_model_of_a_folder(folder):
    encoder = encoder_named(str(folder))
    texts = ["harbour board meets", "lake", "港 务 局", "harbour board meets lake board harbour"]
    rows = encoder.encode(texts)
    assert (rows.shape, rows.dtype, encoder.dimension) == ((4, 16), np.dtype(np.float32), 16)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.abs(rows - np.vstack([encoder.encode([text]) for text in texts])).max() < 1e-5
    assert np.abs(rows[0] - rows[1]).max() > 0.01
    assert encoder.encode([]).shape == (0, 16)


def test_a_folder_is_known_by_its_content(folder, tmp_path):
    moved = tmp_path / "elsewhere"
    shutil.copytree(folder, moved)
    name = SentenceTransformersEncoder(str(folder)).name
    assert SentenceTransformersEncoder(str(moved)).name == name
    (moved / "config.json").write_text((moved / "config.json").read_text() + " ")
    assert SentenceTransformersEncoder(str(moved)).name != name


def test_a_model_that_cannot_be_had_says_how_to_get_one_either_way(monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError("no network")

    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(MissingPartError, match="not downloaded, and its hub cannot be reached") as caught:
        SentenceTransformersEncoder("nobody/no-such-model").encode(["text"])
    assert install_command("models") in str(caught.value)
    assert "paraphrase-multilingual-MiniLM-L12-v2" in str(caught.value)


@pytest.mark.parametrize("place", ["./no/such/folder", "/no/such/folder", "a/b/c"])
def test_a_folder_that_is_not_there(place):
    with pytest.raises(MissingPartError, match="there is no such folder"):
        SentenceTransformersEncoder(place).encode(["text"])


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(MissingPartError, match="cannot be loaded"):
        SentenceTransformersEncoder(str(tmp_path)).encode(["text"])
