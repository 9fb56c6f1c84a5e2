#include "util/helpers.h"

struct helpers_work {
	struct helpers_work *older;
	void (*piece)(void *arg, size_t i);
	void *arg;
	size_t nr, nr_begun, nr_done;
};

void helpers_init(struct helpers *helpers)
{
	pthread_mutex_init(&helpers->lock, NULL);
	pthread_cond_init(&helpers->changed, NULL);
	helpers->works = NULL;
}

void helpers_deinit(struct helpers *helpers)
{
	pthread_mutex_destroy(&helpers->lock);
	pthread_cond_destroy(&helpers->changed);
}

/* Nothing is left to begin of @work. */
static void withdraw(struct helpers *helpers, const struct helpers_work *work)
{
	struct helpers_work **at = &helpers->works;

	while (*at != work)
		at = &(*at)->older;
	*at = work->older;
}

/* Does the next piece, without the lock, which is held; @work may be gone after it. */
static void do_piece(struct helpers *helpers, struct helpers_work *work)
{
	const size_t i = work->nr_begun++;

	if (work->nr_begun == work->nr)
		withdraw(helpers, work);
	pthread_mutex_unlock(&helpers->lock);
	work->piece(work->arg, i);
	pthread_mutex_lock(&helpers->lock);
	if (++work->nr_done == work->nr)
		pthread_cond_broadcast(&helpers->changed);
}

void helpers_share(struct helpers *helpers, void (*piece)(void *arg, size_t i), void *arg,
		   size_t nr)
{
	struct helpers_work work = {.piece = piece, .arg = arg, .nr = nr};

	if (!helpers) {
		for (size_t i = 0; i < nr; i++)
			piece(arg, i);
		return;
	}
	if (nr == 0)
		return;
	pthread_mutex_lock(&helpers->lock);
	work.older = helpers->works;
	/* cppcheck-suppress autoVariables ; it is withdrawn when its last piece is begun */
	helpers->works = &work;
	if (nr > 1)
		pthread_cond_broadcast(&helpers->changed);
	while (work.nr_begun < nr)
		do_piece(helpers, &work);
	while (work.nr_done < nr)
		pthread_cond_wait(&helpers->changed, &helpers->lock);
	pthread_mutex_unlock(&helpers->lock);
}

bool helpers_do(struct helpers *helpers)
{
	if (!helpers->works)
		return false;
	do_piece(helpers, helpers->works);
	return true;
}
