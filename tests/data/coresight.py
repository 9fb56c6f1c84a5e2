#!/usr/bin/env python3
"""Writes coresight-etm.data and coresight-ete.data: coresight.py LOG PROGRAM

README.md says how. LOG has the addresses of all instructions in order. Packets: Arm IHI 0064 (ETMv4), frames: IHI 0029;
layouts: perf's cs-etm.h.
"""
import re
import struct
import subprocess
import sys

import auxtrace
from auxtrace import PID, SIDEBAND, attr, long_string, record, string, trailer

FIRST = 1000000  # ns and count of the timer; an instruction takes 1 of each
STEPS = 64  # instructions, at least, between two timestamps or counts of cycles
SECTION = 9000  # instructions of a section, which an interrupt ends
IRQ, CALL = 14, 2
CYCLES, CONTEXT, TIME = 1 << 4, 1 << 6, 1 << 11


def of_seven(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def kind(word):
    """Of an instruction: '' none, 'c' conditional, 'd' direct, 'i' indirect branch."""
    if word & 0xff000010 == 0x54000000 or word & 0x7e000000 in (0x34000000, 0x36000000):
        return 'c'
    if word & 0x7c000000 == 0x14000000:
        return 'd'
    return 'i' if word & 0xff9ffc1f == 0xd61f0000 or word & 0xfffffc1f == 0xd65f0000 else ''


class Unit:
    """A trace unit: its packets."""

    def __init__(self, config):
        self.config = config
        self.out = b''
        self.atoms = []
        self.address = 0

    def flush(self):
        while self.atoms:
            size = 3 if len(self.atoms) >= 3 else 1
            bits = sum(taken << i for i, taken in enumerate(self.atoms[:size]))
            self.out += bytes([(0xf8 if size == 3 else 0xf6) | bits])
            del self.atoms[:size]

    def put_address(self, address):
        self.flush()
        low = bytes([address >> 2 & 0x7f, address >> 9 & 0x7f]) + struct.pack('<Q', address)[2:]
        if address >> 17 == self.address >> 17:
            self.out += bytes([0x95, low[0] | 0x80, address >> 9 & 0xff])
        else:
            self.out += b'\x9d' + low
        self.address = address

    def start(self, address, now):
        low = bytes([address >> 2 & 0x7f, address >> 9 & 0x7f]) + struct.pack('<Q', address)[2:]
        context = self.config & CONTEXT
        self.out += b'\0' * 11 + b'\x80\1\0\4\x85' + low + (struct.pack('<BI', 0xb0, PID) if context else b'\x30')
        self.address = address
        self.last = now
        self.put_time(now)

    def put_time(self, now):
        self.flush()
        if self.config & TIME:
            self.out += b'\2' + of_seven(now)
        if self.config & CYCLES and now > self.last:
            self.out += b'\x0e' + of_seven(now - self.last)
        self.last = now

    def stop(self, exception, address, now):
        self.flush()
        self.out += bytes([6, exception << 1 | 1])
        self.put_address(address)
        self.put_time(now)


def trace(config, code, pcs, first, stop):
    """The packets of pcs[first:stop]."""
    unit = Unit(config)
    unit.start(pcs[first], FIRST + first)
    for i in range(first, stop):
        of = kind(code[pcs[i]])
        target = pcs[i + 1] if i + 1 < len(pcs) else pcs[i] + 4
        if of:
            unit.atoms.append(int(of != 'c' or target != pcs[i] + 4))
        if of == 'i':
            unit.put_address(target)
        if of and FIRST + i + 1 - unit.last >= STEPS and i + 1 < stop:
            unit.put_time(FIRST + i + 1)
    unit.stop(CALL if stop == len(pcs) else IRQ, pcs[stop] if stop < len(pcs) else pcs[-1] + 4, FIRST + stop)
    return unit.out


def frames(number, data):
    """Data of trace number, in frames: even bytes are numbers or, without their lowest bit, data."""
    out = bytearray()
    todo = [(number << 1 | 1, True)] + [(byte, False) for byte in data]
    while todo:
        frame = bytearray(16)
        for i in range(15):
            byte, is_number = todo.pop(0) if todo else (1, True)
            if i % 2 == 0 and i < 14 and len(todo) == 0 and not is_number:
                # The number of nothing comes first, and into force behind the last byte.
                frame[i], frame[15] = 1, frame[15] | 1 << i // 2
                todo.append((byte, False))
            elif i % 2 == 0 and not is_number:
                frame[i], frame[15] = byte & 0xfe, frame[15] | (byte & 1) << i // 2
            else:
                frame[i] = byte if not is_number or i % 2 == 0 else 0
        out += frame
    return bytes(out)


def block(magic, cpu, config, number, last):
    words = [config, number, 0x28000ea1, 0x4100f422, 0x20001088, 0, 0xcc] + last
    return [magic, cpu, len(words)] + words


def sideband(build_id, info):
    file = struct.pack('<BBH', len(build_id), 0, 0) + build_id.ljust(20, b'\0')
    data = record(79, 0, struct.pack('<QQQQQBB6x', 0, 1, 0, 0, 2**64 - 1, 1, 0))
    data += record(70, 0, struct.pack('<II', 3, 0) + struct.pack('<%dQ' % len(info), *info))
    data += record(3, 1 << 13 | 2, struct.pack('<II', PID, PID) + string('traced') + trailer(2, FIRST - 9, 0))
    data += record(10, 1 << 14 | 2, struct.pack('<IIQQQ', PID, PID, 0x400000, 0x1000, 0) + file +
                   struct.pack('<II', 5, 2) + string('/usr/bin/traced') + trailer(2, FIRST - 8, 0))
    return data + record(12, 0, struct.pack('<II', PID, PID) + trailer(1, FIRST - 7, 0))


def write(path, build_id, info, sections, flags):
    """Sections: (cpu, bytes, time of the end)."""
    events = [(attr(8, 1 << 14 | 1 << 28, 1 << 18 | 1 << 5 | 1 << 6 | 1 << 13), 'cs_etm//u'),
              (attr(1, 9, SIDEBAND | 1 << 5 | 1 << 6), 'dummy:u')]
    data = sideband(build_id, info)
    buffers = {}
    for cpu, part, end in sections:
        buffer = buffers.setdefault(cpu, bytearray())
        data += record(11, 0, struct.pack('<QQQ', len(buffer), len(part), flags) + trailer(1, end, cpu))
        buffer += part
    data += record(68, 0, b'')
    index = b''
    for cpu, buffer in buffers.items():
        index += struct.pack('<QQ', auxtrace.DATA + len(data), 48)
        data += auxtrace.piece(auxtrace.padded(bytes(buffer)), 0, FIRST, cpu=cpu, idx=cpu)
    data += record(68, 0, b'')
    features = {6: long_string('aarch64'), 18: struct.pack('<Q', len(buffers)) + index}
    auxtrace.write(path, events, 'cs_etm', features, data)


def run_tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    log, program = sys.argv[1:]
    with open(log) as lines:
        pcs = [int(line.split('/')[1], 16) for line in lines if line.startswith('Trace ')]
    listing = run_tool('aarch64-linux-gnu-objdump', '-d', program)
    code = {int(a, 16): int(w, 16) for a, w in re.findall(r'^ +([0-9a-f]+):\t([0-9a-f]{8}) ', listing, re.M)}
    starts = {int(a, 16): name for a, name in re.findall(r'^([0-9a-f]+) <(\S+)>:', listing, re.M)}
    build_id = bytes.fromhex(re.search(r'Build ID: (\S+)', run_tool('aarch64-linux-gnu-readelf', '-n', program))[1])
    ends = [min(i, len(pcs)) for i in range(SECTION, len(pcs) + SECTION, SECTION)]
    spans = list(zip([0] + ends, ends))
    config = CONTEXT | TIME
    info = [1, 8 << 32 | 2, 0] + block(0x4040404040404040, 0, config, 0x10, [1]) + \
        block(0x4040404040404040, 1, config, 0x12, [1])
    write('coresight-etm.data', build_id, info,
          [(i & 1, frames(0x10 + 2 * (i & 1), trace(config, code, pcs, a, b)), FIRST + b + 1)
           for i, (a, b) in enumerate(spans)], 0)
    info = [1, 8 << 32 | 1, 0] + block(0x5050505050505050, 0, CYCLES, 0x10, [0x47705a13])
    write('coresight-ete.data', build_id, info,
          [(0, trace(CYCLES, code, pcs, a, b), FIRST + b + 1) for a, b in spans], 0x100)
    # The truth.
    sums = {}
    for i, pc in enumerate(pcs):
        name = starts[max(a for a in starts if a <= pc)]
        called = i and (code[pcs[i - 1]] & 0xfc000000 == 0x94000000 or code[pcs[i - 1]] & 0xfffffc1f == 0xd63f0000)
        one = sums.setdefault(name, [0, 0, 0])
        one[0] += 1
        one[1] += int(bool(called and pc in starts))
        one[2] += int(bool(i and not called and pc in starts and starts.get(pcs[i - 1]) != name and kind(code[pcs[i - 1]]) == 'd'))
    print(len(pcs), *sorted(sums.items()), sep='\n')


main()
