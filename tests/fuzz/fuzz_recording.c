/*
 * libFuzzer target: a recording, from its bytes to the answers.
 *
 * Whatever the bytes are, reading ends, no byte outside them is touched, nothing leaks, and the
 * sums hold: every sample of an event is in one row of its functions, one of its lines and one of
 * its addresses.
 */
#include "decode/replay.h"
#include "perffile/perffile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sums(const struct results *results)
{
	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *event = &results->events[i];
		uint64_t samples = 0, in_lines = 0, at_addresses = 0;

		for (size_t k = 0; k < results->nr_functions; k++) {
			if (results->functions[k].event == event->event)
				samples += results->functions[k].self.samples;
		}
		for (size_t k = 0; k < results->nr_lines; k++) {
			if (results->lines[k].event == event->event)
				in_lines += results->lines[k].self.samples;
		}
		for (size_t k = 0; k < results->nr_addresses; k++) {
			if (results->addresses[k].event == event->event)
				at_addresses += results->addresses[k].self.samples;
		}
		if (samples != event->total.samples || in_lines != samples ||
		    at_addresses != samples)
			abort();
	}
}

static void replay_all(struct perffile *file)
{
	const struct filter filter = {0};
	const struct replay_settings settings = {
		.filter = &filter,
		.symbols = {.debug_dir = "/nonexistent",
			    .build_id_cache = "/nonexistent",
			    .threads = 1,
			    .inlined = true},
		.lines = true,
		.addresses = true,
	};
	struct error err = {0};
	struct replay *replay = replay_create(&settings, file, &err);
	const struct results *results = NULL;
	const struct record *rec;
	int rc = -1;

	while (replay && (rc = perffile_next(file, &rec, &err)) > 0) {
		if (replay_apply(replay, rec, &err) < 0)
			abort();
	}
	if (rc == 0)
		results = replay_finish(replay, NULL, NULL, &err);
	if (results)
		check_sums(results);
	replay_destroy(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	struct error err = {0};
	struct perffile *file;
	char path[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file = perffile_open(path, &err);
	if (file && size % 2)
		perffile_set_memory(file, 0); /* everything is read twice */
	if (file)
		replay_all(file);
	perffile_close(file);
	close(fd);
	return 0;
}
