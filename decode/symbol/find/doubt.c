#include "decode/symbol/find/doubt.h"

#include "util/clock.h"

#include <sys/sysmacros.h>

static bool is_below_named_root(const struct dso *dso, const struct symbol_settings *settings)
{
	return dso->root ? dso->is_root_given : settings->symfs != NULL;
}

static bool is_newer(const struct file_stamp *stamp, int64_t end)
{
	const struct timespec written = {.tv_sec = stamp->seconds, .tv_nsec = stamp->ns};

	return clock_since_1970(&written) > end;
}

/*
 * True if the recording mapped another file of the same device. Different devices prove nothing:
 * overlayfs and btrfs show different numbers to users and in recordings.
 */
static bool is_other_file(const struct dso *dso, const struct file_stamp *stamp)
{
	return dso->file.ino && stamp->inode && dso->file.ino != stamp->inode &&
	       dso->file.maj == major(stamp->device) && dso->file.min == minor(stamp->device);
}

/*
 * Whether the file at the path was there when the recording ended at @end, and is not the one that
 * was mapped: then perf read the build id from it. A new file of the same build gives no doubt.
 */
static bool is_id_of_other_file(const struct dso *dso, int64_t end)
{
	struct file_stamp stamp;

	if (!dso->file.ino) /* the build id is that of the mapping */
		return false;
	stamp = file_stamp_in(dso->root, dso->path);
	return is_other_file(dso, &stamp) && stamp.changed <= end;
}

struct doubt doubt_about(const struct dso *dso, const struct file_stamp *stamp,
			 const struct symbol_settings *settings, int64_t end)
{
	if (is_below_named_root(dso, settings))
		return (struct doubt){"", ""};
	if (dso->build_id_len && is_id_of_other_file(dso, end))
		return (struct doubt){"replaced", "its process mapped another file than the one "
						  "at its path"};
	if (dso->build_id_len)
		return (struct doubt){"", ""};
	if (is_newer(stamp, end))
		return (struct doubt){"newer", "its file was written after the recording"};
	if (is_other_file(dso, stamp))
		return (struct doubt){"replaced", "the file at its path has been replaced since"};
	return (struct doubt){"", ""};
}
