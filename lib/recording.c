/* Recordings: readperf/recording.h over perffile/. */
#include "lib/apierror.h"
#include "lib/handles.h"
#include "util/tempfile.h"

#include <readperf/recording.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct perffile *file_of(const struct readperf_recording *recording)
{
	handlemark_check(&recording->mark, HANDLE_RECORDING);
	return recording->file;
}

/* ---- open, next, close ----------------------------------------------------------------------- */

/* Makes the handle of @file called @name; @file is NULL, with @why set, if it was not opened. */
static struct readperf_recording *make(struct perffile *file, const char *name,
				       const struct error *why, struct readperf_error *err)
{
	struct readperf_recording *recording;

	if (!file) {
		apierror_copy(err, why);
		return NULL;
	}
	recording = calloc(1, sizeof(*recording));
	if (recording && (recording->name = strdup(name))) {
		recording->file = file;
		handlemark_begin(&recording->mark, HANDLE_RECORDING);
		return recording;
	}
	free(recording);
	perffile_close(file);
	apierror_nomem(err, "opening the recording");
	return NULL;
}

struct readperf_recording *readperf_recording_open(const char *path, struct readperf_error *err)
{
	struct error why = {0};
	struct readperf_recording *recording;

	if (!path) {
		apierror_null(err, "path");
		return NULL;
	}
	recording = make(perffile_open(path, &why), path, &why, err);
	if (recording)
		recording->by_path = true;
	return recording;
}

struct readperf_recording *readperf_recording_open_fd(int fd, const char *name,
						      struct readperf_error *err)
{
	struct error why = {0};

	if (!name) {
		apierror_null(err, "name");
		return NULL;
	}
	return make(perffile_open_fd(fd, name, &why), name, &why, err);
}

struct readperf_recording *readperf_recording_open_memory(const void *bytes, size_t len,
							  const char *name,
							  struct readperf_error *err)
{
	struct error why = {0};
	struct perffile *file = NULL;
	int fd;

	if (!name || (!bytes && len)) {
		apierror_null(err, name ? "bytes" : "name");
		return NULL;
	}
	fd = tempfile_create(&why);
	if (fd >= 0 && tempfile_append(fd, bytes, len, &why) == 0)
		file = perffile_open_fd(fd, name, &why);
	if (fd >= 0)
		close(fd);
	return make(file, name, &why, err);
}

/* The end of @recording, which is an error first if it is a stream that broke off. */
static int end(struct readperf_recording *recording, struct readperf_error *err)
{
	const struct perffile_counts *counts = perffile_counts(file_of(recording));
	struct error why = {0};

	if (!counts->broken || recording->told_break)
		return 0;
	recording->told_break = true;
	error_at(&why, ERROR_IO, counts->broken_offset, "%s: broke off at byte %" PRIu64 ": %s",
		 recording->name, counts->broken_offset, strerror(counts->broken));
	return apierror_copy(err, &why);
}

int readperf_recording_next(struct readperf_recording *recording,
			    const struct readperf_record **record, struct readperf_error *err)
{
	const struct record *rec;
	struct error why = {0};
	int rc;

	if (!recording)
		return apierror_null(err, "recording");
	rc = perffile_next(file_of(recording), &rec, &why);
	if (rc < 0)
		return apierror_copy(err, &why);
	*record = rc ? handles_public_record(rec) : NULL;
	return rc ? rc : end(recording, err);
}

long readperf_recording_next_batch(struct readperf_recording *recording,
				   const struct readperf_record **records, size_t room,
				   struct readperf_error *err)
{
	struct perffile *file;
	struct error why = {0};
	long nr;

	if (!recording)
		return apierror_null(err, "recording");
	file = file_of(recording);
	if (!recording->batch)
		recording->batch = malloc(HANDLES_BATCH_MAX * sizeof(*recording->batch));
	if (!recording->batch)
		return apierror_nomem(err, "reading records");
	nr = perffile_next_batch(file, recording->batch,
				 room < HANDLES_BATCH_MAX ? room : HANDLES_BATCH_MAX, &why);
	if (nr < 0)
		return apierror_copy(err, &why);
	for (long i = 0; i < nr; i++)
		records[i] = handles_public_record(&recording->batch[i]);
	return nr || room == 0 ? nr : end(recording, err);
}

void readperf_recording_keep_order(struct readperf_recording *recording)
{
	perffile_keep_order(file_of(recording));
}

static bool wait_for_data(void *arg, int fd)
{
	const struct readperf_recording *recording = arg;

	return recording->wait(recording->wait_arg, fd);
}

void readperf_recording_set_wait(struct readperf_recording *recording,
				 int (*wait)(void *arg, int fd), void *arg)
{
	perffile_set_wait(file_of(recording), wait ? wait_for_data : NULL, recording);
	recording->wait = wait;
	recording->wait_arg = arg;
}

void readperf_recording_stop(struct readperf_recording *recording)
{
	perffile_stop(file_of(recording));
}

int readperf_recording_is_stream(const struct readperf_recording *recording)
{
	return perffile_is_stream(file_of(recording));
}

void readperf_recording_close(struct readperf_recording *recording)
{
	if (!recording)
		return;
	perffile_close(file_of(recording));
	free(recording->batch);
	free(recording->name);
	handlemark_free(&recording->mark);
}

/* ---- what it says of itself ------------------------------------------------------------------ */

const char *readperf_recording_header(const struct readperf_recording *recording, int which)
{
	switch (which) {
	case READPERF_HEADER_HOSTNAME:
		return perffile_hostname(file_of(recording));
	case READPERF_HEADER_RELEASE:
		return perffile_release(file_of(recording));
	case READPERF_HEADER_MACHINE:
		return perffile_machine(file_of(recording));
	case READPERF_HEADER_VERSION:
		return perffile_version(file_of(recording));
	case READPERF_HEADER_CPUID:
		return perffile_cpuid(file_of(recording));
	default:
		return NULL;
	}
}

int readperf_recording_wall_time(const struct readperf_recording *recording, uint64_t time,
				 int64_t *wall)
{
	const bool known = perffile_wall_time(file_of(recording), time, wall);

	if (!known)
		*wall = 0;
	return known;
}

struct readperf_facts {
	struct handle_mark mark;
	struct facts facts;
};

static const struct facts *facts_of(const struct readperf_facts *facts)
{
	handlemark_check(&facts->mark, HANDLE_FACTS);
	return &facts->facts;
}

struct readperf_facts *readperf_facts_read(const struct readperf_recording *recording,
					   struct readperf_error *err)
{
	struct readperf_facts *facts;
	struct error why = {0};

	if (!recording) {
		apierror_null(err, "recording");
		return NULL;
	}
	facts = calloc(1, sizeof(*facts));
	if (!facts) {
		apierror_nomem(err, "reading the header");
		return NULL;
	}
	handlemark_begin(&facts->mark, HANDLE_FACTS);
	if (perffile_describe(file_of(recording), &facts->facts, &why) == 0)
		return facts;
	apierror_copy(err, &why);
	readperf_facts_free(facts);
	return NULL;
}

size_t readperf_facts_count(const struct readperf_facts *facts)
{
	return facts_of(facts)->nr_rows;
}

const char *readperf_facts_key(const struct readperf_facts *facts, size_t number)
{
	return number < facts_of(facts)->nr_rows ? facts_of(facts)->rows[number].key : NULL;
}

const char *readperf_facts_value(const struct readperf_facts *facts, size_t number)
{
	return number < facts_of(facts)->nr_rows ? facts_of(facts)->rows[number].value : NULL;
}

void readperf_facts_free(struct readperf_facts *facts)
{
	if (!facts)
		return;
	handlemark_check(&facts->mark, HANDLE_FACTS);
	facts_free(&facts->facts);
	handlemark_free(&facts->mark);
}

size_t readperf_recording_nr_build_ids(const struct readperf_recording *recording)
{
	return perffile_nr_build_ids(file_of(recording));
}

const char *readperf_recording_build_id(const struct readperf_recording *recording, size_t number,
					const unsigned char **bytes, size_t *len)
{
	const struct named_build_id *ids = perffile_build_ids(file_of(recording));

	*bytes = NULL;
	*len = 0;
	if (number >= perffile_nr_build_ids(file_of(recording)))
		return NULL;
	*bytes = ids[number].id.bytes;
	*len = ids[number].id.len;
	return ids[number].filename;
}

uint64_t readperf_recording_count(const struct readperf_recording *recording, int which)
{
	const struct perffile_counts *counts = perffile_counts(file_of(recording));

	switch (which) {
	case READPERF_COUNT_LOST:
		return counts->lost;
	case READPERF_COUNT_DAMAGED:
		return counts->damaged;
	case READPERF_COUNT_LATE:
		return counts->late;
	case READPERF_COUNT_TRUNCATED:
		return counts->truncated_bytes;
	case READPERF_COUNT_MISSING:
		return counts->missing_bytes;
	default:
		return 0;
	}
}

/* ---- events ---------------------------------------------------------------------------------- */

size_t readperf_recording_nr_events(const struct readperf_recording *recording)
{
	return perffile_nr_events(file_of(recording));
}

const struct readperf_event *readperf_recording_event(const struct readperf_recording *recording,
						      size_t number)
{
	if (number >= perffile_nr_events(file_of(recording)))
		return NULL;
	return handles_public_event(perffile_event(file_of(recording), number));
}

const char *readperf_event_name(const struct readperf_event *event)
{
	return handles_event(event)->name;
}

size_t readperf_event_number(const struct readperf_event *event)
{
	return handles_event(event)->number;
}

uint64_t readperf_event_attr(const struct readperf_event *event, int which)
{
	const struct attr *attr = &handles_event(event)->attr;

	switch (which) {
	case READPERF_ATTR_TYPE:
		return attr->type;
	case READPERF_ATTR_CONFIG:
		return attr->config;
	case READPERF_ATTR_SAMPLE_PERIOD:
		return attr->sample_period;
	case READPERF_ATTR_SAMPLE_TYPE:
		return attr->sample_type;
	case READPERF_ATTR_READ_FORMAT:
		return attr->read_format;
	case READPERF_ATTR_FLAGS:
		return attr->flags;
	case READPERF_ATTR_BRANCH_SAMPLE_TYPE:
		return attr->branch_sample_type;
	case READPERF_ATTR_SAMPLE_REGS_USER:
		return attr->sample_regs_user;
	case READPERF_ATTR_SAMPLE_REGS_INTR:
		return attr->sample_regs_intr;
	case READPERF_ATTR_CONFIG1:
		return attr->config1;
	case READPERF_ATTR_CONFIG2:
		return attr->config2;
	default:
		return 0;
	}
}
