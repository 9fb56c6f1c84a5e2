#include "perffile/counts.h"

void count_record(struct perffile_counts *counts, const struct record *rec)
{
	if (rec->type == RECORD_FINISHED_ROUND) {
		counts->rounds = true;
	} else if (rec->type == RECORD_LOST || rec->type == RECORD_LOST_SAMPLES) {
		loss_add(&counts->losses, rec);
		counts->lost = loss_total(&counts->losses, counts->losses.read_at_end > 0);
	}
}

void count_damage(struct perffile_counts *counts, enum damage_cause cause,
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

void count_late(struct perffile_counts *counts, uint32_t type)
{
	counts->late++;
	if (type < RECORD_USER_FIRST) /* sorted are no others, unless the file changes */
		counts->late_by_type[type]++;
}

/* Bytes of the data that a file has not, or no more: it may have been cut since it was opened. */
static uint64_t missing_bytes(const struct stream *stream)
{
	const uint64_t size = stream->source->size, read = stream->outer.reader.next_offset;
	const uint64_t end = stream->end_offset == UINT64_MAX ? size : stream->end_offset;
	const uint64_t reached = read < size ? read : size;

	return !stream->source->stream && end > reached ? end - reached : 0;
}

void count_losses(struct perffile_counts *counts, const struct stream *stream)
{
	const struct stream_losses *losses = &stream->losses;

	if (losses->cut_bytes && counts->nr_truncated++ == 0)
		counts->truncated_offset = losses->cut_offset;
	counts->truncated_bytes += losses->cut_bytes;
	counts->missing_bytes += missing_bytes(stream);
}
