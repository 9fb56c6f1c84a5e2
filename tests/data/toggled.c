/*
 * Changes its own code as the kernel does where it turns a static key on and off: a nop becomes a
 * jump to a call of another function, and again a nop. Writes of each change to descriptor 3: its
 * time (which its recorder sets), address, lengths, bytes before and after.
 */
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

enum { WRITE = 1, EXIT = 60, CHANGES = 3, LEN = 5 };

static struct {
	u32 id, size; /* as of a record of a jitdump */
	u64 time, address;
	u16 old_len, new_len;
	unsigned char bytes[2 * LEN];
} change = {.size = 38, .old_len = LEN, .new_len = LEN};

static long syscall3(long number, long a, const void *b, u64 c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

__attribute__((noinline)) u32 rare(u32 x)
{
	__asm__ volatile("" : "+r"(x));
	return x * 3 + 1;
}

extern unsigned char site[] __asm__(".Lsite"), target[] __asm__(".Ltarget");

__attribute__((noinline)) static u32 work(u32 x)
{
	__asm__ goto(".Lsite: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00" : : : "memory" : on);
	return x + 1;
on:
	__asm__ volatile(".Ltarget:" : "+r"(x));
	return rare(x);
}

/* Puts @with where the key is. */
__attribute__((noinline)) static void toggle(const unsigned char *with)
{
	change.address = (u64)site;
	for (u32 i = 0; i < LEN; i++) {
		change.bytes[i] = site[i];
		site[i] = change.bytes[LEN + i] = with[i];
	}
	syscall3(WRITE, CHANGES, &change, change.size);
}

__attribute__((noinline)) static u32 repeat(u32 times)
{
	u32 sum = 0;

	for (u32 i = 0; i < times; i++)
		sum += work(i);
	return sum;
}

void _start(void)
{
	const u32 distance = (u32)(target - (site + LEN));
	unsigned char jump[LEN] = {0xe9}, nop[LEN] = {0x0f, 0x1f, 0x44};
	u32 sum;

	for (u32 i = 0; i < 4; i++)
		jump[1 + i] = (unsigned char)(distance >> 8 * i);
	sum = repeat(100);
	toggle(jump);
	sum += repeat(30);
	toggle(nop);
	sum += repeat(200);
	toggle(jump);
	sum += repeat(7);
	syscall3(EXIT, sum == 0, 0, 0);
	__builtin_unreachable();
}
