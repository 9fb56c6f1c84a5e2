/*
 * Calls that unwinding must follow without frame pointers: recursion deeper than a copy of the
 * stack, a procedure linkage table, a callback from a library, a frame of variable size, a signal
 * handler.
 */
#include "stacks.h"

#define NOINLINE __attribute__((noinline))

static volatile unsigned long sink;

#if defined(__x86_64__)
enum { SYS_KILL = 62, SYS_GETPID = 39, SYS_SIGACTION = 13, SYS_EXIT = 60 };

static long call(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

/*
 * The trampoline, with the CFI of the C library's: the registers are where rt_sigreturn() finds
 * them, 160 bytes up the stack pointer.
 */
#define SAVED(reg, offset) ".cfi_escape 0x10, " #reg ", 2, 0x77, " #offset "\n"
__asm__(".text\n"
	".cfi_startproc simple\n"
	".cfi_signal_frame\n"
	".cfi_escape 0x0f, 4, 0x77, 0xa0, 1, 0x06\n" /* the CFA: *(rsp + 160) */
	SAVED(8, 0x28) SAVED(9, 0x30) SAVED(10, 0x38)
	".cfi_escape 0x10, 11, 3, 0x77, 0xc0, 0\n"
	".cfi_escape 0x10, 3, 3, 0x77, 0x80, 1\n"
	".cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0\n"
	".cfi_escape 0x10, 12, 3, 0x77, 0xc8, 0\n"
	".cfi_escape 0x10, 13, 3, 0x77, 0xd0, 0\n"
	".cfi_escape 0x10, 14, 3, 0x77, 0xd8, 0\n"
	".cfi_escape 0x10, 15, 3, 0x77, 0xe0, 0\n"
	".cfi_escape 0x10, 7, 3, 0x77, 0xa0, 1\n"
	".cfi_escape 0x10, 16, 3, 0x77, 0xa8, 1\n"
	"nop\n"
	".type back, @function\n"
	"back:	mov $15, %eax\n"
	"	syscall\n"
	".size back, . - back\n"
	".cfi_endproc\n");
void back(void);
enum { RESTORER = 0x04000000 };

__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start: .cfi_startproc\n"
	"	.cfi_undefined rip\n"
	"	call main\n"
	"	.cfi_endproc\n"
	".size _start, . - _start\n");
#else
enum { SYS_KILL = 129, SYS_GETPID = 172, SYS_SIGACTION = 134, SYS_EXIT = 93 };

static long call(long number, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

enum { RESTORER = 0 };

__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start: .cfi_startproc\n"
	"	.cfi_undefined x30\n"
	"	bl main\n"
	"	.cfi_endproc\n"
	".size _start, . - _start\n");
#endif

NOINLINE static unsigned long spin(unsigned long n)
{
	unsigned long x = n;

	for (unsigned long i = 0; i < n; i++)
		x = x * 2862933555777941757u + 3037000493u;
	sink += x;
	return x;
}

NOINLINE static unsigned long recurse(unsigned depth, unsigned long n)
{
	volatile unsigned long here[3] = {depth, n, 0};

	if (depth > 0)
		here[2] = recurse(depth - 1, n) + here[0];
	else
		here[2] = spin(n);
	return here[2] + here[1];
}

/* Its frame grows as the argument says. */
NOINLINE static unsigned long variable(unsigned long n)
{
	volatile unsigned char *room = __builtin_alloca(n % 64 + 16);

	room[0] = (unsigned char)n;
	room[n % 64] = 1;
	return spin(n * 40) + room[0];
}

/* Short calls by way of the procedure linkage table. */
NOINLINE static unsigned long ticks(unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++)
		sum += tick(sum);
	return sum;
}

NOINLINE static void handler(int number)
{
	sink += recurse(2, 20000) + (unsigned long)number;
}

NOINLINE static void interrupt(void)
{
	call(SYS_KILL, call(SYS_GETPID, 0, 0, 0, 0), 10, 0, 0);
	sink++;
}

static void handle_signals(void)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
#ifdef __x86_64__
		void (*restorer)(void);
#endif
		unsigned long mask;
	} action = {.handler = handler, .flags = RESTORER};

#ifdef __x86_64__
	action.restorer = back;
#endif
	call(SYS_SIGACTION, 10, (long)&action, 0, 8);
}

__attribute__((used)) int main(void)
{
	handle_signals();
	for (unsigned i = 0; i < 120; i++) {
		sink += recurse(24, 200000);
		sink += apply(variable, 1000 + i);
		sink += ticks(60000);
		interrupt();
	}
	call(SYS_EXIT, 0, 0, 0, 0);
	return 0;
}
