"""The command merge, for testsets."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from synth.core.errors import ConfigError
from synth.core.terminal import counted
from synth.testset.dataset import Dataset
from synth.testset.hub import located
from synth.testset.merged_manifest import MergedSet, made_of
from synth.workflows.overwriting import Making, check_replaceable, decided


def merge_sets(testsets: Sequence[str | Path], output: str | Path, *, force: bool = False) -> Dataset:
    """Write the rows of several sets to `output`, with a manifest that names the sets. Return the merged set.

    - `force`: also replace a set that was not merged from these sets, or that people worked on.

    Raises ConfigError if people's decisions on a set are not written into its rows yet, and for an output that needs
    `force` (`check_replaceable`). Raises InputError if two different rows have the same id.
    """
    files, output = [located(testset) for testset in testsets], Path(output)
    for file in files:
        if waiting := decided(file):
            raise ConfigError(
                f"decisions of people on {counted(len(waiting), 'row')} of {file} are not in its rows yet; "
                f"write them with synth annotate accept {shlex.quote(str(file))} --corpus SOURCE -o accepted.jsonl, "
                "and merge the accepted set"
            )
    first, *others = map(Dataset.load, files)
    origins = [MergedSet.of(file, 0) for file in dict.fromkeys(files)]
    check_replaceable(output, Making("merge", files[0], made_of(origins)), force=force)
    merged = first.merge(*others)
    merged.save(output)
    return merged
