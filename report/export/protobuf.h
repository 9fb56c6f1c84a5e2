/* Messages of protocol buffers, put together in memory. */
#ifndef READPERF_REPORT_EXPORT_PROTOBUF_H
#define READPERF_REPORT_EXPORT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A message in the making. All zero is empty. */
struct protobuf {
	uint8_t *bytes;
	size_t len, room;
	bool failed; /* memory was out: the message is of no use */
};

/** Empties the message; its memory is used again. */
static inline void protobuf_clear(struct protobuf *message)
{
	message->len = 0;
}

/** Adds a number without a field: an element of a packed list, which is a message of its own. */
void protobuf_number(struct protobuf *message, uint64_t value);

/** Adds a number or a bool; nothing if it is 0, which is what a missing field means. */
void protobuf_u64(struct protobuf *message, unsigned field, uint64_t value);

/** Appends @len bytes as they are: a part of a string, which is a message of its own. */
void protobuf_raw(struct protobuf *message, const void *bytes, size_t len);

/** Adds @len bytes, also if these are none. */
void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t len);

/** Adds the message @inner, or a packed list; one that has failed makes this one fail. */
void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *inner);

void protobuf_free(struct protobuf *message);

#endif
