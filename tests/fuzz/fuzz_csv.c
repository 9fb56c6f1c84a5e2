/*
 * A results.csv of an earlier run: it is read, and if it can be used it is compared with itself and
 * with one that is well-formed, in all measures.
 */
#include "tests/fuzz/fuzz.h"

#include "decode/compare/diff.h"
#include "decode/compare/profile/profilecsv.h"
#include "report/diffreport.h"

#include <string.h>

static const char fixed[] = "period,samples,filename,function,event,binary,build_id,reason\n"
			    "100,10,a.c,main,cycles,/bin/a,,\n"
			    "50,5,,\"f(int, char)\",cycles,/lib/libb.so.1.2,ab,\n"
			    "7,7,,[unknown],instructions,[unmapped],,no-mapping\n";

static bool takes_all(const void *arg, const struct row_key *key)
{
	(void)arg;
	fuzz_check(key->event && key->function && key->binary);
	return true;
}

/* False if it cannot be used; the profile is to be freed in any case. */
static bool read_profile(struct profile *profile, const void *bytes, size_t size)
{
	const struct row_filter filter = {.passes = takes_all};
	struct fuzz_file file = fuzz_file_make(bytes, size);
	struct error err = {0};
	bool ok;

	*profile = (struct profile){.label = "run"};
	profilecsv_is_table(file.path);
	ok = profilecsv_read(profile, file.path, &filter, &err) == 0;
	fuzz_check(ok || (err.kind == ERROR_FORMAT && err.text[0]));
	for (size_t i = 0; ok && i < profile->nr_rows; i++)
		fuzz_check(profile->rows[i].event < profile->nr_events &&
			   profile->rows[i].key < profile->keys->nr);
	fuzz_file_close(&file);
	return ok;
}

static void check_rows(const struct diff *diff, bool same)
{
	for (size_t i = 0; i < diff->nr_rows; i++) {
		const struct diff_row *row = &diff->rows[i];

		fuzz_check(row->p_value >= 0 && row->p_value <= 1 && row->q_value >= 0 &&
			   row->q_value <= 1);
		/* Neither is a number where the old side has no period to be a part of. */
		fuzz_check(!(row->ci_low > row->ci_high));
		fuzz_check(!same || !verdict_is_change(row->verdict));
	}
}

static void compare(const struct profile runs[2], enum measure measure, bool children, bool same)
{
	static const char *const sides[2] = {"old", "new"};
	const struct renames renames = {0};
	const struct diff_input input = {.match = {.runs = runs,
						   .nr_runs = 2,
						   .nr_old = 1,
						   .renames = &renames,
						   .children = children},
					 .measure = measure};
	struct error err = {0};
	struct diff *diff = diff_make(&input, &err);
	FILE *out;

	fuzz_check(diff || (err.kind != ERROR_NOMEM && err.text[0]));
	if (!diff)
		return;
	check_rows(diff, same);
	out = fopen("/dev/null", "w");
	fuzz_check(out && diffconsole_print(out, diff, sides,
					    &(struct console_settings){.columns = 80}, &err) == 0);
	fclose(out);
	diff_free(diff);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile runs[3];
	bool usable = read_profile(&runs[0], data, size);

	fuzz_check(read_profile(&runs[1], fixed, strlen(fixed)));
	if (usable) {
		for (int measure = MEASURE_SHARE; measure <= MEASURE_RATE; measure++)
			compare(runs, (enum measure)measure, size & 1, false);
		runs[2] = runs[1];
		runs[1] = runs[0];
		compare(runs, MEASURE_SHARE, size & 1, true);
		profile_free(&runs[2]);
	} else {
		profile_free(&runs[1]);
	}
	profile_free(&runs[0]);
	return 0;
}
