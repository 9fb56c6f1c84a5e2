/*
 * An Intel PT trace that is followed through known code tells the same as the library does: traces
 * of random programs, with all that may come between branches, some of them damaged.
 */
#include "decode/trace/ptdecode.h"
#include "decode/trace/ptfollow.h"
#include "decode/trace/ptlibrary.h"

#include "tests/support/machine.h"
#include "tests/support/suite.h"
#include "util/tempfile.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BASE = 0x400000,
	CODE_BYTES = 2048,
	TRACE_BYTES = 1 << 15,
	TRACE_ROOM = TRACE_BYTES + 256,
	CALLS = 64,
	TOLD_MAX = 1 << 16,
	STREAMS = 256,
};

/* ---- a program ---- */

enum instruction {
	NOTHING,
	CONDITIONAL,
	JUMP,
	CALL,
	CALL_NEXT,
	RETURN,
	CALL_BY_REGISTER,
	JUMP_BY_REGISTER,
	SYSTEM_CALL,
	SYSTEM_RETURN,
	PAGES,
};

static const struct form {
	uint8_t bytes[7];
	uint8_t size, distance; /* distance: bytes of it at the end */
	uint8_t instruction;
	uint8_t weight;
} forms[] = {
	{{0x90}, 1, 0, NOTHING, 12},			  /* nop */
	{{0x66, 0x90}, 2, 0, NOTHING, 6},		  /* nop */
	{{0xb8, 1, 2, 3, 4}, 5, 0, NOTHING, 6},		  /* mov $0x4030201,%eax */
	{{0x0f, 0x85, 0, 0, 0, 0}, 6, 4, CONDITIONAL, 3}, /* jne */
	{{0x74, 0}, 2, 1, CONDITIONAL, 4},		  /* je */
	{{0xe2, 0}, 2, 1, CONDITIONAL, 1},		  /* loop */
	{{0x67, 0xe3, 0}, 3, 1, CONDITIONAL, 1},	  /* jecxz */
	{{0xe9, 0, 0, 0, 0}, 5, 4, JUMP, 1},		  /* jmp */
	{{0xeb, 0}, 2, 1, JUMP, 1},			  /* jmp */
	{{0xe8, 0, 0, 0, 0}, 5, 4, CALL, 3},		  /* call */
	{{0xe8, 0, 0, 0, 0}, 5, 0, CALL_NEXT, 1},	  /* call of what comes next */
	{{0xc3}, 1, 0, RETURN, 3},			  /* ret */
	{{0xc2, 8, 0}, 3, 0, RETURN, 1},		  /* ret $8 */
	{{0x41, 0xff, 0xd2}, 3, 0, CALL_BY_REGISTER, 1},  /* call *%r10 */
	{{0x3e, 0xff, 0xe0}, 3, 0, JUMP_BY_REGISTER, 1},  /* notrack jmp *%rax */
	{{0x0f, 0x05}, 2, 0, SYSTEM_CALL, 1},		  /* syscall */
	{{0x48, 0xcf}, 2, 0, SYSTEM_RETURN, 1},		  /* iretq */
	{{0x0f, 0x22, 0xd8}, 3, 0, PAGES, 1},		  /* mov %rax,%cr3 */
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

struct program {
	uint8_t code[CODE_BYTES];
	const struct form *at[CODE_BYTES]; /* NULL: no instruction begins here */
	uint16_t starts[CODE_BYTES];	   /* where instructions begin */
	uint16_t targets[CODE_BYTES];	   /* of direct branches */
	size_t nr;
};

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % below;
}

static const struct form *draw_form(uint64_t *seed)
{
	uint32_t all = 0, at;

	for (size_t i = 0; i < FORMS; i++)
		all += forms[i].weight;
	at = draw(seed, all);
	for (size_t i = 0; i < FORMS; i++) {
		if (at < forms[i].weight)
			return &forms[i];
		at -= forms[i].weight;
	}
	return NULL;
}

/* The start of an instruction that a distance of so many @bytes reaches from @from. */
static uint16_t draw_target(const struct program *program, uint64_t *seed, size_t from, int bytes)
{
	size_t to;

	do
		to = program->starts[draw(seed, (uint32_t)program->nr)];
	while (bytes == 1 && (to + 127 < from || to > from + 127));
	return (uint16_t)to;
}

static void write_program(struct program *program, uint64_t *seed)
{
	size_t at = 0;

	memset(program, 0, sizeof(*program));
	while (at + 16 < CODE_BYTES) {
		const struct form *form = draw_form(seed);

		memcpy(program->code + at, form->bytes, sizeof(form->bytes));
		program->at[at] = form;
		program->starts[program->nr++] = (uint16_t)at;
		at += form->size;
	}
	/* At the end it goes back to the start. */
	program->at[at] = &forms[7];
	memcpy(program->code + at, forms[7].bytes, sizeof(forms[7].bytes));
	program->starts[program->nr++] = (uint16_t)at;
	for (size_t i = 0; i < program->nr; i++) {
		const struct form *form;
		int32_t distance;
		size_t end;

		at = program->starts[i];
		form = program->at[at];
		end = at + form->size;
		program->targets[at] = form->distance
					       ? draw_target(program, seed, end, form->distance)
					       : (uint16_t)end;
		distance = (int32_t)program->targets[at] - (int32_t)end;
		memcpy(program->code + end - form->distance, &distance, form->distance);
	}
}

/* ---- its trace ---- */

struct trace {
	uint8_t bytes[TRACE_ROOM];
	size_t nr, psb;	    /* bytes, and where the last PSB begins */
	uint64_t tsc, bits; /* of the branches that were not written yet, of which there are: */
	unsigned nr_bits;
	bool compresses; /* returns */
	bool overflows, stops, is_kernel;
	bool ticks, has_cycles; /* it has MTC, CYC */
	uint8_t mtc;
	size_t ip;
	uint16_t calls[CALLS];
	unsigned nr_calls;
	uint64_t seed;
};

static void put(struct trace *trace, const void *bytes, size_t len)
{
	if (trace->nr + len > TRACE_ROOM)
		ck_abort_msg("the trace is too long");
	memcpy(trace->bytes + trace->nr, bytes, len);
	trace->nr += len;
}

static void put_cycles(struct trace *trace)
{
	const uint8_t byte = (uint8_t)(draw(&trace->seed, 32) << 3 | 3);
	const uint8_t two[] = {7 | 0xf8, 4};

	if (trace->has_cycles && draw(&trace->seed, 4))
		put(trace, &byte, 1);
	else if (trace->has_cycles && draw(&trace->seed, 8) == 0)
		put(trace, two, 2);
}

/* What tells the time, between other packets. */
static void put_time(struct trace *trace)
{
	uint8_t mtc[] = {0x59, 0}, cbr[] = {0x02, 0x03, 20, 0}, pad = 0;

	if (trace->ticks && draw(&trace->seed, 3) == 0) {
		mtc[1] = ++trace->mtc;
		put(trace, mtc, 2);
	}
	if (draw(&trace->seed, 40) == 0) {
		cbr[2] = (uint8_t)(10 + draw(&trace->seed, 20));
		put(trace, cbr, 4);
	}
	if (draw(&trace->seed, 20) == 0)
		put(trace, &pad, 1);
	put_cycles(trace);
}

static void put_tsc(struct trace *trace)
{
	uint8_t tsc[8] = {0x19}, tma[7] = {0x02, 0x73};

	trace->tsc += 1000 + draw(&trace->seed, 100000);
	memcpy(tsc + 1, &trace->tsc, 7);
	put(trace, tsc, 8);
	tma[2] = trace->mtc = (uint8_t)draw(&trace->seed, 256);
	if (trace->ticks)
		put(trace, tma, 7);
}

static void put_bits(struct trace *trace)
{
	const uint64_t bits = trace->bits | (uint64_t)1 << trace->nr_bits;
	uint8_t tnt[8] = {0x02, 0xa3};

	if (!trace->nr_bits)
		return;
	put_time(trace);
	memcpy(tnt + 2, &bits, 6);
	if (trace->nr_bits <= 6)
		tnt[0] = (uint8_t)(bits << 1);
	put(trace, tnt, trace->nr_bits <= 6 ? 1 : 8);
	trace->nr_bits = 0;
	trace->bits = 0;
}

static void put_bit(struct trace *trace, bool taken)
{
	trace->bits = trace->bits << 1 | taken;
	if (++trace->nr_bits == 47 || draw(&trace->seed, 5) == 0)
		put_bits(trace);
}

/* A packet with the address of the instruction at @at. */
static void put_ip(struct trace *trace, uint8_t kind, size_t at)
{
	static const uint8_t sizes[] = {2, 4, 6, 8}, ways[] = {1, 2, 3, 6};
	const uint64_t ip = BASE + at;
	uint8_t packet[9];
	uint32_t way = draw(&trace->seed, 4);

	if (kind == 0x11 || kind == 0x1d) /* the last address may be unknown */
		way |= 2;
	put_bits(trace);
	put_time(trace);
	packet[0] = (uint8_t)(ways[way] << 5 | kind);
	memcpy(packet + 1, &ip, 8);
	put(trace, packet, 1u + sizes[way]);
}

enum { TIP = 0x0d, PGE = 0x11, FUP = 0x1d };

static void put_off(struct trace *trace)
{
	const uint8_t pgd = 0x01;

	put_bits(trace);
	put_time(trace);
	put(trace, &pgd, 1);
}

static void put_mode(struct trace *trace)
{
	put(trace, "\x99\x01", 2);
}

static void put_on(struct trace *trace, size_t at)
{
	if (draw(&trace->seed, 2))
		put_tsc(trace);
	if (draw(&trace->seed, 2))
		put_mode(trace);
	put_ip(trace, PGE, at);
	trace->ip = at;
}

static void put_psb(struct trace *trace, bool is_on)
{
	static const uint8_t psb[] = {2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				      2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82};
	uint8_t fup[9] = {0xdd};
	const uint64_t ip = BASE + trace->ip;

	put_bits(trace);
	trace->psb = trace->nr;
	put(trace, psb, 16);
	if (draw(&trace->seed, 8))
		put_tsc(trace);
	if (draw(&trace->seed, 4))
		put(trace, "\x02\x03\x14\0", 4);
	if (draw(&trace->seed, 8) == 0)
		put(trace, "\x02\x43\1\2\3\4\5\6", 8); /* PIP */
	if (draw(&trace->seed, 16))
		put_mode(trace);
	if (draw(&trace->seed, 8) == 0)
		put(trace, "\x99\x20", 2); /* MODE.TSX */
	memcpy(fup + 1, &ip, 8);
	if (is_on)
		put(trace, fup, 9);
	put(trace, "\x02\x23", 2);
	trace->nr_calls = 0;
}

/* ---- execution ---- */

static size_t draw_start(struct trace *trace, const struct program *program)
{
	return program->starts[draw(&trace->seed, (uint32_t)program->nr)];
}

static void push(struct trace *trace, size_t at)
{
	if (trace->nr_calls == CALLS)
		memmove(trace->calls, trace->calls + 1,
			sizeof(trace->calls[0]) * --trace->nr_calls);
	trace->calls[trace->nr_calls++] = (uint16_t)at;
}

static void go_back(struct trace *trace, const struct program *program)
{
	if (trace->nr_calls && trace->compresses && draw(&trace->seed, 10)) {
		trace->ip = trace->calls[--trace->nr_calls];
		put_bit(trace, true);
		return;
	}
	trace->ip = draw_start(trace, program);
	put_ip(trace, TIP, trace->ip);
}

/* Where the kernel is not traced, it is off meanwhile. */
static void go_far(struct trace *trace, const struct program *program)
{
	if (draw(&trace->seed, 4)) {
		put_off(trace);
		if (draw(&trace->seed, 6) == 0)
			put_psb(trace, false);
		put_on(trace, draw_start(trace, program));
		return;
	}
	trace->ip = draw_start(trace, program);
	put_ip(trace, TIP, trace->ip);
}

static void execute(struct trace *trace, const struct program *program)
{
	const size_t at = trace->ip, behind = at + program->at[at]->size;

	trace->ip = behind;
	switch (program->at[at]->instruction) {
	case CONDITIONAL:
		if (draw(&trace->seed, 2))
			trace->ip = program->targets[at];
		put_bit(trace, trace->ip == program->targets[at]);
		break;
	case CALL:
		if (program->targets[at] != behind)
			push(trace, behind);
		trace->ip = program->targets[at];
		break;
	case JUMP:
		trace->ip = program->targets[at];
		break;
	case CALL_BY_REGISTER:
		push(trace, behind);
		trace->ip = draw_start(trace, program);
		put_ip(trace, TIP, trace->ip);
		break;
	case JUMP_BY_REGISTER:
		trace->ip = draw_start(trace, program);
		put_ip(trace, TIP, trace->ip);
		break;
	case RETURN:
		go_back(trace, program);
		break;
	case SYSTEM_CALL:
	case SYSTEM_RETURN:
		go_far(trace, program);
		break;
	case PAGES:
		if (!trace->is_kernel)
			break;
		put_bits(trace);
		put(trace, "\x02\x43\1\2\3\4\5\6", 8); /* PIP */
		break;
	default:
		break;
	}
}

/* What comes between two instructions. */
static void interrupt(struct trace *trace, const struct program *program)
{
	switch (draw(&trace->seed, 600)) {
	case 0: /* the kernel is traced */
		put_ip(trace, FUP, trace->ip);
		trace->ip = draw_start(trace, program);
		put_ip(trace, TIP, trace->ip);
		break;
	case 1: /* it is not */
		put_ip(trace, FUP, trace->ip);
		put_off(trace);
		put_on(trace, draw(&trace->seed, 4) ? trace->ip : draw_start(trace, program));
		break;
	case 2:
		put_psb(trace, true);
		break;
	case 3: /* rare packets */
		if (!trace->overflows)
			break;
		put_bits(trace);
		put(trace, "\x02\xf3", 2); /* OVF */
		trace->ip = draw_start(trace, program);
		put_ip(trace, FUP, trace->ip);
		trace->nr_calls = 0;
		break;
	case 4:
		if (!trace->stops)
			break;
		put_bits(trace);
		put(trace, "\x02\x62", 2); /* EXSTOP */
		break;
	default:
		break;
	}
}

static void write_trace(struct trace *trace, const struct program *program, uint64_t seed)
{
	memset(trace, 0, sizeof(*trace));
	trace->seed = seed;
	trace->compresses = seed & 1;
	trace->ticks = seed & 2;
	trace->has_cycles = seed & 4;
	trace->overflows = seed & 64;
	trace->is_kernel = seed & 128;
	trace->stops = seed % 11 == 0;
	trace->tsc = 1000000;
	put_psb(trace, draw(&trace->seed, 8));
	if (trace->bytes[trace->nr - 11] != 0xdd)
		put_on(trace, draw_start(trace, program));
	while (trace->nr < TRACE_BYTES) {
		interrupt(trace, program);
		execute(trace, program);
	}
	put_bits(trace);
	put_psb(trace, true);
}

/* ---- what is told of it ---- */

/* Blocks, and steps, of which nr is 0. */
struct told {
	struct ptblock block;
	struct ptstep step;
};

struct tale {
	struct told *list;
	size_t nr;
	uint8_t end; /* enum ptstep_kind */
};

static void tell(struct tale *tale, const struct ptblock *blocks, size_t nr,
		 const struct ptstep *step)
{
	if (tale->nr + nr >= TOLD_MAX)
		ck_abort_msg("too much is told");
	for (size_t i = 0; i < nr; i++)
		tale->list[tale->nr++] = (struct told){.block = blocks[i]};
	if (step->kind != PTSTEP_MORE && step->kind != PTSTEP_UNSURE)
		tale->list[tale->nr++] = (struct told){.step = *step};
	tale->end = step->kind;
}

static bool is_end(uint8_t kind)
{
	return kind == PTSTEP_END || kind == PTSTEP_STOP || kind == PTSTEP_UNSURE;
}

static void follow(struct tale *tale, const struct ptconfig *config, struct ptimage *image,
		   size_t room)
{
	struct ptcodes *codes = ptcode_open();
	struct ptfollow *follow = ptfollow_open(config, codes);
	struct ptblock blocks[64];
	struct ptstep step = {0};
	size_t nr;

	tale->nr = 0;
	do {
		nr = ptfollow_next(follow, blocks, room, &step);
		if (nr > room)
			ck_abort_msg("more blocks than there is room for");
		tell(tale, blocks, nr, &step);
		if (step.kind == PTSTEP_SYNC)
			ptfollow_set_image(follow, image);
	} while (!is_end(step.kind));
	ptfollow_close(follow);
	ptcode_close(codes);
}

static void decode(struct tale *tale, const struct ptconfig *config, struct ptimage *image)
{
	struct ptcodes *codes = ptcode_open();
	struct ptdecode *decoder = ptdecode_open(config, codes);
	struct ptblock blocks[64];
	struct ptstep step = {0};
	size_t nr;

	tale->nr = 0;
	ck_assert(ptdecode_set_image(decoder, image));
	do {
		nr = ptdecode_next(decoder, blocks, 64, &step);
		tell(tale, blocks, nr, &step);
	} while (!is_end(step.kind));
	ptdecode_close(decoder);
	ptcode_close(codes);
}

static bool same_blocks(const struct ptblock *a, const struct ptblock *b)
{
	return a->ip == b->ip && a->end_ip == b->end_ip && a->nr == b->nr && a->flow == b->flow;
}

static bool same_steps(const struct ptstep *a, const struct ptstep *b)
{
	const bool has_ip = b->kind == PTSTEP_ENABLED || b->kind == PTSTEP_INTERRUPTED ||
			    b->kind == PTSTEP_OVERFLOW;
	const bool has_cycles =
		b->kind == PTSTEP_TICK || b->kind == PTSTEP_DISABLED || b->kind == PTSTEP_END;

	return a->kind == b->kind && a->has_tsc == b->has_tsc &&
	       (!b->has_tsc || a->tsc == b->tsc) && (!has_ip || a->ip == b->ip) &&
	       (!has_cycles || (a->cycles == b->cycles && a->cycles_read == b->cycles_read));
}

/* The number of what is told alike, first of all. */
static size_t nr_same(const struct tale *followed, const struct tale *decoded)
{
	size_t nr = 0;

	while (nr < followed->nr && nr < decoded->nr &&
	       same_blocks(&followed->list[nr].block, &decoded->list[nr].block) &&
	       same_steps(&followed->list[nr].step, &decoded->list[nr].step))
		nr++;
	return nr;
}

/* Returns whether the trace was followed to its end. */
static bool check(const struct ptconfig *config, struct ptimage *image, struct tale tales[2])
{
	const size_t room = 1 + (config->size + (size_t)config->stop_ip) % 64;

	follow(&tales[0], config, image, room);
	decode(&tales[1], config, image);
	ck_assert_uint_eq(nr_same(&tales[0], &tales[1]), tales[0].nr);
	if (tales[0].end != PTSTEP_UNSURE)
		ck_assert_uint_eq(tales[0].nr, tales[1].nr);
	return tales[0].end != PTSTEP_UNSURE;
}

static struct ptimage *image_of(struct ptsections *sections, const struct program *program, int fd)
{
	struct ptimage *image = ptimage_create(sections);

	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(pwrite(fd, program->code, CODE_BYTES, 0), CODE_BYTES);
	ck_assert(ptimage_add(image, fd, 0, CODE_BYTES, BASE));
	return image;
}

static struct ptconfig config_of(const struct trace *trace, uint64_t seed)
{
	static const uint8_t models[] = {0, 61, 94, 158}; /* which have different errata */

	return (struct ptconfig){
		.bytes = trace->bytes,
		.size = trace->nr,
		.stop = seed & 8 ? trace->psb : trace->nr,
		.stop_ip = seed & 8 ? BASE + trace->ip : 0,
		.family = 6,
		.model = models[seed / 16 % 4],
		.mtc_period = 3,
		.max_ratio = 20,
		.ctc_numerator = 160,
		.ctc_denominator = 2,
		.has_ticks = seed & 6,
		.has_cycles = seed & 4,
	};
}

/* Makes @nr errors in @trace. */
static void damage(struct trace *trace, uint32_t nr)
{
	for (; nr > 0; nr--)
		trace->bytes[draw(&trace->seed, (uint32_t)trace->nr)] =
			(uint8_t)draw(&trace->seed, 256);
}

/* Returns how many of the traces with @errors were followed to their ends. */
static unsigned check_all(uint32_t errors)
{
	struct tale tales[] = {{.list = calloc(TOLD_MAX, sizeof(struct told))},
			       {.list = calloc(TOLD_MAX, sizeof(struct told))}};
	struct program *program = malloc(sizeof(*program));
	struct trace *trace = malloc(sizeof(*trace));
	unsigned followed = 0;
	struct error err;
	char name[32];

	if (!ptlibrary_name(name))
		machine_lacks("readperf was built without libipt");
	for (uint64_t i = 0; i < STREAMS; i++) {
		/* The library remembers sections of files. */
		struct ptsections *sections = ptimage_sections_create();
		const int fd = tempfile_create(&err);
		uint64_t seed = i;
		struct ptconfig config;
		struct ptimage *image;

		write_program(program, &seed);
		write_trace(trace, program, i);
		damage(trace, errors);
		config = config_of(trace, i);
		image = image_of(sections, program, fd);
		followed += check(&config, image, tales);
		ptimage_destroy(image);
		ptimage_sections_destroy(sections);
		close(fd);
	}
	free(trace);
	free(program);
	free(tales[0].list);
	free(tales[1].list);
	return followed;
}

/* Whether the library ends blocks at each jump; newer ones join what they have seen before. */
static bool has_plain_blocks(void)
{
	char name[32];
	const bool is_plain = !ptlibrary_name(name) || strcmp(name, "libipt 2.0") == 0;

	if (!is_plain)
		machine_lacks("%s joins blocks across jumps", name);
	return is_plain;
}

/* Most traces are followed to their ends. */
START_TEST(whole_traces)
{
	if (has_plain_blocks())
		ck_assert_uint_eq(check_all(0), 152);
}
END_TEST

/* As far as one is followed, it is right. */
START_TEST(damaged_traces)
{
	if (!has_plain_blocks())
		return;
	ck_assert_uint_eq(check_all(1), 31);
	ck_assert_uint_eq(check_all(10), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ptfollow");
	TCase *tcase = tcase_create("ptfollow");

	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, whole_traces);
	tcase_add_test(tcase, damaged_traces);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
