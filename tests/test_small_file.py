"""Small files that the user names are small, and files; a file that becomes a link is not followed."""

import os
from pathlib import Path

import pytest

from synth.core.errors import ConfigError
from synth.core.fields import read_toml
from synth.corpus.documents import loading, reasons
from synth.models.chat.api_keys import Key


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_device_a_pipe_or_a_large_file_is_no_small_file(tmp_path, pipe):
    (tmp_path / "large").write_text("a" * 20_000)
    for path, says in ((Path("/dev/zero"), "a device"), (pipe, "a pipe"), (tmp_path / "large", "over 10,000 bytes")):
        with pytest.raises(ConfigError, match=says):
            Key.from_file(path)
    for path in (Path("/dev/zero"), pipe):
        with pytest.raises(ConfigError, match="a device"):
            read_toml(path, "settings")


@pytest.mark.parametrize("swapped", ["a/b.md", "a"])
def test_what_becomes_a_link_after_the_walk_is_named_and_left_out(tmp_path, monkeypatch, swapped):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.md").write_text("A secret.\n")
    corpus = tmp_path / "corpus"
    (corpus / "a").mkdir(parents=True)
    (corpus / "a" / "b.md").write_text("The pump moves water.\n")
    (corpus / "c.md").write_text("The lamp was lit.\n")
    found = loading._found

    def swaps(*arguments):
        files = found(*arguments)
        (corpus / swapped).rename(tmp_path / "old")
        (corpus / swapped).symlink_to(tmp_path / "outside" / Path(swapped).relative_to("a"))
        return files

    monkeypatch.setattr(loading, "_found", swaps)
    loaded = loading.load([corpus])
    assert [document.doc_id for document in loaded.documents] == ["c.md"]
    assert [(Path(skip.source).name, skip.reason) for skip in loaded.skipped] == [("b.md", reasons.LINK_OUTSIDE)]
