# Makes a recording as perf c2c record does on a processor that tells of accesses to memory: two threads
# of the demo program on two CPUs, which share a line of the heap. See README.md. In the environment:
# DATA, the recording to write.
import os
import struct

PROGRAM = "/opt/demo/demo"
BUILD_ID = bytes.fromhex("5e97f97092ddfa94e1be1cf5f104844dc4498fc0")
BASE, TEXT, DATA, HEAP = 0x555555554000, 0x1000, 0x555555558000, 0x555555700000
COUNT_WORD, COMPARE, SORT = 0x1040, 0x1293, 0x12d0  # addresses in functions of the program
LOAD, STORE, HIT, MISS, L1, L3, RAM, REMOTE, HITM, LOCKED = (
    2, 4, 2 << 5, 4 << 5, 8 << 5, 0x40 << 5, 0x80 << 5, 0x400 << 5, 16 << 19, 2 << 24)
TLB = (2 | 8 | 16) << 26
# How often: thread, code, address, data_src, latency of the first, and how much longer each next is.
ACCESSES = [
    (30, 77, COUNT_WORD, HEAP + 0x100, LOAD | HIT | L1 | TLB, 5, 0),
    (9, 77, COUNT_WORD, HEAP + 0x100, LOAD | HIT | L3 | HITM | TLB, 90, 10),
    (4, 78, COMPARE, HEAP + 0x108, LOAD | HIT | REMOTE | HITM | TLB, 300, 1),
    (6, 77, COUNT_WORD, HEAP + 0x100, STORE | HIT | L1 | LOCKED | TLB, 0, 0),
    (5, 78, COMPARE, HEAP + 0x108, STORE | MISS | L1 | TLB, 0, 0),
    (3, 78, SORT, HEAP + 0x4000, LOAD | HIT | RAM | 4 << 26 | 16 << 26, 400, 100),
    (2, 78, SORT, DATA + 0x20, LOAD | HIT | L1 | TLB, 5, 1),
    (1, 78, SORT, DATA + 0x20, LOAD | 11 << 33 | 1 << 37 | 6 << 43, 700, 0),
    (1, 78, SORT, 0, LOAD | HIT | L1 | TLB, 6, 0),
    (2, 77, SORT, HEAP, 1, 0, 0)]


def record(kind, misc, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(string):
    return string.encode() + bytes(8 - len(string) % 8)


def mmap(misc, start, size, offset, name):
    """Of the program with its build id, else without a file."""
    file = struct.pack("<B3x20s", 20, BUILD_ID) if misc & 1 << 14 else bytes(24)
    return record(10, 2 | misc, struct.pack("<IIQQQ", 77, 77, start, size, offset) + file +
                  struct.pack("<II", 3, 2) + text(name))


def records():
    data = record(3, 0, struct.pack("<II", 77, 77) + text("demo"))
    data += mmap(1 << 14, BASE + TEXT, 0x1000, TEXT, PROGRAM)
    data += mmap(1 << 14 | 1 << 13, DATA, 0x1000, 0x2000, PROGRAM)
    data += mmap(1 << 13, HEAP, 0x10000, 0, "[heap]")
    time = 0
    for times, tid, code, addr, src, latency, more in ACCESSES:
        for number in range(times):
            time += 1000
            data += record(9, 2, struct.pack("<QIIQQIIQQQ", BASE + code, 77, tid, time, addr, tid - 77, 0,
                                             100, latency + number * more, src))
    return data


def recording(data):
    sample_type = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 7 | 1 << 8 | 1 << 14 | 1 << 15
    attr = struct.pack("<IIQQQQQ", 4, 128, 0x1cd, 100, sample_type, 0, 1 << 5 | 1 << 6)
    attr += bytes(128 - len(attr))
    head = struct.pack("<8sQQQQQQQQ32x", b"PERFILE2", 104, 144, 104, 144, 248, len(data), 0, 0)
    return head + attr + struct.pack("<QQ", 0, 0) + data


with open(os.environ["DATA"], "wb") as out:
    out.write(recording(records()))
