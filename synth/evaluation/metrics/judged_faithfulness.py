"""Metrics of the sources of an answer's claims, according to a judge."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError
from synth.core.small_file import small_file
from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import answer_sources, claims_right, golden_sources
from synth.evaluation.judging.claim_verdicts import (
    ClaimVerdict,
    check,
    most_voted,
    numbered,
    rows_in_order,
    supported_share,
)
from synth.evaluation.judging.claims import answer_claims, contexts_of, joined
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import RequestFailed, Steps


@dataclass(frozen=True)
class Faithfulness(JudgedMetric):
    """Share of the answer's claims that the contexts, taken together, support."""

    name = "faithfulness"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        claims = yield from answer_claims(case, judge)
        verdicts = yield from check(claims, joined(contexts_of(case), judge), case, judge)
        return {self.name: supported_share(verdicts)}


@dataclass(frozen=True)
class FaithfulnessToGold(JudgedMetric):
    """Share of the answer's claims that the row's own evidence supports, whatever the system retrieved."""

    name = "faithfulness_gold"
    needs = "answer"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        if not case.item.evidence:
            raise NoVerdict("the row has no evidence")
        claims = yield from answer_claims(case, judge)
        text = "\n\n".join(piece.text for piece in case.item.evidence)
        verdicts = yield from check(claims, text, case, judge)
        return {self.name: supported_share(verdicts)}


@dataclass(frozen=True)
class Hallucination(JudgedMetric):
    """Share of the answer's claims that are wrong and supported by no context (RAGChecker); lower is better."""

    name = "hallucination"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from answer_sources(case, judge)
        right = yield from claims_right(traced.claims, case, judge)
        value = claim_table.unsupported(traced.table, right, right=False)
        return {
            self.name: Undefined("the answer has no claim") if value is None else JudgedValue(value, traced.rows(right))
        }


@dataclass(frozen=True)
class SelfKnowledge(JudgedMetric):
    """Share of the answer's claims that are right and supported by no context (RAGChecker)."""

    name = "self_knowledge"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        traced = yield from answer_sources(case, judge)
        right = yield from claims_right(traced.claims, case, judge)
        value = claim_table.unsupported(traced.table, right, right=True)
        return {
            self.name: Undefined("the answer has no claim") if value is None else JudgedValue(value, traced.rows(right))
        }


@dataclass(frozen=True)
class NoiseSensitivity(JudgedMetric):
    """Shares of the answer's claims that are wrong but supported by relevant, or by only irrelevant, contexts.

    Lower is better. A context is relevant if it supports a claim of the golden answer (RAGChecker).
    """

    name = "noise_sensitivity"
    needs = "contexts"
    prompts = ("judges/claims", "judges/verdicts")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("noise_sensitivity_relevant", "noise_sensitivity_irrelevant")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        expected = yield from golden_sources(case, judge)
        traced = yield from answer_sources(case, judge)
        right = yield from claims_right(traced.claims, case, judge)
        shares = claim_table.noise(traced.table, expected.table, right)
        if shares is None:
            return dict.fromkeys(self.columns, Undefined("the answer has no claim"))
        rows = traced.rows(right)
        return {name: JudgedValue(value, rows) for name, value in zip(self.columns, shares, strict=True)}


_PROMPT = "judges/image_verdicts"
_MAX_IMAGES, _MAX_BYTES = 8, 10_000_000


@dataclass(frozen=True)
class ImageFaithfulness(JudgedMetric):
    """Share of the answer's claims that the row's `images` show; the endpoint must accept images.

    The metadata field `images` lists URLs (http, https, data), which are sent to the judge, or paths of files in
    `folder`. If `folder` is "", no file is read, because the set may come from an untrusted source.
    """

    name = "image_faithfulness"
    needs = "answer"
    prompts = ("judges/claims", _PROMPT)

    folder: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.folder, str):
            raise ConfigError(f"folder of {self.name} must be the path of a folder, was {self.folder!r}")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        images = tuple(_image_url(image, self.folder) for image in _images(case))
        claims = yield from answer_claims(case, judge)
        try:
            ballots = yield from judge.ask(_PROMPT, case.language, {"claims": numbered(claims)}, images=images)
        except RequestFailed as failure:
            if failure.kind == "refused":
                raise NoVerdict(f"the endpoint refuses images for this model: {failure.reason}") from None
            raise
        votes = [_verdicts(claims, ballot["verdicts"]) for ballot in ballots]
        return {self.name: supported_share(most_voted(claims, votes))}


def _verdicts(claims: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[ClaimVerdict] | None:
    """Return the verdicts of a reply in the order of the claims; None unless each claim has exactly one."""
    ordered = rows_in_order(rows, len(claims))
    if ordered is None:
        return None
    return [ClaimVerdict(claim, row["verdict"], "", row["reason"]) for claim, row in zip(claims, ordered, strict=True)]


def _images(case: Case) -> list[str]:
    images = case.item.metadata.get("images")
    if not isinstance(images, list) or not images or not all(isinstance(image, str) for image in images):
        raise NoVerdict("the row's metadata needs 'images', a list of strings")
    if len(images) > _MAX_IMAGES:
        raise NoVerdict(f"the row has {len(images)} images, but at most {_MAX_IMAGES} can be judged together")
    return images


def _image_url(image: str, folder: str) -> str:
    """Return the URL of an image; a file in `folder` becomes a data URL. Raises NoVerdict for any other value."""
    scheme = image[:12].lower()
    if scheme.startswith("data:image/"):
        size = len(image.partition(",")[2]) * 3 // 4
        if size > _MAX_BYTES:
            raise NoVerdict(f"the image in the data URL has {size} bytes, but at most {_MAX_BYTES} can be sent")
        return image
    if scheme.startswith(("http://", "https://")):
        return image
    kind, path = guess_type(image)[0] or "", Path(image)
    if not kind.startswith("image/"):
        raise NoVerdict(f"'{image}' has no image file extension")
    if not folder:
        raise NoVerdict(
            f"'{image}' is a file, but no folder is allowed; set folder = \"images\" under "
            "[metrics.image_faithfulness] of the criteria"
        )
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise NoVerdict(f"the image {image} is outside the allowed folder {folder}")
    try:
        return f"data:{kind};base64,{b64encode(small_file(path, _MAX_BYTES)).decode('ascii')}"
    except OSError as error:
        raise NoVerdict(f"cannot read the image {image}: {error.strerror or error}") from error
