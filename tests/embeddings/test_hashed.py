import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.models.encoders.hashed import HashedEncoder

ENCODER = HashedEncoder(dimension=128)
texts = st.lists(st.text(max_size=40), min_size=1, max_size=5)


@given(texts)
def test_rows_are_of_length_one_and_do_not_depend_on_the_batch(given_texts):
    rows = ENCODER.encode(given_texts)
    assert rows.shape == (len(given_texts), 128)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    for row, text in zip(rows, given_texts, strict=True):
        assert row.tobytes() == ENCODER.encode([text]).tobytes()


@pytest.mark.parametrize(
    ("text", "alike", "other"),
    [
        ("How do I install the package?", "Installing the package takes a minute.", "The lake froze in winter."),
        ("怎样安装这个软件包？", "安装软件包需要一分钟。", "冬天湖面结冰了。"),
        ("怎樣安裝這個軟體套件？", "安裝軟體套件需要一分鐘。", "冬天湖面結冰了。"),
        ("怎样安装这个软件包？", "安裝軟件包需要一分鐘。", "冬天湖面結冰了。"),
    ],
)
def test_texts_that_share_words_are_nearer(text, alike, other):
    row, near, far = HashedEncoder().encode([text, alike, other])
    assert row @ near > row @ far + 0.2


CODE = """
from synth.models.encoders.hashed import HashedEncoder
print(HashedEncoder(64).encode(["a tool 工具 港務局"]).tobytes().hex())
"""


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_same_vectors_with_another_hash_seed(seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    made = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True)
    assert made.stdout.strip() == HashedEncoder(64).encode(["a tool 工具 港務局"]).tobytes().hex()
