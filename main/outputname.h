/* Names of output directories that are more likely meant as a file's. */
#ifndef READPERF_MAIN_OUTPUTNAME_H
#define READPERF_MAIN_OUTPUTNAME_H

#include "main/optionlist.h"

#include <stdbool.h>

/**
 * Whether @name ends as the name of a file does, such as ".html". If so, @options is set to the
 * options of @command that make such a file with --output=-, each followed by a space: "" if none
 * are needed, NULL if there is no such output.
 */
bool outputname_is_file(const char *name, enum command command, const char **options);

#endif
