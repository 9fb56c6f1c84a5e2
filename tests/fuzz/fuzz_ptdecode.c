/*
 * An Intel PT trace of any bytes through code of any bytes: decoding ends, and what it tells of is
 * within both. The first byte chooses where the piece stops, the next ones are code.
 */
#include "decode/trace/ptdecode.h"
#include "decode/trace/ptpacket.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { CODE_BYTES = 256, START = 0x400000, ROOM = 64 };

/* What a byte of trace can stand for: branches of a TNT, and code between them. */
enum { STEPS_OF_BYTE = 1 << 14 };

static void check_step(const struct ptdecode_config *config, const struct ptstep *step)
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

static void decode(const struct ptdecode_config *config, struct ptimage *image)
{
	struct ptdecode *decoder = ptdecode_open(config);
	struct ptblock blocks[ROOM];
	struct ptstep step = {0};
	size_t nr, all = 0;

	fuzz_check(decoder && ptdecode_set_image(decoder, image));
	do {
		nr = ptdecode_next(decoder, blocks, ROOM, &step);
		check_blocks(blocks, nr);
		check_step(config, &step);
		all += nr + 1;
		fuzz_check(all <= (config->size + 64) * STEPS_OF_BYTE);
	} while (step.kind != PTSTEP_END && step.kind != PTSTEP_STOP);
	ptdecode_close(decoder);
}

static void decode_code(const struct fuzz_file *file, struct ptdecode_config *config)
{
	struct ptsections *sections = ptsections_create();
	struct ptimage *image = ptimage_create(sections);

	fuzz_check(sections && image);
	fuzz_check(ptimage_add(image, file->fd, 0, CODE_BYTES, START));
	decode(config, image);
	ptimage_destroy(image);
	ptsections_destroy(sections);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptdecode_config config = {
		.family = 6, .model = 94, .stepping = 3, .has_ticks = true, .has_cycles = true};
	struct fuzz_file file;
	char name[32];

	if (size <= CODE_BYTES + 1 || !ptdecode_library(name))
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
