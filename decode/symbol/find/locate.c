#include "decode/symbol/find/locate.h"

#include "decode/symbol/elf/minidebug.h"
#include "decode/symbol/file/file.h"
#include "decode/symbol/find/candidate.h"
#include "decode/symbol/find/fileadvice.h"
#include "decode/symbol/find/link.h"
#include "decode/symbol/find/rulepath.h"
#include "decode/symbol/find/runningfile.h"
#include "decode/symbol/find/servers.h"
#include "util/removed.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	IN_ROOT = 1 << 0,     /* a path of the recorded system: below --symfs */
	BY_BUILD_ID = 1 << 1, /* only if a build id can prove the file */
	BY_LINK = 1 << 2,     /* only if the file that ran names its debug file */
	OLD_CACHE = 1 << 3,   /* a directory in today's layout: listed only if it is a file */
	BESIDE = 1 << 4,      /* below alternate_root */
	/* Only if there is a build id as proof, or the user named the root. */
	VOUCHED = 1 << 5,
	IN_PROCESS = 1 << 6, /* the open file of a process: listed only if it is used */
};

/* Where a binary's files may be, in the order they are tried. For %LETTER see part_of(). */
static const struct rulepath rules[] = {
	{"recorded-path", "%p", IN_ROOT},
	{"recorded-path", "%s", IN_ROOT | VOUCHED},
	{"running-process", "%m", IN_PROCESS},
	{"running-process", "%x", IN_PROCESS},
	{"build-id-cache", "%C/.build-id/%b/%n", BY_BUILD_ID},
	{"build-id-cache", "%C/.build-id/%b", BY_BUILD_ID | OLD_CACHE}, /* perf before 4.13 */
	{"debug-dir", "%D/.build-id/%b.debug", IN_ROOT | BY_BUILD_ID},
	{"debug-dir", "%D/.build-id/%b.debug", BY_BUILD_ID},
	{"build-id-cache", "%C/.build-id/%b/debug", BY_BUILD_ID},
	{"debug-dir", "%D%s.debug", IN_ROOT | BY_BUILD_ID}, /* Fedora */
	{"debug-dir", "%D%s", IN_ROOT | BY_BUILD_ID},	    /* Debian's old packages */
	{"debug-link", "%d/%l", IN_ROOT | BY_LINK},
	{"debug-link", "%d/.debug/%l", IN_ROOT | BY_LINK},
	{"debug-link", "%D%d/%l", IN_ROOT | BY_LINK},
};

/* Where the file with shared DWARF may be; %b is its id. */
static const struct rulepath alternate_rules[] = {
	{"alternate-link", "%a", BESIDE},
	{"alternate-link", "%D%z", IN_ROOT}, /* the distribution's file, unpacked elsewhere */
	{"debug-dir", "%D/.build-id/%b.debug", IN_ROOT},
	{"debug-dir", "%D/.build-id/%b.debug", 0},
	{"build-id-cache", "%C/.build-id/%b/debug", 0},
};

/* A chosen file. */
struct choice {
	struct elffile *file; /* NULL: none yet */
	size_t number;	      /* index among the candidates */
};

/* The search for one dso. */
struct locate_search {
	const struct dso *dso;
	const struct symbol_settings *settings;
	struct servers *servers;
	const char *root;   /* NULL: the system's */
	bool is_root_given; /* the user named the root of the files that ran */
	char stem[PATH_MAX], dir[PATH_MAX], cache[PATH_MAX];
	char mapped[RUNNINGFILE_PATH], program[RUNNINGFILE_PATH]; /* "": it is not there */
	struct rulepath_id id; /* of the recorded file, else of the file accepted for it */
	const char *link;      /* name of the debug file, or NULL */
	uint32_t link_crc;
	const char *alternate; /* name of the file with shared DWARF, or NULL */
	char alternate_path[PATH_MAX];
	const char *alternate_root;
	struct choice runtime, debug;
	struct choice partial;	/* debug file that lacks the DWARF that it shares with others */
	struct elffile *shared; /* holds that of the chosen files; or NULL */
	bool debug_is_partial;
	bool is_barred;		     /* a process has the file, and this one may not open it */
	const struct located *known; /* or NULL */
	struct candidates tried;
	bool nomem;
};

/* ---- the parts of paths ---------------------------------------------------------------------- */

static void set_stem(struct locate_search *search, const char *path)
{
	const size_t len = removed_name_len(path);

	if (len < sizeof(search->stem))
		memcpy(search->stem, path, len);
}

static void set_dir(struct locate_search *search, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash && (size_t)(slash - path) < sizeof(search->dir))
		memcpy(search->dir, path, (size_t)(slash - path));
}

/* A process of a system whose files the user has put elsewhere is not here. */
static void set_running(struct locate_search *search)
{
	if (search->dso->kind != DSO_USER || search->is_root_given)
		return;
	if (!runningfile_path(search->dso, RUNNINGFILE_MAPPED, search->mapped))
		search->mapped[0] = '\0';
	if (!runningfile_path(search->dso, RUNNINGFILE_PROGRAM, search->program))
		search->program[0] = '\0';
}

/* Returns what a letter in a rule stands for; NULL if this binary has no such part. */
static const char *part_of(const void *arg, char letter)
{
	const struct locate_search *search = arg;

	switch (letter) {
	case 'p': /* the recorded path */
		return search->dso->kind == DSO_USER ? search->dso->path : NULL;
	case 's': /* the recorded path without " (deleted)": a new file may be there */
		return search->dso->kind == DSO_USER && search->stem[0] ? search->stem : NULL;
	case 'd': /* the recorded directory */
		return search->dso->kind == DSO_USER ? search->dir : NULL;
	case 'm': /* the mapping of a deleted file */
		return search->mapped[0] ? search->mapped : NULL;
	case 'x': /* the program of a process, deleted, too */
		return search->program[0] ? search->program : NULL;
	case 'C': /* perf's cache of binaries */
		return search->cache;
	case 'D': /* the directory of separate debug files */
		return search->settings->debug_dir ? search->settings->debug_dir : "/usr/lib/debug";
	case 'b': /* the build id, as directory and name */
		return search->id.len ? search->id.path : NULL;
	case 'n': /* the binary's name in perf's cache */
		return search->dso->kind == DSO_VDSO ? "vdso" : "elf";
	case 'l': /* the name of the debug file */
		return search->link;
	case 'a': /* the path of the file with shared DWARF */
		return search->alternate_path;
	case 'z': /* its path below the debug directory */
		return strstr(search->alternate, "/.dwz/");
	default:
		return NULL;
	}
}

/* ---- which files are used -------------------------------------------------------------------- */

/* What the file that ran and @file have together. */
static unsigned info_with(const struct locate_search *search, const struct elffile *file)
{
	return candidate_info(search->runtime.file) | candidate_info(file);
}

static void drop(struct locate_search *search, struct choice *choice, enum fate fate)
{
	if (!choice->file)
		return;
	search->tried.list[choice->number].fate = fate;
	elffile_close(choice->file);
	choice->file = NULL;
}

/* Takes over @file, the last candidate, which is proven. */
static void choose(struct locate_search *search, struct elffile *file)
{
	struct choice choice = {file, search->tried.nr - 1};

	if (!search->runtime.file && elffile_has_code(file)) {
		search->runtime = choice;
		if (!search->id.len)
			rulepath_set_id(&search->id, file->build_id, file->build_id_len);
		search->link = link_debug(file, &search->link_crc);
	} else if (info_with(search, file) > info_with(search, search->debug.file)) {
		drop(search, &search->debug, FATE_NOT_NEEDED);
		search->debug = choice;
	} else {
		drop(search, &choice, candidate_info(file) ? FATE_NOT_NEEDED : FATE_NO_SYMBOLS);
	}
}

/* Drops the debug file if no file with the code was found, or if that one has all it has. */
static void settle(struct locate_search *search)
{
	if (!search->runtime.file)
		drop(search, &search->debug, FATE_NO_CODE);
	else if (info_with(search, search->debug.file) == candidate_info(search->runtime.file))
		drop(search, &search->debug, FATE_NOT_NEEDED);
}

/* ---- DWARF that is shared with other binaries ------------------------------------------------ */

static const char *root_of(const struct locate_search *search, const struct rulepath *rule)
{
	if (rule->flags & BESIDE)
		return search->alternate_root;
	if (!(rule->flags & IN_ROOT))
		return NULL;
	/* A debug directory named by the user is not below the root. */
	return search->settings->debug_dir && strncmp(rule->path, "%D", 2) == 0 ? NULL
										: search->root;
}

/* The file whose DWARF will be read, or NULL. */
static const struct choice *choice_with_dwarf(const struct locate_search *search)
{
	if (candidate_info(search->runtime.file) & HAS_DWARF)
		return &search->runtime;
	return candidate_info(search->debug.file) & HAS_DWARF ? &search->debug : NULL;
}

/* The link is relative to the file's real directory: paths by build id are often symbolic links. */
static void set_alternate_path(struct locate_search *search, const struct candidate *from)
{
	char *path = search->alternate_path;
	const char *slash = strrchr(from->path, '/');

	search->alternate_root = search->alternate[0] == '/' ? search->root : from->root;
	if (search->alternate[0] != '/' && !file_real_directory(from->root, from->path, path))
		snprintf(path, PATH_MAX, "%.*s", slash ? (int)(slash - from->path) : 0, from->path);
	if (strlen(path) + strlen(search->alternate) + 2 > PATH_MAX)
		path[0] = '\0';
	else
		strcat(strcat(path, search->alternate[0] == '/' ? "" : "/"), search->alternate);
}

/* Looks on this machine for the file with @proof, which has the search's id. */
static struct elffile *open_alternate(struct locate_search *search, const struct proof *proof)
{
	const size_t nr_rules = sizeof(alternate_rules) / sizeof(alternate_rules[0]);
	struct elffile *file = NULL;

	for (size_t i = 0; i < nr_rules && !file && !search->nomem; i++) {
		const char *root = root_of(search, &alternate_rules[i]);
		char path[PATH_MAX];

		if (rulepath_make(path, alternate_rules[i].path, part_of, search) &&
		    !candidates_have(&search->tried, root, path))
			file = candidates_open(&search->tried, alternate_rules[i].name, root, path,
					       proof, &search->nomem);
	}
	return file;
}

/* Sets search->shared to the file with the DWARF that the chosen one shares with others, unless it
 * shares none; asks servers, too, if @ask. Returns false if there should be one and is not. */
static bool find_alternate(struct locate_search *search, bool ask)
{
	const struct choice *choice = choice_with_dwarf(search);
	const struct rulepath_id own = search->id;
	struct proof proof = {.build_id = search->id.bytes, .is_alternate = true};
	const uint8_t *id;
	size_t len;

	search->alternate = choice ? link_alternate(choice->file, &id, &len) : NULL;
	if (!search->alternate || search->shared || search->nomem)
		return true;
	rulepath_set_id(&search->id, id, len);
	proof.build_id_len = search->id.len;
	set_alternate_path(search, &search->tried.list[choice->number]);
	search->shared = open_alternate(search, &proof);
	if (!search->shared && ask && search->settings->debuginfod && !search->nomem)
		search->shared = candidates_fetch(&search->tried, search->servers,
						  SERVERS_DEBUGINFO, &proof, &search->nomem);
	search->id = own;
	return search->shared;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Leaves out the file of a process that was tried last: it is no place to put a file. */
static void pass_over(struct locate_search *search)
{
	const struct candidates *tried = &search->tried;

	search->is_barred |= tried->list[tried->nr - 1].fate == FATE_UNREADABLE;
	candidates_forget_last(&search->tried);
}

static void try_rule(struct locate_search *search, const struct rulepath *rule)
{
	struct proof proof = {.build_id = search->id.bytes, .build_id_len = search->id.len};
	const char *root = root_of(search, rule);
	struct elffile *file;
	char path[PATH_MAX];

	if ((rule->flags & BY_BUILD_ID && !search->id.len) ||
	    (rule->flags & VOUCHED && !search->id.len && !search->is_root_given) ||
	    !rulepath_make(path, rule->path, part_of, search) ||
	    candidates_have(&search->tried, root, path))
		return;
	if (rule->flags & IN_PROCESS && search->runtime.file)
		return; /* it is the same one */
	if (rule->flags & BY_LINK)
		proof.crc = &search->link_crc;
	if (rule->flags & IN_PROCESS)
		proof.id = &search->dso->file;
	file = candidates_open(&search->tried, rule->name, root, path, &proof, &search->nomem);
	if (file)
		choose(search, file);
	else if (rule->flags & OLD_CACHE && !search->nomem)
		candidates_forget_absent(&search->tried);
	else if (rule->flags & IN_PROCESS && !search->nomem)
		pass_over(search);
}

static bool is_complete(const struct locate_search *search)
{
	return search->runtime.file && info_with(search, search->debug.file) == HAS_ALL;
}

/* Goes on without the debug file, which is used if there is no better one. */
static void put_aside(struct locate_search *search)
{
	if (search->partial.file) {
		drop(search, &search->debug, FATE_NOT_NEEDED);
		return;
	}
	search->partial = search->debug;
	search->debug.file = NULL;
}

static void take_back(struct locate_search *search)
{
	if (!search->partial.file)
		return;
	if (is_complete(search)) {
		drop(search, &search->partial, FATE_NOT_NEEDED);
		return;
	}
	drop(search, &search->debug, FATE_NOT_NEEDED);
	search->debug = search->partial;
}

static void try_places(struct locate_search *search)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && !search->nomem; i++) {
		try_rule(search, &rules[i]);
		if (!is_complete(search))
			continue;
		if (find_alternate(search, false) || choice_with_dwarf(search) == &search->runtime)
			break;
		put_aside(search);
	}
	take_back(search);
}

/* Treats a file from a server as one found on this machine. */
static void try_server(struct locate_search *search, enum servers_kind kind)
{
	const struct proof proof = {.build_id = search->id.bytes, .build_id_len = search->id.len};
	struct elffile *file;

	file = search->nomem ? NULL
			     : candidates_fetch(&search->tried, search->servers, kind, &proof,
						&search->nomem);
	if (file)
		choose(search, file);
}

static void try_servers(struct locate_search *search)
{
	if (!search->settings->debuginfod || !search->id.len)
		return;
	if (!search->runtime.file)
		try_server(search, SERVERS_EXECUTABLE);
	if (search->runtime.file && !is_complete(search))
		try_server(search, SERVERS_DEBUGINFO);
}

static struct elffile *open_minidebug(struct locate_search *search, const struct elffile *runtime)
{
	const struct located *known = search->known;

	if (known && known->runtime == runtime && known->debug_is_partial)
		return elffile_share(known->debug);
	return minidebug_open(runtime, &search->nomem);
}

/* Uses the compressed symbols in the binary itself if nothing better was found. */
static void try_minidebug(struct locate_search *search)
{
	const struct choice *runtime = &search->runtime;
	struct elffile *file;

	if (!runtime->file || search->debug.file || candidate_info(runtime->file) & HAS_SYMTAB)
		return;
	file = open_minidebug(search, runtime->file);
	if (!file)
		return;
	if (candidates_add(&search->tried, "minidebuginfo",
			   search->tried.list[runtime->number].root,
			   search->tried.list[runtime->number].path, FATE_USED) < 0) {
		search->nomem = true;
		elffile_close(file);
		return;
	}
	search->debug = (struct choice){file, search->tried.nr - 1};
	search->debug_is_partial = true;
}

/* ---- split DWARF ----------------------------------------------------------------------------- */

/* Looks for the package of split units next to the file that ran, then next to its debug file. */
static struct elffile *find_package(struct locate_search *search)
{
	const struct choice *with_dwarf = choice_with_dwarf(search);
	const struct choice *choices[] = {&search->runtime, &search->debug};
	const struct proof proof = {0}; /* each unit has the id of its skeleton unit */
	struct elffile *file = NULL;

	if (!with_dwarf || !elffile_section_named(with_dwarf->file, ".debug_addr"))
		return NULL;
	for (size_t i = 0; i < 2 && !file && !search->nomem; i++) {
		const struct candidate *beside = &search->tried.list[choices[i]->number];
		char path[PATH_MAX];

		if (!choices[i]->file ||
		    snprintf(path, sizeof(path), "%s.dwp", beside->path) >= PATH_MAX)
			continue;
		file = candidates_open(&search->tried, "split-dwarf", beside->root, path, &proof,
				       &search->nomem);
		if (!file && !search->nomem)
			candidates_forget_absent(&search->tried);
	}
	return file;
}

static void set_known(struct locate_search *search, const struct located *known)
{
	search->known = known;
	search->tried.known[0] = known->runtime;
	search->tried.known[1] = known->debug_is_partial ? NULL : known->debug;
	search->tried.known[2] = known->alternate;
	search->tried.known[3] = known->package;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void describe_choice(struct locate_search *search, const struct choice *choice,
			    const char **path, const char **rule)
{
	*path = *rule = "";
	if (!choice->file)
		return;
	*rule = search->tried.list[choice->number].rule;
	*path = candidate_path(&search->tried.list[choice->number], search->tried.strings);
	search->nomem |= !*path;
}

/* What the user can do about @reason, and about symbols that are missing. */
static void advise(const struct locate_search *search, enum reason reason,
		   struct symbol_origin *origin)
{
	const struct file_search ended = {
		.tried = &search->tried,
		.has_build_id = search->id.len > 0,
		.asks_servers = search->settings->debuginfod,
		.is_barred = search->is_barred,
		.is_deleted = removed_name_len(search->dso->path) < strlen(search->dso->path),
	};

	origin->file_advice = fileadvice_on_binary(&ended, reason);
	origin->symbols_advice = fileadvice_on_symbols(&ended);
}

static void describe(struct locate_search *search, struct symbol_origin *origin)
{
	describe_choice(search, &search->runtime, &origin->file, &origin->found_by);
	describe_choice(search, &search->debug, &origin->debug_file, &origin->debug_found_by);
	origin->refused = candidates_refused(&search->tried);
	search->nomem |= !origin->refused;
}

enum reason locate_files(const struct dso *dso, const struct symbol_settings *settings,
			 struct servers *servers, const struct located *known,
			 struct intern *strings, struct located *found, bool *nomem)
{
	struct locate_search search = {
		.dso = dso,
		.settings = settings,
		.servers = servers,
		.root = dso->root ? dso->root : settings->symfs,
		.is_root_given = dso->root ? dso->is_root_given : settings->symfs != NULL,
		.tried.strings = strings,
		.tried.archive = settings->archive,
	};
	enum reason reason;

	if (known)
		set_known(&search, known);
	rulepath_set_id(&search.id, dso->build_id, dso->build_id_len);
	set_stem(&search, dso->path);
	set_dir(&search, dso->path);
	set_running(&search);
	rulepath_set_cache(search.cache, settings->build_id_cache);
	try_places(&search);
	try_servers(&search);
	settle(&search);
	try_minidebug(&search);
	found->package = find_package(&search);
	find_alternate(&search, true);
	describe(&search, &found->origin);
	reason = search.runtime.file ? REASON_NONE : candidates_reason(&search.tried);
	advise(&search, reason, &found->origin);
	found->runtime = search.runtime.file;
	found->debug = search.debug.file;
	found->alternate = search.shared;
	found->root = search.root;
	found->debug_is_partial = search.debug_is_partial;
	*nomem = search.nomem;
	candidates_free(&search.tried);
	return reason;
}
