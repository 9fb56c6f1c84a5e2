/* ratios.csv: what changed in the ratios of events. A row is a struct diff_ratio. */
#include "report/table.h"

#include "decode/compare/diff.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct diff_ratio *ratio = row;
	const struct diff_row *below = ratio->below;
	const bool both = ratio->has_old && ratio->has_new;

	(void)scratch;
	cell_text(cell++, ratio->metric);
	cell_text(cell++, below->function);
	cell_text(cell++, below->filename);
	cell_text(cell++, below->binary);
	cell_ratio_if(cell++, ratio->has_old, ratio->old_value);
	cell_ratio_if(cell++, ratio->has_new, ratio->new_value);
	cell_text(cell++, ratio->unit);
	cell_decimal_if(cell++, both, ratio->change, 4);
	cell_decimal_if(cell++, both, ratio->low, 4);
	cell_decimal_if(cell++, both, ratio->high, 4);
	cell_decimal_if(cell++, both, ratio->p_value, 6);
	cell_decimal_if(cell++, both, ratio->q_value, 6);
	cell_text(cell++, verdict_name(ratio->verdict, MEASURE_RATE));
	cell_u64(cell++, ratio->old_samples);
	cell_u64(cell++, ratio->new_samples);
	cell_text(cell++, ratio->above->event);
	cell_text(cell++, below->event);
	return cell;
}

static const struct column columns[] = {
	{"metric", CELL_TEXT, "", "As in metrics.csv."},
	{"function", CELL_TEXT, "", "As in diff.csv, with the three columns that follow."},
	{"filename", CELL_TEXT, "", "Source file of the function."},
	{"binary", CELL_TEXT, "", "Path of the binary."},
	{"old_value", CELL_RATIO, "see unit",
	 "The ratio of the sums over all runs of the old side, with the decimals of metrics.csv; "
	 "empty if the rarer of the events has fewer than 20 samples."},
	{"new_value", CELL_RATIO, "see unit", "The same for the new side."},
	{"unit", CELL_TEXT, "", "Unit of both values; empty for a plain ratio."},
	{"ratio", CELL_DECIMAL, "", "new_value divided by old_value."},
	{"ci_low", CELL_DECIMAL, "",
	 "Lower end of the 95 % interval of ratio: from the numbers of samples, and the expected "
	 "variation between runs (--run-deviation)."},
	{"ci_high", CELL_DECIMAL, "", "Upper end of that interval."},
	{"p_value", CELL_DECIMAL, "6 decimals",
	 "Probability of a change at least this large by chance alone."},
	{"q_value", CELL_DECIMAL, "6 decimals",
	 "p_value adjusted for the number of functions compared by this metric (Benjamini and "
	 "Hochberg)."},
	{"verdict", CELL_TEXT, "",
	 "If q_value is below 0.05, higher or lower. Otherwise same if the interval excludes a "
	 "change of a tenth, and unsure if not, or if a value is missing."},
	{"old_samples", CELL_U64, "samples", "Samples of the rarer event on the old side."},
	{"new_samples", CELL_U64, "samples", "The same for the new side."},
	{"numerator_event", CELL_TEXT, "", "The event above, by its name on the new side."},
	{"denominator_event", CELL_TEXT, "", "The event below."},
};

void table_ratios_write(struct table_file *to, const struct diff *diff)
{
	for (size_t i = 0; i < diff->nr_ratios; i++)
		table_put_row(to, &diff->ratios[i]);
}

const struct table table_ratios = {
	.name = "ratios",
	.one_row = "one row per metric and function of two sides",
	.rows = "Written by readperf diff if --tables asks for it. A function has a row if "
		"diff.csv "
		"has rows of it for both events. Rows are sorted by metric, then the largest "
		"denominator of the old side first. Events are told by their names.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
};
