#include "util/digits.h"

#include <string.h>

/*
 * Eight characters at a time, in the bytes of a word, whose lowest is the first. Each step halves
 * the pieces: @value becomes two of 4 digits, four of 2, eight of 1, by products that hold the
 * quotients of all pieces.
 */
static inline uint64_t split_decimal(uint32_t value)
{
	uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
	uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007f; /* 2^20 / 100 */
	uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
	uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000f; /* 2^10 / 10 */

	return tens | (twos - tens * 10) << 8;
}

static inline void put_word(char *to, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(to, &word, sizeof(word));
}

static const uint64_t zeros = 0x3030303030303030; /* '0' in each byte */

enum { EIGHT = 100000000 };

/* Writes @value, which is less than 10^8, without leading zeros. Returns the end. */
static inline char *put_first(char *to, uint32_t value)
{
	uint64_t digits = split_decimal(value);
	/* the last digit is shown even if it is 0 */
	unsigned skipped = (unsigned)__builtin_ctzll(digits | (uint64_t)1 << 56) / 8;

	put_word(to, (digits | zeros) >> skipped * 8);
	return to + 8 - skipped;
}

static inline char *put_next(char *to, uint32_t value)
{
	put_word(to, split_decimal(value) | zeros);
	return to + 8;
}

char *digits_u64(char *to, uint64_t value)
{
	if (value < 10) {
		*to = (char)('0' + value);
		return to + 1;
	}
	if (value < EIGHT)
		return put_first(to, (uint32_t)value);
	if (value < (uint64_t)EIGHT * EIGHT)
		return put_next(put_first(to, (uint32_t)(value / EIGHT)),
				(uint32_t)(value % EIGHT));
	to = put_first(to, (uint32_t)(value / EIGHT / EIGHT));
	to = put_next(to, (uint32_t)(value / EIGHT % EIGHT));
	return put_next(to, (uint32_t)(value % EIGHT));
}

/* The eight hexadecimal digits of @value, each in its byte. */
static inline uint64_t split_hex(uint32_t value)
{
	uint64_t halves = (value >> 16 | (uint64_t)value << 32) & 0x0000ffff0000ffff;
	uint64_t bytes = (halves >> 8 | halves << 16) & 0x00ff00ff00ff00ff;
	uint64_t digits = (bytes >> 4 | bytes << 8) & 0x0f0f0f0f0f0f0f0f;
	uint64_t letters = (digits + 0x0606060606060606) >> 4 & 0x0101010101010101;

	return (digits | zeros) + letters * ('a' - '9' - 1);
}

char *digits_hex(char *to, uint64_t value)
{
	unsigned nr = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
	char all[16];

	put_word(all, split_hex((uint32_t)(value >> 32)));
	put_word(all + 8, split_hex((uint32_t)value));
	memcpy(to, all + 16 - nr, nr > 8 ? 8 : nr);
	if (nr > 8)
		memcpy(to + nr - 8, all + 8, 8);
	return to + nr;
}

uint64_t digits_power_of_10(unsigned exponent)
{
	uint64_t power = 1;

	for (unsigned i = 0; i < exponent; i++)
		power *= 10;
	return power;
}

char *digits_fixed(char *to, uint64_t whole, uint64_t fraction, unsigned decimals)
{
	char *pos = digits_u64(to, whole);

	if (decimals == 0)
		return pos;
	*pos = '.';
	for (unsigned i = decimals; i; i--) {
		pos[i] = (char)('0' + fraction % 10);
		fraction /= 10;
	}
	return pos + decimals + 1;
}

size_t digits_percent(char to[DIGITS_PERCENT_MAX], uint64_t part, uint64_t total, unsigned decimals)
{
	const uint64_t scale = digits_power_of_10(decimals);
	char *end;

	/* @part has 64 bits, 200 has 8 and the scale 30: the product fits in 128 */
	unsigned __int128 twice = (unsigned __int128)part * 200 * scale;
	unsigned __int128 units = total ? (twice + total) / ((unsigned __int128)total * 2) : 0;
	end = digits_fixed(to, (uint64_t)(units / scale), (uint64_t)(units % scale), decimals);
	*end = '\0';
	return (size_t)(end - to);
}
