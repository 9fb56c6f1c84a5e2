#include "perffile/record/scope.h"

#include "perffile/format.h"
#include "perffile/record.h"
#include "perffile/record/recordtype.h"
#include "util/span.h"

#include <string.h>

/* Of a record whose body starts with the pid. */
static struct record_scope of_pid(struct span body)
{
	struct record_scope scope = {.nr = 1};

	scope.pids[0] = span_u32(&body);
	scope.all = body.failed || scope.pids[0] == UINT32_MAX;
	return scope;
}

/* A child inherits from its parent, and a process that has its thread's number has ended. */
static struct record_scope of_fork(struct span body)
{
	struct record_scope scope = {.nr = 3};

	for (size_t i = 0; i < scope.nr; i++)
		scope.pids[i] = span_u32(&body); /* pid, ppid, tid */
	scope.all = body.failed;
	return scope;
}

struct record_scope record_scope(const struct raw_record *raw, bool swap)
{
	const struct record_scope all = {.all = true}, none = {0};
	const struct span body = raw_body(raw, swap);

	switch (raw->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return (raw->misc & CPUMODE_MASK) == CPUMODE_USER ? of_pid(body) : all;
	case RECORD_COMM:
	case RECORD_EXIT:
		return of_pid(body);
	case RECORD_FORK:
		return of_fork(body);
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
		return none;
	default:
		return all;
	}
}

bool record_scope_lasts(const struct raw_record *raw, bool swap)
{
	static const char jitdump[] = "/jit-";
	struct span body = raw_body(raw, swap);

	if (raw->type != RECORD_MMAP && raw->type != RECORD_MMAP2)
		return false;
	span_skip(&body, record_type_string(raw->type));
	return memmem(body.pos, span_left(&body), jitdump, sizeof(jitdump) - 1);
}
