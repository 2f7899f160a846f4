"""The verbs of synth for Python; the command line has the same."""

from synth.comparing import Compared, compare
from synth.evaluating import Evaluated, How, evaluate
from synth.generating import Generated, generate, plan
from synth.opening import Built, build_graph
from synth.set_scoring import SetScored, score
from synth.verifying import Failure, Verified, verify

__all__ = [
    "Built",
    "Compared",
    "Evaluated",
    "Failure",
    "Generated",
    "How",
    "SetScored",
    "Verified",
    "build_graph",
    "compare",
    "evaluate",
    "generate",
    "plan",
    "score",
    "verify",
]
