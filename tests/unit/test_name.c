/* Which names are one when two runs are compared, and which are not. */
#include "decode/compare/names/name.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define NR(array) ((int)(sizeof(array) / sizeof((array)[0])))

struct pair {
	const char *name, *expected;
};

/* Exactly as much room as promised: a sanitizer sees one byte more. */
static void check(void (*name_of)(char *, const char *), const struct pair *pair)
{
	char *to = malloc(strlen(pair->name) + 1);

	ck_assert_ptr_nonnull(to);
	name_of(to, pair->name);
	ck_assert_str_eq(to, pair->expected);
	free(to);
}

static const struct pair events[] = {
	{"cycles", "cycles"},
	{"cycles:u", "cycles"},
	{"cycles:ppp", "cycles"},
	{"cycles:P", "cycles"},
	{"cpu-clock:uH", "cpu-clock"},
	{"cpu/mem-loads,ldlat=30/P", "cpu/mem-loads,ldlat=30/"},
	{"cpu/cycles/", "cpu/cycles/"},
	{"cpu_core/cycles/ukpp", "cpu_core/cycles/"},
	{"sched:sched_switch", "sched:sched_switch"},
	{"kvm:kvm_exit", "kvm:kvm_exit"},
	{"r1a8", "r1a8"},
	{"bpu", "bpu"},
	{":u", ":u"},
	{"", ""},
};

START_TEST(event)
{
	check(name_of_event, &events[_i]);
}
END_TEST

static const struct pair functions[] = {
	{"main", "main"},
	{"foo.isra.0", "foo"},
	{"foo.constprop.1", "foo"},
	{"foo.part.2", "foo"},
	{"foo.cold", "foo"},
	{"foo.cold.12", "foo"},
	{"foo.llvm.1234567890123456789", "foo"},
	{"foo.lto_priv.0", "foo"},
	{"foo.localalias", "foo"},
	{"runtime.memmove.abi0", "runtime.memmove"}, /* of Go */
	{"foo.localalias.3", "foo"},
	{"foo.isra.0.constprop.1.part.2.cold", "foo"},
	{"foo.cold.part.2.isra.0", "foo"},
	{"foo.constprop.0.isra.0.llvm.99.lto_priv.1", "foo"},
	{"foo.__uniq.123456.llvm.7", "foo"},
	{"foo.isra", "foo.isra"},
	{"foo.isra.x", "foo.isra.x"},
	{"foo._omp_fn.0", "foo._omp_fn.0"},
	{"foo.avx2", "foo.avx2"},
	{"foo.0", "foo.0"},
	{"coldfoo", "coldfoo"},
	{".cold", ".cold"},
	{"foo@plt", "foo@plt"},
	{"pow@@GLIBC_2.29", "pow"},
	{"memcpy@GLIBC_2.2.5", "memcpy"},
	{"foo.cold@@V_1", "foo"},
	{"@@GLIBC_2.29", "@@GLIBC_2.29"},
	{"foo@", "foo@"},
	{"_Z3fooi.isra.0", "_Z3fooi"},
	{"foo(int) [clone .isra.0]", "foo(int)"},
	{"foo(int) [clone .isra.0] [clone .cold]", "foo(int)"},
	{"foo(int) [clone .constprop.0.cold]", "foo(int)"},
	{"foo(int) [clone .avx2]", "foo(int) [clone .avx2]"},
	{"operator new[]", "operator new[]"},
	{"[clone .cold]", "[clone .cold]"},
	{"core::ptr::drop::h0123456789abcdef", "core::ptr::drop"},
	{"core::ptr::drop::h0123456789abcdef.llvm.5", "core::ptr::drop"},
	{"core::ptr::drop::h0123456789ABCDEF", "core::ptr::drop::h0123456789ABCDEF"},
	{"core::ptr::h0123456789abcde", "core::ptr::h0123456789abcde"},
	{"_ZN4core3ptr17h0123456789abcdefE", "_ZN4core3ptr"},
	{"_ZN4core3ptr17h0123456789abcdefE.llvm.12", "_ZN4core3ptr"},
	{"foo.isra.0 -> bar(int) [clone .cold]", "foo -> bar(int)"},
	{"[root] -> foo.part.1", "[root] -> foo"},
	{"", ""},
};

START_TEST(function)
{
	check(name_of_function, &functions[_i]);
}
END_TEST

static const struct pair binaries[] = {
	{"/usr/lib/libc-2.36.so", "libc.so"},
	{"/usr/lib/libc.so.6", "libc.so"},
	{"/lib/libstdc++.so.6.0.30", "libstdc++.so"},
	{"/lib/libstdc++.so.6.0.31", "libstdc++.so"},
	{"libLLVM-14.so.1", "libLLVM.so"},
	{"libpython3.11.so.1.0", "libpython.so"},
	{"libsqlite3.so.0.8.6", "libsqlite3.so"},
	{"libcrypto-1.1.so", "libcrypto.so"},
	{"plugin.so", "plugin.so"},
	{".so.1", ".so.1"},
	{"/usr/bin/python3.11", "python"},
	{"/usr/bin/python3.12", "python"},
	{"/usr/bin/python3", "python3"},
	{"/opt/bash-5.2.15", "bash"},
	{"gcc-12", "gcc"},
	{"x86_64-linux-gnu-gcc-12", "x86_64-linux-gnu-gcc"},
	{"perl5.36.0", "perl"},
	{"/usr/bin/bzip2", "bzip2"},
	{"cc1", "cc1"},
	{"sha256sum", "sha256sum"},
	{"1.5", "1.5"},
	{"-12", "-12"},
	{"app (deleted)", "app"},
	{"/usr/lib/libz.so.1.2.13 (deleted)", "libz.so"},
	{"[kernel.kallsyms]", "vmlinux"},
	{"[kernel.kallsyms]_stext", "vmlinux"},
	{"/usr/lib/debug/boot/vmlinux-6.1.0-13-amd64", "vmlinux"},
	{"vmlinux", "vmlinux"},
	{"/src/vmlinux.o", "vmlinux"},
	{"vmlinuxes", "vmlinuxes"},
	{"[guest.kernel.kallsyms]", "[guest.kernel.kallsyms]"},
	{"/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz", "[ext4]"},
	{"/lib/modules/6.1.0/snd-hda-intel.ko", "[snd_hda_intel]"},
	{"[ext4]", "[ext4]"},
	{"[vdso]", "[vdso]"},
	{"[unmapped]", "[unmapped]"},
	{"[jit]", "[jit]"},
	{"/", "/"},
	{"", ""},
};

START_TEST(binary)
{
	check(name_of_binary, &binaries[_i]);
}
END_TEST

/* Code made at run time has one name, others keep theirs. */
static const struct pair codes[] = {
	{"/tmp/perf-1234.map", "[jit]"},
	{"perf-1.map", "[jit]"},
	{"/tmp/.debug/jit/node.Xy/jit-6485.dump", "[jit]"},
	{"jitted-12-4.so", "[jit]"},
	{"/tmp/jitted-12-1000.so", "[jit]"},
	{"/tmp/perf-x.map", "perf-x.map"},
	{"/tmp/perf-.map", "perf-.map"},
	{"/tmp/perf-1.map.gz", "perf-1.map.gz"},
	{"/tmp/jit-x.dump", "jit-x.dump"},
	{"/tmp/jit-1-2.dump", "jit-1-2.dump"},
	{"/usr/lib/jitted-12.so", "jitted-12.so"},
	{"jitted-12-.so", "jitted-12-.so"},
	{"jitted-12-4.so.1", "jitted-12-4.so.1"},
	{"/usr/bin/perf", "perf"},
	{"[kernel.kallsyms]", "[kernel.kallsyms]"},
	{"", ""},
};

START_TEST(code)
{
	ck_assert_str_eq(name_of_code(codes[_i].name), codes[_i].expected);
}
END_TEST

START_TEST(base)
{
	ck_assert_str_eq(name_base("/usr/src/a.c"), "a.c");
	ck_assert_str_eq(name_base("a.c"), "a.c");
	ck_assert_str_eq(name_base("dir/"), "dir/");
	ck_assert_str_eq(name_base(""), "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("name");
	TCase *tcase = tcase_create("name");

	tcase_add_loop_test(tcase, event, 0, NR(events));
	tcase_add_loop_test(tcase, function, 0, NR(functions));
	tcase_add_loop_test(tcase, binary, 0, NR(binaries));
	tcase_add_loop_test(tcase, code, 0, NR(codes));
	tcase_add_test(tcase, base);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
