/*
 * How a file that readperf has exported is told from any other, by its first and last bytes.
 *
 *	static const struct ownfile_mark mark = {.starts = {"# callgrind format\n"},
 *						 .has = "\ncreator: readperf "};
 *	own = ownfile_has_mark(&file, &mark);
 *
 * Every version's files must keep the mark of their form, or gain another one here: whoever exports
 * to one place again and again has the older file there.
 */
#ifndef READPERF_REPORT_EXPORT_OWNFILE_H
#define READPERF_REPORT_EXPORT_OWNFILE_H

#include <stdbool.h>
#include <stddef.h>

enum { OWNFILE_HEAD = 2048, OWNFILE_TAIL = 64 };

/** What is read of a file. One that is shorter is whole in each. */
struct ownfile {
	char head[OWNFILE_HEAD], tail[OWNFILE_TAIL];
	size_t head_len, tail_len;
};

/** What is in each file of a form; what is NULL is not looked for. */
struct ownfile_mark {
	const char *starts[2];			    /* it begins with one of these */
	const char *has;			    /* among the first OWNFILE_HEAD bytes */
	const char *ends_with;			    /* among the last OWNFILE_TAIL bytes */
	bool (*is_own)(const struct ownfile *file); /* what no text tells */
};

/** Whether @file is empty or all of @mark is in it. */
bool ownfile_has_mark(const struct ownfile *file, const struct ownfile_mark *mark);

/** Whether lines are whole in the head of @file, and @is_line is true for them, without their ends. */
bool ownfile_has_lines(const struct ownfile *file, bool (*is_line)(const char *line, size_t len));

#endif
