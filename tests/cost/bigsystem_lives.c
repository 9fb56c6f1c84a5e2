/* What happens on the machine of bigsystem: processes start, run, move and end. */
#include "tests/cost/bigsystem.h"

#include <inttypes.h>

static uint32_t take_pid(struct system *sys)
{
	do
		sys->last_pid = sys->last_pid + 1 < sys->nr_pids ? sys->last_pid + 1 : INIT_PID + 1;
	while (sys->pid_used[sys->last_pid]);
	sys->pid_used[sys->last_pid] = 1;
	return sys->last_pid;
}

/* Each pair of lives has twice the share, the last life also what cannot be shared. */
static uint64_t take_quota(struct system *sys)
{
	const uint64_t nr = sys->options.processes, share = sys->samples / nr;
	const bool last = sys->next_life + 1 == nr;
	uint64_t quota;

	if (sys->next_life % 2)
		quota = 2 * share - sys->first_of_pair;
	else
		quota = sys->first_of_pair = last ? share : draw(sys, 2 * share + 1);
	return last ? quota + sys->samples % nr : quota;
}

static bool is_fork_only(uint64_t life)
{
	return life % 8 == 7;
}

/* The next life is forked; by init, but if it is not to exec by another if that is up. */
static void start_life(struct system *sys)
{
	const bool fork_only = is_fork_only(sys->next_life);
	struct life parent = {.pid = INIT_PID, .image = init_image()};
	struct life *life = &sys->live[sys->nr_live];

	parent.cpu = (uint32_t)draw(sys, sys->options.cpus);
	if (fork_only && sys->nr_live > 0) {
		const struct life *other = &sys->live[draw(sys, sys->nr_live)];

		if (other->todo == 0)
			parent = *other;
	}
	*life = (struct life){
		.pid = take_pid(sys),
		.ppid = parent.pid,
		.cpu = (uint32_t)draw(sys, sys->options.cpus),
		.todo = fork_only ? 0 : EXEC_RECORDS - FORK_RECORDS,
		.quota = take_quota(sys),
		.fork = sys->time,
		.image = fork_only ? parent.image : new_image(sys),
	};
	write_task(sys, PERF_RECORD_FORK, life, &parent);
	sys->nr_live++;
	sys->next_life++;
}

/* COMM, then an MMAP2 for the program and for each library. */
static void go_on_starting(struct system *sys, struct life *life)
{
	struct buffer *buffer = &sys->buffers[life->cpu];
	unsigned library = life->mapped - 1;

	if (life->todo-- == EXEC_RECORDS - FORK_RECORDS)
		write_comm(sys, buffer, life);
	else if (life->mapped++ == 0)
		write_map(sys, buffer, life, life->image.exe, life->image.start[0]);
	else
		write_map(sys, buffer, life, life->image.libraries[library],
			  life->image.start[1 + library]);
}

/* The row of processes.csv that @life is to have. */
static void expect_life(const struct system *sys, const struct life *life)
{
	char name[64];

	if (sys->lives)
		fprintf(sys->lives,
			"%u,%s,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			",cpu-clock,%u,1,%s\n",
			life->pid, life->image.comm, life->mapped, life->fork, sys->time,
			life->sums.samples, life->sums.period, life->ppid,
			binary_name(life->image.exe, name, sizeof(name)));
}

static void end_life(struct system *sys, struct life *life)
{
	write_task(sys, PERF_RECORD_EXIT, life, life);
	expect_life(sys, life);
	sys->pid_used[life->pid] = 0;
	*life = sys->live[--sys->nr_live];
}

/* Whoever has the record that comes next. */
static struct life *draw_life(struct system *sys)
{
	struct life *life = &sys->live[draw(sys, sys->nr_live)];

	if (draw(sys, 32) == 0)
		life->cpu = (uint32_t)draw(sys, sys->options.cpus);
	return life;
}

/* The same, if lives stay on their CPUs: the one that has a CPU. */
static struct life *draw_cpu(struct system *sys)
{
	enum { TRIES = 8 }; /* to find one that has no other CPU */
	const uint32_t cpu = (uint32_t)draw(sys, sys->options.cpus);
	size_t *number = &sys->on_cpu[cpu];
	bool changes = *number >= sys->nr_live || draw(sys, sys->options.stay) == 0;

	for (int i = 0; changes && i < TRIES; i++) {
		*number = draw(sys, sys->nr_live);
		changes = sys->on_cpu[sys->live[*number].cpu] == *number;
	}
	sys->live[*number].cpu = cpu;
	return &sys->live[*number];
}

/* One record of somebody. */
void step(struct system *sys)
{
	struct life *life;

	sys->time += 1 + draw(sys, STEP_NS);
	if (sys->nr_live < sys->max_live && sys->next_life < sys->options.processes) {
		start_life(sys);
		return;
	}
	life = sys->options.stay ? draw_cpu(sys) : draw_life(sys);
	if (life->todo) {
		go_on_starting(sys, life);
	} else if (life->quota) {
		life->quota--;
		write_sample(sys, life);
	} else {
		end_life(sys, life);
	}
}
