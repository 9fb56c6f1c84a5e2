"""What the scripts that write recordings of hardware traces share.

Layouts: perf's include/perf/event.h, the kernel's include/uapi/linux/perf_event.h.
"""
import struct

PID = 4242
SAMPLE_TYPE = 1 << 16 | 1 | 2 | 4 | 1 << 7  # IDENTIFIER, IP, TID, TIME, CPU
SIDEBAND = 1 << 18 | 1 << 8 | 1 << 9 | 1 << 13 | 1 << 23 | 1 << 24  # flags of the event that tells of mappings
IDS = 104  # bytes of the header
ATTRS = IDS + 2 * 8
DATA = ATTRS + 2 * 144  # where the records begin, behind two events


def attr(kind, config, flags, period=1):
    return struct.pack('<IIQQQQQ', kind, 128, config, period, SAMPLE_TYPE, 4, flags).ljust(128, b'\0')


def trailer(event, time, cpu=0, tid=PID):
    return struct.pack('<IIQIIQ', PID, tid, time, cpu, 0, event)


def record(kind, misc, body):
    return struct.pack('<IHH', kind, misc, len(body) + 8) + body


def string(text):
    text = text.encode() + b'\0'
    return text + b'\0' * (-len(text) % 8)


def long_string(text):
    text = text.encode() + b'\0'
    text += b'\0' * (-len(text) % 64)
    return struct.pack('<I', len(text)) + text


def padded(trace):
    """As perf pads it."""
    return trace + b'\0' * (-len(trace) % 8)


def piece(trace, offset, reference=0, cpu=0xffffffff, tid=0xffffffff, idx=0):
    """An AUXTRACE record and its bytes, of a CPU or a thread."""
    return struct.pack('<IHHQQQIIII', 71, 0, 48, len(trace), offset, reference, idx, tid, cpu, 0) + trace


def write(path, events, pmu, features, data):
    """Events: two pairs of attr and name; the first one traces, by the unit called pmu."""
    features = dict(features)
    features[12] = struct.pack('<II', 2, 128) + b''.join(
        event + struct.pack('<I', 1) + long_string(name) + struct.pack('<Q', i + 1)
        for i, (event, name) in enumerate(events))
    features[16] = struct.pack('<II', 1, 8) + long_string(pmu)
    table = body = b''
    for number in sorted(features):
        at = DATA + len(data) + 16 * len(features) + len(body)
        table += struct.pack('<QQ', at, len(features[number]))
        body += features[number]
    bits = sum(1 << number for number in features)
    with open(path, 'wb') as out:
        out.write(b'PERFILE2' + struct.pack('<8Q', IDS, 144, ATTRS, DATA - ATTRS, DATA, len(data), 0, 0) +
                  bits.to_bytes(32, 'little') + struct.pack('<QQ', 1, 2) +
                  b''.join(event + struct.pack('<QQ', IDS + 8 * i, 8) for i, (event, _) in enumerate(events)) +
                  data + table + body)
