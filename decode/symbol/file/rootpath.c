#include "decode/symbol/file/rootpath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_LINKS = 40 }; /* as many as the kernel follows */

/* A path being resolved: `done` is resolved, without links and "..", and seen from the root. */
struct link_walk {
	rootpath_read_link read_link;
	const void *arg;
	char *done, rest[PATH_MAX];
	unsigned nr_links;
};

static int fail(int errnum)
{
	errno = errnum;
	return -1;
}

static void drop_last(char *path)
{
	char *slash = strrchr(path, '/');

	*(slash ? slash : path) = '\0';
}

/* Takes the next name off walk->rest; false at the end. */
static bool take_name(struct link_walk *walk, char name[PATH_MAX])
{
	const char *start = walk->rest + strspn(walk->rest, "/");
	size_t len = strcspn(start, "/");

	memcpy(name, start, len);
	name[len] = '\0';
	memmove(walk->rest, start + len, strlen(start + len) + 1);
	return len > 0;
}

/* Appends @name to walk->done. Returns -1 if the path gets too long. */
static int append(struct link_walk *walk, const char *name)
{
	size_t len = strlen(walk->done), name_len = strlen(name);

	if (len + name_len + 2 > PATH_MAX)
		return fail(ENAMETOOLONG);
	if (len)
		walk->done[len++] = '/';
	memcpy(walk->done + len, name, name_len + 1);
	return 0;
}

/* Replaces the last name of walk->done, a link, by its @target. */
static int follow(struct link_walk *walk, const char *target)
{
	char rest[PATH_MAX];
	int len = snprintf(rest, sizeof(rest), "%s/%s", target, walk->rest);

	if (++walk->nr_links > MAX_LINKS)
		return fail(ELOOP);
	if (len < 0 || (size_t)len >= sizeof(rest))
		return fail(ENAMETOOLONG);
	memcpy(walk->rest, rest, (size_t)len + 1);
	drop_last(walk->done);
	if (target[0] == '/')
		walk->done[0] = '\0';
	return 0;
}

/* Resolves @name. @follows: also if it is a link at the end of the path. */
static int step(struct link_walk *walk, const char *name, bool follows)
{
	char target[PATH_MAX];
	ssize_t len;

	if (strcmp(name, ".") == 0)
		return 0;
	if (strcmp(name, "..") == 0) {
		drop_last(walk->done);
		return 0;
	}
	if (append(walk, name) < 0)
		return -1;
	if (!follows && walk->rest[strspn(walk->rest, "/")] == '\0')
		return 0;
	len = walk->read_link(walk->arg, walk->done, target, sizeof(target) - 1);
	if (len < 0)
		return errno == EINVAL ? 0 : -1; /* not a link */
	target[len] = '\0';
	return follow(walk, target);
}

int rootpath_resolve(const char *path, bool follows, rootpath_read_link read_link, const void *arg,
		     char resolved[PATH_MAX])
{
	struct link_walk walk = {.read_link = read_link, .arg = arg, .done = resolved};
	char name[PATH_MAX];

	resolved[0] = '\0';
	if (strlen(path) >= sizeof(walk.rest))
		return fail(ENAMETOOLONG);
	strcpy(walk.rest, path);
	while (take_name(&walk, name))
		if (step(&walk, name, follows) < 0)
			return -1;
	return 0;
}

static ssize_t read_link_below(const void *arg, const char *path, char *target, size_t size)
{
	return readlinkat(*(const int *)arg, path, target, size);
}

int rootpath_walk(int rootdir, const char *path, int flags)
{
	char resolved[PATH_MAX];

	if (rootpath_resolve(path, !(flags & O_NOFOLLOW), read_link_below, &rootdir, resolved) < 0)
		return -1;
	return openat(rootdir, resolved[0] ? resolved : ".", flags | O_NOFOLLOW);
}

/*
 * Opens @path as if @rootdir were the root. If anything in the system is renamed or mounted
 * meanwhile, the kernel cannot tell that ".." has not led out of it, and says EAGAIN.
 */
static int open_in_root(int rootdir, const char *path, int flags)
{
	enum { TRIES = 32 };
	struct open_how how = {
		.flags = (unsigned)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd = -1;

	for (int i = 0; i < TRIES; i++) {
		fd = (int)syscall(SYS_openat2, rootdir, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	return fd;
}

int rootpath_open(const char *root, const char *path, int flags)
{
	int rootdir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd, errnum;

	if (rootdir < 0)
		return -1;
	fd = open_in_root(rootdir, path, flags);
	/* EPERM: from a seccomp filter that does not allow this system call */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN))
		fd = rootpath_walk(rootdir, path, flags);
	errnum = errno;
	close(rootdir);
	errno = errnum;
	return fd;
}
