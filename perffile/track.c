#include "perffile/track.h"

#include "perffile/container.h"
#include "perffile/counts.h"
#include "perffile/decode.h"
#include "perffile/record.h"

enum {
	RETURNS_MAX = 64,	  /* each costs the reading of a block */
	CONTAINER_BYTES_MIN = 24, /* less cannot have been a compressed record */
};

void track_init(struct track *track, const struct judge *judge, struct perffile_counts *counts)
{
	track->judge = judge;
	track->counts = counts;
}

/* Damage at the next byte of @track, or where the search began; @bytes more than were dropped. */
static void note_damage(struct track *track, enum damage_cause cause, size_t bytes)
{
	const struct damage damage = {
		.bytes = track->dropped + bytes,
		.offset = track->searching ? track->dropped_offset : reader_offset(&track->reader),
		.packed = track->reader.packed,
	};

	count_damage(track->counts, cause, &damage);
}

static void stop_search(struct track *track)
{
	track->searching = false;
	track->salvage = (struct salvage){0};
	track->dropped = 0;
}

static void start_search(struct track *track, enum damage_cause cause)
{
	if (track->searching)
		return;
	track->searching = true;
	track->cause = cause;
	track->dropped_offset = reader_offset(&track->reader);
}

void track_search(struct track *track, enum damage_cause cause)
{
	start_search(track, cause);
	track->salvage.lost = true;
}

/* What is wrong with a record that leads nowhere: its type or else its size. */
static enum damage_cause cause_of(const struct raw_record *raw)
{
	if (raw->size < RECORD_HEADER_BYTES || record_type_name(raw->type) ||
	    record_type_may_exist(raw->type))
		return DAMAGE_SIZE;
	return DAMAGE_TYPE;
}

/* Bytes that were scanned make room for others. */
static void drop_scanned(struct track *track)
{
	size_t bytes = track->salvage.scanned ? track->salvage.scanned : 1;

	reader_step(&track->reader, bytes);
	track->dropped += bytes;
	track->salvage = (struct salvage){.lost = true};
}

/*
 * The next @bytes are records by their sizes. Among compressed ones, one of a type that no perf has
 * may have been one of them: if not, the unpacking shows it.
 */
static enum reader_result keep(struct track *track, struct raw_record *raw, size_t bytes)
{
	struct raw_record first;

	stop_search(track);
	reader_trust(&track->reader, bytes);
	reader_peek(&track->reader, &first);
	if (!track->container_type || record_type_name(first.type) ||
	    record_type_may_exist(first.type) || first.size < CONTAINER_BYTES_MIN)
		return READER_ODD;
	note_damage(track, DAMAGE_TYPE, 0);
	reader_force(&track->reader, raw, first.size);
	raw->type = track->container_type;
	return READER_RECORD;
}

/* Behind the next @bytes are records. A compressed record whose size lies has as many. */
static enum reader_result step(struct track *track, struct raw_record *raw, size_t bytes)
{
	if (!track->salvage.lost && bytes <= RECORD_BYTES_MAX && bytes >= CONTAINER_BYTES_MIN) {
		reader_peek(&track->reader, raw);
		if (is_container(raw)) {
			note_damage(track, DAMAGE_SIZE, 0);
			reader_force(&track->reader, raw, (uint16_t)bytes);
			stop_search(track);
			return READER_RECORD;
		}
	}
	note_damage(track, track->cause, bytes);
	track->hole = track->dropped + bytes >= CONTAINER_BYTES_MIN;
	reader_step(&track->reader, bytes);
	stop_search(track);
	return READER_ODD;
}

/*
 * Finds out how to go on. READER_RECORD if that gives a record, READER_ODD if one is next,
 * READER_DRY if there is none as far as the bytes go.
 */
static enum reader_result recover(struct track *track, struct raw_record *raw, struct error *err)
{
	bool at_end = false;

	for (;;) {
		size_t bytes = 0;
		bool full;
		ssize_t got;

		switch (salvage_look(&track->salvage, track->judge, reader_bytes(&track->reader),
				     at_end, &bytes)) {
		case SALVAGE_KEEP:
			return keep(track, raw, bytes);
		case SALVAGE_STEP:
			return step(track, raw, bytes);
		case SALVAGE_NONE:
			return READER_DRY;
		case SALVAGE_MORE:
			break;
		}
		got = reader_more(&track->reader, &full, err);
		if (got < 0)
			return READER_ERROR;
		if (full)
			drop_scanned(track);
		else if (got == 0 && !track->ends)
			return READER_DRY;
		at_end = got == 0 && !full;
	}
}

/*
 * A compressed record may have any size, so it is held against what follows it, and if that is
 * no record against what it holds. READER_RECORD if it ends well or the data ends, READER_ODD if
 * not, READER_DRY if it must be framed again.
 */
static enum reader_result check_container(struct track *track, struct raw_record *raw,
					  struct error *err)
{
	const struct shapes *shapes = track->judge->shapes;
	struct raw_record next;
	ssize_t got;
	bool full;

	if (reader_trusts(&track->reader, raw))
		return READER_RECORD;
	if (reader_left(&track->reader) >= RECORD_HEADER_BYTES) {
		reader_peek(&track->reader, &next);
		if (shapes_allow(shapes, next.type, next.size) ||
		    container_is_filled(raw, track->reader.swap))
			return READER_RECORD;
		reader_back(&track->reader, raw);
		return READER_ODD;
	}
	reader_back(&track->reader, raw);
	got = reader_more(&track->reader, &full, err);
	if (got == 0)
		reader_trust(&track->reader, raw->size);
	return got < 0 ? READER_ERROR : READER_DRY;
}

/*
 * What is next by the reader alone, which has answered @result. READER_ODD also where it runs dry
 * within a record.
 */
static enum reader_result settle_framed(struct track *track, enum reader_result result,
					struct raw_record *raw, struct error *err)
{
	for (;;) {
		if (result == READER_DRY && track->ends && reader_left(&track->reader) > 0)
			return READER_ODD;
		if (result != READER_RECORD || !is_container(raw))
			return result;
		result = check_container(track, raw, err);
		if (result != READER_DRY)
			return result;
		result = reader_next(&track->reader, raw, err);
	}
}

/* What was passed over as no records led to none: it is looked at after all. */
static bool look_back(struct track *track)
{
	if (track->payload_offset == 0 || track->nr_returns == RETURNS_MAX ||
	    reader_place(&track->reader) != track->payload_end)
		return false;
	track->nr_returns++;
	reader_seek(&track->reader, track->payload_offset);
	track->payload_offset = 0;
	track_search(track, DAMAGE_PAYLOAD);
	return true;
}

static enum reader_result fill_some(struct track *track, struct error *err)
{
	bool full;
	ssize_t got = reader_more(&track->reader, &full, err);

	return got < 0 ? READER_ERROR : got == 0 ? READER_DRY : READER_ODD;
}

/* The search begins, at what is next or before it. */
static void start_recovery(struct track *track, const struct raw_record *raw)
{
	const bool framed = reader_left(&track->reader) >= RECORD_HEADER_BYTES;

	if (!look_back(track))
		start_search(track, framed ? cause_of(raw) : DAMAGE_SIZE);
}

enum reader_result track_settle(struct track *track, enum reader_result result,
				struct raw_record *raw, struct error *err)
{
	for (;;) {
		if (!track->searching) {
			result = settle_framed(track, result, raw, err);
			if (result != READER_ODD)
				return result;
			start_recovery(track, raw);
		}
		if (reader_left(&track->reader) == 0) {
			result = fill_some(track, err);
			if (result != READER_ODD)
				return result;
		}
		result = recover(track, raw, err);
		if (result != READER_ODD)
			return result;
		result = reader_next(&track->reader, raw, err);
	}
}

void track_drop(struct track *track)
{
	reader_drop(&track->reader);
	stop_search(track);
}

uint64_t track_rest(const struct track *track, uint64_t *offset)
{
	const uint64_t left = reader_left(&track->reader);

	*offset = track->searching ? track->dropped_offset : reader_offset(&track->reader);
	return track->dropped + left;
}
