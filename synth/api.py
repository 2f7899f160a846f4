"""The verbs of synth for Python; the command line has the same."""

from synth.evaluating import Evaluated, How, evaluate
from synth.generating import Generated, generate, plan
from synth.judge_checking import Checked, judge_check
from synth.judges import Judging
from synth.opening import Built, build_graph
from synth.running import Ran, run
from synth.sweeping import Grid, Swept, sweep
from synth.verifying import Failure, Verified, verify

__all__ = [
    "Built",
    "Checked",
    "Evaluated",
    "Failure",
    "Generated",
    "Grid",
    "How",
    "Judging",
    "Ran",
    "Swept",
    "Verified",
    "build_graph",
    "evaluate",
    "generate",
    "judge_check",
    "plan",
    "run",
    "sweep",
    "verify",
]
