/*
 * Processes and threads that begin, change and end in every order that a recording can show: the
 * exact tables of each, the same with all rows in memory and with each in a file.
 */
#include "tests/support/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>

#ifndef PERF_RECORD_MISC_COMM_EXEC
#define PERF_RECORD_MISC_COMM_EXEC (1 << 13)
#endif
#define MISC_FORK_EXEC (1 << 13) /* FORK that perf made up: the child has maps of its own */

static const uint64_t ids[] = {1, 2};
static struct mkperf *m;

static void setup(void)
{
	static const char *const names[] = {"clock", "faults"};

	m = mkperf_new(NULL);
	for (unsigned i = 0; i < 2; i++)
		mkperf_event(m, &(struct mkperf_event){
					.name = names[i],
					.type = PERF_TYPE_SOFTWARE,
					.config = i,
					.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
						       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
						       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CPU,
					.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					.ids = &ids[i],
					.nr_ids = 1,
				});
	mkperf_event_desc(m);
}

static struct mkperf_id at(uint32_t pid, uint32_t tid, uint64_t time)
{
	return (struct mkperf_id){.pid = pid, .tid = tid, .time = time};
}

static void comm(uint64_t time, uint32_t pid, uint32_t tid, const char *name)
{
	struct mkperf_id id = at(pid, tid, time);

	mkperf_comm(m, &id, 0, pid, tid, name);
}

static void exec(uint64_t time, uint32_t pid, uint32_t tid, const char *name)
{
	struct mkperf_id id = at(pid, tid, time);

	mkperf_comm(m, &id, PERF_RECORD_MISC_COMM_EXEC, pid, tid, name);
}

static void task(uint64_t time, uint16_t misc, uint32_t pid, uint32_t ppid, uint32_t tid,
		 uint32_t ptid)
{
	struct mkperf_id id = at(ppid, ptid, time);

	mkperf_fork(m, &id,
		    &(struct mkperf_task){.misc = misc,
					  .pid = pid,
					  .ppid = ppid,
					  .tid = tid,
					  .ptid = ptid,
					  .time = time});
}

/* A process, made by the first thread of @ppid. */
static void child(uint64_t time, uint32_t pid, uint32_t ppid)
{
	task(time, 0, pid, ppid, pid, ppid);
}

/* A thread, made by the first one of its process. */
static void thread(uint64_t time, uint32_t pid, uint32_t tid)
{
	task(time, 0, pid, pid, tid, pid);
}

static void leave(uint64_t time, uint32_t pid, uint32_t tid)
{
	struct mkperf_id id = at(pid, tid, time);

	mkperf_exit(m, &id, &(struct mkperf_task){.pid = pid, .tid = tid, .time = time});
}

static void map(uint64_t time, uint32_t pid, uint64_t start, const char *name)
{
	struct mkperf_id id = at(pid, pid, time);

	mkperf_mmap2(m, &id,
		     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
					   .pid = pid,
					   .tid = pid,
					   .start = start,
					   .len = 0x1000,
					   .filename = name,
					   .prot = 5});
}

static void sample(uint64_t time, uint32_t pid, uint32_t tid, uint64_t period)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = PERF_RECORD_MISC_USER,
						 .pid = pid,
						 .tid = tid,
						 .ip = 0x1800,
						 .time = time,
						 .period = period});
}

#define PROCESSES "pid,comm,#mmap,fork,exit,samples,period,event,ppid,threads,exe,percent\n"
#define THREADS                                                                              \
	"pid,tid,comm,fork,exit,samples,period,event,process_comm,exe,on_cpu_ns,off_cpu_ns," \
	"delay_ns,switches,preemptions\n"

/* Ends the recording: these are its tables. */
static void check(const char *processes, const char *threads)
{
	struct scratch_path dir = scratch_make(), path = scratch_join(dir.text, "perf.data");

	ck_assert(mkperf_save(m, path.text));
	for (int spilled = 0; spilled < 2; spilled++) {
		struct recording_tables tables;
		struct error err = {0};
		bool ok = spilled ? recording_read_tables_spilled(path.text, &tables, &err)
				  : recording_read_tables(path.text, &tables, &err);

		ck_assert_msg(ok, "%s", err.text);
		ck_assert_str_eq(tables.text[TABLE_PROCESSES], processes);
		ck_assert_str_eq(tables.text[TABLE_THREADS], threads);
		recording_tables_free(&tables);
	}
	scratch_remove(dir.text);
}

static void teardown(void)
{
	mkperf_free(m);
}

START_TEST(a_pid_is_used_again)
{
	comm(1, 10, 10, "sh");
	child(10, 11, 10);
	exec(11, 11, 11, "first");
	sample(12, 11, 11, 1);
	leave(13, 11, 11);
	sample(13, 11, 11, 2); /* on its way out */
	sample(14, 11, 11, 4); /* still, on another CPU */
	child(20, 11, 10);
	sample(21, 11, 11, 8);
	leave(22, 11, 11);
	check(PROCESSES "10,sh,0,,,0,0,clock,,1,,0.0000\n"
			"11,first,0,10,13,3,7,clock,10,1,,46.6667\n"
			"11,sh,0,20,22,1,8,clock,10,1,,53.3333\n",
	      THREADS "10,10,sh,,,0,0,clock,sh,,,,,,\n"
		      "11,11,first,10,13,3,7,clock,first,,,,,,\n"
		      "11,11,sh,20,22,1,8,clock,sh,,,,,,\n");
}
END_TEST

/* The EXIT was lost. perf forgets the old life in the same way, but it has no row of its own. */
START_TEST(a_pid_is_used_again_without_exit)
{
	comm(1, 10, 10, "sh");
	child(10, 11, 10);
	sample(12, 11, 11, 1);
	child(20, 11, 10);
	sample(21, 11, 11, 8);
	check(PROCESSES "10,sh,0,,,0,0,clock,,1,,0.0000\n"
			"11,sh,0,10,,1,1,clock,10,1,,11.1111\n"
			"11,sh,0,20,,1,8,clock,10,1,,88.8889\n",
	      THREADS "10,10,sh,,,0,0,clock,sh,,,,,,\n"
		      "11,11,sh,10,,1,1,clock,sh,,,,,,\n"
		      "11,11,sh,20,,1,8,clock,sh,,,,,,\n");
}
END_TEST

/* The FORK was lost: an ended process cannot start a program, so that must be another one. */
START_TEST(a_pid_is_used_again_without_fork)
{
	comm(1, 11, 11, "one");
	sample(12, 11, 11, 1);
	leave(13, 11, 11);
	exec(20, 11, 11, "two");
	map(21, 11, 0x1000, "/bin/none-two");
	sample(22, 11, 11, 8);
	check(PROCESSES "11,one,0,,13,1,1,clock,,1,,11.1111\n"
			"11,two,1,,,1,8,clock,,1,/bin/none-two,88.8889\n",
	      THREADS "11,11,one,,13,1,1,clock,one,,,,,,\n"
		      "11,11,two,,,1,8,clock,two,/bin/none-two,,,,,\n");
}
END_TEST

/* perf keeps threads by tid alone: the samples of both would be of the one that came last. */
START_TEST(a_tid_is_used_again_in_another_process)
{
	comm(1, 10, 10, "a");
	comm(1, 20, 20, "b");
	thread(5, 10, 30);
	sample(6, 10, 30, 1);
	leave(7, 10, 30);
	thread(8, 20, 30);
	sample(9, 20, 30, 2);
	sample(9, 10, 30, 4); /* late, from another CPU */
	check(PROCESSES "10,a,0,,,2,5,clock,,2,,71.4286\n"
			"20,b,0,,,1,2,clock,,2,,28.5714\n",
	      THREADS "10,10,a,,,0,0,clock,a,,,,,,\n"
		      "10,30,a,5,7,2,5,clock,a,,,,,,\n"
		      "20,20,b,,,0,0,clock,b,,,,,,\n"
		      "20,30,b,8,,1,2,clock,b,,,,,,\n");
}
END_TEST

/* The number of a process cannot be a thread's elsewhere while the process lives. */
START_TEST(a_pid_is_used_again_as_a_tid)
{
	comm(1, 10, 10, "a");
	comm(1, 20, 20, "b");
	sample(4, 20, 20, 1);
	thread(5, 10, 20);
	sample(6, 10, 20, 2);
	sample(7, 20, 20, 4); /* of nobody who is there */
	check(PROCESSES "-1,,0,,,1,4,clock,,1,,57.1429\n"
			"10,a,0,,,1,2,clock,,2,,28.5714\n"
			"20,b,0,,,1,1,clock,,1,,14.2857\n",
	      THREADS "-1,-1,,,,1,4,clock,,,,,,,\n"
		      "10,10,a,,,0,0,clock,a,,,,,,\n"
		      "10,20,a,5,,1,2,clock,a,,,,,,\n"
		      "20,20,b,,,1,1,clock,b,,,,,,\n");
}
END_TEST

START_TEST(a_tid_is_used_again_in_its_process)
{
	comm(1, 10, 10, "a");
	thread(5, 10, 30);
	comm(5, 10, 30, "worker");
	sample(6, 10, 30, 1);
	leave(7, 10, 30);
	thread(8, 10, 30);
	sample(9, 10, 30, 2);
	check(PROCESSES "10,a,0,,,2,3,clock,,3,,100.0000\n",
	      THREADS "10,10,a,,,0,0,clock,a,,,,,,\n"
		      "10,30,worker,5,7,1,1,clock,a,,,,,,\n"
		      "10,30,a,8,,1,2,clock,a,,,,,,\n");
}
END_TEST

/* Old versions of perf tell of threads in the order of /proc, the first one not always first. */
START_TEST(threads_before_their_process)
{
	sample(2, 10, 31, 1);
	thread(3, 10, 30);
	comm(4, 10, 30, "worker");
	sample(5, 10, 30, 2);
	sample(6, 10, 10, 4);
	comm(7, 10, 10, "main");
	check(PROCESSES "10,main,0,,,3,7,clock,,3,,100.0000\n",
	      THREADS "10,10,main,,,1,4,clock,main,,,,,,\n"
		      "10,30,worker,3,,1,2,clock,main,,,,,,\n"
		      "10,31,,,,1,1,clock,main,,,,,,\n");
}
END_TEST

START_TEST(a_fork_of_an_unknown_parent)
{
	child(5, 11, 10);
	sample(6, 11, 11, 1);
	sample(7, 10, 10, 2); /* nothing else tells of the parent */
	check(PROCESSES "-1,,0,,,1,2,clock,,1,,66.6667\n"
			"11,,0,5,,1,1,clock,10,1,,33.3333\n",
	      THREADS "-1,-1,,,,1,2,clock,,,,,,,\n"
		      "11,11,,5,,1,1,clock,,,,,,,\n");
}
END_TEST

/* What had the pid before the FORK is another process, of which nothing is known. */
START_TEST(samples_before_the_fork)
{
	comm(1, 10, 10, "sh");
	sample(4, 11, 11, 1);
	child(5, 11, 10);
	sample(6, 11, 11, 2);
	check(PROCESSES "-1,,0,,,1,1,clock,,1,,33.3333\n"
			"10,sh,0,,,0,0,clock,,1,,0.0000\n"
			"11,sh,0,5,,1,2,clock,10,1,,66.6667\n",
	      THREADS "-1,-1,,,,1,1,clock,,,,,,,\n"
		      "10,10,sh,,,0,0,clock,sh,,,,,,\n"
		      "11,11,sh,5,,1,2,clock,sh,,,,,,\n");
}
END_TEST

/*
 * A thread that is not the first calls exec: the others exit, and it goes on as the first. Its own
 * tid has no EXIT.
 */
START_TEST(exec_by_another_thread)
{
	comm(1, 10, 10, "old");
	map(1, 10, 0x1000, "/bin/none-old");
	thread(2, 10, 12);
	thread(3, 10, 13);
	comm(3, 10, 13, "caller");
	sample(4, 10, 12, 1);
	sample(4, 10, 13, 2);
	leave(5, 10, 12);
	leave(6, 10, 10);
	exec(7, 10, 10, "new");
	sample(8, 10, 10, 4);
	map(9, 10, 0x1000, "/bin/none-new");
	sample(10, 10, 10, 8);
	leave(11, 10, 10);
	check(PROCESSES "10,new,2,,11,4,15,clock,,4,/bin/none-new,100.0000\n",
	      THREADS "10,10,old,,6,0,0,clock,new,/bin/none-new,,,,,\n"
		      "10,10,new,,11,2,12,clock,new,/bin/none-new,,,,,\n"
		      "10,12,old,2,5,1,1,clock,new,/bin/none-new,,,,,\n"
		      "10,13,caller,3,,1,2,clock,new,/bin/none-new,,,,,\n");
}
END_TEST

/* The clock of the recording is too coarse to tell EXIT and exec apart. */
START_TEST(exec_by_another_thread_at_once)
{
	comm(1, 10, 10, "old");
	thread(2, 10, 13);
	leave(6, 10, 10);
	exec(6, 10, 10, "new");
	sample(8, 10, 10, 4);
	leave(11, 10, 10);
	check(PROCESSES "10,new,0,,11,1,4,clock,,3,,100.0000\n",
	      THREADS "10,10,old,,6,0,0,clock,new,,,,,,\n"
		      "10,10,new,,11,1,4,clock,new,,,,,,\n"
		      "10,13,old,2,,0,0,clock,new,,,,,,\n");
}
END_TEST

START_TEST(the_first_thread_exits_before_the_others)
{
	comm(1, 10, 10, "main");
	thread(2, 10, 12);
	leave(3, 10, 10);
	sample(4, 10, 12, 1);
	sample(5, 10, 12, 2);
	leave(6, 10, 12);
	comm(7, 20, 20, "open"); /* goes on when the recording ends */
	thread(8, 20, 21);
	leave(9, 20, 20);
	sample(10, 20, 21, 4);
	check(PROCESSES "10,main,0,,6,2,3,clock,,2,,42.8571\n"
			"20,open,0,,,1,4,clock,,2,,57.1429\n",
	      THREADS "10,10,main,,3,0,0,clock,main,,,,,,\n"
		      "10,12,main,2,6,2,3,clock,main,,,,,,\n"
		      "20,20,open,,9,0,0,clock,open,,,,,,\n"
		      "20,21,open,8,,1,4,clock,open,,,,,,\n");
}
END_TEST

/* What perf tells of running processes when it attaches: time 0, FORK with its misc bit. */
START_TEST(attached_to_running_processes)
{
	task(0, MISC_FORK_EXEC, 1, 0, 1, 0);
	comm(0, 1, 1, "init");
	map(0, 1, 0x1000, "/bin/none-init");
	task(0, MISC_FORK_EXEC, 10, 1, 10, 1);
	comm(0, 10, 10, "server");
	task(0, MISC_FORK_EXEC, 10, 10, 11, 10);
	comm(0, 10, 11, "worker");
	map(0, 10, 0x5000, "/bin/none-server");
	sample(5, 10, 11, 1);
	child(6, 12, 10);
	sample(7, 12, 12, 2);
	task(0, MISC_FORK_EXEC, 10, 1, 10, 1); /* told once more, at the end */
	comm(0, 10, 10, "server");
	check(PROCESSES "1,init,1,,,0,0,clock,0,1,/bin/none-init,0.0000\n"
			"10,server,1,,,1,1,clock,1,2,/bin/none-server,33.3333\n"
			"12,server,0,6,,1,2,clock,10,1,/bin/none-server,66.6667\n",
	      THREADS "1,1,init,,,0,0,clock,init,/bin/none-init,,,,,\n"
		      "10,10,server,,,0,0,clock,server,/bin/none-server,,,,,\n"
		      "10,11,worker,,,1,1,clock,server,/bin/none-server,,,,,\n"
		      "12,12,server,6,,1,2,clock,server,/bin/none-server,,,,,\n");
}
END_TEST

/* perf notices the kernel's records before it has told all that runs: it tells of what begins
 * meanwhile, too, perhaps as what it becomes. */
START_TEST(begun_while_perf_tells)
{
	task(0, MISC_FORK_EXEC, 10, 1, 10, 1);
	comm(0, 10, 10, "sh");
	map(0, 10, 0x1000, "/bin/none-sh");
	task(0, MISC_FORK_EXEC, 20, 10, 20, 10);
	comm(0, 20, 20, "cc");
	task(0, MISC_FORK_EXEC, 20, 20, 21, 20);
	comm(0, 20, 21, "worker");
	map(0, 20, 0x1000, "/bin/none-cc");
	child(5, 20, 10);
	sample(6, 20, 20, 1); /* of sh */
	exec(7, 20, 20, "cc");
	map(7, 20, 0x1000, "/bin/none-cc");
	thread(8, 20, 21);
	sample(9, 20, 21, 2);
	leave(10, 20, 21);
	leave(11, 20, 20);
	check(PROCESSES "10,sh,1,,,0,0,clock,1,1,/bin/none-sh,0.0000\n"
			"20,cc,2,5,11,2,3,clock,10,2,/bin/none-cc,100.0000\n",
	      THREADS "10,10,sh,,,0,0,clock,sh,/bin/none-sh,,,,,\n"
		      "20,20,cc,5,11,1,1,clock,cc,/bin/none-cc,,,,,\n"
		      "20,21,cc,8,10,1,2,clock,cc,/bin/none-cc,,,,,\n");
}
END_TEST

/* What has done something before the FORK was another process. */
START_TEST(done_before_the_fork)
{
	comm(0, 10, 10, "sh");
	comm(0, 20, 20, "old");
	comm(0, 30, 30, "old");
	comm(0, 40, 40, "old");
	comm(0, 40, 41, "worker");
	leave(3, 40, 41);
	sample(4, 20, 20, 1);
	map(4, 30, 0x1000, "/bin/none-old");
	child(5, 20, 10);
	child(5, 30, 10);
	child(5, 40, 10);
	sample(6, 20, 20, 2);
	check(PROCESSES "10,sh,0,,,0,0,clock,,1,,0.0000\n"
			"20,old,0,,,1,1,clock,,1,,33.3333\n"
			"20,sh,0,5,,1,2,clock,10,1,,66.6667\n"
			"30,old,1,,,0,0,clock,,1,/bin/none-old,0.0000\n"
			"30,sh,0,5,,0,0,clock,10,1,,0.0000\n"
			"40,old,0,,,0,0,clock,,2,,0.0000\n"
			"40,sh,0,5,,0,0,clock,10,1,,0.0000\n",
	      THREADS "10,10,sh,,,0,0,clock,sh,,,,,,\n"
		      "20,20,old,,,1,1,clock,old,,,,,,\n"
		      "20,20,sh,5,,1,2,clock,sh,,,,,,\n"
		      "30,30,old,,,0,0,clock,old,/bin/none-old,,,,,\n"
		      "30,30,sh,5,,0,0,clock,sh,,,,,,\n"
		      "40,40,old,,,0,0,clock,old,,,,,,\n"
		      "40,41,worker,,3,0,0,clock,old,,,,,,\n"
		      "40,40,sh,5,,0,0,clock,sh,,,,,,\n");
}
END_TEST

START_TEST(kernel_threads_and_idle)
{
	comm(0, 2, 2, "kthreadd");
	child(5, 40, 2);
	comm(6, 40, 40, "kworker/0:1");
	sample(7, 40, 40, 1);
	sample(8, 0, 0, 2);
	sample(9, 0, 0, 4); /* the idle task of another CPU */
	check(PROCESSES "0,swapper,0,,,2,6,clock,,1,,85.7143\n"
			"2,kthreadd,0,,,0,0,clock,,1,,0.0000\n"
			"40,kworker/0:1,0,5,,1,1,clock,2,1,,14.2857\n",
	      THREADS "0,0,swapper,,,2,6,clock,swapper,,,,,,\n"
		      "2,2,kthreadd,,,0,0,clock,kthreadd,,,,,,\n"
		      "40,40,kworker/0:1,5,,1,1,clock,kworker/0:1,,,,,,\n");
}
END_TEST

/* A task that has left all tables of the kernel has pid and tid -1. */
START_TEST(samples_of_nobody)
{
	sample(5, UINT32_MAX, UINT32_MAX, 1);
	sample(6, 77, 78, 2);
	mkperf_sample(m, &(struct mkperf_sample){.event = 1,
						 .misc = PERF_RECORD_MISC_USER,
						 .pid = 77,
						 .tid = 79,
						 .time = 7,
						 .period = 4});
	check(PROCESSES "-1,,0,,,2,3,clock,,3,,100.0000\n"
			"-1,,0,,,1,4,faults,,3,,100.0000\n",
	      THREADS "-1,-1,,,,2,3,clock,,,,,,,\n"
		      "-1,-1,,,,1,4,faults,,,,,,,\n");
}
END_TEST

/* The order of the file decides: first the old life ends, then the new one begins and ends. */
START_TEST(all_at_one_time)
{
	comm(1, 10, 10, "sh");
	comm(1, 11, 11, "old");
	sample(4, 11, 11, 1);
	leave(5, 11, 11);
	child(5, 11, 10);
	comm(5, 11, 11, "new");
	sample(5, 11, 11, 2);
	leave(5, 11, 11);
	sample(5, 11, 11, 4);
	check(PROCESSES "10,sh,0,,,0,0,clock,,1,,0.0000\n"
			"11,old,0,,5,1,1,clock,,1,,14.2857\n"
			"11,new,0,5,5,2,6,clock,10,1,,85.7143\n",
	      THREADS "10,10,sh,,,0,0,clock,sh,,,,,,\n"
		      "11,11,old,,5,1,1,clock,old,,,,,,\n"
		      "11,11,new,5,5,2,6,clock,new,,,,,,\n");
}
END_TEST

/* A FORK that comes behind what its process did at the same time is still its own. */
START_TEST(a_fork_behind_its_comm)
{
	comm(1, 10, 10, "sh");
	comm(5, 11, 11, "cc");
	child(5, 11, 10);
	sample(6, 11, 11, 2);
	check(PROCESSES "10,sh,0,,,0,0,clock,,1,,0.0000\n"
			"11,cc,0,5,,1,2,clock,10,1,,100.0000\n",
	      THREADS "10,10,sh,,,0,0,clock,sh,,,,,,\n"
		      "11,11,cc,5,,1,2,clock,cc,,,,,,\n");
}
END_TEST

START_TEST(a_map_before_its_comm)
{
	map(4, 10, 0x1000, "/bin/none-a");
	sample(5, 10, 10, 1);
	comm(6, 10, 10, "a");
	check(PROCESSES "10,a,1,,,1,1,clock,,1,/bin/none-a,100.0000\n",
	      THREADS "10,10,a,,,1,1,clock,a,/bin/none-a,,,,,\n");
}
END_TEST

/* Many processes that come and go, each pid used again: a row each, and none is lost. In a short
 * time, more of them are remembered. */
START_TEST(more_lives_than_are_remembered)
{
	enum { NR = 3000, PIDS = 1200 };
	static const struct {
		uint64_t step; /* ns */
		uint64_t nr_forgotten;
	} cases[] = {{25000, 1}, {1, 0}};
	const uint64_t step = cases[_i].step;
	struct recording_tables tables;

	comm(1, 1, 1, "init");
	for (unsigned i = 0; i < NR; i++) {
		child(step * (10 + 4 * i), 100 + i % PIDS, 1);
		thread(step * (11 + 4 * i), 100 + i % PIDS, 5000 + i);
		sample(step * (12 + 4 * i), 100 + i % PIDS, 5000 + i, 1);
		leave(step * (13 + 4 * i), 100 + i % PIDS, 5000 + i);
		leave(step * (13 + 4 * i), 100 + i % PIDS, 100 + i % PIDS);
	}
	sample(step * (10 + 4 * NR), 100 + (NR - 1) % PIDS, 100 + (NR - 1) % PIDS,
	       1);							   /* remembered */
	sample(step * (10 + 4 * NR), 100 + NR % PIDS, 100 + NR % PIDS, 1); /* forgotten */
	tables = recording_tables_of(m);
	m = NULL;
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_PROCESSES], "samples", NULL, NULL),
			  NR + 2);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_PROCESSES], "threads", "comm", "init"),
			  2 * NR + 1);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_PROCESSES], "samples", "pid", "-1"),
			  cases[_i].nr_forgotten);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_THREADS], "samples", NULL, NULL), NR + 2);
	ck_assert_uint_eq(recording_sum(tables.text[TABLE_THREADS], "samples", "tid", "5000"), 1);
	recording_tables_free(&tables);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scenario_lives");
	TCase *tcase = tcase_create("lives");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_pid_is_used_again);
	tcase_add_test(tcase, a_pid_is_used_again_without_exit);
	tcase_add_test(tcase, a_pid_is_used_again_without_fork);
	tcase_add_test(tcase, a_tid_is_used_again_in_another_process);
	tcase_add_test(tcase, a_pid_is_used_again_as_a_tid);
	tcase_add_test(tcase, a_tid_is_used_again_in_its_process);
	tcase_add_test(tcase, threads_before_their_process);
	tcase_add_test(tcase, a_fork_of_an_unknown_parent);
	tcase_add_test(tcase, samples_before_the_fork);
	tcase_add_test(tcase, exec_by_another_thread);
	tcase_add_test(tcase, exec_by_another_thread_at_once);
	tcase_add_test(tcase, the_first_thread_exits_before_the_others);
	tcase_add_test(tcase, attached_to_running_processes);
	tcase_add_test(tcase, begun_while_perf_tells);
	tcase_add_test(tcase, done_before_the_fork);
	tcase_add_test(tcase, kernel_threads_and_idle);
	tcase_add_test(tcase, samples_of_nobody);
	tcase_add_test(tcase, all_at_one_time);
	tcase_add_test(tcase, a_fork_behind_its_comm);
	tcase_add_test(tcase, a_map_before_its_comm);
	tcase_add_loop_test(tcase, more_lives_than_are_remembered, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
