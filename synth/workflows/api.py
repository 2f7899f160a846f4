"""The verbs of synth for Python, the same as on the command line."""

from synth.workflows.adopting import Adoption, AdoptionSettings, adopt
from synth.workflows.annotating import accept, agreement_on, export_sheets, import_sheets, review
from synth.workflows.comparing import Compared, compare
from synth.workflows.estimating import CostEstimate, estimate
from synth.workflows.evaluating import Evaluated, EvaluationSettings, evaluate
from synth.workflows.exporting import Exported, export, formats
from synth.workflows.filter_checking import FilterCheck, check_filters
from synth.workflows.generating import Generated, brief, generate, plan
from synth.workflows.judge_checking import Checked, judge_check
from synth.workflows.judges import Judging
from synth.workflows.rejudging import Rejudged, rejudge
from synth.workflows.running import Ran, run
from synth.workflows.session import Built, build_graph
from synth.workflows.set_scoring import ScoreResult, score
from synth.workflows.settings import Settings
from synth.workflows.sharding import Merged, ShardRead, merge, read_shard
from synth.workflows.sweeping import Grid, Swept, sweep
from synth.workflows.update_job import Updated
from synth.workflows.updating import update
from synth.workflows.verifying import Failure, Verified, verify

__all__ = [
    "Adoption",
    "AdoptionSettings",
    "Built",
    "Checked",
    "Compared",
    "CostEstimate",
    "Evaluated",
    "EvaluationSettings",
    "Exported",
    "Failure",
    "FilterCheck",
    "Generated",
    "Grid",
    "Judging",
    "Merged",
    "Ran",
    "Rejudged",
    "ScoreResult",
    "Settings",
    "ShardRead",
    "Swept",
    "Updated",
    "Verified",
    "accept",
    "adopt",
    "agreement_on",
    "brief",
    "build_graph",
    "check_filters",
    "compare",
    "estimate",
    "evaluate",
    "export",
    "export_sheets",
    "formats",
    "generate",
    "import_sheets",
    "judge_check",
    "merge",
    "plan",
    "read_shard",
    "rejudge",
    "review",
    "run",
    "score",
    "sweep",
    "update",
    "verify",
]
