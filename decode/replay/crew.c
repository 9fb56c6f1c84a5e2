#include "decode/replay/crew.h"

#include "decode/replay/countjob.h"
#include "decode/replay/hand.h"
#include "decode/replay/pathlane.h"
#include "util/array.h"
#include "util/thread.h"

#include <pthread.h>
#include <stdlib.h>

enum {
	STOCK = 2,			/* jobs in the queue: the reader is woken for so many */
	STOCK_MAX = 3,			/* the same: no more are made */
	LANE_STOCK = 4,			/* the same of paths that wait */
	ALL_TURNS = 1024,		/* what free_turns is out of */
	MOST_TURNS = ALL_TURNS * 3 / 4, /* with more, the reader gets stacks of new paths */
	REMEMBERED = 16,		/* turns that it is the average of, about */
};

struct crew {
	struct perffile *file;
	const struct addrspaces *spaces;
	struct stacks *stacks; /* the lane's, while it is used */
	struct path_lane *lane;
	uint64_t nr_seen, nr_left; /* samples not plain that might be, and all that were */
	uint64_t nr_settled;	   /* of these, that were added up */
	size_t nr, nr_started;
	bool begun;		/* it has started its threads, with the first job */
	struct hand *hands;	/* by the number of the thread: 0 the caller, 1 the reader */
	pthread_t *threads;	/* from number 2 on */
	struct count_job *open; /* the caller's, to be filled; NULL: none */
	struct count_job *unused;
	struct unwindinfo *info;
	const char *machine;
	uint64_t batch;	  /* samples of it are left to the crew or not: @takes */
	size_t turn_left; /* so many of them, before it is decided again */
	bool takes;
	bool takes_paths;	/* of what it does not take */
	int free_turns;		/* of ALL_TURNS: how often the reader had nothing to read, lately */
	const struct dso **met; /* to be asked for */
	size_t nr_met, met_room;
	struct error failed; /* why a job was not done */
	pthread_mutex_t lock;
	pthread_cond_t to_threads, to_caller;
	/* All threads use what follows, with the lock. */
	struct count_job *first; /* to be done, the newest first */
	size_t nr_queued, nr_running;
	struct count_job *done; /* their maps are to be given back, by the caller */
	bool ends;
};

/* A thread of its own. */
struct member {
	struct crew *crew;
	size_t number;
};

/* ---- doing jobs ------------------------------------------------------------------------------ */

/* Takes a job: thread 0 the newest, which it has in its cache, others the oldest. */
static struct count_job *take_job(struct crew *crew, size_t number)
{
	struct count_job **at = &crew->first, *job;

	while (number != 0 && (*at)->next)
		at = &(*at)->next;
	job = *at;
	*at = job->next;
	crew->nr_queued--;
	return job;
}

/* Has thread @number do a job, without the lock, which is held. Returns false if there is none. */
static bool work(struct crew *crew, size_t number)
{
	struct count_job *job;

	if (!crew->first || crew->ends)
		return false;
	job = take_job(crew, number);
	crew->nr_running++;
	pthread_mutex_unlock(&crew->lock);
	count_job_do(job, &crew->hands[number]);
	perffile_let_go(crew->file, job->batch);
	pthread_mutex_lock(&crew->lock);
	crew->nr_running--;
	job->next = crew->done;
	crew->done = job;
	if (crew->nr_running == 0)
		pthread_cond_broadcast(&crew->to_caller);
	return true;
}

static void *run(void *arg)
{
	struct member *member = arg;
	struct crew *crew = member->crew;

	pthread_mutex_lock(&crew->lock);
	while (!crew->ends) {
		if (!work(crew, member->number))
			pthread_cond_wait(&crew->to_threads, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
	free(member);
	return NULL;
}

static void start_thread(struct crew *crew, size_t number)
{
	struct member *member = malloc(sizeof(*member));

	if (!member)
		return;
	*member = (struct member){crew, number};
	if (thread_start(&crew->threads[crew->nr_started], run, member))
		crew->nr_started++;
	else
		free(member);
}

/* Starts the threads of its own; without memory there are fewer. */
static void start_threads(struct crew *crew)
{
	crew->begun = true;
	for (size_t i = 2; i < crew->nr; i++)
		start_thread(crew, i);
}

/* ---- making jobs ----------------------------------------------------------------------------- */

/* Takes what the caller is to know of @job, which is done, and gives its maps back. */
static void end_job(struct crew *crew, struct count_job *job)
{
	if (job->failed && crew->failed.kind == ERROR_NONE)
		crew->failed = *job->failed;
	if (array_grow(crew->met, crew->met_room, crew->nr_met + job->nr_met))
		while (job->nr_met > 0)
			crew->met[crew->nr_met++] = job->met[--job->nr_met];
	count_job_end(job);
	job->next = crew->unused;
	crew->unused = job;
}

static void end_jobs(struct crew *crew)
{
	struct count_job *done;

	pthread_mutex_lock(&crew->lock);
	done = crew->done;
	crew->done = NULL;
	pthread_mutex_unlock(&crew->lock);
	while (done) {
		struct count_job *next = done->next;

		end_job(crew, done);
		done = next;
	}
}

/* Puts the open job, if there is one, into the queue, and ends those that are done. */
static void post(struct crew *crew)
{
	struct count_job *job = crew->open;
	bool wakes;

	if (!job)
		return;
	if (!crew->begun)
		start_threads(crew);
	crew->open = NULL;
	pthread_mutex_lock(&crew->lock);
	job->next = crew->first;
	crew->first = job;
	crew->nr_queued++;
	wakes = crew->nr_queued >= STOCK;
	pthread_mutex_unlock(&crew->lock);
	if (crew->nr_started > 0)
		pthread_cond_signal(&crew->to_threads);
	if (wakes)
		perffile_wake(crew->file);
	end_jobs(crew);
}

static bool work_for_file(void *arg, enum perffile_worker worker)
{
	struct crew *crew = arg;
	bool did;

	/* Nobody else can do it, and the reader may be waiting for its batch. */
	if (worker == PERFFILE_CALLER)
		post(crew);
	pthread_mutex_lock(&crew->lock);
	did = work(crew, worker == PERFFILE_CALLER ? 0 : 1);
	pthread_mutex_unlock(&crew->lock);
	return did || path_lane_work(crew->lane);
}

/* Opens a job for the samples of batch @batch. Returns false if memory is out. */
static bool open_job(struct crew *crew, uint64_t batch)
{
	struct count_job *job = crew->unused ? crew->unused : count_job_create();

	if (!job)
		return false;
	if (job == crew->unused)
		crew->unused = job->next;
	perffile_hold(crew->file);
	crew->open = job;
	return count_job_begin(job, batch, &crew->spaces->kernel, crew->info, crew->machine);
}

/* Makes the open job one for the current batch and kernel. Returns false if memory is out. */
static inline bool ready_job(struct crew *crew)
{
	const uint64_t batch = perffile_batch(crew->file);
	const struct count_job *job = crew->open;

	if (job && (job->batch != batch || job->kernel.version != crew->spaces->kernel.version ||
		    count_job_is_full(job)))
		post(crew);
	return crew->open || open_job(crew, batch);
}

/* Whether threads that have nothing else to do may soon find no job. */
static bool is_queue_short(struct crew *crew)
{
	bool is_short;

	pthread_mutex_lock(&crew->lock);
	is_short = crew->nr_queued < STOCK_MAX + crew->nr_started;
	pthread_mutex_unlock(&crew->lock);
	return is_short;
}

/* Whether most samples are on paths that are known, as far as it can be seen. */
static bool are_paths_known(const struct crew *crew)
{
	uint64_t nr_left;
	const uint64_t nr = path_lane_nr_made(crew->lane, &nr_left);

	return nr > 0 && nr < crew->nr_seen - nr_left;
}

static bool is_worth_it(const struct crew *crew, enum crew_samples kind)
{
	switch (kind) {
	case CREW_STACKS:
		return !crew->takes_paths || crew->nr > 2 || crew->free_turns > MOST_TURNS;
	case CREW_PLAIN:
		return crew->nr > 2;
	default:
		return true;
	}
}

bool crew_wants(const struct crew *crew, enum crew_samples kind)
{
	return crew && is_worth_it(crew, kind);
}

/* Takes note of whether the reader has nothing to read. */
static void look_at_reader(struct crew *crew)
{
	const int now = perffile_reader_is_free(crew->file) ? ALL_TURNS : 0;

	crew->free_turns += (now - crew->free_turns) / REMEMBERED;
}

/* Decides whether the next samples, of @batch, are left to the crew. */
static void decide(struct crew *crew, uint64_t batch, enum crew_samples kind)
{
	post(crew);
	crew->batch = batch;
	crew->turn_left = kind == CREW_STACKS ? (size_t)COUNT_JOB_RECORDS : SIZE_MAX;
	crew->takes_paths = kind == CREW_STACKS && !are_paths_known(crew);
	if (kind == CREW_STACKS)
		look_at_reader(crew);
	crew->takes = is_worth_it(crew, kind) && is_queue_short(crew);
}

bool crew_takes(struct crew *crew, size_t nr, enum crew_samples kind)
{
	const uint64_t batch = crew ? perffile_batch(crew->file) : 0;

	bool takes = false;

	if (!crew)
		return false;
	if (batch != 0) { /* else nobody reads ahead, so nobody has time */
		if (batch != crew->batch || crew->turn_left == 0)
			decide(crew, batch, kind);
		crew->turn_left -= nr < crew->turn_left ? nr : crew->turn_left;
		takes = crew->takes && guests_empty(&crew->spaces->guests);
	}
	/* The number of new paths that others make is not known. */
	if (kind == CREW_STACKS && !(takes && crew->takes_paths))
		crew->nr_seen += nr;
	return takes;
}

bool crew_add_plain(struct crew *crew, struct map_set *maps, const struct plain_sample *samples,
		    size_t nr, bool swap)
{
	if (!ready_job(crew) || !count_job_add_plain(crew->open, maps, samples, nr, swap))
		return false;
	crew->nr_left += nr;
	return true;
}

bool crew_add(struct crew *crew, struct map_set *maps, const struct stack_sample *sample)
{
	if (!ready_job(crew) || !count_job_add(crew->open, maps, sample))
		return false;
	crew->nr_left++;
	return true;
}

bool crew_takes_path(const struct crew *crew)
{
	return crew->takes_paths && crew->batch == perffile_batch(crew->file);
}

bool crew_add_path(struct crew *crew, const struct stack_sample *sample)
{
	size_t nr_waiting;

	if (!path_lane_add(crew->lane, sample, &nr_waiting)) {
		(void)path_lane_await(crew->lane, &crew->failed);
		return false;
	}
	if (nr_waiting >= LANE_STOCK)
		perffile_wake(crew->file);
	crew->nr_left++;
	return true;
}

int crew_await_paths(struct crew *crew, struct error *err)
{
	return path_lane_await(crew->lane, err);
}

void crew_prepare(struct crew *crew, struct unwindinfo *info, const char *machine)
{
	if (crew->info == info)
		return;
	post(crew); /* the open job is without */
	crew->info = info;
	crew->machine = machine;
}

const struct dso *crew_next_met(struct crew *crew)
{
	return crew->nr_met > 0 ? crew->met[--crew->nr_met] : NULL;
}

/* ---- adding up ------------------------------------------------------------------------------- */

void crew_await(struct crew *crew)
{
	post(crew);
	pthread_mutex_lock(&crew->lock);
	while (work(crew, 0))
		;
	while (crew->nr_running > 0)
		pthread_cond_wait(&crew->to_caller, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
	end_jobs(crew);
	(void)path_lane_await(crew->lane, &crew->failed);
}

int crew_settle(struct crew *crew, struct address_table *addresses, struct helpers *helpers,
		struct error *err)
{
	crew_await(crew);
	if (crew_check(crew, err) < 0)
		return -1;
	if (crew->nr_settled == crew->nr_left)
		return 0;
	crew->nr_settled = crew->nr_left;
	for (size_t i = 0; i < crew->nr; i++)
		if (!hand_move_addresses(&crew->hands[i], addresses, helpers))
			return error_nomem(err, "counting samples");
	return 0;
}

int crew_finish(struct crew *crew, struct address_table *addresses, struct helpers *helpers,
		struct error *err)
{
	if (crew_settle(crew, addresses, helpers, err) < 0)
		return -1;
	for (size_t i = 0; i < crew->nr; i++)
		if (hand_move_paths(&crew->hands[i], crew->stacks, err) < 0)
			return -1;
	return 0;
}

void crew_empty(struct crew *crew)
{
	for (size_t i = 0; i < crew->nr; i++)
		hand_empty(&crew->hands[i]);
}

uint64_t crew_nr_left(const struct crew *crew)
{
	return crew->nr_left;
}

int crew_check(const struct crew *crew, struct error *err)
{
	if (crew->failed.kind == ERROR_NONE)
		return 0;
	*err = crew->failed;
	return -1;
}

/* ---- the crew -------------------------------------------------------------------------------- */

struct crew *crew_create(struct perffile *file, size_t nr, const struct addrspaces *spaces,
			 struct stacks *stacks, const struct stack_settings *settings)
{
	struct crew *crew = calloc(1, sizeof(*crew));

	if (!crew)
		return NULL;
	crew->hands = calloc(nr, sizeof(*crew->hands));
	crew->threads = calloc(nr, sizeof(*crew->threads));
	crew->lane = path_lane_create(stacks);
	if (!crew->hands || !crew->threads || !crew->lane) {
		path_lane_destroy(crew->lane);
		free(crew->hands);
		free(crew->threads);
		free(crew);
		return NULL;
	}
	crew->file = file;
	crew->spaces = spaces;
	crew->stacks = stacks;
	crew->nr = nr;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->to_threads, NULL);
	pthread_cond_init(&crew->to_caller, NULL);
	for (size_t i = 0; i < nr; i++)
		hand_init(&crew->hands[i], spaces, settings);
	perffile_set_work(file, nr, work_for_file, crew);
	return crew;
}

/* Has all threads end. */
static void end_threads(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->ends = true;
	pthread_cond_broadcast(&crew->to_threads);
	pthread_mutex_unlock(&crew->lock);
	perffile_end_work(crew->file);
	for (size_t i = 0; i < crew->nr_started; i++)
		pthread_join(crew->threads[i], NULL);
}

static void free_jobs(struct count_job *job)
{
	while (job) {
		struct count_job *next = job->next;

		count_job_free(job);
		job = next;
	}
}

void crew_destroy(struct crew *crew)
{
	if (!crew)
		return;
	end_threads(crew);
	free_jobs(crew->open);
	free_jobs(crew->first);
	free_jobs(crew->done);
	free_jobs(crew->unused);
	for (size_t i = 0; i < crew->nr; i++)
		hand_free(&crew->hands[i]);
	path_lane_destroy(crew->lane);
	free(crew->hands);
	free(crew->threads);
	free(crew->met);
	pthread_cond_destroy(&crew->to_threads);
	pthread_cond_destroy(&crew->to_caller);
	pthread_mutex_destroy(&crew->lock);
	free(crew);
}
