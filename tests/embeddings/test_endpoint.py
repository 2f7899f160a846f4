"""An encoder behind an endpoint, over real HTTP."""

import numpy as np
import pytest

from synth.core.errors import ConfigError, ModelError
from synth.models.encoders.endpoint import BATCH, EndpointEncoder
from synth.workflows.settings import ModelSettings


def test_vectors_come_in_order_in_batches_of_length_one_and_are_counted(bench):
    server = bench()
    spent = []
    encoder = EndpointEncoder("e", base_url=server.url, spent=spent.append)
    texts = [f"sentence number {number} 第{number}句" for number in range(BATCH + 5)] + [""]
    vectors = encoder.encode(texts)
    assert vectors.shape == (len(texts), encoder.dimension)
    assert np.allclose(np.linalg.norm(vectors[:-1], axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[7], encoder.encode([texts[7]])[0])
    assert server.stats()["embeddings"] == 4, "two batches, the dimension, the text alone"
    assert sum(spent) > len(texts)
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_an_endpoint_without_vectors_is_told_in_one_line(serve):
    encoder = EndpointEncoder("e", base_url=serve("hello").url)
    with pytest.raises(ModelError, match=r"encoder e at .* returned no valid vectors.*--encoder-url") as raised:
        encoder.encode(["x"])
    assert "\n" not in str(raised.value)
    with pytest.raises(ConfigError, match="endpoint:MODEL"):
        EndpointEncoder(" ")


def test_keys_go_only_where_they_were_meant_to_go(monkeypatch):
    from synth.models.chat.usage import Accounts
    from synth.workflows import endpoints

    monkeypatch.setenv("OPENAI_API_KEY", "sk-author-1234567890")
    monkeypatch.setenv("JUDGE_KEY", "sk-judge-1234567890")
    here, there = "http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"

    def keys(**settings):
        made = ModelSettings(name="a", base_url=here, headers={"X-A": "1"}, **settings)
        models = endpoints.models(made)
        judge = models["judge"]
        encoder = endpoints.encoder("endpoint:e", made, Accounts())
        return judge._key and judge._key.reveal(), judge._headers, encoder._key and encoder._key.reveal()

    assert keys() == ("sk-author-1234567890", {"X-A": "1"}, "sk-author-1234567890")
    assert keys(judge="b") == ("sk-author-1234567890", {"X-A": "1"}, "sk-author-1234567890")
    assert keys(judge_url=there, encoder_url=there) == (None, {}, None)
    assert keys(judge_url=there, judge_key_env="JUDGE_KEY", encoder_url=there, encoder_key_env="JUDGE_KEY") == (
        "sk-judge-1234567890", {}, "sk-judge-1234567890",
    )  # fmt: skip


def test_the_settings_name_an_encoder_at_an_endpoint(bench, tmp_path):
    from synth.core.store import Store
    from synth.workflows.assembly import assemble
    from synth.workflows.settings import Settings

    server = bench()
    with Store(tmp_path / "s.sqlite") as store:
        parts = assemble(Settings(encoder="endpoint:e", model=ModelSettings(encoder_url=server.url)), store)
        encoder = parts.encoder()
        assert (encoder.encode(["a text"]) == encoder.encode(["a text"])).all()
        assert server.stats()["embedded_texts"] == 2, "the text once, and the dimension"
        assert parts.driver.accounts.summary()["by_purpose"]["embeddings"]["calls"] == 2
