/*
 * userchains FILE: prints the user part of each sample's call chain, innermost frame first, to be
 * held beside what perf script prints: "TID TIME END PLACE...", a place being a byte offset in the
 * binary, as perf 6.1 prints it.
 */
#include "decode/replay/state.h"
#include "perffile/perffile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what)
{
	fprintf(stderr, "userchains: %s\n", what);
	exit(1);
}

static void print_chain(struct replay *replay, const struct record *rec)
{
	struct process *process = process_find(&replay->processes, rec->pid);
	struct user_part part;

	if (!process || (stacks_need_info(&replay->stacks, rec)))
		return;
	if (!user_part_find(&replay->stacks.unwinder, USER_PART_AUTO, process, rec->event->number,
			    rec, &part))
		fail("no memory");
	printf("%" PRIu32 " %" PRIu64 " %s", rec->tid, rec->time, chain_end_word(part.end));
	for (size_t i = 0; i < part.nr; i++) {
		const struct address *address = &replay->addresses.addresses[part.addresses[i]];

		printf(" %" PRIx64, address->place);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const struct filter filter;
	const struct replay_settings settings = {.filter = &filter};
	const struct record *rec;
	struct perffile *file;
	struct replay *replay;
	struct error err = {0};
	int rc;

	file = argc == 2 ? perffile_open(argv[1], &err) : NULL;
	if (!file)
		fail(argc == 2 ? err.text : "one recording is needed");
	replay = replay_create(&settings, file, &err);
	if (!replay)
		fail(err.text);
	while ((rc = perffile_next(file, &rec, &err)) > 0) {
		if (replay_apply(replay, rec, &err) < 0)
			fail(err.text);
		if (rec->type == RECORD_SAMPLE)
			print_chain(replay, rec);
	}
	if (rc < 0)
		fail(err.text);
	replay_destroy(replay);
	perffile_close(file);
	return 0;
}
