#include "report/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const struct table_place *place, const char *name, const char *why,
		  struct error *err)
{
	const bool here = strcmp(place->dir, ".") == 0;

	return error_set(err, ERROR_IO, "%s%s%s: is not replaced: %s; --force replaces it",
			 here ? "" : place->dir, here ? "" : "/", name, why);
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

/* Whether a file that starts so is the table of @file: its columns, then perhaps run and any tags.
 */
static bool is_own(const struct table_file *file, const char *head, size_t len)
{
	const struct table *table = file->table;
	const struct form *form = file->writer.form;
	struct column columns[TABLE_COLUMNS_MAX];
	size_t nr = table->nr_columns;

	if (form->is_own(head, len, table->columns, nr, table->open || table->of_runs))
		return true;
	memcpy(columns, table->columns, nr * sizeof(columns[0]));
	columns[nr++] = (struct column){.name = "run"};
	return form->is_own(head, len, columns, nr, true);
}

/* A directory is not checked: outfile_create() refuses to replace one whatever the options are. */
int place_check(const struct table_place *place, const char *name, const struct table_file *file,
		struct error *err)
{
	const struct form *form = file->writer.form;
	char head[FORM_HEAD_MAX];
	struct stat st;
	ssize_t len;
	int fd;

	if (place->force || fstatat(place->dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    S_ISDIR(st.st_mode))
		return 0;
	if (!S_ISREG(st.st_mode))
		return refuse(place, name, "it is not a regular file", err);
	fd = openat(place->dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return refuse(place, name, "it cannot be read to see whether it is a table", err);
	len = read_start(fd, head, form->head_max);
	close(fd);
	if (len >= 0 && is_own(file, head, (size_t)len))
		return 0;
	return refuse(place, name, "its first line is not the header of this table", err);
}

void place_advise(struct error *err)
{
	struct error plain = *err;

	if (plain.kind == ERROR_IO)
		error_set(err, plain.kind, "%s; --output=DIR writes elsewhere", plain.text);
}
