/* What the program says of itself, on standard output. */
#ifndef READPERF_MAIN_HELP_H
#define READPERF_MAIN_HELP_H

/** --help: cut to the terminal's width. */
void help_print(void);

/** --describe: the part of the documentation called @what, one of the option's words. */
void help_describe(const char *what);

#endif
