#include "report/placedfiles.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct placed_file {
	char *name;
	struct stat stat; /* when it was put in place */
};

bool placed_files_start(struct placed_files *placed, size_t nr)
{
	*placed = (struct placed_files){.list = calloc(nr + 1, sizeof(*placed->list))};
	return placed->list;
}

void placed_files_add(struct placed_files *placed, int dirfd, const struct outfile *out)
{
	struct placed_file *file = &placed->list[placed->nr];

	if (fstatat(dirfd, out->name, &file->stat, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	file->name = strdup(out->name);
	placed->nr += file->name != NULL;
}

static bool has_name(const struct placed_files *placed, const char *name)
{
	for (size_t i = 0; i < placed->nr; i++)
		if (strcmp(placed->list[i].name, name) == 0)
			return true;
	return false;
}

/* Whether @file still stands at its name, as it was. */
static bool is_there(const struct placed_file *file, int dirfd)
{
	const struct stat *was = &file->stat;
	struct stat is;

	return fstatat(dirfd, file->name, &is, AT_SYMLINK_NOFOLLOW) == 0 &&
	       is.st_dev == was->st_dev && is.st_ino == was->st_ino && is.st_size == was->st_size &&
	       is.st_mtim.tv_sec == was->st_mtim.tv_sec &&
	       is.st_mtim.tv_nsec == was->st_mtim.tv_nsec;
}

void placed_files_replace(const struct placed_files *earlier, const struct placed_files *placed,
			  int dirfd)
{
	for (size_t i = 0; i < earlier->nr; i++) {
		const struct placed_file *file = &earlier->list[i];

		if (!has_name(placed, file->name) && is_there(file, dirfd))
			(void)unlinkat(dirfd, file->name, 0);
	}
}

void placed_files_free(struct placed_files *placed)
{
	for (size_t i = 0; i < placed->nr; i++)
		free(placed->list[i].name);
	free(placed->list);
	*placed = (struct placed_files){0};
}
