/*
 * The tables, a line each: name, and the answer that it needs of a run (decode/results.h).
 *
 * Behind a line here is a file with the table table_NAME, like report/table_stat.c. All else comes
 * from the lines: the words and the help of --tables, what is asked of the replay, the manual page.
 */
#ifndef READPERF_REPORT_TABLES_H
#define READPERF_REPORT_TABLES_H

/** Written unless --tables says otherwise. */
#define REPORT_DEFAULT_TABLES(X)        \
	X(stat, recordstat_records)     \
	X(overview, answer_core)        \
	X(processes, processstat_lives) \
	X(results, answer_core)

/** Written if they are asked for. */
#define REPORT_OTHER_TABLES(X)               \
	X(events, answer_core)               \
	X(header, headerstat_facts)          \
	X(threads, processstat_thread_lives) \
	X(binaries, binarystat_binaries)     \
	X(lines, linestat_lines)             \
	X(addresses, linestat_addresses)     \
	X(calls, pathstat_calls)             \
	X(paths, pathstat_paths)

#define REPORT_TABLES(X) REPORT_DEFAULT_TABLES(X) REPORT_OTHER_TABLES(X)

#define REPORT_TABLE_COMMA(name, answer) #name ", "
#define REPORT_TABLE_BAR(name, answer)	 #name "|"

/** Strings of their names: "stat, overview, ", and with "|" all words of --tables. */
#define REPORT_DEFAULT_NAMES REPORT_DEFAULT_TABLES(REPORT_TABLE_COMMA)
#define REPORT_OTHER_NAMES   REPORT_OTHER_TABLES(REPORT_TABLE_COMMA)
#define REPORT_WORDS	     REPORT_TABLES(REPORT_TABLE_BAR) "all|none"

/** The places of the tables in the list. */
#define REPORT_TABLE_NUMBER(name, answer) REPORT_NUMBER_##name,
enum report_number { REPORT_TABLES(REPORT_TABLE_NUMBER) REPORT_NR_TABLES };

/** Bits that choose tables; the file of a table is NAME.csv. REPORT_BIT(stat) is that of stat. */
#define REPORT_BIT(name)	      (1u << REPORT_NUMBER_##name)
#define REPORT_TABLE_OR(name, answer) | REPORT_BIT(name)
#define REPORT_DEFAULT		      (0u REPORT_DEFAULT_TABLES(REPORT_TABLE_OR))
#define REPORT_ALL		      (0u REPORT_TABLES(REPORT_TABLE_OR))

#endif
