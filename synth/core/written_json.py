"""Large JSON objects kept as text, so that they are not parsed and serialised again for each manifest."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator, Mapping
from functools import cached_property
from json.encoder import encode_basestring
from pathlib import Path
from typing import IO, Any
from uuid import uuid4


class WrittenObject(Mapping[str, str]):
    """JSON object with text values in a file that a `MemberWriter` wrote. It is parsed at the first access.

    The file may be removed while the object is in use.
    """

    def __init__(self, path: Path) -> None:
        with open(path, "rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    @property
    def text(self) -> str:
        """The object as JSON, indented by two spaces."""
        return bytes(self._bytes).decode("utf-8", "surrogatepass")

    @cached_property
    def _members(self) -> dict[str, str]:
        members: dict[str, str] = json.loads(self.text)
        return members

    def __getitem__(self, name: str) -> str:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


class MemberWriter:
    """Writer of a JSON object with text values, one member after the other."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._before = file, "{\n"

    def add(self, name: str, value: str) -> None:
        """Write a member. Each name may be written only once."""
        member = f"{self._before}  {encode_basestring(name)}: {encode_basestring(value)}"
        self._file.write(member.encode("utf-8", "surrogatepass"))
        self._before = ",\n"

    def end(self) -> None:
        """Write the end of the object."""
        self._file.write(b"{}" if self._before == "{\n" else b"\n}")
        self._file.flush()


def indented(value: Any) -> str:
    """Return `value` as JSON, indented by two spaces. The text of each `WrittenObject` in it is inserted.

    The layout is the same as from `json.dumps(value, ensure_ascii=False, indent=2)`. Raises TypeError for a value that
    JSON cannot represent.
    """
    found: list[WrittenObject] = []
    place = uuid4().hex

    def kept(one: object) -> str:
        if not isinstance(one, WrittenObject):
            raise TypeError(f"{type(one).__name__} is not a JSON value")
        found.append(one)
        return place

    first, *others = json.dumps(value, ensure_ascii=False, indent=2, default=kept).split(f'"{place}"')
    pieces = [first]
    for one, after in zip(found, others, strict=True):
        line = pieces[-1].rpartition("\n")[2]
        pieces += [one.text.replace("\n", "\n" + line[: len(line) - len(line.lstrip(" "))]), after]
    return "".join(pieces)
