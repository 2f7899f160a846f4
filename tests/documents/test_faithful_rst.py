"""reStructuredText: spans, raised text, formulas, tabs and captions are read as they are meant."""

from __future__ import annotations

import pytest

from synth.corpus.documents.file_content import File
from synth.corpus.documents.readers.rst import RestructuredTextReader

GRID = """
+--------+---------+------+
| Grade  | Country | Days |
+========+=========+======+
| Senior | Peru    | 30   |
|        +---------+------+
|        | Chile   | 28   |
+--------+---------+------+
"""
TABS = """
.. tabs::

   .. group-tab:: Linux

      It listens on port 7070.
"""
TITLED = """
.. list-table:: Fees
   :header-rows: 1
   :stub-columns: 1

   * - Item
     - Area in m\\ :sup:`2`
   * - a
     - 1
"""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (".. [1] The note.\n.. [CIT] A book.\n", "[^1]: The note.\n\n[^2]: A book."),
        ("It runs [1]_ [CIT]_.\n\n.. [1] a\n.. [CIT] b\n", "It runs.\n\n[^1]: a\n\n[^2]: b"),
        ("Words.\n\n:Rate: 5\n", "Words.\n\n- Rate: 5"),
        ("| one\n| two\n", "one two"),
        ("T\n=\n\n.. rubric:: Small\n", "# T\n\n## Small"),
        ("term\n   One.\n\n   Two.\n", "- term: One.\n\n    Two."),
        ("It holds 10\\ :sup:`6` litres of H\\ :sub:`2`\\ O.", "It holds 10⁶ litres of H₂O."),
        ("It is :math:`10^6` and :math:`\\frac{a}{b}` wide.", "It is 10⁶ and $\\frac{a}{b}$ wide."),
        (GRID, "| Grade | Country | Days |\n| --- | --- | --- |\n| Senior | Peru | 30 |\n| Senior | Chile | 28 |"),
        (TABS, "Linux:\n\nIt listens on port 7070."),
        (TITLED, "<!-- caption -->\n\nFees\n\n| Item | Area in m² |\n| --- | --- |\n| **a** | 1 |"),
        (".. figure:: a.png\n\n   The port.\n", "<!-- figure -->\n\nThe port."),
    ],
)
def test_what_a_document_says(source: str, text: str) -> None:
    assert RestructuredTextReader().read(File("a.rst", source.encode())).text.strip() == text
