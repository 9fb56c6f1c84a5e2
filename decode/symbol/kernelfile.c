#include "decode/symbol/kernelfile.h"

#include "decode/symbol/elfsym.h"
#include "decode/symbol/modname.h"
#include "decode/symbol/rulepath.h"

#include <limits.h>
#include <string.h>

enum {
	IN_ROOT = 1 << 0, /* the path is one of the recorded system's: it is seen below --symfs */
	NAMED = 1 << 1,	  /* the user or the recording names it: without a build id it counts too */
	OLD_CACHE = 1 << 2, /* mostly a directory of today's layout: noted only if it is a file */
};

/* Where files are looked for, in this order. A letter behind % stands for a part: see part_of(). */
struct rule {
	const char *name, *path;
	unsigned flags;
};

static const struct rule vmlinux_rules[] = {
	{"vmlinux", "%v", NAMED},
	{"build-id-cache", "%C/.build-id/%b/vmlinux", 0},
	{"build-id-cache", "%C/.build-id/%b/elf", 0}, /* perf buildid-cache --add */
	{"build-id-cache", "%C/.build-id/%b/debug", 0},
	{"build-id-cache", "%C/.build-id/%b", OLD_CACHE}, /* perf before 4.13 */
	{"debug-dir", "%D/.build-id/%b.debug", IN_ROOT},
	{"debug-dir", "%D/.build-id/%b.debug", 0},
	{"debug-dir", "%D/boot/vmlinux-%r", IN_ROOT},		      /* Debian */
	{"debug-dir", "%D/lib/modules/%r/vmlinux", IN_ROOT},	      /* Fedora */
	{"kernel-release", "/boot/vmlinux-%r", IN_ROOT},	      /* SUSE */
	{"kernel-release", "/lib/modules/%r/build/vmlinux", IN_ROOT}, /* where it was built */
};

static const struct rule module_rules[] = {
	{"recorded-path", "%p", IN_ROOT | NAMED},
	{"kernel-release", "%m", IN_ROOT},
	{"build-id-cache", "%C/.build-id/%b/elf", 0},
	{"build-id-cache", "%C/.build-id/%b", OLD_CACHE},
	{"debug-dir", "%D/.build-id/%b.debug", IN_ROOT},
	{"debug-dir", "%D/.build-id/%b.debug", 0},
};

struct search {
	const struct kernelfile_query *query;
	char cache[PATH_MAX], id_path[RULEPATH_ID];
	char module[PATH_MAX]; /* where a module lies by its release; "" if not known */
	struct candidates *tried;
	unsigned enough; /* what a file must tell for no other one to be looked for */
	bool relocatable;
	struct elf_file *best;
	size_t best_number; /* among the candidates */
	bool nomem;
};

/* The part that a letter of a rule stands for; NULL if there is none. */
static const char *part_of(const void *arg, char letter)
{
	const struct search *search = arg;
	const struct kernelfile_query *query = search->query;
	const struct symbol_settings *settings = query->settings;

	switch (letter) {
	case 'v': /* what the user names */
		return settings->vmlinux;
	case 'p': /* the recorded path */
		return query->path && query->path[0] == '/' ? query->path : NULL;
	case 'm': /* the path by the list of all modules */
		return search->module[0] ? search->module : NULL;
	case 'r': /* the kernel's release; one that is a path would lead anywhere */
		return query->release && !strchr(query->release, '/') ? query->release : NULL;
	case 'C': /* perf's cache of binaries */
		return search->cache;
	case 'D': /* where separate debug files are */
		return settings->debug_dir ? settings->debug_dir : "/usr/lib/debug";
	case 'b': /* the build id, as directory and name */
		return search->id_path[0] ? search->id_path : NULL;
	default:
		return NULL;
	}
}

static const char *root_of(const struct search *search, const struct rule *rule)
{
	const struct symbol_settings *settings = search->query->settings;

	if (!(rule->flags & IN_ROOT))
		return NULL;
	/* A directory that the user has named is meant as it is. */
	return settings->debug_dir && strncmp(rule->path, "%D", 2) == 0 ? NULL : settings->symfs;
}

/* Whether @file is of the wanted kind and has the symbols that are needed. */
static bool is_useful(const struct search *search, const struct elf_file *file)
{
	const char *symbol = search->query->symbol;
	uint64_t address;

	return candidate_info(file) & HAS_SYMTAB && file->is_relocatable == search->relocatable &&
	       (!symbol || elfsym_address(file, symbol, &address));
}

/* Keeps the better one of @file, the last candidate, and what was found before. */
static void choose(struct search *search, struct elf_file *file)
{
	struct candidate *list = search->tried->list;
	size_t number = search->tried->nr - 1;
	unsigned info = candidate_info(file);

	if (!is_useful(search, file)) {
		list[number].verdict = VERDICT_NO_SYMBOLS;
		elf_file_close(file);
	} else if (info <= candidate_info(search->best)) {
		list[number].verdict = VERDICT_NOT_NEEDED;
		elf_file_close(file);
	} else {
		if (search->best)
			list[search->best_number].verdict = VERDICT_NOT_NEEDED;
		elf_file_close(search->best);
		search->best = file;
		search->best_number = number;
	}
}

static void try_rule(struct search *search, const struct rule *rule)
{
	const struct kernelfile_query *query = search->query;
	const struct proof proof = {.build_id = query->build_id,
				    .build_id_len = query->build_id_len};
	const char *root = root_of(search, rule);
	struct elf_file *file;
	char path[PATH_MAX];

	if ((!query->build_id_len && !(rule->flags & NAMED)) ||
	    !rulepath_make(path, rule->path, part_of, search) ||
	    candidates_have(search->tried, root, path))
		return;
	file = candidates_open(search->tried, rule->name, root, path, &proof, &search->nomem);
	if (file)
		choose(search, file);
	else if (rule->flags & OLD_CACHE && !search->nomem)
		candidates_forget_absent(search->tried);
}

static struct elf_file *run(struct search *search, const struct rule *rules, size_t nr_rules,
			    struct symbol_origin *origin, bool *nomem)
{
	const struct kernelfile_query *query = search->query;
	const struct candidate *found;

	rulepath_set_cache(search->cache, query->settings->build_id_cache);
	if (query->build_id_len >= 2 && query->build_id_len <= DSO_BUILD_ID_MAX)
		rulepath_set_build_id(search->id_path, query->build_id, query->build_id_len);
	for (size_t i = 0; i < nr_rules && !search->nomem; i++) {
		if ((candidate_info(search->best) & search->enough) == search->enough)
			break;
		try_rule(search, &rules[i]);
	}
	if (search->best && !search->nomem) {
		found = &search->tried->list[search->best_number];
		origin->found_by = found->rule;
		origin->file = candidate_path(found, search->tried->strings);
		search->nomem |= !origin->file;
	}
	*nomem |= search->nomem;
	if (!search->nomem)
		return search->best;
	elf_file_close(search->best);
	return NULL;
}

struct elf_file *kernelfile_vmlinux(const struct kernelfile_query *query, struct candidates *tried,
				    struct symbol_origin *origin, bool *nomem)
{
	struct search search = {.query = query, .tried = tried, .enough = HAS_ALL};

	return run(&search, vmlinux_rules, sizeof(vmlinux_rules) / sizeof(vmlinux_rules[0]), origin,
		   nomem);
}

struct elf_file *kernelfile_module(const struct kernelfile_query *query, struct candidates *tried,
				   struct symbol_origin *origin, bool *nomem)
{
	struct search search = {
		.query = query, .tried = tried, .enough = HAS_SYMTAB, .relocatable = true};

	if (query->build_id_len && query->release &&
	    modulesdep_find(query->settings->symfs, query->release, query->path, search.module) < 0)
		search.nomem = true;
	return run(&search, module_rules, sizeof(module_rules) / sizeof(module_rules[0]), origin,
		   nomem);
}
