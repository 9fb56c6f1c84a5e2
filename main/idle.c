#include "main/idle.h"

#include "main/say.h"

/* Whether one of @exports, a list as for --export, was chosen. */
static bool has_export(const struct settings *settings, const char *exports)
{
	struct error err;
	unsigned some = 0;

	return runexport_parse(exports, &some, &err) == 0 &&
	       settings->report.run_exports.chosen & some;
}

static bool has_table(const struct settings *settings, unsigned bit)
{
	return report_settings_chosen(&settings->report) & bit;
}

void idle_print(const struct settings *settings)
{
	if (settings->slice && !has_table(settings, REPORT_BIT(slices)))
		say(NULL, "note: --slice does nothing without --tables=slices");
	if (settings->slice_by && !has_table(settings, REPORT_BIT(slices)))
		say(NULL, "note: --slice-by does nothing without --tables=slices");
	if (settings->metrics.nr > 0 && !has_table(settings, REPORT_BIT(metrics)))
		say(NULL, "note: --metric does nothing without --tables=metrics");
	if (settings->report.run_exports.periods && !has_export(settings, "folded,speedscope"))
		say(NULL, "note: --weight does nothing without --export=folded or speedscope");
}
