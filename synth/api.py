"""The verbs of synth for Python; the command line has the same."""

from synth.adopting import Adoption, Terms, adopt
from synth.annotating import accept, agreement_on, export_sheets, import_sheets, review
from synth.comparing import Compared, compare
from synth.estimating import Estimate, estimate
from synth.evaluating import Evaluated, How, evaluate
from synth.exporting import Exported, export, formats
from synth.generating import Generated, brief, generate, plan
from synth.judge_checking import Checked, judge_check
from synth.judges import Judging
from synth.opening import Built, build_graph
from synth.rejudging import Rejudged, rejudge
from synth.running import Ran, run
from synth.set_scoring import SetScored, score
from synth.settings import Settings
from synth.sweeping import Grid, Swept, sweep
from synth.update_run import Updated
from synth.updating import update
from synth.verifying import Failure, Verified, verify

__all__ = [
    "Adoption",
    "Built",
    "Checked",
    "Compared",
    "Estimate",
    "Evaluated",
    "Exported",
    "Failure",
    "Generated",
    "Grid",
    "How",
    "Judging",
    "Ran",
    "Rejudged",
    "SetScored",
    "Settings",
    "Swept",
    "Terms",
    "Updated",
    "Verified",
    "accept",
    "adopt",
    "agreement_on",
    "brief",
    "build_graph",
    "compare",
    "estimate",
    "evaluate",
    "export",
    "export_sheets",
    "formats",
    "generate",
    "import_sheets",
    "judge_check",
    "plan",
    "rejudge",
    "review",
    "run",
    "score",
    "sweep",
    "update",
    "verify",
]
