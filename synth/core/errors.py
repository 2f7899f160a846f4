"""Errors for the user: each names the rule, the value, the place and the way out."""


class SynthError(Exception):
    """Base of every error that a user can cause or fix.

    The message is one line: what was wrong, where, and what to do. `exit_code` is the exit code of the command line
    when the error ends a run.
    """

    exit_code = 2


class ExpectedFailure(Exception):
    """Base of exceptions that a caller expects, such as an unloadable file; `containment` lets them through."""


class UnfitItem(Exception):
    """Base of exceptions for an item that a rule leaves out; the message alone is shown, without its place in code."""


class ConfigError(SynthError):
    """A setting, an option or a name is not acceptable."""


class InputError(SynthError):
    """A file or folder given by the user cannot be used."""


class RecordError(SynthError):
    """A line of a JSONL file is not the record it should be; names file, line and field."""


class MissingPartError(SynthError):
    """A model or library that a setting needs cannot be loaded; the message says how to get it."""

    exit_code = 3


class MissingExtra(MissingPartError):
    """A library of an extra is not installed; the message has the command that installs it."""

    exit_code = 2


class ModelError(SynthError):
    """The chat model or its endpoint failed in a way that no retry can fix."""

    exit_code = 4


class UntrustedModel(ModelError):
    """The judge of a chat model failed its trial, so no question is written with that model."""


class ThresholdMissed(SynthError):
    """A metric is below its threshold, and so is its whole confidence interval."""

    exit_code = 6


class ThresholdInconclusive(SynthError):
    """Too few rows to decide whether a metric reaches its threshold."""

    exit_code = 7


class RunStopped(SynthError):
    """A run that ended early; its rows are written, or kept for the next run."""

    exit_code = 9


class BudgetSpent(RunStopped):
    """A run may not spend more."""


class EndpointLost(RunStopped):
    """An endpoint that answered requests of this run can answer no more."""


class RepliesUnusable(RunStopped):
    """A model whose replies fail alike, one after the other."""


class NoRoom(RunStopped):
    """The store has no room for the next replies, or refused one."""


class ShortfallError(SynthError):
    """The corpus gave fewer rows than requested; these have been written."""

    exit_code = 5


class JudgeFailed(SynthError):
    """The judge accepted control items with a planted fault; the rows are written but cannot be trusted."""

    exit_code = 8
