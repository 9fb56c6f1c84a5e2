# Makes a recording with branch stacks without a processor that keeps them: a debugger steps through
# the program, and each 997th instruction is a sample with the branches taken before it. Run by gdb; see
# README.md. In the environment: DATA, the recording to write.
import os
import struct

import gdb

PROGRAM = "/opt/demo/demo"
BUILD_ID = bytes.fromhex("5e97f97092ddfa94e1be1cf5f104844dc4498fc0")
EVERY, DEPTH = 997, 8
STOPS = [("make_text", 8), ("count_words", 24), ("sort_entries", 8)]  # and samples behind each
TEXT, TEXT_BYTES = 0x1000, 0x1000
TYPES = {"call": 4, "ret": 6, "jmp": 2}  # PERF_BR_*; other jumps: 1


def record(kind, misc, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(string):
    return string.encode() + bytes(8 - len(string) % 8)


def pc():
    return int(gdb.parse_and_eval("$pc"))


def instruction(at):
    insn = gdb.selected_inferior().architecture().disassemble(at)[0]
    return insn["length"], insn["asm"].split()[0]


class Processor:
    """Steps, one cycle each; keeps branches, and expects them to lead where they led before."""

    def __init__(self):
        self.targets, self.known = {}, {}
        self.arrive()

    def arrive(self):
        """The program has run on: which branches it took is not known."""
        self.at, self.cycles, self.stack = pc(), 0, []

    def step(self):
        if self.at not in self.known:
            self.known[self.at] = instruction(self.at)
        length, name = self.known[self.at]
        before = self.at
        gdb.execute("stepi", to_string=True)
        self.at = pc()
        self.cycles += 1
        if self.at == before + length:
            self.targets[before] = None
            return
        hit = self.targets.get(before) == self.at
        flags = (2 if hit else 1) | min(self.cycles, 0xffff) << 4 | TYPES.get(name, 1) << 20
        self.targets[before] = self.at
        self.stack = [(before, self.at, flags)] + self.stack[:DEPTH - 1]
        self.cycles = 0


def sample(number, cpu):
    body = struct.pack("<QIIQQQ", cpu.at, 77, 77, 1000 * number, EVERY, len(cpu.stack))
    return record(9, 2, body + b"".join(struct.pack("<QQQ", *branch) for branch in cpu.stack))


def records(cpu):
    base = pc() & ~0xfff
    data = record(3, 0, struct.pack("<II", 77, 77) + text("demo"))
    data += record(10, 2 | 1 << 14, struct.pack("<IIQQQB3x20sII", 77, 77, base, TEXT_BYTES, TEXT, 20,
                                                 BUILD_ID, 5, 2) + text(PROGRAM))
    number = 0
    for function, samples in STOPS:
        gdb.execute("tbreak " + function, to_string=True)
        gdb.execute("continue", to_string=True)
        cpu.arrive()
        for number in range(number + 1, number + 1 + samples):
            for _ in range(EVERY):
                cpu.step()
            data += sample(number, cpu)
    return data


def recording(data):
    sample_type = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 8 | 1 << 11
    attr = struct.pack("<IIQQQQQIIQQQ", 0, 128, 0, EVERY, sample_type, 0, 1 << 5 | 1 << 6, 0, 0, 0, 0,
                       1 << 0 | 1 << 3 | 1 << 16)
    attr += bytes(128 - len(attr))
    head = struct.pack("<8sQQQQQQQQQ24x", b"PERFILE2", 104, 144, 104, 144, 248, len(data), 0, 0,
                       1 << 15)  # BRANCH_STACK, which is empty
    return head + attr + struct.pack("<QQ", 0, 0) + data + struct.pack("<QQ", 264 + len(data), 0)


gdb.execute("set pagination off")
gdb.execute("starti", to_string=True)
with open(os.environ["DATA"], "wb") as out:
    out.write(recording(records(Processor())))
gdb.execute("kill")
