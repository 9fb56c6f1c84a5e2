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

/* Adds @damage, found in places of which @damage->offset is the first. */
static void add_damage(struct damage *sum, const struct damage *damage, uint64_t records)
{
	if (records > 0 && (sum->records == 0 || damage->offset < sum->offset)) {
		sum->offset = damage->offset;
		sum->packed = damage->packed;
	}
	sum->records += records;
	sum->bytes += damage->bytes;
}

/* Counts @records more damaged ones, the first at file offset @offset. */
static void count_damaged(struct perffile_counts *counts, uint64_t records, uint64_t offset)
{
	if (records > 0 && (counts->damaged == 0 || offset < counts->damaged_offset))
		counts->damaged_offset = offset;
	counts->damaged += records;
}

void counts_damage(struct perffile_counts *counts, enum damage_cause cause,
		   const struct damage *damage)
{
	counts->any = true;
	count_damaged(counts, 1, damage->offset);
	add_damage(&counts->damages[cause], damage, 1);
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
	counts->any = true;
	if (cut_bytes && counts->nr_truncated++ == 0)
		counts->truncated_offset = cut_offset;
	counts->truncated_bytes += cut_bytes;
	counts->missing_bytes += missing_bytes;
}

void counts_break(struct perffile_counts *counts, int errnum, uint64_t offset)
{
	counts->any = true;
	counts->broken = errnum;
	counts->broken_offset = offset;
}

void counts_move(struct perffile_counts *counts, struct perffile_counts *framed)
{
	if (!framed->any)
		return;
	counts->any = true;
	count_damaged(counts, framed->damaged, framed->damaged_offset);
	for (int cause = 0; cause < NR_DAMAGES; cause++)
		add_damage(&counts->damages[cause], &framed->damages[cause],
			   framed->damages[cause].records);
	if (counts->nr_truncated == 0)
		counts->truncated_offset = framed->truncated_offset;
	counts->nr_truncated += framed->nr_truncated;
	counts->truncated_bytes += framed->truncated_bytes;
	counts->missing_bytes += framed->missing_bytes;
	if (framed->broken)
		counts_break(counts, framed->broken, framed->broken_offset);
	*framed = (struct perffile_counts){0};
}
