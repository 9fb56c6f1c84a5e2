#include "report/export/pagenumbers.h"

/* DIGITS * DIGITS is a little more than 2 to the power of BITS. */
enum { DIGITS = 91, BITS = 13, HALF = 6 /* bits of one digit */ };

bool pagenumbers_start(struct pagenumbers *numbers, size_t limit, bool is_text)
{
	numbers->nr = 0;
	numbers->pack = codec_pack_create(limit, !is_text);
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

static uint64_t unsigned_of(int64_t value)
{
	return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

void pagenumbers_put_signed(struct pagenumbers *numbers, int64_t value)
{
	pagenumbers_put(numbers, unsigned_of(value));
}

static void put_byte(struct pagenumbers *numbers, uint8_t byte)
{
	if (numbers->nr == sizeof(numbers->waiting))
		flush(numbers);
	numbers->waiting[numbers->nr++] = byte;
}

void pagenumbers_put_planes(struct pagenumbers *numbers, const int64_t *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		put_byte(numbers, (uint8_t)values[i]);
	for (size_t i = 0; i < nr; i++)
		put_byte(numbers, (uint8_t)((uint64_t)values[i] >> 8));
	for (size_t i = 0; i < nr; i++) {
		const int64_t low = values[i] & UINT16_MAX;

		pagenumbers_put_signed(numbers, (values[i] - low) / (UINT16_MAX + 1));
	}
}

void pagenumbers_bytes(struct pagenumbers *numbers, const void *bytes, size_t len)
{
	flush(numbers);
	codec_pack_put(numbers->pack, bytes, len);
}

uint64_t pagenumbers_divide(struct pagenumbers *numbers)
{
	flush(numbers);
	codec_pack_divide(numbers->pack);
	return numbers->pack->size;
}

bool pagenumbers_end(struct pagenumbers *numbers)
{
	flush(numbers);
	return codec_pack_end(numbers->pack);
}

/* Of the characters from '!' on all but these three, which could be part of markup or of an escape.
 */
static void make_digits(char digits[DIGITS])
{
	size_t nr = 0;

	for (char digit = '!'; nr < DIGITS; digit++)
		if (digit != '<' && digit != '&' && digit != '\\')
			digits[nr++] = digit;
}

uint64_t pagenumbers_that_fit(uint64_t room)
{
	const uint64_t pairs = room / 2;

	return pairs / 8 * BITS + pairs % 8 * BITS / 8;
}

static void put_digits(uint32_t number, const char *digits, struct outfile *out)
{
	char *to = outfile_reserve(out, 2);

	to[0] = digits[number / DIGITS];
	to[1] = digits[number % DIGITS];
	out->pos += 2;
}

/* The bytes as numbers of BITS bits, the first byte's lowest bit first. One character is enough for
 * the last one if it has few bits: so the length of the text tells that of the bytes. */
static void write_text(const struct codec_pack *pack, const char *digits, struct outfile *out)
{
	const uint32_t mask = (1u << BITS) - 1;
	uint32_t waiting = 0;
	unsigned nr_bits = 0;

	for (size_t i = 0; i < pack->kept; i++) {
		waiting |= (uint32_t)pack->bytes[i] << nr_bits;
		nr_bits += 8;
		if (nr_bits < BITS)
			continue;
		put_digits(waiting & mask, digits, out);
		waiting >>= BITS;
		nr_bits -= BITS;
	}
	if (nr_bits > HALF)
		put_digits(waiting, digits, out);
	else if (nr_bits)
		outfile_append(out, &digits[waiting], 1);
}

void pagenumbers_write(const struct pagenumbers *numbers, const char *id, struct outfile *out)
{
	char digits[DIGITS];

	make_digits(digits);
	outfile_string(out, "<script type=\"application/octet-stream\" id=\"");
	outfile_string(out, id);
	outfile_string(out, "\">");
	write_text(numbers->pack, digits, out);
	outfile_string(out, "</script>\n");
}

void pagenumbers_free(struct pagenumbers *numbers)
{
	codec_pack_destroy(numbers->pack);
	numbers->pack = NULL;
}
