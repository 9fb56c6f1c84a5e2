/*
 * An Intel PT trace of any bytes through code of any bytes: decoding ends, what it tells of is
 * within both, and to follow it tells the same. The first byte chooses where the piece stops, the
 * next ones are code.
 */
#include "decode/trace/ptdecode.h"
#include "decode/trace/ptfollow.h"
#include "decode/trace/ptlibrary.h"
#include "decode/trace/ptpacket.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_BYTES = 256, START = 0x400000, ROOM = 64, TOLD_MAX = 1 << 14 };

/* What a byte of trace can stand for: branches of a TNT, and code between them. */
enum { STEPS_OF_BYTE = 1 << 14 };

static void check_step(const struct ptconfig *config, const struct ptstep *step)
{
	if (step->kind == PTSTEP_MORE)
		return;
	if (step->kind == PTSTEP_ERROR)
		fuzz_check(step->offset <= step->resumed_at && step->resumed_at <= config->stop);
	if (step->kind == PTSTEP_STOP)
		fuzz_check(config->stop < config->size);
}

static void check_blocks(const struct ptblock *blocks, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		fuzz_check(blocks[i].nr > 0);
		fuzz_check(blocks[i].ip >= START && blocks[i].ip < START + CODE_BYTES);
		fuzz_check(blocks[i].end_ip >= START && blocks[i].end_ip < START + CODE_BYTES);
	}
}

/* What is told of a trace, as far as it is remembered. */
struct tale {
	struct ptblock blocks[TOLD_MAX];
	size_t ends[TOLD_MAX]; /* by step: number of the blocks up to it */
	uint8_t kinds[TOLD_MAX];
	size_t nr_blocks, nr_steps;
	bool is_whole;
};

static void tell(struct tale *tale, const struct ptblock *blocks, size_t nr,
		 const struct ptstep *step)
{
	tale->is_whole =
		tale->is_whole && tale->nr_blocks + nr <= TOLD_MAX && tale->nr_steps < TOLD_MAX;
	if (!tale->is_whole)
		return;
	memcpy(tale->blocks + tale->nr_blocks, blocks, nr * sizeof(*blocks));
	tale->nr_blocks += nr;
	if (step->kind == PTSTEP_MORE || step->kind == PTSTEP_UNSURE)
		return;
	tale->ends[tale->nr_steps] = tale->nr_blocks;
	tale->kinds[tale->nr_steps++] = step->kind;
}

static void decode(const struct ptconfig *config, struct ptimage *image, struct ptcodes *codes,
		   struct tale *tale)
{
	struct ptdecode *decoder = ptdecode_open(config, codes);
	struct ptblock blocks[ROOM];
	struct ptstep step = {0};
	size_t nr, all = 0;

	tale->is_whole = true;
	fuzz_check(decoder && ptdecode_set_image(decoder, image));
	do {
		nr = ptdecode_next(decoder, blocks, ROOM, &step);
		check_blocks(blocks, nr);
		check_step(config, &step);
		tell(tale, blocks, nr, &step);
		all += nr + 1;
		fuzz_check(all <= (config->size + 64) * STEPS_OF_BYTE);
	} while (step.kind != PTSTEP_END && step.kind != PTSTEP_STOP);
	ptdecode_close(decoder);
}

static void follow(const struct ptconfig *config, struct ptimage *image, struct ptcodes *codes,
		   struct tale *tale)
{
	struct ptfollow *follow = ptfollow_open(config, codes);
	struct ptblock blocks[ROOM / 2];
	struct ptstep step = {0};
	size_t nr;

	tale->is_whole = true;
	fuzz_check(follow);
	ptfollow_set_image(follow, image);
	do {
		nr = ptfollow_next(follow, blocks, ROOM / 2, &step);
		check_step(config, &step);
		tell(tale, blocks, nr, &step);
	} while (step.kind < PTSTEP_END && tale->is_whole);
	ptfollow_close(follow);
}

/* What was followed is what was decoded, as far as it goes. */
static void compare(const struct tale *followed, const struct tale *decoded)
{
	if (!followed->is_whole || !decoded->is_whole)
		return;
	fuzz_check(followed->nr_steps <= decoded->nr_steps);
	fuzz_check(followed->nr_blocks <= decoded->nr_blocks);
	for (size_t i = 0; i < followed->nr_steps; i++)
		fuzz_check(followed->kinds[i] == decoded->kinds[i] &&
			   followed->ends[i] == decoded->ends[i]);
	for (size_t i = 0; i < followed->nr_blocks; i++)
		fuzz_check(followed->blocks[i].ip == decoded->blocks[i].ip &&
			   followed->blocks[i].end_ip == decoded->blocks[i].end_ip &&
			   followed->blocks[i].nr == decoded->blocks[i].nr &&
			   followed->blocks[i].flow == decoded->blocks[i].flow);
}

static void decode_code(const struct fuzz_file *file, const struct ptconfig *config)
{
	struct ptsections *sections = ptimage_sections_create();
	struct ptimage *image = ptimage_create(sections);
	struct tale *tales = calloc(2, sizeof(*tales));
	struct ptcodes *codes = ptcode_open();

	fuzz_check(sections && image && codes && tales);
	fuzz_check(ptimage_add(image, file->fd, 0, CODE_BYTES, START));
	decode(config, image, codes, &tales[0]);
	follow(config, image, codes, &tales[1]);
	compare(&tales[1], &tales[0]);
	free(tales);
	ptcode_close(codes);
	ptimage_destroy(image);
	ptimage_sections_destroy(sections);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptconfig config = {
		.family = 6, .model = 94, .stepping = 3, .has_ticks = true, .has_cycles = true};
	struct fuzz_file file;
	char name[32];

	if (size <= CODE_BYTES + 1 || !ptlibrary_name(name))
		return 0;
	file = fuzz_file_make(data + 1, CODE_BYTES);
	config.bytes = data + 1 + CODE_BYTES;
	config.size = config.stop = size - 1 - CODE_BYTES;
	if (data[0]) {
		config.stop = ptpacket_find_psb(config.bytes, config.size, data[0]);
		config.stop_ip = ptpacket_read_psb(config.bytes, config.size, config.stop).ip;
	}
	decode_code(&file, &config);
	fuzz_file_close(&file);
	return 0;
}
