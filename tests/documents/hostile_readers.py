"""Readers of a package of somebody else that do what a parser must not."""

import os
import signal
import threading
import time

from synth.corpus.documents.file_content import FileContent, ReadyPassage
from synth.corpus.documents.readers.base import Reader

LONGEST_S = 20
"""Seconds after which a reader that nobody ended comes back, so that its test fails and does not hang."""


class Isolated(Reader):
    isolated = True

    def read(self, file):
        print("a parser prints to the stream of the answers")
        return FileContent("", "", "passage", tuple(ReadyPassage(part, f"{part} \ud800 灯") for part in ("a", "b")))


class Kept(Isolated):
    name, suffixes = "kept", (".kept",)

    def read(self, file):
        content = super().read(file)
        return FileContent(passages=content.passages, metadata={"process": os.getpid()})


class Busy(Isolated):
    name, suffixes = "busy", (".busy",)

    def read(self, file):
        while time.process_time() < LONGEST_S:
            pass
        return FileContent("it was not ended")


class Waiting(Isolated):
    """A reader that opens the file which its document names, and then waits for what never comes."""

    name, suffixes = "waiting", (".waiting",)

    def read(self, file):
        open(file.data, "wb").close()
        threading.Event().wait(LONGEST_S)
        return FileContent("it was not ended")


class Greedy(Isolated):
    name, suffixes = "greedy", (".greedy",)

    def read(self, file):
        return FileContent(str(len(bytearray(2_000_000_000))))


class Swallowing(Isolated):
    """A reader that leaves out what it has no memory for."""

    name, suffixes = "swallowing", (".swallowing",)

    def read(self, file):
        pieces = []
        try:
            while True:
                pieces.append(bytearray(b"a" * 1_000_000))
        except MemoryError:
            return FileContent(str(len(pieces)))


class Dying(Isolated):
    name, suffixes = "dying", (".dying",)

    def read(self, file):
        os.kill(os.getpid(), signal.SIGSEGV)


class Aborting(Isolated):
    name, suffixes = "aborting", (".aborting",)

    def read(self, file):
        os.abort()


class Leaving(Isolated):
    name, suffixes = "leaving", (".leaving",)

    def read(self, file):
        os._exit(3)


class Failing(Isolated):
    name, suffixes = "failing", (".failing",)

    def read(self, file):
        raise KeyError("a bug")


class Flooding(Isolated):
    name, suffixes = "flooding", (".flooding",)

    def read(self, file):
        return FileContent("a" * 5 * file.max_unpacked)


class Second(Isolated):
    """A reader that leaves its process when it has read a file there."""

    name, suffixes = "second", (".second",)
    used = False

    def read(self, file):
        if Second.used:
            os._exit(1)
        Second.used = True
        return FileContent("read")
