/* Packets of Intel PT: each is within the bytes, and what is searched for among them is, too. */
#include "decode/trace/ptpacket.h"
#include "tests/fuzz/fuzz.h"

static void check_psb(const uint8_t *bytes, size_t len, size_t psb)
{
	const struct ptpacket_psb read = ptpacket_read_psb(bytes, len, psb);

	fuzz_check(psb + PTPACKET_PSB_BYTES <= len);
	fuzz_check(ptpacket_read(bytes + psb, len - psb).kind == PTPACKET_PSB);
	fuzz_check(read.end >= psb + PTPACKET_PSB_BYTES && read.end <= len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t tsc = 0;
	size_t skipped;

	for (size_t at = 0; at < size;) {
		const struct ptpacket packet = ptpacket_read(data + at, size - at);

		fuzz_check(packet.size <= size - at);
		fuzz_check((packet.kind == PTPACKET_BAD) == (packet.size == 0));
		at += packet.size ? packet.size : 1;
	}
	for (size_t psb = 0; (psb = ptpacket_find_psb(data, size, psb)) < size;
	     psb += PTPACKET_PSB_BYTES)
		check_psb(data, size, psb);
	if (ptpacket_last_tsc(data, size, &tsc))
		fuzz_check(tsc >> 56 == 0);
	skipped = ptpacket_skip_seen(data, size, tsc);
	fuzz_check(skipped == size || ptpacket_find_psb(data, size, skipped) == skipped);
	return 0;
}
