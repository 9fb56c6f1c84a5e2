/*
 * Names of the system calls of Linux, by the machine: x86_64, i386 to i686, and those that have the
 * kernel's common numbers: aarch64, riscv64, loongarch64. A program for another architecture than
 * the kernel's (i386 on x86_64) has numbers of its own, which cannot be told from the others.
 */
#ifndef READPERF_PERFFILE_SYSCALLNAME_H
#define READPERF_PERFFILE_SYSCALLNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes that hold any name, with its NUL. */
enum { SYSCALLNAME_MAX = 40 };

/**
 * Writes the name of system call @number to @name. @machine: as in uname(2). Returns false if there
 * is no name.
 */
bool syscallname_get(const char *machine, uint64_t number, char name[SYSCALLNAME_MAX]);

/** Sets *@number to that of the system call @name. Returns false if there is none. */
bool syscallname_number(const char *machine, const char *name, uint64_t *number);

#endif
