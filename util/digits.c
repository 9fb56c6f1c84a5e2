#include "util/digits.h"

#include <string.h>

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				  "25262728293031323334353637383940414243444546474849"
				  "50515253545556575859606162636465666768697071727374"
				  "75767778798081828384858687888990919293949596979899";

static unsigned count_digits(uint64_t value)
{
	/* clang-format off */
	static const uint64_t powers[] = {
		0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
		10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
		1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
		10000000000000000000u,
	};
	/* clang-format on */
	unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
	unsigned guess = bits * 1233 >> 12; /* bits * log10(2), at most one too small */

	return guess + (value >= powers[guess]);
}

char *digits_u64(char *to, uint64_t value)
{
	char *end = to + count_digits(value), *pos = end;

	for (; value >= 100; value /= 100) {
		pos -= 2;
		memcpy(pos, digit_pairs + value % 100 * 2, 2);
	}
	if (value >= 10)
		memcpy(to, digit_pairs + value * 2, 2);
	else
		*to = (char)('0' + value);
	return end;
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
