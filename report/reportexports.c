#include "report/reportexports.h"

#include "report/export/recordlog.h"
#include "report/export/runexport.h"
#include "report/export/tablerows.h"
#include "report/place.h"
#include "report/table.h"
#include "report/tables.h"
#include "util/array.h"
#include "util/outfile.h"

#include <stdlib.h>
#include <unistd.h>

unsigned report_exports_tables(const struct report_settings *settings, unsigned tables)
{
	if (settings->export_tables)
		return settings->export_tables;
	return settings->tables ? tables : REPORT_DEFAULT;
}

/* ---- before the results ---------------------------------------------------------------------- */

/* Checks whether what stands at @name may be replaced by an export of @form. */
static int check_export(const struct report_exports *exports, const struct runexport_form *form,
			const char *name, struct error *err)
{
	const struct report_settings *settings = exports->settings;
	const struct table_place place = {settings->dir, exports->dirfd, settings->force};

	return settings->to_stdout ? 0 : place_check_export(&place, name, &form->mark, err);
}

static void name_of_table(char name[RUNEXPORT_NAME_MAX], const struct runexport_form *form,
			  int table)
{
	snprintf(name, RUNEXPORT_NAME_MAX, "%s%s", table_list[table].table->name, form->ending);
}

static int check_tables_of(const struct report_exports *exports, const struct runexport_form *form,
			   struct error *err)
{
	const unsigned tables = report_exports_tables(exports->settings, exports->settings->tables);
	char name[RUNEXPORT_NAME_MAX];

	for (int i = 0; i < REPORT_NR_TABLES; i++) {
		name_of_table(name, form, i);
		if (tables & 1u << i && check_export(exports, form, name, err) < 0)
			return -1;
	}
	return 0;
}

/* Checks the exports whose names do not depend on what events will have samples. */
static int check_exports(const struct report_exports *exports, struct error *err)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++) {
		const struct runexport_form *form = &runexport_forms[i];
		char name[RUNEXPORT_NAME_MAX];
		int rc = 0;

		if (!(exports->settings->run_exports.chosen & 1u << i))
			continue;
		if (form->files == RUNEXPORT_EACH_TABLE) {
			rc = check_tables_of(exports, form, err);
		} else if (form->files == RUNEXPORT_ALL_EVENTS) {
			runexport_name(name, form, NULL, 0);
			rc = check_export(exports, form, name, err);
		}
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* Begins to keep the rows of records if an export will have them. Returns false without memory. */
static bool keep_records(struct report_exports *exports, struct error *err)
{
	const struct report_settings *settings = exports->settings;

	if (!runexport_of_tables(settings->run_exports.chosen) ||
	    !(report_exports_tables(settings, settings->tables) & REPORT_BIT(overview)))
		return true;
	exports->records = recordlog_create();
	if (!exports->records)
		error_nomem(err, "exporting records");
	return exports->records;
}

int report_exports_open(struct report_exports *exports, const struct report_settings *settings,
			int dirfd, struct error *err)
{
	*exports = (struct report_exports){.settings = settings, .dirfd = dirfd};
	return check_exports(exports, err) == 0 && keep_records(exports, err) ? 0 : -1;
}

/* ---- writing them ---------------------------------------------------------------------------- */

/* Where the next export, of @form, goes, under @name. NULL with @err filled if it cannot. */
static struct outfile *add_export(struct report_exports *exports, const struct runexport_form *form,
				  const char *name, struct error *err)
{
	const struct report_settings *settings = exports->settings;
	struct outfile *out = NULL;

	if (!array_grow(exports->list, exports->room, exports->nr + 1)) {
		error_nomem(err, "exporting the results");
		return NULL;
	}
	if (settings->to_stdout)
		out = outfile_stream(STDOUT_FILENO, "standard output", err);
	else if (check_export(exports, form, name, err) == 0)
		out = outfile_create(exports->dirfd, settings->dir, name, err);
	if (out)
		exports->list[exports->nr++] = out;
	else if (!settings->to_stdout)
		place_advise(err);
	return out;
}

/* Takes note of a page that has more bytes than it may: no more can be folded. */
static void check_page(struct report_exports *exports, const struct outfile *out)
{
	const uint64_t limit = exports->settings->run_exports.html_bytes;

	exports->page_bytes = out->size > limit ? out->size : 0;
}

/* Completes a file of @form with @name but for putting it in place. */
static int write_file(struct report_exports *exports, const struct runexport_form *form,
		      struct runexport_view *view, const char *name, struct error *err)
{
	view->out = add_export(exports, form, name, err);
	if (!view->out)
		return -1;
	form->write(view);
	if (outfile_finish(view->out, err) < 0)
		return -1;
	if (form->is_page)
		check_page(exports, view->out);
	return 0;
}

static int check_events(const struct report_exports *exports, size_t nr, struct error *err)
{
	if (exports->settings->to_stdout && nr > 1)
		return error_set(err, ERROR_USAGE,
				 "option --output: - takes the export of one event, but %zu have "
				 "samples: choose one with --event, or name a directory",
				 nr);
	if (nr > RUNEXPORT_EVENTS_MAX)
		return error_set(err, ERROR_USAGE,
				 "option --export: %zu events have samples, which would be as many "
				 "files: choose some with --event",
				 nr);
	return 0;
}

/* A file of @form for each table. */
static int write_tables(struct report_exports *exports, const struct runexport_form *form,
			struct runexport_view *view, struct error *err)
{
	const unsigned tables = view->tables->chosen;

	for (view->table = 0; view->table < REPORT_NR_TABLES; view->table++) {
		char name[RUNEXPORT_NAME_MAX];

		name_of_table(name, form, view->table);
		if (tables & 1u << view->table && write_file(exports, form, view, name, err) < 0)
			return -1;
	}
	return 0;
}

/* A file of @form for each event, or for all. */
static int write_events(struct report_exports *exports, const struct runexport_form *form,
			struct runexport_view *view, struct error *err)
{
	const struct results *results = view->results;
	const size_t nr = runexport_count(form, results);

	if (check_events(exports, nr, err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++) {
		char name[RUNEXPORT_NAME_MAX];

		runexport_name(name, form, results, i);
		if (form->files == RUNEXPORT_EACH_EVENT)
			view->event = runexport_event(form, results, i);
		if (write_file(exports, form, view, name, err) < 0)
			return -1;
	}
	return 0;
}

int report_exports_write(struct report_exports *exports, const struct results *results,
			 unsigned written, struct error *err)
{
	const struct report_settings *settings = exports->settings;
	const struct tablerows tables = {
		results,	   report_exports_tables(settings, written),
		exports->records,  settings->keys,
		settings->nr_keys, &settings->tags};

	for (int i = 0; i < NR_RUNEXPORTS; i++) {
		const struct runexport_form *form = &runexport_forms[i];
		struct runexport_view view = {
			.results = results, .settings = &settings->run_exports, .tables = &tables};
		int rc = 0;

		if (settings->run_exports.chosen & 1u << i)
			rc = form->files == RUNEXPORT_EACH_TABLE
				     ? write_tables(exports, form, &view, err)
				     : write_events(exports, form, &view, err);
		if (rc < 0)
			return -1;
	}
	placed_files_free(&exports->placing);
	if (!placed_files_start(&exports->placing, exports->nr))
		return error_nomem(err, "exporting the results");
	return 0;
}

void report_exports_close(struct report_exports *exports)
{
	while (exports->nr > 0)
		outfile_close(exports->list[--exports->nr]);
}

/* Puts the files in place and notes those with names. */
static int publish_files(struct report_exports *exports, struct error *err)
{
	for (size_t i = 0; i < exports->nr; i++) {
		if (outfile_publish(exports->list[i], err) < 0)
			return -1;
		if (!exports->settings->to_stdout)
			placed_files_add(&exports->placing, exports->dirfd, exports->list[i]);
	}
	return 0;
}

int report_exports_publish(struct report_exports *exports, struct error *err)
{
	if (publish_files(exports, err) < 0)
		return -1;
	placed_files_replace(&exports->placed, &exports->placing, exports->dirfd);
	placed_files_free(&exports->placed);
	exports->placed = exports->placing;
	exports->placing = (struct placed_files){0};
	report_exports_close(exports);
	return 0;
}

void report_exports_free(struct report_exports *exports)
{
	report_exports_close(exports);
	free(exports->list);
	placed_files_free(&exports->placed);
	placed_files_free(&exports->placing);
	recordlog_free(exports->records);
}

/* ---- their names ----------------------------------------------------------------------------- */

static void list_name(FILE *out, const char **separator, const char *name)
{
	fprintf(out, "%s%s", *separator, name);
	*separator = ", ";
}

static void list_tables(FILE *out, const char **separator, const struct runexport_form *form,
			unsigned tables)
{
	char name[RUNEXPORT_NAME_MAX];

	for (int i = 0; i < REPORT_NR_TABLES; i++) {
		if (!(tables & 1u << i))
			continue;
		name_of_table(name, form, i);
		list_name(out, separator, name);
	}
}

static void list_events(FILE *out, const char **separator, const struct runexport_form *form,
			const struct results *results)
{
	char name[RUNEXPORT_NAME_MAX];

	for (size_t i = 0; i < runexport_count(form, results); i++) {
		runexport_name(name, form, results, i);
		list_name(out, separator, name);
	}
}

void report_exports_list(FILE *out, const char *separator, const struct report_settings *settings,
			 const struct results *results, unsigned tables)
{
	for (int i = 0; i < NR_RUNEXPORTS; i++) {
		const struct runexport_form *form = &runexport_forms[i];

		if (!(settings->run_exports.chosen & 1u << i))
			continue;
		if (form->files == RUNEXPORT_EACH_TABLE)
			list_tables(out, &separator, form, report_exports_tables(settings, tables));
		else
			list_events(out, &separator, form, results);
	}
}
