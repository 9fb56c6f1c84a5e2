/* The section TRACING_DATA: what is told of tracepoints lies inside of it. */
#include "perffile/feature/tracing.h"
#include "tests/fuzz/fuzz.h"

static void check_inside(struct span part, const uint8_t *data, size_t size)
{
	fuzz_check(part.pos == part.end || (part.pos >= data && part.end <= data + size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tracing_event event;
	struct tracing tracing;
	struct span line;

	if (!tracing_open(&tracing, span_make(data, size, false)))
		return 0;
	check_inside(tracing.header_page, data, size);
	check_inside(tracing.header_event, data, size);
	while (tracing_next(&tracing, &event)) {
		check_inside(event.name, data, size);
		check_inside(event.format, data, size);
		while (tracing_line(&event.format, &line))
			check_inside(line, data, size);
	}
	return 0;
}
