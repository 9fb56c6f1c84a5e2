/*
 * Decoders of record bodies, for the table in record.c. Each takes its fields off the cursor @s, up
 * to where a trailer may start, into @rec; it fails @s if the body is too short for what it
 * announces.
 */
#ifndef READPERF_PERFFILE_BODY_H
#define READPERF_PERFFILE_BODY_H

#include "perffile/record.h"
#include "util/span.h"

/* The kernel's records: kernelbody.c. */
void decode_mmap(struct span *s, struct record *rec);
void decode_mmap2(struct span *s, struct record *rec);
void decode_comm(struct span *s, struct record *rec);
void decode_task(struct span *s, struct record *rec);
void decode_lost(struct span *s, struct record *rec);
void decode_lost_samples(struct span *s, struct record *rec);
void decode_throttle(struct span *s, struct record *rec);
void decode_pid_tid(struct span *s, struct record *rec);
void decode_aux(struct span *s, struct record *rec);
void decode_switch_cpu_wide(struct span *s, struct record *rec);
void decode_namespaces(struct span *s, struct record *rec);
void decode_ksymbol(struct span *s, struct record *rec);
void decode_bpf_event(struct span *s, struct record *rec);
void decode_cgroup(struct span *s, struct record *rec);
void decode_text_poke(struct span *s, struct record *rec);
void decode_hw_id(struct span *s, struct record *rec);
void decode_deferred(struct span *s, struct record *rec);

/* perf's own: userbody.c. */
void decode_id_index(struct span *s, struct record *rec);
void decode_thread_map(struct span *s, struct record *rec);
void decode_stat_config(struct span *s, struct record *rec);
void decode_auxtrace_info(struct span *s, struct record *rec);
void decode_auxtrace(struct span *s, struct record *rec);
void decode_auxtrace_error(struct span *s, struct record *rec);
void decode_stat(struct span *s, struct record *rec);
void decode_stat_round(struct span *s, struct record *rec);
void decode_event_update(struct span *s, struct record *rec);
void decode_time_conv(struct span *s, struct record *rec);

#endif
