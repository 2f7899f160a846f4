import numpy as np
import pytest

from synth.models.encoders.usem3 import Usem3Encoder


@pytest.fixture(scope="module")
def encoder():
    return Usem3Encoder()


TEXTS = [
    "How do I install the package?",
    "怎样安装这个软件包？",
    "怎樣安裝這個軟體？",
    "The lake froze in winter.",
    "冬天湖面结冰了。",
    "",
]


def test_translations_are_nearer_than_other_texts(encoder):
    rows = encoder.encode(TEXTS)
    assert rows.shape == (6, encoder.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    alike = rows @ rows.T
    assert min(alike[0, 1], alike[0, 2], alike[1, 2], alike[3, 4]) > 0.4
    assert max(alike[0, 3], alike[1, 4], alike[2, 4], alike[1, 3]) < 0.2


def test_a_vector_does_not_depend_on_the_batch(encoder):
    rows = encoder.encode(TEXTS)
    alone = np.vstack([encoder.encode([text]) for text in TEXTS])
    assert np.abs(rows - alone).max() < 1e-5
    assert encoder.encode([]).shape == (0, encoder.dimension)
