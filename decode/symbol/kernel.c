/* The symbols of the kernel, of its modules and of BPF programs, all out of kallsyms. */
#include "decode/symbol/kernel.h"

#include "decode/symbol/file.h"
#include "decode/symbol/note.h"
#include "decode/symbol/source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bounds on what is read; kallsyms of a large kernel has some 20 MB. */
enum { MAX_KALLSYMS = 1 << 30, MAX_NOTES = 1 << 20 };

void kernel_init(struct kernel *kernel)
{
	*kernel = (struct kernel){0};
	pthread_mutex_init(&kernel->lock, NULL);
}

void kernel_deinit(struct kernel *kernel)
{
	kallsyms_free(&kernel->kallsyms);
	pthread_mutex_destroy(&kernel->lock);
}

/* ---- reading kallsyms ------------------------------------------------------------------------ */

static int read_kallsyms(struct kernel *kernel, const char *path)
{
	enum file_status status;
	size_t size;
	char *text = file_read(path, MAX_KALLSYMS, &size, &status);

	if (!text && status == FILE_OPEN)
		return -1;
	if (!text) {
		kernel->reason =
			status == FILE_MISSING ? REASON_FILE_MISSING : REASON_FILE_UNREADABLE;
		return 0;
	}
	if (kallsyms_parse(&kernel->kallsyms, text, size) < 0)
		return -1;
	if (kernel->kallsyms.nr == 0)
		kernel->reason = REASON_NO_SYMBOLS;
	else if (kernel->kallsyms.hidden)
		kernel->reason = REASON_KERNEL_HIDDEN;
	return 0;
}

/* Reads kallsyms unless that was done; then kernel->reason says if it can be used. */
static int load(struct kernel *kernel, const struct symbol_settings *settings)
{
	int rc = 0;

	pthread_mutex_lock(&kernel->lock);
	if (!kernel->is_loaded) {
		rc = read_kallsyms(kernel,
				   settings->kallsyms ? settings->kallsyms : "/proc/kallsyms");
		kernel->is_loaded = rc == 0;
	}
	pthread_mutex_unlock(&kernel->lock);
	return rc;
}

/* ---- is it the recorded one? ----------------------------------------------------------------- */

/* True if the notes at @path, which the running kernel gives, hold the build id of @dso. */
static bool notes_agree(const char *path, const struct dso *dso)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	enum file_status status;
	size_t size, len;
	char *notes = file_read(path, MAX_NOTES, &size, &status);

	if (!notes)
		return false;
	len = note_build_id(span_make(notes, size, false), 4, id);
	free(notes);
	return len && len == dso->build_id_len && memcmp(id, dso->build_id, len) == 0;
}

/*
 * Whether the symbols are those of the recorded kernel @dso, which may be NULL. *@shift gets what
 * is to be added to its addresses: where the kernel lies changes with every boot.
 */
static enum reason compare(const struct kernel *kernel, const struct symbol_settings *settings,
			   const struct dso *dso, uint64_t *shift)
{
	uint64_t reference = 0;

	*shift = 0;
	/* What the user names is taken as it is, even against the order of these questions. */
	if (!settings->kallsyms && dso && dso->build_id_len &&
	    !notes_agree("/sys/kernel/notes", dso))
		return REASON_KERNEL_OTHER;
	if (kernel->reason != REASON_NONE)
		return kernel->reason;
	if (dso && dso->reference_address && dso->reference_symbol &&
	    kallsyms_address(&kernel->kallsyms, dso->reference_symbol, &reference))
		*shift = reference - dso->reference_address;
	if (settings->kallsyms)
		return REASON_NONE;
	/* Without a build id only an equal address tells: the same kernel since the same boot. */
	if (!dso || (!dso->build_id_len && (!reference || *shift)))
		return REASON_KERNEL_OTHER;
	return REASON_NONE;
}

int source_load_kernel(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	const struct kernel *kernel = &context->kernel;
	enum reason reason;

	if (load(&context->kernel, &context->settings) < 0)
		return -1;
	reason = compare(kernel, &context->settings, dso, &binary->shift);
	binary_set_reason(binary, reason);
	if (reason != REASON_NONE)
		return 0;
	return kallsyms_read(&kernel->kallsyms, "", 0, UINT64_MAX, &binary->symbols.table);
}

/* ---- modules --------------------------------------------------------------------------------- */

/* "/lib/modules/.../snd_pcm.ko.xz", "[snd_pcm]" -> "snd_pcm"; "bpf_prog_..." -> "bpf" */
static void module_name(const char *path, char *name, size_t size)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *end = strstr(base, ".ko");
	size_t len;

	if (!slash && strncmp(path, "bpf_", 4) == 0)
		base = "bpf", end = NULL;
	if (!slash && base[0] == '[')
		base++, end = strchr(base, ']');
	len = end ? (size_t)(end - base) : strlen(base);
	snprintf(name, size, "%.*s", (int)(len < size ? len : size - 1), base);
}

/* sysfs spells all names with '_'. */
static bool module_notes_agree(const char *name, const struct dso *dso)
{
	char path[PATH_MAX], *at;

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", name);
	for (at = path; (at = strchr(at, '-')) != NULL && at < strstr(path, "/notes/"); at++)
		*at = '_';
	return notes_agree(path, dso);
}

/* As compare(), for a module: it moves with every boot, and its kallsyms entries with it. */
static enum reason compare_module(const struct kernel *kernel,
				  const struct symbol_settings *settings, const struct dso *dso,
				  const char *name)
{
	uint64_t shift;
	bool is_known = dso->build_id_len && module_notes_agree(name, dso);
	enum reason reason;

	if (settings->kallsyms)
		return kernel->reason;
	if (is_known && !kernel->recorded)
		return kernel->reason;
	reason = compare(kernel, settings, kernel->recorded, &shift);
	if (reason != REASON_NONE)
		return reason;
	return shift ? REASON_KERNEL_OTHER : REASON_NONE;
}

int source_load_module(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	const struct kernel *kernel = &context->kernel;
	uint64_t end = dso->end > dso->start ? dso->end : UINT64_MAX;
	enum reason reason;
	char name[256];

	if (load(&context->kernel, &context->settings) < 0)
		return -1;
	module_name(dso->path, name, sizeof(name));
	reason = compare_module(kernel, &context->settings, dso, name);
	binary_set_reason(binary, reason);
	if (reason != REASON_NONE)
		return 0;
	return kallsyms_read(&kernel->kallsyms, name, dso->start, end, &binary->symbols.table);
}
