/*
 * A program that can be made faster in five ways, and renamed in two: what readperf diff says of
 * real gains. tests/calibrate/gains.sh builds and records it.
 *
 *	-DFAST_DEDUP     words that were seen are found by hashing, not by walking a list
 *	-DFAST_CHECKSUM  eight bytes at a time
 *	-DFAST_SORT      the library's qsort() in place of an insertion sort
 *	-DFAST_FORMAT    own digits in place of snprintf()
 *	-O3              all of it, by the compiler (built with -O1 else)
 *	-DRENAMED        hash_word() and parse_number() have other names
 *
 * How much work there is differs a little from run to run, as input does.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef RENAMED
#define hash_word    word_hash
#define parse_number number_from_text
#endif

enum { WORD_MAX = 16, NR_WORDS = 3000, NR_SLOTS = 8192, NR_SORTED = 700 };

struct word {
	char text[WORD_MAX];
};

static struct word words[NR_WORDS], unique[NR_WORDS];
static volatile uint64_t sink;

__attribute__((noinline)) static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

__attribute__((noinline)) static void format_word(char *to, uint64_t number)
{
#ifdef FAST_FORMAT
	char digits[24];
	int nr = 0;

	*to++ = 'w';
	do
		digits[nr++] = (char)('0' + number % 10);
	while (number /= 10);
	while (nr > 0)
		*to++ = digits[--nr];
	*to = '\0';
#else
	snprintf(to, WORD_MAX, "w%llu", (unsigned long long)number);
#endif
}

__attribute__((noinline)) static void make_words(uint64_t *state)
{
	for (size_t i = 0; i < NR_WORDS; i++)
		format_word(words[i].text, random_next(state) % 2000);
}

__attribute__((noinline)) static uint64_t hash_word(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return hash;
}

__attribute__((noinline)) static uint64_t parse_number(const char *text)
{
	uint64_t value = 0;

	for (text++; *text; text++)
		value = value * 10 + (uint64_t)(*text - '0');
	return value;
}

__attribute__((noinline)) static size_t dedup(void)
{
	size_t nr = 0;
#ifdef FAST_DEDUP
	static uint16_t slots[NR_SLOTS];

	memset(slots, 0, sizeof(slots));
	for (size_t i = 0; i < NR_WORDS; i++) {
		size_t slot = hash_word(words[i].text) % NR_SLOTS;

		while (slots[slot] && strcmp(unique[slots[slot] - 1].text, words[i].text) != 0)
			slot = (slot + 1) % NR_SLOTS;
		if (slots[slot])
			continue;
		unique[nr++] = words[i];
		slots[slot] = (uint16_t)nr;
	}
#else
	for (size_t i = 0; i < NR_WORDS; i++) {
		size_t k = 0;

		while (k < nr && (unique[k].text[2] != words[i].text[2] ||
				  strcmp(unique[k].text, words[i].text) != 0))
			k++;
		if (k == nr)
			unique[nr++] = words[i];
	}
#endif
	return nr;
}

__attribute__((noinline)) static int compare_words(const void *a, const void *b)
{
	return strcmp(((const struct word *)a)->text, ((const struct word *)b)->text);
}

__attribute__((noinline)) static void sort_words(struct word *list, size_t nr)
{
#ifdef FAST_SORT
	qsort(list, nr, sizeof(*list), compare_words);
#else
	for (size_t i = 1; i < nr; i++) {
		struct word word = list[i];
		size_t k = i;

		for (; k > 0 && compare_words(&list[k - 1], &word) > 0; k--)
			list[k] = list[k - 1];
		list[k] = word;
	}
#endif
}

__attribute__((noinline)) static uint64_t checksum(const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	uint64_t a = 1, b = 0;
#ifdef FAST_CHECKSUM
	for (; len >= 8; at += 8, len -= 8) {
		uint64_t eight;

		memcpy(&eight, at, 8);
		a += eight;
		b += a;
	}
#endif
	for (; len > 0; at++, len--) {
		a = (a + *at) % 65521;
		b = (b + a) % 65521;
	}
	return b << 32 | a;
}

__attribute__((noinline)) static uint64_t count(size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += parse_number(unique[i].text) + hash_word(unique[i].text);
	return sum;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
	struct timespec now;
	uint64_t state;

	clock_gettime(CLOCK_REALTIME, &now);
	state = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u | 1;
	rounds += random_next(&state) % (rounds / 20 + 1);
	for (unsigned long i = 0; i < rounds; i++) {
		size_t nr;

		make_words(&state);
		nr = dedup();
		for (int k = 0; k < 4; k++)
			sink += count(nr);
		sort_words(unique, nr < NR_SORTED ? nr : NR_SORTED);
		for (int k = 0; k < 12; k++)
			sink += checksum(unique, sizeof(unique));
	}
	return 0;
}
