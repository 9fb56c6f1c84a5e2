#include "perffile/record/decode.h"

#include "perffile/record/body.h"
#include "perffile/record/recordtype.h"
#include "perffile/record/sample.h"

/*
 * How the body of each type is read: off the cursor, up to where the trailer may start; the cursor
 * is failed if it is too short. SAMPLE is laid out by its event (sample.c), SWITCH has only its
 * misc, and what the others without a decoder say of the recording is acted on when they are
 * framed (meta.c, stream.c).
 */
static void (*const decoders[RECORD_NAMED_MAX])(struct span *body, struct record *rec) = {
	[RECORD_MMAP] = body_mmap,
	[RECORD_LOST] = body_lost,
	[RECORD_COMM] = body_comm,
	[RECORD_EXIT] = body_task,
	[RECORD_THROTTLE] = body_throttle,
	[RECORD_UNTHROTTLE] = body_throttle,
	[RECORD_FORK] = body_task,
	[RECORD_READ] = body_pid_tid,
	[RECORD_MMAP2] = body_mmap2,
	[RECORD_AUX] = body_aux,
	[RECORD_ITRACE_START] = body_pid_tid,
	[RECORD_LOST_SAMPLES] = body_lost_samples,
	[RECORD_SWITCH_CPU_WIDE] = body_switch_cpu_wide,
	[RECORD_NAMESPACES] = body_namespaces,
	[RECORD_KSYMBOL] = body_ksymbol,
	[RECORD_BPF_EVENT] = body_bpf_event,
	[RECORD_CGROUP] = body_cgroup,
	[RECORD_TEXT_POKE] = body_text_poke,
	[RECORD_AUX_OUTPUT_HW_ID] = body_hw_id,
	[RECORD_CALLCHAIN_DEFERRED] = body_deferred,
	[RECORD_ID_INDEX] = body_id_index,
	[RECORD_AUXTRACE_INFO] = body_auxtrace_info,
	[RECORD_AUXTRACE] = body_auxtrace,
	[RECORD_AUXTRACE_ERROR] = body_auxtrace_error,
	[RECORD_THREAD_MAP] = body_thread_map,
	[RECORD_STAT_CONFIG] = body_stat_config,
	[RECORD_STAT] = body_stat,
	[RECORD_STAT_ROUND] = body_stat_round,
	[RECORD_EVENT_UPDATE] = body_event_update,
	[RECORD_TIME_CONV] = body_time_conv,
};

/*
 * The trailer counts from the record's end. Some old writers synthesize records without one even
 * though sample_id_all is set: then the body reaches into its place, and there is none. Returns its
 * bytes.
 */
static size_t decode_trailer(struct record *rec, const struct span *body, const struct span *rest)
{
	uint16_t trailer_bytes = rec->event->layout.trailer_bytes;
	struct span trailer = *body;

	if (trailer_bytes == 0 || span_left(rest) < trailer_bytes)
		return 0;
	trailer.pos = trailer.end - trailer_bytes;
	sample_trailer_decode(rec, trailer);
	return trailer_bytes;
}

static enum decode_result decode_other(struct record *rec, const struct span *body,
				       struct event_set *events, size_t *nr_rest)
{
	/* Not copied as a whole: that would wait for its parts, which were stored a moment ago. */
	struct span rest = span_make(body->pos, span_left(body), body->swap);

	if (rec->type < RECORD_NAMED_MAX && decoders[rec->type]) {
		decoders[rec->type](&rest, rec);
		if (rest.failed)
			return DECODE_DAMAGED;
	} else if (!record_type_name(rec->type) && !record_type_may_exist(rec->type)) {
		return DECODE_DAMAGED;
	}
	*nr_rest = span_left(&rest);
	if (rec->type >= RECORD_USER_FIRST)
		return DECODE_OK;
	rec->event = events_of_record(events, body);
	if (rec->event)
		*nr_rest -= decode_trailer(rec, body, &rest);
	return DECODE_OK;
}

enum decode_result decode_record(struct record *rec, const struct raw_record *raw, bool swap,
				 struct event_set *events, size_t *rest)
{
	const struct span body = raw_body(raw, swap);

	rec->nr = raw->nr;
	rec->file_offset = raw_file_offset(raw);
	rec->type = raw->type;
	rec->misc = raw->misc;
	rec->size = raw->size;
	rec->has = 0;
	rec->event = NULL;
	if (raw->type != RECORD_SAMPLE)
		return decode_other(rec, &body, events, rest);
	rec->event = events_of_sample(events, &body);
	if (!rec->event)
		return DECODE_UNKNOWN_ID;
	return sample_decode(rec, &body, rest) ? DECODE_OK : DECODE_DAMAGED;
}
