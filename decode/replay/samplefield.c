#include "decode/replay/samplefield.h"

#include "perffile/format.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bound_field {
	bool has;
	struct tracefield field;
};

/* Copies the @len bytes at @text with a NUL. Returns false if they are none, or too many. */
static bool copy(char *to, size_t size, const char *text, size_t len)
{
	if (len == 0 || len >= size)
		return false;
	memcpy(to, text, len);
	to[len] = '\0';
	return true;
}

/* Takes "[NUMBER]" from the end of the @len bytes @text. Returns false if it is malformed. */
static bool take_index(struct field_name *name, const char *text, size_t *len)
{
	const char *open = memchr(text, '[', *len);
	unsigned long index;
	char *end;

	if (!open)
		return true;
	if (open[1] < '0' || open[1] > '9')
		return false;
	index = strtoul(open + 1, &end, 10);
	if (end + 1 != text + *len || *end != ']' || index > UINT16_MAX)
		return false;
	name->has_index = true;
	name->index = (uint32_t)index;
	*len = (size_t)(open - text);
	return true;
}

bool samplefield_parse(struct field_name *name, const char *text, size_t len)
{
	const char *dot;

	*name = (struct field_name){0};
	if (!take_index(name, text, &len))
		return false;
	dot = memrchr(text, '.', len);
	if (dot && !copy(name->event, sizeof(name->event), text, (size_t)(dot - text)))
		return false;
	if (dot)
		len -= (size_t)(dot + 1 - text);
	text = dot ? dot + 1 : text;
	for (size_t i = 0; i < len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
			    text[i]))
			return false;
	return copy(name->name, sizeof(name->name), text, len);
}

/* Whether @event, a tracepoint at @point, is the one that is named, if one is. */
static bool is_named(const struct field_name *name, const struct event *event,
		     const struct tracepoint *point)
{
	const size_t len = strlen(name->event), system = strlen(point->system);
	const struct span *own = &point->name;

	if (len == 0 || strcmp(name->event, event->name) == 0)
		return true;
	if (len == span_left(own))
		return memcmp(name->event, own->pos, len) == 0;
	return len == system + 1 + span_left(own) &&
	       memcmp(name->event, point->system, system) == 0 && name->event[system] == ':' &&
	       memcmp(name->event + system + 1, own->pos, span_left(own)) == 0;
}

static bool find_field(const struct field_name *name, const struct tracepoint *point,
		       struct tracefield *field)
{
	return tracefield_find(point, name->name, strlen(name->name), field) &&
	       (!name->has_index || tracefield_element(field, name->index));
}

static bool is_word(const struct span *s, const char *word)
{
	return span_left(s) == strlen(word) && memcmp(s->pos, word, span_left(s)) == 0;
}

/* Keeps what the events of a tracepoint share. Returns false if memory is out. */
static bool keep_shared(struct samplefield *of, const struct tracepoint *point,
			const struct tracefield *field)
{
	of->field = *field;
	tracewords_free(&of->words);
	of->is_syscall =
		is_word(&field->name, "__syscall_nr") ||
		(strcmp(point->system, "raw_syscalls") == 0 && is_word(&field->name, "id"));
	if (of->is_syscall && !of->numbers)
		of->numbers = calloc(1, sizeof(*of->numbers));
	if (of->is_syscall && !of->numbers)
		return false;
	return tracewords_read(&of->words, point, field);
}

/* What was found while the events are gone through. */
struct binding {
	const struct event *first; /* the first event that has the field; NULL: none so far */
	bool points, named;	   /* there are tracepoints with formats; with the name */
};

static int ambiguous(const struct samplefield *of, const char *option, const struct event *one,
		     const struct event *other, struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "option --%s: '%s' is a field of %s and of %s: name it as EVENT.%s",
			 option, of->name.name, one->name, other->name, of->name.name);
}

static int bind_event(struct samplefield *of, struct binding *binding, const struct perffile *file,
		      const struct event *event, const char *option, struct error *err)
{
	struct bound_field *bound = &of->of_events[event->number];
	struct tracepoint point;

	*bound = (struct bound_field){0};
	if (event->attr.type != ATTR_TYPE_TRACEPOINT ||
	    !perffile_tracepoint(file, event->attr.config, &point))
		return 0;
	binding->points = true;
	if (!is_named(&of->name, event, &point))
		return 0;
	binding->named = true;
	bound->has = find_field(&of->name, &point, &bound->field);
	if (!bound->has)
		return 0;
	if (!binding->first && !keep_shared(of, &point, &bound->field))
		return error_nomem(err, "looking for fields of tracepoints");
	if (!binding->first)
		binding->first = event;
	if (event->attr.config != binding->first->attr.config)
		return ambiguous(of, option, binding->first, event, err);
	return 0;
}

static int not_found(const struct samplefield *of, const struct binding *binding,
		     const char *option, struct error *err)
{
	const struct field_name *name = &of->name;

	if (!binding->points)
		return error_set(err, ERROR_USAGE,
				 "option --%s: '%s' would be a field of a tracepoint, but the "
				 "recording has no formats of tracepoints (perf record -e "
				 "SYSTEM:EVENT stores them)",
				 option, name->name);
	if (!binding->named)
		return error_set(err, ERROR_USAGE,
				 "option --%s: '%s.%s': the recording has no tracepoint of that "
				 "name",
				 option, name->event, name->name);
	return error_set(err, ERROR_USAGE,
			 "option --%s: no tracepoint%s%s of the recording has a field '%s'%s: "
			 "--tables=header lists them",
			 option, *name->event ? " " : "", name->event, name->name,
			 name->has_index ? " with such an element" : "");
}

int samplefield_bind(struct samplefield *of, const struct perffile *file, const char *option,
		     struct error *err)
{
	const size_t nr = perffile_nr_events(file);
	struct binding binding = {0};
	size_t room = of->nr;

	if (!array_grow(of->of_events, room, nr + 1))
		return error_nomem(err, "looking for fields of tracepoints");
	of->nr = room;
	memset(of->of_events, 0, room * sizeof(*of->of_events));
	of->machine = perffile_machine(file);
	for (size_t i = 0; i < nr; i++)
		if (bind_event(of, &binding, file, perffile_event(file, i), option, err) < 0)
			return -1;
	return binding.first ? 0 : not_found(of, &binding, option, err);
}

/* The field in samples of the event of @rec; NULL if they do not have it. */
static const struct tracefield *field_of(const struct samplefield *of, const struct record *rec)
{
	const unsigned number = rec->event->number;

	if (number >= of->nr || !of->of_events[number].has || !rec->event->layout.has_extra)
		return NULL;
	return &of->of_events[number].field;
}

bool samplefield_number(const struct samplefield *of, const struct record *rec, uint64_t *value)
{
	const struct tracefield *field = field_of(of, rec);

	return field && tracefield_number(field, rec->sample.extra.raw, value);
}

/* Writes the elements of an array, as many as fit. */
static void write_elements(const struct tracefield *field, struct span bytes, char *text)
{
	uint64_t value;
	int len = 0;

	while (len < SAMPLEFIELD_TEXT - 24 && tracefield_take(field, &bytes, &value)) {
		const char *gap = len ? " " : "";

		if (field->is_signed)
			len += sprintf(text + len, "%s%" PRId64, gap, (int64_t)value);
		else
			len += sprintf(text + len, "%s%" PRIu64, gap, value);
	}
}

bool samplefield_text(const struct samplefield *of, const struct record *rec,
		      char text[SAMPLEFIELD_TEXT])
{
	const struct tracefield *field = field_of(of, rec);
	struct span bytes;

	if (!field || !tracefield_bytes(field, rec->sample.extra.raw, &bytes))
		return false;
	*text = '\0';
	if (field->kind == TRACEFIELD_ARRAY)
		write_elements(field, bytes, text);
	else
		snprintf(text, SAMPLEFIELD_TEXT, "%.*s",
			 (int)(span_left(&bytes) < SAMPLEFIELD_TEXT ? span_left(&bytes)
								    : SAMPLEFIELD_TEXT),
			 (const char *)bytes.pos);
	return true;
}

bool samplefield_show(const struct samplefield *of, uint64_t value, char text[SAMPLEFIELD_TEXT])
{
	if ((of->is_syscall && of->machine && syscallname_get(of->machine, value, text)) ||
	    tracewords_write(&of->words, value, text, SAMPLEFIELD_TEXT))
		return false;
	if (of->is_syscall)
		value = (uint64_t)syscallname_shown(value);
	if (of->field.is_pointer) {
		snprintf(text, SAMPLEFIELD_TEXT, "0x%" PRIx64, value);
		return false;
	}
	if (of->field.is_signed)
		snprintf(text, SAMPLEFIELD_TEXT, "%" PRId64, (int64_t)value);
	else
		snprintf(text, SAMPLEFIELD_TEXT, "%" PRIu64, value);
	return true;
}

bool samplefield_value(const struct samplefield *of, const char *word, uint64_t *value)
{
	if (of->is_syscall && of->machine && syscallname_number(of->machine, word, value))
		return true;
	return tracewords_value(&of->words, word, strlen(word), value);
}

void samplefield_free(struct samplefield *of)
{
	free(of->of_events);
	free(of->numbers);
	tracewords_free(&of->words);
	*of = (struct samplefield){.name = of->name};
}
