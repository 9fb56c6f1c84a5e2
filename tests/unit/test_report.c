/* The tables from hand-made results, byte for byte, and their all or nothing. */
#include "report/report.h"
#include "report/table.h"

#include "tests/support/handmade.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* ---- results ----------------------------------------------------------------------------------
 */

static const struct cpu_stat cycles_cpus[] = {
	{.total = {4, 2000}, .cpu = 0, .has_cpu = true},
	{.total = {3, 1000},
	 .lost = 5,
	 .throttled = 2,
	 .unthrottled = 1,
	 .cpu = 9,
	 .has_cpu = true},
	{.lost_samples = 6},
};
static const struct cpu_stat loads_cpus[] = {{.total = {1, 0}}};
static const struct cpu_stat no_cpus[] = {{.lost = 0}};

static const struct event_stat events[] = {
	{.event = &handmade_cycles, .total = {7, 3000}, .cpus = cycles_cpus, .nr_cpus = 3},
	{.event = &handmade_loads, .total = {1, 0}, .pmu = "cpu", .cpus = loads_cpus, .nr_cpus = 1},
	{.event = &handmade_nothing, .cpus = no_cpus, .nr_cpus = 1},
};

static const struct fact header[] = {
	{"hostname", "vm"},
	{"cmdline", "perf record -e a,b"},
	{"meta_info.x", "-1"},
};

static const struct binary_stat binaries[] = {
	{&handmade_cycles,
	 "/usr/bin/app",
	 "0a1b",
	 {3, 2000},
	 1,
	 "outside-symbols",
	 1,
	 "/usr/bin/app",
	 "recorded-path",
	 "/d/app.debug",
	 "debug-link",
	 "/d/a: missing; /d/b: truncated",
	 NULL,
	 "install its debug symbols",
	 "newer",
	 "",
	 "eh_frame",
	 0,
	 false},
	{&handmade_cycles,
	 "=gone",
	 "",
	 {4, 1000},
	 4,
	 "file-missing",
	 4,
	 "",
	 "",
	 "",
	 "",
	 "=gone: missing",
	 NULL,
	 "",
	 "",
	 "",
	 "",
	 0,
	 false},
};

static const struct line_stat lines[] = {
	{&handmade_cycles,
	 "/usr/bin/app",
	 "/src/a,b.cc",
	 43,
	 {3, 2000},
	 "0a1b",
	 "",
	 "=f()",
	 "\tx = \"\xff\";"},
	{&handmade_cycles,
	 "/usr/bin/app",
	 "/src/a,b.cc",
	 0,
	 {3, 500},
	 "0a1b",
	 "no-line",
	 "main",
	 ""},
	{&handmade_cycles, "/gone\nfile", "", 0, {1, 500}, "", "file-missing", "[unknown]", ""},
	{&handmade_loads, "/usr/bin/app", "b.c", 1, {1, 0}, "0a1b", "", "main", "-1;"},
};

static const struct path_stat paths[] = {
	{&handmade_functions[1], PATH_NO_PARENT, 0, {3, 500}, {6, 2500}, "stack-cut", true, false},
	{&handmade_functions[0], 0, 1, {3, 2000}, {3, 2000}, "stack-cut", true, true},
	{&handmade_functions[2], PATH_NO_PARENT, 0, {1, 500}, {1, 500}, "complete", false, false},
	{&handmade_functions[3], PATH_NO_PARENT, 0, {1, 0}, {1, 0}, "missing", false, false},
};

static const struct call_stat calls[] = {
	{.callee = &handmade_functions[1],
	 .end = "stack-cut",
	 .cut = true,
	 .total = {6, 2500},
	 .self = {3, 500}},
	{.caller = &handmade_functions[1],
	 .callee = &handmade_functions[0],
	 .end = "",
	 .inlined = true,
	 .recursive = true,
	 .total = {3, 2000},
	 .self = {2, 1500}},
	{.caller = &handmade_functions[2],
	 .callee = &handmade_functions[2],
	 .end = "",
	 .total = {1, 500},
	 .self = {1, 500}},
	{.callee = &handmade_functions[3], .end = "", .total = {1, 0}, .self = {1, 0}},
};

static const struct address_stat addresses[] = {
	{&handmade_cycles,
	 "/gone\nfile",
	 16,
	 "[unknown]",
	 0,
	 "",
	 0,
	 {1, 500},
	 "[unknown]",
	 false,
	 "",
	 "file-missing",
	 NULL,
	 "",
	 NULL,
	 "the binary was not found"},
	{&handmade_cycles,
	 "/usr/bin/app",
	 0x401000,
	 "=f()",
	 0x1f,
	 "/src/a,b.cc",
	 43,
	 {6, 2500},
	 "main",
	 true,
	 "0a1b",
	 "",
	 NULL,
	 "callq 0x401000 <=f()>",
	 NULL,
	 ""},
	{&handmade_loads,
	 "/usr/bin/app",
	 0x401000,
	 "main",
	 0,
	 "",
	 0,
	 {1, 0},
	 "main",
	 true,
	 "0a1b",
	 "no-lines",
	 NULL,
	 "movl %eax, 4(%rdi)",
	 NULL,
	 ""},
};

static const struct tally idle[] = {{0, 0}, {0, 0}, {0, 0}};
static const struct tally busy[] = {{6, 2500}, {1, 0}, {0, 0}};
static const struct tally unknown[] = {{1, 500}, {0, 0}, {0, 0}};
static const uint32_t numbers[] = {0, 1, 2};

static const struct process_stat processes[] = {
	{.pid = -1, .comm = "", .exe = "", .by_event = unknown, .events = numbers, .nr_events = 1},
	{.pid = 7,
	 .comm = "sh",
	 .nr_mmaps = 3,
	 .threads = 1,
	 .exe = "/bin/sh",
	 .by_event = idle,
	 .has_exit = true,
	 .exit = 900},
	{.pid = 7,
	 .comm = "-login",
	 .nr_mmaps = 12,
	 .threads = 2,
	 .exe = "/usr/bin/app",
	 .by_event = busy,
	 .events = numbers,
	 .nr_events = 2,
	 .has_fork = true,
	 .fork = 0,
	 .has_exit = true,
	 .exit = 2000,
	 .has_ppid = true,
	 .ppid = 0},
};

static const struct thread_stat threads[] = {
	{.pid = -1,
	 .tid = -1,
	 .comm = "",
	 .process_comm = "",
	 .exe = "",
	 .by_event = unknown,
	 .events = numbers,
	 .nr_events = 1},
	{.pid = 7,
	 .tid = 8,
	 .comm = "worker",
	 .process_comm = "-login",
	 .exe = "/usr/bin/app",
	 .by_event = busy,
	 .events = numbers,
	 .nr_events = 2,
	 .has_fork = true,
	 .fork = 5,
	 .has_exit = true,
	 .exit = 900},
};

/* Rows one at a time, from an array; the reading of them fails where it is told to. */
struct listed {
	const void *array;
	size_t size, nr, at;
	size_t broken_at; /* 0: nowhere */
};

static int start_rows(void *arg, struct error *err)
{
	(void)err;
	((struct listed *)arg)->at = 0;
	return 0;
}

static int next_row(void *arg, void *row, struct error *err)
{
	struct listed *rows = arg;

	if (rows->broken_at && rows->at == rows->broken_at)
		return error_set(err, ERROR_IO, "/tmp: cannot read a temporary file: No luck");
	if (rows->at == rows->nr)
		return 0;
	memcpy(row, (const char *)rows->array + rows->at++ * rows->size, rows->size);
	return 1;
}

static struct listed process_rows = {processes, sizeof(processes[0]), 3, 0, 0};
static struct listed thread_rows = {threads, sizeof(threads[0]), 2, 0, 0};

static const struct record_stat records[] = {
	{"MMAP", 0}, {"SAMPLE", 8}, {"UNKNOWN_200", 1}, {"[lost]", 0}, {"[truncated bytes]", 17},
};

/* Of the vendor's names only the second event has one. */
static const char *const meanings[] = {"", "MEM_TRANS_RETIRED.LOAD_LATENCY:0x1e", ""};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static const struct results results = {
	.events = events,
	.nr_events = NR(events),
	.sampled = numbers,
	.nr_sampled = 2,
	.functions = handmade_functions,
	.nr_functions = HANDMADE_FUNCTIONS,
	.answered =
		{
			{&linestat_lines, {.first = lines, .nr = NR(lines)}},
			{&linestat_instructions, {.first = addresses, .nr = NR(addresses)}},
			{&processstat_lives, {.source = {&process_rows, start_rows, next_row}}},
			{&processstat_thread_lives,
			 {.source = {&thread_rows, start_rows, next_row}}},
			{&recordstat_records, {.first = records, .nr = NR(records)}},
			{&binarystat_binaries, {.first = binaries, .nr = NR(binaries)}},
			{&headerstat_facts, {.first = header, .nr = NR(header)}},
			{&pathstat_paths, {.first = paths, .nr = NR(paths)}},
			{&pathstat_calls, {.first = calls, .nr = NR(calls)}},
			{&eventmeaning_names, {.first = meanings, .nr = NR(meanings)}},
		},
};

#define STAT "record,count\nMMAP,0\nSAMPLE,8\nUNKNOWN_200,1\n[lost],0\n[truncated bytes],17\n"

#define TRACE_HEADER                                                                     \
	"event,pid,comm,binary,function,filename,line,instructions,percent,calls,jumps," \
	"time_ns,cycles,ipc,children_instructions,children_time_ns,children_cycles,"     \
	"min_call_ns,max_call_ns,clock,reason,build_id\n"
#define SPE_HEADER                                                                             \
	"event,pid,comm,binary,function,filename,line,records,percent,operations,latency_avg," \
	"issue_latency_avg,translation_latency_avg,reason,build_id\n"
#define TRACELOSS_HEADER "event,cpu,tid,kind,binary,time,ip,count,bytes,lost_ns\n"
#define RESULTS_HEADER                                                                \
	"period,samples,filename,function,event,binary,percent,line,children_period," \
	"children_samples,children_percent,build_id,reason,inlined_period,inlined_samples,size\n"

#define RESULTS(guard)                                                                         \
	RESULTS_HEADER                                                                         \
	"2000,3,\"/src/a,b.cc\",\"ns::f(int, char const*)\",cycles:u,/usr/bin/app,66.6667,42," \
	"2500,4,83.3333,0a1b,,,,96\n"                                                          \
	"500,3,," guard "=cmd|' /C calc'!A0,cycles:u,[kernel.kallsyms],16.6667,,"              \
	"500,3,16.6667,,,,,\n"                                                                 \
	"500,1,,[unknown],cycles:u,\"/gone\nfile\",16.6667,,500,1,16.6667,,file-missing,,,\n"  \
	"0,1,b.c,b\xef\xbf\xbdr\x1b[2J,\"cpu/mem-loads,ldlat=30/P\",/usr/bin/app,0.0000,1,"    \
	"0,1,0.0000,0a1b,,,,\n"

/* The same, with the innermost inlined functions counted. */
#define RESULTS_INLINED                                                                         \
	RESULTS_HEADER                                                                          \
	"2000,3,\"/src/a,b.cc\",\"ns::f(int, char const*)\",cycles:u,/usr/bin/app,66.6667,42,"  \
	"2500,4,83.3333,0a1b,,1500,2,96\n"                                                      \
	"500,3,,'=cmd|' /C calc'!A0,cycles:u,[kernel.kallsyms],16.6667,,"                       \
	"500,3,16.6667,,,0,0,\n"                                                                \
	"500,1,,[unknown],cycles:u,\"/gone\nfile\",16.6667,,500,1,16.6667,,file-missing,0,0,\n" \
	"0,1,b.c,b\xef\xbf\xbdr\x1b[2J,\"cpu/mem-loads,ldlat=30/P\",/usr/bin/app,0.0000,1,"     \
	"0,1,0.0000,0a1b,,0,0,\n"

#define LINES_HEADER                                                         \
	"event,binary,filename,line,samples,period,percent,build_id,reason," \
	"function,source\n"

#define LINES                                                                                      \
	LINES_HEADER "cycles:u,/usr/bin/app,\"/src/a,b.cc\",43,3,2000,66.6667,0a1b,,'=f(),\"'\tx " \
		     "= \"\"\xef\xbf\xbd\"\";\"\n"                                                 \
		     "cycles:u,/usr/bin/app,\"/src/a,b.cc\",,3,500,16.6667,0a1b,no-line,main,\n"   \
		     "cycles:u,\"/gone\nfile\",,,1,500,16.6667,,file-missing,[unknown],\n" LOADS   \
		     ",/usr/bin/app,b.c,1,1,0,0.0000,0a1b,,main,'-1;\n"

#define ADDRESSES_HEADER                                                                      \
	"event,binary,address,function,offset,filename,line,samples,period,percent,physical," \
	"build_id,reason,instruction\n"

#define ADDRESSES                                                                           \
	ADDRESSES_HEADER                                                                    \
	"cycles:u,\"/gone\nfile\",0x10,[unknown],,,,1,500,16.6667,,,file-missing,\n"        \
	"cycles:u,/usr/bin/app,0x401000,'=f(),0x1f,\"/src/a,b.cc\",43,6,2500,83.3333,main," \
	"0a1b,,callq 0x401000 <=f()>\n" LOADS                                               \
	",/usr/bin/app,0x401000,main,0x0,,,1,0,0.0000,main,0a1b,no-lines,\"movl %eax, 4(%rdi)\"\n"

#define CALLS_HEADER                                                                       \
	"event,caller_binary,caller,caller_filename,callee_binary,callee,callee_filename," \
	"samples,period,self_samples,self_period,percent,recursive,caller_build_id,"       \
	"callee_build_id,caller_reason,callee_reason,kind\n"

/* @call and @inlined: what stands in the column kind. */
#define CALLS(call, inlined)                                                                     \
	CALLS_HEADER                                                                             \
	"cycles:u,,[stack-cut],,[kernel.kallsyms],'=cmd|' /C calc'!A0,,6,2500,3,500,83.3333,0"   \
	",,,,," call "\n"                                                                        \
	"cycles:u,[kernel.kallsyms],'=cmd|' /C calc'!A0,,/usr/bin/app,"                          \
	"\"ns::f(int, char const*)\",\"/src/a,b.cc\",3,2000,2,1500,66.6667,1,,0a1b,,," inlined   \
	"\ncycles:u,\"/gone\nfile\",[unknown],,\"/gone\nfile\",[unknown],,1,500,1,500,16.6667,0" \
	",,,file-missing,file-missing," call "\n" LOADS                                          \
	",,[root],,/usr/bin/app,b\xEF\xBF\xBDr\x1b[2J,b.c,1,0,1,0,0.0000,0,,0a1b,,," call "\n"

#define COUNTERS_HEADER                                                           \
	"event,cpu,socket,core,pid,tid,comm,time,interval,value,enabled,running," \
	"running_percent,scaled,unit,unit_value\n"
#define RATIOS_HEADER                                                                            \
	"metric,function,filename,binary,old_value,new_value,unit,ratio,ci_low,ci_high,p_value," \
	"q_value,verdict,old_samples,new_samples,numerator_event,denominator_event\n"
#define METRICS_HEADER                                                                     \
	"function,binary,filename,metric,value,unit,numerator,denominator,samples,ci_low," \
	"ci_high,method,note,build_id,reason,numerator_event,denominator_event\n"
#define PATHS_HEADER                                                           \
	"event,path_id,parent_id,depth,binary,function,filename,self_samples," \
	"self_period,total_samples,total_period,end,percent,build_id,reason,kind\n"

#define PATHS(call, inlined)                                                                  \
	PATHS_HEADER                                                                          \
	"cycles:u,1,,0,[kernel.kallsyms],'=cmd|' /C "                                         \
	"calc'!A0,,3,500,6,2500,stack-cut,83.3333,,," call                                    \
	"\ncycles:u,2,1,1,/usr/bin/app,\"ns::f(int, char const*)\",\"/src/a,b.cc\",3,2000,3," \
	"2000,stack-cut,66.6667,0a1b,," inlined "\n"                                          \
	"cycles:u,3,,0,\"/"                                                                   \
	"gone\nfile\",[unknown],,1,500,1,500,complete,16.6667,,file-missing," call "\n" LOADS \
	",4,,0,/usr/bin/app,b\xEF\xBF\xBDr\x1b[2J,b.c,1,0,1,0,missing,0.0000,0a1b,," call "\n"

#define OVERVIEW_HEADER "nr,type,pid,tid,time,info,address,size,offset,period,cpu,event\n"

#define PROCESSES_HEADER "pid,comm,#mmap,fork,exit,samples,period,event,ppid,threads,exe,percent\n"

#define DIFF_HEADER                                                                           \
	"event,function,filename,binary,old_samples,new_samples,old_period,new_period,"       \
	"old_percent,new_percent,delta_percent,ratio,ci_low,ci_high,p_value,q_value,verdict," \
	"by,old_value,new_value,unit,line\n"
#define WIDE_HEADER "event,function,filename,binary\n" /* and the names of the runs */
#define THREADS_HEADER                                                                       \
	"pid,tid,comm,fork,exit,samples,period,event,process_comm,exe,on_cpu_ns,off_cpu_ns," \
	"delay_ns,switches,preemptions\n"
#define BRANCHES_HEADER                                                     \
	"event,from_binary,from_function,from_address,from_line,to_binary," \
	"to_function,to_address,to_line,type,priv,count,mispredicted,"      \
	"mispredict_percent,known_prediction,cycles,cycles_known,in_tx,aborts\n"
#define BLOCKS_HEADER                                                     \
	"event,binary,function,start,end,filename,line,count,cycles_sum," \
	"cycles_avg,cycles_percent\n"
#define MEMORY_HEADER                                                         \
	"event,binary,function,filename,op,source,snoop,tlb,locked,samples,"  \
	"period,latency_sum,latency_avg,latency_min,latency_max,latency_p50," \
	"latency_p99,inst_latency_avg,percent_weight,build_id,reason\n"
#define CACHELINES_HEADER                                                       \
	"data_binary,pid,line,offset,binary,function,filename,records,loads,"   \
	"stores,ld_hitm_local,ld_hitm_remote,peer,l1hit_stores,l1miss_stores,"  \
	"ram,tids,cpus,line_records,line_hitm,line_offsets,line_tids,build_id," \
	"reason\n"
#define OFFCPU_HEADER                                                            \
	"pid,comm,binary,function,filename,state,wait_ns,delay_ns,preempt_ns,"   \
	"count,max_ns,children_wait_ns,children_count,waits_in,source,build_id," \
	"reason\n"
#define SYSCALLS_HEADER "pid,comm,syscall,count,total_ns,avg_ns,max_ns,failed,unfinished\n"
#define RUN_HEADER                                                                              \
	"run,file,host,command,start,start_by,duration,kernel,machine,cpu,cpus,samples,events," \
	"lost,"                                                                                 \
	"damaged,truncated_bytes,perf,readperf,missing_bytes\n"
#define SLICES_HEADER                                                         \
	"event,slice_start,slice_ns,pid,comm,samples,period,binary,function," \
	"filename,cpu\n"

#define EVENTS_HEADER                                                                        \
	"event,type,config,frequency,sample_period,samples,period,lost,ids,sample_type,cpu," \
	"lost_samples,throttled,unthrottled,cut_samples,cut_period,cut_reason,"              \
	"caller_missing_samples,caller_missing_period,meaning\n"

#define EVENTS                                                                        \
	EVENTS_HEADER                                                                 \
	"cycles:u,hardware,0x0,4000,,4,2000,0,4,0x107,0,0,0,0,,,,,,\n"                \
	"cycles:u,hardware,0x0,4000,,3,1000,5,4,0x107,9,0,2,1,,,,,,\n"                \
	"cycles:u,hardware,0x0,4000,,0,0,0,4,0x107,,6,0,0,,,,,,\n" LOADS              \
	",cpu,0x1cd,,1,1,0,0,0,0x0,,0,0,0,,,,,,MEM_TRANS_RETIRED.LOAD_LATENCY:0x1e\n" \
	"faults,pmu8,0x0,,0,0,0,0,0,0x0,,0,0,0,,,,,,\n"

#define HEADER "key,value\nhostname,vm\ncmdline,\"perf record -e a,b\"\nmeta_info.x,'-1\n"

#define BINARIES_HEADER                                                                            \
	"event,binary,build_id,samples,period,named_samples,unnamed_samples,reason,file,found_by," \
	"debug_file,debug_found_by,refused,doubt,unwound_by\n"

#define BINARIES                                                                                \
	BINARIES_HEADER                                                                         \
	"cycles:u,/usr/bin/app,0a1b,3,2000,2,1,outside-symbols,/usr/bin/app,"                   \
	"recorded-path,/d/app.debug,debug-link,/d/a: missing; /d/b: truncated,newer,eh_frame\n" \
	"cycles:u,'=gone,,4,1000,0,4,file-missing,,,,,'=gone: missing,,\n"

#define LOADS "\"cpu/mem-loads,ldlat=30/P\""

#define PROCESSES                                                                         \
	PROCESSES_HEADER "-1,,0,,,1,500,cycles:u,,0,,16.6667\n"                           \
			 "-1,,0,,,0,0," LOADS ",,0,,0.0000\n"                             \
			 "7,sh,3,,900,0,0,cycles:u,,1,/bin/sh,0.0000\n"                   \
			 "7,sh,3,,900,0,0," LOADS ",,1,/bin/sh,0.0000\n"                  \
			 "7,'-login,12,0,2000,6,2500,cycles:u,0,2,/usr/bin/app,83.3333\n" \
			 "7,'-login,12,0,2000,1,0," LOADS ",0,2,/usr/bin/app,0.0000\n"

#define STACKS_CYCLES                                                    \
	"[stack-cut];=cmd|' /C calc'!A0 3\n"                             \
	"[stack-cut];=cmd|' /C calc'!A0;ns::f(int, char const*)_[i] 3\n" \
	"[gone file] 1\n"

static struct report *open_report(const struct scratch_path *dir, unsigned tables, bool raw)
{
	struct report_settings settings = {.dir = dir->text, .tables = tables, .raw = raw};
	struct error err = {0};
	struct report *report = report_open(&settings, &err);

	ck_assert_msg(report, "%s", err.text);
	return report;
}

static void finish(struct report *report, const struct results *what)
{
	struct error err = {0};

	ck_assert_msg(report_finish(report, what, &err) == 0, "%s", err.text);
	report_close(report);
}

static void check_table(const struct scratch_path *dir, const char *name, const char *expected)
{
	char *text = scratch_read(dir->text, name);

	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(tables_of_results)
{
	struct scratch_path dir = scratch_make();

	finish(open_report(&dir, REPORT_ALL & ~REPORT_BIT(overview), false), &results);
	ck_assert_uint_eq(scratch_entries(dir.text), REPORT_NR_TABLES - 1);
	check_table(&dir, "stat.csv", STAT);
	check_table(&dir, "processes.csv", PROCESSES);
	check_table(&dir, "results.csv", RESULTS("'"));
	check_table(&dir, "events.csv", EVENTS);
	check_table(&dir, "header.csv", HEADER);
	check_table(&dir, "binaries.csv", BINARIES);
	check_table(&dir, "lines.csv", LINES);
	check_table(&dir, "addresses.csv", ADDRESSES);
	check_table(&dir, "calls.csv", CALLS("", ""));
	check_table(&dir, "paths.csv", PATHS("", ""));
	scratch_remove(dir.text);
}
END_TEST

/* Once for each event, so that rows can be added up. */
START_TEST(events_tell_of_cut_chains)
{
	struct scratch_path dir = scratch_make();
	struct event chained = handmade_cycles;
	struct event_stat stats[] = {results.events[0], results.events[1]};
	struct results cut = results;

	chained.chains = true;
	stats[0].event = &chained;
	stats[0].cut = (struct tally){2, 700};
	stats[0].cut_reason = "stack-cut";
	stats[0].caller_missing = (struct tally){1, 300};
	cut.events = stats;
	cut.nr_events = 2;
	finish(open_report(&dir, REPORT_BIT(events), false), &cut);
	check_table(&dir, "events.csv",
		    EVENTS_HEADER
		    "cycles:u,hardware,0x0,4000,,4,2000,0,4,0x107,0,0,0,0,2,700,stack-cut,1,300,\n"
		    "cycles:u,hardware,0x0,4000,,3,1000,5,4,0x107,9,0,2,1,,,,,,\n"
		    "cycles:u,hardware,0x0,4000,,0,0,0,4,0x107,,6,0,0,,,,,,\n" LOADS
		    ",cpu,0x1cd,,1,1,0,0,0,0x0,,0,0,0,,,,,,MEM_TRANS_RETIRED.LOAD_LATENCY:0x1e\n");
	scratch_remove(dir.text);
}
END_TEST

START_TEST(results_tell_how_inlined_functions_were_counted)
{
	struct scratch_path dir = scratch_make();
	struct results inlined = results;

	inlined.inlined = true;
	finish(open_report(&dir, REPORT_BIT(results) | REPORT_BIT(calls) | REPORT_BIT(paths),
			   false),
	       &inlined);
	check_table(&dir, "results.csv", RESULTS_INLINED);
	check_table(&dir, "calls.csv", CALLS("call", "inline"));
	check_table(&dir, "paths.csv", PATHS("call", "inline"));
	scratch_remove(dir.text);
}
END_TEST

START_TEST(raw_tables_have_no_guard)
{
	struct scratch_path dir = scratch_make();

	finish(open_report(&dir, REPORT_BIT(results), true), &results);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	check_table(&dir, "results.csv", RESULTS(""));
	scratch_remove(dir.text);
}
END_TEST

START_TEST(filtered_processes)
{
	struct scratch_path dir = scratch_make();
	struct results filtered = results;

	filtered.filtered = true;
	finish(open_report(&dir, REPORT_BIT(processes), true), &filtered);
	check_table(&dir, "processes.csv",
		    PROCESSES_HEADER "-1,,0,,,1,500,cycles:u,,0,,16.6667\n"
				     "7,-login,12,0,2000,6,2500,cycles:u,0,2,/usr/bin/app,83.3333\n"
				     "7,-login,12,0,2000,1,0," LOADS ",0,2,/usr/bin/app,0.0000\n");
	scratch_remove(dir.text);
}
END_TEST

START_TEST(processes_without_any_sample)
{
	static const struct event_stat silent[] = {{.event = &handmade_cycles, .total = {0, 0}},
						   {.event = &handmade_loads, .total = {0, 0}}};
	struct listed idle_rows = {&processes[1], sizeof(processes[1]), 1, 0, 0};
	struct scratch_path dir = scratch_make();
	struct results quiet = {
		.events = silent,
		.nr_events = 2,
		.sampled = numbers,
		.nr_sampled = 1,
		.answered = {{&processstat_lives, {.source = {&idle_rows, start_rows, next_row}}}},
	};

	finish(open_report(&dir, REPORT_BIT(processes) | REPORT_BIT(results), false), &quiet);
	check_table(&dir, "processes.csv",
		    PROCESSES_HEADER "7,sh,3,,900,0,0,cycles:u,,1,/bin/sh,0.0000\n");
	check_table(&dir, "results.csv", RESULTS_HEADER);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(threads_by_event)
{
	struct scratch_path dir = scratch_make();

	finish(open_report(&dir, REPORT_BIT(threads), false), &results);
	check_table(&dir, "threads.csv",
		    THREADS_HEADER "-1,-1,,,,1,500,cycles:u,,,,,,,\n"
				   "-1,-1,,,,0,0," LOADS ",,,,,,,\n"
				   "7,8,worker,5,900,6,2500,cycles:u,'-login,/usr/bin/app,,,,,\n"
				   "7,8,worker,5,900,1,0," LOADS ",'-login,/usr/bin/app,,,,,\n");
	scratch_remove(dir.text);
}
END_TEST

/* Lives with many events: rows of their own events, not of all. */
START_TEST(events_of_lives)
{
	static uint32_t sampled[TABLE_EVENTS_MAX + 1];
	const uint32_t own[] = {3, 7};
	struct results many = {.sampled = sampled, .nr_sampled = TABLE_EVENTS_MAX};

	for (uint32_t i = 0; i <= TABLE_EVENTS_MAX; i++)
		sampled[i] = i + 1;
	ck_assert_uint_eq(table_events_of_life(&many, own, 2).nr, TABLE_EVENTS_MAX);
	ck_assert_uint_eq(table_events_of_life(&many, NULL, 0).nr, TABLE_EVENTS_MAX);
	many.nr_sampled++;
	ck_assert_ptr_eq(table_events_of_life(&many, own, 2).numbers, own);
	ck_assert_uint_eq(table_events_of_life(&many, own, 2).nr, 2);
	ck_assert_uint_eq(table_events_of_life(&many, NULL, 0).nr, 1);
	ck_assert_uint_eq(table_events_of_life(&many, NULL, 0).numbers[0], 1);
	many.filtered = true;
	ck_assert_uint_eq(table_events_of_life(&many, NULL, 0).nr, 0);
}
END_TEST

/* Rows that cannot be read again make no table that lacks them. */
START_TEST(rows_that_are_gone)
{
	struct listed broken = {processes, sizeof(processes[0]), 3, 0, 2};
	struct results lost = results;
	struct scratch_path dir = scratch_make();
	struct report *report = open_report(&dir, REPORT_BIT(processes) | REPORT_BIT(stat), false);
	struct error err = {0};

	lost.answered[2].rows.source.arg = &broken; /* processes */
	ck_assert_int_eq(report_finish(report, &lost, &err), -1);
	ck_assert_str_eq(err.text, "/tmp: cannot read a temporary file: No luck");
	report_close(report);
	ck_assert_uint_eq(scratch_entries(dir.text), 0);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(records_without_an_overview)
{
	const struct record rec = {.type = RECORD_FINISHED_ROUND};
	struct scratch_path dir = scratch_make();
	struct report *report = open_report(&dir, REPORT_BIT(stat), false);
	struct error err;

	ck_assert_int_eq(report_record(report, &rec, &err), 0);
	finish(report, &results);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	check_table(&dir, "stat.csv", STAT);
	scratch_remove(dir.text);
}
END_TEST

/* ---- all or nothing ---------------------------------------------------------------------------
 */

START_TEST(no_tables_need_no_directory)
{
	struct scratch_path dir = scratch_make(), missing = scratch_join(dir.text, "missing");

	finish(open_report(&missing, 0, false), &results);
	ck_assert_uint_eq(scratch_entries(dir.text), 0);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(closed_without_finish_leaves_the_old_tables)
{
	struct scratch_path dir = scratch_make();
	struct report *report;

	scratch_write(dir.text, "stat.csv", "record,count\nold,1\n");
	report = open_report(&dir, REPORT_ALL, false);
	report_close(report);
	report_close(NULL);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	check_table(&dir, "stat.csv", "record,count\nold,1\n");
	scratch_remove(dir.text);
}
END_TEST

/* Each update puts the tables in place; the overview stays the same file. */
START_TEST(updates_are_in_place)
{
	static const struct record_stat more[] = {{"SAMPLE", 9}};
	const struct results later = {
		.answered = {{&recordstat_records, {.first = more, .nr = 1}}}};
	struct scratch_path dir = scratch_make(), overview = scratch_join(dir.text, "overview.csv");
	struct report *report = open_report(&dir, REPORT_BIT(stat) | REPORT_BIT(overview), false);
	struct error err = {0};
	struct stat first, second;
	char *text;

	ck_assert_int_eq(report_update(report, &results, &err), 0);
	ck_assert_uint_eq(scratch_entries(dir.text), 2);
	check_table(&dir, "stat.csv", STAT);
	text = scratch_read(dir.text, "overview.csv");
	ck_assert_str_eq(text + strlen(text) - 6, "event\n");
	free(text);
	ck_assert_int_eq(stat(overview.text, &first), 0);
	ck_assert_int_eq(report_update(report, &later, &err), 0);
	check_table(&dir, "stat.csv", "record,count\nSAMPLE,9\n");
	ck_assert_int_eq(stat(overview.text, &second), 0);
	ck_assert_uint_eq(first.st_ino, second.st_ino);
	ck_assert(report_vanishes(report));
	report_close(report);
	ck_assert_uint_eq(scratch_entries(dir.text), 2);
	check_table(&dir, "stat.csv", "record,count\nSAMPLE,9\n");
	scratch_remove(dir.text);
}
END_TEST

/* The @results as long as only the first @nr of two events have samples. */
static struct results with_samples(uint32_t nr)
{
	static const uint32_t sampled[] = {0, 1};
	struct results some = results;

	some.sampled = sampled;
	some.nr_sampled = nr;
	return some;
}

/* Opens a report that exports folded stacks into @dir. */
static struct report *open_stacks(const struct scratch_path *dir)
{
	struct report_settings settings = {.dir = dir->text};
	struct error err = {0};
	struct report *report;

	ck_assert_int_eq(runexport_parse("folded", &settings.run_exports.chosen, &err), 0);
	report = report_open(&settings, &err);
	ck_assert_msg(report, "%s", err.text);
	return report;
}

/* A file is called after its event once another event has samples, too. */
START_TEST(updates_leave_no_earlier_names)
{
	const struct results one = with_samples(1), both = with_samples(2);
	struct scratch_path dir = scratch_make();
	struct report *report = open_stacks(&dir);
	struct error err = {0};

	ck_assert_int_eq(report_update(report, &one, &err), 0);
	ck_assert_int_eq(report_update(report, &one, &err), 0);
	check_table(&dir, "stacks.folded", STACKS_CYCLES);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	ck_assert_int_eq(report_update(report, &both, &err), 0);
	check_table(&dir, "stacks.cycles_u.folded", STACKS_CYCLES);
	ck_assert_uint_eq(scratch_entries(dir.text), 2);
	finish(report, &one);
	check_table(&dir, "stacks.folded", STACKS_CYCLES);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	scratch_remove(dir.text);
}
END_TEST

/* What stood there before, or has been put there since, is not the report's. */
START_TEST(updates_remove_only_their_own_names)
{
	const struct results one = with_samples(1), both = with_samples(2);
	struct scratch_path dir = scratch_make();
	struct report *report;
	struct error err = {0};

	scratch_write(dir.text, "stacks.folded", "old 1\n");
	report = open_stacks(&dir);
	ck_assert_int_eq(report_update(report, &both, &err), 0);
	check_table(&dir, "stacks.folded", "old 1\n");
	ck_assert_int_eq(report_update(report, &one, &err), 0);
	check_table(&dir, "stacks.folded", STACKS_CYCLES);
	scratch_write(dir.text, "stacks.folded", "another 1\n");
	finish(report, &both);
	check_table(&dir, "stacks.folded", "another 1\n");
	ck_assert_uint_eq(scratch_entries(dir.text), 3);
	scratch_remove(dir.text);
}
END_TEST

/* The third table is refused its bytes when the first two are complete already. */
START_TEST(one_table_too_long_leaves_all_old_ones)
{
	struct scratch_path dir = scratch_make();
	struct report *report;
	struct rlimit limit;
	char expected[512];
	struct error err;

	scratch_write(dir.text, "stat.csv", "record,count\nold,1\n");
	scratch_write(dir.text, "results.csv", RESULTS_HEADER "old\n");
	report = open_report(&dir, REPORT_ALL, false);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = sizeof(STAT) + sizeof(OVERVIEW_HEADER);
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_int_eq(report_finish(report, &results, &err), -1);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	snprintf(expected, sizeof(expected), "%s/processes.csv: cannot be written: File too large",
		 dir.text);
	ck_assert_str_eq(err.text, expected);
	report_close(report);
	ck_assert_uint_eq(scratch_entries(dir.text), 2);
	check_table(&dir, "stat.csv", "record,count\nold,1\n");
	check_table(&dir, "results.csv", RESULTS_HEADER "old\n");
	scratch_remove(dir.text);
}
END_TEST

static const struct {
	const char *there; /* the file that stands at the name of overview.csv */
	bool own;
} standing[] = {
	{"", true},
	{OVERVIEW_HEADER, true},
	{OVERVIEW_HEADER "0,MMAP,1\n", true},
	{"nr,type,pid,tid\nmore\n", true}, /* of an older version */
	{"nr,type\n", true},
	{"nr\n", false},
	{"nr,type,\n", false},
	{"nr,type", false},
	{"nr,typ\n", false},
	{"nr,types\n", false},
	{"nr,type,tid\n", false},
	{"nr,type,pid,tid,time,info,address,size,offset,period,cpu,event,mine\n", false},
	{"nr,type\r\n", false},
	{"\n" OVERVIEW_HEADER, false},
	{"a thesis\n", false},
};

/* What stands at a table's name is replaced if it is that table, and else by force. */
START_TEST(only_own_tables_are_replaced)
{
	struct scratch_path dir = scratch_make();
	struct report_settings settings = {.dir = dir.text, .tables = REPORT_BIT(overview)};
	struct report *report;
	char expected[512];
	struct error err;

	snprintf(expected, sizeof(expected),
		 "%s/overview.csv: is not replaced: its first line is not the header of this "
		 "table; --force replaces it; --output=DIR writes elsewhere",
		 dir.text);
	scratch_write(dir.text, "overview.csv", standing[_i].there);
	report = report_open(&settings, &err);
	if (!standing[_i].own)
		ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(report != NULL, standing[_i].own);
	report_close(report);
	check_table(&dir, "overview.csv", standing[_i].there);
	settings.force = true;
	report = report_open(&settings, &err);
	finish(report, &results);
	check_table(&dir, "overview.csv", OVERVIEW_HEADER);
	scratch_remove(dir.text);
}
END_TEST

START_TEST(an_unusable_place_is_known_at_once)
{
	struct scratch_path dir = scratch_make();
	struct report_settings settings = {.dir = dir.text, .tables = REPORT_ALL};
	char expected[512];
	struct error err;

	ck_assert_int_eq(mkdir(scratch_join(dir.text, "processes.csv").text, 0777), 0);
	ck_assert_ptr_null(report_open(&settings, &err));
	snprintf(expected, sizeof(expected),
		 "%s/processes.csv: cannot be replaced: Is a directory; --output=DIR writes "
		 "elsewhere",
		 dir.text);
	ck_assert_str_eq(err.text, expected);
	ck_assert_uint_eq(scratch_entries(dir.text), 1);
	scratch_remove(dir.text);
}
END_TEST

struct list {
	const char *text;
	int rc;
	unsigned tables;
};

static const struct list lists[] = {
	{"results", 0, REPORT_BIT(results)},
	{"results,stat", 0, REPORT_BIT(results) | REPORT_BIT(stat)},
	{"overview,processes,overview", 0, REPORT_BIT(overview) | REPORT_BIT(processes)},
	{"all", 0, REPORT_ALL},
	{"events", 0, REPORT_BIT(events)},
	{"binaries", 0, REPORT_BIT(binaries)},
	{"header,events,stat", 0, REPORT_BIT(header) | REPORT_BIT(events) | REPORT_BIT(stat)},
	{"none", 0, 0},
	{"", -1, 0},
	{"result", -1, 0},
	{"results,", -1, 0},
	{"results stat", -1, 0},
};

START_TEST(lists_of_tables)
{
	unsigned tables = 0;
	struct error err = {0};

	ck_assert_int_eq(report_parse_tables(lists[_i].text, &tables, &err), lists[_i].rc);
	ck_assert_uint_eq(tables, lists[_i].tables);
	ck_assert_int_eq(err.kind, lists[_i].rc < 0 ? ERROR_USAGE : ERROR_NONE);
}
END_TEST

START_TEST(an_unknown_table_is_named)
{
	unsigned tables;
	struct error err;

	ck_assert_int_eq(report_parse_tables("stat,foo,bar", &tables, &err), -1);
	ck_assert_str_eq(err.text,
			 "option --tables: 'foo' is not one of stat, overview, processes, "
			 "results, events, header, threads, binaries, lines, addresses, "
			 "calls, paths, counters, metrics, branches, blocks, memory, cachelines, "
			 "offcpu, syscalls, slices, trace, traceloss, spe, run, all, none");
}
END_TEST

/* Whether a table has a column of source files; overview.csv's are those of maps. */
static bool has_filenames(const struct table *table)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		if (strstr(table->columns[i].name, "filename") &&
		    strcmp(table->name, "overview") != 0)
			return true;
	return false;
}

/* Source files are looked up for the tables and exports that show them, or what was found of them.
 */
START_TEST(needs_of_sources)
{
	const unsigned names_only[] = {0, REPORT_BIT(stat) | REPORT_BIT(overview)};
	struct report_settings settings = {0};

	for (int i = 0; i < REPORT_NR_TABLES; i++) {
		settings.tables = 1u << i;
		ck_assert(report_needs_sources(&settings) || !has_filenames(table_list[i].table));
		settings = (struct report_settings){.if_any = 1u << i};
		ck_assert(report_needs_sources(&settings) || !has_filenames(table_list[i].table));
		settings = (struct report_settings){0};
	}
	settings.tables = REPORT_BIT(binaries);
	ck_assert(report_needs_sources(&settings));
	for (size_t i = 0; i < NR(names_only); i++)
		for (int form = 0; form < NR_RUNEXPORTS; form++) {
			const char *name = runexport_forms[form].name;

			settings.tables = names_only[i];
			settings.run_exports.chosen = 0;
			ck_assert(!report_needs_sources(&settings));
			settings.run_exports.chosen = 1u << form;
			/* Of tables, those that are exported if none is chosen. */
			ck_assert(report_needs_sources(&settings) ==
				  (strcmp(name, "folded") != 0 &&
				   !(i == 1 && runexport_forms[form].of_tables)));
		}
}
END_TEST

/* ---- what the columns mean ---------------------------------------------------------------------
 */

/* Each column of each header line is described, in its order, and nothing else is. */
START_TEST(every_column_is_described)
{
	static const char *const headers[][2] = {
		{"stat", "record,count\n"},
		{"overview", OVERVIEW_HEADER},
		{"processes", PROCESSES_HEADER},
		{"results", RESULTS_HEADER},
		{"events", EVENTS_HEADER},
		{"header", "key,value\n"},
		{"threads", THREADS_HEADER},
		{"binaries", BINARIES_HEADER},
		{"lines", LINES_HEADER},
		{"addresses", ADDRESSES_HEADER},
		{"calls", CALLS_HEADER},
		{"paths", PATHS_HEADER},
		{"counters", COUNTERS_HEADER},
		{"metrics", METRICS_HEADER},
		{"branches", BRANCHES_HEADER},
		{"blocks", BLOCKS_HEADER},
		{"memory", MEMORY_HEADER},
		{"cachelines", CACHELINES_HEADER},
		{"offcpu", OFFCPU_HEADER},
		{"syscalls", SYSCALLS_HEADER},
		{"slices", SLICES_HEADER},
		{"trace", TRACE_HEADER},
		{"traceloss", TRACELOSS_HEADER},
		{"spe", SPE_HEADER},
		{"run", RUN_HEADER},
		{"diff", DIFF_HEADER},
		{"wide", WIDE_HEADER},
		{"ratios", RATIOS_HEADER},
	};
	char *text = NULL, *line;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	report_describe_columns(out, REPORT_CSV);
	fclose(out);
	line = strtok(text, "\n");
	ck_assert_str_eq(line, "table,column,type,unit,meaning");
	for (size_t i = 0; i < NR(headers); i++) {
		for (const char *name = headers[i][1]; *name; name += strcspn(name, ",\n") + 1) {
			char start[64];

			snprintf(start, sizeof(start), "%s,%.*s,", headers[i][0],
				 (int)strcspn(name, ",\n"), name);
			line = strtok(NULL, "\n");
			ck_assert_ptr_nonnull(line);
			ck_assert_int_eq(strncmp(line, start, strlen(start)), 0);
		}
	}
	ck_assert_ptr_null(strtok(NULL, "\n"));
	free(text);
}
END_TEST

START_TEST(columns_for_the_manual)
{
	static const char start[] = ".SS stat.csv: one row per record type\n";
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	report_describe_columns(out, REPORT_ROFF);
	fclose(out);
	ck_assert_int_eq(strncmp(text, start, strlen(start)), 0);
	ck_assert_ptr_nonnull(
		strstr(text, "\n.TP\n\\fBline\\fR (u64)\nLine of the function's definition"));
	ck_assert_ptr_nonnull(strstr(text, "\n.TP\n\\fBpercent\\fR (decimal, %)\n"));
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tcase = tcase_create("report");

	tcase_add_test(tcase, tables_of_results);
	tcase_add_test(tcase, events_tell_of_cut_chains);
	tcase_add_test(tcase, results_tell_how_inlined_functions_were_counted);
	tcase_add_test(tcase, raw_tables_have_no_guard);
	tcase_add_test(tcase, filtered_processes);
	tcase_add_test(tcase, processes_without_any_sample);
	tcase_add_test(tcase, threads_by_event);
	tcase_add_test(tcase, events_of_lives);
	tcase_add_test(tcase, rows_that_are_gone);
	tcase_add_test(tcase, records_without_an_overview);
	tcase_add_test(tcase, no_tables_need_no_directory);
	tcase_add_test(tcase, closed_without_finish_leaves_the_old_tables);
	tcase_add_test(tcase, updates_are_in_place);
	tcase_add_test(tcase, updates_leave_no_earlier_names);
	tcase_add_test(tcase, updates_remove_only_their_own_names);
	tcase_add_test(tcase, one_table_too_long_leaves_all_old_ones);
	tcase_add_loop_test(tcase, only_own_tables_are_replaced, 0,
			    sizeof(standing) / sizeof(standing[0]));
	tcase_add_test(tcase, an_unusable_place_is_known_at_once);
	tcase_add_loop_test(tcase, lists_of_tables, 0, (int)NR(lists));
	tcase_add_test(tcase, an_unknown_table_is_named);
	tcase_add_test(tcase, needs_of_sources);
	tcase_add_test(tcase, every_column_is_described);
	tcase_add_test(tcase, columns_for_the_manual);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
