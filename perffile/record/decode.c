#include "perffile/record/decode.h"

#include "perffile/record/body.h"
#include "perffile/record/recordtype.h"
#include "perffile/record/sample.h"

/*
 * The decoders of the bodies (see body.h). Types without one are SAMPLE, laid out by its event
 * (sample.c), SWITCH, which has only its misc, and records that take effect when they are framed
 * (meta.c, stream.c).
 */
static void (*const decoders[RECORD_NAMED_MAX])(struct span *body, struct record *rec) = {
	[RECORD_MMAP] = kernelbody_mmap,
	[RECORD_LOST] = kernelbody_lost,
	[RECORD_COMM] = kernelbody_comm,
	[RECORD_EXIT] = kernelbody_task,
	[RECORD_THROTTLE] = kernelbody_throttle,
	[RECORD_UNTHROTTLE] = kernelbody_throttle,
	[RECORD_FORK] = kernelbody_task,
	[RECORD_READ] = kernelbody_pid_tid,
	[RECORD_MMAP2] = kernelbody_mmap2,
	[RECORD_AUX] = kernelbody_aux,
	[RECORD_ITRACE_START] = kernelbody_pid_tid,
	[RECORD_LOST_SAMPLES] = kernelbody_lost_samples,
	[RECORD_SWITCH_CPU_WIDE] = kernelbody_switch_cpu_wide,
	[RECORD_NAMESPACES] = kernelbody_namespaces,
	[RECORD_KSYMBOL] = kernelbody_ksymbol,
	[RECORD_BPF_EVENT] = kernelbody_bpf_event,
	[RECORD_CGROUP] = kernelbody_cgroup,
	[RECORD_TEXT_POKE] = kernelbody_text_poke,
	[RECORD_AUX_OUTPUT_HW_ID] = kernelbody_hw_id,
	[RECORD_CALLCHAIN_DEFERRED] = kernelbody_deferred,
	[RECORD_ID_INDEX] = userbody_id_index,
	[RECORD_AUXTRACE_INFO] = userbody_auxtrace_info,
	[RECORD_AUXTRACE] = userbody_auxtrace,
	[RECORD_AUXTRACE_ERROR] = userbody_auxtrace_error,
	[RECORD_THREAD_MAP] = userbody_thread_map,
	[RECORD_STAT_CONFIG] = userbody_stat_config,
	[RECORD_STAT] = userbody_stat,
	[RECORD_STAT_ROUND] = userbody_stat_round,
	[RECORD_EVENT_UPDATE] = userbody_event_update,
	[RECORD_TIME_CONV] = userbody_time_conv,
};

/*
 * Decodes the trailer, which ends the record. Some old writers synthesize records without one even
 * though sample_id_all is set: then the body extends into its place. Returns its bytes, 0 if there
 * is none.
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

/* Most records are samples: what is rarer would only slow their decoder if it were inlined in it.
 */
__attribute__((noinline)) static enum decode_result decode_other(struct record *rec,
								 const struct span *body,
								 struct event_finder *finder,
								 size_t *nr_rest)
{
	/* copied by member: a whole copy would stall on members stored a moment ago */
	struct span rest = span_make(body->pos, span_left(body), body->swap);

	if (rec->type < RECORD_NAMED_MAX && decoders[rec->type]) {
		decoders[rec->type](&rest, rec);
		if (rest.failed)
			return DECODE_DAMAGED;
	} else if (!record_type_name(rec->type) && !record_type_may_exist(rec->type)) {
		return DECODE_DAMAGED;
	}
	*nr_rest = span_left(&rest);
	if (rec->type == RECORD_STAT)
		rec->event = events_by_id(finder->set, rec->stat_value.id);
	if (rec->type >= RECORD_USER_FIRST)
		return DECODE_OK;
	rec->event = events_of_record(finder, body);
	if (rec->event)
		*nr_rest -= decode_trailer(rec, body, &rest);
	return DECODE_OK;
}

enum decode_result decode_record(struct record *rec, const struct raw_record *raw, bool swap,
				 struct event_finder *finder, size_t *rest)
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
		return decode_other(rec, &body, finder, rest);
	rec->event = events_of_sample(finder, &body);
	if (!rec->event)
		return DECODE_UNKNOWN_ID;
	return sample_decode(rec, &body, rest) ? DECODE_OK : DECODE_DAMAGED;
}
