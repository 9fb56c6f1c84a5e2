#include "decode/process/syscallevent.h"

#include "decode/process/eachsample.h"
#include "perffile/format.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

enum { ERRNO_MAX = 4095 }; /* results from -4095 on are errors */

static bool starts_with(const struct span *name, const char *word)
{
	const size_t len = strlen(word);

	return span_left(name) >= len && memcmp(name->pos, word, len) == 0;
}

static bool find_field(const struct tracepoint *point, const char *name, struct tracefield *field)
{
	return tracefield_find(point, name, strlen(name), field);
}

/* What @point tells, whose field @number is that of the system call. */
static struct syscallevent event_of(const struct tracepoint *point, const char *number)
{
	struct syscallevent event = {0};

	if (!find_field(point, number, &event.number))
		return event;
	if (starts_with(&point->name, "sys_enter"))
		event.kind = SYSCALLEVENT_ENTER;
	else if (starts_with(&point->name, "sys_exit") && find_field(point, "ret", &event.result))
		event.kind = SYSCALLEVENT_EXIT;
	return event;
}

static struct syscallevent know_event(const struct perffile *file, const struct attr *attr)
{
	struct tracepoint point;

	if (attr->type == ATTR_TYPE_TRACEPOINT && perffile_tracepoint(file, attr->config, &point)) {
		if (strcmp(point.system, "raw_syscalls") == 0)
			return event_of(&point, "id");
		if (strcmp(point.system, "syscalls") == 0)
			return event_of(&point, "__syscall_nr");
	}
	return (struct syscallevent){0};
}

static bool know_events(struct syscallevents *events, const struct perffile *file)
{
	const size_t nr = perffile_nr_events(file);

	if (!array_grow(events->list, events->room, nr))
		return false;
	for (; events->nr < nr; events->nr++)
		events->list[events->nr] =
			know_event(file, &perffile_event(file, events->nr)->attr);
	return true;
}

static bool read_number(const struct tracefield *field, const struct record *rec, uint64_t *value)
{
	return tracefield_number(field, rec->sample.extra.raw, value);
}

bool syscallevents_read(struct syscallevents *events, const struct perffile *file,
			const struct record *rec, struct syscallevent_sample *told)
{
	const struct syscallevent *event;
	uint64_t result = 0;

	*told = (struct syscallevent_sample){0};
	/* Samples of some calls only, which follow each other, would not be of one call. */
	if (rec->event->attr.type != ATTR_TYPE_TRACEPOINT || !eachsample_is(rec))
		return true;
	if (rec->event->number >= events->nr && !know_events(events, file))
		return false;
	event = &events->list[rec->event->number];
	if (event->kind == SYSCALLEVENT_NONE || !read_number(&event->number, rec, &told->number) ||
	    (event->kind == SYSCALLEVENT_EXIT && !read_number(&event->result, rec, &result)))
		return true;
	told->kind = event->kind;
	told->failed = result > UINT64_MAX - ERRNO_MAX;
	return true;
}

void syscallevents_free(struct syscallevents *events)
{
	free(events->list);
	*events = (struct syscallevents){0};
}
