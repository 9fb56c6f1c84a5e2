/*
 * The forms that other programs read the answers of a run in, each a file for every event, or one
 * for all.
 *
 * A form is a file with one function that writes it; runexport.c lists them.
 */
#ifndef READPERF_REPORT_EXPORT_RUNEXPORT_H
#define READPERF_REPORT_EXPORT_RUNEXPORT_H

#include "decode/results.h"
#include "report/export/ownfile.h"
#include "util/error.h"
#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How a run is exported; all zero: not at all. */
struct runexport_settings {
	unsigned chosen;     /* bit by place in runexport_forms */
	bool periods;	     /* weights are periods, not samples */
	bool raw;	     /* tables made of a file are without the guard against formulas */
	uint64_t html_bytes; /* what a page may have */
};

/** What a file is made of, and where it goes. What cannot be made is said by outfile_fail(). */
struct tablerows;
struct runexport_view {
	const struct results *results;
	const struct event *event; /* NULL: all that were sampled */
	const struct runexport_settings *settings;
	struct outfile *out;
	const struct tablerows *tables; /* the chosen ones, for forms made of tables */
	int table;			/* number in table_list, if each has a file */
};

enum { RUNEXPORT_ANSWERS_MAX = 10 };

/** What there is a file for. */
enum runexport_files { RUNEXPORT_EACH_EVENT, RUNEXPORT_ALL_EVENTS, RUNEXPORT_EACH_TABLE };

struct runexport_form {
	const char *name;	   /* as --export names it */
	const char *file, *ending; /* "stacks" and ".folded" */
	struct ownfile_mark mark;
	const struct answer *answers[RUNEXPORT_ANSWERS_MAX]; /* that it needs; NULL: no more */
	enum runexport_files files;
	void (*write)(const struct runexport_view *view);
	bool of_traces;			       /* a hardware trace is an event of it, too */
	bool of_tables;			       /* made of the tables that are chosen */
	bool is_signed;			       /* its sums are at most 2^63 - 1 */
	bool is_page;			       /* may have settings->html_bytes */
	bool without_sources;		       /* shows no source files */
	const char *(*library)(char name[32]); /* NULL if what it needs is not there */
	const char *needs;		       /* what that is */
};

enum { NR_RUNEXPORTS = 10 };
extern const struct runexport_form runexport_forms[NR_RUNEXPORTS];

/** The words of --export. */
#define RUNEXPORT_WORDS "folded|html|bolt|json|callgrind|speedscope|pprof|firefox|sqlite|parquet"

/** As export_parse() for the forms of a run. */
int runexport_parse(const char *list, unsigned *chosen, struct error *err);

/** Adds the answers to @needs that the @chosen forms are made of. */
void runexport_add_needs(unsigned chosen, struct needs *needs);

enum {
	RUNEXPORT_NAME_MAX = 160,
	RUNEXPORT_EVENTS_MAX = 1000,	/* there is no directory full of files */
	RUNEXPORT_HTML_BYTES = 8000000, /* html_bytes, if they are not chosen */
	RUNEXPORT_HTML_MIN = 1 << 16,
};

/** As database_library(): what writes databases. */
const char *runexport_database(char name[32]);

/** Whether one of the @chosen forms is made of tables. */
bool runexport_of_tables(unsigned chosen);

/** Whether a hardware trace is an event of one of the @chosen forms. */
bool runexport_of_traces(unsigned chosen);

/** Whether sums of one of the @chosen forms are at most 2^63 - 1. */
bool runexport_is_signed(unsigned chosen);

/** Whether one of the @chosen forms has a file for each table. */
bool runexport_of_each_table(unsigned chosen);

/** Whether one of the @chosen forms that are not made of tables shows source files. */
bool runexport_needs_sources(unsigned chosen);

/** The number of files of @form, unless each table has one. */
size_t runexport_count(const struct runexport_form *form, const struct results *results);

/** The @number-th event of @form, which has a file for each. */
const struct event *runexport_event(const struct runexport_form *form,
				    const struct results *results, size_t number);

/**
 * The name of the file for the @number-th event of @form: "stacks.folded" of the
 * only one, else with the event's name, as far as that is fit for a file's; no two are the same. A
 * file of all events has the one name, whatever @results are.
 */
void runexport_name(char name[RUNEXPORT_NAME_MAX], const struct runexport_form *form,
		    const struct results *results, size_t number);

#endif
