/* The thread that reads ahead: it fills batches, or does other work while there is no room. */
#ifndef READPERF_PERFFILE_AHEADTHREAD_H
#define READPERF_PERFFILE_AHEADTHREAD_H

#include "util/error.h"

#include <stdbool.h>

/** The thread: reads until the end of the recording, or until the caller wants no more. @arg: the
 * struct ahead. Returns NULL. */
void *aheadthread_run(void *arg);

/** Functions of the recording's, called by the thread in place of the caller's. @arg: the struct
 * ahead. */
int aheadthread_tick(void *arg, struct error *err);
bool aheadthread_wait(void *arg, int fd);

/** The same of its gate (struct meta_gate): the first waits until the caller has used all records
 * before, and has the caller wait until the second. */
int aheadthread_settle(void *arg, struct error *err);
void aheadthread_go_on(void *arg);

#endif
