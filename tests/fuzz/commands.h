/* Command lines of readperf that between them use all of it, run in this process. */
#ifndef READPERF_TESTS_FUZZ_COMMANDS_H
#define READPERF_TESTS_FUZZ_COMMANDS_H

/** Without spaces in them. */
struct command_paths {
	const char *input;     /* the recording */
	const char *output;    /* the directory that tables are written into */
	const char *empty;     /* an empty directory, in which recorded paths are seen */
	const char *build_ids; /* a build-id cache; need not exist */
};

/**
 * Runs the program with command line @number, which is taken modulo how many there are; a diff
 * compares the recording with itself. Returns the exit status.
 */
int command_run(unsigned number, const struct command_paths *paths);

/** The options of command line @number, as text. */
const char *command_options(unsigned number);

#endif
