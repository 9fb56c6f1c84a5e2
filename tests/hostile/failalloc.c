/*
 * failalloc.so, to be loaded into a program by LD_PRELOAD: lets its allocations fail.
 *
 *   FAILALLOC_AT=N    the N-th fails, counted from 1
 *   FAILALLOC_FROM=N  the N-th and all behind it
 *   FAILALLOC_LOG=FILE  when the program exits "NUMBER LIVE" is written: how many allocations were
 *                     asked for, and how many of them were not freed
 *   FAILALLOC_CALLER=program  those of libraries never fail and are not counted, either way: only
 *                     those that the program asks for itself, or by way of libc
 *
 * It needs glibc, whose own functions allocate by way of these, too.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nr, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *block);

enum { LIVE_MAX = 1 << 20, GONE = 1 };

static atomic_ulong nr_asked;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static unsigned long nr_live;
static uintptr_t live[LIVE_MAX]; /* addresses, each at its hash or behind it; 0: free, or GONE */
static unsigned long fail_at, fail_from;
static bool started, program_only;

/* Where code lies that counts: the program's and libc's. */
static struct {
	uintptr_t start, end;
} places[2];
static size_t nr_places;

static int note_place(struct dl_phdr_info *info, size_t size, void *arg)
{
	const bool is_libc = strstr(info->dlpi_name, "/libc.so");

	(void)size, (void)arg;
	if ((info->dlpi_name[0] && !is_libc) || nr_places == 2)
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		places[nr_places].start = info->dlpi_addr + segment->p_vaddr;
		places[nr_places++].end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
		break;
	}
	return 0;
}

static unsigned long number_in(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
	program_only = strcmp(getenv("FAILALLOC_CALLER") ? getenv("FAILALLOC_CALLER") : "",
			      "program") == 0;
	fail_at = number_in("FAILALLOC_AT");
	fail_from = number_in("FAILALLOC_FROM");
	if (program_only)
		dl_iterate_phdr(note_place, NULL);
	unsetenv("LD_PRELOAD"); /* not for the programs that it starts */
	started = true;
}

__attribute__((destructor)) static void stop(void)
{
	const char *path = getenv("FAILALLOC_LOG");
	const unsigned long asked = nr_asked, left = nr_live;
	FILE *log;

	started = false;
	log = path ? fopen(path, "w") : NULL;
	if (!log)
		return;
	fprintf(log, "%lu %lu\n", asked, left);
	fclose(log);
}

static bool counts(const void *caller)
{
	const uintptr_t at = (uintptr_t)caller;

	if (!started)
		return false;
	for (size_t i = 0; i < nr_places; i++)
		if (at >= places[i].start && at < places[i].end)
			return true;
	return !program_only;
}

static bool fails(const void *caller)
{
	unsigned long number;

	if (!counts(caller))
		return false;
	number = ++nr_asked;
	if (number != fail_at && (!fail_from || number < fail_from))
		return false;
	errno = ENOMEM;
	return true;
}

/* Where @address is among those that live, or where its search ends; the lock is held. */
static uintptr_t *find(uintptr_t address)
{
	size_t at = (address >> 4) * 0x9e3779b1 % LIVE_MAX;

	while (live[at] && live[at] != address)
		at = (at + 1) % LIVE_MAX;
	return &live[at];
}

static void lock(void)
{
	while (atomic_flag_test_and_set(&busy))
		;
}

/* Notes @block as living if it counts; a table that gets full notes no more. */
static void *keep(void *block, const void *caller)
{
	if (!block || !counts(caller))
		return block;
	lock();
	if (nr_live < LIVE_MAX / 2) {
		*find((uintptr_t)block) = (uintptr_t)block;
		nr_live++;
	}
	atomic_flag_clear(&busy);
	return block;
}

static void forget(const void *block)
{
	uintptr_t *place;

	if (!block || !started)
		return;
	lock();
	place = find((uintptr_t)block);
	if (*place) {
		*place = GONE;
		nr_live--;
	}
	atomic_flag_clear(&busy);
}

void *malloc(size_t size)
{
	const void *caller = __builtin_return_address(0);

	return fails(caller) ? NULL : keep(__libc_malloc(size), caller);
}

void *calloc(size_t nr, size_t size)
{
	const void *caller = __builtin_return_address(0);

	return fails(caller) ? NULL : keep(__libc_calloc(nr, size), caller);
}

void *realloc(void *block, size_t size)
{
	const void *caller = __builtin_return_address(0);

	if (fails(caller))
		return NULL;
	forget(block);
	return keep(__libc_realloc(block, size), caller);
}

void *reallocarray(void *block, size_t nr, size_t size)
{
	const void *caller = __builtin_return_address(0);
	size_t bytes;

	if (__builtin_mul_overflow(nr, size, &bytes) || fails(caller)) {
		errno = ENOMEM;
		return NULL;
	}
	forget(block);
	return keep(__libc_realloc(block, bytes), caller);
}

void *memalign(size_t align, size_t size)
{
	const void *caller = __builtin_return_address(0);

	return fails(caller) ? NULL : keep(__libc_memalign(align, size), caller);
}

void *aligned_alloc(size_t align, size_t size)
{
	const void *caller = __builtin_return_address(0);

	return fails(caller) ? NULL : keep(__libc_memalign(align, size), caller);
}

int posix_memalign(void **block, size_t align, size_t size)
{
	const void *caller = __builtin_return_address(0);

	if (fails(caller))
		return ENOMEM;
	*block = keep(__libc_memalign(align, size), caller);
	return *block ? 0 : ENOMEM;
}

void free(void *block)
{
	forget(block);
	__libc_free(block);
}
