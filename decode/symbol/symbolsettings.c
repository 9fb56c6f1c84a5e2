#include "decode/symbol/symbolsettings.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_directory(const char *option, const char *path, struct error *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return 0;
	return error_set(err, ERROR_USAGE, "option --%s: '%s' is not a directory", option, path);
}

/* A cache that is not there yet is an empty one. */
static int check_cache(const char *option, const char *path, struct error *err)
{
	struct stat st;

	if (stat(path, &st) < 0 || S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))
		return 0;
	return error_set(err, ERROR_USAGE,
			 "option --%s: '%s' is neither a directory nor an archive", option, path);
}

static int check_readable(const char *option, const char *path, struct error *err)
{
	const bool is_readable = access(path, R_OK) == 0;
	struct stat st;

	if (is_readable && (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)))
		return 0;
	if (is_readable)
		errno = EISDIR;
	return error_set(err, ERROR_USAGE, "option --%s: '%s' cannot be read: %s", option, path,
			 strerror(errno));
}

/* Debug files are a wish: nothing is missing that would be there without them. */
static int check_nothing(const char *option, const char *path, struct error *err)
{
	(void)option;
	(void)path;
	(void)err;
	return 0;
}

int symbol_settings_set_path(struct symbol_settings *settings, const char *option, const char *path,
			     struct error *err)
{
	const struct {
		const char *option, **place;
		int (*check)(const char *option, const char *path, struct error *err);
	} paths[] = {
		{"symfs", &settings->symfs, check_directory},
		{"buildid-dir", &settings->build_id_cache, check_cache},
		{"debug-dir", &settings->debug_dir, check_nothing},
		{"vmlinux", &settings->vmlinux, check_readable},
		{"kallsyms", &settings->kallsyms, check_readable},
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (strcmp(paths[i].option, option) != 0)
			continue;
		*paths[i].place = path;
		return paths[i].check(option, path, err);
	}
	return error_set(err, ERROR_USAGE, "option --%s: is not a path", option);
}
