/* The records that perf record takes from the kernel; include/uapi/linux/perf_event.h. */
#include "tests/writer/mkperf_buffer.h"

#include <linux/perf_event.h>
#include <string.h>

enum { BUILD_ID_BYTES = 20 };

/* Bits of newer kernels than the installed header may know of. */
enum {
	FORMAT_LOST = 1 << 4,
	MMAP_BUILD_ID = 1 << 14, /* misc of MMAP2 */
};
#define BRANCH_HW_INDEX	 (UINT64_C(1) << 17)
#define BRANCH_COUNTERS	 (UINT64_C(1) << 19)
#define SAMPLE_WEIGHTS	 (UINT64_C(1) << 14 | UINT64_C(1) << 24)
#define SAMPLE_AUX	 (UINT64_C(1) << 20)
#define SAMPLE_CGROUP	 (UINT64_C(1) << 21)
#define SAMPLE_DATA_PAGE (UINT64_C(1) << 22)
#define SAMPLE_CODE_PAGE (UINT64_C(1) << 23)

static uint64_t first_id(const struct mkperf_event *event)
{
	return event->nr_ids ? event->ids[0] : 0;
}

void mkperf_trailer(struct mkperf *m, const struct mkperf_id *at)
{
	static const struct mkperf_id synthesized;
	const struct mkperf_event *event = mkperf_event_at(m, at ? at->event : 0);
	uint64_t type = event->sample_type, id = 0;

	if (!(event->flags & MKPERF_ATTR_SAMPLE_ID_ALL))
		return;
	if (at)
		id = at->id ? at->id : first_id(event);
	else
		at = &synthesized;
	if (type & PERF_SAMPLE_TID) {
		mkperf_u32(m, at->pid);
		mkperf_u32(m, at->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		mkperf_u64(m, at->time);
	if (type & PERF_SAMPLE_ID)
		mkperf_u64(m, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		mkperf_u64(m, at->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		mkperf_u32(m, at->cpu);
		mkperf_u32(m, 0);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		mkperf_u64(m, id);
}

static void put_mmap_start(struct mkperf *m, const struct mkperf_mmap *map)
{
	mkperf_u32(m, map->pid);
	mkperf_u32(m, map->tid);
	mkperf_u64(m, map->start);
	mkperf_u64(m, map->len);
	mkperf_u64(m, map->pgoff);
}

void mkperf_mmap(struct mkperf *m, const struct mkperf_id *at, const struct mkperf_mmap *map)
{
	mkperf_begin(m, PERF_RECORD_MMAP, map->misc);
	put_mmap_start(m, map);
	mkperf_string(m, map->filename);
	mkperf_trailer(m, at);
	mkperf_end(m);
}

void mkperf_mmap2(struct mkperf *m, const struct mkperf_id *at, const struct mkperf_mmap *map)
{
	uint16_t misc = (uint16_t)(map->misc | (map->build_id ? MMAP_BUILD_ID : 0));

	mkperf_begin(m, PERF_RECORD_MMAP2, misc);
	put_mmap_start(m, map);
	if (map->build_id) {
		mkperf_u8(m, map->build_id_size);
		mkperf_bytes(m, NULL, 3);
		mkperf_bytes(m, map->build_id, map->build_id_size);
		mkperf_bytes(m, NULL, (size_t)(BUILD_ID_BYTES - map->build_id_size));
	} else {
		mkperf_u32(m, map->maj);
		mkperf_u32(m, map->min);
		mkperf_u64(m, map->ino);
		mkperf_u64(m, map->ino_generation);
	}
	mkperf_u32(m, map->prot);
	mkperf_u32(m, map->flags);
	mkperf_string(m, map->filename);
	mkperf_trailer(m, at);
	mkperf_end(m);
}

void mkperf_comm(struct mkperf *m, const struct mkperf_id *at, uint16_t misc, uint32_t pid,
		 uint32_t tid, const char *comm)
{
	mkperf_begin(m, PERF_RECORD_COMM, misc);
	mkperf_u32(m, pid);
	mkperf_u32(m, tid);
	mkperf_string(m, comm);
	mkperf_trailer(m, at);
	mkperf_end(m);
}

static void put_task(struct mkperf *m, const struct mkperf_id *at, uint32_t type,
		     const struct mkperf_task *task)
{
	mkperf_begin(m, type, task->misc);
	mkperf_u32(m, task->pid);
	mkperf_u32(m, task->ppid);
	mkperf_u32(m, task->tid);
	mkperf_u32(m, task->ptid);
	mkperf_u64(m, task->time);
	mkperf_trailer(m, at);
	mkperf_end(m);
}

void mkperf_fork(struct mkperf *m, const struct mkperf_id *at, const struct mkperf_task *task)
{
	put_task(m, at, PERF_RECORD_FORK, task);
}

void mkperf_exit(struct mkperf *m, const struct mkperf_id *at, const struct mkperf_task *task)
{
	put_task(m, at, PERF_RECORD_EXIT, task);
}

void mkperf_lost(struct mkperf *m, const struct mkperf_id *at, uint64_t id, uint64_t lost)
{
	mkperf_begin(m, PERF_RECORD_LOST, 0);
	mkperf_u64(m, id);
	mkperf_u64(m, lost);
	mkperf_trailer(m, at);
	mkperf_end(m);
}

void mkperf_lost_samples(struct mkperf *m, const struct mkperf_id *at, uint16_t misc, uint64_t lost)
{
	mkperf_begin(m, PERF_RECORD_LOST_SAMPLES, misc);
	mkperf_u64(m, lost);
	mkperf_trailer(m, at);
	mkperf_end(m);
}

void mkperf_throttle(struct mkperf *m, const struct mkperf_id *at, bool un, uint64_t id,
		     uint64_t stream_id)
{
	mkperf_begin(m, un ? PERF_RECORD_UNTHROTTLE : PERF_RECORD_THROTTLE, 0);
	mkperf_u64(m, at ? at->time : 0);
	mkperf_u64(m, id);
	mkperf_u64(m, stream_id);
	mkperf_trailer(m, at);
	mkperf_end(m);
}

/* Everything before the first field of variable length. */
static void put_sample_start(struct mkperf *m, const struct mkperf_event *event,
			     const struct mkperf_sample *sample)
{
	uint64_t type = event->sample_type, id = sample->id ? sample->id : first_id(event);

	if (type & PERF_SAMPLE_IDENTIFIER)
		mkperf_u64(m, id);
	if (type & PERF_SAMPLE_IP)
		mkperf_u64(m, sample->ip);
	if (type & PERF_SAMPLE_TID) {
		mkperf_u32(m, sample->pid);
		mkperf_u32(m, sample->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		mkperf_u64(m, sample->time);
	if (type & PERF_SAMPLE_ADDR)
		mkperf_u64(m, sample->addr);
	if (type & PERF_SAMPLE_ID)
		mkperf_u64(m, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		mkperf_u64(m, sample->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		mkperf_u32(m, sample->cpu);
		mkperf_u32(m, 0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		mkperf_u64(m, sample->period);
}

/* The value 0, or a group of one such, with the words that the read_format adds to it. */
static void put_default_read(struct mkperf *m, const struct mkperf_event *event, uint64_t id)
{
	uint64_t format = event->read_format;

	if (format & PERF_FORMAT_GROUP)
		mkperf_u64(m, 1);
	else
		mkperf_u64(m, 0);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		mkperf_u64(m, 0);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		mkperf_u64(m, 0);
	if (format & PERF_FORMAT_GROUP)
		mkperf_u64(m, 0);
	if (format & PERF_FORMAT_ID)
		mkperf_u64(m, id);
	if (format & FORMAT_LOST)
		mkperf_u64(m, 0);
}

static void put_branches(struct mkperf *m, const struct mkperf_event *event,
			 const struct mkperf_sample *sample)
{
	mkperf_u64(m, sample->nr_branches);
	if (event->branch_sample_type & BRANCH_HW_INDEX)
		mkperf_u64(m, sample->hw_idx);
	for (size_t i = 0; i < sample->nr_branches; i++) {
		mkperf_u64(m, sample->branches[i].from);
		mkperf_u64(m, sample->branches[i].to);
		mkperf_u64(m, sample->branches[i].flags);
	}
	if (event->branch_sample_type & BRANCH_COUNTERS)
		mkperf_words(m, sample->branch_counters, sample->nr_branches);
}

static void put_regs(struct mkperf *m, uint64_t abi, const uint64_t *regs, uint64_t mask)
{
	mkperf_u64(m, abi);
	if (abi)
		mkperf_words(m, regs, (size_t)__builtin_popcountll(mask));
}

static void put_stack(struct mkperf *m, const struct mkperf_sample *sample)
{
	mkperf_u64(m, sample->stack_size);
	if (!sample->stack_size)
		return;
	mkperf_bytes(m, sample->stack, sample->stack_size);
	mkperf_u64(m, sample->stack_dyn_size);
}

static void put_sample_middle(struct mkperf *m, const struct mkperf_event *event,
			      const struct mkperf_sample *sample)
{
	uint64_t type = event->sample_type;

	if (type & PERF_SAMPLE_READ && sample->read)
		mkperf_words(m, sample->read, sample->nr_read);
	else if (type & PERF_SAMPLE_READ)
		put_default_read(m, event, sample->id ? sample->id : first_id(event));
	if (type & PERF_SAMPLE_CALLCHAIN) {
		mkperf_u64(m, sample->nr_ips);
		mkperf_words(m, sample->ips, sample->nr_ips);
	}
	if (type & PERF_SAMPLE_RAW) {
		mkperf_u32(m, sample->raw_size);
		mkperf_bytes(m, sample->raw, sample->raw_size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(m, event, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(m, sample->regs_user_abi, sample->regs_user, event->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		put_stack(m, sample);
}

static void put_sample_end(struct mkperf *m, const struct mkperf_event *event,
			   const struct mkperf_sample *sample)
{
	uint64_t type = event->sample_type;

	if (type & SAMPLE_WEIGHTS)
		mkperf_u64(m, sample->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		mkperf_u64(m, sample->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		mkperf_u64(m, sample->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(m, sample->regs_intr_abi, sample->regs_intr, event->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		mkperf_u64(m, sample->phys_addr);
	if (type & SAMPLE_CGROUP)
		mkperf_u64(m, sample->cgroup);
	if (type & SAMPLE_DATA_PAGE)
		mkperf_u64(m, sample->data_page_size);
	if (type & SAMPLE_CODE_PAGE)
		mkperf_u64(m, sample->code_page_size);
	if (type & SAMPLE_AUX) {
		mkperf_u64(m, sample->aux_size);
		mkperf_bytes(m, sample->aux, sample->aux_size);
	}
}

void mkperf_sample(struct mkperf *m, const struct mkperf_sample *sample)
{
	const struct mkperf_event *event = mkperf_event_at(m, sample->event);

	mkperf_begin(m, PERF_RECORD_SAMPLE, sample->misc);
	put_sample_start(m, event, sample);
	put_sample_middle(m, event, sample);
	put_sample_end(m, event, sample);
	mkperf_end(m);
}
