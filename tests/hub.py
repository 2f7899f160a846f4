"""A stand-in of the Hugging Face hub on loopback: dataset repositories with one commit each."""

import base64
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "a" * 40


class DatasetHub:
    """Repositories as files by path; requests with another token than `token` are refused with 401."""

    def __init__(self, token="hf_of-a-test"):
        self.token, self.repositories, self.created, self.asked = token, {}, [], []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.hub = self
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self):
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        hub = self._begun()
        _, kind, owner, name, _, revision, file = [*self.path.split("/", 6), *[""] * 7][:7]
        data = hub.repositories.get(f"{owner}/{name}", {}).get(file) if kind == "datasets" else None
        if self._refused(hub):
            return
        if data is None or revision not in ("main", COMMIT):
            known = f"{owner}/{name}" in hub.repositories
            self._send(404, b"", {"x-error-code": "EntryNotFound" if known else "RepoNotFound"})
            return
        self._send(200, data, {"x-repo-commit": COMMIT, "etag": f'"{hashlib.sha1(data).hexdigest()}"'})

    def do_POST(self):
        hub = self._begun()
        sent = self.rfile.read(int(self.headers["content-length"] or 0))
        if self._refused(hub):
            return
        repository = "/".join(self.path.split("/")[3:5])
        if self.path == "/api/repos/create":
            asked = json.loads(sent)
            name = f"{asked['organization']}/{asked['name']}"
            hub.created.append(asked)
            self._json({"url": f"{hub.url}/datasets/{name}"}, 409 if name in hub.repositories else 200)
            hub.repositories.setdefault(name, {})
        elif self.path == "/api/validate-yaml":
            self._json({"errors": [], "warnings": []})
        elif self.path == f"/api/datasets/{repository}/preupload/main":
            files = json.loads(sent)["files"]
            self._json({"files": [{**file, "uploadMode": "regular", "shouldIgnore": False} for file in files]})
        else:
            for line in map(json.loads, sent.splitlines()):
                if line["key"] == "file":
                    content = base64.b64decode(line["value"]["content"])
                    hub.repositories[repository][line["value"]["path"]] = content
            self._json({"commitUrl": f"{hub.url}/datasets/{repository}/commit/{COMMIT}", "commitOid": COMMIT})

    def _begun(self):
        self.server.hub.asked.append((self.command, self.path))
        return self.server.hub

    def _refused(self, hub):
        if self.headers["authorization"] == f"Bearer {hub.token}":
            return False
        self._send(401, b'{"error": "Invalid username or password."}', {})
        return True

    def _json(self, value, status=200):
        self._send(status, json.dumps(value).encode(), {"content-type": "application/json"})

    def _send(self, status, data, headers):
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_):
        pass
