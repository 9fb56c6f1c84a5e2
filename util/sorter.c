#include "util/sorter.h"

#include "util/array.h"
#include "util/tempfile.h"

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/* A run being read: its rows [row, end) are in memory, [offset, stop) still in the file. */
struct sorted_run {
	const char *row, *end;
	uint64_t offset, stop;
	char *buffer; /* NULL for the rows that were never written to the file */
};

struct sorter {
	size_t size;	    /* bytes of a row */
	size_t nr_max;	    /* maximum number of rows in memory */
	char *rows;	    /* the rows in memory */
	size_t nr, room;    /* room in bytes */
	uint64_t *run_ends; /* offsets in the file; a run begins where the one before ends */
	size_t nr_runs, run_room;
	int fd; /* -1 if there is no file */
	int (*compare)(const void *, const void *);
	struct sorted_run *runs; /* while reading: all runs, then what is in memory */
	struct sorted_run *
		*heap; /* those with rows left; none is less than its parent at (i - 1) / 2 */
	size_t nr_heap;
	char *buffers; /* of the runs, buffer_size bytes each */
	size_t buffer_size;
	bool advance; /* the row at the top of the heap was returned to the caller */
};

struct sorter *sorter_create(size_t size, int (*compare)(const void *, const void *), size_t budget)
{
	struct sorter *sorter = calloc(1, sizeof(*sorter));

	if (!sorter)
		return NULL;
	sorter->size = size;
	sorter->nr_max = budget > size ? budget / size : 1;
	sorter->compare = compare;
	sorter->fd = -1;
	return sorter;
}

static void end_reading(struct sorter *sorter)
{
	free(sorter->runs);
	free(sorter->heap);
	free(sorter->buffers);
	sorter->runs = NULL;
	sorter->heap = NULL;
	sorter->buffers = NULL;
	sorter->nr_heap = 0;
	sorter->advance = false;
}

static void sort_rows(struct sorter *sorter)
{
	if (sorter->nr)
		qsort(sorter->rows, sorter->nr, sorter->size, sorter->compare);
}

/* Sorts the rows in memory and appends them to the file as a run. */
static int write_run(struct sorter *sorter, struct error *err)
{
	uint64_t start = sorter->nr_runs ? sorter->run_ends[sorter->nr_runs - 1] : 0;
	size_t bytes = sorter->nr * sorter->size;

	if (!array_grow(sorter->run_ends, sorter->run_room, sorter->nr_runs + 1))
		return error_nomem(err, "sorting rows");
	if (sorter->fd < 0)
		sorter->fd = tempfile_create(err);
	if (sorter->fd < 0)
		return -1;
	sort_rows(sorter);
	if (tempfile_append(sorter->fd, sorter->rows, bytes, err) < 0)
		return -1;
	sorter->run_ends[sorter->nr_runs++] = start + bytes;
	sorter->nr = 0;
	return 0;
}

int sorter_add(struct sorter *sorter, const void *row, struct error *err)
{
	if (sorter->runs)
		end_reading(sorter);
	if (sorter->nr == sorter->nr_max && write_run(sorter, err) < 0)
		return -1;
	if (!array_grow(sorter->rows, sorter->room, (sorter->nr + 1) * sorter->size))
		return error_nomem(err, "sorting rows");
	memcpy(sorter->rows + sorter->nr * sorter->size, row, sorter->size);
	sorter->nr++;
	return 0;
}

static bool run_less(const struct sorter *sorter, const struct sorted_run *a,
		     const struct sorted_run *b)
{
	return sorter->compare(a->row, b->row) < 0;
}

/* Moves the run at heap[@at] down to its place. */
static void sift_down(struct sorter *sorter, size_t at)
{
	struct sorted_run *run = sorter->heap[at];

	for (size_t child; (child = 2 * at + 1) < sorter->nr_heap; at = child) {
		if (child + 1 < sorter->nr_heap &&
		    run_less(sorter, sorter->heap[child + 1], sorter->heap[child]))
			child++;
		if (!run_less(sorter, sorter->heap[child], run))
			break;
		sorter->heap[at] = sorter->heap[child];
	}
	sorter->heap[at] = run;
}

/* Reads the next rows of @run if none is left in memory. False at its end or with @err set. */
static int refill(struct sorter *sorter, struct sorted_run *run, struct error *err)
{
	uint64_t bytes = run->stop - run->offset;

	if (run->row < run->end)
		return 1;
	if (bytes == 0)
		return 0;
	if (bytes > sorter->buffer_size)
		bytes = sorter->buffer_size;
	if (tempfile_read(sorter->fd, run->buffer, (size_t)bytes, run->offset, err) < 0)
		return -1;
	run->offset += bytes;
	run->row = run->buffer;
	run->end = run->buffer + bytes;
	return 1;
}

static int alloc_runs(struct sorter *sorter, struct error *err)
{
	size_t nr = sorter->nr_runs, rows = nr ? sorter->nr_max / nr : 0;

	sorter->buffer_size = (rows ? rows : 1) * sorter->size;
	sorter->runs = calloc(nr + 1, sizeof(*sorter->runs));
	sorter->heap = calloc(nr + 1, sizeof(struct sorted_run *));
	sorter->buffers = calloc(nr + 1, sorter->buffer_size);
	if (sorter->runs && sorter->heap && sorter->buffers)
		return 0;
	end_reading(sorter);
	return error_nomem(err, "sorting rows");
}

int sorter_start(struct sorter *sorter, struct error *err)
{
	end_reading(sorter);
	sort_rows(sorter);
	if (alloc_runs(sorter, err) < 0)
		return -1;
	for (size_t i = 0; i <= sorter->nr_runs; i++) {
		struct sorted_run *run = &sorter->runs[i];
		int rc;

		if (i == sorter->nr_runs) {
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): alloc_runs() */
			run->row = sorter->rows;
			run->end = sorter->nr ? run->row + sorter->nr * sorter->size : run->row;
		} else {
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above */
			run->offset = i ? sorter->run_ends[i - 1] : 0;
			run->stop = sorter->run_ends[i];
			run->buffer = sorter->buffers + i * sorter->buffer_size;
		}
		rc = refill(sorter, run, err);
		if (rc < 0)
			return -1;
		if (rc)
			sorter->heap[sorter->nr_heap++] = run;
	}
	for (size_t i = sorter->nr_heap / 2; i-- > 0;)
		sift_down(sorter, i);
	return 0;
}

/* Advances past the row that was returned. */
static int step(struct sorter *sorter, struct error *err)
{
	struct sorted_run *top = sorter->heap[0];
	int rc;

	top->row += sorter->size;
	rc = refill(sorter, top, err);
	if (rc < 0)
		return -1;
	if (rc == 0)
		sorter->heap[0] = sorter->heap[--sorter->nr_heap];
	if (sorter->nr_heap)
		sift_down(sorter, 0);
	return 0;
}

int sorter_next(struct sorter *sorter, const void **row, struct error *err)
{
	if (sorter->advance && step(sorter, err) < 0)
		return -1;
	sorter->advance = sorter->nr_heap > 0;
	if (!sorter->advance)
		return 0;
	*row = sorter->heap[0]->row;
	return 1;
}

void sorter_free(struct sorter *sorter)
{
	if (!sorter)
		return;
	end_reading(sorter);
	if (sorter->fd >= 0)
		close(sorter->fd);
	free(sorter->run_ends);
	free(sorter->rows);
	free(sorter);
}
