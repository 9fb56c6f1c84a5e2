/* diff.csv and wide.csv: what changed between runs. A row is a struct diff_row. */
#include "report/table.h"

#include "decode/compare/diff.h"
#include "report/measure.h"

static const struct diff_row *row_of(const void *row)
{
	return row;
}

static void put_event(struct csv *csv, const void *row)
{
	csv_string(csv, row_of(row)->event);
}

static void put_function(struct csv *csv, const void *row)
{
	csv_string(csv, row_of(row)->function);
}

static void put_filename(struct csv *csv, const void *row)
{
	csv_string(csv, row_of(row)->filename);
}

static void put_binary(struct csv *csv, const void *row)
{
	csv_string(csv, row_of(row)->binary);
}

static void put_old_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, row_of(row)->old_sum.samples);
}

static void put_new_samples(struct csv *csv, const void *row)
{
	csv_u64(csv, row_of(row)->new_sum.samples);
}

static void put_old_period(struct csv *csv, const void *row)
{
	csv_u64(csv, row_of(row)->old_sum.period);
}

static void put_new_period(struct csv *csv, const void *row)
{
	csv_u64(csv, row_of(row)->new_sum.period);
}

static void put_old_percent(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->old_percent, 4);
}

static void put_new_percent(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->new_percent, 4);
}

static void put_delta_percent(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->delta_percent, 4);
}

static void put_ratio(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->ratio, 4);
}

static void put_ci_low(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->ci_low, 4);
}

static void put_ci_high(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->ci_high, 4);
}

static void put_p_value(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->p_value, 6);
}

static void put_q_value(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->q_value, 6);
}

static void put_verdict(struct csv *csv, const void *row)
{
	csv_string(csv, verdict_name(row_of(row)->verdict, row_of(row)->measure));
}

static void put_by(struct csv *csv, const void *row)
{
	csv_string(csv, measure_word(row_of(row)->measure));
}

static void put_unit(struct csv *csv, const void *row)
{
	csv_string(csv, measure_unit(row_of(row)->measure, row_of(row)->is_time));
}

static void put_old_value(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->old_value, 4);
}

static void put_new_value(struct csv *csv, const void *row)
{
	csv_decimal(csv, row_of(row)->new_value, 4);
}

static void put_line(struct csv *csv, const void *row)
{
	if (row_of(row)->line)
		csv_u64(csv, row_of(row)->line);
	else
		csv_empty(csv);
}

/* The first four columns of both tables. */
#define NAMES                                                                                     \
	{"event", TYPE_TEXT, "",                                                                  \
	 "Name of the event as the new side has it, the first if several are added up; events "   \
	 "are matched without their modifier letters.",                                           \
	 put_event},                                                                              \
		{"function", TYPE_TEXT, "",                                                       \
		 "Name of the function without what compilers append to parts and copies of it, " \
		 "such as .isra.0 or .cold, and renamed as --rename says; for samples without a " \
		 "name [unknown] and the reason.",                                                \
		 put_function},                                                                   \
		{"filename", TYPE_TEXT, "",                                                       \
		 "Source file of the function on the new side, or on the old one if the new one " \
		 "does not have it; of several the one with the most period.",                    \
		 put_filename},                                                                   \
	{                                                                                         \
		"binary", TYPE_TEXT, "",                                                          \
			"Path of the binary, chosen likewise. Binaries are matched by base name " \
			"without "                                                                \
			"version.",                                                               \
			put_binary                                                                \
	}

static const struct column columns[] = {
	NAMES,
	{"old_samples", TYPE_U64, "samples",
	 "Samples of the function in all runs of the old side; with --children those of its "
	 "callees "
	 "too, as in all columns that follow.",
	 put_old_samples},
	{"new_samples", TYPE_U64, "samples", "The same of the new side.", put_new_samples},
	{"old_period", TYPE_U64, "events",
	 "Period of the function in all runs of the old side, in the event's own unit.",
	 put_old_period},
	{"new_period", TYPE_U64, "events", "The same of the new side.", put_new_period},
	{"old_percent", TYPE_DECIMAL, "%",
	 "What old_period is of the period of all samples of the old side, whatever --by compares.",
	 put_old_percent},
	{"new_percent", TYPE_DECIMAL, "%", "The same of the new side.", put_new_percent},
	{"delta_percent", TYPE_DECIMAL, "percentage points",
	 "The change: new_percent less old_percent. With --by=period and --by=rate the change of "
	 "the "
	 "period, or of the period per second, as percents of that of all functions of the old "
	 "side; empty if that is 0.",
	 put_delta_percent},
	{"ratio", TYPE_DECIMAL, "",
	 "What is compared on the new side, divided by that of the old side; empty if the old side "
	 "has nothing.",
	 put_ratio},
	{"ci_low", TYPE_DECIMAL, "percentage points",
	 "The lower end of the 95 % confidence interval of delta_percent; empty if nothing tells "
	 "it.",
	 put_ci_low},
	{"ci_high", TYPE_DECIMAL, "percentage points", "The upper end of it.", put_ci_high},
	{"p_value", TYPE_DECIMAL, "6 decimals",
	 "How probable a change as large as this one is if nothing but chance made it.",
	 put_p_value},
	{"q_value", TYPE_DECIMAL, "6 decimals",
	 "The same, after Benjamini and Hochberg's adjustment for the number of functions "
	 "compared.",
	 put_q_value},
	{"verdict", TYPE_TEXT, "",
	 "If q_value is below 0.05, slower or faster; higher or lower if rates are compared, "
	 "larger or smaller if shares are; new or gone if only one side has samples of the "
	 "function. Otherwise unsure if ci_low or ci_high is a change of 1 % of the whole and of a "
	 "tenth of the function or more, and same if not: no change the data can show.",
	 put_verdict},
	{"by", TYPE_TEXT, "", "What is compared: period, rate or share.", put_by},
	{"old_value", TYPE_DECIMAL, "see unit",
	 "What is compared, of the old side: the period per run, the mean of the side's runs; the "
	 "period per second of all its runs; or old_percent.",
	 put_old_value},
	{"new_value", TYPE_DECIMAL, "see unit", "The same of the new side.", put_new_value},
	{"unit", TYPE_TEXT, "",
	 "The unit of old_value and new_value: ns or events, ns/s or events/s, "
	 "or %.",
	 put_unit},
	{"line", TYPE_U64, "", "Line of the function's definition in filename; empty if unknown.",
	 put_line},
};

const struct table diff_table = {
	.name = "diff",
	.one_row = "one row per event, function, binary and source file of two sides",
	.rows = "Written by readperf diff. Functions with a sample on either side are there, of "
		"events "
		"that have samples on both. Rows are ordered by event, then by delta_percent, the "
		"largest changes of either sign first, then by name.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
};

static const struct column wide_columns[] = {NAMES};

const struct table wide_table = {
	.name = "wide",
	.one_row = "one row per function, one column per run",
	.rows = "Written by readperf diff if --tables asks for it. The rows are those of diff.csv, "
		"in "
		"their order. Behind the columns below there is one for each run, named by its "
		"label or "
		"its path: what the function's period is of the run's (decimal, %); with "
		"--by=period the "
		"period (u64, events); with --by=rate the period per second (decimal, events per "
		"second).",
	.columns = wide_columns,
	.nr_columns = sizeof(wide_columns) / sizeof(wide_columns[0]),
};

static void put_value(struct csv *csv, enum measure measure, const struct run_share *share,
		      const struct run_total *total)
{
	if (measure == MEASURE_SHARE)
		csv_percent(csv, share->period, total->period);
	else if (measure == MEASURE_PERIOD)
		csv_u64(csv, share->period);
	else
		csv_decimal(csv, (double)share->period / total->seconds, 4);
}

void wide_put_row(struct csv *csv, const struct diff *diff, const struct diff_row *row)
{
	for (size_t i = 0; i < wide_table.nr_columns; i++)
		wide_columns[i].put(csv, row);
	for (size_t i = 0; i < diff->nr_runs; i++)
		put_value(csv, diff->measure, &row->shares[i], &row->totals[i]);
	csv_end_row(csv);
}
