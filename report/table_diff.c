/* diff.csv and wide.csv: what changed between runs. A row is a struct diff_row. */
#include "report/table.h"

#include "decode/compare/diff.h"
#include "report/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the first columns of both tables. */
static struct cell *fill_names(struct cell *cell, const struct diff_row *row)
{
	cell_text(cell++, row->event);
	cell_text(cell++, row->function);
	cell_text(cell++, row->filename);
	cell_text(cell++, row->binary);
	return cell;
}

static struct cell *fill_row(struct cell *cell, const void *of, struct scratch *scratch)
{
	const struct diff_row *row = of;

	(void)scratch;
	cell = fill_names(cell, row);
	cell_u64(cell++, row->old_sum.samples);
	cell_u64(cell++, row->new_sum.samples);
	cell_u64(cell++, row->old_sum.period);
	cell_u64(cell++, row->new_sum.period);
	cell_decimal(cell++, row->old_percent, 4);
	cell_decimal(cell++, row->new_percent, 4);
	cell_decimal(cell++, row->delta_percent, 4);
	cell_decimal(cell++, row->ratio, 4);
	cell_decimal(cell++, row->ci_low, 4);
	cell_decimal(cell++, row->ci_high, 4);
	cell_decimal(cell++, row->p_value, 6);
	cell_decimal(cell++, row->q_value, 6);
	cell_text(cell++, verdict_name(row->verdict, row->measure));
	cell_text(cell++, measure_word(row->measure));
	cell_decimal(cell++, row->old_value, 4);
	cell_decimal(cell++, row->new_value, 4);
	cell_text(cell++, measure_unit(row->measure, row->is_time));
	cell_u64_known(cell++, row->line);
	return cell;
}

enum { NR_NAMES = 4, WIDE_DECIMALS = 4 };

/* The columns of diff.csv; the names are also the first columns of wide.csv. */
static const struct column columns[] = {
	{"event", CELL_TEXT, "",
	 "Name of the event on the new side; the first one if several are added up. Events are "
	 "matched without their modifier letters."},
	{"function", CELL_TEXT, "",
	 "Name of the function without the suffixes that compilers append to parts and copies, "
	 "such as .isra.0 or .cold, and renamed according to --rename; for samples without a name, "
	 "[unknown] and the reason."},
	{"filename", CELL_TEXT, "",
	 "Source file of the function on the new side, or on the old side if the new one does not "
	 "have it; if there are several, the one with the largest period."},
	{"binary", CELL_TEXT, "",
	 "Path of the binary, chosen in the same way. Binaries are matched by base name without "
	 "version."},
	{"old_samples", CELL_U64, "samples",
	 "Samples of the function in all runs of the old side; with --children including its "
	 "callees, as in all columns that follow."},
	{"new_samples", CELL_U64, "samples", "The same for the new side."},
	{"old_period", CELL_U64, "events",
	 "Period of the function in all runs of the old side, in the event's unit."},
	{"new_period", CELL_U64, "events", "The same for the new side."},
	{"old_percent", CELL_DECIMAL, "%",
	 "old_period as a percentage of the period of all samples of the old side, whatever --by "
	 "compares."},
	{"new_percent", CELL_DECIMAL, "%", "The same for the new side."},
	{"delta_percent", CELL_DECIMAL, "percentage points",
	 "The change: new_percent minus old_percent. With --by=period and --by=rate, the change of "
	 "the period or of the period per second, as a percentage of that of all functions of the "
	 "old side; empty if that is 0."},
	{"ratio", CELL_DECIMAL, "",
	 "The compared value of the new side divided by that of the old side; empty if the latter "
	 "is 0."},
	{"ci_low", CELL_DECIMAL, "percentage points",
	 "Lower end of the 95 % confidence interval of delta_percent; empty if unknown."},
	{"ci_high", CELL_DECIMAL, "percentage points", "Upper end of that interval."},
	{"p_value", CELL_DECIMAL, "6 decimals",
	 "Probability of a change at least this large by chance alone."},
	{"q_value", CELL_DECIMAL, "6 decimals",
	 "p_value adjusted for the number of functions compared (Benjamini and Hochberg)."},
	{"verdict", CELL_TEXT, "",
	 "If q_value is below 0.05, slower or faster; higher or lower if rates are compared, "
	 "larger or smaller if shares are; new or gone if only one side has samples of the "
	 "function. Otherwise unsure if ci_low or ci_high is a change of 1 % of the whole and of a "
	 "tenth of the function or more, and same if not: no change the data can show."},
	{"by", CELL_TEXT, "", "What is compared: period, rate or share."},
	{"old_value", CELL_DECIMAL, "see unit",
	 "The compared value of the old side: its mean period per run, the period per second of "
	 "all its runs, or old_percent."},
	{"new_value", CELL_DECIMAL, "see unit", "The same for the new side."},
	{"unit", CELL_TEXT, "",
	 "The unit of old_value and new_value: ns or events, ns/s or events/s, "
	 "or %."},
	{"line", CELL_U64, "", "Line of the function's definition in filename; empty if unknown."},
};

const struct table table_diff = {
	.name = "diff",
	.one_row = "one row per event, function, binary and source file of two sides",
	.rows = "Written by readperf diff. A function has a row if either side has a sample of it "
		"and both sides have samples of its event. Rows are sorted by event, then by the "
		"size of delta_percent, largest first, then by name.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
};

const struct table table_diff_wide = {
	.name = "wide",
	.one_row = "one row per function, one column per run",
	.rows = "Written by readperf diff if --tables asks for it. The rows are those of diff.csv, "
		"in the same order. After the columns below there is one for each run, named after "
		"its label or its path, with ~2 and so on appended to one that is there already: "
		"the "
		"function's share of the run's period (decimal, %); "
		"with --by=period the period (u64, events); with --by=rate the period per second "
		"(decimal, events per second).",
	.columns = columns,
	.nr_columns = NR_NAMES,
	.open = true,
};

static bool has_name(const struct column *wide, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (strcmp(wide[i].name, name) == 0)
			return true;
	return false;
}

/* A name from @label that none of the first @nr columns has; NULL if memory is out. */
static char *name_column(const struct column *wide, size_t nr, const char *label)
{
	char *name = strdup(label);

	for (size_t n = 2; name && has_name(wide, nr, name); n++) {
		free(name);
		if (asprintf(&name, "%s~%zu", label, n) < 0)
			return NULL;
	}
	return name;
}

/* Frees columns of the wide table, of which the first @nr are set. NULL is accepted. */
static void free_wide_columns(struct column *wide, size_t nr)
{
	for (size_t i = NR_NAMES; wide && i < nr; i++)
		free((char *)wide[i].name);
	free(wide);
}

/*
 * Makes the columns of the wide table: the names and one column for each run. The caller passes
 * them to free_wide_columns(); NULL if memory is out.
 */
static struct column *make_wide_columns(const struct diff *diff)
{
	static const enum cell_type types[] = {
		[MEASURE_PERIOD] = CELL_U64,
		[MEASURE_RATE] = CELL_DECIMAL,
		[MEASURE_SHARE] = CELL_PERCENT,
	};
	struct column *wide = calloc(NR_NAMES + diff->nr_runs, sizeof(*wide));

	if (!wide)
		return NULL;
	memcpy(wide, columns, NR_NAMES * sizeof(*wide));
	for (size_t i = NR_NAMES; i < NR_NAMES + diff->nr_runs; i++) {
		char *name = name_column(wide, i, diff->runs[i - NR_NAMES].label);

		if (!name) {
			free_wide_columns(wide, i);
			return NULL;
		}
		wide[i] = (struct column){.name = name, .type = types[diff->measure]};
	}
	return wide;
}

static void set_run(struct cell *cell, enum measure measure, const struct run_share *share,
		    const struct run_total *total)
{
	if (measure == MEASURE_SHARE)
		cell_percent(cell, share->period, total->period);
	else if (measure == MEASURE_PERIOD)
		cell_u64(cell, share->period);
	else
		cell_decimal(cell, (double)share->period / total->seconds, WIDE_DECIMALS);
}

static void write_wide_rows(struct writer *writer, const struct diff *diff, struct cell *cells)
{
	for (size_t i = 0; i < diff->nr_rows; i++) {
		const struct diff_row *row = &diff->rows[i];
		struct cell *cell = fill_names(cells, row);

		for (size_t run = 0; run < diff->nr_runs; run++)
			set_run(cell++, diff->measure, &row->shares[run], &row->totals[run]);
		writer_row(writer, cells, (size_t)(cell - cells));
	}
}

static void write_wide(struct writer *writer, const struct diff *diff)
{
	const size_t nr = NR_NAMES + diff->nr_runs;
	struct column *wide = make_wide_columns(diff);
	struct cell *cells = calloc(nr, sizeof(*cells));
	struct error err;

	if (wide && cells) {
		writer_start(writer, wide, nr);
		write_wide_rows(writer, diff, cells);
	} else {
		error_nomem(&err, "writing the tables");
		outfile_fail(writer->out, &err);
	}
	free_wide_columns(wide, nr);
	free(cells);
}

void table_diff_write(struct table_file *to, const struct diff *diff)
{
	if (to->table == &table_diff_wide) {
		write_wide(&to->writer, diff);
		return;
	}
	table_start(to);
	if (to->table == &table_ratios) {
		table_ratios_write(to, diff);
		return;
	}
	for (size_t i = 0; i < diff->nr_rows; i++)
		table_put_row(to, &diff->rows[i]);
}
