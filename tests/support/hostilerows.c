#include "tests/support/hostilerows.h"

#include "perffile/format.h"
#include "perffile/record.h"
#include "report/csvform.h"
#include "report/table.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct event cycles = {.number = 0, .name = "cycles:u"};
static const struct event other = {.number = 1, .name = "=a,\"b\"\r\n"};
static const struct event_stat events[] = {
	{.event = &cycles, .total = {3, UINT64_MAX}},
	{.event = &other, .total = {1, 3}},
};
static const uint32_t sampled[] = {0, 1};
static const struct results nothing;

const char *hostilerows_name(size_t number)
{
	static char bytes[256], longest[HOSTILEROWS_LONG + 1];
	const char *const names[HOSTILEROWS_NR] = {bytes, longest, "=1+1", ""};

	for (int i = 1; i < 256; i++)
		bytes[i - 1] = (char)i;
	memset(longest, 'n', HOSTILEROWS_LONG);
	return names[number];
}

const struct results *hostilerows_results(void)
{
	static struct function_stat functions[HOSTILEROWS_NR];
	static struct results results;

	for (size_t i = 0; i < HOSTILEROWS_NR; i++)
		functions[i] = (struct function_stat){.event = i < 3 ? &cycles : &other,
						      .function = hostilerows_name(i),
						      .binary = hostilerows_name((i + 2) % 4),
						      .filename = i ? "a\xff.c" : "",
						      .build_id = "",
						      .reason = "",
						      .line = (uint32_t)i,
						      .self = {i, UINT64_MAX - i},
						      .children = {i, i}};
	results = (struct results){.events = events,
				   .nr_events = 2,
				   .sampled = sampled,
				   .nr_sampled = 2,
				   .functions = functions,
				   .nr_functions = HOSTILEROWS_NR};
	return &results;
}

const struct results *hostilerows_nothing(void)
{
	return &nothing;
}

struct recordlog *hostilerows_records(void)
{
	struct recordlog *log = recordlog_create();
	const struct table *overview = table_list[REPORT_NUMBER_overview].table;
	struct record record = {.nr = UINT64_MAX, .type = RECORD_COMM, .has = HAS_PID | HAS_TIME};
	struct error err;

	record.pid = UINT32_MAX;
	record.time = UINT64_MAX;
	for (size_t i = 0; i < HOSTILEROWS_RECORDS; i++) {
		record.comm.comm = hostilerows_name(i);
		record.comm.comm_len = strlen(record.comm.comm);
		ck_assert_int_eq(recordlog_put(log, overview, &record, &err), 0);
	}
	return log;
}

static char *read_all(FILE *file, size_t *len)
{
	char *text;

	fseek(file, 0, SEEK_END);
	*len = (size_t)ftell(file);
	text = calloc(*len + 1, 1);
	rewind(file);
	ck_assert_uint_eq(fread(text, 1, *len, file), *len);
	fclose(file);
	return text;
}

/* What tells the run at the end of each row. */
static const struct runtags run_tags = {.list = {{.key = "service", .value = "a, \"b\""}},
					.nr = 1,
					.on = true,
					.known = true,
					.run = 0xfedcba9876543210};

char *hostilerows_write(const struct results *results, unsigned chosen, bool raw,
			void (*form)(const struct runexport_view *view), int table, size_t *len)
{
	const struct runexport_settings settings = {.raw = raw};
	struct recordlog *log = hostilerows_records();
	const struct tablerows tables = {results, chosen, log, NULL, 0, &run_tags};
	struct runexport_view view = {
		.results = results, .settings = &settings, .tables = &tables, .table = table};
	FILE *file = tmpfile();
	struct error err = {0};

	view.out = outfile_stream(fileno(file), "a test", &err);
	form(&view);
	ck_assert_msg(outfile_finish(view.out, &err) == 0, "%s", err.text);
	outfile_close(view.out);
	recordlog_free(log);
	return read_all(file, len);
}

char *hostilerows_csv(const struct results *results, int number, bool raw, size_t *len)
{
	struct recordlog *log = hostilerows_records();
	const struct tablerows tables = {results, 1u << number, log, NULL, 0, &run_tags};
	struct writer writer = {.form = &csv_form, .raw = raw};
	FILE *file = tmpfile();
	struct error err = {0};

	writer.out = outfile_stream(fileno(file), "a test", &err);
	tablerows_write(&tables, number, &writer);
	ck_assert_int_eq(outfile_finish(writer.out, &err), 0);
	outfile_close(writer.out);
	recordlog_free(log);
	return read_all(file, len);
}
