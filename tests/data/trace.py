#!/usr/bin/env python3
"""Writes trace-cyc.data, trace-tsc.data and trace-snapshot.data: trace.py CYC-PACKETS PACKETS BUILD-ID

README.md says how. Layouts: perf's include/perf/event.h and intel-pt.h, the kernel's include/uapi/linux/perf_event.h.
"""
import struct
import sys

PID = 4242
PSB = bytes([2, 0x82]) * 8
SAMPLE_TYPE = 1 << 16 | 1 | 2 | 4 | 1 << 7  # IDENTIFIER, IP, TID, TIME, CPU
FIRST = 1000000  # ns and TSC
END = 10**10  # ns


def attr(kind, config, flags):
    return struct.pack('<IIQQQQQ', kind, 128, config, 1, SAMPLE_TYPE, 4, flags).ljust(128, b'\0')


def trailer(event, time):
    return struct.pack('<IIQIIQ', PID, PID, time, 0, 0, event)


def record(kind, misc, body):
    return struct.pack('<IHH', kind, misc, len(body) + 8) + body


def string(text):
    text = text.encode() + b'\0'
    return text + b'\0' * (-len(text) % 8)


def long_string(text):
    text = text.encode() + b'\0'
    text += b'\0' * (-len(text) % 64)
    return struct.pack('<I', len(text)) + text


def sideband(build_id, snapshot, flags, size):
    info = [8, 10, 1 << 10, 0, 1, 1 << 10, 1 << 11, 0, int(snapshot), 0, 1 << 9, 0x3c000, 0, 0, 2, 20, 0, 0]
    file = struct.pack('<BBH', len(build_id), 0, 0) + build_id.ljust(20, b'\0')
    data = record(70, 0, struct.pack('<II', 1, 0) + struct.pack('<%dQ' % len(info), *info))
    data += record(3, 1 << 13 | 2, struct.pack('<II', PID, PID) + string('traced') + trailer(2, FIRST - 9))
    data += record(10, 1 << 14 | 2, struct.pack('<IIQQQ', PID, PID, 0x400000, 0x1000, 0) + file +
                   struct.pack('<II', 5, 2) + string('/usr/bin/traced') + trailer(2, FIRST - 8))
    data += record(12, 0, struct.pack('<II', PID, PID) + trailer(1, FIRST - 7))
    data += record(11, 0, struct.pack('<QQQ', 0, size, flags) + trailer(1, END))
    return data + record(68, 0, b'')


def piece(trace, offset):
    trace += b'\0' * (-len(trace) % 8)
    return struct.pack('<IHHQQQIIII', 71, 0, 48, len(trace), offset, FIRST, 0, PID, 0xffffffff, 0) + trace


def write(path, build_id, pieces, cyc, snapshot=False):
    events = [attr(8, 1 | 1 << 10 | 1 << 13 | cyc << 1, 1 << 18 | 1 << 5 | 1 << 6 | 1 << 13),
              attr(1, 9, 1 << 18 | 1 << 8 | 1 << 9 | 1 << 13 | 1 << 23 | 1 << 24 | 1 << 5 | 1 << 6)]
    names = ['intel_pt//u', 'dummy:u']
    data = sideband(build_id, snapshot, 3 if snapshot else 0, sum(len(p[0]) for p in pieces))
    for trace, offset in pieces:
        data += piece(trace, offset)
    data += record(68, 0, b'')
    features = {
        6: long_string('x86_64'),
        9: long_string('GenuineIntel,6,94,3'),
        12: struct.pack('<II', 2, 128) + b''.join(
            a + struct.pack('<I', 1) + long_string(n) + struct.pack('<Q', i + 1)
            for i, (a, n) in enumerate(zip(events, names))),
        16: struct.pack('<II', 1, 8) + long_string('intel_pt'),
    }
    ids = 104
    attrs = ids + 16
    start = attrs + 2 * 144
    table = body = b''
    for number in sorted(features):
        table += struct.pack('<QQ', start + len(data) + 16 * len(features) + len(body), len(features[number]))
        body += features[number]
    bits = sum(1 << number for number in features)
    with open(path, 'wb') as out:
        out.write(b'PERFILE2' + struct.pack('<8Q', 104, 144, attrs, 288, start, len(data), 0, 0) +
                  bits.to_bytes(32, 'little') + struct.pack('<QQ', 1, 2))
        for i, event in enumerate(events):
            out.write(event + struct.pack('<QQ', ids + 8 * i, 8))
        out.write(data + table + body)


def main():
    cyc, tsc = (open(path, 'rb').read() for path in sys.argv[1:3])
    build_id = bytes.fromhex(sys.argv[3])
    write('trace-cyc.data', build_id, [(cyc, 0)], 1)
    # Two pieces, cut in the middle of a packet.
    half = len(tsc) // 16 * 8
    write('trace-tsc.data', build_id, [(tsc[:half], 0), (tsc[half:], half)], 0)
    # Snapshots: the second one repeats the end of the first, and begins in the middle of a packet.
    psbs = [i for i in range(len(tsc)) if tsc.startswith(PSB, i)]
    one, two, three = psbs[2], psbs[4], psbs[6]
    write('trace-snapshot.data', build_id, [(tsc[:two], 0), (tsc[one - 5:three], one - 5)], 0, True)


if __name__ == '__main__':
    main()
