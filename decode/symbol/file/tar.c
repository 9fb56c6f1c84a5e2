#include "decode/symbol/file/tar.h"

#include "util/span.h"

#include <string.h>

enum {
	BLOCK = 512,
	MAX_EXTENSION = 1 << 20, /* bytes of a long name or a pax header */
};

/* A header block. All fields are text; numbers are in octal digits. */
struct tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type;
	char link[100], magic[6], version[2], uname[32], gname[32], devmajor[8], devminor[8];
	char prefix[155], padding[12];
};

_Static_assert(sizeof(struct tar_header) == BLOCK, "a header is a block");

void tar_start(struct tar *tar, const void *bytes, uint64_t size)
{
	memset(tar, 0, sizeof(*tar));
	tar->bytes = bytes;
	tar->size = size;
}

/* ---- the fields of a header ------------------------------------------------------------------ */

/* GNU tar's form of numbers too large for octal digits: big-endian, with the first bit set. */
static bool read_base256(const uint8_t *field, size_t len, uint64_t *value)
{
	*value = field[0] & 0x7f;
	for (size_t i = 1; i < len; i++) {
		if (*value > UINT64_MAX >> 8)
			return false;
		*value = *value << 8 | field[i];
	}
	return *value <= INT64_MAX;
}

static bool read_number(const char *text, size_t len, uint64_t *value)
{
	size_t i = 0;

	if (text[0] & 0x80)
		return read_base256((const uint8_t *)text, len, value);
	*value = 0;
	while (i < len && text[i] == ' ')
		i++;
	for (; i < len && text[i] >= '0' && text[i] <= '7'; i++)
		*value = *value << 3 | (uint64_t)(text[i] - '0');
	return i == len || text[i] == ' ' || text[i] == '\0';
}

/* True if the checksum is the sum of all bytes, with its own bytes counted as blanks. */
static bool has_checksum(const struct tar_header *header)
{
	const uint8_t *bytes = (const uint8_t *)header;
	uint64_t sum = 0, expected;

	for (size_t i = 0; i < BLOCK; i++)
		sum += bytes[i];
	for (size_t i = 0; i < sizeof(header->checksum); i++)
		sum += (uint64_t)' ' - (uint8_t)header->checksum[i];
	return read_number(header->checksum, sizeof(header->checksum), &expected) &&
	       sum == expected;
}

static bool is_zero(const void *block)
{
	static const uint8_t zero[BLOCK];

	return memcmp(block, zero, BLOCK) == 0;
}

/* Copies the @len bytes at @text, up to a NUL; stores "" if they are too many. */
static void set_name(char name[PATH_MAX], const void *text, size_t len)
{
	len = strnlen(text, len);
	if (len >= PATH_MAX)
		len = 0;
	memcpy(name, text, len);
	name[len] = '\0';
}

/* Sets the path from @header. GNU tar, which uses the prefix field otherwise, has another magic. */
static void set_path(struct tar *tar, const struct tar_header *header)
{
	size_t len = 0;

	if (memcmp(header->magic, "ustar", sizeof(header->magic)) == 0 && header->prefix[0]) {
		set_name(tar->path, header->prefix, sizeof(header->prefix));
		len = strlen(tar->path);
		tar->path[len++] = '/';
	}
	set_name(tar->path + len, header->name, sizeof(header->name));
}

/* ---- what overrules a header ----------------------------------------------------------------- */

static bool is_key(const struct span *key, const char *name)
{
	return span_left(key) == strlen(name) && memcmp(key->pos, name, strlen(name)) == 0;
}

static bool take_decimal(struct span *text, uint64_t *value)
{
	const uint8_t *start = text->pos;

	*value = 0;
	while (span_left(text) && *text->pos >= '0' && *text->pos <= '9') {
		if (*value > INT64_MAX / 16)
			return false;
		*value = *value * 10 + (uint64_t)(span_u8(text) - '0');
	}
	return text->pos > start;
}

static bool apply_pax(struct tar *tar, struct span key, struct span value)
{
	static const char sparse[] = "GNU.sparse.";
	const size_t len = sizeof(sparse) - 1;

	tar->is_sparse |= span_left(&key) >= len && memcmp(key.pos, sparse, len) == 0;
	if (is_key(&key, "path") || is_key(&key, "GNU.sparse.name")) {
		set_name(tar->path, value.pos, span_left(&value));
		tar->has_path = true;
	} else if (is_key(&key, "linkpath")) {
		set_name(tar->link, value.pos, span_left(&value));
		tar->has_link = true;
	} else if (is_key(&key, "size")) {
		tar->has_size = true;
		return take_decimal(&value, &tar->next_size) && !span_left(&value);
	}
	return true;
}

/* Reads records "LENGTH KEY=VALUE\n"; LENGTH counts the whole record. Returns false if damaged. */
static bool read_pax(struct tar *tar, struct span text)
{
	while (span_left(&text)) {
		struct span rest = text, record, key;
		const uint8_t *equal;
		uint64_t size;

		if (!take_decimal(&rest, &size) || span_u8(&rest) != ' ')
			return false;
		record = span_take(&text, size);
		if (text.failed || record.end <= rest.pos || record.end[-1] != '\n')
			return false;
		rest.end = record.end - 1;
		equal = memchr(rest.pos, '=', span_left(&rest));
		if (!equal)
			return false;
		key = span_take(&rest, (uint64_t)(equal - rest.pos));
		span_skip(&rest, 1);
		if (!apply_pax(tar, key, rest))
			return false;
	}
	return true;
}

/* True if entries of @type describe entries that follow. */
static bool is_extension(char type)
{
	return type == 'L' || type == 'K' || type == 'x' || type == 'g';
}

/* Ignores a global header ('g'): it never has the path or size of an entry. */
static bool read_extension(struct tar *tar, char type, struct span text)
{
	switch (type) {
	case 'L':
		set_name(tar->path, text.pos, span_left(&text));
		tar->has_path = true;
		return true;
	case 'K':
		set_name(tar->link, text.pos, span_left(&text));
		tar->has_link = true;
		return true;
	case 'x':
		return read_pax(tar, text);
	default:
		return true;
	}
}

/* ---- entries --------------------------------------------------------------------------------- */

static enum tar_kind kind_of(const struct tar *tar, char type)
{
	switch (type) {
	case '\0':
	case '0':
	case '7': /* "contiguous": as a regular file */
		if (tar->is_sparse)
			return TAR_SPARSE;
		/* Before ustar only the final '/' marked a directory. */
		if (tar->path[0] && tar->path[strlen(tar->path) - 1] == '/')
			return TAR_DIRECTORY;
		return TAR_FILE;
	case '1':
		return TAR_HARDLINK;
	case '2':
		return TAR_SYMLINK;
	case '5':
		return TAR_DIRECTORY;
	case 'S':
		return TAR_SPARSE;
	default:
		return TAR_OTHER;
	}
}

/*
 * Returns the bytes stored after a header of @type: links, devices, directories and FIFOs have
 * none, whatever @size is.
 */
static uint64_t stored_size(char type, uint64_t size)
{
	return type >= '1' && type <= '6' ? 0 : size;
}

/* Skips @size bytes and the padding of their last block. */
static void skip(struct tar *tar, uint64_t size)
{
	const uint64_t left = tar->size - tar->at;

	size += (BLOCK - size % BLOCK) % BLOCK;
	tar->at += size < left ? size : left;
}

/* Takes the next header. Returns NULL at the end or at damage, with tar->state set. */
static const struct tar_header *take_header(struct tar *tar)
{
	const struct tar_header *header;

	if (tar->size - tar->at < BLOCK) {
		tar->state = TAR_CUT;
		return NULL;
	}
	header = (const struct tar_header *)(tar->bytes + tar->at);
	if (is_zero(header))
		tar->state = TAR_WHOLE;
	else if (!has_checksum(header))
		tar->state = TAR_DAMAGED;
	if (tar->state != TAR_READING)
		return NULL;
	tar->at += BLOCK;
	return header;
}

/* Skips the blocks that continue GNU's sparse header; each says whether another one follows. */
static void skip_sparse_maps(struct tar *tar, const struct tar_header *header)
{
	enum { HEADER_GOES_ON = 482, BLOCK_GOES_ON = 504 };
	bool more = header->type == 'S' && ((const uint8_t *)header)[HEADER_GOES_ON];

	while (more && tar->size - tar->at >= BLOCK) {
		more = tar->bytes[tar->at + BLOCK_GOES_ON];
		tar->at += BLOCK;
	}
}

static void fill(struct tar *tar, const struct tar_header *header, uint64_t size,
		 struct tar_entry *entry)
{
	if (!tar->has_path)
		set_path(tar, header);
	if (!tar->has_link)
		set_name(tar->link, header->link, sizeof(header->link));
	skip_sparse_maps(tar, header);
	size = stored_size(header->type, tar->has_size ? tar->next_size : size);
	*entry = (struct tar_entry){
		.kind = kind_of(tar, header->type),
		.path = tar->path,
		.link = tar->link,
		.offset = tar->at,
		.size = size,
		.is_cut = size > tar->size - tar->at,
	};
	skip(tar, size);
	tar->has_path = tar->has_link = tar->has_size = tar->is_sparse = false;
}

/* Reads an extension, which overrides the next header. */
static void take_extension(struct tar *tar, char type, uint64_t size)
{
	if (size > tar->size - tar->at)
		tar->state = TAR_CUT;
	else if (size > MAX_EXTENSION ||
		 !read_extension(tar, type, span_make(tar->bytes + tar->at, size, false)))
		tar->state = TAR_DAMAGED;
	if (tar->state == TAR_READING)
		skip(tar, size);
}

bool tar_next(struct tar *tar, struct tar_entry *entry)
{
	const struct tar_header *header;
	uint64_t size;

	while (tar->state == TAR_READING && (header = take_header(tar)) != NULL) {
		if (!read_number(header->size, sizeof(header->size), &size))
			tar->state = TAR_DAMAGED;
		else if (is_extension(header->type))
			take_extension(tar, header->type, size);
		else
			fill(tar, header, size, entry);
		if (tar->state == TAR_READING && !is_extension(header->type))
			return true;
	}
	return false;
}
