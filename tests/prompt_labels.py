"""Labels of prompts, as the models of the tests find them."""

import re

from synth.models.prompt_labels import label
from synth.text.language import LANGUAGES


def label_pattern(name: str) -> str:
    """A regular expression that finds a label in a prompt of any language."""
    return f"(?:{'|'.join(re.escape(label(name, language)) for language in LANGUAGES)})"
