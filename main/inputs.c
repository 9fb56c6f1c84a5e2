#include "main/inputs.h"

#include "perffile/perffile.h"
#include "util/array.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes @path, which it frees on failure. */
static int take(struct inputs *inputs, char *path, struct error *err)
{
	if (path && array_grow(inputs->paths, inputs->room, inputs->nr + 1)) {
		inputs->paths[inputs->nr++] = path;
		return 0;
	}
	free(path);
	return error_nomem(err, "listing the recordings");
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A directory recording has a file of this name, even if that cannot be read. */
static bool is_recording(int dirfd, const char *name)
{
	char data[NAME_MAX + sizeof("/data")];

	snprintf(data, sizeof(data), "%s/data", name);
	return faccessat(dirfd, data, F_OK, 0) == 0;
}

static bool is_called_recording(const char *name)
{
	return fnmatch("*.data", name, 0) == 0 || fnmatch("*.data.gz", name, 0) == 0 ||
	       fnmatch("*.data.xz", name, 0) == 0 || fnmatch("*.data.bz2", name, 0) == 0 ||
	       fnmatch("*.data.zst", name, 0) == 0;
}

static bool begins_as_recording(int dirfd, const char *name)
{
	char head[8];
	int fd = openat(dirfd, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof(head));

	if (fd >= 0)
		close(fd);
	return n == sizeof(head) && perffile_is_begin(head);
}

static bool is_wanted(int dirfd, const char *name)
{
	struct stat st;

	if (*name == '.')
		return false;
	/* Whoever opens a link that leads nowhere says so. */
	if (fstatat(dirfd, name, &st, 0) < 0)
		return is_called_recording(name);
	if (S_ISDIR(st.st_mode))
		return is_recording(dirfd, name);
	return S_ISREG(st.st_mode) &&
	       (is_called_recording(name) || begins_as_recording(dirfd, name));
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_entries(struct inputs *inputs, const char *path, DIR *dir, struct error *err)
{
	const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
	const struct dirent *entry;

	while (errno = 0, (entry = readdir(dir)) != NULL) {
		char *joined;

		if (!is_wanted(dirfd(dir), entry->d_name))
			continue;
		if (asprintf(&joined, "%s%s%s", path, slash, entry->d_name) < 0)
			joined = NULL;
		if (take(inputs, joined, err) < 0)
			return -1;
	}
	return errno ? error_io(err, path, "cannot list it", errno) : 0;
}

static int add_directory(struct inputs *inputs, const char *path, struct error *err)
{
	const size_t first = inputs->nr;
	DIR *dir = opendir(path);
	int rc;

	if (!dir)
		return error_io(err, path, "cannot list it", errno);
	rc = add_entries(inputs, path, dir, err);
	closedir(dir);
	if (rc < 0)
		return -1;
	inputs->several = true;
	if (inputs->nr == first)
		return error_set(err, ERROR_FORMAT,
				 "%s: is a directory, but contains neither a file named data nor "
				 "recordings",
				 path);
	qsort(inputs->paths + first, inputs->nr - first, sizeof(*inputs->paths), compare_paths);
	return 0;
}

int inputs_add(struct inputs *inputs, const char *path, struct error *err)
{
	int rc;

	if (!*path)
		return error_set(err, ERROR_USAGE, "the name of a recording is empty");
	if (is_directory(path) && !is_recording(AT_FDCWD, path))
		rc = add_directory(inputs, path, err);
	else
		rc = take(inputs, strdup(path), err);
	inputs->several |= inputs->nr > 1;
	return rc;
}

/* Whether @path is there, but is neither a file nor a directory. */
static bool is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

int inputs_check_pipes(const struct inputs *inputs, struct error *err)
{
	size_t nr = 0;

	for (size_t i = 0; i < inputs->nr; i++) {
		nr += is_pipe(inputs->paths[i]);
		if (nr == 2)
			return error_set(err, ERROR_USAGE,
					 "%s: of several recordings only one may come through a "
					 "pipe: tables could not tell them apart",
					 inputs->paths[i]);
	}
	return 0;
}

void inputs_free(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->nr; i++)
		free(inputs->paths[i]);
	free(inputs->paths);
	*inputs = (struct inputs){0};
}
