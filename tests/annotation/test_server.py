"""The review server: who gets which row, who is let in, and what a killed server has lost, which is nothing."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from synth.annotation.acceptance import accepted, outcomes
from synth.annotation.decisions import Decisions
from synth.annotation.server import app
from synth.annotation.server.app import listen
from synth.annotation.server.guard import is_loopback
from synth.annotation.server.review_queue import RESERVED_S, ReviewQueue, ReviewTask
from synth.core.errors import ConfigError, RecordError
from synth.core.jsonl import row_to_sample, sample_to_row, write_rows
from tests.annotation.rows import HOSTILE, Client, corpus_and_rows, document, said, sample, served

ROOT = Path(__file__).parents[2]
DOCUMENTS, ROWS = corpus_and_rows(12, 3)


@contextmanager
def started(testset, *options):
    """`synth annotate review` in a process of its own, and the address it says it is at."""
    command = [sys.executable, "-m", "synth", "annotate", "review", str(testset), "--port", "0", "--json", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        told = ""
        while not told.rstrip().endswith("}"):
            line = server.stdout.readline()
            assert line, "the server ended before it said where it is"
            told += line
        yield server, json.loads(told)["url"]
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def desk_of(path, rows=ROWS, clock=None, **task):
    made = ReviewTask(name="lamps", rows=tuple(rows), documents=DOCUMENTS, language="en", **task)
    return ReviewQueue(made, Decisions(path), **({"clock": clock} if clock else {}))


def given(row, decision="accept", **more):
    return {"id": row["id"], "hash": row["hash"], "expects": 0, "decision": decision, **more}


def test_a_row_goes_to_as_many_people_as_are_wanted_and_no_more(tmp_path):
    now = [0.0]
    desk = desk_of(tmp_path / "a", ROWS[:3], lambda: now[0], per_item=2)
    first, second = desk.next("ann"), desk.next("bo")
    assert first["id"] == second["id"] == ROWS[0].id
    third = desk.next("cy")
    assert third["id"] == ROWS[1].id, "two people hold the first row"
    now[0] = RESERVED_S + 1
    assert desk.next("cy")["id"] == ROWS[0].id, "they have been away too long"
    desk.decide("ann", given(first))
    desk.decide("bo", given(second, "skip"))
    desk.decide("cy", given(first))
    assert desk.next("dee")["id"] != ROWS[0].id
    assert desk.progress("ann") == {"done": 1, "total": 3}
    assert [row["decision"] for row in desk.rows("bo")] == ["skip", None, None]


def test_the_number_of_a_row_counts_the_rows_that_progress_counts(tmp_path):
    desk = desk_of(tmp_path / "a", ROWS[:5])
    for _ in range(2):
        desk.decide("bo", given(desk.next("bo")))
    for done in range(3):
        row = desk.next("ann")
        assert desk.progress("ann") == {"done": done, "total": row["of"]} == {"done": done, "total": 3}
        assert row["number"] == done + 1
        assert [one["number"] for one in desk.rows("ann") if one["id"] == row["id"]] == [row["number"]]
        desk.decide("ann", given(row))


def test_everything_is_decided_once_by_each_of_two_at_the_same_time(tmp_path):
    desk = desk_of(tmp_path / "a", per_item=1)

    def work(who):
        while row := desk.next(who):
            desk.decide(who, given(row))

    threads = [threading.Thread(target=work, args=(who,)) for who in ("ann", "bo", "cy")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Decisions(tmp_path / "a") as decisions:
        assert sorted(k.annotation.sample_id for k in decisions.all()) == sorted(row.id for row in ROWS)


def test_what_another_process_writes_is_seen(tmp_path):
    desk = desk_of(tmp_path / "a", per_item=1)
    assert desk.next("ann")["id"] == ROWS[0].id
    with Decisions(tmp_path / "a") as decisions:
        decisions.add(said(ROWS[0], "ann"), "import")
    assert desk.next("ann")["id"] == ROWS[1].id


def test_whoever_settles_sees_what_the_others_said_and_decides_over_them(tmp_path):
    with Decisions(tmp_path / "a") as decisions:
        decisions.add(said(ROWS[0], "ann"), "review")
        decisions.add(said(ROWS[0], "bo", "reject", reason="trivial"), "review")
    desk = desk_of(tmp_path / "a", ROWS[:1], adjudicate=True)
    row = desk.next("bo")
    assert [(one["annotator"], one["decision"]) for one in row["others"]] == [("ann", "accept"), ("bo", "reject")]
    assert row["mine"] is None
    desk.decide("bo", given(row))
    with Decisions(tmp_path / "a") as decisions:
        assert [k.annotation.adjudicated for k in decisions.all()] == [False, False, True]


def test_the_page_gets_the_evidence_with_room_around_it(tmp_path):
    desk = desk_of(tmp_path / "a")
    (passage,) = desk.open("ann", ROWS[0].id)["passages"]
    marked = [part["text"] for part in passage["segments"] if part["evidence"]]
    assert marked == [ROWS[0].evidence[0].text]
    text = "".join(part["text"] for part in passage["segments"])
    assert DOCUMENTS["d0.md"].text[passage["start"] : passage["end"]] == text
    (wide,) = desk.open("ann", ROWS[0].id, 100_000)["passages"]
    assert (wide["start"], wide["end"]) == (0, wide["length"])


def test_documents_that_changed_or_are_not_there_show_the_evidence_alone(tmp_path):
    changed = {"d0.md": document("d0.md", "another text")}
    for documents, fault in ((changed, "changed"), ({}, "missing"), (None, "no_corpus")):
        task = ReviewTask(name="x", rows=tuple(ROWS), documents=documents, language="en")
        with Decisions(tmp_path / "a") as decisions:
            (passage,) = ReviewQueue(task, decisions).open("ann", ROWS[0].id)["passages"]
        assert passage["fault"] == fault
        assert [part["text"] for part in passage["segments"]] == [ROWS[0].evidence[0].text]


def test_a_row_without_evidence_is_shown_the_passages_nearest_to_it(tmp_path):
    near = {"chunk_id": "c", "doc_id": "d1.md", "start": 10, "end": 40}
    row = replace(
        ROWS[0],
        question="Who stole lamp 3?",
        golden_answers=(),
        evidence=(),
        question_type="unanswerable",
        metadata={"hard_negatives": [near, {"doc_id": "gone.md"}, "no passage"]},
    )
    desk = desk_of(tmp_path / "a", [row])
    shown = desk.next("ann")
    (passage,) = shown["passages"]
    assert passage["segments"] == ({"text": DOCUMENTS["d1.md"].text[10:40], "evidence": False},)
    assert desk.open("ann", row.id, 5_000)["passages"][0]["start"] == 0
    with pytest.raises(RecordError, match="so an edit cannot add an answer"):
        desk.decide("ann", given(shown, "edit", golden_answers=["Jim"]))
    desk.decide("ann", given(shown, "edit", question="Who took lamp 3 away?"))
    with Decisions(tmp_path / "a") as decisions:
        (edited,) = outcomes([row], [k.annotation for k in decisions.all()])
    assert row_to_sample(sample_to_row(accepted(edited)), "x").question == "Who took lamp 3 away?"


def test_ctrl_c_ends_the_server_and_is_no_error(tmp_path):
    write_rows(tmp_path / "t.jsonl", map(sample_to_row, ROWS))
    with started(tmp_path / "t.jsonl") as (server, url):
        assert Client(url).post("/next")[0] == 200
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(ROWS, tmp_path_factory.mktemp("s") / "a", DOCUMENTS) as (url, _):
        yield url


def test_decide_undo_and_conflict_over_http(server):
    client = Client(server, "李")
    row = client.post("/next")[1]["row"]
    status, found = client.decide(row, "edit", question="第一？", ratings={"fluency": 3})
    assert (status, found["kept"]["decision"], found["progress"]["done"]) == (200, "edit", 1)
    assert found["row"]["id"] != row["id"]
    status, found = client.decide(row, "reject", reason="trivial")
    assert status == 409, "the page showed a row that was decided since"
    assert found["overtaken"]["mine"]["question"] == "第一？"
    assert client.decide(found["overtaken"], "reject", reason="trivial")[0] == 200
    assert client.post("/undo")[1]["row"]["mine"]["decision"] == "edit"
    assert client.post("/undo")[1]["row"]["mine"] is None
    assert client.post("/undo")[1]["undone"] is None


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("/decide", {"id": "q-none"}, 404, "row q-none is not part of this review"),
        ("/decide", {"id": ROWS[5].id, "hash": "sha256:0"}, 404, "has changed since it was shown"),
        ("/row", {"id": "q-none"}, 404, "is not part of this review"),
        ("/next", {"annotator": ""}, 400, "the name must have 1 to 60"),
        ("/next", {"annotator": 7}, 400, "must be a text"),
        ("/next", {"annotator": "x" * 100}, 400, "the name must have 1 to 60"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(server, path, body, status, says):
    found = Client(server).post(path, body)
    assert found[0] == status
    assert says in found[1]["error"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"golden_answers": 5}, "golden_answers"),
        ({"golden_answers": "one"}, "golden_answers"),
        ({"golden_answers": [5]}, "answer"),
        ({"golden_answers": {"a": 1}}, "golden_answers"),
        ({"reason": {"a": 1}}, "reason"),
        ({"reason": ["trivial"]}, "reason"),
        ({"comment": 7}, "comment"),
        ({"question": [1]}, "question"),
        ({"ratings": 5}, "ratings"),
        ({"ratings": {"fluency": "5"}}, "fluency"),
        ({"decision": {"a": 1}}, "decision"),
        ({"decision": []}, "decision"),
        ({"expects": {}}, "expects"),
    ],
)
def test_a_field_of_the_wrong_type_is_named(server, given, field):
    client = Client(server, "wrong")
    row = client.post("/row", {"id": ROWS[7].id})[1]["row"]
    about = {"id": row["id"], "hash": row["hash"], "expects": 0, "decision": "reject", "reason": "trivial"}
    status, found = client.post("/decide", {**about, **given})
    assert status == 400
    assert field in found["error"]


def test_the_second_of_two_on_the_last_place_of_a_row_is_told(tmp_path):
    with served(ROWS[:1], tmp_path / "a") as (url, _):
        first, second = Client(url, "first"), Client(url, "second")
        row = first.post("/next")[1]["row"]
        assert second.post("/next")[1]["row"] is None
        shown = second.post("/row", {"id": row["id"]})[1]["row"]
        assert first.decide(row)[0] == 200
        status, found = second.decide(shown)
        assert (status, "enough people have already decided" in found["error"]) == (409, True)
        assert first.post("/undo")[1]["undone"]["decision"] == "accept"
        assert second.decide(shown)[0] == 200


HEAD = b"POST /next HTTP/1.1\r\nhost: localhost\r\n"
WHOLE = b"GET /icon.svg HTTP/1.1\r\nhost: localhost\r\n\r\n"
BODY = b"content-type: application/json\r\ncontent-length: 99\r\n\r\n{"


@pytest.mark.parametrize(
    ("begun", "answers"),
    [
        ((b"",), []),
        ((HEAD,), []),
        ((WHOLE, HEAD), [b"200"]),
        ((WHOLE[:-2] + BODY, b"{"), [b"200"]),
        ((HEAD + BODY, b"{"), [b"403"]),
        ((HEAD + b"x-synth-token: TOKEN\r\n" + BODY,), [b"408"]),
        ((WHOLE[:-2] + b"connection: upgrade\r\nupgrade: websocket\r\n\r\n", HEAD), [b"200"]),
    ],
    ids=["nothing", "head", "second head", "body of no use", "body that is refused", "body", "another protocol"],
)
def test_connections_that_never_send_a_whole_request_are_closed(tmp_path, monkeypatch, begun, answers):
    monkeypatch.setattr(app, "_REQUEST_S", 0.3)
    with served(ROWS[:1], tmp_path / "a") as (url, _):
        client = Client(url)
        with socket.create_connection((client.at.hostname, client.at.port), timeout=60) as connection:
            told = b""
            for piece in begun:
                connection.sendall(piece.replace(b"TOKEN", client.token.encode()))
                if answers and not told:
                    told += connection.recv(100_000)
            with suppress(ConnectionResetError):
                while more := connection.recv(100_000):
                    told += more
    assert re.findall(rb"HTTP/1.1 (\d+)", told) == answers


def test_a_connection_whose_answers_nobody_reads_is_closed(tmp_path, monkeypatch):
    monkeypatch.setattr(app, "_REQUEST_S", 0.3)
    with served(ROWS[:1], tmp_path / "a") as (url, _):
        at = Client(url).at
        with socket.create_connection((at.hostname, at.port), timeout=60) as connection, pytest.raises(ConnectionError):
            connection.sendall(WHOLE * 1_000_000)


def test_other_sites_and_hosts_and_forms_are_refused(server):
    client = Client(server)
    assert client.post("/next", **{"x-synth-token": "guessed"})[0] == 403
    assert client.post("/next", origin="http://evil.example")[0] == 403
    assert client.post("/next", **{"content-type": "text/plain"})[0] == 415
    assert client.post("/next", origin=server.rstrip("/"))[0] == 200
    assert client.get("/", host="evil.example")[0] == 403
    assert client.get("/setting", host="evil.example:80")[0] == 403
    assert client.get("/decide")[0] == 405
    client.connection.request(
        "POST", "/next", b"{" * 2_000_000, {"content-type": "application/json", "x-synth-token": client.token}
    )
    assert client.connection.getresponse().status == 413


def test_every_answer_carries_a_strict_policy_and_nothing_is_fetched_from_elsewhere(server):
    client = Client(server)
    for path in ("/", "/review.js", "/page.css", "/icon.svg", "/none"):
        status, content, headers = client.get(path)
        assert status == (404 if path == "/none" else 200)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
        assert b"http://" not in content.replace(b"http://www.w3.org/2000/svg", b"")
        assert b"https://" not in content


def test_beyond_loopback_a_token_is_needed(tmp_path):
    with served(ROWS, tmp_path / "a", host="0.0.0.0") as (url, _):
        assert "token=" in url
        at = urlsplit(url)

        def get(path, **headers):
            connection = HTTPConnection("127.0.0.1", at.port, timeout=30)
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

        for path in ("/", "/setting", "/?token=wrong", "/review.js"):
            status, _, content = get(path)
            assert status == 401
            assert b"lamp" not in content
        status, headers, _ = get(f"/?{at.query}")
        assert (status, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"].partition(";")[0]
        assert "HttpOnly" in headers["set-cookie"]
        client = Client(f"http://127.0.0.1:{at.port}/", "ann", cookie)
        assert client.post("/next")[0] == 200


def test_loopback_is_told_from_the_rest():
    assert all(map(is_loopback, ("127.0.0.1", "::1", "[::1]", "localhost", "127.8.8.8")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.2", "example.org", "")))


def test_a_port_that_is_taken_is_told(tmp_path):
    with served(ROWS, tmp_path / "a") as (url, desk), pytest.raises(ConfigError, match="--port"):
        listen(desk, "127.0.0.1", int(url.rstrip("/").rpartition(":")[2]))


def test_only_named_annotators_take_part(tmp_path):
    with served(ROWS, tmp_path / "a", annotators=("ann",)) as (url, _):
        assert Client(url, "ann").post("/next")[0] == 200
        status, found = Client(url, "eve").post("/next")
        assert (status, found["error"]) == (
            400,
            "'eve' is not an annotator of this review; enter one of the names given to the review",
        )


def test_hostile_text_is_data(tmp_path):
    of = document("<b>.md", HOSTILE, "</script>")
    row = sample("<script>alert(1)</script> \ud800?", "<img src=x>", "The pump stands in the cellar.", of)
    with served([row], tmp_path / "a", {of.doc_id: of}) as (url, _):
        found = Client(url).post("/next")[1]["row"]
        assert found["question"] == row.question
        assert HOSTILE.startswith(found["passages"][0]["segments"][0]["text"][:40])


def decide_until_killed(server, url, enough):
    """Eight clients decide until `enough` decisions are acknowledged and the server is killed: those acknowledged."""
    acknowledged, reached = [], threading.Event()

    def work(who):
        try:
            client = Client(url, who)
            row = client.post("/next")[1]["row"]
            while row:
                found = client.decide(row, "reject", reason="other", comment=f"{who} on {row['id']}")[1]
                acknowledged.append((found["kept"]["number"], who, row["id"]))
                row = found["row"]
                if len(acknowledged) >= enough:
                    reached.set()
        except (OSError, HTTPException, ValueError):
            return  # the server is gone

    threads = [threading.Thread(target=work, args=(f"p{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    assert reached.wait(120)
    server.kill()
    for thread in threads:
        thread.join()
    return acknowledged


def test_a_killed_server_has_lost_nothing_it_acknowledged(tmp_path):
    testset = tmp_path / "testset.jsonl"
    write_rows(testset, map(sample_to_row, corpus_and_rows(600, 6)[1]))
    with started(testset, "--per-item", "8") as (server, url):
        acknowledged = decide_until_killed(server, url, 240)
    with Decisions(tmp_path / "annotations.sqlite") as decisions:
        kept = {
            k.number: (k.annotation.annotator, k.annotation.sample_id, k.annotation.comment) for k in decisions.all()
        }
    assert len({number for number, _, _ in acknowledged}) == len(acknowledged) >= 240
    for number, who, row in acknowledged:
        assert kept[number] == (who, row, f"{who} on {row}")
