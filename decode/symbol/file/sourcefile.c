#include "decode/symbol/file/sourcefile.h"

#include "decode/symbol/file/file.h"
#include "util/array.h"
#include "util/clock.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- directories ----------------------------------------------------------------------------- */

int sourcefile_add_dir(struct source_dirs *dirs, const char *arg, struct error *err)
{
	const char *sign = strchr(arg, '=');
	struct source_dir dir = {.old = arg, .dir = sign ? sign + 1 : arg};
	struct stat st;

	dir.old_len = sign ? (size_t)(sign - arg) : 0;
	while (dir.old_len > 0 && arg[dir.old_len - 1] == '/')
		dir.old_len--;
	if (stat(dir.dir, &st) < 0 || !S_ISDIR(st.st_mode))
		return error_set(err, ERROR_USAGE, "option --source-dir: '%s' is not a directory",
				 dir.dir);
	if (!array_grow(dirs->list, dirs->room, dirs->nr + 1))
		return error_nomem(err, "reading the command line");
	dirs->list[dirs->nr++] = dir;
	return 0;
}

void sourcefile_free_dirs(struct source_dirs *dirs)
{
	free(dirs->list);
	*dirs = (struct source_dirs){0};
}

/* Whether @path has a name "..", which could lead out of a directory. */
static bool climbs(const char *path)
{
	for (const char *at = path; (at = strstr(at, "..")) != NULL; at += 2)
		if ((at == path || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
			return true;
	return false;
}

/* Opens @path in @dir, if that is where it is now. */
static enum file_status open_moved(const struct source_dir *dir, const char *path, int *fd)
{
	char moved[PATH_MAX];
	int len;

	*fd = -1;
	if (strncmp(path, dir->old, dir->old_len) != 0 ||
	    (dir->old_len && path[dir->old_len] != '/') || climbs(path + dir->old_len))
		return FILE_MISSING;
	len = snprintf(moved, sizeof(moved), "%s/%s", dir->dir, path + dir->old_len);
	if (len < 0 || (size_t)len >= sizeof(moved))
		return FILE_MISSING;
	return file_open_in(NULL, moved, fd);
}

static enum file_status open_anywhere(const struct source_dirs *dirs, const char *root,
				      const char *path, int *fd)
{
	for (size_t i = 0; dirs && i < dirs->nr; i++) {
		const enum file_status status = open_moved(&dirs->list[i], path, fd);

		if (status == FILE_OPEN)
			return status;
	}
	*fd = -1;
	return path[0] == '/' ? file_open_in(root, path, fd) : FILE_MISSING;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int find_lines(struct sourcefile *file, size_t size)
{
	const char *end = file->bytes + size, *at = file->bytes;
	size_t nr = 0;

	for (const char *line = at; line < end; nr++) {
		const char *feed = memchr(line, '\n', (size_t)(end - line));

		line = feed ? feed + 1 : end;
	}
	file->starts = calloc(nr + 1, sizeof(*file->starts));
	if (!file->starts)
		return -1;
	while (at < end) {
		const char *feed = memchr(at, '\n', (size_t)(end - at));

		file->starts[file->nr_lines++] = (uint32_t)(at - file->bytes);
		at = feed ? feed + 1 : end;
	}
	file->starts[nr] = (uint32_t)size;
	return 0;
}

static int take_bytes(struct sourcefile *file, int fd)
{
	const struct file_stamp stamp = file_stamp_of(fd);
	const struct timespec written = {.tv_sec = stamp.seconds, .tv_nsec = stamp.ns};
	enum file_status status;
	size_t size = 0;

	file->written = clock_since_1970(&written);
	file->bytes = file_read_rest(fd, SOURCEFILE_MAX, &size, &status);
	if (!file->bytes) {
		file->lack = "cannot be read, or is too large";
		return status == FILE_OPEN ? -1 : 0;
	}
	if (memchr(file->bytes, '\0', size)) {
		free(file->bytes);
		file->bytes = NULL;
		file->lack = "is not text";
		return 0;
	}
	return find_lines(file, size);
}

int sourcefile_read(struct sourcefile *file, const struct source_dirs *dirs, const char *root,
		    const char *path)
{
	int fd, rc;

	*file = (struct sourcefile){.lack = ""};
	switch (open_anywhere(dirs, root, path, &fd)) {
	case FILE_OPEN:
		rc = take_bytes(file, fd);
		close(fd);
		return rc;
	case FILE_MISSING:
		file->lack = "is not on this machine";
		return 0;
	default:
		file->lack = "is not a readable file";
		return 0;
	}
}

const char *sourcefile_line(const struct sourcefile *file, uint32_t number, size_t *len)
{
	const char *line;

	if (!file->bytes || number == 0 || number > file->nr_lines)
		return NULL;
	line = file->bytes + file->starts[number - 1];
	*len = file->starts[number] - file->starts[number - 1];
	while (*len > 0 && (line[*len - 1] == '\n' || line[*len - 1] == '\r'))
		--*len;
	if (*len <= SOURCEFILE_LINE_MAX)
		return line;
	*len = SOURCEFILE_LINE_MAX;
	/* Not within a character, which has at most three bytes after its first. */
	for (int i = 0; i < 3 && ((unsigned char)line[*len] & 0xc0) == 0x80; i++)
		--*len;
	return line;
}

void sourcefile_close(struct sourcefile *file)
{
	free(file->bytes);
	free(file->starts);
	*file = (struct sourcefile){.lack = ""};
}
