"""Errors for the user. Each message names the rule, the value, the place and what to do."""


class SynthError(Exception):
    """Base class of every error that a user can cause or fix.

    The message is one line: what is wrong, where, and what to do. `exit_code` is the exit code of the command line if
    the error ends a run.
    """

    exit_code = 2


class ExpectedFailure(Exception):
    """Base class of exceptions that callers expect and handle, such as a file that cannot be loaded.

    `contained` does not catch these exceptions.
    """


class UnfitItem(Exception):
    """Base class of exceptions for an item that a rule excludes, such as a sentence that is too long to parse.

    Reports show the message without the place in the code.
    """


class ConfigError(SynthError):
    """Error for a setting, an option or a name that is not valid."""


class InputError(SynthError):
    """Error for a file or folder of the user that cannot be used."""


class RecordError(SynthError):
    """Error for a line of a JSONL file that is not a valid record. The message names file, line and field."""


class MissingPartError(SynthError):
    """Error for a required model or library that cannot be loaded. The message says how to install it."""

    exit_code = 3


class MissingExtra(MissingPartError):
    """Error for a library of an optional extra that is not installed. The message contains the install command."""

    exit_code = 2


class ModelError(SynthError):
    """Error for a failure of the chat model or its endpoint that no retry can fix."""

    exit_code = 4


class UntrustedModel(ModelError):
    """Error for a judge model that fails its trial or cannot be tried. The chat model then writes no questions."""


class ThresholdMissed(SynthError):
    """Error for a metric below its threshold. The whole confidence interval of the metric is below it too."""

    exit_code = 6


class ThresholdInconclusive(SynthError):
    """Error for a metric with too few rows to decide whether it reaches its threshold."""

    exit_code = 7


class RunStopped(SynthError):
    """Error for a run that ends early. The rows made so far have been written, or are kept for the next run."""

    exit_code = 9


class BudgetSpent(RunStopped):
    """Error for a run that has used up its budget."""


class EndpointLost(RunStopped):
    """Error for an endpoint that answered requests earlier in the run and can no longer answer."""


class RepliesUnusable(RunStopped):
    """Error for a model whose replies fail in the same way several times in a row."""


class NoRoom(RunStopped):
    """Error for a store that has no room for the next replies, or could not save a reply."""


class ShortfallError(SynthError):
    """Error for a corpus that allows fewer rows than requested. The rows have been written."""

    exit_code = 5


class JudgeFailed(SynthError):
    """Error for a judge that accepts rows with planted faults. The testset is written but not reliable."""

    exit_code = 8


class Notice(UserWarning):
    """Warning that the command line prints as one line."""
