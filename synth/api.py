"""The verbs of synth for Python; the command line has the same."""

from synth.annotating import accept, agreement_on, export_sheets, import_sheets, review
from synth.evaluating import Evaluated, How, evaluate
from synth.generating import Generated, generate, plan
from synth.opening import Built, build_graph
from synth.verifying import Failure, Verified, verify

__all__ = [
    "Built",
    "Evaluated",
    "Failure",
    "Generated",
    "How",
    "Verified",
    "accept",
    "agreement_on",
    "build_graph",
    "evaluate",
    "export_sheets",
    "generate",
    "import_sheets",
    "plan",
    "review",
    "verify",
]
