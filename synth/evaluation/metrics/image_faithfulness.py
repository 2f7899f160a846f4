"""Faithfulness to images, for systems that retrieve pictures as well as text."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from synth.evaluation.judging.claim_verdicts import ABSENT, SUPPORTED, ClaimVerdict, numbered, supported_share
from synth.evaluation.judging.claims import answer_claims
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, NoVerdict, majority
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import RequestFailed, Steps

_PROMPT = "judges/image_verdicts"
_MAX_IMAGES, _MAX_BYTES = 8, 10_000_000
_REMOTE = ("http://", "https://", "data:image/")


@dataclass(frozen=True)
class ImageFaithfulness(JudgedMetric):
    """Share of the answer's claims that the row's `images` show; the endpoint must accept images.

    The row's metadata lists them as `images`: files, addresses, or data URLs.
    """

    name = "image_faithfulness"
    needs = "answer"
    prompts = ("judges/claims", _PROMPT)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        images = tuple(map(_address, _images(case)))
        claims = yield from answer_claims(case, judge)
        try:
            ballots = yield from judge.ask(_PROMPT, case.language, {"claims": numbered(claims)}, images=images)
        except RequestFailed as failure:
            if failure.kind == "refused":
                raise NoVerdict(f"the endpoint does not take images with this model; {failure.reason}") from None
            raise
        complete = [votes for ballot in ballots if (votes := _in_order(ballot["verdicts"], len(claims)))]
        if 2 * len(complete) <= len(ballots):
            raise NoVerdict(f"most of the judge's replies do not have one verdict on each of the {len(claims)} claims")
        verdicts = [
            ClaimVerdict(claim, SUPPORTED if majority([vote == SUPPORTED for vote in votes]) else ABSENT)
            for claim, *votes in zip(claims, *complete, strict=True)
        ]
        return {self.name: supported_share(verdicts)}


def _in_order(rows: list[dict[str, Any]], count: int) -> list[str] | None:
    """The verdicts in the order of the claims; None unless each has one."""
    by_number = {row["claim"]: row["verdict"] for row in rows}
    numbers = range(1, count + 1)
    return [by_number[number] for number in numbers] if len(rows) == count and set(by_number) == set(numbers) else None


def _images(case: Case) -> list[str]:
    images = case.item.metadata.get("images")
    if not isinstance(images, list) or not images or not all(isinstance(image, str) for image in images):
        raise NoVerdict("the row's metadata has no list of 'images'")
    if len(images) > _MAX_IMAGES:
        raise NoVerdict(f"the row has {len(images)} images, at most {_MAX_IMAGES} are judged together")
    return images


def _address(image: str) -> str:
    """An image as an address or, for a file, as a data URL."""
    if image.startswith(_REMOTE):
        return image
    kind, path = guess_type(image)[0] or "", Path(image)
    if not kind.startswith("image/"):
        raise NoVerdict(f"{image} is no image by its name")
    try:
        size = path.stat().st_size
        if size > _MAX_BYTES:
            raise NoVerdict(f"the image {image} has {size} bytes, at most {_MAX_BYTES} are sent")
        return f"data:{kind};base64,{b64encode(path.read_bytes()).decode('ascii')}"
    except OSError as error:
        raise NoVerdict(f"cannot read the image {image}: {error.strerror or error}") from error
