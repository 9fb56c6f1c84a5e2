#include "report/export/ownfile.h"

#include <string.h>

static bool starts_with(const struct ownfile *file, const char *text)
{
	const size_t len = strlen(text);

	return file->head_len >= len && memcmp(file->head, text, len) == 0;
}

static bool starts_with_one(const struct ownfile *file, const char *const starts[2])
{
	return !starts[0] || starts_with(file, starts[0]) ||
	       (starts[1] && starts_with(file, starts[1]));
}

static bool is_in(const char *text, const char *bytes, size_t len)
{
	return !text || memmem(bytes, len, text, strlen(text));
}

bool ownfile_has_mark(const struct ownfile *file, const struct ownfile_mark *mark)
{
	if (file->head_len == 0)
		return true;
	return starts_with_one(file, mark->starts) &&
	       is_in(mark->has, file->head, file->head_len) &&
	       is_in(mark->ends_with, file->tail, file->tail_len) &&
	       (!mark->is_own || mark->is_own(file));
}

bool ownfile_has_lines(const struct ownfile *file, bool (*is_line)(const char *line, size_t len))
{
	const char *line = file->head, *const end = file->head + file->head_len;
	const char *line_end = memchr(line, '\n', file->head_len);

	if (!line_end)
		return false;
	for (; line_end; line_end = memchr(line, '\n', (size_t)(end - line))) {
		if (!is_line(line, (size_t)(line_end - line)))
			return false;
		line = line_end + 1;
	}
	return true;
}
