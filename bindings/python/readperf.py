"""Recordings of Linux perf, by libreadperf; the standard library only.

    import readperf

    with readperf.Recording("perf.data") as recording:
        for record in recording:
            if record.type == readperf.SAMPLE:
                print(record["time"], record["ip"])

    for column in readperf.table("perf.data", "results").columns:
        print(column.name, column.values)

A column's values are a memoryview of the library's own array, with no object for each cell:
numpy.asarray(column.values) copies nothing. Texts are numbers of column.texts, each of which is there
once: pandas.Categorical.from_codes(column.values, column.texts). Bytes that are not UTF-8 become
surrogates in texts of records and tables: text.encode(errors="surrogateescape") gives them back.
"""

import ctypes
import os
import warnings
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_long
from ctypes import c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

SAMPLE = 9
KIND_NUMBER, KIND_TEXT, KIND_BYTES, KIND_WORDS = 1, 2, 3, 4
NUMBER, ADDRESS, SIGNED, REAL, TEXT = 1, 2, 3, 4, 5
# Settings that add to what was set before
_ADDED = {
    *("event", "comm", "binary", "symbol", "pid", "tid", "cpu", "where"),
    *("per", "tag", "metric", "root", "source_dir"),
}
COUNTS = {"lost": 1, "damaged": 2, "late": 3, "truncated": 4, "missing": 5}


class _Error(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("zero", c_int32), ("offset", c_uint64), ("text", c_char * 1024)]


class Error(Exception):
    """What the library says: kind (enum readperf_error_kind), offset (None if unknown), the text."""

    def __init__(self, error):
        super().__init__(error.text.decode(errors="replace"))
        self.kind = error.kind
        self.offset = None if error.offset == 2**64 - 1 else error.offset


class DataWarning(UserWarning):
    """Part of a recording was damaged or is missing, and so is not in its tables."""


_FUNCTIONS = {
    "version": (c_char_p, []),
    "recording_open": (c_void_p, [c_char_p, c_void_p]),
    "recording_open_fd": (c_void_p, [c_int, c_char_p, c_void_p]),
    "recording_open_memory": (c_void_p, [c_char_p, c_size_t, c_char_p, c_void_p]),
    "recording_next": (c_int, [c_void_p, POINTER(c_void_p), c_void_p]),
    "recording_close": (None, [c_void_p]),
    "recording_count": (c_uint64, [c_void_p, c_int]),
    "event_name": (c_char_p, [c_void_p]),
    "record_type": (c_uint32, [c_void_p]),
    "record_type_name": (c_char_p, [c_uint32]),
    "record_misc": (c_uint16, [c_void_p]),
    "record_size": (c_uint32, [c_void_p]),
    "record_event": (c_void_p, [c_void_p]),
    "field_name": (c_char_p, [c_int]),
    "field_kind": (c_int, [c_int]),
    "record_has": (c_int, [c_void_p, c_int]),
    "record_number": (c_int, [c_void_p, c_int, POINTER(c_uint64)]),
    "record_text": (c_char_p, [c_void_p, c_int]),
    "record_bytes": (c_void_p, [c_void_p, c_int, POINTER(c_size_t)]),
    "record_words": (c_size_t, [c_void_p, c_int, c_void_p, c_size_t]),
    "settings_create": (c_void_p, [c_void_p]),
    "settings_set": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "settings_free": (None, [c_void_p]),
    "replay_create": (c_void_p, [c_void_p, c_void_p, c_void_p]),
    "replay_apply": (c_int, [c_void_p, c_void_p, c_void_p]),
    "replay_comm": (c_char_p, [c_void_p, c_void_p]),
    "replay_chain": (c_long, [c_void_p, c_void_p, c_void_p]),
    "replay_frame_place": (c_void_p, [c_void_p, c_size_t, POINTER(c_uint64)]),
    "replay_symbols": (c_void_p, [c_void_p]),
    "replay_finish": (c_int, [c_void_p, c_void_p]),
    "replay_free": (None, [c_void_p]),
    "binary_path": (c_char_p, [c_void_p]),
    "symbols_find": (c_void_p, [c_void_p, c_void_p, c_uint64, c_void_p]),
    "symbol_function": (c_char_p, [c_void_p]),
    "table_name": (c_char_p, [c_size_t]),
    "table_read": (c_void_p, [c_void_p, c_char_p, c_void_p]),
    "table_nr_rows": (c_size_t, [c_void_p]),
    "table_nr_columns": (c_size_t, [c_void_p]),
    "table_column_type": (c_int, [c_void_p, c_size_t]),
    "table_column_name": (c_char_p, [c_void_p, c_size_t]),
    "table_column_unit": (c_char_p, [c_void_p, c_size_t]),
    "table_column_meaning": (c_char_p, [c_void_p, c_size_t]),
    "table_numbers": (POINTER(c_uint64), [c_void_p, c_size_t]),
    "table_signed": (POINTER(c_int64), [c_void_p, c_size_t]),
    "table_reals": (POINTER(c_double), [c_void_p, c_size_t]),
    "table_codes": (POINTER(c_uint32), [c_void_p, c_size_t]),
    "table_known": (POINTER(c_uint8), [c_void_p, c_size_t]),
    "table_nr_texts": (c_size_t, [c_void_p, c_size_t]),
    "table_text": (c_char_p, [c_void_p, c_size_t, c_uint32]),
    "table_free": (None, [c_void_p]),
}


class _Library:
    """The functions without their prefix."""

    def __init__(self):
        library = ctypes.CDLL("libreadperf.so.0")
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, "readperf_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


_lib = _Library()


def _fields():
    field = 1
    while name := _lib.field_name(field):
        yield name.decode(), (field, _lib.field_kind(field))
        field += 1


FIELDS = dict(_fields())


def _check(result, error):
    """The result of a function that returns NULL or less than 0 if it fails."""
    if result is None or result < 0:
        raise Error(error)
    return result


def _terminated(text):
    """A text or path as the library takes it: its bytes, which a zero would end."""
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError("embedded null byte")
    return encoded


class Record:
    """A record: its fields by name. It is valid until the next one is read: then ValueError."""

    def __init__(self, recording, handle):
        self._recording, self._number, self._address = recording, recording._number, handle

    @property
    def _handle(self):
        """Where the record is, as long as it is there."""
        self._recording._open_handle()
        if self._number != self._recording._number:
            raise ValueError("another record was read since")
        return self._address

    @property
    def type(self):
        return _lib.record_type(self._handle)

    @property
    def name(self):
        name = _lib.record_type_name(self.type)
        return name.decode() if name else None

    @property
    def misc(self):
        return _lib.record_misc(self._handle)

    @property
    def size(self):
        return _lib.record_size(self._handle)

    @property
    def event(self):
        event = _lib.record_event(self._handle)
        return _lib.event_name(event).decode(errors="surrogateescape") if event else None

    def __contains__(self, name):
        return name in FIELDS and bool(_lib.record_has(self._handle, FIELDS[name][0]))

    def __getitem__(self, name):
        """The value: a number, text, bytes or a list of numbers; KeyError if it does not have it."""
        field, kind = FIELDS[name]
        if not _lib.record_has(self._handle, field):
            raise KeyError(name)
        if kind == KIND_NUMBER:
            number = c_uint64()
            _lib.record_number(self._handle, field, byref(number))
            return number.value
        if kind == KIND_TEXT:
            return _lib.record_text(self._handle, field).decode(errors="surrogateescape")
        if kind == KIND_BYTES:
            length = c_size_t()
            start = _lib.record_bytes(self._handle, field, byref(length))
            return ctypes.string_at(start, length.value)
        words = (c_uint64 * _lib.record_words(self._handle, field, None, 0))()
        _lib.record_words(self._handle, field, words, len(words))
        return list(words)

    def get(self, name, otherwise=None):
        return self[name] if name in self else otherwise

    def items(self):
        return [(name, self[name]) for name in FIELDS if name in self]


class Recording:
    """A recording, by its path ("-": standard input), an open descriptor or its bytes.

    After close(), it and its records raise ValueError.
    """

    def __init__(self, source):
        error = _Error()
        self._handle = None
        self._number = 0  # of the record read last
        if isinstance(source, int):
            handle = _lib.recording_open_fd(source, b"descriptor", byref(error))
        elif isinstance(source, bytes):
            handle = _lib.recording_open_memory(source, len(source), b"memory", byref(error))
        else:
            handle = _lib.recording_open(_terminated(source), byref(error))
        self._handle = _check(handle, error)

    def _open_handle(self):
        if self._handle is None:
            raise ValueError("the recording is closed")
        return self._handle

    def _next(self):
        """The next record, which takes the place of the one before; None at the end."""
        error, record = _Error(), c_void_p()
        handle = self._open_handle()
        self._number += 1
        if _check(_lib.recording_next(handle, byref(record), byref(error)), error):
            return Record(self, record.value)
        return None

    def __iter__(self):
        while record := self._next():
            yield record

    def count(self, what):
        """What was lost or could not be read, known at the end; KeyError if there is no such count.

        Numbers of records: "lost" (the kernel dropped them), "damaged", "late"; numbers of bytes:
        "truncated" (of records that are not whole), "missing" (not in the file, which was cut off).
        """
        return _lib.recording_count(self._open_handle(), COUNTS[what])

    def lost(self):
        """How many records the kernel dropped, known at the end."""
        return self.count("lost")

    def close(self):
        _lib.recording_close(self._handle)
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    __del__ = close


class Column:
    """A column: name, unit, meaning, type; values and known by row; texts, if the values count them."""

    def __init__(self, table, number):
        handle, rows = table._handle, len(table)
        self._table = table  # which owns the arrays
        self.name = _lib.table_column_name(handle, number).decode()
        self.unit = _lib.table_column_unit(handle, number).decode()
        self.meaning = _lib.table_column_meaning(handle, number).decode()
        self.type = _lib.table_column_type(handle, number)
        read = {SIGNED: _lib.table_signed, REAL: _lib.table_reals, TEXT: _lib.table_codes}
        self.values = self._view(read.get(self.type, _lib.table_numbers)(handle, number), rows)
        self.known = self._view(_lib.table_known(handle, number), rows)
        self.texts = [
            _lib.table_text(handle, number, code).decode(errors="surrogateescape")
            for code in range(_lib.table_nr_texts(handle, number))
        ]

    def _view(self, pointer, rows):
        element = pointer._type_
        if not rows:
            return memoryview((element * 0)()).cast("B").cast(element._type_)
        array = ctypes.cast(pointer, POINTER(element * rows)).contents
        array._table = self._table  # as long as there are views
        return memoryview(array).cast("B").cast(element._type_)


class Table:
    """A copy of a table."""

    def __init__(self, handle):
        self._handle = handle
        self.columns = [Column(self, i) for i in range(_lib.table_nr_columns(handle))]

    def __len__(self):
        return _lib.table_nr_rows(self._handle)

    def __getitem__(self, name):
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def __del__(self):
        _lib.table_free(self._handle)


def _values(option, value):
    """What is set for this value of a setting, as the library takes it; of a list it may be several."""
    if isinstance(value, (list, tuple)):
        values = [one for element in value for one in _values(option, element)]
        return values if option in _ADDED or not values else [b",".join(values)]
    if isinstance(value, bool):
        value = "yes" if value else "no"
    return [_terminated(value if isinstance(value, (str, bytes, os.PathLike)) else str(value))]


def _warn_of_losses(recording, source):
    """Warns the caller of tables() or table() if not all of the recording was there."""
    units = {"damaged": "records", "truncated": "bytes", "missing": "bytes"}
    told = [f"{n} {unit} {what}" for what, unit in units.items() if (n := recording.count(what))]
    if told:
        name = "the recording" if isinstance(source, (int, bytes)) else os.fsdecode(source)
        warnings.warn(f"{name} is not whole: {', '.join(told)}", DataWarning, stacklevel=4)


def _read(source, names, settings):
    """As tables(), which like table() calls it directly: see _warn_of_losses()."""
    error, record = _Error(), c_void_p()
    handle = replay = None
    with Recording(source) as recording:
        try:
            handle = _check(_lib.settings_create(byref(error)), error)
            for name, value in {"tables": ",".join(names), **settings}.items():
                option = _terminated(name.replace("_", "-"))
                for one in _values(name, value):
                    _check(_lib.settings_set(handle, option, one, byref(error)), error)
            replay = _check(_lib.replay_create(recording._handle, handle, byref(error)), error)
            while _check(_lib.recording_next(recording._handle, byref(record), byref(error)), error):
                _check(_lib.replay_apply(replay, record, byref(error)), error)
            _check(_lib.replay_finish(replay, byref(error)), error)
            _warn_of_losses(recording, source)
            return [
                Table(_check(_lib.table_read(replay, _terminated(name), byref(error)), error))
                for name in names
            ]
        finally:
            _lib.replay_free(replay)
            _lib.settings_free(handle)


def tables(source, *names, **settings):
    """The tables of these names; DataWarning if part of the recording is not in them.

    A list is that many settings of one name, or, if these do not add up (time), one with commas.
    Settings are those of readperf/settings.h, with _ for -: event, comm, binary, symbol, pid, tid, cpu,
    time, where, per, tag, metric, slice, slice_by, symfs, buildid_dir, debug_dir, vmlinux, kallsyms, root,
    source_dir, demangle, inline, unwind, max_stack, debuginfod, threads.
    """
    return _read(source, names, settings)


def table(source, name, **settings):
    """The table of this name; otherwise as tables()."""
    return _read(source, (name,), settings)[0]


def version():
    return _lib.version().decode()
