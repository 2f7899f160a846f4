"""Stand-ins of Langfuse, LangSmith and Phoenix on loopback: what their clients send to keep a dataset."""

import base64
import json
import re
import threading
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from uuid import NAMESPACE_URL, uuid5

TIME = "2026-01-01T00:00:00Z"


class Services:
    """One server for all three. `items` has the rows of each dataset by id; `refuses` makes every answer a 403."""

    def __init__(self):
        self.items, self.paths, self.refuses = {}, [], False
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.services = self
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self):
        self._http.shutdown()
        self._http.server_close()

    @property
    def environment(self):
        """The variables with which the clients find this server."""
        names = ("LANGFUSE_BASE_URL", "LANGFUSE_HOST", "LANGSMITH_ENDPOINT", "PHOENIX_BASE_URL", "PHOENIX_HOST")
        keys = {"LANGFUSE_PUBLIC_KEY": "pk-test", "LANGFUSE_SECRET_KEY": "sk-of-a-test", "LANGSMITH_API_KEY": "ls-test"}
        return {**dict.fromkeys(names, self.url), "PHOENIX_COLLECTOR_ENDPOINT": self.url, **keys}


def _id(name):
    return str(uuid5(NAMESPACE_URL, name))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self._answer(b"")

    def do_POST(self):
        self._answer(self.rfile.read(int(self.headers["content-length"] or 0)))

    def log_message(self, *_):
        pass

    def _answer(self, body):
        services, place = self.server.services, urlsplit(self.path)
        services.paths.append((self.command, place.path))
        if services.refuses:
            self._send({"detail": "the key sk-of-a-test is not allowed", "message": "sk-of-a-test"}, 403)
            return
        query = {name: values[0] for name, values in parse_qs(place.query).items()}
        for pattern, answer in _ROUTES.items():
            match = re.fullmatch(pattern, f"{self.command} {place.path}")
            if match:
                self._send(answer(self, services.items, query, body, *match.groups()))
                return
        self._send({"detail": "not found"}, 404)

    def _send(self, value, status=200):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _langfuse_dataset(handler, items, query, body):
    name = json.loads(body)["name"]
    items.setdefault(name, {})
    times = {"createdAt": TIME, "updatedAt": TIME}
    return {"id": _id(name), "name": name, "description": None, "metadata": None, "projectId": "p", **times}


def _langfuse_item(handler, items, query, body):
    sent = json.loads(body)
    items[sent["datasetName"]][sent["id"]] = sent
    times = {"createdAt": TIME, "updatedAt": TIME}
    return {**sent, "status": "ACTIVE", "mediaReferences": [], "datasetId": _id(sent["datasetName"]), **times}


def _langsmith_dataset(name):
    return {"id": _id(name), "name": name, "created_at": TIME, "modified_at": TIME, "data_type": "kv"}


def _langsmith_create(handler, items, query, body):
    name = json.loads(body)["name"]
    items.setdefault(name, {})
    return _langsmith_dataset(name)


def _langsmith_find(handler, items, query, body):
    return [_langsmith_dataset(name) for name in items if name == query.get("name")]


def _named(items, id):
    return next(name for name in items if _id(name) == id)


def _langsmith_list(handler, items, query, body):
    return [
        {"id": id, "dataset_id": query["dataset"], "inputs": row["inputs"], "created_at": TIME, "modified_at": TIME}
        for id, row in items[_named(items, query["dataset"])].items()
    ]


def _langsmith_rows(handler, items, query, body):
    """Rows in one request: JSON, or parts named ID, ID.inputs, ID.outputs."""
    rows = {row["id"]: row for row in json.loads(body)}
    items[_named(items, next(iter(rows.values()))["dataset_id"])].update(rows)
    return list(rows.values())


def _langsmith_parts(handler, items, query, body, dataset):
    head = f"content-type: {handler.headers['content-type']}\r\n\r\n".encode()
    rows = {}
    for part in BytesParser(policy=HTTP).parsebytes(head + body).iter_parts():
        name = part.get_param("name", header="content-disposition")
        id, _, field = name.partition(".")
        value = json.loads(part.get_payload(decode=True))
        rows.setdefault(id, {}).update({field: value} if field else value)
    items[_named(items, dataset)].update(rows)
    return {"count": len(rows), "example_ids": [*rows]}


def _phoenix_upload(handler, items, query, body):
    sent = json.loads(body)
    rows = zip(sent["inputs"], sent["outputs"], sent["metadata"], strict=True)
    items[sent["name"]] = {
        meta["id"]: {"input": given, "output": output, "metadata": meta} for given, output, meta in rows
    }
    return {"data": {"dataset_id": _phoenix_id(sent["name"]), "version_id": "v1"}}


def _phoenix_id(name):
    return base64.b64encode(f"Dataset:{sum(name.encode())}".encode()).decode()


def _phoenix_dataset(handler, items, query, body, id):
    name = next(name for name in items if _phoenix_id(name) == id)
    times = {"created_at": TIME, "updated_at": TIME}
    return {"data": {"id": id, "name": name, "description": None, "metadata": {}, "example_count": 0, **times}}


def _phoenix_examples(handler, items, query, body, id):
    examples = [
        {"id": key, "updated_at": TIME, **row}
        for key, row in next(rows for name, rows in items.items() if _phoenix_id(name) == id).items()
    ]
    return {"data": {"dataset_id": id, "version_id": "v1", "examples": examples}}


_ROUTES = {
    r"POST /api/public/v2/datasets": _langfuse_dataset,
    r"POST /api/public/dataset-items": _langfuse_item,
    r"GET /info": lambda *_: {"version": "0", "instance_flags": {"dataset_examples_multipart_enabled": True}},
    r"GET /sessions": lambda *_: [],
    r"POST /datasets": _langsmith_create,
    r"GET /datasets": _langsmith_find,
    r"GET /examples": _langsmith_list,
    r"POST /examples/bulk": _langsmith_rows,
    r"POST /v1/platform/datasets/([\w-]+)/examples": _langsmith_parts,
    r"POST /v1/datasets/upload": _phoenix_upload,
    r"GET /v1/datasets/([\w=-]+)": _phoenix_dataset,
    r"GET /v1/datasets/([\w=-]+)/examples": _phoenix_examples,
}
