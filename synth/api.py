"""The verbs of synth for Python; the command line has the same."""

from synth.estimating import Estimate, estimate
from synth.evaluating import Evaluated, How, evaluate
from synth.generating import Generated, generate, plan
from synth.opening import Built, build_graph
from synth.verifying import Failure, Verified, verify

__all__ = [
    "Built",
    "Estimate",
    "Evaluated",
    "Failure",
    "Generated",
    "How",
    "Verified",
    "build_graph",
    "estimate",
    "evaluate",
    "generate",
    "plan",
    "verify",
]
