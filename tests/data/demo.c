/*
 * The program behind the recordings in this directory: counts the words of a text that it makes up.
 *
 * It needs no C library, so that every sample lies in a file that stands beside the recording. The
 * weights of its functions differ by design; the child does half of the parent's work.
 */
#include "demo.h"

enum { TEXT_BYTES = 1 << 20, SLOTS = 4096, PARENT_ROUNDS = 24, CHILD_ROUNDS = 12 };

static char text[TEXT_BYTES];
static struct entry table[SLOTS];

#if defined(__x86_64__)
static long system_call(long number, long a, long b)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(0L)
			 : "rcx", "r11", "memory");
	return result;
}
enum { SYS_FORK = 57, SYS_EXIT = 60, SYS_WAIT4 = 61, SYS_PRCTL = 157 };
#else
#error the recording was made on x86-64
#endif

static unsigned next_random(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 16;
}

/* Words of one to five letters out of four: 1364 different ones, fewer than there are slots. */
__attribute__((noinline)) static void make_text(unsigned seed)
{
	unsigned at = 0;

	while (at < TEXT_BYTES - 8) {
		unsigned len = 1 + next_random(&seed) % 5;

		for (unsigned i = 0; i < len; i++)
			text[at++] = (char)('a' + next_random(&seed) % 4);
		text[at++] = ' ';
	}
	text[at] = '\0';
}

static inline unsigned hash_step(unsigned hash, char c)
{
	return (hash ^ (unsigned char)c) * 16777619u;
}

__attribute__((noinline)) static unsigned hash_word(const char *word, unsigned len)
{
	unsigned hash = 2166136261u;

	for (unsigned i = 0; i < len; i++)
		hash = hash_step(hash, word[i]);
	return hash;
}

__attribute__((noinline)) static void count_word(const char *word, unsigned len)
{
	unsigned hash = hash_word(word, len), at = hash % SLOTS;

	while (table[at].count && table[at].hash != hash)
		at = (at + 1) % SLOTS;
	table[at].hash = hash;
	table[at].count++;
}

__attribute__((noinline)) static void count_words(void)
{
	const char *word = text;

	for (unsigned i = 0; i < SLOTS; i++)
		table[i] = (struct entry){0, 0};
	for (const char *at = text; *at; at++) {
		if (*at != ' ')
			continue;
		count_word(word, (unsigned)(at - word));
		word = at + 1;
	}
}

__attribute__((noinline)) static unsigned work(unsigned rounds)
{
	unsigned sum = 0;

	for (unsigned round = 0; round < rounds; round++) {
		make_text(round + 1);
		for (unsigned again = 0; again < 3; again++) {
			count_words();
			sort_entries(table, 0, SLOTS - 1);
		}
		sum += table[0].count;
	}
	return sum;
}

__attribute__((noinline, used)) static void demo_main(void)
{
	static const char name[] = "demo-child";
	long child = system_call(SYS_FORK, 0, 0);

	if (child == 0) {
		system_call(SYS_PRCTL, 15, (long)name); /* PR_SET_NAME */
		system_call(SYS_EXIT, work(CHILD_ROUNDS) ? 0 : 1, 0);
	}
	work(PARENT_ROUNDS);
	system_call(SYS_WAIT4, child, 0);
	system_call(SYS_EXIT, 0, 0);
}

/* No frame lies above this one: the chain of frame pointers ends here. */
__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start:\n"
	"	xor %ebp, %ebp\n"
	"	and $-16, %rsp\n"
	"	call demo_main\n"
	"	hlt\n"
	".size _start, . - _start\n");
