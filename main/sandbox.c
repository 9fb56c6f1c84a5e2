#include "main/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

/* A sanitizer looks for leaks by ptrace(2) and starts programs to name addresses. */
#if defined(__SANITIZE_ADDRESS__)
#undef MACHINE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef MACHINE
#endif
#endif

#ifndef MACHINE

bool sandbox_enter(bool network)
{
	(void)network;
	return false;
}

#else

/* What is refused: with the error EPERM, so that a library that tries can go on without. */
static const uint32_t always[] = {
	SYS_execve,
	SYS_execveat,
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo,
	SYS_io_uring_setup, /* which does system calls by another way */
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_unshare,
	SYS_setns,
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_add_key,
	SYS_request_key,
	SYS_keyctl,
};
static const uint32_t networking[] = {SYS_socket, SYS_socketpair, SYS_connect, SYS_bind};
/* Allowed for this process alone, which ends itself by a signal. */
static const uint32_t signalling[] = {SYS_kill, SYS_tgkill, SYS_tkill};

enum {
	NR_ALWAYS = sizeof(always) / sizeof(always[0]),
	NR_NETWORKING = sizeof(networking) / sizeof(networking[0]),
	NR_SIGNALLING = sizeof(signalling) / sizeof(signalling[0]),
	/* Loading and comparing the machine, its other kind of calls, the lists, the end. */
	MAX_STEPS = 8 + 2 * NR_ALWAYS + 2 * NR_NETWORKING + 5 * NR_SIGNALLING,
	OTHER_KIND = 0x40000000, /* numbers of x32 calls on x86-64 begin here */
};

struct filter {
	struct sock_filter steps[MAX_STEPS];
	unsigned short nr;
};

static void add(struct filter *filter, struct sock_filter step)
{
	filter->steps[filter->nr++] = step;
}

static void load(struct filter *filter, size_t offset)
{
	add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void refuse(struct filter *filter)
{
	add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

/* The number of the call, which is loaded, is refused if it is one of the @nr at @calls. */
static void refuse_calls(struct filter *filter, const uint32_t *calls, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		add(filter,
		    (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1));
		refuse(filter);
	}
}

/* The same unless their first argument, of which int is what counts, is our own process. */
static void refuse_for_others(struct filter *filter, const uint32_t *calls, size_t nr)
{
	const uint32_t self = (uint32_t)getpid();
	const size_t low = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 4;

	for (size_t i = 0; i < nr; i++) {
		add(filter,
		    (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 4));
		load(filter, offsetof(struct seccomp_data, args) + low);
		add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 1, 0));
		refuse(filter);
		load(filter, offsetof(struct seccomp_data, nr));
	}
}

bool sandbox_enter(bool network)
{
	struct filter filter = {.nr = 0};
	struct sock_fprog program = {.filter = filter.steps};

	load(&filter, offsetof(struct seccomp_data, arch));
	add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0));
	refuse(&filter);
	load(&filter, offsetof(struct seccomp_data, nr));
	add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_KIND, 0, 1));
	refuse(&filter);
	refuse_calls(&filter, always, NR_ALWAYS);
	refuse_for_others(&filter, signalling, NR_SIGNALLING);
	if (!network)
		refuse_calls(&filter, networking, NR_NETWORKING);
	add(&filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	program.len = filter.nr;
	/* Without privileges a filter may only be set by who can gain none later. */
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#endif
