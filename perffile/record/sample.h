/*
 * The body of a SAMPLE and the sample_id trailer of other records, both laid out by sample_type.
 */
#ifndef READPERF_PERFFILE_RECORD_SAMPLE_H
#define READPERF_PERFFILE_RECORD_SAMPLE_H

#include "perffile/record.h"

/** Computes the layout of samples and trailers from @attr. */
void sample_layout_make(struct sample_layout *layout, const struct attr *attr);

/** Byte offset of the event's id in a SAMPLE's body; UINT16_MAX if @sample_type has none. */
uint16_t sample_id_offset(uint64_t sample_type);

/** Bytes from the id in a trailer to the record's end; 0 if @attr's records have no id. */
uint16_t sample_trailer_id(const struct attr *attr);

/**
 * Decodes @body of a SAMPLE of rec->event into @rec: all fields, and from them pid, tid, time and
 * cpu; *@rest gets the number of bytes after the last field. Returns false if the body is too short
 * for its contents.
 */
bool sample_decode(struct record *rec, const struct span *body, size_t *rest);

/** Decodes the trailer @s of a record of rec->event: time, cpu and, unless set, pid and tid. */
void sample_trailer_decode(struct record *rec, struct span s);

#endif
