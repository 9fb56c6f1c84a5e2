/* metrics.csv: ratios of events. A row is a struct metric_stat. */
#include "report/table.h"

static struct cell *fill_row(struct cell *cell, const void *row, struct scratch *scratch)
{
	const struct metric_stat *metric = row;
	const struct function_stat *function = metric->function;

	(void)scratch;
	cell_text(cell++, function ? function->function : "");
	cell_text(cell++, function ? function->binary : "");
	cell_text(cell++, function ? function->filename : "");
	cell_text(cell++, metric->name);
	cell_ratio_if(cell++, metric->known, metric->value);
	cell_text(cell++, metric->unit);
	cell_u64_if(cell++, metric->has_numerator, metric->numerator);
	cell_u64_if(cell++, metric->has_denominator, metric->denominator);
	cell_u64_if(cell++, function, metric->samples);
	cell_ratio_if(cell++, metric->known && metric->has_interval, metric->low);
	cell_ratio_if(cell++, metric->known && metric->has_interval, metric->high);
	cell_text(cell++, metric->method);
	cell_text(cell++, metric->note);
	cell_text(cell++, function ? function->build_id : "");
	cell_text(cell++, function ? function->reason : "");
	cell_text(cell++, metric->numerator_event);
	cell_text(cell++, metric->denominator_event);
	return cell;
}

static const struct column columns[] = {
	{"function", CELL_TEXT, "",
	 "The function, as in results.csv; empty: the whole run (perf stat record)."},
	{"binary", CELL_TEXT, "", "Binary that contains it, as in results.csv."},
	{"filename", CELL_TEXT, "", "Source file that defines it; empty if unknown."},
	{"metric", CELL_TEXT, "",
	 "ipc: instructions in a cycle; ghz: cycles in a ns on the CPU. branch_miss_rate, "
	 "cache_miss_rate, l1d_, l1i_, llc_, dtlb_, itlb_miss_rate: misses of accesses. "
	 "branch_mpki, cache_mpki, ...: misses per 1000 instructions. frontend_stalls, "
	 "backend_stalls: of the cycles. retiring, bad_speculation, frontend_bound, backend_bound: "
	 "topdown level 1, of the slots; before Ice Lake backend_bound is what the others leave, "
	 "and "
	 "neither it nor bad_speculation is below 0. cpus_used, per_second: of the whole run, by "
	 "wall clock; a clock of a CPU (perf stat -a) goes on while that is idle. "
	 "Or the name given to --metric."},
	{"value", CELL_RATIO, "",
	 "numerator / denominator, in the unit, with 6 decimals or, below 0.1, 6 digits after "
	 "the zeros; empty if there are fewer than 20 samples, or for what note says."},
	{"unit", CELL_TEXT, "", "Unit of value; empty for a plain ratio."},
	{"numerator", CELL_U64, "events",
	 "Events of numerator_event in the function. A metric's rows add up to the event's period "
	 "in results.csv; those of topdown-total-slots are slots: periods times the scales that "
	 "the "
	 "kernel gives its events. Empty if an event is missing."},
	{"denominator", CELL_U64, "events",
	 "Events of denominator_event in the function; ns for clocks. Empty if it is missing."},
	{"samples", CELL_U64, "",
	 "Samples behind the value: of the rarer event or, in a group, of the denominator. Empty "
	 "for the whole run."},
	{"ci_low", CELL_RATIO, "",
	 "Lower end of the 95 % interval of value, as the numbers of samples of both events give "
	 "it. What samples cannot tell, such as skid, is not in it. For a group it is rough: how "
	 "much the ratio varies from sample to sample is not known."},
	{"ci_high", CELL_RATIO, "", "Upper end of the interval."},
	{"method", CELL_TEXT, "",
	 "How the events were measured. group: each sample has the values of both (perf record -e "
	 "'{a,b}:S'), and all of an interval counts for the function in which it ended: right for "
	 "functions that last longer than the interval. separate: each event has samples of its "
	 "own, and the ratio is that of their periods. counted: by perf stat record."},
	{"note", CELL_TEXT, "",
	 "What to beware of, as words. few-samples: no value for lack of samples. skid: the events "
	 "differ in precision (:p), so their samples are not at the same instructions. "
	 "multiplexed: counters took turns; counts are estimates (separate: too low by the time "
	 "that the event was not counted). maybe-multiplexed: there are more than 4 hardware "
	 "events, and the recording does not tell how long each was counted. missing-event: not "
	 "all events of the metric were recorded, or pass --event. no-scale: the recording does "
	 "not tell how many "
	 "slots one of topdown-total-slots stands for."},
	{"build_id", CELL_TEXT, "", "Build id of the binary, as in results.csv."},
	{"reason", CELL_TEXT, "", "Why the function has no name, as in results.csv."},
	{"numerator_event", CELL_TEXT, "",
	 "Event that the numerator counts; of topdown, with a sum of several: their names with + "
	 "and -."},
	{"denominator_event", CELL_TEXT, "",
	 "Event that the denominator counts; empty: ns of wall clock."},
};

const struct table table_metrics = {
	.name = "metrics",
	.one_row = "one row per function and metric",
	.rows = "Metrics of the events that the recording has, in a fixed order; within each, the "
		"largest denominator first. Events are found by what they count, not by how they "
		"were spelled, and are combined only if they count in the same modes (:u, :k) and "
		"on the same kind of core.",
	.columns = columns,
	.nr_columns = sizeof(columns) / sizeof(columns[0]),
	.fill = fill_row,
	.row_bytes = sizeof(struct metric_stat),
};
