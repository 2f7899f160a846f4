"""A disk for SQLite that fails at a chosen write: full, torn, refusing every write, not synced, or cut off from power.

It is the file system layer (VFS) of the SQLite that Python uses, with `xWrite`, `xTruncate` and `xSync` of every file
replaced. https://sqlite.org/vfs.html has the structures.
"""

import ctypes
import ctypes.util
import os
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p

FAULTS = ("full", "torn", "refused", "unsynced", "power")
_FULL, _WRITE, _FSYNC, _TRUNCATE = 13, 778, 1034, 1546  # SQLITE_FULL, SQLITE_IOERR_...
_KEPT = []
"""What SQLite may still call after its last use here."""

_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)  # SQLite keeps the pointer to the name
_WRITES = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATES = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNCS = CFUNCTYPE(c_int, c_void_p, c_int)


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("iVersion", c_int), ("szOsFile", c_int), ("mxPathname", c_int), ("pNext", c_void_p), ("zName", c_char_p),
        ("pAppData", c_void_p), ("xOpen", c_void_p), ("others", c_void_p * 15),
    )  # fmt: skip


class _Methods(ctypes.Structure):
    _fields_ = (
        ("iVersion", c_int), ("xClose", c_void_p), ("xRead", c_void_p), ("xWrite", c_void_p), ("xTruncate", c_void_p),
        ("xSync", c_void_p), ("others", c_void_p * 13),
    )  # fmt: skip


class Disk:
    """Counts writes, truncations and syncs; from number `at` on (from 0), it has the `fault`.

    "full": writes find no room. "torn": half of one write is done, and nothing afterwards. "refused": nothing is done.
    "unsynced": syncs fail. "power": as "torn", and `cut` undoes what was not synced.
    """

    def __init__(self, fault="", at=0):
        self.fault, self.at, self.count = fault, at, 0
        self.paths, self.synced = {}, {}

    def fails(self):
        self.count += 1
        return bool(self.fault) and self.count > self.at

    def cut(self):
        """Turn the power off: the files are as they were at their last sync."""
        for path in self.paths.values():
            if os.path.exists(path):
                with open(path, "r+b") as file:
                    file.truncate()
                    file.write(self.synced.get(path, b""))


@contextmanager
def faulty(disk):
    """SQLite uses `disk` for the databases that are opened inside."""
    library = ctypes.CDLL(ctypes.util.find_library("sqlite3"))
    library.sqlite3_vfs_find.restype = POINTER(_Vfs)
    sound = library.sqlite3_vfs_find(None)
    vfs = _Vfs.from_buffer_copy(sound.contents)
    vfs.zName = b"faulty"
    sound_open, tables = _OPEN(sound.contents.xOpen), {}

    def opened(_, name, file, flags, told):
        result = sound_open(ctypes.addressof(vfs), name, file, flags, told)
        methods = c_void_p.from_address(file)
        if result == 0 and methods.value:
            disk.paths[file] = os.fsdecode(ctypes.string_at(name)) if name else ""
            if methods.value not in tables:
                tables[methods.value] = _failing(disk, methods.value)
            methods.value = ctypes.addressof(tables[methods.value])
        return result

    callback = _OPEN(opened)
    vfs.xOpen = ctypes.cast(callback, c_void_p)
    _KEPT.append((vfs, callback, tables))
    assert library.sqlite3_vfs_register(ctypes.byref(vfs), 1) == 0
    try:
        yield disk
    finally:
        library.sqlite3_vfs_unregister(ctypes.byref(vfs))


def _failing(disk, address):
    """A table of methods of a file that fail as `disk` does."""
    table = _Methods.from_buffer_copy(_Methods.from_address(address))
    sound_write, sound_truncate = _WRITES(table.xWrite), _TRUNCATES(table.xTruncate)

    def write(file, data, size, offset):
        if not disk.fails() or disk.fault == "unsynced":
            return sound_write(file, data, size, offset)
        if disk.fault in ("torn", "power") and disk.count == disk.at + 1:
            sound_write(file, data, size // 2, offset)
        return _FULL if disk.fault == "full" else _WRITE

    def truncate(file, size):
        return _TRUNCATE if disk.fails() and disk.fault not in ("full", "unsynced") else sound_truncate(file, size)

    def sync(file, flags):
        if disk.fails() and disk.fault != "full":
            return _FSYNC
        # The disk of this machine is left out: a sync of it can take a second.
        with open(disk.paths[file], "rb") as content:
            disk.synced[disk.paths[file]] = content.read()
        return 0

    made = _WRITES(write), _TRUNCATES(truncate), _SYNCS(sync)
    _KEPT.append(made)
    table.xWrite, table.xTruncate, table.xSync = (ctypes.cast(one, c_void_p) for one in made)
    return table
