#include "decode/symbol/kernel/kernel.h"

#include "decode/symbol/elf/note.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/find/rulepath.h"
#include "decode/symbol/kernel/samekernel.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Limits; the kallsyms of a large kernel has about 20 MB. */
enum { MAX_KALLSYMS = 1 << 30, MAX_NOTES = 1 << 20 };

/* The kernel's first symbols tell its place; the kernel takes 50 ms to write all of them. */
enum { HEAD_BYTES = 64 << 10 };

enum {
	GIVEN = 1 << 0,	    /* named by the user: trusted, and nothing else is tried */
	RUNNING = 1 << 1,   /* of the running kernel, which may not be the recorded one */
	CACHED = 1 << 2,    /* for this build id, but perf inject -b copies the running kernel's */
	OLD_CACHE = 1 << 3, /* a directory in today's layout: listed only if it is a file */
};

static const char running_kallsyms[] = "/proc/kallsyms", running_notes[] = "/sys/kernel/notes";

/* Where kallsyms may be, in the order they are tried. For %LETTER see part_of(). */
static const struct rulepath rules[] = {
	{"kallsyms", "%k", GIVEN},
	{"kcore-dir", "%K/kallsyms", 0}, /* perf record --kcore */
	{"running-kernel", running_kallsyms, RUNNING},
	{"build-id-cache", "%C/.build-id/%b/kallsyms", CACHED},
	{"build-id-cache", "%C/.build-id/%b", CACHED | OLD_CACHE}, /* perf before 4.13 */
};

void kernel_init(struct kernel *kernel)
{
	*kernel = (struct kernel){0};
	kernel->tried.strings = &kernel->strings;
	pthread_mutex_init(&kernel->lock, NULL);
}

void kernel_deinit(struct kernel *kernel)
{
	kallsyms_ahead_drop(&kernel->ahead);
	kernelcopy_free(&kernel->near);
	kernelcopy_free(&kernel->copy);
	kallsyms_free(&kernel->kallsyms);
	candidates_free(&kernel->tried);
	intern_free(&kernel->strings);
	pthread_mutex_destroy(&kernel->lock);
}

/* ---- is it the recorded one? ----------------------------------------------------------------- */

size_t kernel_note_build_id(const char *path, uint8_t id[DSO_BUILD_ID_MAX], bool *nomem)
{
	enum file_status status;
	size_t size, len;
	char *notes = file_read(path, MAX_NOTES, &size, &status);

	if (!notes) {
		*nomem |= status == FILE_OPEN;
		return 0;
	}
	len = note_build_id(span_make(notes, size, false), 4, id);
	free(notes);
	return len;
}

/* True if a build id was recorded and the running kernel's differs. Sets *@nomem if memory is out.
 */
static bool runs_another(const struct dso *dso, bool *nomem)
{
	uint8_t id[DSO_BUILD_ID_MAX];

	if (!dso || !dso->build_id_len)
		return false;
	return !dso_has_build_id(dso, id, kernel_note_build_id(running_notes, id, nomem));
}

/* FATE_USED unless the running kernel is another than the recorded one, whatever its symbols are.
 * Sets *@nomem if memory is out. */
static enum fate judge_running(const struct symbol_kernel *recorded, bool *nomem)
{
	const struct dso *dso = recorded->dso;

	if (runs_another(dso, nomem))
		return FATE_OTHER_BUILD;
	return dso && !dso->build_id_len && samekernel_is_denied(recorded) ? FATE_OTHER_KERNEL
									   : FATE_USED;
}

/*
 * Sets kernel->shift from the reference symbol's recorded address, as the kernel's address changes
 * at every boot. Returns true if the symbol is at the recorded address.
 */
static bool find_shift(struct kernel *kernel)
{
	const struct dso *dso = kernel->recorded.dso;
	uint64_t address;

	kernel->shift = 0;
	if (!dso || !dso->reference_address || !dso->reference_symbol ||
	    !kallsyms_address(&kernel->kallsyms, dso->reference_symbol, &address))
		return false;
	kernel->shift = address - dso->reference_address;
	return kernel->shift == 0;
}

/*
 * Whether the running kernel, of which kallsyms was read, is the recorded one without a build id.
 * Where kernels are moved at boot, an equal address proves that it is the same boot; elsewhere all
 * of them have it.
 */
static bool is_proven(const struct kernel *kernel, bool same_place)
{
	struct utsname own;
	uint64_t text;

	if (!same_place)
		return false;
	if (samekernel_is_same_system(&kernel->recorded))
		return true;
	return uname(&own) == 0 && kallsyms_address(&kernel->kallsyms, "_text", &text) &&
	       samekernel_was_moved(own.machine, text);
}

/* Returns the fate of the kallsyms just read, by a rule with @flags. */
static enum fate judge(struct kernel *kernel, unsigned flags)
{
	const struct dso *dso = kernel->recorded.dso;
	bool same_place;

	if (kernel->kallsyms.nr == 0)
		return FATE_NO_SYMBOLS;
	if (kernel->kallsyms.hidden)
		return FATE_HIDDEN;
	same_place = find_shift(kernel);
	if (flags & RUNNING && (!dso || (!dso->build_id_len && !is_proven(kernel, same_place))))
		return FATE_UNPROVEN;
	if (flags & CACHED && !samekernel_can_shift(kernel->recorded.machine, kernel->shift))
		return FATE_OTHER_KERNEL;
	return FATE_USED;
}

/* ---- reading it ------------------------------------------------------------------------------ */

/* Returns the text at @path, NUL-terminated, to be freed; NULL with @fate or *@nomem set. */
static char *read_text(const struct candidates *tried, const char *path, size_t *size,
		       enum fate *fate, bool *nomem)
{
	enum file_status status;
	struct span bytes;
	char *text;

	*fate = candidates_find_archived(tried, path, &bytes);
	if (*fate == FATE_USED) {
		*size = span_left(&bytes);
		text = *size <= MAX_KALLSYMS ? calloc(1, *size + 1) : NULL;
		*nomem = !text && *size <= MAX_KALLSYMS;
		if (text)
			span_bytes(&bytes, text, *size);
		*fate = FATE_UNREADABLE;
		return text;
	}
	if (*fate != FATE_NR)
		return NULL;
	text = file_read(path, MAX_KALLSYMS, size, &status);
	*nomem = !text && status == FILE_OPEN;
	*fate = status == FILE_OPEN ? FATE_UNREADABLE : candidate_fate(status);
	return text;
}

/* Reads and parses the kallsyms at @path. Returns 1; 0 if there is none, with @fate; -1 if memory
 * is out. */
static int parse_file(struct kernel *kernel, const char *path, enum fate *fate)
{
	bool nomem = false;
	size_t size;
	char *text = read_text(&kernel->tried, path, &size, fate, &nomem);

	if (!text)
		return nomem ? -1 : 0;
	return kallsyms_parse(&kernel->kallsyms, text, size) < 0 ? -1 : 1;
}

/* Whether @kallsyms is the running kernel's, which has another build id than @dso. Sets *@nomem if
 * memory is out. */
static bool is_of_another(const struct kallsyms *kallsyms, const struct dso *dso, bool *nomem)
{
	struct kallsyms running = {0};
	uint8_t id[DSO_BUILD_ID_MAX];
	const size_t len = kernel_note_build_id(running_notes, id, nomem);
	enum file_status status;
	size_t size;
	char *text;
	bool is;

	if (len == 0 || dso_has_build_id(dso, id, len))
		return false;
	text = file_read(running_kallsyms, MAX_KALLSYMS, &size, &status);
	*nomem = text ? kallsyms_parse(&running, text, size) < 0 : status == FILE_OPEN;
	is = text && !*nomem && samekernel_are_lists_of_one(kallsyms, &running);
	kallsyms_free(&running);
	return is;
}

/* Whether the running kernel's first symbols show that it is not the recorded one of @dso, of which
 * no build id is known. */
static bool runs_elsewhere(const struct dso *dso)
{
	char head[HEAD_BYTES];
	size_t size = 0;
	ssize_t got = 1;
	int fd;

	if (!dso || dso->build_id_len)
		return false;
	fd = open(running_kallsyms, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && size < sizeof(head) && got > 0) {
		got = read(fd, head + size, sizeof(head) - size);
		size += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
	return samekernel_is_elsewhere(dso, head, size);
}

/* Reads the kallsyms at @path and frees it unless its fate is FATE_USED. -1 if memory is out. */
static int read_kallsyms(struct kernel *kernel, const char *path, unsigned flags, enum fate *fate)
{
	const struct dso *dso = kernel->recorded.dso;
	bool nomem = false;
	int rc = 0;

	*fate = flags & RUNNING ? judge_running(&kernel->recorded, &nomem) : FATE_USED;
	if (*fate == FATE_USED && flags & RUNNING && runs_elsewhere(dso))
		*fate = FATE_UNPROVEN;
	if (*fate != FATE_USED)
		return nomem ? -1 : 0;
	if (flags & RUNNING)
		rc = kallsyms_ahead_take(&kernel->ahead, &kernel->kallsyms);
	if (rc == 0)
		rc = parse_file(kernel, path, fate);
	if (rc <= 0)
		return rc;
	*fate = judge(kernel, flags);
	if (*fate == FATE_USED && flags & CACHED && is_of_another(&kernel->kallsyms, dso, &nomem))
		*fate = FATE_OTHER_KERNEL;
	if (*fate != FATE_USED || nomem)
		kallsyms_free(&kernel->kallsyms);
	return nomem ? -1 : 0;
}

/* The values for the letters in rules. */
struct parts {
	const struct symbol_settings *settings;
	const struct symbol_kernel *recorded;
	char cache[PATH_MAX];
	struct rulepath_id id;
};

/* Returns what a letter in a rule stands for; NULL if there is no such part. */
static const char *part_of(const void *arg, char letter)
{
	const struct parts *parts = arg;

	switch (letter) {
	case 'k': /* the file named by the user */
		return parts->settings->kallsyms;
	case 'K': /* the directory that came with the recording */
		return parts->recorded->kcore_dir;
	case 'C': /* perf's cache of binaries */
		return parts->cache;
	case 'b': /* the build id, as directory and name */
		return parts->id.len ? parts->id.path : NULL;
	default:
		return NULL;
	}
}

static enum reason reason_of(enum fate fate)
{
	switch ((int)fate) {
	case FATE_USED:
		return REASON_NONE;
	case FATE_MISSING:
		return REASON_FILE_MISSING;
	case FATE_NO_SYMBOLS:
		return REASON_NO_SYMBOLS;
	case FATE_HIDDEN:
		return REASON_KERNEL_HIDDEN;
	case FATE_OTHER_BUILD:
	case FATE_UNPROVEN:
	case FATE_OTHER_KERNEL:
		return REASON_KERNEL_OTHER;
	default:
		return REASON_FILE_UNREADABLE;
	}
}

static int try_rule(struct kernel *kernel, const struct parts *parts, const struct rulepath *rule)
{
	enum fate fate;
	char path[PATH_MAX];

	if (!rulepath_make(path, rule->path, part_of, parts))
		return 0;
	if (read_kallsyms(kernel, path, rule->flags, &fate) < 0 ||
	    candidates_add(&kernel->tried, rule->name, NULL, path, fate) < 0)
		return -1;
	if (fate == FATE_USED) {
		kernel->rule = rule->name;
		kernel->is_running = rule->flags & RUNNING;
		kernel->path = kernel->tried.list[kernel->tried.nr - 1].path;
	} else if (rule->flags & OLD_CACHE) {
		candidates_forget_absent(&kernel->tried);
	}
	/* If none is used, the reason is that of the file most users would look at. */
	if (fate == FATE_USED || rule->flags & (GIVEN | RUNNING))
		kernel->reason = reason_of(fate);
	return 0;
}

static int choose(struct kernel *kernel, const struct symbol_settings *settings)
{
	const struct dso *dso = kernel->recorded.dso;
	struct parts parts = {.settings = settings, .recorded = &kernel->recorded};

	kernel->tried.archive = settings->archive;
	rulepath_set_cache(parts.cache, settings->build_id_cache);
	if (dso)
		rulepath_set_id(&parts.id, dso->build_id, dso->build_id_len);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (try_rule(kernel, &parts, &rules[i]) < 0)
			return -1;
		if (kernel->path || (rules[i].flags & GIVEN && settings->kallsyms))
			break;
	}
	return 0;
}

/* ---- before the choice ----------------------------------------------------------------------- */

/* Whether the choice will be the running kernel's, as far as that is known. Sets *@nomem if memory
 * is out. */
static bool expects_running(const struct kernel *kernel, const struct symbol_settings *settings,
			    bool *nomem)
{
	const struct dso *dso = kernel->recorded.dso;

	if (settings->kallsyms || settings->vmlinux || kernel->recorded.kcore_dir || !dso)
		return false;
	/* perf record -z writes no build ids; is_proven() looks at the kernel's address then. */
	return dso->build_id_len
		       ? !runs_another(dso, nomem)
		       : dso->reference_address && samekernel_is_same_system(&kernel->recorded);
}

void kernel_read_ahead(struct kernel *kernel, const struct symbol_settings *settings)
{
	bool nomem = false; /* who needs it will try again, and tell of it */
	char path[PATH_MAX];

	if (expects_running(kernel, settings, &nomem) &&
	    (kernel->has_modules || !kernelcopy_find(path, kernel->recorded.dso, settings)))
		kallsyms_ahead_start(&kernel->ahead);
}

void kernel_expect_module(struct kernel *kernel, const struct symbol_settings *settings)
{
	const bool is_first = !kernel->has_modules;

	kernel->has_modules = true;
	if (is_first && kernel->recorded.dso)
		kernel_read_ahead(kernel, settings);
}

bool kernel_ahead_is_busy(struct kernel *kernel)
{
	return kallsyms_ahead_is_busy(&kernel->ahead);
}

/* True if @copy covers all places of @list. */
static bool covers_all(const struct kernelcopy *copy, const struct place_list *list)
{
	for (size_t i = 0; list && i < list->nr_places; i++)
		if (!kernelcopy_covers(copy, list->places[i].address))
			return false;
	return list;
}

/*
 * Returns what perf's copy tells of @expected: only that, if nobody has asked before, else all. It
 * may have no path. NULL if memory is out.
 */
static const struct kernelcopy *read_copy(struct kernel *kernel,
					  const struct symbol_settings *settings,
					  const struct place_list *expected)
{
	const struct dso *dso = kernel->recorded.dso;
	bool nomem = false;

	if (kernel->copy.path || !expects_running(kernel, settings, &nomem))
		return nomem ? NULL : &kernel->copy;
	if (!kernel->near.path) {
		if (kernelcopy_read_near(&kernel->near, dso, settings, expected) < 0)
			return NULL;
		if (kernel->near.path)
			return &kernel->near;
	}
	return kernelcopy_read(&kernel->copy, dso, settings) < 0 ? NULL : &kernel->copy;
}

const char *kernel_own_symbols(struct kernel *kernel, const struct symbol_settings *settings,
			       const struct place_list *expected, struct symtab *table, bool *nomem)
{
	const struct kernelcopy *copy;
	bool has_all;

	pthread_mutex_lock(&kernel->lock);
	copy = read_copy(kernel, settings, expected);
	has_all = copy && copy->path && covers_all(copy, expected);
	*nomem =
		!copy || (has_all && kallsyms_read_kernel(&copy->kallsyms, expected, 0, table) < 0);
	pthread_mutex_unlock(&kernel->lock);
	return has_all && !*nomem ? copy->path : NULL;
}

int kernel_load(struct kernel *kernel, const struct symbol_settings *settings)
{
	int rc = 0;

	pthread_mutex_lock(&kernel->lock);
	if (!kernel->is_loaded) {
		rc = choose(kernel, settings);
		kernel->is_loaded = rc == 0;
	}
	pthread_mutex_unlock(&kernel->lock);
	return rc;
}

int kernel_runs(struct kernel *kernel, const struct symbol_settings *settings, bool *runs)
{
	const struct dso *dso = kernel->recorded.dso;
	bool nomem = false;

	*runs = dso && dso->build_id_len ? !runs_another(dso, &nomem)
					 : samekernel_is_same_system(&kernel->recorded);
	if (nomem)
		return -1;
	if (*runs || !dso || dso->build_id_len || !dso->reference_address)
		return 0;
	if (kernel_load(kernel, settings) < 0)
		return -1;
	*runs = kernel->is_running;
	return 0;
}
