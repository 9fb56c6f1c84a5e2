/* The exit statuses of the program; documented in man/readperf.1. */
#ifndef READPERF_MAIN_STATUS_H
#define READPERF_MAIN_STATUS_H

enum exit_status {
	EXIT_OK = 0,
	EXIT_UNUSABLE = 1,
	EXIT_USAGE = 2,
	EXIT_INCOMPLETE = 3,
	EXIT_GATE = 4
};

#endif
