/*
 * Makes functions while it runs, and writes a jitdump to descriptor 3, as a JIT compiler does. The
 * third one takes the place of the first.
 */
typedef unsigned int u32;
typedef unsigned long u64;

enum { PID = 4242, WRITE = 1, EXIT = 60, DUMP = 3 };

/* What a jitdump begins with. */
static const struct {
	u32 magic, version, size, machine, pad, pid;
	u64 time, flags;
} header = {0x4a695444, 1, 40, 62, 0, PID, 0, 1};

/* JIT_CODE_LOAD; its recorder sets the time. */
static struct {
	u32 id, size;
	u64 time;
	u32 pid, tid;
	u64 vma, start, code_size, index;
	unsigned char name_and_code[24];
} load = {.pid = PID, .tid = PID};

/* In a page of its own, which is not mapped from the file as far as the recording tells. */
static unsigned char area[128] __attribute__((aligned(4096))) = {1};

static long syscall3(long number, long a, const void *b, u64 c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

typedef u32 (*function)(u32);

/* Makes the function @name of the @size bytes @code at @at. */
__attribute__((noinline)) static function make(const char *name, const char *code, u32 size, unsigned char *at)
{
	u32 len = 0;

	for (; name[len]; len++)
		load.name_and_code[len] = (unsigned char)name[len];
	load.name_and_code[len++] = 0;
	for (u32 i = 0; i < size; i++)
		at[i] = load.name_and_code[len + i] = (unsigned char)code[i];
	load.vma = load.start = (u64)at;
	load.code_size = size;
	load.size = (u32)sizeof(load) - (u32)sizeof(load.name_and_code) + len + size;
	syscall3(WRITE, DUMP, &load, load.size);
	load.index++;
	return (function)at;
}

__attribute__((noinline)) static u32 apply(function made, u32 times)
{
	u32 sum = 0;

	for (u32 i = 1; i <= times; i++)
		sum += made(i);
	return sum;
}

void _start(void)
{
	u32 sum;

	syscall3(WRITE, DUMP, &header, sizeof(header));
	/* mov %edi,%eax; add %eax,%eax; ret */
	sum = apply(make("twice", "\x89\xf8\x01\xc0\xc3", 5, area), 100);
	/* xor %eax,%eax; add %edi,%eax; dec %edi; jnz; ret */
	sum += apply(make("sum", "\x31\xc0\x01\xf8\xff\xcf\x75\xfa\xc3", 9, area + 64), 50);
	/* lea (%rdi,%rdi,2),%eax; nop; ret */
	sum += apply(make("thrice", "\x8d\x04\x7f\x90\xc3", 5, area), 200);
	syscall3(EXIT, sum == 0, 0, 0);
	__builtin_unreachable();
}
