#include "tests/support/replaying.h"

#include "tests/support/recording.h"
#include "tests/support/suite.h"

struct replaying replaying_begin(struct mkperf *m, struct replay_settings *settings)
{
	struct replaying replaying = {.file = recording_open(m)};
	struct error err = {0};
	const struct record *rec;

	settings->symbols.build_id_cache = settings->symbols.debug_dir = "/nonexistent";
	replaying.replay = replay_create(settings, replaying.file, &err);
	ck_assert_msg(replaying.replay, "%s", err.text);
	while ((rec = recording_next(replaying.file)))
		ck_assert_msg(replay_apply(replaying.replay, rec, &err) >= 0, "%s", err.text);
	return replaying;
}

void replaying_finish(struct replaying *replaying)
{
	struct error err = {0};

	replaying->results = replay_finish(replaying->replay, &err);
	ck_assert_msg(replaying->results, "%s", err.text);
}

void replaying_end(struct replaying *replaying)
{
	replay_destroy(replaying->replay);
	perffile_close(replaying->file);
	*replaying = (struct replaying){0};
}
