#include "decode/process/roots.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/span.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MNT_NAMESPACE = 5 }; /* its index in NAMESPACES: net, uts, ipc, pid, user, mnt, cgroup */

/* ---- what the user gives --------------------------------------------------------------------- */

int roots_given_add(struct given_roots *given, const char *arg, struct error *err)
{
	struct stat st;
	char *end;
	unsigned long pid = strtoul(arg, &end, 10);

	if (end == arg || *end != '=' || arg[0] < '0' || arg[0] > '9' || pid > INT32_MAX)
		return error_set(err, ERROR_USAGE, "option --root: '%s' is not PID=DIR", arg);
	if (stat(end + 1, &st) < 0 || !S_ISDIR(st.st_mode))
		return error_set(err, ERROR_USAGE, "option --root: '%s' is not a directory",
				 end + 1);
	if (!array_grow(given->list, given->room, given->nr + 1))
		return error_nomem(err, "reading the command line");
	given->list[given->nr++] = (struct given_root){(uint32_t)pid, end + 1};
	return 0;
}

void roots_given_free(struct given_roots *given)
{
	free(given->list);
	*given = (struct given_roots){0};
}

/* ---- entries by key -------------------------------------------------------------------------- */

static struct root_entry *find_entry(const struct root_map *map, uint64_t key)
{
	const struct index *ix = &map->by_key;
	uint64_t hash = hash_u64(key);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (map->entries[number].key == key)
			return &map->entries[number];
	return NULL;
}

static bool set_entry(struct root_map *map, uint64_t key, struct root_pair pair)
{
	struct root_entry *entry = find_entry(map, key);

	if (entry) {
		entry->pair = entry->given ? entry->pair : pair;
		return true;
	}
	if (pair.own == 0 && !pair.is_lost)
		return true;
	if (!array_grow(map->entries, map->room, map->by_key.nr + 1))
		return false;
	map->entries[map->by_key.nr] = (struct root_entry){.key = key, .pair = pair};
	return index_add(&map->by_key, hash_u64(key));
}

static struct root_pair one_root(uint32_t root)
{
	return (struct root_pair){.own = root, .first = root};
}

static void free_map(struct root_map *map)
{
	free(map->entries);
	index_free(&map->by_key);
}

/* ---- following the recording ----------------------------------------------------------------- */

bool roots_init(struct roots *roots, const struct given_roots *given)
{
	for (size_t i = 0; given && i < given->nr; i++) {
		uint32_t root = intern_string(&roots->strings, given->list[i].dir);

		if (root == INTERN_NOMEM ||
		    !set_entry(&roots->processes, given->list[i].pid, one_root(root)))
			return false;
		find_entry(&roots->processes, given->list[i].pid)->given = true;
		roots->last_given = root > roots->last_given ? root : roots->last_given;
	}
	return true;
}

static struct root_pair find_process(const struct roots *roots, uint32_t pid)
{
	const struct root_entry *entry;

	if (!roots || roots->processes.by_key.nr == 0)
		return one_root(0);
	entry = find_entry(&roots->processes, pid);
	return entry ? entry->pair : one_root(0);
}

uint32_t roots_find(const struct roots *roots, uint32_t pid)
{
	return find_process(roots, pid).own;
}

/* Whether @path is below root @number. Recorded paths of files have no links. */
static bool has_file(const struct roots *roots, uint32_t number, const char *path)
{
	char whole[PATH_MAX];
	struct stat st;
	int len = snprintf(whole, sizeof(whole), "%s%s", roots_dir(roots, number), path);

	return len > 0 && (size_t)len < sizeof(whole) && lstat(whole, &st) == 0;
}

uint32_t roots_find_file(const struct roots *roots, uint32_t pid, const char *path)
{
	const struct root_pair pair = find_process(roots, pid);

	if (pair.own == pair.first || has_file(roots, pair.own, path))
		return pair.own;
	return has_file(roots, pair.first, path) ? pair.first : pair.own;
}

bool roots_is_lost(const struct roots *roots, uint32_t pid)
{
	return find_process(roots, pid).is_lost;
}

bool roots_is_given(const struct roots *roots, uint32_t pid)
{
	return find_entry(&roots->processes, pid)->given;
}

/* The inode of the mount namespace of the process called @name in /proc; 0 if unknown. */
static uint64_t mount_namespace(const char *name)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%s/ns/mnt", name);
	return stat(path, &st) == 0 ? st.st_ino : 0;
}

/* Whether @dir and @other are one directory; false if one of them is not there. */
static bool is_same_directory(const char *dir, const char *other)
{
	struct stat st, st2;

	return stat(dir, &st) == 0 && stat(other, &st2) == 0 && st.st_dev == st2.st_dev &&
	       st.st_ino == st2.st_ino;
}

/*
 * The roots of a process in a namespace of which @known is known (NULL: nothing), with the root
 * directory @path: each directory has one root, so that binaries of several processes are the same.
 */
static struct root_pair find_directory(struct roots *roots, const struct root_pair *known,
				       const char *path)
{
	uint32_t own;

	if (known && is_same_directory(roots_dir(roots, known->own), path))
		return *known;
	if (known && is_same_directory(roots_dir(roots, known->first), path))
		return one_root(known->first);
	own = intern_string(&roots->strings, path);
	return (struct root_pair){.own = own, .first = known ? known->first : own};
}

/*
 * Sets *@pair to the roots of process @pid of namespace @inode: its own while it runs there, else
 * those of the last process that was found there. After chroot(2) a namespace has several.
 */
static bool find_namespace(struct roots *roots, uint64_t inode, uint32_t pid,
			   struct root_pair *pair)
{
	const struct root_entry *known = find_entry(&roots->namespaces, inode);
	char name[16], path[32];

	*pair = known ? known->pair : (struct root_pair){.is_lost = true};
	snprintf(name, sizeof(name), "%" PRIu32, pid);
	if ((known && roots_is_named(roots, pair->own)) || mount_namespace(name) != inode)
		return true;
	snprintf(path, sizeof(path), "/proc/%s/root", name);
	*pair = find_directory(roots, known ? &known->pair : NULL, path);
	return pair->own != INTERN_NOMEM && set_entry(&roots->namespaces, inode, *pair);
}

/* If the user gave the root of a process, that is also the root of its namespace. */
static bool apply_namespaces(struct roots *roots, const struct record *rec)
{
	const struct root_entry *entry = find_entry(&roots->processes, rec->pid);
	struct span entries = rec->namespaces.entries;
	struct root_pair pair = one_root(0);
	uint64_t inode;

	if (rec->namespaces.nr <= MNT_NAMESPACE)
		return true;
	span_skip(&entries, MNT_NAMESPACE * 16 + 8);
	inode = span_u64(&entries);
	if (!roots->own_namespace)
		roots->own_namespace = mount_namespace("self");
	if (entries.failed || inode == 0)
		return true;
	if (entry && entry->given)
		return set_entry(&roots->namespaces, inode, entry->pair);
	if (inode != roots->own_namespace && !find_namespace(roots, inode, rec->pid, &pair))
		return false;
	return set_entry(&roots->processes, rec->pid, pair);
}

/* A process inherits its parent's root, unless the user gave one for it. */
static bool apply_fork(struct roots *roots, const struct record *rec)
{
	return rec->pid == rec->task.ppid ||
	       set_entry(&roots->processes, rec->pid, find_process(roots, rec->task.ppid));
}

bool roots_apply(struct roots *roots, const struct record *rec)
{
	if (rec->type == RECORD_NAMESPACES)
		return apply_namespaces(roots, rec);
	return rec->type != RECORD_FORK || roots->processes.by_key.nr == 0 ||
	       apply_fork(roots, rec);
}

void roots_free(struct roots *roots)
{
	free_map(&roots->processes);
	free_map(&roots->namespaces);
	intern_free(&roots->strings);
	*roots = (struct roots){0};
}
