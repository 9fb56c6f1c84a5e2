#include "report/counterlist.h"

#include "report/columns.h"
#include "report/valuetext.h"
#include "util/text.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_MAX = 64 };

/** The widths of the columns, in terminal columns. */
struct counter_widths {
	size_t place, value, unit, event, metric;
};

/** A line: all but the name of the event. */
struct counter_line {
	char place[TEXT_MAX], value[TEXT_MAX], metric[TEXT_MAX], running[TEXT_MAX];
};

bool counterlist_exists(const struct results *results)
{
	return results_rows(results, &counterstat_totals).nr > 0;
}

static void put_place(char to[TEXT_MAX], const struct counter_total *total)
{
	const struct stat_counter *counter = &total->counter;

	*to = '\0';
	switch (total->place) {
	case COUNTER_OF_CPU:
		snprintf(to, TEXT_MAX, "CPU%" PRIu32, counter->cpu);
		break;
	case COUNTER_OF_SOCKET:
		snprintf(to, TEXT_MAX, "S%" PRIu32, counter->socket);
		break;
	case COUNTER_OF_DIE:
		snprintf(to, TEXT_MAX, "S%" PRIu32 "-D%" PRIu32, counter->socket, counter->die);
		break;
	case COUNTER_OF_CORE:
		snprintf(to, TEXT_MAX, "S%" PRIu32 "-D%" PRIu32 "-C%" PRIu32, counter->socket,
			 counter->die, counter->core);
		break;
	case COUNTER_OF_THREAD:
		snprintf(to, TEXT_MAX, "%s-%" PRIu32, counter->comm, counter->tid);
		break;
	default:
		break;
	}
}

/* An event in a unit has two decimals, as in perf stat. */
static void put_value(char to[TEXT_MAX], const struct counter_total *total)
{
	const struct counter_value *counted = &total->counted;

	if (counted->running == 0)
		snprintf(to, TEXT_MAX, "<not counted>");
	else if (*total->counter.unit)
		snprintf(to, TEXT_MAX, "%.2f", (double)counted->scaled * total->counter.scale);
	else
		snprintf(to, TEXT_MAX, "%" PRIu64, counted->scaled);
}

/* How much of the time was measured, if not all. */
static void put_running(char to[TEXT_MAX], const struct counter_value *counted)
{
	*to = '\0';
	if (counted->running > 0 && counted->running < counted->enabled)
		snprintf(to, TEXT_MAX, "(%.2f%%)",
			 100 * (double)counted->running / (double)counted->enabled);
}

static struct counter_line line_of(const struct counter_total *total)
{
	struct counter_line line = {.metric = ""};

	put_place(line.place, total);
	put_value(line.value, total);
	put_running(line.running, &total->counted);
	if (total->metric_text)
		snprintf(line.metric, TEXT_MAX, total->metric_percent ? "%.2f%% %s" : "%.3f %s",
			 total->metric, total->metric_text);
	return line;
}

static struct counter_widths measure(const struct counter_total *totals, size_t nr)
{
	struct counter_widths widths = {.value = strlen("value")};

	for (size_t i = 0; i < nr; i++) {
		const struct counter_line line = line_of(&totals[i]);

		widths.place = max_size(widths.place, text_columns(line.place));
		widths.value = max_size(widths.value, strlen(line.value));
		widths.unit = max_size(widths.unit, text_columns(totals[i].counter.unit));
		widths.event = max_size(widths.event, text_columns(totals[i].counter.event->name));
		if (*line.running)
			widths.metric = max_size(widths.metric, strlen(line.metric));
	}
	return widths;
}

/* Prints @text in at most @columns columns, filled up with spaces, and a gap. */
static void put_text(FILE *out, const char *text, size_t columns)
{
	const size_t used = text_show(out, text, columns);

	fprintf(out, "%*s", (int)(columns - used + 2), "");
}

static void print_line(FILE *out, const struct counter_total *total,
		       const struct counter_widths *widths)
{
	const struct counter_line line = line_of(total);

	if (widths->place)
		put_text(out, line.place, widths->place);
	fprintf(out, "%*s  ", (int)widths->value, line.value);
	if (widths->unit)
		put_text(out, total->counter.unit, widths->unit);
	if (!*line.metric && !*line.running) {
		(void)text_show(out, total->counter.event->name, widths->event);
	} else {
		put_text(out, total->counter.event->name, widths->event);
		fprintf(out, "# %*s", *line.running ? -(int)widths->metric : 0, line.metric);
	}
	fprintf(out, "%s%s\n", *line.running ? "  " : "", line.running);
}

static void print_title(FILE *out, const struct counter_total *total)
{
	char text[VALUETEXT_MAX];

	fputs("counted by perf stat record", out);
	if (total->time) {
		valuetext_sum(text, (struct valuetext_kind){MEASURE_PERIOD, true},
			      (double)total->time);
		fprintf(out, ", over %s", text);
	}
	if (total->nr_intervals > 1)
		fprintf(out, ", in %zu intervals", total->nr_intervals);
	fputc('\n', out);
}

void counterlist_print(FILE *out, const struct results *results,
		       const struct console_settings *settings)
{
	enum { EVENT_MIN = 20, AROUND = 40 }; /* columns */
	const struct rows rows = results_rows(results, &counterstat_totals);
	const struct counter_total *totals = rows.first;
	const size_t shown = settings->top ? min_size(rows.nr, settings->top) : rows.nr;
	struct counter_widths widths = measure(totals, shown);
	const size_t line = columns_of_line(settings);

	if (line != SIZE_MAX)
		widths.event = min_size(
			widths.event,
			max_size(EVENT_MIN, minus(line, widths.place + AROUND + widths.value)));
	if (rows.nr == 0)
		return;
	print_title(out, &totals[0]);
	for (size_t i = 0; i < shown; i++)
		print_line(out, &totals[i], &widths);
	if (shown < rows.nr)
		fprintf(out, "... %zu more row%s\n", rows.nr - shown,
			rows.nr - shown == 1 ? "" : "s");
}
