#include "perffile/input/directory.h"

#include "util/array.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Appends @dir/@name, or @dir alone if @name is NULL. */
static int add_path(struct file_list *list, const char *dir, const char *name, struct error *err)
{
	char *path = NULL;
	bool made;

	if (!array_grow(list->paths, list->room, list->nr_paths + 1))
		return error_nomem(err, "listing the recording's files");
	made = name ? asprintf(&path, "%s/%s", dir, name) >= 0 : (path = strdup(dir)) != NULL;
	if (!made)
		return error_nomem(err, "listing the recording's files");
	list->paths[list->nr_paths++] = path;
	return 0;
}

/* "data.10" comes after "data.9": compares by length, then by letters. */
static int compare_paths(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t len_x = strlen(x), len_y = strlen(y);

	if (len_x != len_y)
		return len_x < len_y ? -1 : 1;
	return strcmp(x, y);
}

/* Whether @path is that of data.N as perf writes it, without zeros before the number *@number. */
static bool is_numbered(const char *path, uint32_t *number)
{
	const char *digits = strrchr(path, '.') + 1;
	char again[16];

	*number = (uint32_t)strtoul(digits, NULL, 10);
	snprintf(again, sizeof(again), "%" PRIu32, *number);
	return strcmp(again, digits) == 0;
}

/* Counts the numbers that the sorted files data.N skip. */
static void count_missing(struct file_list *list)
{
	uint64_t expected = 0;
	uint32_t number;

	for (size_t i = 1; i < list->nr_paths; i++) {
		if (!is_numbered(list->paths[i], &number))
			continue;
		if (number > expected && list->nr_missing == 0)
			list->first_missing = (uint32_t)expected;
		list->nr_missing += number - expected;
		expected = (uint64_t)number + 1;
	}
}

static int add_streams(struct file_list *list, const char *dir, struct error *err)
{
	const struct dirent *entry;
	DIR *handle = opendir(dir);
	int rc = 0;

	if (!handle)
		return error_io(err, dir, "cannot list it", errno);
	while (errno = 0, rc == 0 && (entry = readdir(handle)) != NULL) {
		if (strncmp(entry->d_name, "data.", 5) == 0)
			rc = add_path(list, dir, entry->d_name, err);
	}
	if (rc == 0 && errno)
		rc = error_io(err, dir, "cannot list it", errno);
	closedir(handle);
	if (rc == 0 && list->nr_paths > 1)
		qsort(list->paths + 1, list->nr_paths - 1, sizeof(*list->paths), compare_paths);
	count_missing(list);
	return rc;
}

int directory_list_file(struct file_list *list, const char *path, struct error *err)
{
	*list = (struct file_list){0};
	return add_path(list, path, NULL, err);
}

int directory_list(struct file_list *list, const char *path, struct error *err)
{
	if (strcmp(path, "-") == 0 || !is_directory(path))
		return directory_list_file(list, path, err);
	*list = (struct file_list){0};
	if (add_path(list, path, "data", err) < 0 || add_streams(list, path, err) < 0)
		return -1;
	if (asprintf(&list->kcore_dir, "%s/kcore_dir", path) < 0)
		list->kcore_dir = NULL;
	list->dir = strdup(path);
	if (!list->kcore_dir || !list->dir)
		return error_nomem(err, "listing the recording's files");
	if (access(list->paths[0], F_OK) == 0)
		return 0;
	if (errno != ENOENT)
		return error_io(err, list->paths[0], "cannot be opened", errno);
	return error_set(err, ERROR_FORMAT,
			 "%s: is a directory, but not a recording: it contains no file named data",
			 path);
}

void directory_list_free(struct file_list *list)
{
	for (size_t i = 0; i < list->nr_paths; i++)
		free(list->paths[i]);
	free(list->paths);
	free(list->kcore_dir);
	free(list->dir);
	*list = (struct file_list){0};
}
