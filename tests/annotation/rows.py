"""Rows, decisions and running servers for the tests of annotation."""

import http.client
import json
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

from synth.annotation.decisions import Decisions
from synth.annotation.records import annotation_of
from synth.annotation.server.app import listen
from synth.annotation.server.review_queue import ReviewQueue, ReviewTask
from synth.core.records import Document, Evidence, Sample, Verdict, text_hash

HOSTILE = (
    "Before </script><script>window.hacked = 1</script> and <img src=x onerror='window.hacked = 2'> & <!-- \u202eevil\u202c "
    "\u2028 a separator, a tab\tand 𠮷. The pump stands in the cellar. " + "verylong" * 400 + "\n=1+1\nThe end."
)


def document(doc_id, text, title="", **metadata):
    return Document(
        doc_id=doc_id, source=doc_id, title=title, text=text, content_hash=text_hash(text), metadata=metadata
    )


def sample(question, answer, quote, of, kind="simple", language="en", scores=None, **metadata):
    """A row whose evidence is `quote` in the document `of`."""
    start = of.text.index(quote)
    piece = Evidence(
        doc_id=of.doc_id, doc_hash=of.content_hash, chunk_id="c-1", start=start, end=start + len(quote), text=quote
    )
    verdicts = [Verdict(filter=name, kept=True, reason="", score=score) for name, score in (scores or {}).items()]
    return Sample(
        question=question,
        golden_answers=(answer,),
        evidence=(piece,),
        question_type=kind,
        language=language,
        verdicts=tuple(verdicts),
        metadata={"source": "synthetic", "difficulty": "easy", "category": of.doc_id, **metadata},
    )


def corpus_and_rows(count=20, documents=4):
    """English, simplified and traditional rows in turn over a few documents."""
    texts, found = {}, []
    for n in range(documents):
        lines = []
        for m in range(n, count, documents):
            lines += [
                f"Lamp {m} was lit in {1700 + m}.",
                f"第{m}座灯塔建于{1700 + m}年。",
                f"第{m}座燈塔建於{1700 + m}年。",
            ]
        texts[f"d{n}.md"] = document(f"d{n}.md", "# Lamps\n\n" + "\n\n".join(lines), f"Lamps {n}")
    for m in range(count):
        of = texts[f"d{m % documents}.md"]
        question, answer, quote, language = (
            (f"In what year was lamp {m} lit?", f"{1700 + m}", f"Lamp {m} was lit in {1700 + m}.", "en"),
            (f"第{m}座灯塔建于哪一年？", f"{1700 + m}年", f"第{m}座灯塔建于{1700 + m}年。", "zh-Hans"),
            (f"第{m}座燈塔建於哪一年？", f"{1700 + m}年", f"第{m}座燈塔建於{1700 + m}年。", "zh-Hant"),
        )[m % 3]
        kind = "conditional" if m % 4 == 3 else "simple"
        found.append(sample(question, answer, quote, of, kind, language, {"grounded": 1.0, "specific": 1.0 + m % 9}))
    return texts, found


def said(row, who="ann", decision="accept", adjudicated=False, **more):
    return annotation_of(row, who, {"decision": decision, **more}, "a test", adjudicated=adjudicated)


@contextmanager
def served(rows, store, documents=None, host="127.0.0.1", **task):
    """A review served on a free port: its address and its desk."""
    with Decisions(store) as decisions:
        desk = ReviewQueue(
            ReviewTask(name="lamps", rows=tuple(rows), documents=documents, language="en", **task), decisions
        )
        listening = listen(desk, host, 0)
        thread = threading.Thread(target=listening.serve)
        thread.start()
        try:
            yield listening.url, desk
        finally:
            listening.stop()
            thread.join()


class Client:
    """What the page does, without a browser."""

    def __init__(self, url, who="ann", cookie=""):
        self.at, self.who = urlsplit(url), who
        self.connection = http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=60)
        self.headers = {"cookie": cookie} if cookie else {}
        self.token = json.loads(self.get("/setting")[1]).get("token", "")

    def get(self, path, **headers):
        self.connection.request("GET", path, headers={**self.headers, **headers})
        answer = self.connection.getresponse()
        return answer.status, answer.read(), dict(answer.getheaders())

    def post(self, path, body=None, **headers):
        given = {"content-type": "application/json", "x-synth-token": self.token, **self.headers, **headers}
        self.connection.request("POST", path, json.dumps({"annotator": self.who, **(body or {})}), given)
        answer = self.connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if content.startswith(b"{") else content.decode()

    def decide(self, row, decision="accept", **more):
        given = {"id": row["id"], "hash": row["hash"], "expects": row["mine"]["number"] if row["mine"] else 0}
        return self.post("/decide", {**given, "decision": decision, **more})
