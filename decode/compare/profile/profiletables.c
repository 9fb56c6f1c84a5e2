#include "decode/compare/profile/profiletables.h"

#include "util/cores.h"
#include "util/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_THREADS = 16 }; /* limits the number of open files: one per thread */

/* State that the threads share. */
struct profiletables_work {
	struct profile *profiles;
	bool *is_table;
	const struct profiletables_input *input;
	pthread_mutex_t lock; /* protects the members below and the calls of tick */
	size_t next, done;
	size_t failed; /* number of the first file that could not be read */
	struct error *err;
};

/* Returns the number of the next file, or the number of files if none is left. */
static size_t take_file(struct profiletables_work *work)
{
	size_t number = work->input->nr;

	pthread_mutex_lock(&work->lock);
	if (work->next < work->failed)
		number = work->next++;
	pthread_mutex_unlock(&work->lock);
	return number;
}

static void note_done(struct profiletables_work *work)
{
	pthread_mutex_lock(&work->lock);
	work->done++;
	if (work->input->tick)
		work->input->tick(work->input->tick_arg, work->done);
	pthread_mutex_unlock(&work->lock);
}

/* Files are taken in order, so all files before the first that fails are read. */
static void note_failed(struct profiletables_work *work, size_t number, const struct error *err)
{
	pthread_mutex_lock(&work->lock);
	if (number < work->failed) {
		work->failed = number;
		*work->err = *err;
	}
	pthread_mutex_unlock(&work->lock);
}

static int read_file(struct profiletables_work *work, size_t number, struct rowkeys *keys,
		     struct error *err)
{
	const char *path = work->input->paths[number];

	work->is_table[number] = profilecsv_is_table(path);
	if (!work->is_table[number])
		return 0;
	profile_share(&work->profiles[number], keys);
	return profilecsv_read(&work->profiles[number], path, work->input->filter, err);
}

/* Each thread has its own table of names, which its profiles share. */
static void *run(void *arg)
{
	struct profiletables_work *work = arg;
	struct rowkeys *keys = NULL;
	size_t number;

	while ((number = take_file(work)) < work->input->nr) {
		struct error err = {0};
		int rc;

		keys = keys ? keys : rowkeys_make();
		rc = keys ? read_file(work, number, keys, &err)
			  : error_nomem(&err, "reading tables");
		if (rc < 0)
			note_failed(work, number, &err);
		note_done(work);
	}
	rowkeys_drop(keys);
	return NULL;
}

static size_t choose_nr_threads(const struct profiletables_input *input)
{
	size_t nr = cores_choose(input->threads);

	nr = nr < MAX_THREADS ? nr : MAX_THREADS;
	return nr < input->nr ? nr : input->nr;
}

size_t profiletables_read(struct profile *profiles, bool *is_table,
			  const struct profiletables_input *input, struct error *err)
{
	struct profiletables_work work = {
		.profiles = profiles,
		.is_table = is_table,
		.input = input,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.failed = input->nr,
		.err = err,
	};
	const size_t nr_threads = choose_nr_threads(input);
	pthread_t threads[MAX_THREADS];
	size_t nr = 0;

	/* The calling thread works too, so the work is done even if no thread can be started. */
	while (nr + 1 < nr_threads && thread_start(&threads[nr], run, &work))
		nr++;
	run(&work);
	while (nr)
		pthread_join(threads[--nr], NULL);
	pthread_mutex_destroy(&work.lock);
	return work.failed;
}
