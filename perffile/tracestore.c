#include "perffile/tracestore.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 256 * 1024 };

const char *perffile_trace_name(uint32_t type)
{
	static const char *const names[] = {
		[TRACE_INTEL_PT] = "Intel PT",	     [TRACE_INTEL_BTS] = "Intel BTS",
		[TRACE_CORESIGHT] = "CoreSight",     [TRACE_ARM_SPE] = "Arm SPE",
		[TRACE_S390] = "s390 CPU-MF",	     [TRACE_HISI_PTT] = "HiSilicon PTT",
		[TRACE_VPA_DTL] = "PowerPC VPA DTL",
	};

	if (type < sizeof(names) / sizeof(names[0]) && names[type])
		return names[type];
	return "of an unknown type";
}

/* Copies the bytes that come next in a pipe. */
static int copy(struct tracestore *store, struct stream *stream, struct error *err)
{
	uint8_t *buffer = malloc(COPY_BYTES);
	ssize_t got;

	if (!buffer)
		return error_nomem(err, "copying the hardware trace");
	store->place = (struct trace_place){.offset = store->spool->size, .spooled = true};
	while ((got = stream_payload(stream, buffer, COPY_BYTES, err)) > 0) {
		if (spool_put(store->spool, buffer, (size_t)got, err) < 0) {
			got = -1;
			break;
		}
		store->place.len += (uint64_t)got;
	}
	free(buffer);
	return got < 0 ? -1 : 0;
}

int tracestore_take(struct tracestore *store, struct stream *stream, uint32_t part,
		    struct error *err)
{
	store->place = (struct trace_place){
		.offset = stream->payload_offset, .len = stream->nr_payload, .part = part};
	if (!stream->source->stream)
		return 0;
	store->place.len = 0;
	return store->spool ? copy(store, stream, err) : 0;
}

static void count_flags(struct trace_summary *summary, const struct record_aux *aux)
{
	summary->nr_aux++;
	summary->nr_truncated += (aux->flags & AUX_TRUNCATED) != 0;
	summary->nr_overwritten += (aux->flags & AUX_OVERWRITE) != 0;
	summary->nr_partial += (aux->flags & AUX_PARTIAL) != 0;
	summary->nr_collided += (aux->flags & AUX_COLLISION) != 0;
}

void tracestore_record(struct tracestore *store, struct record *rec)
{
	struct trace_summary *summary = &store->summary;

	if (rec->type == RECORD_AUX) {
		count_flags(summary, &rec->aux);
	} else if (rec->type == RECORD_AUXTRACE_INFO) {
		summary->type = rec->auxtrace_info.type;
		summary->has_type = true;
	} else if (rec->type == RECORD_AUXTRACE) {
		rec->auxtrace.place = store->place;
		summary->nr_pieces++;
		if (__builtin_add_overflow(summary->bytes, rec->auxtrace.len, &summary->bytes))
			summary->bytes = UINT64_MAX;
	}
}

void tracestore_describe(const struct tracestore *store, struct facts *facts)
{
	const struct trace_summary *summary = &store->summary;
	const char *name = perffile_trace_name(summary->type);

	if (!summary->has_type && !summary->nr_pieces && !summary->nr_aux)
		return;
	if (summary->has_type)
		fact_text(facts, name, strlen(name), "trace");
	fact_number(facts, summary->nr_pieces, "trace.pieces");
	fact_number(facts, summary->bytes, "trace.bytes");
	fact_number(facts, summary->nr_aux, "trace.aux");
	fact_number(facts, summary->nr_truncated, "trace.aux.truncated");
	fact_number(facts, summary->nr_overwritten, "trace.aux.overwritten");
	fact_number(facts, summary->nr_partial, "trace.aux.partial");
	fact_number(facts, summary->nr_collided, "trace.aux.collided");
}

void tracestore_free(struct tracestore *store)
{
	if (store->spool)
		spool_free(store->spool);
	free(store->spool);
}
