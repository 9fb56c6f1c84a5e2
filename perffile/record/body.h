/*
 * Decoders of record bodies, for the table in decode.c. Each takes its fields from @s into @rec, up
 * to where a trailer may start; it fails @s if the body is too short for its contents.
 */
#ifndef READPERF_PERFFILE_RECORD_BODY_H
#define READPERF_PERFFILE_RECORD_BODY_H

#include "perffile/record.h"
#include "util/span.h"

/* The kernel's records: kernelbody.c. */
void kernelbody_mmap(struct span *s, struct record *rec);
void kernelbody_mmap2(struct span *s, struct record *rec);
void kernelbody_comm(struct span *s, struct record *rec);
void kernelbody_task(struct span *s, struct record *rec);
void kernelbody_lost(struct span *s, struct record *rec);
void kernelbody_lost_samples(struct span *s, struct record *rec);
void kernelbody_throttle(struct span *s, struct record *rec);
void kernelbody_pid_tid(struct span *s, struct record *rec);
void kernelbody_aux(struct span *s, struct record *rec);
void kernelbody_switch_cpu_wide(struct span *s, struct record *rec);
void kernelbody_namespaces(struct span *s, struct record *rec);
void kernelbody_ksymbol(struct span *s, struct record *rec);
void kernelbody_bpf_event(struct span *s, struct record *rec);
void kernelbody_cgroup(struct span *s, struct record *rec);
void kernelbody_text_poke(struct span *s, struct record *rec);
void kernelbody_hw_id(struct span *s, struct record *rec);
void kernelbody_deferred(struct span *s, struct record *rec);

/* perf's own: userbody.c. */
void userbody_id_index(struct span *s, struct record *rec);
void userbody_thread_map(struct span *s, struct record *rec);
void userbody_stat_config(struct span *s, struct record *rec);
void userbody_auxtrace_info(struct span *s, struct record *rec);
void userbody_auxtrace(struct span *s, struct record *rec);
void userbody_auxtrace_error(struct span *s, struct record *rec);
void userbody_stat(struct span *s, struct record *rec);
void userbody_stat_round(struct span *s, struct record *rec);
void userbody_event_update(struct span *s, struct record *rec);
void userbody_time_conv(struct span *s, struct record *rec);

#endif
