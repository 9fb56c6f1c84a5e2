/* Facts about the machine that was recorded: CPUs, caches, memory. */
#include "perffile/feature/featuretext_kinds.h"

#include <inttypes.h>

/* u32 available, u32 online. */
void featuretext_nrcpus(const struct telling *telling, struct span *s)
{
	fact_u32(telling->facts, s, "%s.available", telling->name);
	fact_u32(telling->facts, s, "%s.online", telling->name);
}

/* u32 nr, nr strings: lists of CPUs. */
static void featuretext_siblings(const struct telling *telling, struct span *s, const char *what)
{
	uint32_t nr = span_u32(s);

	for (uint32_t i = 0; i < nr && !s->failed; i++)
		fact_string(telling->facts, s, "%s.%s.%" PRIu32, telling->name, what, i);
}

/*
 * Siblings by socket and by core; since Linux 4.0, {u32 core, u32 socket} of each available CPU
 * (NRCPUS); since 5.3, on machines with dies, siblings by die and u32 die of each CPU. In a record,
 * up to 7 bytes of padding may follow.
 */
void featuretext_cpu_topology(const struct telling *telling, struct span *s)
{
	featuretext_siblings(telling, s, "socket_siblings");
	featuretext_siblings(telling, s, "core_siblings");
	if (span_left(s) < sizeof(uint64_t))
		return;
	for (uint32_t i = 0; i < telling->cpus_available && !s->failed; i++) {
		fact_u32(telling->facts, s, "%s.cpu.%" PRIu32 ".core", telling->name, i);
		fact_u32(telling->facts, s, "%s.cpu.%" PRIu32 ".socket", telling->name, i);
	}
	if (span_left(s) < sizeof(uint64_t))
		return;
	featuretext_siblings(telling, s, "die_siblings");
	for (uint32_t i = 0; i < telling->cpus_available && !s->failed; i++)
		fact_u32(telling->facts, s, "%s.cpu.%" PRIu32 ".die", telling->name, i);
}

/* u32 nr, nr x {u32 node, u64 total, u64 free, string cpus}. */
void featuretext_numa_topology(const struct telling *telling, struct span *s)
{
	uint32_t nr = span_u32(s);

	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		fact_u32(telling->facts, s, "%s.%" PRIu32 ".node", telling->name, i);
		fact_u64(telling->facts, s, "%s.%" PRIu32 ".total", telling->name, i);
		fact_u64(telling->facts, s, "%s.%" PRIu32 ".free", telling->name, i);
		fact_string(telling->facts, s, "%s.%" PRIu32 ".cpus", telling->name, i);
	}
}

/* u32 version, u32 nr, nr x {u32 level, line, sets, ways, string type, size, map}. */
void featuretext_cache(const struct telling *telling, struct span *s)
{
	static const char *const numbers[] = {"level", "line_size", "sets", "ways"};
	static const char *const strings[] = {"type", "size", "cpus"};
	uint32_t nr;

	fact_u32(telling->facts, s, "%s.version", telling->name);
	nr = span_u32(s);
	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		for (size_t j = 0; j < sizeof(numbers) / sizeof(numbers[0]); j++)
			fact_u32(telling->facts, s, "%s.%" PRIu32 ".%s", telling->name, i,
				 numbers[j]);
		for (size_t j = 0; j < sizeof(strings) / sizeof(strings[0]); j++)
			fact_string(telling->facts, s, "%s.%" PRIu32 ".%s", telling->name, i,
				    strings[j]);
	}
}

static void add_range(struct fact_value *list, uint64_t first, uint64_t last)
{
	fact_value_number(list, ",", first);
	if (last > first)
		fact_value_number(list, "-", last);
}

/* The set bits of the u64 words of @s as ranges: "0-31,34". */
static void featuretext_bitmap(const struct telling *telling, struct span *s, uint64_t nr_bits,
			       uint32_t node)
{
	struct span words = span_take(s, (nr_bits / 64 + (nr_bits % 64 != 0)) * sizeof(uint64_t));
	struct fact_value list = {0};
	uint64_t word = 0, first = UINT64_MAX;

	for (uint64_t bit = 0; bit < nr_bits && !words.failed; bit++) {
		if (bit % 64 == 0)
			word = span_u64(&words);
		if (word >> (bit % 64) & 1) {
			first = first == UINT64_MAX ? bit : first;
		} else if (first != UINT64_MAX) {
			add_range(&list, first, bit - 1);
			first = UINT64_MAX;
		}
	}
	if (first != UINT64_MAX)
		add_range(&list, first, nr_bits - 1);
	fact_take(telling->facts, s, &list, "%s.%" PRIu32 ".blocks", telling->name, node);
}

/*
 * u64 version, u64 block size, u64 nr, nr x {u64 node, u64 size, u64 bits, u64 words[]}: which
 * blocks of memory belong to each node.
 */
void featuretext_mem_topology(const struct telling *telling, struct span *s)
{
	struct span version = *s;
	uint64_t nr;

	fact_u64(telling->facts, s, "%s.version", telling->name);
	if (span_u64(&version) != 1) {
		span_fail(s);
		return;
	}
	fact_u64(telling->facts, s, "%s.block_size", telling->name);
	nr = span_u64(s);
	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		uint64_t nr_bits;

		fact_u64(telling->facts, s, "%s.%" PRIu32 ".node", telling->name, i);
		fact_u64(telling->facts, s, "%s.%" PRIu32 ".size", telling->name, i);
		nr_bits = span_u64(s);
		if (!span_holds(s, nr_bits / 64, sizeof(uint64_t)))
			span_fail(s);
		else
			featuretext_bitmap(telling, s, nr_bits, i);
	}
}

/* u32 nr, nr x {string pmu, string cpus}. */
void featuretext_hybrid_topology(const struct telling *telling, struct span *s)
{
	uint32_t nr = span_u32(s);

	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		fact_string(telling->facts, s, "%s.%" PRIu32 ".pmu", telling->name, i);
		fact_string(telling->facts, s, "%s.%" PRIu32 ".cpus", telling->name, i);
	}
}

/* u32 domain, since version 17 string name, string mask, string list. */
static void featuretext_domain(const struct telling *telling, struct span *s, uint32_t version,
			       uint32_t cpu)
{
	uint32_t domain = span_u32(s);

	if (version >= 17)
		fact_string(telling->facts, s, "%s.cpu.%" PRIu32 ".domain.%" PRIu32 ".name",
			    telling->name, cpu, domain);
	fact_string(telling->facts, s, "%s.cpu.%" PRIu32 ".domain.%" PRIu32 ".mask", telling->name,
		    cpu, domain);
	fact_string(telling->facts, s, "%s.cpu.%" PRIu32 ".domain.%" PRIu32 ".cpus", telling->name,
		    cpu, domain);
}

/* u32 schedstat version, u32 most domains, then {u32 cpu, u32 nr, nr domains} per CPU online. */
void featuretext_cpu_domain_info(const struct telling *telling, struct span *s)
{
	struct span head = *s;
	uint32_t version = span_u32(&head), cpus = telling->cpus_online;

	fact_u32(telling->facts, s, "%s.schedstat_version", telling->name);
	fact_u32(telling->facts, s, "%s.max_domains", telling->name);
	for (uint32_t i = 0; i < cpus && !s->failed; i++) {
		uint32_t cpu = span_u32(s), nr = span_u32(s);

		for (uint32_t j = 0; j < nr && !s->failed; j++)
			featuretext_domain(telling, s, version, cpu);
	}
}

/* u32 e_machine, u32 e_flags of ELF. */
void featuretext_e_machine(const struct telling *telling, struct span *s)
{
	uint32_t flags;

	fact_u32(telling->facts, s, "%s", telling->name);
	flags = span_u32(s);
	if (!s->failed)
		fact_hex(telling->facts, flags, "%s.flags", telling->name);
}
