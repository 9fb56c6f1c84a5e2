#include "decode/replay/pathlane.h"

#include <pthread.h>
#include <stdlib.h>

enum {
	JOB_SAMPLES = 64,
	MAX_WAITING = 32, /* jobs; more would only take memory */
};

struct lane_job {
	struct lane_job *next; /* whoever has it may set it */
	struct named_paths paths;
	size_t nr; /* of them */
};

struct path_lane {
	struct stacks *stacks;
	struct lane_job *open; /* the caller's, to be filled; NULL: none */
	bool is_used;	       /* a sample was added since path_lane_await() */
	uint64_t nr_added;     /* samples */
	pthread_mutex_t lock;
	pthread_cond_t to_caller;
	/* All threads use what follows, with the lock. */
	struct lane_job *first, **behind; /* to be done */
	size_t nr_waiting;
	struct lane_job *unused;
	bool is_busy;	  /* a thread is at it */
	uint64_t nr_done; /* samples */
	uint64_t nr_made; /* paths; while the lane is used */
	struct error failed;
};

struct path_lane *path_lane_create(struct stacks *stacks)
{
	struct path_lane *lane = calloc(1, sizeof(*lane));

	if (!lane)
		return NULL;
	lane->stacks = stacks;
	lane->behind = &lane->first;
	pthread_mutex_init(&lane->lock, NULL);
	pthread_cond_init(&lane->to_caller, NULL);
	return lane;
}

/* ---- work ------------------------------------------------------------------------------------ */

/* The first job to be done, which is taken; NULL: there is none, or a thread is at it. */
static struct lane_job *take_job(struct path_lane *lane)
{
	struct lane_job *job = lane->is_busy ? NULL : lane->first;

	if (!job)
		return NULL;
	lane->first = job->next;
	if (!lane->first)
		lane->behind = &lane->first;
	lane->nr_waiting--;
	lane->is_busy = true;
	return job;
}

/* Counts what is in @job, unless one before it failed; without the lock, which is held. */
static void do_job(struct path_lane *lane, struct lane_job *job)
{
	const bool counts = lane->failed.kind == ERROR_NONE;
	struct error err;
	int rc = 0;

	pthread_mutex_unlock(&lane->lock);
	if (counts)
		rc = stacks_count_named(lane->stacks, &job->paths, &err);
	named_paths_clear(&job->paths);
	pthread_mutex_lock(&lane->lock);
	if (rc < 0)
		lane->failed = err;
	lane->nr_done += job->nr;
	job->nr = 0;
	lane->nr_made = pathstore_nr_made(&lane->stacks->paths);
	lane->is_busy = false;
	job->next = lane->unused;
	lane->unused = job;
	pthread_cond_signal(&lane->to_caller);
}

/* As path_lane_work(), with the lock. */
static bool work(struct path_lane *lane)
{
	struct lane_job *job = take_job(lane);

	if (job)
		do_job(lane, job);
	return job;
}

bool path_lane_work(struct path_lane *lane)
{
	bool did;

	pthread_mutex_lock(&lane->lock);
	did = work(lane);
	pthread_mutex_unlock(&lane->lock);
	return did;
}

/* ---- the caller ------------------------------------------------------------------------------ */

/* Works, or waits for who is at it, until @most jobs wait; with the lock. */
static void await_few(struct path_lane *lane, size_t most)
{
	while (lane->nr_waiting > most)
		if (!work(lane))
			pthread_cond_wait(&lane->to_caller, &lane->lock);
}

/* Has the open job, if there is one, wait to be done. Returns how many wait. */
static size_t post(struct path_lane *lane)
{
	struct lane_job *job = lane->open;
	size_t nr;

	if (!job)
		return 0;
	lane->open = NULL;
	job->next = NULL;
	pthread_mutex_lock(&lane->lock);
	*lane->behind = job;
	lane->behind = &job->next;
	nr = ++lane->nr_waiting;
	await_few(lane, MAX_WAITING);
	pthread_mutex_unlock(&lane->lock);
	return nr;
}

/* Opens a job. Returns false if memory is out, or a job could not be done. */
static bool open_job(struct path_lane *lane)
{
	bool has_failed;

	pthread_mutex_lock(&lane->lock);
	lane->open = lane->unused;
	if (lane->open)
		lane->unused = lane->open->next;
	has_failed = lane->failed.kind != ERROR_NONE;
	pthread_mutex_unlock(&lane->lock);
	if (!lane->open)
		lane->open = calloc(1, sizeof(*lane->open));
	return lane->open && !has_failed;
}

bool path_lane_add(struct path_lane *lane, const struct stack_sample *sample, size_t *nr_waiting)
{
	*nr_waiting = 0;
	if (!lane->is_used)
		lane->nr_made = pathstore_nr_made(&lane->stacks->paths); /* nobody is at work */
	lane->is_used = true;
	if ((!lane->open && !open_job(lane)) ||
	    !stacks_name(lane->stacks, sample, &lane->open->paths))
		return false;
	lane->nr_added++;
	if (++lane->open->nr == JOB_SAMPLES)
		*nr_waiting = post(lane);
	return true;
}

int path_lane_await(struct path_lane *lane, struct error *err)
{
	int rc = 0;

	if (!lane->is_used)
		return 0;
	post(lane);
	pthread_mutex_lock(&lane->lock);
	await_few(lane, 0);
	while (lane->is_busy)
		pthread_cond_wait(&lane->to_caller, &lane->lock);
	if (lane->failed.kind != ERROR_NONE) {
		*err = lane->failed;
		rc = -1;
	}
	pthread_mutex_unlock(&lane->lock);
	lane->is_used = rc < 0;
	return rc;
}

uint64_t path_lane_nr_made(struct path_lane *lane, uint64_t *nr_left)
{
	uint64_t nr;

	*nr_left = 0;
	if (!lane->is_used)
		return pathstore_nr_made(&lane->stacks->paths);
	pthread_mutex_lock(&lane->lock);
	nr = lane->nr_made;
	*nr_left = lane->nr_added - lane->nr_done;
	pthread_mutex_unlock(&lane->lock);
	return nr;
}

static void free_jobs(struct lane_job *job)
{
	while (job) {
		struct lane_job *next = job->next;

		named_paths_free(&job->paths);
		free(job);
		job = next;
	}
}

void path_lane_destroy(struct path_lane *lane)
{
	if (!lane)
		return;
	if (lane->open)
		lane->open->next = NULL;
	free_jobs(lane->open);
	free_jobs(lane->first);
	free_jobs(lane->unused);
	pthread_cond_destroy(&lane->to_caller);
	pthread_mutex_destroy(&lane->lock);
	free(lane);
}
