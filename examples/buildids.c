/*
 * buildids RECORDING [DIR]: whether the binaries whose build ids were recorded are on this machine,
 * DIR being a folder of binaries by build id as perf makes them. Ends with 1 if one is not.
 */
#include <readperf/recording.h>
#include <readperf/symbols.h>

#include <stdio.h>

/* Prints a line for the binary. Returns 1 if it is there as recorded, 0 if not, -1 with @err
 * filled. */
static int check(struct readperf_symbols *symbols, const char *path, const unsigned char *id,
		 size_t len, struct readperf_error *err)
{
	const struct readperf_binary *binary;
	const struct readperf_symbol *symbol = NULL;
	const char *file;

	binary = readperf_symbols_binary(symbols, path, id, len, err);
	if (binary)
		symbol = readperf_symbols_find(symbols, binary, 0, err);
	if (!symbol)
		return -1;
	file = readperf_symbols_file(symbols, binary);
	for (size_t i = 0; i < len; i++)
		printf("%02x", id[i]);
	printf(" %s: %s", path, *file ? file : readperf_symbol_reason(symbol));
	if (*readperf_symbols_refused(symbols, binary))
		printf(" (%s)", readperf_symbols_refused(symbols, binary));
	putchar('\n');
	return *file != '\0';
}

/* Whether the path is that of a file: kernel code has none, or others than in its path. */
static int is_file(const char *path)
{
	return path[0] == '/';
}

static int check_all(const struct readperf_recording *recording, struct readperf_symbols *symbols,
		     struct readperf_error *err)
{
	const size_t nr = readperf_recording_nr_build_ids(recording);
	int all = 1;

	for (size_t i = 0; i < nr; i++) {
		const unsigned char *id;
		size_t len;
		const char *path = readperf_recording_build_id(recording, i, &id, &len);
		const int rc = is_file(path) ? check(symbols, path, id, len, err) : 1;

		if (rc < 0)
			return -1;
		all = all && rc;
	}
	return all;
}

int main(int argc, char **argv)
{
	struct readperf_recording *recording = NULL;
	struct readperf_symbols *symbols = NULL;
	struct readperf_settings *settings;
	const struct readperf_record *record;
	struct readperf_error err = {0};
	int rc = -1;

	settings = readperf_settings_create(&err);
	if (settings &&
	    (argc < 3 || readperf_settings_set(settings, "buildid-dir", argv[2], &err) == 0))
		symbols = readperf_symbols_create(settings, &err);
	if (symbols)
		recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", &err);
	/* A stream has its build ids at the end. */
	while (recording && (rc = readperf_recording_next(recording, &record, &err)) > 0)
		;
	if (rc == 0)
		rc = check_all(recording, symbols, &err);
	if (rc < 0)
		fprintf(stderr, "buildids: %s\n", err.text);
	readperf_recording_close(recording);
	readperf_symbols_free(symbols);
	readperf_settings_free(settings);
	return rc != 1;
}
