"""Files and batches of the bench server, as OpenAI's batch API has them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

_FILE = re.compile(rb'name="file".*?\r\n\r\n(.*?)\r\n--', re.DOTALL)
_PATHS = re.compile(r"/v1/(files|batches)(?:/([\w-]+))?(?:/(content|cancel))?$")

Answer = Callable[[Mapping[str, Any]], Awaitable[tuple[int, dict[str, Any]]]]


class Batches:
    """Uploaded files, and batches that are done `seconds` after they were begun."""

    def __init__(self, answer: Answer, seconds: float) -> None:
        self._answer = answer
        self._seconds = seconds
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, dict[str, Any]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._requests = 0
        self._waited = 0

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many batches were begun, how many requests were in them, how often one was asked after too soon."""
        return len(self._batches), self._requests, self._waited

    def serve(self, method: str, path: str, body: bytes) -> tuple[int, Any] | None:
        """The status and the body of the answer; None for a path that is none of files or batches."""
        match = _PATHS.search(path)
        if match is None:
            return None
        kind, name, part = match.groups()
        if kind == "files" and method == "POST" and name is None:
            return self._uploaded(body)
        if kind == "files" and part == "content" and name in self._files:
            return 200, self._files[name]
        if kind == "batches" and method == "POST" and name is None:
            return self._begun(json.loads(body))
        if kind == "batches" and name in self._batches:
            if part == "cancel":
                self._batches[name]["status"] = "cancelled"
            self._waited += self._batches[name]["status"] == "in_progress"
            return 200, self._batches[name]
        return 404, {"error": {"message": f"no such {kind[:-1]}: {name}"}}

    def _uploaded(self, body: bytes) -> tuple[int, Any]:
        match = _FILE.search(body)
        if match is None:
            return 400, {"error": {"message": "no file in the form"}}
        name = f"file-{len(self._files)}"
        self._files[name] = match[1]
        told = {"id": name, "object": "file", "bytes": len(match[1]), "created_at": 0}
        return 200, {**told, "filename": "requests.jsonl", "purpose": "batch", "status": "processed"}

    def _begun(self, body: Mapping[str, Any]) -> tuple[int, Any]:
        if body.get("input_file_id") not in self._files:
            return 400, {"error": {"message": "no such input file"}}
        name = f"batch-{len(self._batches)}"
        self._batches[name] = {
            "id": name,
            "object": "batch",
            "endpoint": body["endpoint"],
            "input_file_id": body["input_file_id"],
            "completion_window": body["completion_window"],
            "status": "in_progress",
            "created_at": 0,
            "output_file_id": None,
            "error_file_id": None,
            "metadata": body.get("metadata"),
        }
        self._tasks.append(asyncio.ensure_future(self._work(name)))
        return 200, self._batches[name]

    async def _work(self, name: str) -> None:
        batch = self._batches[name]
        lines = [json.loads(line) for line in self._files[batch["input_file_id"]].splitlines() if line.strip()]
        self._requests += len(lines)
        await asyncio.sleep(self._seconds)
        good: list[dict[str, Any]] = []
        bad: list[dict[str, Any]] = []
        for number, line in enumerate(lines):
            status, answer = await self._answer(line["body"])
            row = {"id": f"{name}-{number}", "custom_id": line["custom_id"], "error": None,
                   "response": {"status_code": status, "request_id": f"r{number}", "body": answer}}  # fmt: skip
            (good if status == 200 else bad).append(row)
        # Answers need not come in the order of the requests.
        for part, rows in (("output", good[::-1]), ("error", bad)):
            if rows:
                made = f"file-{len(self._files)}"
                self._files[made] = "".join(json.dumps(row) + "\n" for row in rows).encode()
                batch[f"{part}_file_id"] = made
        batch["status"] = "completed"
        batch["request_counts"] = {"total": len(lines), "completed": len(good), "failed": len(bad)}
