/*
 * Two builds of this program are compared by the tests of readperf diff: the old one by gcc, the
 * new one by clang with -DNEW. It needs no C library.
 */
enum { SIZE = 4096, ROUNDS = 30000 };

static unsigned values[SIZE];

/* The same in both. */
__attribute__((noinline)) unsigned checksum(const unsigned *v, unsigned n)
{
	unsigned sum = 1;

	for (unsigned i = 0; i < n; i++)
		sum = sum * 31 + v[i];
	return sum;
}

/* Twice the work in the new one. */
__attribute__((noinline)) unsigned parse(const unsigned *v, unsigned n)
{
	unsigned sum = 3;

#ifdef NEW
	n *= 2;
#endif
	for (unsigned i = 0; i < n; i++)
		sum = sum * 33 ^ v[i % SIZE];
	return sum;
}

/* gcc knows its arguments and calls the copy scale.constprop.0; clang keeps the name. */
static __attribute__((noinline)) unsigned scale(const unsigned *v, unsigned n, unsigned by)
{
	unsigned sum = 5;

	for (unsigned i = 0; i < n; i++)
		sum = sum * by + v[i];
	return sum;
}

/* Has another name in the new one. */
#ifdef NEW
#define lookup_slow table_find
#endif
__attribute__((noinline)) unsigned lookup_slow(const unsigned *v, unsigned n)
{
	unsigned sum = 7;

	for (unsigned i = 0; i < n; i++)
		sum = sum * 37 + (v[i] >> 3);
	return sum;
}

/* Is a part of its caller in the new one. */
#ifdef NEW
static inline __attribute__((always_inline))
#else
__attribute__((noinline))
#endif
unsigned
mix(const unsigned *v, unsigned n)
{
	unsigned sum = 11;

	for (unsigned i = 0; i < n; i++)
		sum = sum * 41 ^ (v[i] + i);
	return sum;
}

__attribute__((noinline)) unsigned hash(const unsigned *v, unsigned n)
{
	unsigned sum = mix(v, n / 2);

	for (unsigned i = 0; i < n / 2; i++)
		sum = sum * 43 + v[i];
	return sum;
}

/* Is gone in the new one. */
#ifndef NEW
__attribute__((noinline)) unsigned legacy(const unsigned *v, unsigned n)
{
	unsigned sum = 13;

	for (unsigned i = 0; i < n; i++)
		sum = sum * 47 + (v[i] ^ sum >> 5);
	return sum;
}
#else
#define legacy(v, n) 0
#endif

static void run(void)
{
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned *v = &values[round % 16];
		unsigned n = SIZE - 16;

		*v += checksum(values, n) + parse(values, n) + scale(values, SIZE - 16, 29) +
		      lookup_slow(values, n) + hash(values, n) + legacy(values, n);
	}
}

__attribute__((noreturn)) void start(void)
{
	run();
	__asm__ volatile("syscall" : : "a"(231), "D"(0)); /* exit_group(0) */
	__builtin_unreachable();
}

__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %rsp\n\tcall start\n");
