#include "decode/replay/splitdata.h"

#include <stdio.h>
#include <stdlib.h>

enum { REASON_TEXT = 64 };

/* The text of a place without a variable. @is_of_file: the file knows that it has it. */
static const char *text_without(const struct data_place *place, bool is_of_file, enum reason reason,
				char text[REASON_TEXT])
{
	if (!place->own)
		return "[kernel]";
	switch (is_of_file ? DSO_USER : place->own->kind) {
	case DSO_JIT: /* anonymous memory, whether a JIT compiler wrote code there or not */
		return DSO_ANONYMOUS;
	case DSO_USER:
		snprintf(text, REASON_TEXT, "[unknown] (%s)", reason_name(reason));
		return text;
	default:
		return place->own->path;
	}
}

static bool has_file(const struct data_place *place)
{
	return place->dso && place->dso->kind == DSO_USER;
}

static int compare_files(const void *a, const void *b, void *arg)
{
	const struct data_place *list = arg;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct dso *of_x = list[x].dso, *of_y = list[y].dso;

	if (of_x != of_y)
		return of_x->number < of_y->number ? -1 : 1;
	return (x > y) - (x < y);
}

/* Looks up the @nr places whose numbers are @order, all of one file, and sets their texts. */
static int name_file(const struct data_places *places, const uint32_t *order, size_t nr,
		     struct symbolizer *symbolizer, struct intern *strings, uint32_t *texts,
		     struct error *err)
{
	struct data_name *names = calloc(nr, sizeof(*names));
	int rc;

	if (!names)
		return error_nomem(err, "looking up data symbols");
	for (size_t i = 0; i < nr; i++) {
		const struct data_place *place = &places->list[order[i]];

		names[i] = (struct data_name){.pgoff = place->pgoff,
					      .distance = place->distance,
					      .is_code = place->is_code};
	}
	rc = symbolizer_name_data(symbolizer, places->list[order[0]].dso, names, nr, err);
	for (size_t i = 0; i < nr && rc == 0; i++) {
		char text[REASON_TEXT];
		const char *name =
			names[i].name ? names[i].name
				      : text_without(&places->list[order[i]], names[i].is_of_file,
						     names[i].reason, text);

		texts[order[i]] = intern_string(strings, name);
		rc = texts[order[i]] == INTERN_NOMEM ? -1 : 0;
	}
	free(names);
	return rc;
}

/* Sets the texts of places without a file, and lists the others, @order, by file. Returns how many
 * these are; SIZE_MAX if a text cannot be kept. */
static size_t sort_places(const struct data_places *places, struct intern *strings, uint32_t *texts,
			  uint32_t *order)
{
	size_t nr = 0;

	for (size_t i = 0; i < data_places_count(places); i++) {
		char text[REASON_TEXT];

		if (has_file(&places->list[i])) {
			order[nr++] = (uint32_t)i;
			continue;
		}
		texts[i] = intern_string(
			strings, text_without(&places->list[i], false, REASON_NO_MAPPING, text));
		if (texts[i] == INTERN_NOMEM)
			return SIZE_MAX;
	}
	qsort_r(order, nr, sizeof(*order), compare_files, places->list);
	return nr;
}

static int name_files(const struct data_places *places, const uint32_t *order, size_t nr,
		      struct symbolizer *symbolizer, struct intern *strings, uint32_t *texts,
		      struct error *err)
{
	size_t end;

	for (size_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr; end++)
			if (places->list[order[end]].dso != places->list[order[i]].dso)
				break;
		if (name_file(places, &order[i], end - i, symbolizer, strings, texts, err) < 0)
			return -1;
	}
	return 0;
}

uint32_t *splitdata_texts(const struct data_places *places, struct symbolizer *symbolizer,
			  struct intern *strings, struct error *err)
{
	const size_t nr = data_places_count(places);
	uint32_t *texts = calloc(nr + 1, sizeof(*texts)), *order = calloc(nr + 1, sizeof(*order));
	size_t nr_files = SIZE_MAX;

	if (texts && order)
		nr_files = sort_places(places, strings, texts, order);
	else
		error_nomem(err, "looking up data symbols");
	if (nr_files == SIZE_MAX ||
	    name_files(places, order, nr_files, symbolizer, strings, texts, err) < 0) {
		free(texts);
		texts = NULL;
	}
	free(order);
	return texts;
}
