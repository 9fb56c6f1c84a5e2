/*
 * The threads of an event, as the page lists them: those with the highest periods first.
 */
#ifndef READPERF_REPORT_EXPORT_PAGETHREADS_H
#define READPERF_REPORT_EXPORT_PAGETHREADS_H

#include "decode/results/answers.h"
#include "decode/results/processrows.h"
#include "report/export/pagenumbers.h"
#include "util/error.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** More threads than that are one, with the pid and tid PAGETHREADS_OTHERS. */
enum { PAGETHREADS_MAX = 4096, PAGETHREADS_OTHERS = -2 };

struct page_thread {
	uint64_t life; /* 0: several ones */
	int64_t pid, tid;
	uint32_t comm, process_comm; /* numbers of strings */
	struct tally self;
};

/** All zero is empty. */
struct pagethreads {
	struct page_thread *list;
	size_t nr, room;
	uint64_t nr_others; /* threads that the last one stands for; 0: it is like the others */
	struct index by_life;
};

/**
 * Lists the threads of @source (rows of thread_stat) that have samples of the event number @event;
 * their names get numbers among @strings. Returns 0, or -1 with @err filled; @threads is to be
 * freed by pagethreads_free() in both cases.
 */
int pagethreads_make(struct pagethreads *threads, const struct row_source *source, uint32_t event,
		     struct intern *strings, struct error *err);

/** The number of the thread with the life @life; that of the last one if it has none of its own. */
uint32_t pagethreads_find(const struct pagethreads *threads, uint64_t life);

/** Puts the columns pid, tid (both signed), comm, process_comm, samples, period. */
void pagethreads_put(const struct pagethreads *threads, struct pagenumbers *packed);

void pagethreads_free(struct pagethreads *threads);

#endif
