#include "decode/symbol/kernel/kernelfile.h"

#include "decode/symbol/elf/elfsym.h"
#include "decode/symbol/find/rulepath.h"
#include "decode/symbol/kernel/modname.h"

#include <limits.h>
#include <string.h>

enum {
	IN_ROOT = 1 << 0,   /* a path of the recorded system: below --symfs */
	NAMED = 1 << 1,	    /* the user or recording names it: needs no build id */
	OLD_CACHE = 1 << 2, /* a directory in today's layout: listed only if it is a file */
};

/* Where these files may be, in the order they are tried. For %LETTER see part_of(). */
static const struct rulepath vmlinux_rules[] = {
	{"vmlinux", "%v", NAMED},
	{"build-id-cache", "%C/.build-id/%b/vmlinux", 0},
	{"build-id-cache", "%C/.build-id/%b/elf", 0}, /* perf buildid-cache --add */
	{"build-id-cache", "%C/.build-id/%b/debug", 0},
	{"build-id-cache", "%C/.build-id/%b", OLD_CACHE}, /* perf before 4.13 */
	{"debug-dir", "%D/.build-id/%b.debug", IN_ROOT},
	{"debug-dir", "%D/.build-id/%b.debug", 0},
	{"debug-dir", "%D/boot/vmlinux-%r", IN_ROOT},	     /* Debian */
	{"debug-dir", "%D/lib/modules/%r/vmlinux", IN_ROOT}, /* Fedora */
	{"debug-dir", "%D/boot/vmlinux-%r.debug", IN_ROOT},  /* SUSE, old and new */
	{"debug-dir", "%D/usr/lib/modules/%r/vmlinux.debug", IN_ROOT},
	{"kernel-release", "/boot/vmlinux-%r", IN_ROOT},	      /* SUSE */
	{"kernel-release", "/lib/modules/%r/build/vmlinux", IN_ROOT}, /* its build directory */
};

static const struct rulepath module_rules[] = {
	{"recorded-path", "%p", IN_ROOT | NAMED},
	{"kernel-release", "%m", IN_ROOT},
	{"build-id-cache", "%C/.build-id/%b/elf", 0},
	{"build-id-cache", "%C/.build-id/%b", OLD_CACHE},
	{"build-id-cache", "%C/.build-id/%b/debug", 0},
	{"debug-dir", "%D/.build-id/%b.debug", IN_ROOT},
	{"debug-dir", "%D/.build-id/%b.debug", 0},
	{"debug-dir", "%D%q", IN_ROOT},		  /* Debian */
	{"debug-dir", "%D%q.debug", IN_ROOT},	  /* Fedora */
	{"debug-dir", "%D/usr%q.debug", IN_ROOT}, /* SUSE, where /lib is a link */
	{"debug-dir", "%D%n", IN_ROOT},
	{"debug-dir", "%D%n.debug", IN_ROOT},
	{"debug-dir", "%D/usr%n.debug", IN_ROOT},
};

struct kernelfile_search {
	const struct kernelfile_query *query;
	char cache[PATH_MAX];
	struct rulepath_id id; /* of the recorded file, else of the file accepted for it */
	char module[PATH_MAX]; /* path of the module according to modules.dep; "" if unknown */
	/* The recorded path and `module`, both without a compression suffix; or "". */
	char plain_path[PATH_MAX], plain_module[PATH_MAX];
	struct candidates *tried;
	bool relocatable;
	struct elffile *best;
	size_t best_number; /* among the candidates */
	bool nomem;
};

/* Returns what a letter in a rule stands for; NULL if there is no such part. */
static const char *part_of(const void *arg, char letter)
{
	const struct kernelfile_search *search = arg;
	const struct kernelfile_query *query = search->query;
	const struct symbol_settings *settings = query->settings;

	switch (letter) {
	case 'v': /* the file named by the user */
		return settings->vmlinux;
	case 'p': /* the recorded path */
		return query->path && query->path[0] == '/' ? query->path : NULL;
	case 'm': /* the path according to modules.dep */
		return search->module[0] ? search->module : NULL;
	case 'q': /* the recorded path without a compression suffix */
		return search->plain_path[0] ? search->plain_path : NULL;
	case 'n': /* the same of the path according to modules.dep */
		return search->plain_module[0] ? search->plain_module : NULL;
	case 'r': /* the kernel's release; with a slash it could lead anywhere */
		return query->release && !strchr(query->release, '/') ? query->release : NULL;
	case 'C': /* perf's cache of binaries */
		return search->cache;
	case 'D': /* the directory of separate debug files */
		return settings->debug_dir ? settings->debug_dir : "/usr/lib/debug";
	case 'b': /* the build id, as directory and name */
		return search->id.len ? search->id.path : NULL;
	default:
		return NULL;
	}
}

static const char *root_of(const struct kernelfile_search *search, const struct rulepath *rule)
{
	const struct symbol_settings *settings = search->query->settings;

	if (!(rule->flags & IN_ROOT))
		return NULL;
	/* A debug directory named by the user is not below the root. */
	return settings->debug_dir && strncmp(rule->path, "%D", 2) == 0 ? NULL : settings->symfs;
}

/* Writes @path to @plain without a compression suffix; nothing if @path is not absolute. */
static void set_plain(char plain[PATH_MAX], const char *path)
{
	static const char *const suffixes[] = {".gz", ".xz", ".zst"};
	const size_t len = path && path[0] == '/' ? strlen(path) : 0;

	if (len == 0 || len >= PATH_MAX)
		return;
	strcpy(plain, path);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t suffix_len = strlen(suffixes[i]);

		if (len > suffix_len && strcmp(plain + len - suffix_len, suffixes[i]) == 0)
			plain[len - suffix_len] = '\0';
	}
}

/* Returns the fate of @file, which is proven, compared with the best one so far. */
static enum fate judge(const struct kernelfile_search *search, const struct elffile *file)
{
	const char *symbol = search->query->symbol;
	unsigned info = candidate_info(file);
	uint64_t address;

	if (!(info & HAS_SYMTAB) || file->is_relocatable != search->relocatable ||
	    (symbol && !elfsym_address(file, symbol, &address)))
		return FATE_NO_SYMBOLS;
	if (search->query->for_code && elffile_lacks_code(file))
		return FATE_NO_CODE;
	if (search->query->for_source && !(info & HAS_DWARF))
		return FATE_NOT_NEEDED;
	return info > candidate_info(search->best) ? FATE_USED : FATE_NOT_NEEDED;
}

/* Keeps the better of @file, the last candidate, and the best one so far; closes the other. */
static void choose(struct kernelfile_search *search, struct elffile *file)
{
	struct candidate *list = search->tried->list;
	size_t number = search->tried->nr - 1;

	list[number].fate = judge(search, file);
	if (list[number].fate != FATE_USED) {
		elffile_close(file);
		return;
	}
	if (search->best)
		list[search->best_number].fate = FATE_NOT_NEEDED;
	elffile_close(search->best);
	search->best = file;
	search->best_number = number;
	if (!search->id.len)
		rulepath_set_id(&search->id, file->build_id, file->build_id_len);
}

static void try_rule(struct kernelfile_search *search, const struct rulepath *rule)
{
	const struct proof proof = {.build_id = search->id.bytes, .build_id_len = search->id.len};
	const char *root = root_of(search, rule);
	struct elffile *file;
	char path[PATH_MAX];

	if ((!search->id.len && !(rule->flags & NAMED)) ||
	    !rulepath_make(path, rule->path, part_of, search) ||
	    candidates_have(search->tried, root, path))
		return;
	file = candidates_open(search->tried, rule->name, root, path, &proof, &search->nomem);
	if (file)
		choose(search, file);
	else if (rule->flags & OLD_CACHE && !search->nomem)
		candidates_forget_absent(search->tried);
}

/* Asks the servers if the wanted information was not found. */
static void try_servers(struct kernelfile_search *search)
{
	const struct kernelfile_query *query = search->query;
	const struct proof proof = {.build_id = search->id.bytes, .build_id_len = search->id.len};
	const unsigned wanted = query->fetch == FETCH_SOURCE ? HAS_DWARF : HAS_SYMTAB;
	struct elffile *file;

	if (query->fetch == FETCH_NOTHING || !search->id.len || search->nomem ||
	    candidate_info(search->best) & wanted)
		return;
	file = candidates_fetch(search->tried, query->servers, SERVERS_DEBUGINFO, &proof,
				&search->nomem);
	if (file)
		choose(search, file);
}

static struct elffile *run(struct kernelfile_search *search, const struct rulepath *rules,
			   size_t nr_rules, struct symbol_origin *origin, bool *nomem)
{
	const struct kernelfile_query *query = search->query;
	const struct candidate *found;

	rulepath_set_cache(search->cache, query->settings->build_id_cache);
	rulepath_set_id(&search->id, query->build_id, query->build_id_len);
	for (size_t i = 0; i < nr_rules && !search->nomem; i++) {
		if (candidate_info(search->best) == HAS_ALL)
			break;
		try_rule(search, &rules[i]);
	}
	try_servers(search);
	if (search->best && !search->nomem) {
		found = &search->tried->list[search->best_number];
		origin->found_by = found->rule;
		origin->file = candidate_path(found, search->tried->strings);
		search->nomem |= !origin->file;
	}
	*nomem |= search->nomem;
	if (!search->nomem)
		return search->best;
	elffile_close(search->best);
	return NULL;
}

struct elffile *kernelfile_vmlinux(const struct kernelfile_query *query, struct candidates *tried,
				   struct symbol_origin *origin, bool *nomem)
{
	struct kernelfile_search search = {.query = query, .tried = tried};

	return run(&search, vmlinux_rules, sizeof(vmlinux_rules) / sizeof(vmlinux_rules[0]), origin,
		   nomem);
}

struct elffile *kernelfile_module(const struct kernelfile_query *query, struct candidates *tried,
				  struct symbol_origin *origin, bool *nomem)
{
	struct kernelfile_search search = {.query = query, .tried = tried, .relocatable = true};

	if (query->build_id_len && query->release &&
	    modname_find_path(query->settings->symfs, query->release, query->path, search.module) <
		    0)
		search.nomem = true;
	set_plain(search.plain_path, query->path);
	set_plain(search.plain_module, search.module);
	return run(&search, module_rules, sizeof(module_rules) / sizeof(module_rules[0]), origin,
		   nomem);
}
