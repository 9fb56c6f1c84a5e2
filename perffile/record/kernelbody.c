/* Bodies of the kernel's records: include/uapi/linux/perf_event.h, enum perf_event_type. */
#include "perffile/record/body.h"

static void read_pid_tid(struct span *s, struct record *rec)
{
	rec->pid = span_u32(s);
	rec->tid = span_u32(s);
	rec->has |= HAS_PID | HAS_TID;
}

/*
 * The kernel pads a string with zeros to a multiple of 8 bytes, but other writers pad more or less,
 * so what follows it is located from the record's end.
 */
static const char *read_string(struct span *s, size_t *len)
{
	const char *str = span_cstr(s, len);

	return str ? str : "";
}

void kernelbody_mmap(struct span *s, struct record *rec)
{
	read_pid_tid(s, rec);
	rec->mmap = (struct record_mmap){.start = span_u64(s)};
	rec->mmap.len = span_u64(s);
	rec->mmap.pgoff = span_u64(s);
	rec->mmap.filename = read_string(s, &rec->mmap.filename_len);
}

/* With misc bit 14, MMAP2 has a build id in place of device and inode: u8 size, 3 bytes, the id. */
static void read_build_id(struct span s, struct build_id *id)
{
	id->len = span_u8(&s);
	span_skip(&s, 3);
	span_bytes(&s, id->bytes, sizeof(id->bytes));
	if (id->len > sizeof(id->bytes))
		id->len = sizeof(id->bytes);
}

static struct file_id read_file_id(struct span s)
{
	struct file_id id = {.maj = span_u32(&s)};

	id.min = span_u32(&s);
	id.ino = span_u64(&s);
	id.generation = span_u64(&s);
	return id;
}

void kernelbody_mmap2(struct span *s, struct record *rec)
{
	enum { UNION_BYTES = 24 };
	struct span file;

	read_pid_tid(s, rec);
	rec->mmap = (struct record_mmap){.start = span_u64(s)};
	rec->mmap.len = span_u64(s);
	rec->mmap.pgoff = span_u64(s);
	file = span_take(s, UNION_BYTES);
	if (rec->misc & MISC_MMAP_BUILD_ID)
		read_build_id(file, &rec->mmap.build_id);
	else
		rec->mmap.file = read_file_id(file);
	rec->mmap.prot = span_u32(s);
	rec->mmap.flags = span_u32(s);
	rec->mmap.filename = read_string(s, &rec->mmap.filename_len);
}

void kernelbody_comm(struct span *s, struct record *rec)
{
	read_pid_tid(s, rec);
	rec->comm.comm = read_string(s, &rec->comm.comm_len);
}

/* The order is pid, ppid, tid, ptid. */
void kernelbody_task(struct span *s, struct record *rec)
{
	rec->pid = span_u32(s);
	rec->task.ppid = span_u32(s);
	rec->tid = span_u32(s);
	rec->task.ptid = span_u32(s);
	rec->task.time = span_u64(s);
	rec->time = rec->task.time;
	rec->has |= HAS_PID | HAS_TID | HAS_TIME;
}

void kernelbody_lost(struct span *s, struct record *rec)
{
	rec->lost.id = span_u64(s);
	rec->lost.lost = span_u64(s);
}

void kernelbody_lost_samples(struct span *s, struct record *rec)
{
	rec->lost = (struct record_lost){.lost = span_u64(s)};
}

void kernelbody_throttle(struct span *s, struct record *rec)
{
	rec->time = span_u64(s);
	rec->has |= HAS_TIME;
	rec->throttle.id = span_u64(s);
	rec->throttle.stream_id = span_u64(s);
}

void kernelbody_pid_tid(struct span *s, struct record *rec)
{
	read_pid_tid(s, rec);
}

void kernelbody_aux(struct span *s, struct record *rec)
{
	rec->aux.offset = span_u64(s);
	rec->aux.len = span_u64(s);
	rec->aux.flags = span_u64(s);
}

void kernelbody_switch_cpu_wide(struct span *s, struct record *rec)
{
	rec->cpu_switch.next_prev_pid = span_u32(s);
	rec->cpu_switch.next_prev_tid = span_u32(s);
}

void kernelbody_namespaces(struct span *s, struct record *rec)
{
	enum { ENTRY_BYTES = 16 };

	read_pid_tid(s, rec);
	rec->namespaces = (struct record_namespaces){.nr = span_u64(s)};
	if (!span_holds(s, rec->namespaces.nr, ENTRY_BYTES))
		span_fail(s);
	else
		rec->namespaces.entries = span_take(s, rec->namespaces.nr * ENTRY_BYTES);
}

void kernelbody_ksymbol(struct span *s, struct record *rec)
{
	rec->ksymbol.addr = span_u64(s);
	rec->ksymbol.len = span_u32(s);
	rec->ksymbol.type = span_u16(s);
	rec->ksymbol.flags = span_u16(s);
	rec->ksymbol.name = read_string(s, &rec->ksymbol.name_len);
}

void kernelbody_bpf_event(struct span *s, struct record *rec)
{
	rec->bpf_event.type = span_u16(s);
	rec->bpf_event.flags = span_u16(s);
	rec->bpf_event.id = span_u32(s);
	span_bytes(s, rec->bpf_event.tag, sizeof(rec->bpf_event.tag));
}

void kernelbody_cgroup(struct span *s, struct record *rec)
{
	rec->cgroup.id = span_u64(s);
	rec->cgroup.path = read_string(s, &rec->cgroup.path_len);
}

void kernelbody_text_poke(struct span *s, struct record *rec)
{
	uint16_t old_len, new_len;

	rec->text_poke.addr = span_u64(s);
	old_len = span_u16(s);
	new_len = span_u16(s);
	rec->text_poke.old_bytes = span_take(s, old_len);
	rec->text_poke.new_bytes = span_take(s, new_len);
}

void kernelbody_hw_id(struct span *s, struct record *rec)
{
	rec->hw_id = span_u64(s);
}

void kernelbody_deferred(struct span *s, struct record *rec)
{
	uint64_t nr;

	rec->deferred = (struct record_deferred){.cookie = span_u64(s)};
	nr = span_u64(s);
	if (!span_holds(s, nr, sizeof(uint64_t)))
		span_fail(s);
	else
		rec->deferred.ips = span_take(s, nr * sizeof(uint64_t));
}
