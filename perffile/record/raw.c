#include "perffile/record/raw.h"

#include "perffile/record.h"

bool raw_tracing_data(const struct raw_record *raw, bool swap, struct span *data)
{
	enum { PERF_BYTES = 16 }; /* most bytes of the record that perf writes */
	struct span body = raw_body(raw, swap);

	if (raw->type != RECORD_HEADER_TRACING_DATA || raw->size <= PERF_BYTES)
		return false;
	*data = span_take(&body, span_u32(&body));
	return !body.failed;
}

uint64_t raw_payload_bytes(const struct raw_record *raw, bool swap)
{
	enum { AUXTRACE_BYTES = 48 };
	struct span body = raw_body(raw, swap), inside;

	if (raw->type == RECORD_AUXTRACE && raw->size == AUXTRACE_BYTES)
		return span_u64(&body);
	if (raw->type == RECORD_HEADER_TRACING_DATA && !raw_tracing_data(raw, swap, &inside))
		return span_u32(&body);
	return 0;
}
