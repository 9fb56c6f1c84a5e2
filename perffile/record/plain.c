#include "perffile/record/plain.h"

#include "perffile/context.h"
#include "util/pastcache.h"
#include "util/span.h"

#include <stddef.h>
#include <string.h>

static inline uint64_t word_at(const uint8_t *at, bool swap)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return swap ? __builtin_bswap64(word) : word;
}

static inline uint32_t half_at(const uint8_t *at, bool swap)
{
	uint32_t half;

	memcpy(&half, at, sizeof(half));
	return swap ? __builtin_bswap32(half) : half;
}

/* The event of the sample before, and its id as it is in the file. */
struct recent_event {
	const struct event *event; /* NULL: there is none, or ids are not at one place */
	uint64_t id;
};

/* The event of the sample whose body is the @len bytes at @body; NULL if it is unknown. */
static inline const struct event *event_of(struct event_finder *finder, const uint8_t *body,
					   size_t len, bool swap, struct recent_event *recent)
{
	const struct event_set *set = finder->set;
	const size_t offset = set->sample_id_offset;
	struct span s;

	if (set->nr_events == 1)
		return set->first;
	s = span_make(body, len, swap);
	if (!set->same_sample_id || len < offset + sizeof(uint64_t))
		return events_of_sample(finder, &s);
	if (!recent->event || word_at(body + offset, false) != recent->id) {
		recent->id = word_at(body + offset, false);
		recent->event = events_of_sample(finder, &s);
	}
	return recent->event;
}

/* Copies the words at @body, all of which @layout has or says that they are not there. */
static inline void take_words(const uint8_t *body, bool swap, const struct sample_layout *layout,
			      struct plain_sample *to)
{
	to->time = word_at(body + layout->time_offset, swap);
	to->ip = word_at(body + layout->ip_offset, swap);
	to->pid = half_at(body + layout->tid_offset, swap);
	to->tid = half_at(body + layout->tid_offset + sizeof(uint32_t), swap);
	to->cpu = UINT32_MAX;
	if (layout->cpu_offset != UINT16_MAX)
		to->cpu = half_at(body + layout->cpu_offset, swap);
	to->nr_ips = 0;
	to->period = to->event->attr.sample_period;
	if (layout->period_offset != UINT16_MAX)
		to->period = word_at(body + layout->period_offset, swap);
}

/*
 * Takes the call chain at @at, up to @end. Returns false if it is cut, or if its user part comes
 * later.
 */
static inline bool take_chain(const uint8_t *at, const uint8_t *end, bool swap,
			      struct plain_sample *to)
{
	const size_t room = (size_t)(end - at) / sizeof(uint64_t);
	uint64_t nr;

	if (room == 0)
		return false;
	nr = word_at(at, swap);
	if (nr >= room)
		return false;
	to->nr_ips = (uint16_t)nr;
	return nr < 2 || word_at(at + (nr - 1) * sizeof(uint64_t), swap) != CONTEXT_USER_DEFERRED;
}

/* Writes @from to @to past the cache. Only where the low half of a word comes first. */
static inline void write_past_cache(struct plain_sample *to, const struct plain_sample *from)
{
	uint64_t *words = (uint64_t *)(void *)to;

	pastcache_write(&words[0], (uintptr_t)from->event);
	pastcache_write(&words[1], from->nr);
	pastcache_write(&words[2], from->time);
	pastcache_write(&words[3], from->ip);
	pastcache_write(&words[4], from->period);
	pastcache_write(&words[5], (uintptr_t)from->bytes);
	pastcache_write(&words[6], from->pid | (uint64_t)from->tid << 32);
	pastcache_write(&words[7],
			from->cpu | (uint64_t)from->nr_ips << 32 | (uint64_t)from->cpumode << 48);
}

#define IS_WORD(member, number) \
	(offsetof(struct plain_sample, member) == (number) * sizeof(uint64_t))

_Static_assert(!PASTCACHE_IS_THERE ||
		       (IS_WORD(event, 0) && IS_WORD(nr, 1) && IS_WORD(time, 2) && IS_WORD(ip, 3) &&
			IS_WORD(period, 4) && IS_WORD(bytes, 5) && IS_WORD(pid, 6) &&
			IS_WORD(cpu, 7) && sizeof(struct plain_sample) == 8 * sizeof(uint64_t) &&
			offsetof(struct plain_sample, cpumode) == 7 * sizeof(uint64_t) + 6),
	       "its words are as write_past_cache() has them");

/* ---- packed ---------------------------------------------------------------------------------- */

/* What all samples of a run have, as it is in their bodies, and where. */
struct run_bytes {
	const struct sample_layout *layout;
	uint64_t period;  /* if their bodies have none */
	size_t id_offset; /* SIZE_MAX: no sample has another event */
	uint64_t id, thread;
	uint32_t cpu; /* UINT32_MAX if their bodies have none */
};

static inline uint64_t period_at(const struct run_bytes *all, const uint8_t *body)
{
	return all->layout->period_offset == UINT16_MAX
		       ? all->period
		       : word_at(body + all->layout->period_offset, false);
}

static inline uint32_t cpu_at(const struct sample_layout *layout, const uint8_t *body)
{
	return layout->cpu_offset == UINT16_MAX ? UINT32_MAX
						: half_at(body + layout->cpu_offset, false);
}

/* Whether the record @raw is a sample that has what @all says. */
static inline bool goes_on(const struct run_bytes *all, const struct raw_record *raw)
{
	const uint8_t *body = raw->bytes + RECORD_HEADER_BYTES;

	return raw->type == RECORD_SAMPLE &&
	       raw->size >= (size_t)RECORD_HEADER_BYTES + all->layout->words_bytes &&
	       word_at(body + all->layout->tid_offset, false) == all->thread &&
	       cpu_at(all->layout, body) == all->cpu &&
	       (all->id_offset == SIZE_MAX || word_at(body + all->id_offset, false) == all->id);
}

static inline void write_packed(struct packed_sample *to, bool past, uint64_t ip, uint64_t rest)
{
	uint64_t *words = (uint64_t *)(void *)to;

	if (past) {
		pastcache_write(&words[0], ip);
		pastcache_write(&words[1], rest);
	} else {
		*to = (struct packed_sample){ip, rest};
	}
}

/* Takes samples of @stretch into the empty @run, @room at most, as long as they have what @all
 * says, are not late, and can be packed. @past: as in take_samples(). */
__attribute__((always_inline)) static inline void
fill_run(struct packed_run *run, const struct run_bytes *all, struct raw_stretch *stretch,
	 struct packed_sample *to, size_t room, bool past)
{
	const struct run_bytes same = *all;
	const uint64_t first = run->first, newest = stretch->newest;
	struct raw_stretch rest = *stretch;
	uint64_t last = 0, sum = 0;
	uint32_t nr = 0;

	for (; rest.bytes != rest.end && nr < room; nr++) {
		struct raw_stretch after = rest;
		const struct raw_record raw = raw_take(&after, false);
		const uint8_t *body = raw.bytes + RECORD_HEADER_BYTES;
		uint64_t time, period;

		if (!goes_on(&same, &raw))
			break;
		time = word_at(body + same.layout->time_offset, false);
		period = period_at(&same, body);
		if (time < newest || (time - first) >> PACKED_TIME_BITS ||
		    period >> PACKED_PERIOD_BITS)
			break;
		write_packed(&to[nr], past, word_at(body + same.layout->ip_offset, false),
			     (time - first) << (PACKED_PERIOD_BITS + PACKED_MODE_BITS) |
				     period << PACKED_MODE_BITS | (raw.misc & CPUMODE_MASK));
		last = time;
		sum += period;
		rest = after;
	}
	run->last = last;
	run->period = sum;
	run->nr = nr;
	*stretch = rest;
}

/* Sets @run, empty, and @all to what the sample @raw has. Returns false if it cannot be packed. */
static bool start_run(struct plain_taker *taker, const struct raw_record *raw,
		      struct packed_run *run, struct run_bytes *all)
{
	const struct event_set *set = taker->finder->set;
	const uint8_t *body = raw->bytes + RECORD_HEADER_BYTES;
	const size_t len = raw->size - (size_t)RECORD_HEADER_BYTES;
	struct recent_event recent = {0};
	const struct event *event = event_of(taker->finder, body, len, false, &recent);
	const struct sample_layout *layout;

	if (!event || !events_can_pack(set) || len < event->layout.words_bytes)
		return false;
	layout = &event->layout;
	*all = (struct run_bytes){
		.layout = layout,
		.period = event->attr.sample_period,
		.id_offset = set->nr_events > 1 ? set->sample_id_offset : SIZE_MAX,
		.id = recent.id,
		.thread = word_at(body + layout->tid_offset, false),
		.cpu = cpu_at(layout, body),
	};
	*run = (struct packed_run){
		.event = event,
		.bytes = raw->bytes,
		.first_nr = raw->nr,
		.first = word_at(body + layout->time_offset, false),
		.pid = half_at(body + layout->tid_offset, false),
		.tid = half_at(body + layout->tid_offset + sizeof(uint32_t), false),
		.cpu = all->cpu,
	};
	return true;
}

/* As plain_take(). @past: as in take_samples(). */
__attribute__((always_inline)) static inline void take_packed(struct raw_stretch *stretch,
							      bool past, struct plain_taker *taker)
{
	while (stretch->bytes != stretch->end && taker->nr < taker->room) {
		struct packed_sample *to = &taker->packed[taker->nr_packed];
		struct packed_run *run = &taker->runs[taker->nr];
		struct raw_stretch after = *stretch;
		const struct raw_record raw = raw_take(&after, false);
		struct run_bytes all;

		if (raw.type != RECORD_SAMPLE || !start_run(taker, &raw, run, &all))
			return;
		fill_run(run, &all, stretch, to, taker->packed_room - taker->nr_packed, past);
		if (run->nr == 0)
			return;
		run->samples = to;
		taker->nr++;
		taker->nr_packed += run->nr;
		taker->first = run->first < taker->first ? run->first : taker->first;
		taker->last = run->last > taker->last ? run->last : taker->last;
	}
}

/* With runs of 8 samples packing takes 1.05 of the time, with 35 it takes 0.91 to 0.96. */
enum { RUN_MIN = 16, LOOK_RUNS = 256, SKIPS = 32 };

bool plain_packs_well(struct plain_taker *taker)
{
	if (taker->nr_skips == 0)
		return true;
	taker->nr_skips--;
	return false;
}

void plain_note_runs(struct plain_taker *taker, size_t nr_packed, size_t nr_runs)
{
	taker->seen_packed += nr_packed;
	taker->seen_runs += nr_runs;
	if (taker->seen_runs < LOOK_RUNS)
		return;
	taker->nr_skips = taker->seen_packed / taker->seen_runs < RUN_MIN ? SKIPS : 0;
	taker->seen_packed = taker->seen_runs = 0;
}

struct raw_stretch plain_records(const struct packed_run *run)
{
	struct raw_stretch all = {.bytes = run->bytes, .nr = run->first_nr, .sorted = true};
	struct raw_stretch rest = all;

	for (size_t i = 0; i < run->nr; i++)
		(void)raw_take(&rest, false);
	all.end = rest.bytes;
	return all;
}

/* As plain_take(); @swap and @past, which is taker->past_cache, are constants, for speed. */
__attribute__((always_inline)) static inline bool
take_samples(struct raw_stretch *stretch, bool swap, bool past, struct plain_taker *taker)
{
	struct recent_event recent = {0};
	uint64_t first = UINT64_MAX, last = 0; /* what is past the cache is not read again */
	size_t nr = taker->nr;
	bool chains = false;

	while (stretch->bytes != stretch->end && nr < taker->room) {
		struct raw_stretch after = *stretch;
		const struct raw_record raw = raw_take(&after, swap);
		const uint8_t *body = raw.bytes + RECORD_HEADER_BYTES;
		const size_t len = raw.size - (size_t)RECORD_HEADER_BYTES;
		struct plain_sample own = {0}, *to = past ? &own : &taker->samples[nr];

		if (raw.type != RECORD_SAMPLE)
			break;
		to->event = event_of(taker->finder, body, len, swap, &recent);
		if (!to->event || !to->event->layout.plain || len < to->event->layout.words_bytes)
			break;
		take_words(body, swap, &to->event->layout, to);
		if (to->time < stretch->newest ||
		    (to->event->layout.plain_chain &&
		     !take_chain(body + to->event->layout.words_bytes, body + len, swap, to)))
			break;
		chains |= to->event->layout.plain_chain;
		to->nr = raw.nr;
		to->bytes = raw.bytes;
		to->cpumode = raw.misc & CPUMODE_MASK;
		first = nr == taker->nr ? to->time : first;
		last = to->time;
		if (past)
			write_past_cache(&taker->samples[nr], to);
		stretch->bytes = after.bytes;
		stretch->nr = after.nr;
		nr++;
	}
	taker->nr = nr;
	/* they are in order */
	taker->first = first < taker->first ? first : taker->first;
	taker->last = last > taker->last ? last : taker->last;
	return chains;
}

bool plain_take(struct raw_stretch *stretch, struct plain_taker *taker)
{
	if (taker->nr == taker->from) {
		taker->first = UINT64_MAX;
		taker->last = 0;
		taker->gap_end = stretch->gap_end;
	}
	if (taker->gap_end != stretch->gap_end)
		return false;
	if (taker->packed) {
		if (taker->past_cache)
			take_packed(stretch, true, taker);
		else
			take_packed(stretch, false, taker);
		return false;
	}
	if (taker->swap)
		return take_samples(stretch, true, false, taker);
	return PASTCACHE_IS_THERE && taker->past_cache ? take_samples(stretch, false, true, taker)
						       : take_samples(stretch, false, false, taker);
}
