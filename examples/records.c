/* records RECORDING: every record as a line of JSON with all its fields. */
#include <readperf/recording.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_text(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			printf("\\u%04x", c); /* what is not ASCII is shown as Latin-1 */
		else
			putchar(c);
	}
	putchar('"');
}

static void print_words(const struct readperf_record *record, int field)
{
	const size_t nr = readperf_record_words(record, field, NULL, 0);
	uint64_t *words = calloc(nr + 1, sizeof(*words));

	if (words)
		readperf_record_words(record, field, words, nr);
	for (size_t i = 0; words && i < nr; i++)
		printf("%s\"0x%" PRIx64 "\"", i ? "," : "[", words[i]);
	fputs(!words ? "null" : nr ? "]" : "[]", stdout);
	free(words);
}

static void print_bytes(const struct readperf_record *record, int field)
{
	size_t len;
	const unsigned char *bytes = readperf_record_bytes(record, field, &len);

	putchar('"');
	for (size_t i = 0; i < len; i++)
		printf("%02x", bytes[i]);
	putchar('"');
}

static void print_field(const struct readperf_record *record, int field)
{
	uint64_t number;

	printf(",\"%s\":", readperf_field_name(field));
	switch (readperf_field_kind(field)) {
	case READPERF_KIND_NUMBER:
		readperf_record_number(record, field, &number);
		printf("%" PRIu64, number);
		break;
	case READPERF_KIND_TEXT:
		print_text(readperf_record_text(record, field));
		break;
	case READPERF_KIND_WORDS:
		print_words(record, field);
		break;
	default:
		print_bytes(record, field);
	}
}

static void print_record(const struct readperf_record *record)
{
	const uint32_t type = readperf_record_type(record);
	const char *name = readperf_record_type_name(type);

	printf("{\"type\":%" PRIu32 ",\"name\":\"%s\",\"misc\":%d,\"size\":%" PRIu32, type,
	       name ? name : "", readperf_record_misc(record), readperf_record_size(record));
	if (readperf_record_event(record)) {
		fputs(",\"event\":", stdout);
		print_text(readperf_event_name(readperf_record_event(record)));
	}
	for (int field = 1; readperf_field_name(field); field++)
		if (readperf_record_has(record, field))
			print_field(record, field);
	puts("}");
}

int main(int argc, char **argv)
{
	struct readperf_recording *recording;
	const struct readperf_record *record;
	struct readperf_error err;
	int rc = -1;

	recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", &err);
	while (recording && (rc = readperf_recording_next(recording, &record, &err)) > 0)
		print_record(record);
	readperf_recording_close(recording);
	return rc < 0 && fprintf(stderr, "records: %s\n", err.text);
}
