#include "tests/writer/mktar.h"

#include "tests/support/suite.h"
#include "util/array.h"

#include <stdio.h>
#include <string.h>

/* Places in a header: POSIX.1-2017, pax, "ustar Interchange Format". */
enum {
	NAME = 0,
	SIZE = 124,
	CHECKSUM = 148,
	TYPE = 156,
	LINK = 157,
	MAGIC = 257,
	NAME_BYTES = 100
};

static uint8_t *add_blocks(struct mktar *tar, const void *data, size_t len)
{
	size_t whole = (len + MKTAR_BLOCK - 1) / MKTAR_BLOCK * MKTAR_BLOCK;
	uint8_t *at;

	ck_assert(array_grow(tar->bytes, tar->room, tar->len + whole));
	at = tar->bytes + tar->len;
	memset(at, 0, whole);
	if (len)
		memcpy(at, data, len);
	tar->len += whole;
	return at;
}

static void put_text(uint8_t *field, const char *text)
{
	memcpy(field, text, strnlen(text, NAME_BYTES));
}

void mktar_sum(uint8_t *header)
{
	unsigned sum = 0;

	memset(header + CHECKSUM, ' ', 8);
	for (size_t i = 0; i < MKTAR_BLOCK; i++)
		sum += header[i];
	snprintf((char *)header + CHECKSUM, 8, "%06o", sum);
}

void mktar_add(struct mktar *tar, char type, const char *path, const char *link, const void *data,
	       size_t len)
{
	uint8_t header[MKTAR_BLOCK] = {0};

	put_text(header + NAME, path);
	put_text(header + LINK, link);
	snprintf((char *)header + SIZE, 12, "%011zo", len);
	header[TYPE] = (uint8_t)type;
	memcpy(header + MAGIC, "ustar\00000", 8);
	mktar_sum(header);
	add_blocks(tar, header, sizeof(header));
	if (len)
		add_blocks(tar, data, len);
}

void mktar_file(struct mktar *tar, const char *path, const char *text)
{
	mktar_add(tar, '0', path, "", text, strlen(text));
}

uint8_t *mktar_header(struct mktar *tar, size_t data_len)
{
	size_t whole = (data_len + MKTAR_BLOCK - 1) / MKTAR_BLOCK * MKTAR_BLOCK;

	return tar->bytes + tar->len - whole - MKTAR_BLOCK;
}

void mktar_end(struct mktar *tar)
{
	static const uint8_t zero[2 * MKTAR_BLOCK];

	add_blocks(tar, zero, sizeof(zero));
}
