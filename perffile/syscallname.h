/*
 * Names of the system calls of Linux, by the machine: x86_64, i386 to i686, and those that have the
 * kernel's common numbers: aarch64, riscv64, loongarch64. A program of 32 bits on a kernel of 64
 * has numbers of its own: syscallname_native() makes them numbers of the machine.
 */
#ifndef READPERF_PERFFILE_SYSCALLNAME_H
#define READPERF_PERFFILE_SYSCALLNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes that hold any name, with its NUL. */
enum { SYSCALLNAME_MAX = 40 };

/** Marks the number of a call that only programs of 32 bits have; above all that the kernel takes.
 */
#define SYSCALLNAME_32 (UINT64_C(1) << 40)

enum { SYSCALLNUMBERS_MAX = 512 };

/** Numbers of the calls of 32-bit programs as syscallname_native() tells them. All zero is empty.
 */
struct syscallnumbers {
	const char *machine; /* whose they are */
	uint64_t native[SYSCALLNUMBERS_MAX];
};

/**
 * Returns the number that @machine has for system call @number of a program of 32 bits: that of the
 * call with the same name; @number if it names no call of either; else @number with SYSCALLNAME_32.
 * On a machine of 32 bits it is always @number. @numbers keeps what was found.
 */
uint64_t syscallname_native(struct syscallnumbers *numbers, const char *machine, uint64_t number);

/**
 * Writes the name of system call @number to @name. @machine: as in uname(2). Returns false if there
 * is no name.
 */
bool syscallname_get(const char *machine, uint64_t number, char name[SYSCALLNAME_MAX]);

/** The number to show where a call has no name: as its program knows it. */
int64_t syscallname_shown(uint64_t number);

/**
 * Sets *@number to that of the system call @name, which may be one that only programs of 32 bits
 * have. Returns false if there is none.
 */
bool syscallname_number(const char *machine, const char *name, uint64_t *number);

/** The same for the number that programs of 32 bits know it by. */
bool syscallname_number_32(const char *machine, const char *name, uint64_t *number);

#endif
