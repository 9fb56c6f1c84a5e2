#!/usr/bin/env python3
"""Writes spe.data, an Arm SPE recording of two CPUs: spe.py

README.md says what is in it. Layouts: the Arm Architecture Reference Manual, perf's arm-spe.h, the kernel's
include/uapi/linux/perf_event.h.
"""
import struct

from auxtrace import PID, SIDEBAND, attr, long_string, piece, record, string, trailer, write

OTHER = 4243
BUILD_ID = bytes.fromhex('a2c7bb6370e7e5a6d45884ba5ea121a2faa1d9cd')
SPIN, RECURSE, APPLY, SINK, KERNEL = 0x4002d0, 0x400340, 0x4004e0, 0x41ffe8, 0xff800008081000
OTHERS, MEMORY, BRANCH = 0x48, 0x49, 0x4a
RETIRED, L1D, L1D_MISS, TLB, WALK, WRONG, LLC, LLC_MISS, REMOTE = 2, 4, 8, 16, 32, 128, 256, 512, 1024
L1, PEER, FAR, RAM = 0, 9, 13, 14  # sources of data of a Neoverse N2
START = 1 << 56  # ticks of a timer of 25 MHz; the packets have 56 bits of it
clock = 0


def address(index, value):
    return bytes([0xb0 | index]) + struct.pack('<Q', value)


def counter(index, cycles):
    return bytes([0x98 | index]) + struct.pack('<H', cycles)


def timestamp():
    global clock
    clock += 25
    return bytes([0x71]) + struct.pack('<Q', clock)


def operation(ip, header, subclass, events, latency, data=None, source=None, target=None, tid=None, level=0):
    level = level and 1 << 63 | level << 61
    out = address(0, ip | level)
    if tid:
        out += bytes([0x65]) + struct.pack('<I', tid)
    out += bytes([header, subclass])
    out += bytes([0x62]) + struct.pack('<I', events) + counter(0, latency) + counter(1, latency // 2)
    if data:
        out += address(2, 0xb4 << 56 | data) + address(3, 1 << 63 | data & 0xfff) + counter(2, 1)
    if source is not None:
        out += bytes([0x43, source])
    if target:
        out += address(1, target)
    out += timestamp()
    return out + b'\0' * (-len(out) % 64)


def first_cpu():
    """Its records tell of threads. It is cut in the middle of a record."""
    out = b'\x21\0' + b'\0' * 2  # up to a multiple of 4
    for i in range(12):
        out += operation(SPIN, MEMORY, 0, RETIRED | L1D | TLB, 4 + i % 3, SINK, L1, tid=PID)
    for i in range(6):
        out += operation(SPIN + 4, MEMORY, 0, RETIRED | L1D | L1D_MISS | TLB | WALK, 300 + 20 * i, 0x7f00 + 64 * i,
                         RAM, tid=OTHER)
    for i in range(5):
        out += operation(APPLY, BRANCH, 1, RETIRED | (WRONG if i < 2 else 0), 3, target=RECURSE, tid=PID)
    for i in range(3):
        out += operation(KERNEL, OTHERS, 0, RETIRED, 1, tid=PID, level=2)
    return out[:1000], out[1000:]


def second_cpu():
    """Its records do not: threads switch. Its second piece leaves a gap, and has bytes that are no packets."""
    out = b''
    for i in range(4):
        out += operation(RECURSE, MEMORY, 0, RETIRED | L1D | L1D_MISS, 90, SINK, PEER)
    out += operation(RECURSE, MEMORY, 0, RETIRED | L1D | L1D_MISS | LLC | LLC_MISS | REMOTE, 700, SINK, FAR)
    for i in range(4):
        out += operation(APPLY + 8, MEMORY, 1, RETIRED | L1D | (L1D_MISS if i == 3 else 0) | TLB, 8, SINK + 4)
    # An extended header: a counter of another version.
    out += b'\x21\x98\7\0' + operation(APPLY, OTHERS, 0x08, RETIRED, 2)
    first = out + operation(SPIN, MEMORY, 0, RETIRED, 1, SINK)[:20]
    second = operation(SPIN, MEMORY, 0, RETIRED, 1, SINK, L1)[21:]
    second += operation(SPIN, MEMORY, 0, RETIRED | L1D, 5, SINK, L1)
    second += b'\xff\xff\xff' + operation(SPIN, MEMORY, 0, RETIRED | L1D, 5, SINK, L1)
    return first + b'\0' * (-len(first) % 8), second + b'\0' * (-len(second) % 8)


def switch(cpu, time, tid):
    return record(14, 0, trailer(2, time, cpu, tid))


def aux(cpu, offset, size, flags, time):
    return record(11, 0, struct.pack('<QQQ', offset, size, flags) + trailer(1, time, cpu))


def records():
    one, two = first_cpu(), second_cpu()
    info = [2, 4, 8, 2]
    for cpu in range(2):
        info += [0x1010101010101010, cpu, 4, 0x410fd490, 8, 1024, 0]
    zero = (1000000 - START * 40) % 2**64
    data = record(79, 0, struct.pack('<5Q2B6x', 10, 40 << 10, zero, START, 2**56 - 1, 1, 1))
    data += record(70, 0, struct.pack('<II', 4, 0) + struct.pack('<%dQ' % len(info), *info))
    data += record(1, 1, struct.pack('<IIQQQ', 2**32 - 1, 0, 0xffff800008000000, 0x1000000, 0xffff800008000000) +
                   string('[kernel.kallsyms]_text') + trailer(2, 0))
    data += record(3, 1 << 13 | 2, struct.pack('<II', PID, PID) + string('stacks') + trailer(2, 1000))
    file = struct.pack('<BBH', len(BUILD_ID), 0, 0) + BUILD_ID
    for start, length, offset, prot in (0x400000, 0x1000, 0, 5), (0x41f000, 0x2000, 0xf000, 3):
        data += record(10, (1 << 14 if prot == 5 else 3 << 13) | 2,
                       struct.pack('<IIQQQ', PID, PID, start, length, offset) + file +
                       struct.pack('<II', prot, 2) + string('/opt/stacks/stacks-arm64') + trailer(2, 1001))
    data += record(7, 0, struct.pack('<IIIIQ', PID, PID, OTHER, PID, 1002) + trailer(2, 1002))
    data += record(12, 0, struct.pack('<II', PID, PID) + trailer(1, 1003, 1))
    data += switch(1, 1030000, OTHER)
    data += aux(0, 0, len(one[0]) + len(one[1]), 8, 2000000)
    data += aux(1, 0, len(two[0]), 0, 2000000) + aux(1, 4096, len(two[1]), 1 | 4, 2000001)
    data += record(68, 0, b'')
    for cpu, trace, offset in (0, one[0], 0), (1, two[0], 0), (0, one[1], len(one[0])), (1, two[1], 4096):
        data += piece(trace, offset, cpu=cpu, idx=cpu)
    return data + record(68, 0, b'')


write('spe.data', [(attr(8, 1 | 2, 1 << 18 | 1 << 6, 1024), 'arm_spe_0/ts_enable=1,pa_enable=1/'),
                   (attr(1, 9, SIDEBAND, 1024), 'dummy:u')],
      'arm_spe_0', {6: long_string('aarch64'), 9: long_string('0x00000000410fd490')}, records())
