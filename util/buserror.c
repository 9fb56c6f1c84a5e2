#include "util/buserror.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Maps a page of zeros over the missing one; the failed read is then repeated. This runs in the
 * reading thread at any point, so it uses only system calls. The page is part of the file's mapping
 * and is unmapped with it.
 */
static void fill_page(int sig, siginfo_t *info, void *context)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)info->si_addr & ~(page - 1));
	int errnum = errno;

	(void)context;
	if (info->si_code != BUS_ADRERR ||
	    mmap(start, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		signal(sig, SIG_DFL); /* the signal is raised again and ends the program */
	errno = errnum;
}

void buserror_catch(void)
{
	struct sigaction action = {.sa_sigaction = fill_page, .sa_flags = SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}
