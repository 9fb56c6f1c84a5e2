/* The symbols of an ordinary ELF file. */
#include "decode/symbol/source.h"

#include "decode/symbol/locate.h"

int source_load_user(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	struct located found = {0};
	bool nomem = false;
	enum reason reason;

	if (dso->replaced) {
		binary_set_reason(binary, REASON_FILE_REPLACED);
		return 0;
	}
	reason = locate_files(dso, &context->settings, &context->debuginfod, &binary->strings,
			      &found, &nomem);
	binary->runtime = found.runtime;
	binary->debug = found.debug;
	binary->alternate = found.alternate;
	binary->package = found.package;
	binary->root = found.root;
	binary->debug_is_partial = found.debug_is_partial;
	binary->origin = found.origin;
	if (nomem)
		return -1;
	if (reason != REASON_NONE) {
		binary_set_reason(binary, reason);
		return 0;
	}
	return binary_read_elf(binary);
}
