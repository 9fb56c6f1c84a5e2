#include "tests/writer/mkjit.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>

static void put(struct mkjit *dump, const void *bytes, size_t len)
{
	ck_assert_uint_le(len, sizeof(dump->bytes) - dump->len);
	if (bytes && len)
		memcpy(dump->bytes + dump->len, bytes, len);
	else
		memset(dump->bytes + dump->len, 0, len);
	dump->len += len;
}

void mkjit_u32(struct mkjit *dump, uint32_t value)
{
	value = dump->swap ? __builtin_bswap32(value) : value;
	put(dump, &value, sizeof(value));
}

void mkjit_u64(struct mkjit *dump, uint64_t value)
{
	value = dump->swap ? __builtin_bswap64(value) : value;
	put(dump, &value, sizeof(value));
}

void mkjit_header(struct mkjit *dump, uint32_t pid, uint64_t flags)
{
	mkjit_u32(dump, 0x4a695444);
	mkjit_u32(dump, 1);
	mkjit_u32(dump, 40);
	mkjit_u32(dump, 62);
	mkjit_u32(dump, 0);
	mkjit_u32(dump, pid);
	mkjit_u64(dump, 1);
	mkjit_u64(dump, flags);
}

static void put_prefix(struct mkjit *dump, uint32_t id, size_t size, uint64_t time)
{
	mkjit_u32(dump, id);
	mkjit_u32(dump, (uint32_t)size);
	mkjit_u64(dump, time);
}

uint64_t mkjit_code(struct mkjit *dump, const struct mkjit_code *code)
{
	size_t name_len = code->moved_from ? 0 : strlen(code->name) + 1;
	uint64_t code_len = code->moved_from ? 0 : code->size;

	put_prefix(dump, code->moved_from ? 1 : 0,
		   (code->moved_from ? 64 : 56) + name_len + code_len, code->time);
	mkjit_u32(dump, 7); /* pid, tid: nobody asks */
	mkjit_u32(dump, 8);
	mkjit_u64(dump, code->start);
	if (code->moved_from)
		mkjit_u64(dump, code->moved_from);
	mkjit_u64(dump, code->start);
	mkjit_u64(dump, code->size);
	mkjit_u64(dump, code->index);
	put(dump, code->name, name_len);
	put(dump, NULL, code_len);
	return code->moved_from ? 0 : dump->len - code_len;
}

void mkjit_debug(struct mkjit *dump, uint64_t start, const struct mkjit_line *lines, size_t nr)
{
	size_t size = 32;

	for (size_t i = 0; i < nr; i++)
		size += 16 + strlen(lines[i].filename) + 1;
	put_prefix(dump, 2, size, 0);
	mkjit_u64(dump, start);
	mkjit_u64(dump, nr);
	for (size_t i = 0; i < nr; i++) {
		mkjit_u64(dump, lines[i].addr);
		mkjit_u32(dump, lines[i].line);
		mkjit_u32(dump, 0);
		put(dump, lines[i].filename, strlen(lines[i].filename) + 1);
	}
}

void mkjit_record(struct mkjit *dump, uint32_t id, uint64_t time, size_t len)
{
	put_prefix(dump, id, 16 + len, time);
	put(dump, NULL, len);
}

void mkjit_save(const struct mkjit *dump, const char *path)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(dump->bytes, 1, dump->len, out), dump->len);
	ck_assert_int_eq(fclose(out), 0);
}
