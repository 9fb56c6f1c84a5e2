#!/usr/bin/env python3
"""Writes trace-cyc.data, trace-tsc.data and trace-snapshot.data: trace.py CYC-PACKETS PACKETS BUILD-ID

README.md says how. Layouts: perf's include/perf/event.h and intel-pt.h, the kernel's include/uapi/linux/perf_event.h.
"""
import struct
import sys

import auxtrace
from auxtrace import PID, SIDEBAND, attr, long_string, record, string, trailer

PSB = bytes([2, 0x82]) * 8
FIRST = 1000000  # ns and TSC
END = 10**10  # ns


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


def write(path, build_id, pieces, cyc, snapshot=False):
    events = [(attr(8, 1 | 1 << 10 | 1 << 13 | cyc << 1, 1 << 18 | 1 << 5 | 1 << 6 | 1 << 13), 'intel_pt//u'),
              (attr(1, 9, SIDEBAND | 1 << 5 | 1 << 6), 'dummy:u')]
    data = sideband(build_id, snapshot, 3 if snapshot else 0, sum(len(p[0]) for p in pieces))
    for trace, offset in pieces:
        data += auxtrace.piece(auxtrace.padded(trace), offset, FIRST, tid=PID)
    data += record(68, 0, b'')
    auxtrace.write(path, events, 'intel_pt', {6: long_string('x86_64'), 9: long_string('GenuineIntel,6,94,3')}, data)


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
