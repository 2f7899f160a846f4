"""The version from which on something supports or requires something."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files

_FORMS = tuple(
    re.compile(row["form"])
    for row in json.loads(files(__package__).joinpath("set_forms.json").read_text("utf-8"))["versions"]
)
_LEANS = re.compile(
    r"\b(?:it|its|they|their|this|these|new|additional|following|some|only|several|other)\b", re.IGNORECASE
)


def versions(text: str) -> Iterator[tuple[str, str]]:
    """Questions and answers: "Since v3.2, Mill Gate supports ice." -> "Since which version does Mill Gate ...?" """
    for match in filter(None, (form.match(text) for form in _FORMS)):
        subject, object_ = match["S"], match["O"]
        if not _LEANS.search(f"{subject} {object_}"):
            verb = match["V"].removesuffix("s")
            does = "does" if match["V"].endswith("s") else "do"
            yield f"Since which version {does} {subject} {verb} {object_}?", match["A"]
