#include "report/export/pagenumbers.h"

bool pagenumbers_start(struct pagenumbers *numbers, size_t limit)
{
	numbers->nr = 0;
	numbers->pack = codec_pack_create(limit);
	return numbers->pack != NULL;
}

static void flush(struct pagenumbers *numbers)
{
	codec_pack_put(numbers->pack, numbers->waiting, numbers->nr);
	numbers->nr = 0;
}

void pagenumbers_put(struct pagenumbers *numbers, uint64_t value)
{
	enum { LEB128_MAX = 10 };

	if (numbers->nr + LEB128_MAX > sizeof(numbers->waiting))
		flush(numbers);
	for (; value > 0x7f; value >>= 7)
		numbers->waiting[numbers->nr++] = (uint8_t)(value | 0x80);
	numbers->waiting[numbers->nr++] = (uint8_t)value;
}

void pagenumbers_put_signed(struct pagenumbers *numbers, int64_t value)
{
	pagenumbers_put(numbers, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void pagenumbers_bytes(struct pagenumbers *numbers, const void *bytes, size_t len)
{
	flush(numbers);
	codec_pack_put(numbers->pack, bytes, len);
}

bool pagenumbers_end(struct pagenumbers *numbers)
{
	flush(numbers);
	return codec_pack_end(numbers->pack);
}

uint64_t pagenumbers_base64_size(uint64_t packed)
{
	return (packed + 2) / 3 * 4;
}

/* The four digits of @nr (1 to 3) bytes. */
static void put_digits(char *to, const uint8_t *bytes, size_t nr)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned value = (unsigned)bytes[0] << 16 | (nr > 1 ? (unsigned)bytes[1] << 8 : 0) |
			       (nr > 2 ? bytes[2] : 0);

	to[0] = digits[value >> 18];
	to[1] = digits[value >> 12 & 63];
	to[2] = digits[value >> 6 & 63];
	to[3] = digits[value & 63];
	for (size_t i = nr + 1; i < 4; i++)
		to[i] = '=';
}

void pagenumbers_write(const struct pagenumbers *numbers, const char *id, struct outfile *out)
{
	const struct codec_pack *pack = numbers->pack;

	outfile_string(out, "<script type=\"application/octet-stream\" id=\"");
	outfile_string(out, id);
	outfile_string(out, "\">");
	for (size_t i = 0; i < pack->kept; i += 3) {
		put_digits(outfile_reserve(out, 4), pack->bytes + i,
			   pack->kept - i < 3 ? pack->kept - i : 3);
		out->pos += 4;
	}
	outfile_string(out, "</script>\n");
}

void pagenumbers_free(struct pagenumbers *numbers)
{
	codec_pack_destroy(numbers->pack);
	numbers->pack = NULL;
}
