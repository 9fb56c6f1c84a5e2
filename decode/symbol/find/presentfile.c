#include "decode/symbol/find/presentfile.h"

#include "decode/symbol/elf/elffile.h"
#include "decode/symbol/file/file.h"

#include <sys/sysmacros.h>

/* Whether the file open as @fd, which is closed, has this build id. */
static bool has_build_id(int fd, const uint8_t *build_id, size_t len)
{
	bool nomem = false, is_equal;
	struct elffile *elf = elffile_open(fd, &nomem);

	is_equal = elf && elffile_has_build_id(elf, build_id, len);
	elffile_close(elf);
	return is_equal;
}

struct file_id presentfile_id(const char *root, const char *path, const uint8_t *build_id,
			      size_t len, const struct symbol_settings *settings)
{
	const char *below = root ? root : settings->symfs;
	const struct file_stamp stamp = file_stamp_in(below, path);
	int fd;

	if (!stamp.inode)
		return (struct file_id){0};
	if (len &&
	    (file_open_in(below, path, &fd) != FILE_OPEN || !has_build_id(fd, build_id, len)))
		return (struct file_id){0};
	return (struct file_id){
		.maj = major(stamp.device), .min = minor(stamp.device), .ino = stamp.inode};
}
