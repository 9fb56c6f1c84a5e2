#include "decode/trace/ptfollow.h"

#ifdef HAVE_LIBIPT

#include "decode/trace/ptlate.h"
#include "decode/trace/ptquiet.h"
#include "decode/trace/ptshared.h"

#include <stdlib.h>

/* Calls that a processor remembers: it shortens what it tells of their returns. */
enum { CALLS = 64 };

/* When an event comes. */
enum due {
	DUE_NOW,
	DUE_AT,	    /* where execution comes to an address */
	DUE_BRANCH, /* behind one that the trace would tell of */
	DUE_CR3,    /* behind the instruction that sets CR3 */
	DUE_UNSURE,
};

struct ptfollow {
	struct pt_query_decoder *query;
	struct ptconfig config;
	struct pt_errata errata;
	struct ptcodes *codes;
	struct ptimage *image; /* NULL: none yet */
	struct ptlate late;
	uint64_t ip;   /* of what comes next, while tracing is on */
	uint64_t time; /* TSC of the last event */
	int status;    /* of the library */
	bool begun, enabled, runs, stopped, unsure;
	bool is_64_bits; /* the code, which a packet has said */
	bool has_event;
	uint8_t due;	 /* enum due, of: */
	uint64_t due_at; /* the address of DUE_AT */
	struct pt_event event;
	struct ptquiet quiet;
	unsigned nr_calls, last_call;
	uint64_t calls[CALLS]; /* where they return to: a ring */
};

/* ---- opening --------------------------------------------------------------------------------- */

struct ptfollow *ptfollow_open(const struct ptconfig *config, struct ptcodes *codes)
{
	struct ptfollow *follow = calloc(1, sizeof(*follow));
	struct pt_config pt;

	if (!follow)
		return NULL;
	ptshared_configure(&pt, config);
	follow->config = *config;
	follow->codes = codes;
	follow->errata = pt.errata;
	ptshared_late(&follow->late, config);
	follow->query = pt_qry_alloc_decoder(&pt);
	if (follow->query)
		return follow;
	free(follow);
	return NULL;
}

void ptfollow_close(struct ptfollow *follow)
{
	if (follow)
		pt_qry_free_decoder(follow->query);
	free(follow);
}

void ptfollow_set_image(struct ptfollow *follow, struct ptimage *image)
{
	follow->image = image;
}

/* Bytes of this piece that have been read. */
static size_t offset_of(const struct ptfollow *follow)
{
	uint64_t offset = 0;

	(void)pt_qry_get_offset(follow->query, &offset);
	return offset < follow->config.stop ? (size_t)offset : follow->config.stop;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* When an event comes that has an address, unless it @is_suppressed. */
static enum due due_at(struct ptfollow *follow, bool is_suppressed, uint64_t ip)
{
	if (is_suppressed || !follow->enabled)
		return DUE_NOW;
	follow->due_at = ip;
	return DUE_AT;
}

/* When @event comes, of those that a PSB may repeat. */
static enum due due_of_status(struct ptfollow *follow, const struct pt_event *event)
{
	switch (event->type) {
	case ptev_exec_mode:
		if (event->variant.exec_mode.mode != ptem_64bit)
			return DUE_UNSURE;
		return due_at(follow, event->ip_suppressed, event->variant.exec_mode.ip);
	case ptev_tsx:
		if (event->variant.tsx.speculative || event->variant.tsx.aborted)
			return DUE_UNSURE;
		return due_at(follow, event->ip_suppressed, event->variant.tsx.ip);
	case ptev_async_paging:
		return due_at(follow, event->ip_suppressed, event->variant.async_paging.ip);
	case ptev_async_vmcs:
		return due_at(follow, event->ip_suppressed, event->variant.async_vmcs.ip);
	case ptev_cbr:
	case ptev_paging:
	case ptev_vmcs:
		return DUE_NOW;
	default:
		return DUE_UNSURE;
	}
}

/* When @event comes. Only what is simple is followed. */
static enum due due_of(struct ptfollow *follow, const struct pt_event *event)
{
	if (ptshared_is_repeated(event)) /* it contradicts what is known */
		return DUE_UNSURE;
	switch (event->type) {
	case ptev_enabled:
		return follow->enabled || event->ip_suppressed ? DUE_UNSURE : DUE_NOW;
	case ptev_disabled:
		return !follow->enabled || !event->ip_suppressed ? DUE_UNSURE : DUE_BRANCH;
	case ptev_async_disabled:
		if (!follow->enabled)
			return DUE_UNSURE;
		return due_at(follow, false, event->variant.async_disabled.at);
	case ptev_async_branch:
		if (!follow->enabled || event->ip_suppressed)
			return DUE_UNSURE;
		return due_at(follow, false, event->variant.async_branch.from);
	case ptev_paging:
		return event->status_update ? DUE_NOW : DUE_CR3;
	case ptev_exec_mode:
	case ptev_cbr:
	case ptev_async_paging:
		return due_of_status(follow, event);
	case ptev_overflow:
		return DUE_NOW;
	default:
		return event->status_update ? due_of_status(follow, event) : DUE_UNSURE;
	}
}

/* Whether the event says again what is known. */
static bool is_known(const struct ptfollow *follow)
{
	return ptshared_is_repeated(&follow->event) &&
	       follow->enabled == (follow->event.type == ptev_enabled);
}

/* Takes the event that is pending, if there is one, as soon as there is no other. */
static void fetch(struct ptfollow *follow)
{
	if (follow->has_event)
		return;
	while (!follow->has_event && follow->status >= 0 && follow->status & pts_event_pending) {
		follow->status = pt_qry_event(follow->query, &follow->event, sizeof(follow->event));
		if (follow->status < 0)
			follow->unsure = true;
		else
			follow->has_event = !is_known(follow);
	}
	if (!follow->has_event)
		return;
	follow->time = follow->event.tsc;
	follow->due = (uint8_t)due_of(follow, &follow->event);
}

/* What @event, of @step, changes. */
static void apply(struct ptfollow *follow, const struct pt_event *event, const struct ptstep *step)
{
	switch (event->type) {
	case ptev_disabled:
	case ptev_async_disabled:
		follow->enabled = follow->runs = false;
		return;
	case ptev_enabled:
	case ptev_async_branch:
		follow->enabled = true;
		follow->ip = step->ip;
		return;
	case ptev_overflow:
		follow->enabled = !event->ip_suppressed;
		follow->ip = step->ip;
		follow->nr_calls = 0;
		follow->late.branches = 0;
		return;
	case ptev_exec_mode:
		follow->is_64_bits = true;
		return;
	default:
		return;
	}
}

/* The event has come: sets @step to it. Returns false if nothing needs to know of it. */
static bool take_event(struct ptfollow *follow, struct ptstep *step)
{
	const struct pt_event *event = &follow->event;
	const bool is_stop = ptshared_is_stop(&follow->config, event);
	const bool is_told = ptshared_step(event, step);
	const bool was_cr3 = follow->due == DUE_CR3;

	follow->has_event = false;
	follow->quiet.nr = 0;
	apply(follow, event, step);
	/* If the library fails with what comes next, it does not tell of this one. */
	fetch(follow);
	/* Two events of one instruction: CR3 is that of a process that is not traced. */
	if (was_cr3 && follow->has_event && follow->due == DUE_BRANCH)
		follow->due = DUE_NOW;
	follow->stopped = is_stop && offset_of(follow) == follow->config.stop;
	return is_told && !follow->unsure;
}

/* The clock has moved with the packet that was read: that is an event, too. */
static void tick(struct ptfollow *follow)
{
	struct pt_event *event = &follow->event;
	uint64_t tsc;
	int status;

	if (!follow->config.has_ticks || follow->has_event)
		return;
	status = pt_qry_time(follow->query, &tsc, NULL, NULL);
	follow->unsure = status < 0 && status != -pte_no_time;
	if (follow->unsure || tsc == follow->time)
		return;
	event->type = ptev_tick;
	event->status_update = 0;
	event->has_tsc = status != -pte_no_time;
	event->tsc = follow->time = tsc;
	follow->has_event = true;
	follow->due = DUE_NOW;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Remembers where a call returns to. */
static void push(struct ptfollow *follow, uint64_t ip)
{
	follow->last_call = (follow->last_call + 1) % CALLS;
	follow->calls[follow->last_call] = ip;
	if (follow->nr_calls < CALLS)
		follow->nr_calls++;
}

/* Goes back to where the last call returns to. Returns false if it is not known. */
static bool pop(struct ptfollow *follow)
{
	if (follow->nr_calls == 0)
		return false;
	follow->nr_calls--;
	follow->ip = follow->calls[follow->last_call];
	follow->last_call = (follow->last_call + CALLS - 1) % CALLS;
	return true;
}

/* Goes to where the trace says that the branch leads. */
static bool go_indirect(struct ptfollow *follow)
{
	follow->status = pt_qry_indirect_branch(follow->query, &follow->ip);
	if (follow->status < 0 || follow->status & pts_ip_suppressed)
		return false;
	tick(follow);
	return true;
}

static bool go_conditional(struct ptfollow *follow, const struct ptcode *code)
{
	int taken;

	follow->status = pt_qry_cond_branch(follow->query, &taken);
	if (follow->status < 0)
		return false;
	follow->ip = taken ? code->target : ptcode_behind(code);
	tick(follow);
	return true;
}

static bool go_back(struct ptfollow *follow)
{
	int taken;

	follow->status = pt_qry_cond_branch(follow->query, &taken);
	if (follow->status == -pte_bad_query)
		return go_indirect(follow);
	if (follow->status < 0 || !taken || !pop(follow))
		return false;
	tick(follow);
	return true;
}

/* Follows a branch that the trace does not tell of. Returns false if it does. */
static bool go_direct(struct ptfollow *follow, const struct ptcode *code)
{
	if (!code->target || code->flow == PTFLOW_BRANCH)
		return false;
	/* A call of what comes next only asks for its address. */
	if (code->flow == PTFLOW_CALL && code->target != ptcode_behind(code))
		push(follow, ptcode_behind(code));
	follow->ip = code->target;
	return true;
}

/* Follows the branch that ends @code. Returns false if the trace does not fit. */
static bool go(struct ptfollow *follow, const struct ptcode *code)
{
	if (go_direct(follow, code))
		return true;
	if (code->flow == PTFLOW_BRANCH)
		return go_conditional(follow, code);
	if (code->flow == PTFLOW_RETURN)
		return go_back(follow);
	if (code->flow == PTFLOW_CALL)
		push(follow, ptcode_behind(code));
	return go_indirect(follow);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

struct ptblocks {
	struct ptblock *list;
	size_t nr, room;
};

/* Whether there is room for code at @ip, or it belongs to the last block. */
static bool has_room(const struct ptblocks *blocks, uint64_t ip)
{
	return blocks->nr < blocks->room ||
	       (blocks->nr && ptblock_goes_on(&blocks->list[blocks->nr - 1], ip));
}

/* Takes note of @block: behind an endless loop nothing is sure. */
static void note_quiet(struct ptfollow *follow, const struct ptblock *block)
{
	uint64_t offset = 0;

	(void)pt_qry_get_offset(follow->query, &offset);
	if (ptquiet_is_endless(&follow->quiet, block->ip, offset))
		follow->unsure = true;
}

/* Appends @nr instructions from @ip to @end_ip. */
static inline void add(struct ptfollow *follow, struct ptblocks *blocks, uint64_t ip,
		       uint64_t end_ip, uint32_t nr, uint8_t flow)
{
	struct ptblock *to = &blocks->list[blocks->nr];

	if (blocks->nr && ptblock_goes_on(to - 1, ip)) {
		to--;
		to->nr += nr;
	} else {
		blocks->nr++;
		to->ip = ip;
		to->nr = nr;
	}
	to->end_ip = end_ip;
	to->flow = flow;
	if (ptquiet_note(&follow->quiet, to))
		note_quiet(follow, to);
}

/* Sets *@code to the block that comes next. Returns false if it is not known. */
static bool read_next(struct ptfollow *follow, struct ptcode *code)
{
	const struct ptcode *next = ptcode_get(follow->codes, follow->image, follow->ip);

	follow->runs = true;
	if (next)
		*code = *next;
	return next;
}

/* Executes one block. Returns false if it is not sure that it was. */
static bool add_block(struct ptfollow *follow, struct ptblocks *blocks)
{
	struct ptcode now;

	if (!read_next(follow, &now) || !go(follow, &now))
		return false;
	add(follow, blocks, now.ip, now.ip + now.end, now.nr, now.flow);
	fetch(follow);
	return true;
}

/* Whether the event comes within the block of @code. Tracing may also end behind an instruction
 * that sets CR3: another process is not traced then. */
static bool comes_within(const struct ptfollow *follow, const struct ptcode *code)
{
	if (follow->due == DUE_AT)
		return follow->due_at - code->ip - 1 < code->end;
	return code->sets_cr3;
}

/* Executes the part of the block at @ip up to the event. */
static bool add_part(struct ptfollow *follow, struct ptblocks *blocks, uint64_t ip)
{
	struct ptcode_part part;
	bool ok;

	if (follow->due == DUE_AT)
		ok = ptcode_cut(follow->codes, follow->image, ip, follow->due_at, &part);
	else
		ok = ptcode_cut_at_cr3(follow->codes, follow->image, ip, &part);
	if (!ok)
		return false;
	add(follow, blocks, ip, part.end_ip, part.nr, PTFLOW_OTHER);
	follow->ip = part.next_ip;
	return true;
}

/* Executes the block of @code on the way to the event. Sets *@there if that comes behind it. */
static bool approach_by_block(struct ptfollow *follow, struct ptblocks *blocks,
			      const struct ptcode *code, bool *there)
{
	*there = follow->due == DUE_BRANCH && (!code->target || code->flow == PTFLOW_BRANCH);
	if (*there && code->flow == PTFLOW_CALL)
		push(follow, ptcode_behind(code));
	if (!*there && !go_direct(follow, code))
		return false;
	add(follow, blocks, code->ip, code->ip + code->end, code->nr, code->flow);
	return true;
}

/* Executes one block, or a part of it, on the way to the event, and sets *@there if it has come. */
static bool approach(struct ptfollow *follow, struct ptblocks *blocks, bool *there)
{
	struct ptcode now;

	if (!read_next(follow, &now))
		return false;
	*there = comes_within(follow, &now);
	if (*there)
		return add_part(follow, blocks, now.ip);
	return approach_by_block(follow, blocks, &now, there);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool be_unsure(struct ptfollow *follow, struct ptstep *step)
{
	follow->unsure = true;
	step->kind = PTSTEP_UNSURE;
	return true;
}

static bool want_more(struct ptstep *step)
{
	step->kind = PTSTEP_MORE;
	return true;
}

static bool can_run(const struct ptfollow *follow)
{
	return follow->enabled && follow->is_64_bits && follow->image;
}

/* Whether the event stops tracing at an instruction that may start a virtual machine, where a
 * processor of this model is known to err. */
static bool enters_guest(struct ptfollow *follow)
{
	const struct ptcode *code;

	if (!follow->errata.skd022 || follow->event.type != ptev_async_disabled)
		return false;
	code = can_run(follow) ? ptcode_get(follow->codes, follow->image, follow->ip) : NULL;
	return !code || (code->nr == 1 && code->flow == PTFLOW_FAR_RETURN);
}

/* Goes on to the event. Returns whether a step is to be told. */
static bool go_to_event(struct ptfollow *follow, struct ptblocks *blocks, struct ptstep *step)
{
	bool there =
		follow->due == DUE_NOW || (follow->due == DUE_AT && follow->ip == follow->due_at);

	if (follow->due == DUE_UNSURE || (!there && !can_run(follow)))
		return be_unsure(follow, step);
	if (!there && !has_room(blocks, follow->ip))
		return want_more(step);
	if (!there && !approach(follow, blocks, &there))
		return be_unsure(follow, step);
	if (!there)
		return false;
	if (enters_guest(follow))
		return be_unsure(follow, step);
	return take_event(follow, step) && ptlate_put(&follow->late, step, offset_of(follow));
}

/* Executes blocks until something else is due. Returns whether a step is to be told. */
static bool run(struct ptfollow *follow, struct ptblocks *blocks, struct ptstep *step)
{
	if (!can_run(follow))
		return be_unsure(follow, step);
	do {
		if (!has_room(blocks, follow->ip))
			return want_more(step);
		if (!add_block(follow, blocks))
			return be_unsure(follow, step);
		if (ptlate_ends(&follow->late, &blocks->list[blocks->nr - 1])) {
			*step = follow->late.late;
			return true;
		}
	} while (!follow->has_event && !follow->unsure && !(follow->status & pts_eos));
	return false;
}

static bool end(struct ptfollow *follow, struct ptstep *step)
{
	ptshared_end(&follow->config, follow->stopped, follow->runs, step);
	(void)ptlate_put(&follow->late, step, offset_of(follow));
	return true;
}

/* Sets *@step to the beginning. */
static void begin(struct ptfollow *follow, struct ptstep *step)
{
	follow->begun = true;
	follow->status = pt_qry_sync_set(follow->query, &follow->ip, 0);
	follow->unsure = follow->status < 0;
	follow->enabled = !(follow->status & pts_ip_suppressed);
	fetch(follow);
	step->kind = follow->unsure ? PTSTEP_UNSURE : PTSTEP_SYNC;
	step->ip = 0;
	step->has_tsc = pt_qry_time(follow->query, &step->tsc, NULL, NULL) >= 0;
}

size_t ptfollow_next(struct ptfollow *follow, struct ptblock *list, size_t room,
		     struct ptstep *step)
{
	struct ptblocks blocks = {list, 0, room};
	bool told = false;

	if (!follow->begun) {
		begin(follow, step);
		return 0;
	}
	if (ptlate_take_next(&follow->late, step))
		return 0;
	while (!told) {
		if (follow->unsure)
			told = be_unsure(follow, step);
		else if (follow->stopped || (!follow->has_event && follow->status & pts_eos))
			told = end(follow, step);
		else if (follow->has_event)
			told = go_to_event(follow, &blocks, step);
		else
			told = run(follow, &blocks, step);
	}
	/* What follows the last block may be part of it. */
	if (step->kind == PTSTEP_UNSURE && blocks.nr && ptblock_is_open(&list[blocks.nr - 1]))
		blocks.nr--;
	return blocks.nr;
}

#endif
