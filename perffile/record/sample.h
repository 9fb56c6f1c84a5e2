/*
 * The body of a SAMPLE and the sample_id trailer of other records, both laid out by sample_type.
 */
#ifndef READPERF_PERFFILE_RECORD_SAMPLE_H
#define READPERF_PERFFILE_RECORD_SAMPLE_H

#include "perffile/record.h"

/** Works out from @attr which fields follow each other where. */
void sample_layout_make(struct sample_layout *layout, const struct attr *attr);

/** Byte offset of the event's id in a SAMPLE's body; UINT16_MAX if @sample_type records none. */
uint16_t sample_id_offset(uint64_t sample_type);

/** Bytes from the id in a trailer to the record's end; 0 if @attr's records have none. */
uint16_t sample_trailer_id(const struct attr *attr);

/**
 * Decodes @body of a SAMPLE of rec->event into @rec: its fields up to the call chain, and from
 * them pid, tid, time and cpu; @rest gets the number of bytes behind the last field. Returns false
 * if the body is too short for what it announces.
 */
bool sample_decode(struct record *rec, const struct span *body, size_t *rest);

/** Decodes the trailer @s of a record of rec->event into rec's tid, time and cpu; a pid stays. */
void sample_trailer_decode(struct record *rec, struct span s);

#endif
