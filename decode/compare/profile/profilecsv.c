#include "decode/compare/profile/profilecsv.h"

#include "util/codec/unwrapped.h"
#include "util/csvread.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum profile_column {
	COLUMN_FUNCTION,
	COLUMN_EVENT,
	COLUMN_SAMPLES,
	COLUMN_PERIOD,
	NR_NEEDED,
	COLUMN_FILENAME = NR_NEEDED,
	COLUMN_BINARY,
	COLUMN_CHILDREN_SAMPLES,
	COLUMN_CHILDREN_PERIOD,
	COLUMN_BUILD_ID,
	COLUMN_REASON,
	COLUMN_LINE,
	COLUMN_SIZE,
	COLUMN_INLINED_SAMPLES, /* not empty if functions are the innermost inlined ones */
	COLUMN_RUN,		/* if it was written of several recordings at once */
	NR_COLUMNS,
};

static const char *const column_names[NR_COLUMNS] = {
	[COLUMN_FUNCTION] = "function",
	[COLUMN_EVENT] = "event",
	[COLUMN_SAMPLES] = "samples",
	[COLUMN_PERIOD] = "period",
	[COLUMN_FILENAME] = "filename",
	[COLUMN_BINARY] = "binary",
	[COLUMN_CHILDREN_SAMPLES] = "children_samples",
	[COLUMN_CHILDREN_PERIOD] = "children_period",
	[COLUMN_BUILD_ID] = "build_id",
	[COLUMN_REASON] = "reason",
	[COLUMN_LINE] = "line",
	[COLUMN_SIZE] = "size",
	[COLUMN_INLINED_SAMPLES] = "inlined_samples",
	[COLUMN_RUN] = "run",
};

/* Columns of other tables that have all that is needed, too: addresses, lines, memory, slices. */
static const char *const foreign_columns[] = {"address", "source", "slice_start"};
enum { NR_FOREIGN = sizeof(foreign_columns) / sizeof(foreign_columns[0]) };

/* The state of reading a results.csv. */
struct profilecsv {
	const char *path;
	struct csvread *reader;
	size_t nr_cells;		  /* number of cells in the header line */
	size_t places[NR_COLUMNS];	  /* index of each column; SIZE_MAX: missing */
	size_t keys[PROFILECSV_KEYS_MAX]; /* the same for the columns of keys */
	struct profile *profile;
	const struct row_filter *filter;
	char *run; /* of the first row; NULL: there was none */
};

/*
 * A recording begins with a magic number and soon has zero bytes; a table begins with a line of
 * text that has separators. A file with separators other than commas counts as a table, so that the
 * user is told that it is not a results.csv.
 */
static bool begins_like_table(const char *start, size_t len)
{
	bool separated = false;

	for (size_t i = 0; i < len && start[i] != '\n'; i++) {
		if ((unsigned char)start[i] < ' ' && start[i] != '\r' && start[i] != '\t')
			return false;
		separated |= start[i] == ',' || start[i] == ';' || start[i] == '\t';
	}
	return separated;
}

bool profilecsv_is_table(const char *path)
{
	char start[512];
	struct stat st;
	size_t len = 0;
	int fd;

	/* A FIFO must not even be opened: its writer would take our close() for the end. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		len = unwrapped_start(fd, start, sizeof(start));
	close(fd);
	return len > 0 && begins_like_table(start, len);
}

static int wrong(const struct profilecsv *reading, enum profile_column column, const char *what,
		 struct error *err)
{
	return error_set(err, ERROR_FORMAT, "%s: line %" PRIu64 ": column %s: %s", reading->path,
			 csvread_line(reading->reader), column_names[column], what);
}

static int wrong_header(const struct profilecsv *reading, const char *what, const char *column,
			struct error *err)
{
	return error_set(err, ERROR_FORMAT,
			 "%s: is not a results.csv: its first line has %s column %s", reading->path,
			 what, column);
}

static int find_column(struct profilecsv *reading, enum profile_column column, struct error *err)
{
	size_t *place = &reading->places[column];

	*place = SIZE_MAX;
	for (size_t i = 0; i < reading->nr_cells; i++) {
		if (strcmp(csvread_cell(reading->reader, i), column_names[column]) != 0)
			continue;
		if (*place != SIZE_MAX)
			return wrong_header(reading, "more than one", column_names[column], err);
		*place = i;
	}
	if (*place == SIZE_MAX && column < NR_NEEDED)
		return wrong_header(reading, "no", column_names[column], err);
	return 0;
}

/* Refuses a table whose rows are not functions. */
static int refuse_foreign(const struct profilecsv *reading, struct error *err)
{
	for (size_t i = 0; i < reading->nr_cells; i++)
		for (size_t j = 0; j < NR_FOREIGN; j++)
			if (strcmp(csvread_cell(reading->reader, i), foreign_columns[j]) == 0)
				return wrong_header(reading, "a", foreign_columns[j], err);
	return 0;
}

static int find_keys(struct profilecsv *reading, struct error *err)
{
	const struct row_filter *filter = reading->filter;

	for (size_t i = 0; i < filter->nr_keys && i < PROFILECSV_KEYS_MAX; i++) {
		size_t at = 0;

		while (at < reading->nr_cells &&
		       strcmp(csvread_cell(reading->reader, at), filter->keys[i]) != 0)
			at++;
		reading->keys[i] = at;
		if (at == reading->nr_cells)
			return error_set(err, ERROR_FORMAT,
					 "%s: has no column %s: --per needs a table that was "
					 "written with it, or the recording",
					 reading->path, filter->keys[i]);
	}
	return 0;
}

static int read_header(struct profilecsv *reading, struct error *err)
{
	if (csvread_row(reading->reader, err) < 0)
		return -1;
	reading->nr_cells = csvread_nr_cells(reading->reader);
	for (int column = 0; column < NR_COLUMNS; column++)
		if (find_column(reading, (enum profile_column)column, err) < 0)
			return -1;
	if (refuse_foreign(reading, err) < 0)
		return -1;
	return find_keys(reading, err);
}

/* The cell at @place without the guard against formulas. */
static const char *cell_at(const struct profilecsv *reading, size_t place)
{
	const char *cell = csvread_cell(reading->reader, place);

	return cell[0] == '\'' && cell[1] && strchr("=+-@\t\r", cell[1]) ? cell + 1 : cell;
}

/* The cell of @column; "" if there is no such column. */
static const char *text_of(const struct profilecsv *reading, enum profile_column column)
{
	const size_t place = reading->places[column];

	return place == SIZE_MAX ? "" : cell_at(reading, place);
}

static const char *value_of(const void *arg, size_t number)
{
	const struct profilecsv *reading = arg;

	return cell_at(reading, reading->keys[number]);
}

/* Appends the row with the values of its keys. */
static int add_row(const struct profilecsv *reading, struct row_key *key,
		   const struct profile_row *row, struct error *err)
{
	const struct row_filter *filter = reading->filter;
	char *keys;
	int rc;

	if (filter->nr_keys == 0)
		return profile_add_row(reading->profile, key, row, err);
	keys = rowkeys_text(filter->keys, filter->nr_keys, value_of, reading);
	if (!keys)
		return error_nomem(err, "keeping a profile");
	key->keys = keys;
	rc = profile_add_row(reading->profile, key, row, err);
	free(keys);
	return rc;
}

static int read_number(const struct profilecsv *reading, enum profile_column column,
		       uint64_t *value, struct error *err)
{
	const char *text = text_of(reading, column);
	bool right = *text != '\0';

	*value = 0;
	for (; *text && right; text++)
		right = *text >= '0' && *text <= '9' &&
			!__builtin_mul_overflow(*value, 10, value) &&
			!__builtin_add_overflow(*value, (uint64_t)(*text - '0'), value);
	return right ? 0 : wrong(reading, column, "is not a number from 0 to 2^64-1", err);
}

/* As read_number(); an empty cell is 0. */
static int read_known(const struct profilecsv *reading, enum profile_column column, uint64_t *value,
		      struct error *err)
{
	*value = 0;
	return *text_of(reading, column) ? read_number(reading, column, value, err) : 0;
}

static int read_line(const struct profilecsv *reading, uint32_t *line, struct error *err)
{
	uint64_t value;

	if (read_known(reading, COLUMN_LINE, &value, err) < 0)
		return -1;
	if (value > UINT32_MAX)
		return wrong(reading, COLUMN_LINE, "is more than 2^32-1", err);
	*line = (uint32_t)value;
	return 0;
}

static int read_tally(const struct profilecsv *reading, enum profile_column samples,
		      enum profile_column period, struct tally *tally, struct error *err)
{
	if (read_number(reading, samples, &tally->samples, err) < 0)
		return -1;
	return read_number(reading, period, &tally->period, err);
}

/* Returns the number of the event @name, which is added if it is new. Rows are sorted by event. */
static int64_t find_event(struct profile *profile, const char *name, struct error *err)
{
	struct profile_event event = {.name = name};

	for (size_t i = profile->nr_events; i-- > 0;)
		if (strcmp(profile->events[i].name, name) == 0)
			return (int64_t)i;
	if (profile_add_event(profile, &event, err) < 0)
		return -1;
	return (int64_t)profile->nr_events - 1;
}

/* Adds the counts @more of a row to the @total of its event; shares are relative to this total. */
static int add_to_total(const struct profilecsv *reading, struct tally *total,
			const struct tally *more, struct error *err)
{
	static const char too_much[] = "its sum for the event is more than 2^64-1";

	if (__builtin_add_overflow(total->samples, more->samples, &total->samples))
		return wrong(reading, COLUMN_SAMPLES, too_much, err);
	if (__builtin_add_overflow(total->period, more->period, &total->period))
		return wrong(reading, COLUMN_PERIOD, too_much, err);
	return 0;
}

/* Reads the counts of @row. */
static int read_counts(const struct profilecsv *reading, struct profile_row *row, struct error *err)
{
	if (read_tally(reading, COLUMN_SAMPLES, COLUMN_PERIOD, &row->self, err) < 0)
		return -1;
	if (row->self.samples == 0 && row->self.period > 0)
		return wrong(reading, COLUMN_SAMPLES, "is 0, but period is not", err);
	row->children = row->self;
	if (reading->places[COLUMN_CHILDREN_SAMPLES] == SIZE_MAX ||
	    reading->places[COLUMN_CHILDREN_PERIOD] == SIZE_MAX)
		return 0;
	if (read_tally(reading, COLUMN_CHILDREN_SAMPLES, COLUMN_CHILDREN_PERIOD, &row->children,
		       err) < 0)
		return -1;
	if (row->children.samples < row->self.samples)
		return wrong(reading, COLUMN_CHILDREN_SAMPLES, "is less than samples", err);
	if (row->children.period < row->self.period)
		return wrong(reading, COLUMN_CHILDREN_PERIOD, "is less than period", err);
	return 0;
}

/* Checks that the row is of the same run as the first one: several are no single run. */
static int check_run(struct profilecsv *reading, struct error *err)
{
	const char *run = text_of(reading, COLUMN_RUN);

	if (!reading->run) {
		reading->run = strdup(run);
		return reading->run ? 0 : error_nomem(err, "keeping a profile");
	}
	if (strcmp(run, reading->run) == 0)
		return 0;
	return error_set(err, ERROR_FORMAT,
			 "%s: line %" PRIu64 ": has rows of several runs, \"%s\" and \"%s\": "
			 "compare the recordings, or the table of each run",
			 reading->path, csvread_line(reading->reader), reading->run, run);
}

static int read_row(struct profilecsv *reading, struct error *err)
{
	enum { EVENTS_MAX = 1024 }; /* limits the linear search for the event of each row */
	struct profile *profile = reading->profile;
	struct row_key key = {
		.event = text_of(reading, COLUMN_EVENT),
		.function = text_of(reading, COLUMN_FUNCTION),
		.filename = text_of(reading, COLUMN_FILENAME),
		.binary = text_of(reading, COLUMN_BINARY),
		.build_id = text_of(reading, COLUMN_BUILD_ID),
		.reason = text_of(reading, COLUMN_REASON),
	};
	struct profile_row row = {0};
	int64_t event;

	if (!*key.event)
		return wrong(reading, COLUMN_EVENT, "is empty", err);
	if (check_run(reading, err) < 0)
		return -1;
	profile->inlined |= text_of(reading, COLUMN_INLINED_SAMPLES)[0] != '\0';
	if (!reading->filter->passes(reading->filter->arg, &key))
		return 0;
	event = find_event(profile, key.event, err);
	if (event < 0)
		return -1;
	if (event >= EVENTS_MAX)
		return wrong(reading, COLUMN_EVENT, "there are more than 1024 events", err);
	row.event = (uint32_t)event;
	if (read_line(reading, &key.line, err) < 0 ||
	    read_known(reading, COLUMN_SIZE, &key.size, err) < 0 ||
	    read_counts(reading, &row, err) < 0 ||
	    add_to_total(reading, &profile->events[event].total, &row.self, err) < 0)
		return -1;
	return add_row(reading, &key, &row, err);
}

static int read_rows(struct profilecsv *reading, struct error *err)
{
	int rc;

	if (read_header(reading, err) < 0)
		return -1;
	while ((rc = csvread_row(reading->reader, err)) > 0) {
		size_t nr = csvread_nr_cells(reading->reader);

		if (nr != reading->nr_cells)
			return error_set(err, ERROR_FORMAT,
					 "%s: line %" PRIu64
					 ": has %zu cells, but the first line has %zu",
					 reading->path, csvread_line(reading->reader), nr,
					 reading->nr_cells);
		if (read_row(reading, err) < 0)
			return -1;
	}
	return rc;
}

/* Opens @path. O_NONBLOCK, so that open() does not wait if it is a FIFO. */
static int open_regular(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		error_io(err, path, "cannot be opened", errno);
	else if (!S_ISREG(st.st_mode))
		error_set(err, ERROR_FORMAT, "%s: is not a regular file", path);
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Starts to read the table at @path or, if that is compressed, what is unpacked from it. */
static struct csvread *open_table(const char *path, struct error *err)
{
	const int fd = open_regular(path, err);
	const int unpacked = fd < 0 ? -1 : unwrapped_file(fd, path, err);

	if (fd >= 0 && unpacked != fd)
		close(fd);
	return unpacked < 0 ? NULL : csvread_open(unpacked, path, err);
}

int profilecsv_read(struct profile *profile, const char *path, const struct row_filter *filter,
		    struct error *err)
{
	struct profilecsv reading = {.path = path, .profile = profile, .filter = filter};
	int rc;

	reading.reader = open_table(path, err);
	if (!reading.reader)
		return -1;
	rc = read_rows(&reading, err);
	csvread_close(reading.reader);
	free(reading.run);
	return rc;
}
