#include "decode/compare/names/name.h"

#include "util/removed.h"
#include "util/versioned.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, size_t len, const char *end)
{
	size_t end_len = strlen(end);

	return len >= end_len && memcmp(text + len - end_len, end, end_len) == 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

void name_of_event(char *to, const char *name)
{
	size_t len = strlen(name), end = len;

	while (end > 0 && strchr("ukhIGHpPSDWebRX", name[end - 1]))
		end--;
	/* in "sched:sched_switch" the colon is not followed by modifiers: other letters remain */
	if (end > 1 && end < len && name[end - 1] == ':')
		len = end - 1;
	else if (end > 1 && name[end - 1] == '/' && memchr(name, '/', end - 1))
		len = end;
	memcpy(to, name, len);
	to[len] = '\0';
}

bool name_is_time(const char *name)
{
	static const char *const clocks[] = {"cpu-clock", "task-clock", "offcpu-time"};

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		size_t len = strlen(clocks[i]);

		if (strncmp(name, clocks[i], len) == 0 && (name[len] == '\0' || name[len] == ':'))
			return true;
	}
	return false;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* The length without ".123" at the end of the @len bytes. */
static size_t without_number(const char *name, size_t len)
{
	size_t end = len;

	while (end > 0 && is_digit(name[end - 1]))
		end--;
	return end < len && end > 0 && name[end - 1] == '.' ? end - 1 : len;
}

/* The length without one compiler suffix, if the @len bytes end in one. */
static size_t without_suffix(const char *name, size_t len)
{
	static const char *const numbered[] = {".isra",	    ".constprop", ".part",  ".llvm",
					       ".lto_priv", ".__uniq",	  ".__part"};
	static const char *const plain[] = {".cold", ".localalias", ".abi0"};
	const size_t stem = without_number(name, len);

	for (size_t i = 0; stem < len && i < sizeof(numbered) / sizeof(numbered[0]); i++)
		if (ends_with(name, stem, numbered[i]))
			return stem - strlen(numbered[i]);
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (ends_with(name, stem, plain[i]))
			return stem - strlen(plain[i]);
	return len;
}

/* The same for " [clone .isra.0]"; one pair of brackets may hold several suffixes. */
static size_t without_clone(const char *name, size_t len)
{
	static const char open[] = " [clone ";
	size_t start, inside, end;

	if (len == 0 || name[len - 1] != ']')
		return len;
	for (start = len - 1; start > 0 && name[start] != '['; start--)
		;
	if (start == 0 || strncmp(name + start - 1, open, sizeof(open) - 1) != 0)
		return len;
	inside = start - 1 + sizeof(open) - 1;
	for (end = len - 1; end > inside;) {
		size_t shorter = without_suffix(name, end);

		if (shorter == end)
			return len;
		end = shorter;
	}
	return end == inside ? start - 1 : len;
}

/* The length without a Rust hash: "h" and 16 hexadecimal digits, between @open and @close. */
static size_t without_hash(const char *name, size_t len, const char *open, const char *close)
{
	enum { DIGITS = 16 };
	const size_t start = strlen(open), tail = strlen(close);

	if (len <= start + DIGITS + tail || !ends_with(name, len, close))
		return len;
	for (size_t i = len - tail - DIGITS; i < len - tail; i++)
		if (!is_digit(name[i]) && (name[i] < 'a' || name[i] > 'f'))
			return len;
	return ends_with(name, len - tail - DIGITS, open) ? len - tail - DIGITS - start : len;
}

/* The length of the first @len bytes of @name without what compilers add. */
static size_t plain_length(const char *name, size_t len)
{
	const size_t all = len;
	size_t before;

	len = versioned_stem(name, len);
	do {
		before = len;
		len = without_clone(name, len);
		len = without_suffix(name, len);
		len = without_hash(name, len, "::h", "");
		len = without_hash(name, len, "17h", "E");
	} while (len < before && len > 0);
	return len ? len : all; /* a name of nothing but suffixes is kept */
}

void name_of_function(char *to, const char *name)
{
	static const char arrow[] = " -> ";
	const char *callee = strstr(name, arrow);
	size_t len;

	if (callee) {
		len = plain_length(name, (size_t)(callee - name));
		memcpy(to, name, len);
		memcpy(to + len, arrow, sizeof(arrow) - 1);
		to += len + sizeof(arrow) - 1;
		name = callee + sizeof(arrow) - 1;
	}
	len = plain_length(name, strlen(name));
	memcpy(to, name, len);
	to[len] = '\0';
}

/* ---- binaries -------------------------------------------------------------------------------- */

const char *name_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The length without "12.3" at the end and a dash before it; "123" counts only after a dash. */
static size_t without_version(const char *name, size_t len)
{
	size_t end = len;

	while (end > 0 && (is_digit(name[end - 1]) || name[end - 1] == '.'))
		end--;
	while (end < len && name[end] == '.') /* a part of the name: "name.1" has no version */
		end++;
	if (end == len || end == 0 || !is_digit(name[len - 1]))
		return len;
	if (name[end - 1] == '-')
		return end - 1 > 0 ? end - 1 : len;
	return memchr(name + end, '.', len - end) ? end : len;
}

/* Copies @len bytes. Returns the end of the copy. */
static char *copy(char *to, const char *from, size_t len)
{
	memcpy(to, from, len);
	return to + len;
}

/* Makes "libNAME.so" of "libNAME-1.2.so.3.4". Returns false if @base is no library. */
static bool name_of_library(char *to, const char *base, size_t len)
{
	size_t end = len, stem;

	while (end > 0 && (is_digit(base[end - 1]) || base[end - 1] == '.'))
		end--;
	if (end < 4 || !ends_with(base, end, ".so"))
		return false;
	stem = without_version(base, end - 3);
	to = copy(to, base, stem);
	memcpy(to, ".so", 4);
	return true;
}

/* The length of the module name in a module's file name; 0 if it is not a module. */
static size_t module_length(const char *base, size_t len)
{
	static const char *const ends[] = {".ko", ".ko.xz", ".ko.gz", ".ko.zst", ".ko.debug"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(base, len, ends[i]))
			return len - strlen(ends[i]);
	return 0;
}

/* Module names have underscores where their file names may have dashes. */
static bool name_of_module(char *to, const char *base, size_t len)
{
	size_t stem = module_length(base, len);

	if (!stem)
		return false;
	*to++ = '[';
	for (size_t i = 0; i < stem; i++)
		*to++ = (char)(base[i] == '-' ? '_' : base[i]);
	memcpy(to, "]", 2);
	return true;
}

static bool is_kernel(const char *name, const char *base)
{
	static const char *const starts[] = {"[kernel.kallsyms]", "[kernel.kcore]", "[kernel]"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (starts_with(name, starts[i]))
			return true;
	return strcmp(base, "vmlinux") == 0 || starts_with(base, "vmlinux-") ||
	       starts_with(base, "vmlinux.");
}

/* Whether @name matches @pattern, in which each "#" stands for a number. */
static bool is_numbered(const char *name, const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern != '#') {
			if (*name++ != *pattern)
				return false;
			continue;
		}
		if (!is_digit(*name))
			return false;
		name += strspn(name, "0123456789");
	}
	return *name == '\0';
}

const char *name_of_code(const char *path)
{
	static const char *const made[] = {"perf-#.map", "jit-#.dump", "jitted-#-#.so"};
	const char *base = name_base(path);

	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (is_numbered(base, made[i]))
			return "[jit]";
	return base;
}

void name_of_binary(char *to, const char *name)
{
	const char *base = *name == '[' ? name : name_base(name);
	size_t len = removed_name_len(base);

	if (is_kernel(name, base)) {
		memcpy(to, "vmlinux", 8);
		return;
	}
	if (name_of_module(to, base, len) || name_of_library(to, base, len))
		return;
	*copy(to, base, *base == '[' ? len : without_version(base, len)) = '\0';
}

bool name_is_kernel(const char *binary)
{
	static const char *const mapped[] = {"[vdso",  "[vsyscall]", "[heap]",
					     "[stack", "[anon",	     "[jit]"};
	const char *base = name_base(binary);

	for (size_t i = 0; i < sizeof(mapped) / sizeof(mapped[0]); i++)
		if (starts_with(binary, mapped[i]))
			return false;
	return *binary == '[' || is_kernel(binary, base) ||
	       module_length(base, removed_name_len(base)) > 0;
}
