"""Errors meant to be read by people: the rule, the value, the place, the way out."""


class SynthError(Exception):
    """Base of every error a user can cause or can mend.

    The message is one line that says what was wrong, where, and what to do. `exit_code` is what the
    command line returns when the error ends a run.
    """

    exit_code = 2


class Passing(Exception):
    """An exception that is part of how things run: `containment` lets it through."""


class ConfigError(SynthError):
    """A setting, an option or a name is not acceptable."""


class InputError(SynthError):
    """A file or folder given by the user cannot be used."""


class RecordError(SynthError):
    """A line of a JSONL file is not the record it should be; names file, line and field."""


class MissingPartError(SynthError):
    """A library or model that this setting needs is not installed; says how to get it."""

    exit_code = 3


class ModelError(SynthError):
    """The chat model or its endpoint failed in a way that no retry will mend."""

    exit_code = 4


class ThresholdMissed(SynthError):
    """A metric is below the threshold it must reach, and its interval leaves no doubt."""

    exit_code = 6


class ThresholdInconclusive(SynthError):
    """Whether a metric reaches its threshold cannot be told from so few rows."""

    exit_code = 7


class RunStopped(SynthError):
    """A run ended before its time; what was made has been written, or is kept for the next run."""

    exit_code = 9


class BudgetSpent(RunStopped):
    """A run may not spend more."""


class EndpointLost(RunStopped):
    """An endpoint that answered requests of this run can answer no more."""


class ShortfallError(SynthError):
    """The corpus gave fewer rows than were asked for; what was made has been written."""

    exit_code = 5


class JudgeFailed(SynthError):
    """The judge let items pass that were planted with a fault; what was made is written, and not to be trusted."""

    exit_code = 8
