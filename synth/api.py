"""The verbs of synth for Python; the command line has the same."""

from synth.evaluating import Evaluated, How, evaluate
from synth.generating import Generated, generate, plan
from synth.opening import Built, build_graph
from synth.update_run import Updated
from synth.updating import update
from synth.verifying import Failure, Verified, verify

__all__ = [
    "Built",
    "Evaluated",
    "Failure",
    "Generated",
    "How",
    "Updated",
    "Verified",
    "build_graph",
    "evaluate",
    "generate",
    "plan",
    "update",
    "verify",
]
