#include "report/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The header of the longest table is not half as long; a longer line is that of no table. */
enum { HEADER_MAX = 2048, COLUMNS_MIN = 2 };

/* A single column is too little to tell whose file it is; no version had so few. */
static bool is_header(const char *line, size_t len, const struct table *table)
{
	size_t i;

	for (i = 0; i < table->nr_columns && len; i++) {
		size_t column = strlen(table->columns[i].name);

		if (len < column || memcmp(line, table->columns[i].name, column) != 0)
			return false;
		line += column;
		len -= column;
		if (len && *line != ',')
			return false;
		line += len > 0;
		len -= len > 0;
	}
	return i >= COLUMNS_MIN && (!len || table == &wide_table);
}

static bool is_own(const char *bytes, size_t len, const struct table *table)
{
	const char *end = memchr(bytes, '\n', len);

	if (!len)
		return true;
	if (end)
		return is_header(bytes, (size_t)(end - bytes), table) && end[-1] != ',';
	return table == &wide_table && len == HEADER_MAX && is_header(bytes, len, table);
}

static int refuse(const struct report_settings *settings, const char *name, const char *why,
		  struct error *err)
{
	const bool here = strcmp(settings->dir, ".") == 0;

	return error_set(err, ERROR_IO, "%s%s%s: is not replaced: %s; --force replaces it",
			 here ? "" : settings->dir, here ? "" : "/", name, why);
}

static ssize_t read_start(int fd, char *bytes, size_t size)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = read(fd, bytes + len, size - len);
		if (n > 0)
			len += (size_t)n;
	} while (len < size && (n > 0 || (n < 0 && errno == EINTR)));
	return n < 0 ? -1 : (ssize_t)len;
}

/* A directory is left to outfile_create(), which no option lets replace it. */
int place_check(const struct report_settings *settings, int dirfd, const char *name,
		const struct table *table, struct error *err)
{
	char bytes[HEADER_MAX];
	struct stat st;
	ssize_t len;
	int fd;

	if (settings->force || fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    S_ISDIR(st.st_mode))
		return 0;
	if (!S_ISREG(st.st_mode))
		return refuse(settings, name, "it is not a regular file", err);
	fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return refuse(settings, name, "it cannot be read to see whether it is a table",
			      err);
	len = read_start(fd, bytes, sizeof(bytes));
	close(fd);
	if (len >= 0 && is_own(bytes, (size_t)len, table))
		return 0;
	return refuse(settings, name, "its first line is not the header of this table", err);
}

void place_advise(struct error *err)
{
	struct error plain = *err;

	if (plain.kind == ERROR_IO)
		error_set(err, plain.kind, "%s; --output=DIR writes elsewhere", plain.text);
}
