/* Work that threads do for another one while they wait. */
#include "tests/support/suite.h"
#include "util/helpers.h"

#include <check.h>
#include <stdatomic.h>

enum { NR = 100, NR_HELPERS = 3 };

/* Who has done which piece. */
struct pieces {
	atomic_int done[NR];
	atomic_int nr_here; /* by the thread that shares them */
	pthread_t sharer;
	bool waits; /* for one that is done by another thread */
};

static void piece(void *arg, size_t i)
{
	struct pieces *pieces = arg;

	atomic_fetch_add(&pieces->done[i], 1);
	if (!pthread_equal(pthread_self(), pieces->sharer))
		return;
	atomic_fetch_add(&pieces->nr_here, 1);
	while (pieces->waits && i + 1 < NR && !atomic_load(&pieces->done[i + 1]))
		;
}

static void check_all(const struct pieces *pieces)
{
	for (size_t i = 0; i < NR; i++)
		ck_assert_int_eq(pieces->done[i], 1);
}

/* Nobody waits: the thread does all of it. */
START_TEST(alone)
{
	struct pieces pieces = {.sharer = pthread_self()};
	struct helpers helpers;

	helpers_init(&helpers);
	helpers_share(&helpers, piece, &pieces, NR);
	helpers_share(&helpers, piece, &pieces, 0);
	check_all(&pieces);
	ck_assert_int_eq(pieces.nr_here, NR);
	pthread_mutex_lock(&helpers.lock);
	ck_assert(!helpers_do(&helpers));
	pthread_mutex_unlock(&helpers.lock);
	helpers_deinit(&helpers);
}
END_TEST

START_TEST(without_helpers)
{
	struct pieces pieces = {.sharer = pthread_self()};

	helpers_share(NULL, piece, &pieces, NR);
	check_all(&pieces);
}
END_TEST

/* A thread that waits for the end. */
struct waiter {
	struct helpers *helpers;
	bool ends;
};

static void *wait_and_help(void *arg)
{
	struct waiter *waiter = arg;

	pthread_mutex_lock(&waiter->helpers->lock);
	while (!waiter->ends)
		if (!helpers_do(waiter->helpers))
			pthread_cond_wait(&waiter->helpers->changed, &waiter->helpers->lock);
	pthread_mutex_unlock(&waiter->helpers->lock);
	return NULL;
}

static void end(struct waiter *waiter)
{
	pthread_mutex_lock(&waiter->helpers->lock);
	waiter->ends = true;
	pthread_cond_broadcast(&waiter->helpers->changed);
	pthread_mutex_unlock(&waiter->helpers->lock);
}

/* Each piece that the thread does itself ends when another one has done the next. */
START_TEST(others_help)
{
	struct pieces pieces = {.sharer = pthread_self(), .waits = true};
	struct helpers helpers;
	struct waiter waiter = {.helpers = &helpers};
	pthread_t threads[NR_HELPERS];

	helpers_init(&helpers);
	for (size_t i = 0; i < NR_HELPERS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, wait_and_help, &waiter), 0);
	helpers_share(&helpers, piece, &pieces, NR);
	check_all(&pieces);
	ck_assert_int_le(pieces.nr_here, NR / 2);
	end(&waiter);
	for (size_t i = 0; i < NR_HELPERS; i++)
		pthread_join(threads[i], NULL);
	helpers_deinit(&helpers);
}
END_TEST

struct sharer {
	struct helpers *helpers;
	struct pieces pieces;
};

static void *share(void *arg)
{
	struct sharer *sharer = arg;

	helpers_share(sharer->helpers, piece, &sharer->pieces, NR);
	helpers_share(sharer->helpers, piece, &sharer->pieces, NR);
	return NULL;
}

/* Two threads share work at once. */
START_TEST(several_share)
{
	struct helpers helpers;
	struct waiter waiter = {.helpers = &helpers};
	struct sharer sharers[2] = {{.helpers = &helpers}, {.helpers = &helpers}};
	pthread_t threads[2], helper;

	helpers_init(&helpers);
	ck_assert_int_eq(pthread_create(&helper, NULL, wait_and_help, &waiter), 0);
	for (size_t i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, share, &sharers[i]), 0);
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	end(&waiter);
	pthread_join(helper, NULL);
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < NR; k++)
			ck_assert_int_eq(sharers[i].pieces.done[k], 2);
	helpers_deinit(&helpers);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("helpers");
	TCase *tcase = tcase_create("helpers");

	tcase_add_test(tcase, alone);
	tcase_add_test(tcase, without_helpers);
	tcase_add_test(tcase, others_help);
	tcase_add_test(tcase, several_share);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
