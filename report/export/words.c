#include "report/export/words.h"

#include "report/export/pick.h"
#include "util/text.h"
#include "util/textfile.h"

#include <stdint.h>

struct words words_values(const struct diff_row *row)
{
	const struct valuetext_kind kind = {row->measure, row->is_time};
	struct words words;

	valuetext_value(words.old_value, kind, row->old_value);
	valuetext_value(words.new_value, kind, row->new_value);
	valuetext_change(words.change, row->old_value, row->new_value);
	valuetext_interval(words.interval, kind, row->low, row->high);
	/* cppcheck-suppress uninitvar ; valuetext_...() writes it */
	return words;
}

void words_row(FILE *out, const struct diff_row *row)
{
	static const char *const is[] = {
		[VERDICT_SAME] = "is the ", [VERDICT_UNSURE] = "may have changed, ",
		[VERDICT_MORE] = "is ",	    [VERDICT_LESS] = "is ",
		[VERDICT_NEW] = "is ",	    [VERDICT_GONE] = "is ",
	};
	static const char *const per[] = {
		[MEASURE_PERIOD] = " per run",
		[MEASURE_RATE] = "",
		[MEASURE_SHARE] = "",
	};
	const struct words words = words_values(row);

	text_show(out, row->function, SIZE_MAX);
	fputs(" in ", out);
	text_show(out, row->binary, SIZE_MAX);
	fprintf(out, " %s%s: %s -> %s%s (%s), 95 %% interval %s, q %.2g", is[row->verdict],
		verdict_name(row->verdict, row->measure), words.old_value, words.new_value,
		per[row->measure], words.change, words.interval, row->q_value);
}

char *words_of_row(const struct export_view *view, const struct diff_row *row)
{
	struct textfile text;
	char *words;

	if (textfile_open(&text))
		words_row(text.out, row);
	words = textfile_close(&text);
	if (!words)
		pick_nomem(view);
	return words;
}
