#include "perffile/feature/tracing.h"

#include <stdlib.h>
#include <string.h>

static bool take_magic(struct span *s)
{
	static const char magic[] = "\x17\x08\x44tracing";
	struct span bytes = span_take(s, sizeof(magic) - 1);

	return !bytes.failed && memcmp(bytes.pos, magic, sizeof(magic) - 1) == 0;
}

/* Takes a file @name of the tracing directory: NAME, u64 size, text. Returns its text. */
static struct span take_named(struct span *s, const char *name)
{
	const char *given = span_cstr(s, NULL);

	if (!given || strcmp(given, name) != 0)
		span_fail(s);
	return span_take(s, span_u64(s));
}

bool tracing_open(struct tracing *tracing, struct span s)
{
	const bool host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	*tracing = (struct tracing){0};
	if (!take_magic(&s))
		return false;
	tracing->version = span_cstr(&s, NULL);
	tracing->big_endian = span_u8(&s) != 0;
	s.swap = tracing->big_endian != host_is_big;
	tracing->long_size = span_u8(&s);
	tracing->page_size = span_u32(&s);
	tracing->header_page = take_named(&s, "header_page");
	tracing->header_event = take_named(&s, "header_event");
	tracing->system = "ftrace";
	tracing->nr_formats = span_u32(&s);
	tracing->nr_systems = UINT32_MAX; /* not read yet */
	tracing->rest = s;
	return !s.failed;
}

bool tracing_line(struct span *text, struct span *line)
{
	const uint8_t *end;

	if (span_left(text) == 0)
		return false;
	end = memchr(text->pos, '\n', span_left(text));
	if (!end) {
		*line = span_take(text, span_left(text));
		return true;
	}
	*line = span_take(text, (uint64_t)(end - text->pos));
	span_skip(text, 1);
	return true;
}

bool tracing_key(struct span *line, const char *key)
{
	const size_t len = strlen(key);
	struct span s = *line;

	while (span_left(&s) > 0 && (*s.pos == ' ' || *s.pos == '\t'))
		span_skip(&s, 1);
	if (span_left(&s) < len || memcmp(s.pos, key, len) != 0)
		return false;
	span_skip(&s, len);
	while (span_left(&s) > 0 && *s.pos == ' ')
		span_skip(&s, 1);
	*line = s;
	return true;
}

/* Reads a decimal number, up to the first byte that is not a digit. */
static bool parse_id(struct span s, uint64_t *id)
{
	bool any = false;

	for (*id = 0; span_left(&s) > 0 && *s.pos >= '0' && *s.pos <= '9'; any = true) {
		if (__builtin_mul_overflow(*id, 10u, id) ||
		    __builtin_add_overflow(*id, (uint64_t)(span_u8(&s) - '0'), id))
			return false;
	}
	return any;
}

/* A format starts with the lines "name: sched_switch", "ID: 316" and "format:". */
static void parse_format(struct tracing_event *event)
{
	struct span text = event->format, line;

	event->name = span_make("", 0, false);
	while (tracing_line(&text, &line)) {
		if (tracing_key(&line, "name:"))
			event->name = line;
		else if (tracing_key(&line, "ID:"))
			event->has_id = parse_id(line, &event->id);
		else if (tracing_key(&line, "format:"))
			break;
	}
}

bool tracing_next(struct tracing *tracing, struct tracing_event *event)
{
	struct span *s = &tracing->rest;

	while (tracing->nr_formats == 0) {
		if (tracing->nr_systems == UINT32_MAX)
			tracing->nr_systems = span_u32(s);
		if (s->failed || tracing->nr_systems == 0)
			return false;
		tracing->nr_systems--;
		tracing->system = span_cstr(s, NULL);
		tracing->nr_formats = span_u32(s);
		if (s->failed)
			return false;
	}
	*event = (struct tracing_event){.system = tracing->system};
	event->format = span_take(s, span_u64(s));
	if (s->failed)
		return false;
	tracing->nr_formats--;
	parse_format(event);
	return true;
}
