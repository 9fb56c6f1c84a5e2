/*
 * A small service for the questions of docs/cookbook.md. "store" writes into a pipe while it holds
 * a lock that "worker" needs; "logger" empties the pipe slowly; "batch" only computes, on the same
 * CPU, and something else from its second half on.
 */
#define NOINLINE __attribute__((noinline))

enum { ROUNDS = 8, BLOCK_BYTES = 4096, STACK_BYTES = 16384 };
enum {
	SYS_READ = 0,
	SYS_WRITE = 1,
	SYS_PIPE = 22,
	SYS_NANOSLEEP = 35,
	SYS_EXIT = 60,
	SYS_FCNTL = 72,
	SYS_SCHED_SETSCHEDULER = 144,
	SYS_PRCTL = 157,
	SYS_GETTID = 186,
	SYS_FUTEX = 202,
	SYS_SCHED_SETAFFINITY = 203,
	SYS_EXIT_GROUP = 231,
};
enum { F_SETPIPE_SZ = 1031, PR_SET_NAME = 15, FUTEX_WAIT = 0, FUTEX_WAKE = 1, SCHED_RR = 2 };

static int tube[2];
static int lock; /* 0: free, 1: taken, 2: and somebody waits */
static int finished;
static char block[BLOCK_BYTES];
static volatile unsigned long sink;

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

/* Starts a thread that begins in body, at the end of a stack; it shares all with its creator. */
long start(char *stack_end, void (*body)(void));
__asm__(".text\n"
	".globl start\n"
	".type start, @function\n"
	"start:	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	mov %rsi, %r9\n"
	"	mov %rdi, %rsi\n"
	"	mov $0x50f00, %edi\n" /* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */
	"	xor %edx, %edx\n"
	"	xor %r10d, %r10d\n"
	"	mov $56, %eax\n"
	"	syscall\n"
	"	test %eax, %eax\n"
	"	jz 1f\n"
	"	pop %rbp\n"
	"	ret\n"
	"1:	xor %ebp, %ebp\n"
	"	call *%r9\n"
	".size start, . - start\n"
	".globl _start\n"
	".type _start, @function\n"
	"_start: xor %ebp, %ebp\n"
	"	call serve\n"
	".size _start, . - _start\n");

NOINLINE static void rest(long ns)
{
	long time[2] = {0, ns};

	call(SYS_NANOSLEEP, (long)time, 0, 0, 0);
}

NOINLINE static void take_lock(void)
{
	int seen = 0;

	if (__atomic_compare_exchange_n(&lock, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(&lock, 2, __ATOMIC_ACQUIRE))
		call(SYS_FUTEX, (long)&lock, FUTEX_WAIT, 2, 0);
}

NOINLINE static void give_lock(void)
{
	if (__atomic_exchange_n(&lock, 0, __ATOMIC_RELEASE) == 2)
		call(SYS_FUTEX, (long)&lock, FUTEX_WAKE, 1, 0);
}

NOINLINE static void parse(unsigned long times)
{
	while (times--)
		sink = sink * 31 + 7;
}

NOINLINE static void compress(unsigned long times)
{
	while (times--)
		sink = (sink ^ 5) * 33;
}

/* What kind of thread this is: its name, its priority, on the first CPU or on any. */
static void become(const char *name, int priority, int pinned)
{
	unsigned long first = 1;

	call(SYS_PRCTL, PR_SET_NAME, (long)name, 0, 0);
	call(SYS_SCHED_SETSCHEDULER, 0, SCHED_RR, (long)&priority, 0);
	if (pinned)
		call(SYS_SCHED_SETAFFINITY, 0, sizeof(first), (long)&first, 0);
}

static void leave(void)
{
	__atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
	call(SYS_EXIT, 0, 0, 0, 0);
}

NOINLINE static void save(void)
{
	call(SYS_WRITE, tube[1], (long)block, sizeof(block), 0);
	call(SYS_WRITE, tube[1], (long)block, sizeof(block), 0);
}

NOINLINE static void store(void)
{
	become("store", 10, 0);
	for (int i = 0; i < ROUNDS; i++) {
		take_lock();
		save();
		give_lock();
		rest(3000000);
	}
	leave();
}

NOINLINE static void worker(void)
{
	become("worker", 20, 1);
	for (int i = 0; i < ROUNDS; i++) {
		take_lock();
		parse(500000);
		give_lock();
		rest(5000000);
	}
	leave();
}

NOINLINE static void logger(void)
{
	static char line[BLOCK_BYTES];

	become("logger", 10, 0);
	for (int i = 0; i < 2 * ROUNDS; i++) {
		call(SYS_READ, tube[0], (long)line, sizeof(line), 0);
		rest(6000000);
	}
	leave();
}

NOINLINE static void batch(void)
{
	become("batch", 10, 1);
	for (int i = 0; i < 2 * ROUNDS; i++) {
		if (i < ROUNDS)
			parse(6000000);
		else
			compress(6000000);
	}
	leave();
}

__attribute__((used)) void serve(void)
{
	static char stacks[4][STACK_BYTES] __attribute__((aligned(16)));
	void (*const bodies[])(void) = {store, worker, logger, batch};

	become("service", 30, 0);
	call(SYS_PIPE, (long)tube, 0, 0, 0);
	call(SYS_FCNTL, tube[1], F_SETPIPE_SZ, BLOCK_BYTES, 0);
	for (int i = 0; i < 4; i++)
		start(stacks[i] + STACK_BYTES, bodies[i]);
	while (__atomic_load_n(&finished, __ATOMIC_SEQ_CST) < 4)
		rest(10000000);
	call(SYS_EXIT_GROUP, 0, 0, 0, 0);
}
