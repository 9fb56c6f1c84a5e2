/* The symbols of an ordinary ELF file. */
#include "decode/symbol/source.h"

#include "decode/symbol/locate.h"

int source_load_user(struct binary *binary, const struct dso *dso, struct source_context *context)
{
	bool nomem = false;
	enum reason reason;

	if (dso->replaced) {
		binary_set_reason(binary, REASON_FILE_REPLACED);
		return 0;
	}
	reason = locate_files(dso, &context->settings, &binary->runtime, &binary->debug, &nomem);
	if (nomem)
		return -1;
	if (reason != REASON_NONE) {
		binary_set_reason(binary, reason);
		return 0;
	}
	return binary_read_elf(binary);
}
