#include "tests/support/idler.h"

#include <check.h>

static void *help(void *arg)
{
	struct idler *idler = arg;

	pthread_mutex_lock(&idler->helpers.lock);
	while (!idler->over)
		if (!helpers_do(&idler->helpers))
			pthread_cond_wait(&idler->helpers.changed, &idler->helpers.lock);
	pthread_mutex_unlock(&idler->helpers.lock);
	return NULL;
}

void idler_start(struct idler *idler)
{
	helpers_init(&idler->helpers);
	idler->over = false;
	ck_assert_int_eq(pthread_create(&idler->thread, NULL, help, idler), 0);
}

void idler_end(struct idler *idler)
{
	pthread_mutex_lock(&idler->helpers.lock);
	idler->over = true;
	pthread_cond_broadcast(&idler->helpers.changed);
	pthread_mutex_unlock(&idler->helpers.lock);
	ck_assert_int_eq(pthread_join(idler->thread, NULL), 0);
	helpers_deinit(&idler->helpers);
}
