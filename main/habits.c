#include "main/habits.h"

#include "main/inputs.h"
#include "util/options.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* perf commands, and what to type here in their place; NULL: nothing, it is done anyway. */
static const struct {
	const char *word, *instead;
} words[] = {
	{"report", NULL},
	{"help", NULL},
	{"annotate",
	 "source lines and addresses are tables: type readperf --tables=lines,addresses"},
	{"record", "perf makes the recordings: type perf record -g ./program, and then readperf"},
	{"script", "records are rows of a table: type readperf --tables=overview"},
	{"stat", "perf counts: type perf stat record ./program, and then readperf"},
	{"sched", "waits are tables: type readperf --tables=offcpu,threads"},
	{"trace", "system calls are a table: type readperf --tables=syscalls"},
	{"mem", "memory accesses are a table: type readperf --tables=memory"},
	{"c2c", "shared cache lines are a table: type readperf --tables=cachelines"},
	{"evlist", "events are a table: type readperf --tables=events"},
	{"buildid-list", "binaries are a table: type readperf --tables=binaries"},
	{"list", "perf has the list: type perf list"},
	{"archive", "perf makes archives: type perf archive, and then readperf "
		    "--buildid-dir=perf.data.tar.bz2"},
	{"version", "type readperf --version"},
	{"inject", "nothing has to be added to a recording: type readperf"},
	{"lock", "locks are fields of events: type readperf --per=contention_begin.lock_addr"},
	{"kvm", "exits of guests are events: type readperf --per=kvm_exit.exit_reason"},
	{"kmem", "allocations are events: type readperf --per=kmalloc.bytes_alloc"},
	{"kwork", "perf measures the kernel's work: type perf kwork"},
	{"timechart", "a page shows threads over time: type readperf --export=html"},
	{"data", "other forms of the tables are exports: type readperf --export=json"},
	{"buildid-cache", "perf keeps the binaries: type perf buildid-cache, and then readperf, "
			  "with --buildid-dir=DIR if they are not in ~/.debug"},
	{"kallsyms", "perf searches the running kernel: type perf kallsyms"},
	{"probe", "perf sets probes: type perf probe, perf record -e, and then readperf"},
	{"daemon", "perf makes the recordings: type perf daemon, and then readperf"},
	{"ftrace", "perf traces the kernel's functions: type perf ftrace"},
	{"iostat", "perf counts: type perf iostat"},
	{"bench", "perf measures the machine: type perf bench"},
	{"test", "perf tests itself: type perf test"},
	{"config", "perf has settings of its own: type perf config"},
	{"top", "to watch a recording while it is made, type perf record -a -o - | readperf "
		"--interval=2 -"},
};

enum { NR_WORDS = sizeof(words) / sizeof(words[0]) };

static int find_word(const char *word)
{
	for (int i = 0; i < NR_WORDS; i++)
		if (strcmp(words[i].word, word) == 0)
			return i;
	return -1;
}

/* Whether @name is a recording: a file, or a directory with the data file of a recording. */
static bool is_recording(const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	if (stat(name, &st) < 0)
		return false;
	snprintf(path, sizeof(path), "%s/data", name);
	return !S_ISDIR(st.st_mode) || stat(path, &st) == 0;
}

/* Whether @name is a recording, or a directory with recordings. */
static bool has_recordings(const char *name)
{
	struct inputs inputs = {0};
	struct stat st;
	const bool has = stat(name, &st) == 0 && inputs_add(&inputs, name, NULL) == 0;

	inputs_free(&inputs);
	return has;
}

/* Whether @word, which is words[@number], is the command and not a recording's name. A command that
 * is only answered is less likely than a directory of recordings. */
static bool is_meant(int number, const char *word)
{
	return words[number].instead ? !has_recordings(word) : !is_recording(word);
}

bool habits_is_word(const char *word)
{
	const int found = find_word(word);

	return found >= 0 && is_meant(found, word);
}

int habits_check_word(const char *word, struct error *err)
{
	const char *instead = words[find_word(word)].instead;

	if (!instead)
		return 0;
	return error_set(err, ERROR_USAGE, "there is no command '%s': %s", word, instead);
}

int habits_check_operand(const char *word, struct error *err)
{
	const int found = find_word(word);

	if (found < 0 ? strcmp(word, "diff") != 0 || is_recording(word) : !is_meant(found, word))
		return 0;
	if (found >= 0 && words[found].instead)
		return habits_check_word(word, err);
	return error_set(err, ERROR_USAGE,
			 "the word '%s' comes first: type readperf %s [OPTIONS] ...", word, word);
}

static bool is_key(const char *word, size_t len, const char *key)
{
	return strlen(key) == len && memcmp(word, key, len) == 0;
}

int habits_check_sort(const char *keys, struct error *err)
{
	const char *list = keys, *word;
	bool known = true, symbol = false;
	size_t len;

	while ((word = option_list_next(&list, &len)) != NULL) {
		const bool is_symbol = is_key(word, len, "sym") || is_key(word, len, "symbol");

		symbol |= is_symbol;
		known &= is_symbol || is_key(word, len, "dso") || is_key(word, len, "srcfile") ||
			 is_key(word, len, "overhead");
	}
	if (known && symbol)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "option --sort: results.csv has no rows by '%s': type --tables=processes "
			 "for comm and pid, --tables=threads for tid, --tables=binaries for dso, "
			 "--tables=lines for srcline, or --per=comm for functions by comm",
			 keys);
}

int habits_refuse_graph(struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "option -g: type --callers=FUNCTION or --callees=FUNCTION for the calls "
			 "around a function, --tables=calls,paths for tables of all calls");
}

/* Options of perf report, and what has their meaning here. */
static const struct {
	const char *letter, *name; /* NULL: it has none */
	const char *instead;
} options[] = {
	{"-C", NULL, "type --cpu=LIST"},
	{"-S", "--symbols", "type --symbol=LIST"},
	{"-d", "--dsos", "type --binary=LIST"},
	{"-c", "--comms", "type --comm=LIST"},
	{"-F", "--fields", "tables have all their columns; --tables=LIST chooses tables"},
	{"-n", "--show-nr-samples", "tables have a column samples"},
	{NULL, "--show-total-period", "tables have a column period"},
	{"-D", "--dump-raw-trace", "type --tables=overview"},
	{NULL, "--mmaps", "type --tables=overview"},
	{NULL, "--stats", "type --tables=stat"},
	{"-I", "--header", "type --tables=header"},
	{NULL, "--header-only", "type --tables=header"},
	{"-T", "--tasks", "type --tables=threads"},
	{NULL, "--tui", "--export=html makes a page to look at"},
	{NULL, "--gtk", "--export=html makes a page to look at"},
	{NULL, "--percent-limit", "--top=N limits what is printed; tables have all rows"},
	{"-f", NULL, "files of any owner are read"},
	{"-t", "--field-separator", "tables are CSV: the separator is a comma"},
	{"-G", "--inverted", "type --callers=FUNCTION"},
	{NULL, "--call-graph", "type --callers=FUNCTION, or --tables=calls,paths"},
	{"-w", "--column-widths", "type --width=N"},
	{NULL, "--hierarchy", "type --per=LIST for functions by comm, tid and other keys"},
	{NULL, "--ns", "times are in ns"},
	{"-k", NULL, "type --vmlinux=FILE"},
	{NULL, "--no-demangle", "type --demangle=none"},
	{NULL, "--no-inline", "inlined functions are shown with --inline alone"},
	{NULL, "--mem-mode", "type --tables=memory"},
	{"-b", "--branch-stack", "type --tables=branches"},
	{NULL, "--itrace", "type --tables=trace"},
	{NULL, "--branch-history", "type --tables=branches,blocks"},
	{NULL, "--group", "each event has rows of its own; --tables=metrics has ratios of two"},
	{NULL, "--symbol-filter", "type --symbol=LIST, with shell patterns such as '*alloc*'"},
	{NULL, "--socket-filter", "type --cpu=LIST with the CPUs of the socket"},
	{NULL, "--percentage", "percentages are relative: of the samples that filters leave"},
	{NULL, "--time-quantum", "type --per=slice:LENGTH, or --tables=slices --slice=LENGTH"},
	{NULL, "--ignore-callees",
	 "the columns children_period and children_percent of "
	 "results.csv include callees"},
	{"-x", "--exclude-other", "type --callees=FUNCTION"},
	{"-U", "--hide-unresolved",
	 "code without a name has rows, too, so that sums are exact; "
	 "the column reason is empty in all others"},
	{"-l", "--print-line", "type --tables=lines"},
	{"-P", "--full-paths", "tables have whole paths"},
	{NULL, "--full-source-path", "tables have whole paths"},
	{NULL, "--prefix", "type --source-dir=OLD=NEW"},
	{"-M", "--disassembler-style",
	 "x86 instructions are in AT&T syntax, in the page of "
	 "--export=html"},
	{NULL, "--objdump", "readperf decodes instructions itself, for the page of --export=html"},
};

static bool is_option(size_t number, const char *word, size_t len)
{
	const char *letter = options[number].letter, *name = options[number].name;

	return (letter && is_key(word, len, letter)) || (name && is_key(word, len, name));
}

int habits_check_option(const char *word, struct error *err)
{
	const size_t len = strcspn(word, "=");

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (is_option(i, word, len))
			return error_set(err, ERROR_USAGE, "there is no option %.*s: %s", (int)len,
					 word, options[i].instead);
	return 0;
}
