/*
 * The list of tables: the name of each, and the answer that it needs (decode/results/answers.h).
 *
 * For each line there is a file like report/table_stat.c, which defines table_NAME. Everything else
 * is made from the list: the words and the help of --tables, the requests to the replay, the manual
 * page.
 */
#ifndef READPERF_REPORT_TABLES_H
#define READPERF_REPORT_TABLES_H

/** Tables that are written by default. */
#define REPORT_DEFAULT_TABLES(X)        \
	X(stat, recordstat_records)     \
	X(overview, answer_core)        \
	X(processes, processstat_lives) \
	X(results, answer_core)

/** Tables that are written on request. */
#define REPORT_OTHER_TABLES(X)                \
	X(events, eventmeaning_names)         \
	X(header, headerstat_facts)           \
	X(threads, processstat_thread_lives)  \
	X(binaries, binarystat_binaries)      \
	X(lines, linestat_lines)              \
	X(addresses, linestat_instructions)   \
	X(calls, pathstat_calls)              \
	X(paths, pathstat_paths)              \
	X(counters, counterstat_counts)       \
	X(metrics, metricstat_metrics)        \
	X(branches, branchstat_branches)      \
	X(blocks, branchstat_blocks)          \
	X(memory, memorystat_accesses)        \
	X(cachelines, cachelinestat_accesses) \
	X(offcpu, offcpustat_waits)           \
	X(syscalls, syscallstat_calls)        \
	X(slices, slicestat_slices)           \
	X(trace, tracestat_functions)         \
	X(traceloss, tracestat_losses)        \
	X(spe, spestat_functions)             \
	X(run, runstat_run)

#define REPORT_TABLES(X) REPORT_DEFAULT_TABLES(X) REPORT_OTHER_TABLES(X)

#define REPORT_TABLE_COMMA(name, answer) #name ", "
#define REPORT_TABLE_BAR(name, answer)	 #name "|"

/** Strings of the names: "stat, overview, ", and with "|" all words of --tables. */
#define REPORT_DEFAULT_NAMES REPORT_DEFAULT_TABLES(REPORT_TABLE_COMMA)
#define REPORT_OTHER_NAMES   REPORT_OTHER_TABLES(REPORT_TABLE_COMMA)
#define REPORT_WORDS	     REPORT_TABLES(REPORT_TABLE_BAR) "all|none"

/** Tables that show no source files, nor what was found of them. */
#define REPORT_WITHOUT_SOURCES                                                                    \
	(REPORT_BIT(stat) | REPORT_BIT(overview) | REPORT_BIT(processes) | REPORT_BIT(events) |   \
	 REPORT_BIT(header) | REPORT_BIT(threads) | REPORT_BIT(counters) | REPORT_BIT(syscalls) | \
	 REPORT_BIT(traceloss) | REPORT_BIT(run))

/** The indices of the tables in the list. */
#define REPORT_TABLE_NUMBER(name, answer) REPORT_NUMBER_##name,
enum report_number { REPORT_TABLES(REPORT_TABLE_NUMBER) REPORT_NR_TABLES };

/** Bits that choose tables, such as REPORT_BIT(stat); the file of a table is NAME.csv. */
#define REPORT_BIT(name)	      (1u << REPORT_NUMBER_##name)
#define REPORT_TABLE_OR(name, answer) | REPORT_BIT(name)
#define REPORT_DEFAULT		      (0u REPORT_DEFAULT_TABLES(REPORT_TABLE_OR))
#define REPORT_ALL		      (0u REPORT_TABLES(REPORT_TABLE_OR))

#endif
