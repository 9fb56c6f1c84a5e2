/* The numbers of pages, unpacked. */
#ifndef READPERF_TESTS_SUPPORT_INFLATED_H
#define READPERF_TESTS_SUPPORT_INFLATED_H

#include "report/export/pagenumbers.h"

#include <stddef.h>
#include <stdint.h>

/* Unpacks into @bytes, which has @room bytes; returns how many there are. */
size_t inflated_bytes(const struct pagenumbers *packed, uint8_t *bytes, size_t room);

/* The number at *@at, which goes on behind it. */
uint64_t inflated_number(const uint8_t **at);

/* Sets @column to @nr numbers. */
void inflated_column(const uint8_t **at, uint64_t *column, size_t nr);

/* The same, of what pagenumbers_put_planes() made. */
void inflated_planes(const uint8_t **at, int64_t *column, size_t nr);

#endif
