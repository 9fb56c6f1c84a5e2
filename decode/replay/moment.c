#include "decode/replay/moment.h"

#include "decode/replay/state.h"
#include "perffile/context.h"
#include "util/array.h"

const struct process_table *moment_processes(const struct replay *replay)
{
	return &replay->processes;
}

const char *moment_comm(const struct replay *replay, uint32_t pid, uint32_t tid)
{
	const struct process_table *processes = &replay->processes;
	const struct thread *thread = process_thread_find(processes, pid, tid);
	const struct process *process = thread ? thread->process : process_find(processes, pid);

	if (!process)
		return "";
	return intern_get(&processes->strings, thread ? thread->comm : process->comm);
}

struct location moment_locate(const struct replay *replay, uint32_t pid, enum cpumode cpumode,
			      uint64_t addr)
{
	const struct process *process = process_find(&replay->processes, pid);
	const struct process unknown = {.pid = pid};

	return addrspaces_locate(&replay->spaces, process ? process : &unknown, cpumode, addr);
}

static bool add_frame(struct moment_chain *chain, const struct moment_frame *frame)
{
	if (!array_grow(chain->frames, chain->room, chain->nr + 1))
		return false;
	chain->frames[chain->nr++] = *frame;
	return true;
}

/* Adds the frame of the recorded @ip; that of a caller is where the call is, one byte before. */
static bool add_recorded(const struct replay *replay, const struct record *rec, uint64_t ip,
			 enum cpumode cpumode, bool exact, struct moment_chain *chain)
{
	const struct moment_frame frame = {
		.ip = ip,
		.cpumode = cpumode,
		.returns = !exact,
		.at = moment_locate(replay, rec->pid, cpumode, ip - !exact),
	};

	return add_frame(chain, &frame);
}

/* The frames of the words of a recorded chain, whose first is the sample's own address. */
static bool take_words(const struct replay *replay, const struct record *rec,
		       struct moment_chain *chain)
{
	struct span ips = rec->sample.callchain.ips;
	enum cpumode cpumode = record_cpumode(rec);
	bool exact = true;

	while (span_left(&ips) > 0) {
		const uint64_t ip = span_u64(&ips);

		if (ip == CONTEXT_USER_DEFERRED)
			break; /* a cookie follows */
		if (ip >= CONTEXT_MAX) {
			cpumode = context_mode(ip);
			exact = true;
			continue;
		}
		if (!add_recorded(replay, rec, ip, cpumode, exact, chain))
			return false;
		exact = cpumode == CPUMODE_USER && user_part_has_calls(rec);
	}
	return true;
}

/* The frames of the path that the sample was counted on. */
static bool take_path(const struct replay *replay, uint32_t path, struct moment_chain *chain)
{
	const struct callpath_table *paths = &replay->stacks.paths.now;

	for (; path >= CHAIN_END_NR; path = callpath_at(paths, path)->caller) {
		const struct address *address =
			&replay->addresses.addresses[callpath_at(paths, path)->address];
		const struct dso *dso = replay->spaces.dsos.dsos[address->dso];
		const struct moment_frame frame = {
			.cpumode = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE ||
						   dso->kind == DSO_KSYMBOL
					   ? CPUMODE_KERNEL
					   : CPUMODE_USER,
			.returns = chain->nr > 0,
			.at = {dso, address->place},
		};

		if (!add_frame(chain, &frame))
			return false;
	}
	return true;
}

int moment_chain(struct replay *replay, const struct record *rec, struct moment_chain *chain,
		 struct error *err)
{
	const bool unwound = user_part_needs_info(replay->settings.stacks.mode, rec) &&
			     replay->path != CALLPATH_NONE;
	bool ok;

	chain->nr = 0;
	ok = unwound ? take_path(replay, replay->path, chain) : take_words(replay, rec, chain);
	if (ok && !chain->nr)
		ok = add_recorded(replay, rec, rec->sample.ip, record_cpumode(rec), true, chain);
	else if (ok && unwound)
		chain->frames[0].ip = rec->sample.ip;
	return ok ? 0 : error_nomem(err, "reading a call chain");
}

struct symbolizer *moment_symbolizer(struct replay *replay)
{
	replay_tell_kernel(replay);
	return replay->symbolizer;
}

struct dso_table *moment_dsos(struct replay *replay)
{
	return &replay->spaces.dsos;
}
