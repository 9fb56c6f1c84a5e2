#include "tests/support/scratch.h"

#include "tests/support/suite.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct scratch_path scratch_make(void)
{
	struct scratch_path dir = {"scratch-XXXXXX"};

	ck_assert_ptr_nonnull(mkdtemp(dir.text));
	return dir;
}

struct scratch_path scratch_join(const char *dir, const char *name)
{
	struct scratch_path path;
	int len = snprintf(path.text, sizeof(path.text), "%s/%s", dir, name);

	ck_assert_uint_lt((size_t)len, sizeof(path.text));
	return path;
}

void scratch_write(const char *dir, const char *name, const char *text)
{
	FILE *file = fopen(scratch_join(dir, name).text, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

char *scratch_read(const char *dir, const char *name)
{
	FILE *file = fopen(scratch_join(dir, name).text, "r");
	struct stat st;
	char *text;

	if (!file)
		return NULL;
	ck_assert_int_eq(fstat(fileno(file), &st), 0);
	text = calloc(1, (size_t)st.st_size + 1);
	ck_assert_ptr_nonnull(text);
	ck_assert_uint_eq(fread(text, 1, (size_t)st.st_size, file), (size_t)st.st_size);
	fclose(file);
	return text;
}

size_t scratch_entries(const char *dir)
{
	DIR *stream = opendir(dir);
	size_t nr = 0;

	ck_assert_ptr_nonnull(stream);
	for (struct dirent *entry; (entry = readdir(stream)) != NULL;)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			nr++;
	closedir(stream);
	return nr;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st, (void)type, (void)walk;
	return remove(path);
}

void scratch_remove(const char *dir)
{
	nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
