#include "report/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
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

/* Reads up to @size bytes from @at on. Returns how many there are, or -1. */
static ssize_t read_from(int fd, off_t at, char *bytes, size_t size)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = pread(fd, bytes + len, size - len, at + (off_t)len);
		if (n > 0)
			len += (size_t)n;
	} while (len < size && (n > 0 || (n < 0 && errno == EINTR)));
	return n < 0 ? -1 : (ssize_t)len;
}

/*
 * Opens the regular file at @name to look whether it may be replaced, as @what: *@fd is -1 if there
 * is nothing to look at. A directory is not checked: outfile_create() refuses to replace one
 * whatever the options are. Returns 0, or -1 with @err filled.
 */
static int open_present(const struct table_place *place, const char *name, const char *what,
			int *fd, struct error *err)
{
	struct stat st;
	char why[80];

	*fd = -1;
	if (place->force || fstatat(place->dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    S_ISDIR(st.st_mode))
		return 0;
	if (!S_ISREG(st.st_mode))
		return refuse(place, name, "it is not a regular file", err);
	*fd = openat(place->dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd >= 0 || errno == ENOENT)
		return 0;
	snprintf(why, sizeof(why), "it cannot be read to see whether it is %s", what);
	return refuse(place, name, why, err);
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

int place_check(const struct table_place *place, const char *name, const struct table_file *file,
		struct error *err)
{
	char head[FORM_HEAD_MAX];
	ssize_t len;
	int fd;

	if (open_present(place, name, "a table", &fd, err) < 0)
		return -1;
	if (fd < 0)
		return 0;
	len = read_from(fd, 0, head, file->writer.form->head_max);
	close(fd);
	if (len >= 0 && is_own(file, head, (size_t)len))
		return 0;
	return refuse(place, name, "its first line is not the header of this table", err);
}

/* Reads what tells whose file it is. */
static bool read_ends(int fd, struct ownfile *file)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	const off_t before = size > OWNFILE_TAIL ? size - OWNFILE_TAIL : 0;
	const ssize_t head = read_from(fd, 0, file->head, sizeof(file->head));
	const ssize_t tail = read_from(fd, before, file->tail, sizeof(file->tail));

	file->head_len = head > 0 ? (size_t)head : 0;
	file->tail_len = tail > 0 ? (size_t)tail : 0;
	return head >= 0 && tail >= 0;
}

int place_check_export(const struct table_place *place, const char *name,
		       const struct ownfile_mark *mark, struct error *err)
{
	struct ownfile file;
	bool own;
	int fd;

	if (open_present(place, name, "readperf's", &fd, err) < 0)
		return -1;
	if (fd < 0)
		return 0;
	own = read_ends(fd, &file) && ownfile_has_mark(&file, mark);
	close(fd);
	return own ? 0 : refuse(place, name, "it is not a file of this export", err);
}

void place_advise(struct error *err)
{
	struct error plain = *err;

	if (plain.kind == ERROR_IO)
		error_set(err, plain.kind, "%s; --output=DIR writes elsewhere", plain.text);
}
