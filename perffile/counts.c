#include "perffile/counts.h"

static const struct {
	const char *name, *meaning;
} causes[NR_DAMAGES] = {
	[DAMAGE_SIZE] = {"size", "a record size that leads to no further record"},
	[DAMAGE_TYPE] = {"type", "an unknown record type with no valid record after it"},
	[DAMAGE_SHORT] = {"short", "fewer bytes than the type needs"},
	[DAMAGE_LIST] = {"list", "a list longer than the record"},
	[DAMAGE_STRING] = {"string", "an unterminated name"},
	[DAMAGE_ID] = {"id", "a sample of an event the file does not describe"},
	[DAMAGE_PACKED] = {"compressed", "bytes that cannot be decompressed"},
	[DAMAGE_PAYLOAD] = {"payload", "a missing payload"},
};

const char *counts_damage_name(enum damage_cause cause)
{
	return causes[cause].name;
}

const char *counts_damage_meaning(enum damage_cause cause)
{
	return causes[cause].meaning;
}

void counts_record(struct perffile_counts *counts, const struct record *rec)
{
	if (rec->type == RECORD_FINISHED_ROUND) {
		counts->rounds = true;
	} else if (rec->type == RECORD_LOST || rec->type == RECORD_LOST_SAMPLES) {
		loss_add(&counts->losses, rec);
		counts->lost = loss_total(&counts->losses, counts->losses.read_at_end > 0);
	}
}

void counts_damage(struct perffile_counts *counts, enum damage_cause cause,
		   const struct damage *damage)
{
	struct damage *sum = &counts->damages[cause];

	if (counts->damaged++ == 0)
		counts->damaged_offset = damage->offset;
	if (sum->records == 0) {
		sum->offset = damage->offset;
		sum->packed = damage->packed;
	}
	sum->records++;
	sum->bytes += damage->bytes;
}

void counts_late(struct perffile_counts *counts, uint32_t type)
{
	counts->late++;
	if (type < RECORD_USER_FIRST) /* others are not sorted, unless the file changes meanwhile */
		counts->late_by_type[type]++;
}

void counts_end(struct perffile_counts *counts, uint64_t cut_bytes, uint64_t cut_offset,
		uint64_t missing_bytes)
{
	if (cut_bytes && counts->nr_truncated++ == 0)
		counts->truncated_offset = cut_offset;
	counts->truncated_bytes += cut_bytes;
	counts->missing_bytes += missing_bytes;
}
