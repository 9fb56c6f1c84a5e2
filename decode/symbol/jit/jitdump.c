#include "decode/symbol/jit/jitdump.h"

#include "decode/symbol/jit/jitpath.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	MAGIC = 0x4a695444,
	HEADER_BYTES = 40,
	PREFIX_BYTES = 16,
	FLAG_ARCH_CLOCK = 1,
	PADDING = 8, /* records may be padded to a multiple of this */
};

enum record_id { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_CLOSE, CODE_UNWINDING_INFO };

/* u32 magic, version, total_size, elf_mach, pad, pid, u64 timestamp, flags. */
bool jitdump_init(struct jitdump *dump, const void *bytes, size_t size)
{
	struct span s = span_make(bytes, size, false);
	uint32_t magic = span_u32(&s), header_bytes;

	*dump = (struct jitdump){.bytes = bytes, .size = size};
	if (magic != MAGIC && magic != __builtin_bswap32(MAGIC))
		return false;
	s.swap = magic != MAGIC;
	span_skip(&s, 4);
	header_bytes = span_u32(&s);
	dump->machine = (uint16_t)span_u32(&s);
	span_skip(&s, 4);
	dump->pid = span_u32(&s);
	span_skip(&s, 8);
	dump->arch_clock = span_u64(&s) & FLAG_ARCH_CLOCK;
	if (s.failed || header_bytes < HEADER_BYTES)
		return false;
	span_skip(&s, header_bytes - HEADER_BYTES);
	dump->records = s;
	dump->read = (size_t)(s.pos - dump->bytes);
	return !s.failed;
}

bool jitdump_resume(struct jitdump *dump, const void *bytes, size_t size, size_t read)
{
	if (!jitdump_init(dump, bytes, size) || read < dump->read)
		return false;
	span_skip(&dump->records, read - dump->read);
	dump->read = read;
	return !dump->records.failed;
}

/* u32 pid, tid, u64 vma, code_addr, code_size, code_index, the name, the bytes of the code. */
static bool read_load(const struct jitdump *dump, struct span body, struct jitdump_code *code)
{
	struct span head;

	span_skip(&body, 16);
	code->start = span_u64(&body);
	code->size = span_u64(&body);
	code->index = span_u64(&body);
	if (body.failed || code->size > span_left(&body))
		return false;
	head = span_take(&body, span_left(&body) - code->size);
	code->name = span_cstr(&head, NULL);
	code->offset = (uint64_t)(body.pos - dump->bytes);
	return code->name;
}

/* u32 pid, tid, u64 vma, old_code_addr, new_code_addr, code_size, code_index. */
static bool read_move(struct span body, struct jitdump_code *code)
{
	span_skip(&body, 24);
	code->start = span_u64(&body);
	code->size = span_u64(&body);
	code->index = span_u64(&body);
	code->moved = true;
	return !body.failed;
}

/* u64 bytes of all, of them of .eh_frame_hdr, that were mapped; .eh_frame, .eh_frame_hdr. */
static struct span read_unwinding(struct span body)
{
	const uint64_t size = span_u64(&body), hdr_size = span_u64(&body);

	span_skip(&body, 8);
	if (body.failed || hdr_size > size || size > span_left(&body))
		return (struct span){0};
	return span_take(&body, size - hdr_size);
}

/* Reads the next whole record: u32 id, u32 total_size, u64 timestamp, body. */
static bool next_record(struct jitdump *dump, uint32_t *id, uint64_t *time, struct span *body)
{
	uint32_t size;

	*id = span_u32(&dump->records);
	size = span_u32(&dump->records);
	*time = span_u64(&dump->records);
	if (dump->records.failed || size < PREFIX_BYTES)
		return false;
	*body = span_take(&dump->records, size - PREFIX_BYTES);
	if (body->failed)
		return false;
	dump->read = (size_t)(dump->records.pos - dump->bytes);
	return true;
}

bool jitdump_next(struct jitdump *dump, struct jitdump_code *code)
{
	struct span body;
	uint64_t time, end;
	uint32_t id;

	while (next_record(dump, &id, &time, &body)) {
		bool is_code = false;

		*code = (struct jitdump_code){.time = time};
		if (id == CODE_LOAD) {
			is_code = read_load(dump, body, code);
			code->debug = dump->debug;
			code->eh_frame = dump->eh_frame;
			dump->debug = dump->eh_frame = (struct span){0};
		} else if (id == CODE_MOVE) {
			is_code = read_move(body, code);
		} else if (id == CODE_DEBUG_INFO) {
			dump->debug = body;
		} else if (id == CODE_UNWINDING_INFO) {
			dump->eh_frame = read_unwinding(body);
		}
		if (is_code && code->size && !__builtin_add_overflow(code->start, code->size, &end))
			return true;
	}
	span_fail(&dump->records); /* the rest is no whole record: later calls must return false,
				      too */
	return false;
}

static bool is_text(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < ' ')
			return false;
	return true;
}

/*
 * u64 code_addr, u64 nr; then nr times u64 addr, u32 line, u32 column, filename; then fewer than 8
 * bytes of padding. Some writers use "\xff" for the same filename as in the previous entry. V8 11
 * may write filenames it has already freed, at their original length.
 */
const char *jitdump_source(const struct jitdump_code *code, uint32_t *line)
{
	struct span s = code->debug;
	const char *filename = NULL, *last = NULL;
	uint64_t nr, lowest = UINT64_MAX;
	uint32_t lowest_line = 0;

	if (span_u64(&s) != code->start)
		return NULL;
	nr = span_u64(&s);
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t addr = span_u64(&s);
		uint32_t its_line = span_u32(&s);
		const char *name;

		span_skip(&s, 4);
		name = span_cstr(&s, NULL);
		if (!name || !is_text(name))
			return NULL;
		if (strcmp(name, "\xff") != 0)
			last = name;
		if (last && addr < lowest) {
			lowest = addr;
			filename = last;
			lowest_line = its_line;
		}
	}
	if (!filename || span_left(&s) >= PADDING)
		return NULL;
	*line = lowest_line;
	return filename;
}

bool jitdump_is_name(const char *path, uint32_t *pid)
{
	const char *slash = strrchr(path, '/');
	uint64_t number;
	int len = 0;

	if (!slash || slash[1] != 'j')
		return false;
	/* NOLINTNEXTLINE(cert-err34-c): ten digits fit */
	if (sscanf(slash, "/jit-%10" SCNu64 ".dump%n", &number, &len) != 1 || len == 0 ||
	    slash[len] || number > UINT32_MAX)
		return false;
	*pid = (uint32_t)number;
	return true;
}

static bool map_dump(const struct jitdump_place *place, uint32_t pid, struct file_bytes *file,
		     struct jitdump *dump)
{
	/* cppcheck-suppress ctuuninitvar ; set_place() has set it */
	if (file_map_own(place->root, place->path, file) != FILE_OPEN)
		return false;
	if (jitdump_init(dump, file->bytes, file->size) && dump->pid == pid)
		return true;
	file_unmap(file);
	return false;
}

/* Sets @place to the path @above followed by @path, below @root. False if it is too long. */
static bool set_place(struct jitdump_place *place, const char *root, const char *above,
		      const char *path)
{
	int len = snprintf(place->path, sizeof(place->path), "%s%s", above, path);

	place->root = root;
	return len > 0 && (size_t)len < sizeof(place->path);
}

bool jitdump_find(const char *recorded, uint32_t pid, const char *root, struct jitdump_place *place,
		  struct file_bytes *file, struct jitdump *dump)
{
	uint32_t inner_pid;
	char own[32];

	if (!jitdump_is_name(recorded, &inner_pid))
		return false;
	if (root && set_place(place, root, "", recorded) && map_dump(place, inner_pid, file, dump))
		return true;
	if (recorded[0] == '/' && jitpath_root_of_process(pid, own, sizeof(own)) &&
	    set_place(place, NULL, own, recorded) && map_dump(place, inner_pid, file, dump))
		return true;
	return set_place(place, NULL, "", recorded) && map_dump(place, inner_pid, file, dump);
}
