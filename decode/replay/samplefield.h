/*
 * A field of a tracepoint, as the command line names it, in the samples of a recording.
 *
 * "sched_switch.prev_pid", "sched:sched_switch.prev_pid", "prev_pid" where only one tracepoint of
 * the recording has it, "sys_enter.args[1]": an element of an array.
 */
#ifndef READPERF_DECODE_REPLAY_SAMPLEFIELD_H
#define READPERF_DECODE_REPLAY_SAMPLEFIELD_H

#include "perffile/perffile.h"
#include "perffile/syscallname.h"
#include "perffile/tracefield.h"
#include "perffile/tracewords.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The name of a field. */
struct field_name {
	char event[128]; /* "": of whichever event has it */
	char name[64];
	bool has_index;
	uint32_t index;
};

/** Whether each event has the field, and where. All zero except @name is not bound. */
struct samplefield {
	struct field_name name;
	struct bound_field *of_events; /* by event number */
	size_t nr;
	/* what all events that have it share, as they are of one tracepoint */
	struct tracefield field;
	struct tracewords words;
	bool is_syscall;     /* a number of a system call */
	const char *machine; /* that has made the recording, as in uname(2); NULL: unknown */
	struct syscallnumbers *numbers; /* of 32-bit programs; not NULL if is_syscall */
};

/** Texts of values are cut to so many bytes, with the NUL. */
enum { SAMPLEFIELD_TEXT = 256 };

/** Reads the @len bytes at @text. Returns false if they are not the name of a field. */
bool samplefield_parse(struct field_name *name, const char *text, size_t len);

/**
 * Looks for the field in the events of @file; to be called again when these are more. @option:
 * whose argument names it, for messages. Returns 0, or -1 with @err filled: no event has it, those
 * of several tracepoints have it, or memory is out.
 */
int samplefield_bind(struct samplefield *of, const struct perffile *file, const char *option,
		     struct error *err);

/** Whether the field is a number; else it is a text. */
static inline bool samplefield_is_number(const struct samplefield *of)
{
	return of->field.kind == TRACEFIELD_NUMBER;
}

/** Sets *@value to the number in the sample @rec. Returns false if it has none. */
bool samplefield_number(const struct samplefield *of, const struct record *rec, uint64_t *value);

/**
 * Returns the value for samplefield_show() and _value() of @number, which a sample of a process has
 * that is one of 32 bits or not: its programs may know system calls by other numbers.
 */
static inline uint64_t samplefield_common(const struct samplefield *of, uint64_t number,
					  bool is_32bit)
{
	return is_32bit && of->is_syscall && of->machine
		       ? syscallname_native(of->numbers, of->machine, number)
		       : number;
}

/**
 * Writes the text in the sample @rec to @text; the elements of an array are numbers with blanks
 * between them. Returns false if it has none.
 */
bool samplefield_text(const struct samplefield *of, const struct record *rec,
		      char text[SAMPLEFIELD_TEXT]);

/**
 * Writes @value of a field that is a number, as samplefield_common() returns it, with its words or
 * the name of the system call. Returns whether it is a plain decimal number then.
 */
bool samplefield_show(const struct samplefield *of, uint64_t value, char text[SAMPLEFIELD_TEXT]);

/** Sets *@value to the value that is shown as @word. Returns false if there is none. */
bool samplefield_value(const struct samplefield *of, const char *word, uint64_t *value);

void samplefield_free(struct samplefield *of);

#endif
