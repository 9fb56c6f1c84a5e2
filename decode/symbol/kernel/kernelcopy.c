#include "decode/symbol/kernel/kernelcopy.h"

#include "decode/symbol/file/file.h"
#include "decode/symbol/find/rulepath.h"
#include "decode/symbol/kernel/kallsymsnear.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits; the kernel's first symbols are at its start. */
enum { MAX_BYTES = 1 << 30, HEAD_BYTES = 64 << 10 };

/* Maps the file at @path, for file_unmap(). Returns false if it cannot. */
static bool map(const char *path, struct file_bytes *file)
{
	bool is_mapped;
	int fd;

	if (file_open_in(NULL, path, &fd) != FILE_OPEN)
		return false;
	is_mapped = file_map(fd, file);
	close(fd);
	return is_mapped;
}

/* Whether the file at @path begins with symbols that have the kernel where @dso was recorded. */
static bool is_at_place(const char *path, const struct dso *dso)
{
	struct kallsyms_lines head;
	struct file_bytes file;
	uint64_t address;
	bool is;

	if (!map(path, &file))
		return false;
	head = kallsymsnear_lines(file.bytes, file.size < HEAD_BYTES ? file.size : HEAD_BYTES);
	is = kallsymsnear_find(&head, 0, dso->reference_symbol, &address) &&
	     address == dso->reference_address;
	file_unmap(&file);
	return is;
}

static const char *part_of(const void *arg, char letter)
{
	return ((const char *const *)arg)[letter == 'b'];
}

bool kernelcopy_find(char path[PATH_MAX], const struct dso *dso,
		     const struct symbol_settings *settings)
{
	struct rulepath_id id = {0};
	char cache[PATH_MAX];
	const char *const parts[] = {cache, id.path};

	if (settings->archive || !dso->reference_symbol || !dso->reference_address)
		return false;
	rulepath_set_id(&id, dso->build_id, dso->build_id_len);
	rulepath_set_cache(cache, settings->build_id_cache);
	return id.len && rulepath_make(path, "%C/.build-id/%b/kallsyms", part_of, parts) &&
	       is_at_place(path, dso);
}

/* Reads the symbols in @text, which it takes. Returns as kernelcopy_read(). */
static int read_text(struct kernelcopy *copy, char *text, size_t size, const char *path)
{
	if (kallsyms_parse(&copy->kallsyms, text, size) < 0)
		return -1;
	if (!kallsyms_address(&copy->kallsyms, "_text", &copy->start) ||
	    !kallsyms_address(&copy->kallsyms, "_etext", &copy->end))
		return 0;
	if (!kallsyms_address(&copy->kallsyms, "_sinittext", &copy->init_start) ||
	    !kallsyms_address(&copy->kallsyms, "_einittext", &copy->init_end))
		copy->init_end = copy->init_start = 0;
	copy->path = strdup(path);
	return copy->path ? 0 : -1;
}

/* As kernelcopy_read(), from the file at @path. */
static int read_file(struct kernelcopy *copy, const char *path)
{
	enum file_status status;
	size_t size;
	char *text = file_read(path, MAX_BYTES, &size, &status);
	int rc;

	if (!text)
		return status == FILE_OPEN ? -1 : 0;
	rc = read_text(copy, text, size, path);
	if (!copy->path)
		kernelcopy_free(copy);
	return rc;
}

int kernelcopy_read(struct kernelcopy *copy, const struct dso *dso,
		    const struct symbol_settings *settings)
{
	char path[PATH_MAX];

	return kernelcopy_find(path, dso, settings) ? read_file(copy, path) : 0;
}

/*
 * Finds where the kernel's own code ends: behind the last place of @expected, which takes few
 * lines, or behind one of those before it, if the last ones are in the code that starts the kernel.
 */
static bool find_end(const struct kallsyms_lines *lines, const struct place_list *expected,
		     uint64_t *end)
{
	const struct place *places = expected->places;

	for (size_t back = 1; back < expected->nr_places; back *= 2)
		if (kallsymsnear_find(lines, places[expected->nr_places - back].address, "_etext",
				      end))
			return true;
	return kallsymsnear_find(lines, places[0].address, "_etext", end);
}

/* Finds the code that starts the kernel, which comes after the rest, up to @end. */
static void find_init(const struct kallsyms_lines *lines, struct kernelcopy *copy, uint64_t end)
{
	if (!kallsymsnear_find(lines, end, "_sinittext", &copy->init_start) ||
	    !kallsymsnear_find(lines, copy->init_start, "_einittext", &copy->init_end))
		copy->init_end = copy->init_start = 0;
}

/* As kernelcopy_read_near() from @text, of the file at @path. */
static int read_lines(struct kernelcopy *copy, const char *text, size_t size, const char *path,
		      const struct place_list *expected)
{
	const struct kallsyms_lines lines = kallsymsnear_lines(text, size);
	uint64_t start, end;
	bool nomem;
	char *near;

	if (!kallsymsnear_find(&lines, 0, "_text", &start) || !find_end(&lines, expected, &end))
		return 0;
	near = kallsymsnear_copy(&lines, expected, &size, &nomem);
	if (!near)
		return nomem ? -1 : 0;
	if (kallsyms_parse(&copy->kallsyms, near, size) < 0)
		return -1;
	copy->start = start;
	copy->end = end;
	if (expected->places[expected->nr_places - 1].address >= end)
		find_init(&lines, copy, end);
	copy->path = strdup(path);
	return copy->path ? 0 : -1;
}

int kernelcopy_read_near(struct kernelcopy *copy, const struct dso *dso,
			 const struct symbol_settings *settings, const struct place_list *expected)
{
	char path[PATH_MAX];
	struct file_bytes file;
	int rc = 0;

	/* Instructions lead to other places. */
	if (!expected || expected->nr_places == 0 || !place_list_wants_symbols_only(expected) ||
	    !kernelcopy_find(path, dso, settings))
		return 0;
	if (!map(path, &file))
		return 0;
	if (file.size <= MAX_BYTES)
		rc = read_lines(copy, file.bytes, file.size, path, expected);
	file_unmap(&file);
	if (rc < 0)
		kernelcopy_free(copy);
	return rc;
}

void kernelcopy_free(struct kernelcopy *copy)
{
	kallsyms_free(&copy->kallsyms);
	free(copy->path);
	*copy = (struct kernelcopy){0};
}
