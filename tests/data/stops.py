# Makes a recording of an arm64 program without such a machine: stops of it in an emulator, each a
# sample with the registers and the stack. Run by gdb; see README.md. In the environment: DATA, the
# recording to write, CHAINS, a file for gdb's own call chains.
import os
import struct

import gdb

STACK = 2048
PROGRAM = "/opt/stacks/stacks-arm64"
BASE = 0x400000  # address of its byte 0
REGS = ["x%d" % i for i in range(31)] + ["sp", "pc"]
# Where to stop, how often to pass by before, and steps from one stop to the next.
STOPS = [("main", 0, [1]), ("spin", 0, [0, 1, 40]), ("variable", 1, [0, 5, 3]), ("apply", 0, [2]),
         ("tick", 3, [0, 1]), ("recurse", 30, [0, 2, 2]), ("handler", 0, [0, 1, 30])]


def read(address, size):
    """The bytes from address on, as far as there are any."""
    data = b""
    while len(data) < size:
        try:
            data += bytes(gdb.selected_inferior().read_memory(address + len(data), 8))
        except gdb.MemoryError:
            break
    return data


def record(kind, misc, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(string):
    return string.encode() + bytes(8 - len(string) % 8)


def is_trampoline(pc):
    """mov x8, #139; svc #0"""
    return read(pc, 8) == bytes.fromhex("681180d2010000d4")


def frames():
    """Without those that gdb makes up for inlined functions and jumps to functions."""
    frame = gdb.newest_frame()
    while frame:
        if frame.type() in (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME):
            yield frame.pc()
        frame = frame.older()


def chain(trampolines):
    """Places as byte offsets in the binary; calls, not where they return to."""
    places, exact = [], True
    for pc in frames():
        is_one = is_trampoline(pc)
        if is_one:
            trampolines.append(pc)
        place = pc if exact or is_one else pc - 1
        places.append(4096 + pc % 4096 if is_one else place - BASE)
        exact = is_one
    return places


def sample(pid, trampolines):
    regs = [int(gdb.parse_and_eval("(unsigned long)$" + reg)) for reg in REGS]
    stack = read(regs[31], STACK)
    places = chain(trampolines)
    body = struct.pack("<QIIQQ", regs[32], pid, pid, 1000000 * (1 + chain.count), 1)
    body += struct.pack("<Q33Q", 2, *regs)
    body += struct.pack("<Q", STACK) + stack.ljust(STACK, b"\0") + struct.pack("<Q", len(stack))
    chain.count += 1
    return record(9, 2, body), places


def segments():
    """(address, size, offset) of what is executable."""
    image = open(PROGRAM, "rb").read()
    start, = struct.unpack_from("<Q", image, 32)
    number, = struct.unpack_from("<H", image, 56)
    for i in range(number):
        kind, flags, offset, address, _, size = struct.unpack_from("<IIQQQQ", image, start + 56 * i)
        if kind == 1 and flags & 1:
            yield address & -4096, size + address % 4096, offset & -4096


def mapping(pid, address, size, offset, path, build_id=None):
    body = struct.pack("<IIQQQ", pid, pid, address, -(-size // 4096) * 4096, offset)
    if build_id:
        body += struct.pack("<B3x20s", len(build_id), build_id)
    else:
        body += bytes(24)
    return record(10, 2 | (0x4000 if build_id else 0), body + struct.pack("<II", 5, 2) + text(path))


def build_id():
    image = open(PROGRAM, "rb").read()
    at = image.index(b"\x14\0\0\0\3\0\0\0GNU\0")
    return image[at + 12:at + 32]


def write(path, records):
    sample_type = 1 | 2 | 4 | 256 | 1 << 12 | 1 << 13
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1, sample_type, 0, 1 | 1 << 5)
    attr += struct.pack("<IIQQQQIIQIHH", 0, 0, 0, 0, 0, (1 << 33) - 1, STACK, 0, 0, 0, 0, 0)
    attr = attr.ljust(128, b"\0") + bytes(16)
    data = b"".join(records)
    arch = struct.pack("<I64s", 64, b"aarch64")
    at = 104 + len(attr)
    header = b"PERFILE2" + struct.pack("<8Q", 104, 144, 104, 144, at, len(data), 0, 0)
    header += struct.pack("<4Q", 1 << 6, 0, 0, 0)
    section = struct.pack("<QQ", at + len(data) + 16, len(arch))
    open(path, "wb").write(header + attr + data + section + arch)


def run():
    samples, chains, trampolines = [], [], []
    chain.count = 0
    for command in ["set pagination off", "set confirm off", "file " + PROGRAM,
                    "set backtrace past-main on", "set backtrace past-entry on",
                    "handle SIGUSR1 nostop noprint pass", "target remote localhost:1234"]:
        gdb.execute(command, to_string=True)
    for function, passes, steps in STOPS:
        stop = gdb.Breakpoint("*" + function)
        stop.silent = True
        stop.ignore_count = passes
        gdb.execute("continue", to_string=True)
        stop.delete()
        for step in steps:
            if step:
                gdb.execute("stepi %d" % step, to_string=True)
            one, places = sample(7, trampolines)
            samples.append(one)
            chains.append(places)
    maps = [mapping(7, *segment, PROGRAM, build_id()) for segment in segments()]
    for page in {pc & -4096 for pc in trampolines}:
        # The emulator's page begins with the trampoline; a kernel's has a word before it.
        maps.append(mapping(7, page - 4096, 8192, 0, "[vdso]"))
    write(os.environ["DATA"], [record(3, 0, struct.pack("<II", 7, 7) + text("stacks"))] + maps + samples)
    with open(os.environ["CHAINS"], "w") as out:
        for places in chains:
            out.write(" ".join("%x" % place for place in places) + "\n")
    gdb.execute("kill", to_string=True)


run()
