/*
 * The profile of pprof: samples by call chain, with addresses, lines and inlined functions, as
 * protocol buffers in gzip.
 *
 * Chains are written as they are read. Of each table of the path store, only the callers are in
 * memory; equal chains of several tables stay several samples, which readers add up.
 */
#include "perffile/format.h"
#include "report/export/framename.h"
#include "report/export/ownfile.h"
#include "report/export/protobuf.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "util/array.h"
#include "util/codec/codec.h"
#include "util/codec/gzipfile.h"
#include "util/intern.h"
#include "util/text.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of fields, by message. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATIONS = 1,
	SAMPLE_VALUES = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	MAPPING_ID = 1,
	MAPPING_LIMIT = 3,
	MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILENAMES = 8,
	MAPPING_HAS_LINES = 9,
	MAPPING_HAS_INLINED = 10,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_FILENAME = 4,
	FUNCTION_LINE = 5,
};

/* A binary with its build id. */
struct pprof_mapping {
	const struct function_stat *first; /* of its functions; NULL: it has none of the event */
	uint32_t id;
	bool has_functions, has_filenames, has_lines;
};

/* A chain of the table that is being read. */
struct pprof_link {
	uint32_t caller, place; /* @caller as of struct chain_stat */
	const char *cut;	/* why the chain is cut above this; NULL: it is not */
};

/* The file in the making. */
struct pprof {
	const struct runexport_view *view;
	const struct results *results;
	const struct place_stat *places;
	size_t nr_places;
	struct gzipfile *gzip;
	struct intern strings;		/* their numbers are those of the profile */
	struct pprof_mapping *mappings; /* by dso */
	uint32_t *order;		/* their dsos by id - 1 */
	size_t nr_mappings;
	struct pprof_link *links;
	size_t links_room;
	const char **ends; /* why chains are cut, each once */
	size_t nr_ends, ends_room;
	struct framename name;
	struct protobuf top, message, inner; /* a field of the profile, and what it is made of */
	size_t at_split;		     /* the next row of split->chains */
	bool failed;			     /* memory is out */
};

/* ---- parts ----------------------------------------------------------------------------------- */

/* Writes what stands in @top. */
static void pass_on(struct pprof *to)
{
	to->failed |= to->top.failed;
	if (!to->failed)
		gzipfile_put(to->gzip, to->top.bytes, to->top.len);
	protobuf_clear(&to->top);
}

/* Writes the message as @field of the profile. */
static void put_message(struct pprof *to, unsigned field)
{
	protobuf_message(&to->top, field, &to->message);
	protobuf_clear(&to->message);
	pass_on(to);
}

static uint64_t string_of(struct pprof *to, const char *text)
{
	const uint32_t number = text ? intern_string(&to->strings, text) : INTERN_NOMEM;

	to->failed |= number == INTERN_NOMEM;
	return number;
}

static bool is_wanted(const struct pprof *to, const struct function_stat *function)
{
	return function->event == to->view->event;
}

static const struct function_stat *function_of(const struct pprof *to,
					       const struct place_stat *place, size_t i)
{
	return &to->results->functions[place->functions[i]];
}

static uint64_t id_of_function(const struct pprof *to, const struct function_stat *function)
{
	return (uint64_t)(function - to->results->functions) + 1;
}

/* Frames that say why a chain is cut come after all places, and all functions. */
static size_t number_of_end(struct pprof *to, const char *end)
{
	size_t i = 0;

	while (i < to->nr_ends && strcmp(to->ends[i], end) != 0)
		i++;
	if (i < to->nr_ends)
		return i;
	if (!array_grow(to->ends, to->ends_room, i + 1)) {
		to->failed = true;
		return 0;
	}
	to->ends[to->nr_ends++] = end;
	return i;
}

/* Numbers of the format have a sign. */
static uint64_t limited(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : value;
}

/* ---- types ----------------------------------------------------------------------------------- */

static void put_type(struct pprof *to, unsigned field, const char *type, const char *unit)
{
	protobuf_u64(&to->message, TYPE_TYPE, string_of(to, type));
	protobuf_u64(&to->message, TYPE_UNIT, string_of(to, unit));
	put_message(to, field);
}

/* The period between two samples; 0 if the recorder chose it. */
static uint64_t period_of(const struct event *event)
{
	if (!(event->attr.flags & ATTR_FREQ))
		return limited(event->attr.sample_period);
	return event->is_time && event->attr.sample_period
		       ? UINT64_C(1000000000) / event->attr.sample_period
		       : 0;
}

static void put_types(struct pprof *to)
{
	const struct event *event = to->view->event;
	const char *type = event->is_time ? "cpu" : event->name;
	const char *unit = event->is_time ? "nanoseconds" : "count";

	put_type(to, PROFILE_SAMPLE_TYPE, "samples", "count");
	put_type(to, PROFILE_SAMPLE_TYPE, type, unit);
	put_type(to, PROFILE_PERIOD_TYPE, type, unit);
	protobuf_u64(&to->top, PROFILE_PERIOD, period_of(event));
	protobuf_u64(&to->top, PROFILE_DEFAULT_TYPE, string_of(to, type));
	pass_on(to);
}

/* When the samples were taken, as far as the recording itself tells: the time of its file may
 * differ between copies. */
static void put_times(struct pprof *to)
{
	const struct run_stat *run = results_rows(to->results, &runstat_run).first;

	if (!run)
		return;
	if (strcmp(run->start_by, "clock") == 0)
		protobuf_u64(&to->top, PROFILE_TIME, limited(run->start));
	protobuf_u64(&to->top, PROFILE_DURATION, limited(run->duration));
	pass_on(to);
}

/* ---- samples --------------------------------------------------------------------------------- */

static void put_locations(struct pprof *to, const struct chain_stat *row, uint32_t number)
{
	const struct pprof_link *link;

	do {
		link = &to->links[number - row->base];
		protobuf_number(&to->inner, (uint64_t)link->place + 1);
		number = link->caller;
	} while (number != PATH_NO_PARENT);
	if (link->cut)
		protobuf_number(&to->inner, to->nr_places + number_of_end(to, link->cut) + 1);
	protobuf_message(&to->message, SAMPLE_LOCATIONS, &to->inner);
	protobuf_clear(&to->inner);
}

/* Numbers are labels of text, too: readers leave out those of 0, and take ids for amounts. */
static void put_labels(struct pprof *to, uint32_t tuple)
{
	const struct split_stat *split = to->results->split;
	const struct split_value *values = &split->values[tuple * split->nr_keys];

	for (size_t i = 0; i < split->nr_keys; i++) {
		if (!*values[i].text)
			continue;
		protobuf_u64(&to->inner, LABEL_KEY, string_of(to, split->keys[i]));
		protobuf_u64(&to->inner, LABEL_TEXT, string_of(to, values[i].text));
		protobuf_message(&to->message, SAMPLE_LABEL, &to->inner);
		protobuf_clear(&to->inner);
	}
}

static void put_values(struct pprof *to, const struct tally *tally)
{
	protobuf_number(&to->inner, limited(tally->samples));
	protobuf_number(&to->inner, limited(tally->period));
	protobuf_message(&to->message, SAMPLE_VALUES, &to->inner);
	protobuf_clear(&to->inner);
}

static void put_sample(struct pprof *to, const struct chain_stat *row, uint32_t number)
{
	put_locations(to, row, number);
	put_values(to, &row->self);
	put_message(to, PROFILE_SAMPLE);
}

/* With --per, a sample for each combination that the chain has samples of. */
static void put_split(struct pprof *to, const struct chain_stat *row, uint32_t number)
{
	const struct split_stat *split = to->results->split;

	while (to->at_split < split->nr_chains && split->chains[to->at_split].chain < number)
		to->at_split++;
	for (; to->at_split < split->nr_chains && split->chains[to->at_split].chain == number;
	     to->at_split++) {
		const struct chain_split *part = &split->chains[to->at_split];

		if (!part->self.samples)
			continue;
		put_locations(to, row, number);
		put_values(to, &part->self);
		put_labels(to, part->tuple);
		put_message(to, PROFILE_SAMPLE);
	}
}

/* Takes the chain with @number in, and writes what was counted there itself. */
static void take_chain(struct pprof *to, const struct chain_stat *row, uint32_t number)
{
	const uint32_t at = number - row->base;

	if (!array_grow(to->links, to->links_room, (size_t)at + 1)) {
		to->failed = true;
		return;
	}
	to->links[at] = (struct pprof_link){row->caller, row->place, row->cut ? row->end : NULL};
	if (!row->self.samples || !is_wanted(to, function_of(to, &to->places[row->place], 0)))
		return;
	if (to->results->split)
		put_split(to, row, number);
	else
		put_sample(to, row, number);
}

static int put_samples(struct pprof *to, struct error *err)
{
	const struct row_source chains = results_rows(to->results, &chainstat_chains).source;
	struct chain_stat row;
	uint32_t number = 0;
	int rc = chains.start ? chains.start(chains.arg, err) : 0;

	while (rc == 0 && chains.next && !to->failed &&
	       (rc = chains.next(chains.arg, &row, err)) > 0) {
		take_chain(to, &row, number++);
		rc = 0;
	}
	return rc;
}

/* ---- locations ------------------------------------------------------------------------------- */

static void put_line(struct pprof *to, uint64_t function, uint32_t line)
{
	protobuf_u64(&to->inner, LINE_FUNCTION, function);
	protobuf_u64(&to->inner, LINE_LINE, line);
	protobuf_message(&to->message, LOCATION_LINE, &to->inner);
	protobuf_clear(&to->inner);
}

/* The line of a function that another is inlined into is not known. */
static void put_location(struct pprof *to, const struct place_stat *place)
{
	const struct function_stat *first = function_of(to, place, 0);

	protobuf_u64(&to->message, LOCATION_ID, (uint64_t)(place - to->places) + 1);
	protobuf_u64(&to->message, LOCATION_MAPPING, to->mappings[first->dso].id);
	protobuf_u64(&to->message, LOCATION_ADDRESS, place->address);
	for (size_t i = 0; i < place->nr_functions; i++)
		put_line(to, id_of_function(to, function_of(to, place, i)), i ? 0 : place->line);
	put_message(to, PROFILE_LOCATION);
}

static void put_all_locations(struct pprof *to)
{
	for (size_t i = 0; i < to->nr_places; i++)
		if (is_wanted(to, function_of(to, &to->places[i], 0)))
			put_location(to, &to->places[i]);
	for (size_t i = 0; i < to->nr_ends; i++) {
		protobuf_u64(&to->message, LOCATION_ID, to->nr_places + i + 1);
		put_line(to, to->results->nr_functions + i + 1, 0);
		put_message(to, PROFILE_LOCATION);
	}
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Without a name of the system, as then pprof would take names for mangled, and shorten them. */
static void put_function(struct pprof *to, uint64_t id, const char *name, const char *filename,
			 uint32_t line)
{
	protobuf_u64(&to->message, FUNCTION_ID, id);
	protobuf_u64(&to->message, FUNCTION_NAME, string_of(to, name));
	protobuf_u64(&to->message, FUNCTION_FILENAME, string_of(to, filename));
	protobuf_u64(&to->message, FUNCTION_LINE, line);
	put_message(to, PROFILE_FUNCTION);
}

static void put_functions(struct pprof *to)
{
	const struct function_stat *functions = to->results->functions;
	const size_t nr = to->results->nr_functions;

	for (size_t i = 0; i < nr; i++)
		if (is_wanted(to, &functions[i]))
			put_function(to, i + 1, framename_of(&to->name, &functions[i]),
				     functions[i].filename, functions[i].line);
	for (size_t i = 0; i < to->nr_ends; i++)
		put_function(to, nr + i + 1, framename_of_end(&to->name, to->ends[i]), "", 0);
}

/* ---- mappings -------------------------------------------------------------------------------- */

static void add_mapping(struct pprof *to, const struct function_stat *function)
{
	struct pprof_mapping *mapping = &to->mappings[function->dso];

	if (!mapping->first) {
		mapping->first = function;
		to->order[to->nr_mappings++] = function->dso;
		mapping->id = (uint32_t)to->nr_mappings;
	}
	mapping->has_functions |= !*function->reason;
	mapping->has_filenames |= *function->filename != '\0';
}

/* The binary with the hottest function comes first, as readers take it for the main one, but for
 * the kernel. */
static void list_mappings(struct pprof *to)
{
	const struct function_stat *functions = to->results->functions;
	const size_t nr = to->results->nr_functions;
	size_t hottest = 0;

	while (hottest < nr &&
	       !(is_wanted(to, &functions[hottest]) && functions[hottest].code != CODE_KERNEL))
		hottest++;
	if (hottest < nr)
		add_mapping(to, &functions[hottest]);
	for (size_t i = 0; i < nr; i++)
		if (is_wanted(to, &functions[i]))
			add_mapping(to, &functions[i]);
	for (size_t i = 0; i < to->nr_places; i++)
		if (to->places[i].line)
			to->mappings[function_of(to, &to->places[i], 0)->dso].has_lines = true;
}

static bool make_mappings(struct pprof *to)
{
	uint32_t last = 0;

	for (size_t i = 0; i < to->results->nr_functions; i++)
		if (to->results->functions[i].dso > last)
			last = to->results->functions[i].dso;
	to->mappings = calloc((size_t)last + 1, sizeof(*to->mappings));
	to->order = calloc((size_t)last + 1, sizeof(*to->order));
	if (!to->mappings || !to->order)
		return false;
	list_mappings(to);
	return true;
}

/* Addresses are those in the file: each mapping is said to cover all. */
static void put_mappings(struct pprof *to)
{
	for (size_t i = 0; i < to->nr_mappings; i++) {
		const struct pprof_mapping *mapping = &to->mappings[to->order[i]];

		protobuf_u64(&to->message, MAPPING_ID, mapping->id);
		protobuf_u64(&to->message, MAPPING_LIMIT, UINT64_MAX);
		protobuf_u64(&to->message, MAPPING_FILENAME, string_of(to, mapping->first->binary));
		protobuf_u64(&to->message, MAPPING_BUILD_ID,
			     string_of(to, mapping->first->build_id));
		protobuf_u64(&to->message, MAPPING_HAS_FUNCTIONS, mapping->has_functions);
		protobuf_u64(&to->message, MAPPING_HAS_FILENAMES, mapping->has_filenames);
		protobuf_u64(&to->message, MAPPING_HAS_LINES, mapping->has_lines);
		protobuf_u64(&to->message, MAPPING_HAS_INLINED, to->results->inlined);
		put_message(to, PROFILE_MAPPING);
	}
}

/* ---- the profile ----------------------------------------------------------------------------- */

/* Strings must be UTF-8. */
static void put_string(struct pprof *to, const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		uint32_t code;
		const size_t bytes = text_decode(text, len, &code);

		if (code == TEXT_INVALID)
			protobuf_raw(&to->message, TEXT_REPLACEMENT, strlen(TEXT_REPLACEMENT));
		else
			protobuf_raw(&to->message, text, bytes);
		text += bytes;
		len -= bytes;
	}
	put_message(to, PROFILE_STRING);
}

/* Number 0 is "". */
static void put_strings(struct pprof *to)
{
	for (size_t i = 0; i <= to->strings.nr_strings; i++)
		put_string(to, intern_get(&to->strings, (uint32_t)i));
}

static int put_profile(struct pprof *to, struct error *err)
{
	to->failed |= !make_mappings(to);
	if (to->failed)
		return 0;
	put_types(to);
	put_times(to);
	put_mappings(to);
	if (put_samples(to, err) < 0)
		return -1;
	put_all_locations(to);
	put_functions(to);
	put_strings(to);
	return 0;
}

static void free_all(struct pprof *to)
{
	intern_free(&to->strings);
	free(to->mappings);
	free(to->order);
	free(to->links);
	free(to->ends);
	framename_free(&to->name);
	protobuf_free(&to->top);
	protobuf_free(&to->message);
	protobuf_free(&to->inner);
}

void pprof_write(const struct runexport_view *view)
{
	const struct rows places = results_rows(view->results, &chainstat_places);
	struct pprof to = {
		.view = view,
		.results = view->results,
		.places = places.first,
		.nr_places = places.nr,
		.gzip = gzipfile_create(view->out),
	};
	struct error err;
	int rc = 0;

	to.failed = !to.gzip;
	if (to.gzip)
		rc = put_profile(&to, &err);
	to.failed |= !gzipfile_end(to.gzip);
	if (rc == 0 && to.failed)
		rc = error_nomem(&err, "exporting samples");
	if (rc < 0)
		outfile_fail(view->out, &err);
	free_all(&to);
}

/*
 * What zlib packs has neither a name nor a time, and is of Unix: Go's own profiles are of an
 * unknown system. The ninth byte is the effort. It begins with the type of the samples, whose
 * strings are the first ones.
 */
bool pprof_is_own(const struct ownfile *file)
{
	static const char start[] = {0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0};
	static const uint8_t samples[] = {0x0a, 4, 0x08, 1, 0x10, 2};
	enum { SYSTEM = 9, UNIX = 3 };
	uint8_t bytes[sizeof(samples)];

	return file->head_len > SYSTEM && memcmp(file->head, start, sizeof(start)) == 0 &&
	       file->head[SYSTEM] == UNIX &&
	       codec_start(&codec_gzip, file->head, file->head_len, bytes, sizeof(bytes)) ==
		       sizeof(bytes) &&
	       memcmp(bytes, samples, sizeof(samples)) == 0;
}
