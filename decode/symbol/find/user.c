#include "decode/symbol/find/user.h"

#include "decode/symbol/find/locate.h"

/* The files that were read for @binary. */
static struct located files_of(const struct binary *binary)
{
	return (struct located){
		.runtime = binary->runtime,
		.debug = binary->debug,
		.alternate = binary->alternate,
		.package = binary->package,
		.root = binary->root,
		.debug_is_partial = binary->debug_is_partial,
	};
}

/* The runtime file alone is not enough: two paths of one file may lead to different debug files. */
static bool same_files(const struct located *a, const struct located *b)
{
	return a->runtime == b->runtime && a->debug == b->debug && a->alternate == b->alternate &&
	       a->package == b->package && a->root == b->root;
}

static void set_files(struct binary *binary, const struct located *found)
{
	binary->runtime = found->runtime;
	binary->debug = found->debug;
	binary->alternate = found->alternate;
	binary->package = found->package;
	binary->root = found->root;
	binary->debug_is_partial = found->debug_is_partial;
}

int user_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	struct located found = {0}, known = {0};
	bool nomem = false;
	enum reason reason;

	if (dso->replaced) {
		binary_set_reason(binary, REASON_FILE_REPLACED);
		return 0;
	}
	if (binary->like)
		known = files_of(binary->like);
	reason = locate_files(dso, &context->settings, context->servers, &known, &binary->strings,
			      &found, &nomem);
	set_files(binary, &found);
	binary->origin = found.origin;
	if (nomem)
		return -1;
	if (reason != REASON_NONE) {
		binary_set_reason(binary, reason);
		return 0;
	}
	/* Missing split units are reported for each path separately. */
	if (binary->like && same_files(&found, &known) && binary->like->splits.nr_missing == 0) {
		binary->same = binary->like;
		binary_set_reason(binary, REASON_NONE);
		return 0;
	}
	return binary_read_elf(binary);
}
