/* Sandbox by system call filters; the only file that includes libseccomp. */
#include "main/sandbox.h"

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <unistd.h>

/* A sanitizer uses ptrace(2) to find leaks and starts programs to symbolize addresses. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

static const int always[] = {
	SCMP_SYS(execve),
	SCMP_SYS(execveat),
	SCMP_SYS(ptrace),
	SCMP_SYS(process_vm_readv),
	SCMP_SYS(process_vm_writev),
	SCMP_SYS(rt_sigqueueinfo),
	SCMP_SYS(rt_tgsigqueueinfo),
	SCMP_SYS(io_uring_setup), /* it can perform other system calls */
	SCMP_SYS(bpf),
	SCMP_SYS(perf_event_open),
	SCMP_SYS(userfaultfd),
	SCMP_SYS(unshare),
	SCMP_SYS(setns),
	SCMP_SYS(mount),
	SCMP_SYS(umount2),
	SCMP_SYS(pivot_root),
	SCMP_SYS(chroot),
	SCMP_SYS(init_module),
	SCMP_SYS(finit_module),
	SCMP_SYS(delete_module),
	SCMP_SYS(kexec_load),
	SCMP_SYS(add_key),
	SCMP_SYS(request_key),
	SCMP_SYS(keyctl),
};
static const int networking[] = {SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect),
				 SCMP_SYS(bind)};
/*
 * Allowed only for this process itself, which may end itself by a signal. The processes that it
 * starts cannot: theirs is another number.
 */
static const int signalling[] = {SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(tkill)};

/* Refused calls fail with EPERM, so that a library can go on without them. */
static bool refuse(scmp_filter_ctx filter, const int *calls, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0) < 0)
			return false;
	return true;
}

/* Refuses the calls unless their first argument, an int in the low 32 bits, is this process. */
static bool refuse_for_others(scmp_filter_ctx filter, const int *calls, size_t nr)
{
	const struct scmp_arg_cmp other = {.op = SCMP_CMP_NE, .datum_a = (uint32_t)getpid()};

	for (size_t i = 0; i < nr; i++)
		if (seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 1, &other) < 0)
			return false;
	return true;
}

static bool fill(scmp_filter_ctx filter, bool network)
{
	/* Also refuse calls of the machine's other ABIs, such as 32 bits. */
	return seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)) == 0 &&
	       refuse(filter, always, sizeof(always) / sizeof(always[0])) &&
	       refuse_for_others(filter, signalling, sizeof(signalling) / sizeof(signalling[0])) &&
	       (network || refuse(filter, networking, sizeof(networking) / sizeof(networking[0])));
}

bool sandbox_enter(bool network)
{
	scmp_filter_ctx filter;
	bool entered;

	if (SANITIZED)
		return false;
	filter = seccomp_init(SCMP_ACT_ALLOW);
	if (!filter)
		return false;
	entered = fill(filter, network) && seccomp_load(filter) == 0;
	seccomp_release(filter);
	return entered;
}
