/*
 * Decoders of record bodies, for the table in decode.c. Each takes its fields off the cursor @s, up
 * to where a trailer may start, into @rec; it fails @s if the body is too short for what it
 * announces.
 */
#ifndef READPERF_PERFFILE_RECORD_BODY_H
#define READPERF_PERFFILE_RECORD_BODY_H

#include "perffile/record.h"
#include "util/span.h"

/* The kernel's records: kernelbody.c. */
void body_mmap(struct span *s, struct record *rec);
void body_mmap2(struct span *s, struct record *rec);
void body_comm(struct span *s, struct record *rec);
void body_task(struct span *s, struct record *rec);
void body_lost(struct span *s, struct record *rec);
void body_lost_samples(struct span *s, struct record *rec);
void body_throttle(struct span *s, struct record *rec);
void body_pid_tid(struct span *s, struct record *rec);
void body_aux(struct span *s, struct record *rec);
void body_switch_cpu_wide(struct span *s, struct record *rec);
void body_namespaces(struct span *s, struct record *rec);
void body_ksymbol(struct span *s, struct record *rec);
void body_bpf_event(struct span *s, struct record *rec);
void body_cgroup(struct span *s, struct record *rec);
void body_text_poke(struct span *s, struct record *rec);
void body_hw_id(struct span *s, struct record *rec);
void body_deferred(struct span *s, struct record *rec);

/* perf's own: userbody.c. */
void body_id_index(struct span *s, struct record *rec);
void body_thread_map(struct span *s, struct record *rec);
void body_stat_config(struct span *s, struct record *rec);
void body_auxtrace_info(struct span *s, struct record *rec);
void body_auxtrace(struct span *s, struct record *rec);
void body_auxtrace_error(struct span *s, struct record *rec);
void body_stat(struct span *s, struct record *rec);
void body_stat_round(struct span *s, struct record *rec);
void body_event_update(struct span *s, struct record *rec);
void body_time_conv(struct span *s, struct record *rec);

#endif
