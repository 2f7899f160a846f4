"""The parsers: what they load."""

import subprocess
import sys

PARSED = """
import sys
from synth.core.records import Document, text_hash
from synth.grammar.reading import Reading
text = "# Kell\\n\\nThe Kell lighthouse was built in 1811.\\n"
reading = Reading(
    Document(doc_id="d", source="d", title="", text=text, content_hash=text_hash(text), metadata={"format": "markdown"})
)
assert [doc.text for doc in reading.parsed] == ["The Kell lighthouse was built in 1811."], reading.parsed
assert [doc.text for doc in reading.parsed_headings] == ["Kell"]
assert "torch" not in sys.modules
import torch
"""


def test_english_is_parsed_without_torch_which_can_be_imported_afterwards() -> None:
    subprocess.run([sys.executable, "-c", PARSED], check=True)
