"""What the structure of documents states, as nodes of the knowledge graph."""

from synth.workflows.session import build_graph
from synth.workflows.settings import Settings

RULES = """# Kell Ferry

## Boats

| Boat | Length (m) |
| --- | --- |
| MV Orm | 12 |
| MV Tern | 31 |

## Wind

If the wind at Kell harbour exceeds 28 knots, MV Orm must stay in harbour.
"""


def test_facts_are_statements_of_the_graph_with_their_evidence(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "ferry.md").write_text(RULES, encoding="utf-8")
    graph = build_graph([tmp_path / "docs"], Settings(workspace=str(tmp_path / "ws"))).graph
    stated = {(one.kind, one.subject): one for one in graph.statements()}
    assert stated["attribute", "MV Orm"].text == "MV Orm, length: 12 m"
    (rule,) = (one for kind, one in stated.items() if kind[0] == "rule")
    assert RULES[slice(*rule.spans[-1])].startswith("If the wind at Kell harbour")
    assert rule.chunk_id == graph.chunk_at("ferry.md", rule.spans[-1][0]).chunk_id
