/*
 * Lists of the events of CPUs: names and codes; the only file that uses libpfm4, which a build may
 * lack.
 */
#ifndef READPERF_DECODE_VENDOR_PMUCODES_H
#define READPERF_DECODE_VENDOR_PMUCODES_H

#include <stdbool.h>
#include <stdint.h>

/** An event with one of its umasks. Strings live as long as the program. */
struct pmu_code {
	const char *event, *umask; /* @umask is "" if the event has none */
	uint64_t config;	   /* may have bits for modes and for the counter being on, too */
	uint64_t config1;	   /* of another register that it needs */
	bool has_config1;
	bool alias;	 /* another name of the list stands for the same */
	bool deprecated; /* as the list says */
};

/**
 * The variable of the environment that asks for lists: libpfm4 encodes events of other CPUs than
 * this machine's only where it is set. The program sets it; libreadperf changes nobody's.
 */
#define PMUCODES_ASKED "LIBPFM_ENCODE_INACTIVE"

/** Whether there are lists: libpfm4 is installed, and was when this was built. */
bool pmucodes_are_there(void);

/**
 * Calls @take(@arg, code) for each event and umask in the list named @list, in its order, until it
 * returns false. CPUs of other machines have lists, too, but only those of this architecture. In
 * one thread at a time.
 *
 * @return 1 if all was taken, 0 if there is no such list or PMUCODES_ASKED is not set, -1 if @take
 * returned false.
 */
int pmucodes_list(const char *list, bool (*take)(void *arg, const struct pmu_code *code),
		  void *arg);

#endif
