/*
 * tracer OUT PROGRAM: writes the Intel PT packets that a processor would write for PROGRAM, a static
 * one: for machines without Intel PT.
 *
 * It makes single steps. Each instruction takes one cycle, which is one tick of the time stamp
 * counter. With CYC=1 in the environment there are CYC packets, too, and with CBR=20 the ratio of
 * both clocks: without it, cycles are no time before the second PSB. With AT=ADDRESS in place of
 * 0x400000, the trace is that of the same code there. A PSB comes every 2 KiB.
 * "ADDRESS INSTRUCTIONS CALLS" of each address goes to the standard output: how often it was
 * executed, and how often a call led to it. What PROGRAM writes is taken for a jitdump, whose
 * JIT_CODE_LOAD get the time, as do the changes of toggled.c.
 */
#define _GNU_SOURCE
#include <intel-pt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 16 << 20, PSB_EVERY = 2048, CODE = 1 << 16, BASE = 0x400000, FIRST_TSC = 1000000 };

struct tracer {
	struct pt_encoder *to;
	uint64_t now, counted; /* cycles, and those that CYC packets tell of */
	uint64_t bits, bits_at;
	unsigned nr_bits;
	uint64_t psb_at; /* bytes */
	int cyc, ratio;
	uint64_t shift;
	unsigned executed[CODE], called[CODE];
};

static void put(struct tracer *t, struct pt_packet packet)
{
	if (pt_enc_next(t->to, &packet) < 0)
		exit(1);
}

static void put_cyc(struct tracer *t, uint64_t until)
{
	struct pt_packet cyc = {.type = ppt_cyc};

	cyc.payload.cyc.value = until - t->counted;
	t->counted = until;
	if (t->cyc && cyc.payload.cyc.value)
		put(t, cyc);
}

static void put_bits(struct tracer *t)
{
	struct pt_packet tnt = {.type = t->nr_bits <= 6 ? ppt_tnt_8 : ppt_tnt_64};

	if (!t->nr_bits)
		return;
	put_cyc(t, t->bits_at);
	tnt.payload.tnt.bit_size = (uint8_t)t->nr_bits;
	tnt.payload.tnt.payload = t->bits;
	put(t, tnt);
	t->nr_bits = 0;
	t->bits = 0;
}

static void branch(struct tracer *t, int taken)
{
	t->bits = t->bits << 1 | (uint64_t)taken;
	t->bits_at = t->now;
	if (++t->nr_bits == 47)
		put_bits(t);
}

static void put_ip(struct tracer *t, enum pt_packet_type type, uint64_t ip, enum pt_ip_compression how)
{
	struct pt_packet packet = {.type = type};

	put_bits(t);
	put_cyc(t, t->now);
	packet.payload.ip.ipc = how;
	packet.payload.ip.ip = ip + t->shift;
	put(t, packet);
}

static void put_tsc(struct tracer *t)
{
	struct pt_packet tsc = {.type = ppt_tsc};

	tsc.payload.tsc.tsc = FIRST_TSC + t->now;
	put(t, tsc);
}

static void put_psb(struct tracer *t, uint64_t ip)
{
	struct pt_packet fup = {.type = ppt_fup}, mode = {.type = ppt_mode}, cbr = {.type = ppt_cbr};

	put_bits(t);
	put_cyc(t, t->now);
	put(t, (struct pt_packet){.type = ppt_psb});
	put_tsc(t);
	cbr.payload.cbr.ratio = (uint8_t)t->ratio;
	if (t->ratio)
		put(t, cbr);
	fup.payload.ip.ipc = pt_ipc_full;
	fup.payload.ip.ip = ip + t->shift;
	put(t, fup);
	mode.payload.mode.leaf = pt_mol_exec;
	mode.payload.mode.bits.exec = pt_set_exec_mode(ptem_64bit);
	put(t, mode);
	put(t, (struct pt_packet){.type = ppt_psbend});
	pt_enc_get_offset(t->to, &t->psb_at);
}

/* Writes what the instruction @i at @ip leaves in the trace; @next comes after it. */
static void put_instruction(struct tracer *t, const uint8_t *i, uint64_t ip, uint64_t next)
{
	size_t k = 0;
	int calls;

	while (i[k] == 0x66 || i[k] == 0xf2 || i[k] == 0xf3 || i[k] == 0x2e || (i[k] & 0xf0) == 0x40)
		k++;
	calls = i[k] == 0xe8 || (i[k] == 0xff && (i[k + 1] >> 3 & 7) == 2);
	t->now++;
	t->executed[ip - BASE]++;
	t->called[next - BASE] += (unsigned)calls;
	if (i[k] >= 0x70 && i[k] < 0x80)
		branch(t, next != ip + k + 2);
	else if (i[k] == 0x0f && i[k + 1] >= 0x80 && i[k + 1] < 0x90)
		branch(t, next != ip + k + 6);
	else if (i[k] == 0xc3 || (i[k] == 0xff && (i[k + 1] >> 3 & 7u) - 2 <= 2))
		put_ip(t, ppt_tip, next, pt_ipc_sext_48);
	if (i[k] == 0x0f && i[k + 1] == 0x05) {
		put_ip(t, ppt_tip_pgd, 0, pt_ipc_suppressed);
		put_ip(t, ppt_tip_pge, next, pt_ipc_sext_48);
	}
}

/* Sets the time of a JIT_CODE_LOAD that is being written. */
static void set_time(const struct tracer *t, pid_t pid, const struct user_regs_struct *regs)
{
	if (regs->rax == 1 && (uint32_t)ptrace(PTRACE_PEEKDATA, pid, regs->rsi, 0) == 0)
		ptrace(PTRACE_POKEDATA, pid, regs->rsi + 8, FIRST_TSC + t->now);
}

static void trace(struct tracer *t, pid_t pid)
{
	struct user_regs_struct regs;
	int status;

	waitpid(pid, &status, 0);
	ptrace(PTRACE_GETREGS, pid, 0, &regs);
	put_psb(t, regs.rip);
	for (;;) {
		const uint64_t ip = regs.rip;
		uint8_t bytes[16] = {0};
		uint64_t offset;

		for (size_t i = 0; i < sizeof(bytes); i += 8) {
			long word = ptrace(PTRACE_PEEKTEXT, pid, ip + i, 0);
			memcpy(bytes + i, &word, sizeof(word));
		}
		if (bytes[0] == 0x0f && bytes[1] == 0x05)
			set_time(t, pid, &regs);
		if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) < 0 || waitpid(pid, &status, 0) < 0 ||
		    WIFEXITED(status)) {
			t->now++;
			t->executed[ip - BASE]++;
			break;
		}
		ptrace(PTRACE_GETREGS, pid, 0, &regs);
		put_instruction(t, bytes, ip, regs.rip);
		pt_enc_get_offset(t->to, &offset);
		if (offset - t->psb_at > PSB_EVERY)
			put_psb(t, regs.rip);
	}
	put_ip(t, ppt_tip_pgd, 0, pt_ipc_suppressed);
}

int main(int argc, char **argv)
{
	static struct tracer t;
	struct pt_config config;
	uint64_t size;
	FILE *out;
	pid_t pid;

	if (argc != 3)
		return 2;
	pt_config_init(&config);
	config.begin = malloc(ROOM);
	config.end = config.begin + ROOM;
	t.to = pt_alloc_encoder(&config);
	t.cyc = getenv("CYC") != NULL;
	t.ratio = getenv("CBR") ? atoi(getenv("CBR")) : 0;
	t.shift = getenv("AT") ? strtoull(getenv("AT"), NULL, 0) - BASE : 0;
	pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl(argv[2], argv[2], (char *)NULL);
		_exit(127);
	}
	trace(&t, pid);
	pt_enc_get_offset(t.to, &size);
	out = fopen(argv[1], "wb");
	fwrite(config.begin, 1, size, out);
	fclose(out);
	for (unsigned i = 0; i < CODE; i++)
		if (t.executed[i])
			printf("%x %u %u\n", BASE + i, t.executed[i], t.called[i]);
	return 0;
}
