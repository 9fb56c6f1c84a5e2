#include "decode/process/schedevent.h"

#include "decode/process/eachsample.h"
#include "perffile/format.h"
#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

/* What @state means: a thread that can run (R), or has exited (X, Z, and x of old kernels). */
static const struct schedstate_memo *meaning_of(struct schedevent *event, uint64_t state)
{
	struct schedstate_memo *memo = &event->memos[hash_u64(state) % SCHEDSTATE_MEMOS];
	char text[SCHEDSTATE_BYTES];

	if (memo->known && memo->state == state)
		return memo;
	schedstate_write(&event->states, state, text);
	*memo = (struct schedstate_memo){
		.state = state,
		.known = true,
		.can_run = text[0] == 'R',
		.dead = strpbrk(text, "XZ") != NULL || strcmp(text, "x") == 0,
	};
	return memo;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_called(const struct tracepoint *point, const char *name)
{
	return span_left(&point->name) == strlen(name) &&
	       memcmp(point->name.pos, name, strlen(name)) == 0;
}

static enum schedevent_kind kind_of(const struct tracepoint *point)
{
	if (strcmp(point->system, "sched") != 0)
		return SCHEDEVENT_NONE;
	if (is_called(point, "sched_switch"))
		return SCHEDEVENT_SWITCH;
	if (is_called(point, "sched_waking") || is_called(point, "sched_wakeup") ||
	    is_called(point, "sched_wakeup_new"))
		return SCHEDEVENT_WAKE;
	return SCHEDEVENT_NONE;
}

/* Finds a field; its size is 0 if there is none. */
static bool find_field(const struct tracepoint *point, const char *name, struct tracefield *field)
{
	if (tracefield_find(point, name, strlen(name), field))
		return true;
	*field = (struct tracefield){0};
	return false;
}

/* Finds the fields of @point, as far as it is one of the scheduler's. False if memory is out. */
static bool find_fields(struct schedevent *event, const struct tracepoint *point)
{
	const enum schedevent_kind kind = kind_of(point);

	if (kind == SCHEDEVENT_WAKE && find_field(point, "pid", &event->pid)) {
		event->kind = kind;
		find_field(point, "success", &event->success);
	} else if (kind == SCHEDEVENT_SWITCH && find_field(point, "prev_pid", &event->pid) &&
		   find_field(point, "prev_state", &event->state) &&
		   find_field(point, "next_pid", &event->next_pid)) {
		event->kind = kind;
		find_field(point, "prev_comm", &event->comm);
		return tracewords_read(&event->states.words, point, &event->state);
	}
	return true;
}

/* Finds out what @of tells. Returns false if memory is out. */
static bool know_event(struct schedevent *event, const struct perffile *file,
		       const struct event *of)
{
	const struct attr *attr = &of->attr;
	struct tracepoint point;

	if (attr->type != ATTR_TYPE_TRACEPOINT)
		return true;
	if (attr->sample_type & SAMPLE_RAW && perffile_tracepoint(file, attr->config, &point))
		return find_fields(event, &point);
	event->bare = strcmp(of->name, "sched:sched_switch") == 0;
	event->kind = event->bare ? SCHEDEVENT_SWITCH : SCHEDEVENT_NONE;
	return true;
}

static bool know_events(struct schedevents *events, const struct perffile *file)
{
	const size_t nr = perffile_nr_events(file);

	if (!array_grow(events->list, events->room, nr))
		return false;
	for (; events->nr < nr; events->nr++) {
		events->list[events->nr] = (struct schedevent){0};
		if (!know_event(&events->list[events->nr], file, perffile_event(file, events->nr)))
			return false;
	}
	return true;
}

/* ---- samples --------------------------------------------------------------------------------- */

static bool read_number(const struct tracefield *field, const struct record *rec, uint32_t *number)
{
	uint64_t value;

	if (!tracefield_number(field, rec->sample.extra.raw, &value))
		return false;
	*number = (uint32_t)value;
	return true;
}

static bool read_switch(struct schedevent *event, const struct record *rec,
			struct schedevent_sample *told)
{
	const struct schedstate_memo *memo;

	if (event->bare) {
		told->bare = true;
		told->pid = rec->tid;
		return rec->has & HAS_TID;
	}
	if (!read_number(&event->pid, rec, &told->pid) ||
	    !read_number(&event->next_pid, rec, &told->next_pid) ||
	    !tracefield_number(&event->state, rec->sample.extra.raw, &told->state))
		return false;
	memo = meaning_of(event, told->state);
	told->can_run = memo->can_run;
	told->dead = memo->dead;
	if (!event->comm.size ||
	    !tracefield_bytes(&event->comm, rec->sample.extra.raw, &told->comm))
		told->comm = (struct span){0};
	return true;
}

static bool read_wake(const struct schedevent *event, const struct record *rec,
		      struct schedevent_sample *told)
{
	uint64_t success = 1;

	if (event->success.size &&
	    !tracefield_number(&event->success, rec->sample.extra.raw, &success))
		return false;
	return success != 0 && read_number(&event->pid, rec, &told->pid);
}

bool schedevents_read(struct schedevents *events, const struct perffile *file,
		      const struct record *rec, struct schedevent_sample *told)
{
	struct schedevent *event;

	*told = (struct schedevent_sample){0};
	if (rec->event->attr.type != ATTR_TYPE_TRACEPOINT)
		return true;
	if (rec->event->number >= events->nr && !know_events(events, file))
		return false;
	event = &events->list[rec->event->number];
	/* Switches that do not follow each other must not be paired. */
	if (event->kind != SCHEDEVENT_NONE && !eachsample_is(rec))
		told->kind = SCHEDEVENT_SOME;
	else if ((event->kind == SCHEDEVENT_SWITCH && read_switch(event, rec, told)) ||
		 (event->kind == SCHEDEVENT_WAKE && read_wake(event, rec, told)))
		told->kind = event->kind;
	return true;
}

void schedevents_free(struct schedevents *events)
{
	for (size_t i = 0; i < events->nr; i++)
		schedstates_free(&events->list[i].states);
	free(events->list);
	*events = (struct schedevents){0};
}
