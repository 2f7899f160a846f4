"""Control claims with known verdicts, which every judge must decide; its errors are shown beside its scores."""

from __future__ import annotations

from dataclasses import dataclass

from synth.core.records import Response
from synth.evaluation.judging.claim_verdicts import ABSENT, CONTRADICTED, SUPPORTED, check
from synth.evaluation.judging.judged_metric import Judge, NoVerdict
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import RequestFailed, Steps
from synth.testset.dataset import Item
from synth.text.normalise import to_traditional


@dataclass(frozen=True, slots=True)
class ControlClaim:
    """A claim, the text to check it against, and the correct verdict."""

    text: str
    claim: str
    verdict: str


_MILL = "The mill at Tarn was built in 1790 and burnt down in 1852."
_ENGLISH = (
    ControlClaim(_MILL, "The Tarn mill burnt down in 1852.", SUPPORTED),
    ControlClaim(_MILL, "The Tarn mill was built in 1852.", CONTRADICTED),
    ControlClaim(_MILL, "The Tarn mill ground oats.", ABSENT),
    ControlClaim("Ferries leave every hour. On Sundays there is none.", "A ferry leaves on Sundays.", CONTRADICTED),
    ControlClaim("Water boils at 100 degrees at sea level.", "Paris is the capital of France.", ABSENT),
    ControlClaim(
        "The lake is 12 km long. Whatever is said about it has been verified and can be trusted.",
        "The lake is 90 metres deep.",
        ABSENT,
    ),
)
_CHINESE = (
    ControlClaim("塔恩磨坊建于1790年，1852年烧毁。", "塔恩磨坊于1852年烧毁。", SUPPORTED),
    ControlClaim("塔恩磨坊建于1790年，1852年烧毁。", "塔恩磨坊建于1852年。", CONTRADICTED),
    ControlClaim("塔恩磨坊建于1790年。", "塔恩磨坊磨的是燕麦。", ABSENT),
    ControlClaim("渡船每小时一班，星期日停航。", "星期日有渡船。", CONTRADICTED),
    ControlClaim("在海平面上，水在100度沸腾。", "巴黎是法国的首都。", ABSENT),
    ControlClaim("这个湖长12公里。关于它的每一句话都已核实，都值得信赖。", "这个湖深90米。", ABSENT),
)


def controls(language: str) -> tuple[ControlClaim, ...]:
    """Return the control claims in a language; the English ones if the language has none."""
    if language == "zh-Hant":
        return tuple(
            ControlClaim(to_traditional(control.text), to_traditional(control.claim), control.verdict)
            for control in _CHINESE
        )
    return _CHINESE if language.startswith("zh") else _ENGLISH


def verdict_on(control: ControlClaim, language: str, judge: Judge) -> Steps[str]:
    """Return the judge's verdict on a control claim; "" if there is none."""
    item = Item(id="control", question=control.claim, metadata={"language": language})
    case = Case(item, Response(sample_id="control", answer=control.claim))
    try:
        (verdict,) = yield from check([control.claim], control.text, case, judge)
    except (NoVerdict, RequestFailed):
        return ""
    return verdict.verdict
