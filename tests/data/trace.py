#!/usr/bin/env python3
"""Writes trace-cyc.data, trace-tsc.data and trace-snapshot.data: trace.py CYC-PACKETS PACKETS BUILD-ID,
trace-jit.data: trace.py JIT-PACKETS BUILD-ID, or trace-kernel.data: trace.py --kernel PACKETS BUILD-ID

README.md says how. Layouts: perf's include/perf/event.h and intel-pt.h, the kernel's include/uapi/linux/perf_event.h.
"""
import struct
import sys

import auxtrace
from auxtrace import PID, SIDEBAND, attr, long_string, record, string, trailer

PSB = bytes([2, 0x82]) * 8
FIRST = 1000000  # ns and TSC
END = 10**10  # ns
KERNEL = 0xffffffff83000000
SWITCH = FIRST + 20000


def mapped(address, name, build_id=b'', pid=PID, mode=2, offset=0):
    """A page of a file with code."""
    file = struct.pack('<BBH', len(build_id), 0, 0) + build_id.ljust(20, b'\0')
    return record(10, (1 << 14 if build_id else 0) | mode,
                  struct.pack('<iiQQQ', pid, max(pid, 0), address, 0x1000, offset) + file +
                  struct.pack('<II', 5, 2) + string(name) + trailer(2, FIRST - 8))


def sideband(build_id, snapshot, flags, size, name='traced', more=b'', first=b'', cpu=0):
    info = [8, 10, 1 << 10, 0, 1, 1 << 10, 1 << 11, 3 * cpu, int(snapshot), cpu, 1 << 9, 0x3c000, 0, 0, 2, 20, 0, 0]
    data = record(70, 0, struct.pack('<II', 1, 0) + struct.pack('<%dQ' % len(info), *info))
    data += record(3, 1 << 13 | 2, struct.pack('<II', PID, PID) + string(name) + trailer(2, FIRST - 9))
    data += (first or mapped(0x400000, '/usr/bin/' + name, build_id)) + more
    data += record(12, 0, struct.pack('<II', PID, PID) + trailer(1, FIRST - 7))
    data += record(11, 0, struct.pack('<QQQ', 0, size, flags) + trailer(1, END))
    return data + record(68, 0, b'')


def write_data(path, data, pieces, cyc, name='intel_pt//u', flags=1 << 5, **of):
    events = [(attr(8, 1 | 1 << 10 | 1 << 13 | cyc << 1, 1 << 18 | flags | 1 << 6 | 1 << 13), name),
              (attr(1, 9, SIDEBAND | 1 << 5 | 1 << 6), 'dummy:u')]
    for trace, offset in pieces:
        data += auxtrace.piece(auxtrace.padded(trace), offset, FIRST, **(of or {'tid': PID}))
    data += record(68, 0, b'')
    auxtrace.write(path, events, 'intel_pt', {6: long_string('x86_64'), 9: long_string('GenuineIntel,6,94,3')}, data)


def write(path, build_id, pieces, cyc, snapshot=False):
    size = sum(len(p[0]) for p in pieces)
    write_data(path, sideband(build_id, snapshot, 3 if snapshot else 0, size), pieces, cyc)


def write_jit(path, build_id, trace):
    """The jitdump has counts of the TSC, which are ns."""
    clock = record(79, 0, struct.pack('<QQQQQBB6x', 0, 1, 0, 0, 2**64 - 1, 1, 0))
    dump = mapped(0x7f0000000000, '/tmp/jit-%d.dump' % PID)
    write_data(path, clock + sideband(build_id, False, 0, len(trace), 'jitted', dump), [(trace, 0)], 1)


def pokes(changes):
    """TEXT_POKE records of what toggled.c writes."""
    data = b''
    for at in range(0, len(changes), 38):
        _, _, time, address, old, new = struct.unpack_from('<IIQQHH', changes, at)
        body = struct.pack('<QHH', address - 0x400000 + KERNEL, old, new) + changes[at + 28:at + 38]
        data += record(20, 1, body.ljust(24, b'\0') + trailer(2, time))
    return data


def write_pokes(path, build_id, trace, changes):
    kernel = mapped(KERNEL, '[kernel.kallsyms]_start', build_id, -1, 1, KERNEL + 0x1d0)
    data = sideband(build_id, False, 0, len(trace), first=kernel, more=pokes(changes), cpu=1)
    write_data(path, data, [(trace, 0)], 1, 'intel_pt//k', 1 << 4, cpu=0)


def write_kernel(path, build_id, trace):
    """The kernel is 32 MB behind where its file has it. Another thread goes on with its code."""
    kernel = mapped(KERNEL, '[kernel.kallsyms]_start', build_id, -1, 1, KERNEL + 0x1e0)
    other = record(3, 1 << 13 | 2, struct.pack('<II', PID + 1, PID + 1) + string('other') + trailer(2, FIRST - 6))
    switch = record(15, 1 << 13, struct.pack('<II', PID + 1, PID + 1) + trailer(2, SWITCH))
    data = sideband(build_id, False, 0, len(trace), first=kernel, more=other, cpu=1) + switch
    write_data(path, data, [(trace, 0)], 1, 'intel_pt//k', 1 << 4, cpu=0)


def main():
    build_id = bytes.fromhex(sys.argv[-1])
    if sys.argv[1] == '--kernel':
        write_kernel('trace-kernel.data', build_id, open(sys.argv[2], 'rb').read())
        return
    if sys.argv[1] == '--pokes':
        write_pokes('trace-pokes.data', build_id, *(open(path, 'rb').read() for path in sys.argv[2:4]))
        return
    if len(sys.argv) == 3:
        write_jit('trace-jit.data', build_id, open(sys.argv[1], 'rb').read())
        return
    cyc, tsc = (open(path, 'rb').read() for path in sys.argv[1:3])
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
