# Makes a recording of raw codes on a Skylake server: two spellings of one event, and one with a name
# that somebody gave. See README.md. In the environment: DATA, the recording to write.
import os
import struct

EVENTS = [("r01d1:u", 0x1d1, 60), ("cpu/event=0xd1,umask=0x1/u", 0x1d1, 30), ("cpu/event=0xc0,cmask=2/u", 0x20000c0, 20),
          ("stalls:u", 0x140014a3, 10), ("r00ff:u", 0xff, 1)]
SAMPLE_TYPE = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 8  # identifier, ip, tid, time, period
EVENT_DESC, CPUID = 12, 9


def record(kind, misc, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(string):
    return string.encode() + bytes(8 - len(string) % 8)


def counted(string):
    padded = string.encode() + bytes(64 - len(string) % 64)
    return struct.pack("<I", len(padded)) + padded


def attr(config):
    flags = 1 << 5 | 1 << 6 | 1 << 18  # not of the kernel or a hypervisor; sample_id_all
    return struct.pack("<IIQQQQQ", 4, 128, config, 1000, SAMPLE_TYPE, 0, flags).ljust(128, bytes(1))


def records():
    data = record(3, 0, struct.pack("<II", 77, 77) + text("demo") + struct.pack("<IIQQ", 77, 77, 0, 1))
    for number, (_, _, samples) in enumerate(EVENTS):
        for i in range(samples):
            data += record(9, 2, struct.pack("<QQIIQQ", number + 1, 0x401000 + 16 * i, 77, 77,
                                             1000 * number + i + 1, 1000))
    return data


def event_desc():
    section = struct.pack("<II", len(EVENTS), 128)
    for number, (name, config, _) in enumerate(EVENTS):
        section += attr(config) + struct.pack("<I", 1) + counted(name) + struct.pack("<Q", number + 1)
    return section


def recording():
    ids_at = 104
    attrs_at = ids_at + 8 * len(EVENTS)
    ids = b"".join(struct.pack("<Q", number + 1) for number in range(len(EVENTS)))
    attrs = b"".join(attr(config) + struct.pack("<QQ", ids_at + 8 * number, 8)
                     for number, (_, config, _) in enumerate(EVENTS))
    data = records()
    data_at = attrs_at + len(attrs)
    sections = [counted("GenuineIntel,6,85,4"), event_desc()]
    at = data_at + len(data) + 16 * len(sections)
    table = b""
    for section in sections:
        table += struct.pack("<QQ", at, len(section))
        at += len(section)
    head = struct.pack("<8sQQQQQQQQQ24x", b"PERFILE2", 104, 144, attrs_at, len(attrs), data_at, len(data), 0, 0,
                       1 << CPUID | 1 << EVENT_DESC)
    return head + ids + attrs + data + table + b"".join(sections)


with open(os.environ["DATA"], "wb") as out:
    out.write(recording())
