/* The records of bigsystem, byte for byte. */
#include "tests/cost/bigsystem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

void put(struct buffer *buffer, const void *bytes, size_t len)
{
	if (buffer->room - buffer->len < len) {
		buffer->room = buffer->room * 2 + len + 4096;
		buffer->bytes = realloc(buffer->bytes, buffer->room);
		if (!buffer->bytes)
			fail("no memory");
	}
	memcpy(buffer->bytes + buffer->len, bytes, len);
	buffer->len += len;
}

static void put_u32(struct buffer *buffer, uint32_t value)
{
	put(buffer, &value, sizeof(value));
}

void put_u64(struct buffer *buffer, uint64_t value)
{
	put(buffer, &value, sizeof(value));
}

/* With its NUL, padded to a multiple of 8. */
static void put_string(struct buffer *buffer, const char *text)
{
	static const char zeros[8];
	size_t len = strlen(text);

	put(buffer, text, len);
	put(buffer, zeros, 8 - len % 8);
}

void flush(struct system *sys, struct buffer *buffer)
{
	if (buffer->len && fwrite(buffer->bytes, 1, buffer->len, sys->out) != buffer->len)
		fail("%s: %s", sys->options.out, strerror(errno));
	sys->written += buffer->len;
	buffer->len = 0;
}

/* Starts a record; returns where, for end_record(). */
size_t begin_record(struct system *sys, struct buffer *buffer, uint32_t type, uint16_t misc)
{
	size_t at = buffer->len;

	put(buffer, &(struct perf_event_header){.type = type, .misc = misc},
	    sizeof(struct perf_event_header));
	sys->counts[type]++;
	return at;
}

void end_record(struct buffer *buffer, size_t at)
{
	uint16_t size = (uint16_t)(buffer->len - at);

	memcpy(buffer->bytes + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

/* ---- binaries: 0 is the kernel, 1 init's, then programs and libraries ---- */

const char *binary_name(unsigned number, char *text, size_t size)
{
	if (number == 0)
		snprintf(text, size, "[kernel.kallsyms]");
	else if (number == 1)
		snprintf(text, size, "/nonexistent/sbin/init");
	else if (number < 2 + NR_EXES)
		snprintf(text, size, "/nonexistent/bin/tool%u", number - 2);
	else
		snprintf(text, size, "/nonexistent/lib/lib%u.so", number - 2 - NR_EXES);
	return text;
}

struct image new_image(struct system *sys)
{
	struct image image = {.exe = 2 + (unsigned)draw(sys, NR_EXES)};
	uint64_t first = draw(sys, NR_LIBRARIES);
	uint64_t base = UINT64_C(0x7f0000000000) + (draw(sys, 1 << 12) << 24);

	image.start[0] = UINT64_C(0x555000000000) + (draw(sys, 1 << 20) << 12);
	image.nr_libraries = LIFE_LIBRARIES;
	for (unsigned i = 0; i < LIFE_LIBRARIES; i++) {
		image.libraries[i] = 2 + NR_EXES + (unsigned)((first + i) % NR_LIBRARIES);
		image.start[1 + i] = base + i * UINT64_C(2) * TEXT_BYTES;
	}
	snprintf(image.comm, sizeof(image.comm), "tool%u", image.exe - 2);
	return image;
}

struct image init_image(void)
{
	return (struct image){
		.exe = 1, .start = {UINT64_C(0x400000)}, .comm = "init", .nr_libraries = 0};
}

/* ---- records of the kernel ---- */

/* The ids are 1 + CPU. */
static void put_trailer(struct system *sys, struct buffer *buffer, const struct life *life)
{
	put_u32(buffer, life->pid);
	put_u32(buffer, life->pid);
	put_u64(buffer, sys->time);
	put_u32(buffer, life->cpu);
	put_u32(buffer, 0);
	put_u64(buffer, 1 + life->cpu);
}

static struct buffer *buffer_of(struct system *sys, const struct life *life)
{
	return &sys->buffers[life->cpu];
}

/* FORK or EXIT of @life, on the CPU of @by. */
void write_task(struct system *sys, uint32_t type, const struct life *life, const struct life *by)
{
	struct buffer *buffer = buffer_of(sys, by);
	size_t at = begin_record(sys, buffer, type, 0);

	put_u32(buffer, life->pid);
	put_u32(buffer, life->ppid);
	put_u32(buffer, life->pid);
	put_u32(buffer, life->ppid);
	put_u64(buffer, sys->time);
	put_trailer(sys, buffer, by);
	end_record(buffer, at);
}

void write_comm(struct system *sys, struct buffer *buffer, const struct life *life)
{
	size_t at = begin_record(sys, buffer, PERF_RECORD_COMM,
				 life->pid != INIT_PID ? PERF_RECORD_MISC_COMM_EXEC : 0);

	put_u32(buffer, life->pid);
	put_u32(buffer, life->pid);
	put_string(buffer, life->image.comm);
	put_trailer(sys, buffer, life);
	end_record(buffer, at);
}

void write_map(struct system *sys, struct buffer *buffer, const struct life *life, unsigned binary,
	       uint64_t start)
{
	size_t at = begin_record(sys, buffer, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	char name[64];

	put_u32(buffer, life->pid);
	put_u32(buffer, life->pid);
	put_u64(buffer, start);
	put_u64(buffer, TEXT_BYTES);
	put_u64(buffer, TEXT_PGOFF);
	put_u32(buffer, 8);
	put_u32(buffer, 1);
	put_u64(buffer, 1000 + binary); /* inode and its generation */
	put_u64(buffer, 0);
	put_u32(buffer, 5); /* read and execute */
	put_u32(buffer, 2); /* private */
	put_string(buffer, binary_name(binary, name, sizeof(name)));
	put_trailer(sys, buffer, life);
	end_record(buffer, at);
}

/* Where the sample fell: the kernel, the program or a library, mostly at their first addresses. */
static uint64_t draw_place(struct system *sys, const struct life *life, unsigned *binary)
{
	uint64_t offset = draw(sys, 4096) & draw(sys, 4096);
	uint64_t which = draw(sys, 8);

	*binary = 0;
	if (which < 2)
		return KERNEL_START + offset * 16;
	*binary = life->image.exe;
	if (which < 5 || which - 5 >= life->image.nr_libraries)
		return life->image.start[0] + offset * 16;
	*binary = life->image.libraries[which - 5];
	return life->image.start[1 + which - 5] + offset * 16;
}

static void sums_add(struct sums *sums, uint64_t samples, uint64_t period)
{
	sums->samples += samples;
	sums->period += period;
}

void write_sample(struct system *sys, struct life *life)
{
	struct buffer *buffer = buffer_of(sys, life);
	uint64_t period = 1 + draw(sys, 1 << 20);
	unsigned binary;
	uint64_t ip = draw_place(sys, life, &binary);
	size_t at = begin_record(sys, buffer, PERF_RECORD_SAMPLE,
				 binary ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL);

	put_u64(buffer, 1 + life->cpu);
	put_u64(buffer, ip);
	put_u32(buffer, life->pid);
	put_u32(buffer, life->pid);
	put_u64(buffer, sys->time);
	put_u32(buffer, life->cpu);
	put_u32(buffer, 0);
	put_u64(buffer, period);
	end_record(buffer, at);
	sums_add(&life->sums, 1, period);
	sums_add(&sys->binaries[binary], 1, period);
}

/* ---- records of perf ---- */

/* What ran before: the kernel and init. */
void write_start(struct system *sys)
{
	struct life init = {.pid = INIT_PID, .image = init_image()};
	struct buffer *buffer = &sys->own;
	size_t at = begin_record(sys, buffer, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);

	put_u32(buffer, UINT32_MAX);
	put_u32(buffer, 0);
	put_u64(buffer, KERNEL_START);
	put_u64(buffer, UINT64_C(0x1000000));
	put_u64(buffer, KERNEL_START);
	put_string(buffer, "[kernel.kallsyms]_text");
	put_trailer(sys, buffer, &(struct life){0});
	end_record(buffer, at);
	write_comm(sys, buffer, &init);
	write_map(sys, buffer, &init, init.image.exe, init.image.start[0]);
	flush(sys, buffer);
}

void write_lost_samples(struct system *sys)
{
	size_t at = begin_record(sys, &sys->own, PERF_RECORD_LOST_SAMPLES, 0);

	sys->time = 0;
	put_u64(&sys->own, sys->options.lost);
	put_trailer(sys, &sys->own, &(struct life){0});
	end_record(&sys->own, at);
	flush(sys, &sys->own);
}

void write_round(struct system *sys)
{
	if (sys->options.no_rounds)
		return;
	end_record(&sys->own, begin_record(sys, &sys->own, TYPE_FINISHED_ROUND, 0));
	flush(sys, &sys->own);
}
