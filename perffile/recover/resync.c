#include "perffile/recover/resync.h"

#include "perffile/counts.h"
#include "perffile/order/compressed.h"
#include "perffile/record.h"
#include "perffile/record/decode.h"
#include "perffile/record/recordtype.h"

enum {
	RETURNS_MAX = 64,	  /* each reads a block again */
	CONTAINER_BYTES_MIN = 24, /* least bytes of a compressed record */
};

void resync_init(struct resync *resync, const struct plausibility *plausible,
		 struct perffile_counts *counts)
{
	resync->plausible = plausible;
	resync->counts = counts;
}

/* Counts damage at the next byte or, in a search, where it began: @bytes and those dropped. */
static void note_damage(struct resync *resync, enum damage_cause cause, size_t bytes)
{
	const struct damage damage = {
		.bytes = resync->dropped + bytes,
		.offset =
			resync->searching ? resync->dropped_offset : reader_offset(&resync->reader),
		.packed = resync->reader.packed,
	};

	counts_damage(resync->counts, cause, &damage);
}

static void stop_search(struct resync *resync)
{
	resync->searching = false;
	resync->rescan = (struct rescan){0};
	resync->dropped = 0;
}

static void start_search(struct resync *resync, enum damage_cause cause)
{
	if (resync->searching)
		return;
	resync->searching = true;
	resync->cause = cause;
	resync->dropped_offset = reader_offset(&resync->reader);
}

void resync_search(struct resync *resync, enum damage_cause cause)
{
	start_search(resync, cause);
	resync->rescan.lost = true;
}

/* Returns what is wrong with a record that no record follows: its type or else its size. */
static enum damage_cause cause_of(const struct raw_record *raw)
{
	if (raw->size < RECORD_HEADER_BYTES || record_type_name(raw->type) ||
	    record_type_may_exist(raw->type))
		return DAMAGE_SIZE;
	return DAMAGE_TYPE;
}

/* Drops the bytes scanned to make room for more. */
static void drop_scanned(struct resync *resync)
{
	size_t bytes = resync->rescan.scanned ? resync->rescan.scanned : 1;

	reader_step(&resync->reader, bytes);
	resync->dropped += bytes;
	resync->rescan = (struct rescan){.lost = true};
}

/*
 * Accepts the next @bytes as records by their sizes. If there were compressed records, one of an
 * impossible type may also be one: if it is not, unpacking will show it.
 */
static enum reader_result keep(struct resync *resync, struct raw_record *raw, size_t bytes)
{
	struct raw_record first;

	stop_search(resync);
	reader_trust(&resync->reader, bytes);
	reader_peek(&resync->reader, &first);
	if (!resync->compressed_type || record_type_name(first.type) ||
	    record_type_may_exist(first.type) || first.size < CONTAINER_BYTES_MIN)
		return READER_ODD;
	note_damage(resync, DAMAGE_TYPE, 0);
	reader_force(&resync->reader, raw, first.size);
	raw->type = resync->compressed_type;
	return READER_RECORD;
}

/*
 * Skips the next @bytes, before records. A compressed record of a wrong size gets this size. No
 * compressed record is inside another: what looks like one there is damage.
 */
static enum reader_result step(struct resync *resync, struct raw_record *raw, size_t bytes)
{
	if (!resync->reader.packed && !resync->rescan.lost && bytes <= RECORD_BYTES_MAX &&
	    bytes >= CONTAINER_BYTES_MIN) {
		reader_peek(&resync->reader, raw);
		if (compressed_is(raw)) {
			note_damage(resync, DAMAGE_SIZE, 0);
			reader_force(&resync->reader, raw, (uint16_t)bytes);
			stop_search(resync);
			return READER_RECORD;
		}
	}
	note_damage(resync, resync->cause, bytes);
	resync->hole = resync->dropped + bytes >= CONTAINER_BYTES_MIN;
	reader_step(&resync->reader, bytes);
	stop_search(resync);
	return READER_ODD;
}

/*
 * Finds out how to go on. Returns READER_RECORD with a record, READER_ODD if a record is next,
 * READER_DRY if there is none in the bytes so far, READER_ERROR with @err filled.
 */
static enum reader_result recover(struct resync *resync, struct raw_record *raw, struct error *err)
{
	bool at_end = false;

	for (;;) {
		size_t bytes = 0;
		bool full;
		ssize_t got;

		switch (rescan_look(&resync->rescan, resync->plausible,
				    reader_bytes(&resync->reader), at_end, &bytes)) {
		case RESCAN_KEEP:
			return keep(resync, raw, bytes);
		case RESCAN_STEP:
			return step(resync, raw, bytes);
		case RESCAN_NONE:
			return READER_DRY;
		case RESCAN_MORE:
			break;
		}
		got = reader_more(&resync->reader, &full, err);
		if (got < 0)
			return READER_ERROR;
		if (full)
			drop_scanned(resync);
		else if (got == 0 && !resync->ends)
			return READER_DRY;
		at_end = got == 0 && !full;
	}
}

/*
 * A compressed record may have any size, so it is checked by what follows it and, if that is not a
 * record, by its contents. Returns READER_RECORD if it is valid, READER_ODD if not, READER_DRY if
 * it must be framed again, READER_ERROR with @err filled.
 */
static enum reader_result check_compressed(struct resync *resync, struct raw_record *raw,
					   struct error *err)
{
	const struct record_sizes *sizes = resync->plausible->sizes;
	struct raw_record next;
	ssize_t got;
	bool full;

	if (reader_trusts(&resync->reader, raw))
		return READER_RECORD;
	if (reader_left(&resync->reader) >= RECORD_HEADER_BYTES) {
		reader_peek(&resync->reader, &next);
		if (record_sizes_allow(sizes, next.type, next.size) ||
		    compressed_is_filled(raw, resync->reader.swap))
			return READER_RECORD;
		reader_back(&resync->reader, raw);
		return READER_ODD;
	}
	reader_back(&resync->reader, raw);
	got = reader_more(&resync->reader, &full, err);
	if (got == 0)
		reader_trust(&resync->reader, raw->size);
	return got < 0 ? READER_ERROR : READER_DRY;
}

/*
 * Goes on with the reader alone, which has returned @result. Returns READER_ODD also if the data
 * ends within a record.
 */
static enum reader_result settle_framed(struct resync *resync, enum reader_result result,
					struct raw_record *raw, struct error *err)
{
	for (;;) {
		if (result == READER_DRY && resync->ends && reader_left(&resync->reader) > 0)
			return READER_ODD;
		if (result != READER_RECORD || !compressed_is(raw))
			return result;
		result = check_compressed(resync, raw, err);
		if (result != READER_DRY)
			return result;
		result = reader_next(&resync->reader, raw, err);
	}
}

/* Goes back to search data skipped after a record, if no record follows it; false if not. A record of
 * a new type is one if what follows it is. */
static bool look_back(struct resync *resync)
{
	if (resync->payload_offset == 0 || resync->nr_returns == RETURNS_MAX ||
	    reader_place(&resync->reader) != resync->payload_end ||
	    plausible_next(resync->plausible, reader_bytes(&resync->reader), END_OPEN) !=
		    CHAIN_NONE)
		return false;
	resync->nr_returns++;
	reader_seek(&resync->reader, resync->payload_offset);
	resync->payload_offset = 0;
	resync_search(resync, DAMAGE_PAYLOAD);
	return true;
}

static enum reader_result fill_some(struct resync *resync, struct error *err)
{
	bool full;
	ssize_t got = reader_more(&resync->reader, &full, err);

	return got < 0 ? READER_ERROR : got == 0 ? READER_DRY : READER_ODD;
}

/* Starts the search at the next byte, or at skipped data before it. */
static void start_recovery(struct resync *resync, const struct raw_record *raw)
{
	const bool framed = reader_left(&resync->reader) >= RECORD_HEADER_BYTES;

	if (!look_back(resync))
		start_search(resync, framed ? cause_of(raw) : DAMAGE_SIZE);
}

enum reader_result resync_settle(struct resync *resync, enum reader_result result,
				 struct raw_record *raw, struct error *err)
{
	for (;;) {
		if (!resync->searching) {
			result = settle_framed(resync, result, raw, err);
			if (result != READER_ODD)
				return result;
			start_recovery(resync, raw);
		}
		if (reader_left(&resync->reader) == 0) {
			result = fill_some(resync, err);
			if (result != READER_ODD)
				return result;
		}
		result = recover(resync, raw, err);
		if (result != READER_ODD)
			return result;
		result = reader_next(&resync->reader, raw, err);
	}
}

void resync_drop(struct resync *resync)
{
	reader_drop(&resync->reader);
	stop_search(resync);
}

uint64_t resync_rest(const struct resync *resync, uint64_t *offset)
{
	const uint64_t left = reader_left(&resync->reader);

	*offset = resync->searching ? resync->dropped_offset : reader_offset(&resync->reader);
	return resync->dropped + left;
}
