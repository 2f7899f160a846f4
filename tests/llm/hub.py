"""A server on loopback for tests: files with ranges, as the model hub has them, and lists of models."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Hub:
    """Serves bytes, or an error status, by path; `cut` closes the connection of a request after so many bytes, once for each number."""

    def __init__(self, files, *, ranges=True):
        self.files = files
        self.ranges = ranges
        self.cut = []
        self.asked = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.hub = self
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self):
        self._http.shutdown()
        self._http.server_close()


def models(*names):
    """The list of models that a server of chat models has."""
    return {"/v1/models": json.dumps({"object": "list", "data": [{"id": name} for name in names]}).encode()}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        hub = self.server.hub
        hub.asked.append((self.path, self.headers["range"]))
        data = hub.files.get(self.path, 404)
        if isinstance(data, int):
            self.send_error(data)
            return
        first = int(self.headers["range"].removeprefix("bytes=").removesuffix("-")) if self.headers["range"] else 0
        ranged = hub.ranges and first > 0
        sent = data[first:] if ranged else data
        self.send_response_only(206 if hub.ranges and self.headers["range"] else 200)
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent[: hub.cut.pop(0)] if hub.cut else sent)

    def log_message(self, *_):
        pass
