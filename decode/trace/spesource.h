/* Where the data of an operation was, by Arm SPE: as data_src (union perf_mem_data_src). */
#ifndef READPERF_DECODE_TRACE_SPESOURCE_H
#define READPERF_DECODE_TRACE_SPESOURCE_H

#include "decode/trace/speinfo.h"
#include "decode/trace/sperecord.h"

#include <stdint.h>

/** The data_src of @record of a CPU; 0 if it neither loads nor stores. */
uint64_t spesource_data_src(const struct sperecord *record, const struct speinfo_cpu *cpu);

#endif
