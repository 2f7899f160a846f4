"""The verbs of synth for Python; the command line has the same."""

from synth.adopting import Adoption, Terms, adopt
from synth.annotating import accept, agreement_on, export_sheets, import_sheets, review
from synth.estimating import Estimate, estimate
from synth.evaluating import Evaluated, How, evaluate
from synth.exporting import Exported, export, formats
from synth.generating import Generated, generate, plan
from synth.opening import Built, build_graph
from synth.rejudging import Rejudged, rejudge
from synth.settings import Settings
from synth.verifying import Failure, Verified, verify

__all__ = [
    "Adoption",
    "Built",
    "Estimate",
    "Evaluated",
    "Exported",
    "Failure",
    "Generated",
    "How",
    "Rejudged",
    "Settings",
    "Terms",
    "Verified",
    "accept",
    "adopt",
    "agreement_on",
    "build_graph",
    "estimate",
    "evaluate",
    "export",
    "export_sheets",
    "formats",
    "generate",
    "import_sheets",
    "plan",
    "rejudge",
    "review",
    "verify",
]
