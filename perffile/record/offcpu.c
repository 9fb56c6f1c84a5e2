#include "perffile/record/offcpu.h"

#include "perffile/context.h"
#include "perffile/format.h"

#include <string.h>

/* The first time that perf invents, in ns: no clock reaches it. */
#define FIRST_FAKE_TIME ((uint64_t)UINT32_MAX << 32)

bool offcpu_may_be(const struct attr *attr)
{
	return attr->type == ATTR_TYPE_SOFTWARE && attr->config == SOFTWARE_BPF_OUTPUT;
}

bool offcpu_is(const struct attr *attr, const char *name)
{
	return offcpu_may_be(attr) && strcmp(name, "offcpu-time") == 0;
}

bool offcpu_is_invented(uint64_t time)
{
	return time >= FIRST_FAKE_TIME;
}

/* Sets address and cpumode to those of the call chain's first address. */
static void set_address(struct record *rec)
{
	enum cpumode cpumode = CPUMODE_USER;
	uint64_t ip;

	rec->sample.ip = context_first_address(rec->sample.callchain.ips, &cpumode, &ip) ? ip : 0;
	rec->misc = (uint16_t)((rec->misc & ~(unsigned)CPUMODE_MASK) | cpumode);
}

/* u32 pid, u32 tid, u64 ns, u64 nr, u64 ips[nr], u64 cgroup; fewer than 8 bytes may follow. */
static bool read_wait(struct record *rec, struct span s)
{
	uint64_t nr;

	rec->pid = span_u32(&s);
	rec->tid = span_u32(&s);
	rec->sample.period = span_u64(&s);
	nr = span_u64(&s);
	if (!span_holds(&s, nr, sizeof(uint64_t)))
		return false;
	rec->sample.callchain.ips = span_take(&s, nr * sizeof(uint64_t));
	rec->sample.extra.cgroup = span_u64(&s);
	return !s.failed && span_left(&s) < sizeof(uint64_t);
}

void offcpu_decode(struct span *s, struct record *rec)
{
	if (!rec->event->offcpu)
		return;
	if (rec->event->attr.sample_type & SAMPLE_RAW) {
		if (!read_wait(rec, rec->sample.extra.raw)) {
			span_fail(s);
			return;
		}
		rec->has |= HAS_PID | HAS_TID;
		set_address(rec);
	}
	if (rec->has & HAS_TIME && offcpu_is_invented(rec->time)) {
		rec->has &= ~(unsigned)(HAS_TIME | HAS_CPU);
		rec->time = 0;
	}
}
