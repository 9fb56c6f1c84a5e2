#include "report/export/firefoxtables.h"

#include "report/export/firefoxvalues.h"

enum { TYPE_LIBRARY = 1 }; /* of resources */

static void put_stack_frames(struct firefox *to, const struct chain_stat *row, uint32_t number)
{
	const uint32_t first = to->frames[row->place];

	(void)number;
	for (uint32_t i = 0; i < to->places[row->place].nr_functions; i++)
		json_u64(&to->json, NULL, first + i);
}

/* How many rows above the caller is; 0: there is none. */
static void put_stack_callers(struct firefox *to, const struct chain_stat *row, uint32_t number)
{
	const uint32_t nr = to->places[row->place].nr_functions;
	const size_t at = (size_t)to->stacks[number] + 1 - nr;
	size_t offset = 0;

	if (row->caller != PATH_NO_PARENT)
		offset = at - to->stacks[row->caller];
	else if (row->cut)
		offset = at - firefoxindex_end(to, row->end);
	json_u64(&to->json, NULL, offset);
	for (uint32_t i = 1; i < nr; i++)
		json_u64(&to->json, NULL, 1);
}

static void put_stack_table(struct firefox *to)
{
	struct json *json = &to->json;

	json_open(json, "stackTable", '{');
	json_open(json, "frame", '[');
	for (size_t i = 0; i < to->nr_ends; i++)
		json_u64(json, NULL, i);
	firefoxindex_chains(to, put_stack_frames);
	json_close(json);
	json_open(json, "prefixOffset", '[');
	for (size_t i = 0; i < to->nr_ends; i++)
		json_u64(json, NULL, 0);
	firefoxindex_chains(to, put_stack_callers);
	json_close(json);
	json_u64(json, "length", to->nr_stacks);
	json_close(json);
}

/* A function at a place; @depth: how many functions it is inlined into there. */
struct firefox_frame {
	const struct place_stat *place; /* NULL: why a chain is cut */
	uint32_t function, depth;
	bool innermost;
};

/* Writes a column of the frame table with a cell by @put for each frame. */
static void put_frames(struct firefox *to, const char *key,
		       void (*put)(struct firefox *to, const struct firefox_frame *frame))
{
	json_open(&to->json, key, '[');
	for (uint32_t i = 0; i < to->nr_ends; i++)
		put(to, &(struct firefox_frame){NULL, (uint32_t)to->nr_functions + i, 0, true});
	for (size_t i = 0; i < to->nr_places; i++) {
		const struct place_stat *place = &to->places[i];

		if (!firefoxindex_wants(to, place))
			continue;
		for (uint32_t depth = 0; depth < place->nr_functions; depth++) {
			const uint32_t inner = place->nr_functions - 1 - depth;

			put(to, &(struct firefox_frame){place,
							place->functions[inner] -
								(uint32_t)to->first_function,
							depth, inner == 0});
		}
	}
	json_close(&to->json);
}

/* Numbers of JavaScript have 53 bits, and there are none below 0. */
static void put_frame_address(struct firefox *to, const struct firefox_frame *frame)
{
	enum { JS_BITS = 53 };

	if (frame->place && !(frame->place->address >> JS_BITS))
		json_u64(&to->json, NULL, frame->place->address);
	else
		json_digits(&to->json, NULL, "-1");
}

static void put_frame_depth(struct firefox *to, const struct firefox_frame *frame)
{
	json_u64(&to->json, NULL, frame->depth);
}

static void put_frame_function(struct firefox *to, const struct firefox_frame *frame)
{
	json_u64(&to->json, NULL, frame->function);
}

static void put_frame_category(struct firefox *to, const struct firefox_frame *frame)
{
	json_u64(&to->json, NULL,
		 frame->place ? (uint64_t)firefoxindex_function(to, frame->function)->code + 1 : 0);
}

static void put_frame_line(struct firefox *to, const struct firefox_frame *frame)
{
	const bool known = frame->place && frame->innermost && frame->place->line;

	firefoxvalues_if(to, NULL, known, known ? frame->place->line : 0);
}

static void put_frame_table(struct firefox *to)
{
	struct json *json = &to->json;
	const size_t nr = to->nr_frames;

	json_open(json, "frameTable", '{');
	put_frames(to, "address", put_frame_address);
	put_frames(to, "inlineDepth", put_frame_depth);
	put_frames(to, "category", put_frame_category);
	firefoxvalues_constants(to, "subcategory", nr, "0");
	put_frames(to, "func", put_frame_function);
	firefoxvalues_constants(to, "nativeSymbol", nr, "null");
	firefoxvalues_constants(to, "innerWindowID", nr, "null");
	put_frames(to, "line", put_frame_line);
	firefoxvalues_constants(to, "column", nr, "null");
	firefoxvalues_constants(to, "originalLocation", nr, "null");
	json_u64(json, "length", nr);
	json_close(json);
}

/* The number of a source file; it has one from now on. */
static uint32_t source_of(struct firefox *to, const char *filename)
{
	const uint32_t number = intern_string(&to->sources, filename);

	if (number == INTERN_NOMEM)
		firefoxindex_nomem(to);
	return number - 1;
}

static void put_function_columns(struct firefox *to)
{
	struct json *json = &to->json;

	json_open(json, "name", '[');
	for (size_t i = 0; i < to->nr_functions; i++)
		firefoxvalues_string(to, NULL,
				     framename_of(&to->name, firefoxindex_function(to, i)));
	for (size_t i = 0; i < to->nr_ends; i++)
		firefoxvalues_string(to, NULL, framename_of_end(&to->name, to->ends[i]));
	json_close(json);
	json_open(json, "resource", '[');
	for (size_t i = 0; i < to->nr_functions; i++)
		json_u64(json, NULL, to->libs[firefoxindex_function(to, i)->dso] - 1);
	for (size_t i = 0; i < to->nr_ends; i++)
		json_digits(json, NULL, "-1");
	json_close(json);
	json_open(json, "source", '[');
	for (size_t i = 0; i < to->nr_functions + to->nr_ends; i++) {
		const char *file =
			i < to->nr_functions ? firefoxindex_function(to, i)->filename : "";

		firefoxvalues_if(to, NULL, *file, *file ? source_of(to, file) : 0);
	}
	json_close(json);
	json_open(json, "lineNumber", '[');
	for (size_t i = 0; i < to->nr_functions + to->nr_ends; i++) {
		const uint32_t line = i < to->nr_functions ? firefoxindex_function(to, i)->line : 0;

		firefoxvalues_if(to, NULL, line, line);
	}
	json_close(json);
}

static void put_function_table(struct firefox *to)
{
	const size_t nr = to->nr_functions + to->nr_ends;

	json_open(&to->json, "funcTable", '{');
	put_function_columns(to);
	firefoxvalues_constants(to, "isJS", nr, "false");
	firefoxvalues_constants(to, "relevantForJS", nr, "false");
	firefoxvalues_constants(to, "columnNumber", nr, "null");
	firefoxvalues_constants(to, "originalLocation", nr, "null");
	json_u64(&to->json, "length", nr);
	json_close(&to->json);
}

static void put_resource_table(struct firefox *to)
{
	struct json *json = &to->json;

	json_open(json, "resourceTable", '{');
	json_open(json, "lib", '[');
	for (size_t i = 0; i < to->nr_libs; i++)
		json_u64(json, NULL, i);
	json_close(json);
	json_open(json, "name", '[');
	for (size_t i = 0; i < to->nr_libs; i++)
		firefoxvalues_string(to, NULL,
				     firefoxvalues_base_name(to->lib_functions[i]->binary));
	json_close(json);
	firefoxvalues_constants(to, "host", to->nr_libs, "null");
	json_open(json, "type", '[');
	for (size_t i = 0; i < to->nr_libs; i++)
		json_u64(json, NULL, TYPE_LIBRARY);
	json_close(json);
	json_u64(json, "length", to->nr_libs);
	json_close(json);
}

static void put_sources(struct firefox *to)
{
	const size_t nr = to->sources.nr_strings;

	json_open(&to->json, "sources", '{');
	firefoxvalues_constants(to, "id", nr, "null");
	json_open(&to->json, "filename", '[');
	for (uint32_t i = 0; i < nr; i++)
		firefoxvalues_string(to, NULL, intern_get(&to->sources, i + 1));
	json_close(&to->json);
	firefoxvalues_constants(to, "startLine", nr, "1");
	firefoxvalues_constants(to, "startColumn", nr, "1");
	firefoxvalues_constants(to, "sourceMapURL", nr, "null");
	firefoxvalues_constants(to, "content", nr, "null");
	json_u64(&to->json, "length", nr);
	json_close(&to->json);
}

/* Strings come last, when all that refers to them is written. */
void firefoxtables_put(struct firefox *to)
{
	static const char *const symbols[] = {"libIndex", "address", "name", "functionSize", NULL};
	static const char *const locations[] = {"source", "line", "column", NULL};

	json_open(&to->json, "shared", '{');
	put_stack_table(to);
	put_frame_table(to);
	put_function_table(to);
	put_resource_table(to);
	firefoxvalues_no_rows(to, "nativeSymbols", symbols);
	put_sources(to);
	firefoxvalues_no_rows(to, "sourceLocationTable", locations);
	json_open(&to->json, "stringArray", '[');
	for (uint32_t i = 0; i <= to->strings.nr_strings; i++)
		json_text(&to->json, NULL, intern_get(&to->strings, i));
	json_close(&to->json);
	json_close(&to->json);
}
