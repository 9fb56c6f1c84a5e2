#include "main/optionlist.h"

#include "decode/stack/stacksettings.h"
#include "decode/symbol/symbol.h"
#include "report/export/runexport.h"
#include "report/report.h"

static const struct option_spec options[] = {
	{.key = COMMAND_TABLES, .help = "Tables"},
	{OPT_TABLES, "tables", "LIST:" REPORT_WORDS,
	 "Write only these tables, separated by commas: " REPORT_DEFAULT_NAMES
	 "which are the default; " REPORT_OTHER_NAMES "or all, or none."},
	{OPT_RUN_EXPORT, "export", "LIST:" RUNEXPORT_WORDS,
	 "Also write the results in these forms: folded (stacks.folded, for flame graphs: a line "
	 "for each path of functions; where several events have samples, each has a file, such as "
	 "stacks.cycles.folded), html (report.html, a page for a browser that needs no network: "
	 "flame graph, functions, callers and callees, source and instructions), bolt "
	 "(bolt.preagg, "
	 "for perf2bolt --pa: the branches of the binary that most of them are in), json "
	 "(results.jsonl, results.csv as lines of JSON), callgrind (callgrind.out, for "
	 "KCachegrind), "
	 "speedscope (profile.speedscope.json), pprof (profile.pb.gz, for go tool pprof, Parca and "
	 "Pyroscope), firefox (profile.firefox.json, for the Firefox Profiler: samples by thread "
	 "and "
	 "time), sqlite (readperf.sqlite, a database of the chosen tables, or of the default ones "
	 "if none is; needs libsqlite3), parquet (results.parquet and so on, a file of Apache "
	 "Parquet for each "
	 "of these tables)."},
	{OPT_WEIGHT, "weight", "samples|period",
	 "What folded stacks and those of speedscope weigh: their number of samples (the default), "
	 "or their period. Some "
	 "programs that read them take very long over large numbers."},
	{OPT_HTML_SIZE, "html-size", "BYTES",
	 "Fold the smallest subtrees of the page's flame graph into frames called [rest] if it "
	 "would have more bytes than this (K and M: times 2^10 and 2^20). Sums stay exact, and the "
	 "page says how many were folded. A page that has more even so is written, and a note says "
	 "its size. The default is 8000000."},
	{OPT_SOURCE_DIR, "source-dir", "OLD=NEW",
	 "Look below directory NEW for the source files that were below OLD when the program was "
	 "compiled; NEW alone stands for all of them. Can be given several times; the first place "
	 "that has a file counts, and the recorded path is the last one."},
	{OPT_TAG, "tag", "KEY=VALUE",
	 "End every table with a column KEY that holds VALUE, after the column run, and write "
	 "run.csv, too: so tables of many runs can be put together. May be repeated."},
	{OPT_INTERVAL, "interval", "SECONDS",
	 "Rewrite the tables and the overview every SECONDS (at least 0.1) while the recording is "
	 "read."},
	{OPT_WINDOW, "window", "SECONDS",
	 "With --interval, show only the last SECONDS (at least one interval) in the overview; the "
	 "tables still contain everything."},
	{OPT_METRIC, "metric", "NAME=EVENT/EVENT",
	 "Add the ratio of these two events of the recording to metrics.csv (--tables=metrics), "
	 "which has instructions per cycle, miss ratios and more on its own. May be repeated, with "
	 "another NAME."},
	{OPT_SLICE, "slice", "LENGTH",
	 "Length of the slices of time in the table slices, with its unit: ns, us, ms or s. The "
	 "default is 100ms. They begin at multiples of it by the recording's clock, not "
	 "with --time."},
	{OPT_SLICE_BY, "slice-by", SLICE_BY_WORDS,
	 "What the table slices has rows of: each process (the default), function or CPU, or only "
	 "each event."},
	{OPT_CALLERS, "callers", "LIST",
	 "Print who calls the functions with these names, which may be shell patterns, instead of "
	 "the overview: a tree below each of them, down to 1 % of the function and 64 calls; "
	 "\"...\" "
	 "stands for the rest. Percentages are of the event. --quiet prints it, too."},
	{OPT_CALLEES, "callees", "LIST",
	 "Print what these functions call in the same way. They count including everything they "
	 "call; with recursion, from their outermost call on."},
	{.help = "Output"},
	{'o', "output", "DIR",
	 "Write the tables into DIR instead of the current directory, and create DIR if necessary; "
	 "- writes the one table chosen by --tables, or the one file of --export, to standard "
	 "output, in place of the overview."},
	{OPT_FORCE, "force", NULL,
	 "Also overwrite files that readperf has not written. Without this option, it refuses to "
	 "replace a file that does not begin with the table's header, or is not of the export."},
	{OPT_TOP, "top", "N",
	 "Print at most N functions per event on standard output; 0 prints all. The default is "
	 "40."},
	{OPT_WIDTH, "width", "N",
	 "Limit lines on standard output to N columns; 0 sets no limit. The default is the width "
	 "of the terminal, or 100 if standard output is not a terminal. Long names are shortened "
	 "in the middle."},
	{OPT_COLOR, "color", "auto|always|never",
	 "Colour high shares, and changes in a comparison. auto (the default) uses colour on "
	 "terminals that support it, unless NO_COLOR is set."},
	{OPT_CSV, "csv", "safe|raw",
	 "safe (the default) puts ' in front of text cells that a spreadsheet would take for a "
	 "formula; raw writes them unchanged."},
	{OPT_DEMANGLE, "demangle", DEMANGLE_WORDS,
	 "Print C++, Rust and D functions with their parameters (the default), without them, or as "
	 "the linker's names."},
	{OPT_EVENT_NAMES, "event-names", "recorded|vendor",
	 "recorded (the default) prints events as perf does; vendor prints in place of a raw code, "
	 "such as r01d1, the name that the vendor of the recorded CPU has for it (see the column "
	 "meaning of events.csv; needs libpfm4). --event takes both names."},
	{OPT_INLINE, "inline", NULL,
	 "Count each sample for the innermost function inlined at its address instead of the "
	 "function that contains the code. This takes longer, because inlined functions must be "
	 "read."},
	{OPT_PER, "per", "KEYS",
	 "Split the functions by these keys, separated by commas: comm, pid, tid, cpu, cgroup, "
	 "data_symbol (the variable at the data address that perf record -d or perf mem record "
	 "stores), slice:LENGTH (of time, such as slice:100ms; the first one begins with the first "
	 "sample that the filters leave), or fields of tracepoints as EVENT.FIELD, such as "
	 "sched_switch.prev_comm. results.csv gets a column for each at its end and a row for each "
	 "function and combination, the overview likewise; a comparison compares them one by one."},
	{.key = COMMAND_DIFF, .help = "Comparison"},
	{OPT_BY, "by", MEASURE_WORDS,
	 "Compare periods per run, periods per second of the recording, or shares of the event's "
	 "period. The default is period if perf started the program in every run, and share "
	 "otherwise."},
	{OPT_RUN_DEVIATION, "run-deviation", "PERCENT",
	 "The standard deviation to expect between runs of an unchanged function, in percent "
	 "(default 3; ten times that in the kernel). It matters most with one run per side, which "
	 "cannot show it."},
	{OPT_CHILDREN, "children", NULL,
	 "Compare functions including everything they called, as far as call chains were "
	 "recorded."},
	{OPT_CALLS, "calls", NULL,
	 "Compare calls instead of functions: what a function did for one of its callers, as "
	 "CALLER "
	 "-> CALLEE, as far as call chains were recorded."},
	{OPT_RENAME, "rename", "OLD=NEW",
	 "Treat function OLD of the old side as NEW, or binary OLD as binary NEW of the new side. "
	 "/REGEX/=NEW renames every function that matches the POSIX extended regular expression; "
	 "\\1 to \\9 in NEW stand for the text matched by its parentheses. Can be given several "
	 "times."},
	{OPT_LABEL, "label", "NAME",
	 "Use these names in place of old and new, or in place of the runs: two names, or one per "
	 "run, separated by commas or given one per option. No two may be equal, nor one a column "
	 "of wide.csv."},
	{OPT_FAIL_ON, "fail-on", "slower[:POINTS[:RATIO]]|total:PERCENT",
	 "Exit with status 4 if a function is slower with a q value below 0.01, by at least POINTS "
	 "percent of the old side's total (default 0) and by at least the factor RATIO (default "
	 "1); or if the total is slower by at least PERCENT with a p value below 0.01. Both can be "
	 "given, separated by a comma or by repeating the option. When rates are compared, say "
	 "higher instead of slower; when shares are, larger."},
	{OPT_DIFF_TABLES, "tables", "LIST:diff|wide|ratios|all|none",
	 "Write only these tables: diff (the default), wide, ratios (of events: instructions per "
	 "cycle, miss ratios), separated by commas; or all, or none."},
	{OPT_EXPORT, "export", "LIST:markdown|junit|json|sarif|codequality|benchmark|github|html",
	 "Also write the comparison in these formats, separated by commas: markdown (for a pull "
	 "request), junit, json, sarif, codequality (GitLab), benchmark (github-action-benchmark), "
	 "github (annotations), html (diff.html, a page for a browser that needs no network: flame "
	 "graph of both sides, table). With --output=- the one chosen table or export goes to "
	 "standard output, in place of the changes."},
	{OPT_HTML_SIZE, "html-size", "BYTES",
	 "Fold the smallest subtrees of the page's flame graph into frames called [rest] if it "
	 "would have more bytes than this (K and M: times 2^10 and 2^20). The default is 8000000."},
	{OPT_STRIP_PREFIX, "strip-prefix", "DIR",
	 "In exports, show source files below DIR relative to it. DIR is the directory in which "
	 "the program was compiled. Can be given several times."},
	{.help = "Filters"},
	{OPT_EVENT, "event", "LIST",
	 "Only samples of these events. Every filter takes a comma-separated list, names may be "
	 "shell patterns (\\, is a comma in a name), and each filter applies to every table."},
	{OPT_COMM, "comm", "LIST",
	 "Only samples of threads that had one of these names at the time."},
	{OPT_PID, "pid", "LIST", "Only samples of these processes."},
	{OPT_TID, "tid", "LIST", "Only samples of these threads."},
	{OPT_CPU, "cpu", "LIST",
	 "Only samples taken on these CPUs. Numbers, also those of --pid and --tid, may be ranges: "
	 "0-3,8."},
	{OPT_BINARY, "binary", "LIST",
	 "Only samples in these binaries, given by path or base name."},
	{OPT_SYMBOL, "symbol", "LIST",
	 "Only samples in these functions, given by name as printed, with or without the version "
	 "of "
	 "a symbol (pow@@GLIBC_2.29)."},
	{OPT_TIME, "time", "FROM,TO",
	 "Only samples from FROM up to, but not including, TO: in ns of the recording's clock, or "
	 "in seconds if written with a decimal point; with a +, in seconds from the recording's "
	 "first sample (+1.5,+2); with a %, in parts of the time from its first sample to its last "
	 "one (10%,20%; of files only). Either may be omitted."},
	{OPT_WHERE, "where", "EXPRESSION",
	 "Only samples of tracepoints whose fields pass: comparisons (== != < <= > >=) with "
	 "numbers, or with texts in quotes, joined by and: \"sched_switch.prev_state==2 and "
	 "prev_comm!='make'\". Words that the tracepoint prints for a value are texts, too."},
	{.help = "Symbols"},
	{OPT_BUILDID_DIR, "buildid-dir", "DIR|FILE",
	 "Look for binaries by build id in DIR instead of ~/.debug, or in the archive FILE "
	 "(perf.data.tar.bz2) made by perf archive."},
	{OPT_DEBUG_DIR, "debug-dir", "DIR",
	 "Look for separate debug files in DIR instead of /usr/lib/debug."},
	{OPT_SYMFS, "symfs", "DIR",
	 "Look for the recorded paths, and for /usr/lib/debug, below DIR: the root directory of "
	 "another machine or of a container. Symbolic links cannot lead out of DIR."},
	{OPT_ROOT, "root", "PID=DIR",
	 "Look for the files of process PID and its children below DIR, as --symfs does for all "
	 "processes. Meant for containers; can be given several times."},
	{OPT_DEBUGINFOD, "debuginfod", NULL,
	 "Ask the debuginfod servers in DEBUGINFOD_URLS for binaries and debug files that are "
	 "found nowhere else. The kernel's are large: they are fetched for source files only with "
	 "--inline or the tables lines or addresses. Without this option readperf never uses the "
	 "network."},
	{OPT_VMLINUX, "vmlinux", "FILE",
	 "Look for the kernel's symbols in FILE first. It must have the recorded build id, if one "
	 "was recorded. With debugging information it also provides source files."},
	{OPT_KALLSYMS, "kallsyms", "FILE",
	 "Take the kernel's symbols from FILE, whichever kernel was recorded."},
	{OPT_THREADS, "threads", "N",
	 "Use up to N threads: one reads and sorts records, another follows processes and maps, "
	 "and all of them find call chains, as far as there are cores. N recordings, binaries, "
	 "or tables to compare are read at a time. The default is one for each core that "
	 "this process may use. The results do not depend on N."},
	{.help = "Call chains"},
	{OPT_UNWIND, "unwind", USER_PART_WORDS,
	 "Where call chains come from: auto (the default) takes what each sample has; dwarf "
	 "unwinds "
	 "the recorded copy of the stack (perf record --call-graph dwarf); lbr takes the "
	 "processor's last branch records (--call-graph lbr); fp takes the chain that the kernel "
	 "recorded (--call-graph fp); none leaves call chains out."},
	{OPT_MAX_STACK, "max-stack", "N",
	 "End the user part of unwound call chains after N functions (default 1024)."},
	{.help = "Other"},
	{'v', "verbose", NULL, "Report more about what was read on standard error."},
	{'q', "quiet", NULL,
	 "Print only errors and what is missing: no overview, no notes, no list of files written."},
	{'V', "version", NULL,
	 "Print the version; with --verbose also what optional libraries are built in."},
	{'h', "help", NULL, "Print this help."},
	{OPT_DESCRIBE, "describe",
	 "columns|tables|options|reasons|completion|completion-zsh|completion-fish",
	 "Print a part of the documentation that the program generates: the columns of all tables "
	 "as CSV (columns) or as roff (tables), the options or the reasons for missing names as "
	 "roff, or the completion for bash, zsh or fish."},
	/* accepted but not listed; see main/habits.h */
	{.key = COMMAND_TABLES},
	{'i', "input", "FILE", NULL},
	{'s', "sort", "KEYS", NULL},
	{'g', "call-graph", NULL, NULL},
	{OPT_STDIO, "stdio", NULL, NULL},
	{OPT_WITH_CHILDREN, "children", NULL, NULL},
	{OPT_WITHOUT_CHILDREN, "no-children", NULL, NULL},
};

enum { NR_OPTIONS = sizeof(options) / sizeof(options[0]) };

_Static_assert((int)NR_OPTIONS <= (int)OPTIONLIST_MAX, "there is room for all of them");

size_t optionlist_of(enum command command, struct option_spec to[OPTIONLIST_MAX])
{
	return options_select(options, NR_OPTIONS, command, to);
}

static const struct option_spec *find_option(int key)
{
	const struct option_spec *option = options;

	while (option->key != key || !option->name)
		option++;
	return option;
}

const char *optionlist_name(int key)
{
	return find_option(key)->name;
}

int optionlist_choice(int key, const char *arg, struct error *err)
{
	const struct option_spec *option = find_option(key);

	return option_choice(option->name, arg, option->arg, err);
}
