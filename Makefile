# readperf: build, test, install. GNU make; `make help` lists the targets.
#
#   make CC=clang                         another compiler
#   make check SANITIZE=address,undefined the tests under sanitizers
#   make WITHOUT="capstone libpfm"        without libraries that are installed
#   make V=1                              the commands as they run
#   make DEBUG=1                          libreadperf aborts if a handle is used after its end
#   make WERROR=1                         a warning is an error, as in CI
#
# Objects go to build/CONFIG/, CONFIG being named after compiler and flags, so that no two sets of
# flags ever mix their objects. build/readperf is a link to the program that was made last.

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
# Of the library: changes when programs must be compiled anew, see docs/library.md.
ABI := 0
# Debian's zsh looks elsewhere.
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
# Where Debian's python3 looks below /usr; others look elsewhere, see docs/library.md.
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages

PKG_CONFIG ?= pkg-config
AR         ?= ar
OBJCOPY    ?= objcopy
CFLAGS     ?= -O2 -g
SANITIZE   ?=
WITHOUT    ?=
WERROR     ?=
DEBUG      ?=
V          ?=

.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
Q := $(if $(V),,@)

# Each file that is made is a step: $(call step,WORD,FILE) says so, $(call run,COMMAND) takes it. On a
# terminal a step is told in the place of the one before; elsewhere only each hundredth is. What a
# command says comes in one piece, on lines of its own. make expands recipes one after the other,
# whatever -j is, so they count the steps; a dry run at the first says how many there will be.
PROGRESS := $(if $(V),commands,$(if $(MAKE_TERMOUT),terminal,lines))
STEPS    :=
STEPS_TO_TAKE = $(eval STEPS_TO_TAKE := $(shell MAKEFLAGS= $(MAKE) -n \
	$(if $(findstring B,$(firstword -$(MAKEFLAGS))),-B) $(MAKEOVERRIDES) PROGRESS=dry $(GOALS) \
	2>/dev/null | grep -c '^: step'))$(STEPS_TO_TAKE)
STEP      = $(words $(STEPS))
LAST_STEP = $(filter $(STEPS_TO_TAKE),$(STEP))
TOLD      = $(STEP)/$(STEPS_TO_TAKE)  $(2:$(BUILD)/%=%)
CLEAR    := $(if $(filter terminal,$(PROGRESS)),\r\033[K)
COLOUR   := $(if $(CLEAR),-fdiagnostics-color=always)

step          = $(step-$(PROGRESS))
step-dry      = @: step
step-terminal = $(eval STEPS += x)@printf '$(CLEAR)  %-4s %s' $(1) '$(TOLD)'
step-lines    = $(eval STEPS += x)$(if $(or $(LAST_STEP),$(filter 1 %00,$(STEP))),@printf '  %-4s %s\n' \
	$(1) '$(TOLD)')

run          = $(Q)$(if $(filter terminal lines,$(PROGRESS)),$(run-told),$(1))
run-told     = { $(1); } 2>$@.said || failed=$$?; $(if $(and $(CLEAR),$(LAST_STEP)),echo;) \
	[ ! -s $@.said ] || { printf '$(CLEAR)' && cat $@.said; } >&2; rm -f $@.said; exit $${failed:-0}

# The rooms of the program; a new .c file in one of them is picked up by itself.
ROOMS    := util util/codec perffile $(addprefix perffile/,input record feature order \
	    recover) decode $(addprefix decode/,count process trace stack stack/unwind answer replay) \
	    decode/vendor decode/symbol $(addprefix decode/symbol/,file elf dwarf go cfi find kernel jit) \
	    decode/compare $(addprefix decode/compare/,names judge profile match remarks) \
	    report report/export lib main
SOURCES  := $(wildcard $(addsuffix /*.c,$(ROOMS)))
UNITS    := $(wildcard tests/unit/test_*.c)
FUZZERS  := $(wildcard tests/fuzz/fuzz_*.c)
# What the fuzz targets share; the driver takes the place of libFuzzer in `make check`.
FUZZ_SHARED := $(addprefix tests/fuzz/,fuzz.c replay.c scenario.c commands.c \
		 layout.c mutate.c mutate_records.c)
FUZZ_DRIVER := tests/fuzz/driver.c
# Of recordings and of ELF files libFuzzer makes mutants in ways of our own.
FUZZ_OF_RECORDINGS := recording pipe wrapped tables library
FUZZ_OF_ELF        := symbol dwarf gotable
# The recording writer, which needs no Check.
WRITER   := $(wildcard tests/writer/mkperf*.c)
# Programs for the tests with a main() of their own; they go to $(BUILD)/tests/.
TOOLS    := $(addprefix tests/,cost/repeat.c cost/measure.c cost/bigsystem.c cost/fleet.c hostile/mutate.c \
	    hostile/attempts.c live/userchains.c)
BIGSYSTEM := $(wildcard tests/cost/bigsystem_*.c)
ATTEMPTS  := $(wildcard tests/hostile/attempts_*.c)
# What unit tests share: the writer of recordings, and what stands in tests/support/.
HELPERS  := $(wildcard tests/writer/*.c tests/support/*.c)

# ---- flags ---------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	    -Wold-style-definition -Wpointer-arith -Wwrite-strings -Wundef -Wvla \
	    -Wformat=2 -Wdate-time $(if $(WERROR),-Werror)
# Everything is hidden but what include/readperf/ declares, so that code for the shared library is as good
# as code for the program.
# Sanitizers bring their own checks of the functions that fortification wraps; a level that a package's
# flags ask for stays.
HARDEN   := -fstack-protector-strong -fPIC -fvisibility=hidden \
	    $(if $(SANITIZE)$(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),,\
	    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
SANFLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	    -fno-omit-frame-pointer)

# The program is optimized as a whole: the path of a record leads through all rooms, a small function
# at a time. Fat objects serve the tests, which link many programs, without it. (gcc; not sanitized)
LTO      := $(if $(SANITIZE),,$(shell printf 'int main(void) { return 0; }' | $(CC) -flto=auto \
	    -ffat-lto-objects -Werror -x c - -o /dev/null 2>/dev/null && echo -flto=auto))

# libdw is for tests; the program has the constants of its dwarf.h.
PACKAGES := libelf libzstd liblzma zlib libseccomp libutf8proc
# Built in where they are installed; WITHOUT=capstone leaves one out all the same.
OPTIONAL := $(foreach name,$(filter-out $(WITHOUT),capstone sqlite3 libdeflate),\
	    $(shell $(PKG_CONFIG) --exists $(name) 2>/dev/null && echo $(name)))
PACKAGES += $(OPTIONAL)
# Capstone, libsqlite3 and libpfm4 are opened when they are needed (util/dynlib). libpfm4 is unknown to
# pkg-config.
LINKED   := $(filter-out capstone sqlite3,$(PACKAGES))
LIBPFM   := $(if $(filter libpfm,$(WITHOUT)),,$(shell \
	    echo 'int main(void) { return pfm_initialize(); }' | \
	    $(CC) -include perfmon/pfmlib.h -x c - -o /dev/null -lpfm 2>/dev/null && echo -lpfm))
# Debian's libipt has no .pc file.
LIBIPT   := $(if $(filter libipt,$(WITHOUT)),,$(shell \
	    echo 'int main(void) { return (int)pt_library_version().major; }' | \
	    $(CC) -include intel-pt.h -x c - -o /dev/null -lipt 2>/dev/null && echo -lipt))
ALL_CPPFLAGS = -D_GNU_SOURCE -DREADPERF_VERSION='"$(VERSION)"' -I. -Iinclude \
	       $(shell $(PKG_CONFIG) --cflags libdw $(PACKAGES) 2>/dev/null) \
	       $(if $(filter capstone,$(OPTIONAL)),-DHAVE_CAPSTONE) \
	       $(if $(filter sqlite3,$(OPTIONAL)),-DHAVE_SQLITE) \
	       $(if $(filter libdeflate,$(OPTIONAL)),-DHAVE_LIBDEFLATE) \
	       $(if $(LIBPFM),-DHAVE_LIBPFM) $(if $(LIBIPT),-DHAVE_LIBIPT) \
	       $(if $(DEBUG),-DREADPERF_DEBUG) $(CPPFLAGS)
ALL_CFLAGS   = -std=c11 $(WARNINGS) $(HARDEN) $(SANFLAGS) -pthread \
	       $(if $(LTO),$(LTO) -ffat-lto-objects) $(CFLAGS)
# The sanitizers' descriptions of variables and places are full of pointers. Without PIE the linker sets
# them, not each start of a program, which then takes three quarters of the time.
ALL_LDFLAGS  = $(if $(findstring address,$(SANITIZE)),-no-pie,-pie) -Wl,-z,relro,-z,now -pthread $(SANFLAGS) $(LDFLAGS)
SHARED_LDFLAGS = $(filter-out -pie -no-pie,$(ALL_LDFLAGS)) -shared -Wl,-soname,libreadperf.so.$(ABI) \
	       -Wl,--version-script=lib/readperf.map -Wl,--as-needed
ALL_LDLIBS   = $(shell $(PKG_CONFIG) --libs $(LINKED) 2>/dev/null) -lbz2 -liberty -lm \
	       $(LIBIPT) $(LDLIBS)

# Expanded once: each reference would start pkg-config again.
ALL_CPPFLAGS := $(ALL_CPPFLAGS)
ALL_CFLAGS   := $(ALL_CFLAGS)
ALL_LDFLAGS  := $(ALL_LDFLAGS)
ALL_LDLIBS   := $(ALL_LDLIBS)

comma  := ,
FLAGS  := $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(ALL_LDLIBS)
HASH   := $(firstword $(shell printf '%s' '$(subst ','\'',$(FLAGS))' | cksum))
CONFIG := $(notdir $(firstword $(CC)))$(if $(SANITIZE),-$(subst $(comma),+,$(SANITIZE)))-$(HASH)
BUILD  := build/$(CONFIG)

PROGRAM      := $(BUILD)/readperf
# All rooms, for the tests.
LIBRARY      := $(BUILD)/rooms.a
# The page of --export=html, which a shell script joins.
PAGE         := $(BUILD)/report/export/pagesource.c
PAGE_FILES   := $(wildcard $(addprefix report/html/*.,html css js))
OBJECTS      := $(SOURCES:%.c=$(BUILD)/%.o) $(PAGE:.c=.o)
# libreadperf: what programs are linked with; signals are theirs.
LIBRARY_OBJECTS := $(filter-out $(BUILD)/main/% $(BUILD)/util/buserror.o,$(OBJECTS))
SHARED       := $(BUILD)/libreadperf.so.$(VERSION)
ARCHIVE      := $(BUILD)/libreadperf.a
PKG_CONFIG_FILE := $(BUILD)/readperf.pc
# The places that it names. The file of that name changes when they do.
PLACES       := $(PREFIX):$(LIBDIR):$(INCLUDEDIR)
HEADERS      := $(wildcard include/readperf/*.h)
# Made from them.
PAGES        := $(wildcard man/*.3)
# FUNCTION:PAGE for each function of the library, under whose name man(1) finds the page that explains it
FUNCTIONS     = $(shell awk '/^\.SH/ { named = /NAME/; next } \
	named { page = FILENAME; sub(/.*\//, "", page); sub(/[, ].*/, ""); if ($$0 ".3" != page) print $$0 ":" page }' $(PAGES))
# Its own files as in a build for debugging, for a test.
DEBUG_OBJECTS := $(patsubst %.c,$(BUILD)/debug/%.o,$(filter lib/%,$(SOURCES)))
HELPER_OBJS  := $(HELPERS:%.c=$(BUILD)/%.o)
UNIT_PROGS   := $(UNITS:%.c=$(BUILD)/%)
TOOL_PROGS   := $(patsubst %.c,$(BUILD)/tests/%,$(notdir $(TOOLS)))
# The sanitizers have allocators of their own.
FAILALLOC    := $(if $(SANITIZE),,$(BUILD)/tests/failalloc.so)
FUZZ_PROGS   := $(FUZZERS:%.c=$(BUILD)/%)
FUZZ_SHARED_OBJS := $(patsubst %.c,$(BUILD)/%.o,$(FUZZ_SHARED) $(WRITER))
FUZZ_TOOLS   := $(addprefix $(BUILD)/tests/fuzz/,seeds mutants)
REPLAY_PROGS := $(FUZZERS:tests/fuzz/fuzz_%.c=$(BUILD)/tests/fuzz/replay_%)
CALIBRATE_PROGS := $(addprefix $(BUILD)/tests/calibrate/,calibrate slowable)
CALIBRATE := $(addprefix tests/calibrate/,runs.c before.c oracle.c)

# ---- what must be installed ----------------------------------------------------------------------

# $(call package,PKG-CONFIG NAME,DEBIAN PACKAGE)
package = $(if $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo yes),,\
	$(error $(1) is not installed: on Debian it is the package $(2); ./bootstrap installs it))
# $(call header,HEADER,DEBIAN PACKAGE)
header = $(if $(shell $(CC) -include $(1) -x c -E /dev/null >/dev/null 2>&1 && echo yes),,\
	$(error <$(1)> is not installed: on Debian it is in the package $(2); ./bootstrap installs it))

GOALS := $(or $(MAKECMDGOALS),all)
ifneq ($(filter-out clean help uninstall lint dist,$(GOALS)),)
$(if $(shell command -v $(PKG_CONFIG)),,\
	$(error $(PKG_CONFIG) is not installed: ./bootstrap installs it))
$(call package,libdw,libdw-dev)
$(call package,libelf,libelf-dev)
$(call package,libzstd,libzstd-dev)
$(call package,zlib,zlib1g-dev)
$(call package,liblzma,liblzma-dev)
$(call package,libseccomp,libseccomp-dev)
$(call package,libutf8proc,libutf8proc-dev)
$(call header,bzlib.h,libbz2-dev)
$(call header,elfutils/debuginfod.h,libdebuginfod-dev)
$(call header,libiberty/demangle.h,libiberty-dev)
endif
ifneq ($(filter check unit,$(GOALS)),)
$(call package,check,check)
CHECK_CFLAGS := $(shell $(PKG_CONFIG) --cflags check)
CHECK_LIBS   := $(shell $(PKG_CONFIG) --libs check)
endif

# ---- targets -------------------------------------------------------------------------------------

.PHONY: all library check unit readers check-browser bench growth attempts allocations salvage calibrate gains fuzz fuzz-build \
	fuzz-run fuzz-coverage fuzz-coverage-run mutants mutants-run lint man picture dist deb install uninstall clean help \
	places

all: $(PROGRAM) ## the program (default); build/readperf links to it
	$(Q)ln -sfn $(CONFIG)/readperf build/readperf

library: $(SHARED) $(ARCHIVE) $(PKG_CONFIG_FILE) ## libreadperf.so, libreadperf.a, readperf.pc: see docs/library.md

check: $(PROGRAM) $(SHARED) $(ARCHIVE) $(PKG_CONFIG_FILE) $(UNIT_PROGS) $(TOOL_PROGS) $(REPLAY_PROGS) $(FAILALLOC) ## all tests; the last line counts passed, failed and skipped
	$(Q)READPERF=$(abspath $(PROGRAM)) TOOLS=$(abspath $(BUILD)/tests) CC='$(CC)' SANITIZE='$(SANITIZE)' \
		tests/run.sh $(UNIT_PROGS)

unit: $(UNIT_PROGS) ## the unit tests alone
	$(Q)tests/run.sh --only=unit $(UNIT_PROGS)

readers: $(PROGRAM) $(TOOL_PROGS) ## exports, read as others read them: see tests/readers/run.sh
	$(Q)READPERF=$(abspath $(PROGRAM)) BUILD=$(abspath build/readers) TOOLS=$(abspath $(BUILD)/tests) \
		tests/readers/run.sh

check-browser: $(PROGRAM) ## the page of --export=html in a browser: see tests/browser/run.sh
	$(Q)READPERF=$(abspath $(PROGRAM)) BUILD=$(abspath build/browser) tests/browser/run.sh

bench: $(PROGRAM) $(TOOL_PROGS) ## time and memory against perf: see tests/cost/bench.sh
	$(Q)READPERF=$(abspath $(PROGRAM)) TOOLS=$(abspath $(BUILD)/tests) CC='$(CC)' tests/cost/bench.sh

growth: $(PROGRAM) $(TOOL_PROGS) ## time and memory as recordings grow: see tests/cost/growth.sh
	$(Q)READPERF=$(abspath $(PROGRAM)) TOOLS=$(abspath $(BUILD)/tests) tests/cost/growth.sh

attempts: $(PROGRAM) $(TOOL_PROGS) ## what hostile recordings cost as they grow: see tests/hostile/attempts.sh
	$(Q)READPERF=$(abspath $(PROGRAM)) TOOLS=$(abspath $(BUILD)/tests) tests/hostile/attempts.sh

allocations: $(PROGRAM) $(TOOL_PROGS) $(FAILALLOC) ## each allocation fails once: see tests/hostile/allocations.sh
	$(Q)READPERF=$(abspath $(PROGRAM)) TOOLS=$(abspath $(BUILD)/tests) tests/hostile/allocations.sh

salvage: $(PROGRAM) $(TOOL_PROGS) ## what damaged recordings still give, beside perf: see tests/hostile/salvage.sh
	$(Q)READPERF=$(abspath $(PROGRAM)) TOOLS=$(abspath $(BUILD)/tests) tests/hostile/salvage.sh

calibrate: $(PROGRAM) $(CALIBRATE_PROGS) ## verdicts by experiment, half an hour: see tests/calibrate/
	$(Q)READPERF=$(abspath $(PROGRAM)) TOOLS=$(abspath $(BUILD)/tests) \
		tests/calibrate/calibrate.sh

gains: $(PROGRAM) ## what diff says of real gains and renamings: see tests/calibrate/gains.sh
	$(Q)READPERF=$(abspath $(PROGRAM)) CC='$(CC)' tests/calibrate/gains.sh

TIME   ?= 60
JOBS   ?= 1
TARGET ?= *
KEEP   ?=
fuzz: ## the libFuzzer targets, with clang: TIME=60 seconds each, JOBS=1, TARGET=name, see tests/fuzz/
	$(Q)$(MAKE) --no-print-directory fuzz-run CC=clang \
		SANITIZE=fuzzer-no-link$(comma)address$(comma)undefined

fuzz-build: $(filter $(BUILD)/tests/fuzz/fuzz_$(TARGET:*=%),$(FUZZ_PROGS)) $(FUZZ_TOOLS)

fuzz-run: fuzz-build
	$(Q)TIME='$(TIME)' JOBS='$(JOBS)' KEEP='$(KEEP)' SEEDS=$(BUILD)/tests/fuzz/seeds \
		tests/fuzz/fuzz.sh $(filter $(BUILD)/tests/fuzz/fuzz_$(TARGET:*=%),$(FUZZ_PROGS))

fuzz-coverage: # the lines that the inputs in tests/fuzz/corpus/ and build/corpus/ reach, by room
	$(Q)$(MAKE) --no-print-directory fuzz-coverage-run CC=clang CFLAGS='-O1 -g \
		-fprofile-instr-generate -fcoverage-mapping' LDFLAGS=-fprofile-instr-generate

fuzz-coverage-run: $(REPLAY_PROGS)
	$(Q)tests/fuzz/coverage.sh build/corpus $(REPLAY_PROGS)

N          ?= 100000
FIRST      ?= 1
RECORDINGS ?= $(wildcard tests/data/*.data)
mutants: ## N=100000 damaged recordings, read as a user would, under sanitizers; see tests/fuzz/
	$(Q)$(MAKE) --no-print-directory mutants-run SANITIZE=address$(comma)undefined

mutants-run: $(BUILD)/tests/fuzz/mutants $(BUILD)/tests/fuzz/seeds
	$(Q)mkdir -p build/mutants/of && $(BUILD)/tests/fuzz/seeds build/mutants/of
	$(Q)ASAN_OPTIONS=exitcode=99:quarantine_size_mb=16 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1 \
		$(BUILD)/tests/fuzz/mutants --first=$(FIRST) --number=$(N) \
		--build-ids=tests/data/buildid --keep=build/mutants $(RECORDINGS) build/mutants/of/*

LINT_TIDY   := clang-tidy --quiet --warnings-as-errors='*' readperf.c $(SOURCES) -- -std=c11 $(ALL_CPPFLAGS)
LINT_CHECK  := cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	--suppressions-list=.cppcheck-suppressions --error-exitcode=1 $(ALL_CPPFLAGS) readperf.c $(ROOMS)
LINT_FORMAT := clang-format --dry-run -Werror readperf.c $(SOURCES) $(wildcard $(addsuffix /*.h,$(ROOMS)) \
	tests/*/*.[ch])
LINT_SHELL  := shellcheck -e SC1091,SC2016 bootstrap .ci/run man/*.sh packages/*.sh report/html/*.sh tests/*.sh tests/*/*.sh

# lint-with COMMAND: says so if the program is not installed; what others find is found, too
lint-with = if ! command -v $(firstword $(1)) >/dev/null; then echo "$(firstword $(1)) is not installed"; \
	else $(1) || failed="$$failed $(firstword $(1))"; fi;

lint: ## clang-tidy, cppcheck, clang-format in check mode, shellcheck; all that are installed
	$(Q)failed=; $(call lint-with,$(LINT_TIDY)) $(call lint-with,$(LINT_CHECK)) \
		$(call lint-with,$(LINT_FORMAT)) $(call lint-with,$(LINT_SHELL)) \
		[ -z "$$failed" ] || { echo "lint:$$failed" >&2; exit 1; }

man: $(PROGRAM) ## the man pages anew from the program's own tables
	$(Q)man/generate.sh $(PROGRAM)

picture: $(PROGRAM) ## README's picture of the console anew from what the program prints
	$(Q)tests/picture.sh $(PROGRAM) >$(BUILD)/console.svg
	$(Q)mv $(BUILD)/console.svg docs/console.svg

dist: ## the committed tree as build/readperf-VERSION.tar.xz, the same bytes for the same commit
	$(Q)packages/dist.sh $(VERSION) build

deb: ## a Debian package of this tree as build/readperf_VERSION-1_ARCHITECTURE.deb, looked at by lintian
	$(Q)packages/deb.sh $(VERSION) build

# $(call put,COMMAND,FILE): what the command prints, as a file that all may read
put = to='$(2)' && install -D -m 644 /dev/null "$$to" && $(1) >"$$to"

# Writes below $(DESTDIR) only, once `make all library` has built what it installs.
install: $(PROGRAM) $(SHARED) $(ARCHIVE) $(PKG_CONFIG_FILE) ## into $(DESTDIR)$(PREFIX): program, library, module of Python, man pages, completions of bash, zsh and fish
	install -D -m 755 $(PROGRAM) '$(DESTDIR)$(PREFIX)/bin/readperf'
	install -D -m 644 man/readperf.1 '$(DESTDIR)$(PREFIX)/share/man/man1/readperf.1'
	install -D -m 644 man/readperf-diff.1 '$(DESTDIR)$(PREFIX)/share/man/man1/readperf-diff.1'
	install -D -m 644 man/readperf-csv.5 '$(DESTDIR)$(PREFIX)/share/man/man5/readperf-csv.5'
	$(call put,$(PROGRAM) --describe=completion,$(DESTDIR)$(PREFIX)/share/bash-completion/completions/readperf)
	$(call put,$(PROGRAM) --describe=completion-zsh,$(DESTDIR)$(ZSH_COMPLETIONS)/_readperf)
	$(call put,$(PROGRAM) --describe=completion-fish,$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/readperf.fish)
	install -D -m 644 $(SHARED) '$(DESTDIR)$(LIBDIR)/libreadperf.so.$(VERSION)'
	ln -sf libreadperf.so.$(VERSION) '$(DESTDIR)$(LIBDIR)/libreadperf.so.$(ABI)'
	ln -sf libreadperf.so.$(ABI) '$(DESTDIR)$(LIBDIR)/libreadperf.so'
	install -D -m 644 $(ARCHIVE) '$(DESTDIR)$(LIBDIR)/libreadperf.a'
	install -D -m 644 $(PKG_CONFIG_FILE) '$(DESTDIR)$(LIBDIR)/pkgconfig/readperf.pc'
	install -D -m 644 bindings/python/readperf.py '$(DESTDIR)$(PYTHONDIR)/readperf.py'
	$(foreach header,$(HEADERS),install -D -m 644 $(header) \
		'$(DESTDIR)$(INCLUDEDIR)/readperf/$(notdir $(header))' && ):
	$(foreach page,$(PAGES),install -D -m 644 $(page) \
		'$(DESTDIR)$(PREFIX)/share/man/man3/$(notdir $(page))' && ):
	$(foreach function,$(FUNCTIONS),$(call put,echo '.so man3/$(lastword $(subst :, ,$(function)))',$(DESTDIR)$(PREFIX)/share/man/man3/$(firstword $(subst :, ,$(function))).3) && ):

uninstall: ## what install has put there
	rm -f '$(DESTDIR)$(PREFIX)/bin/readperf' \
		'$(DESTDIR)$(PREFIX)/share/man/man1/readperf.1' \
		'$(DESTDIR)$(PREFIX)/share/man/man1/readperf-diff.1' \
		'$(DESTDIR)$(PREFIX)/share/man/man5/readperf-csv.5' \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions/readperf' \
		'$(DESTDIR)$(ZSH_COMPLETIONS)/_readperf' \
		'$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/readperf.fish' \
		'$(DESTDIR)$(LIBDIR)/libreadperf.so.$(VERSION)' \
		'$(DESTDIR)$(LIBDIR)/libreadperf.so.$(ABI)' '$(DESTDIR)$(LIBDIR)/libreadperf.so' \
		'$(DESTDIR)$(LIBDIR)/libreadperf.a' '$(DESTDIR)$(LIBDIR)/pkgconfig/readperf.pc' \
		'$(DESTDIR)$(PYTHONDIR)/readperf.py' \
		$(HEADERS:include/readperf/%='$(DESTDIR)$(INCLUDEDIR)/readperf/%') \
		$(PAGES:man/%='$(DESTDIR)$(PREFIX)/share/man/man3/%') \
		$(foreach function,$(FUNCTIONS),'$(DESTDIR)$(PREFIX)/share/man/man3/$(firstword $(subst :, ,$(function))).3')

clean: ## everything that was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16
	@sed -n 's/^#   \(make .*\)/\1/p' Makefile

# ---- rules ---------------------------------------------------------------------------------------

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(call run,$(CC) $(COLOUR) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(EXTRA_CFLAGS) -MMD -MP -c -o $@ $<)

# Test programs are linked without link-time optimization.
$(BUILD)/tests/%.o: ALL_CFLAGS := $(filter-out $(LTO) -ffat-lto-objects,$(ALL_CFLAGS))

$(BUILD)/debug/%.o: %.c
	@mkdir -p $(@D)
	$(call step,CC,$@)
	$(call run,$(CC) $(COLOUR) $(ALL_CPPFLAGS) -DREADPERF_DEBUG $(ALL_CFLAGS) -MMD -MP -c -o $@ $<)

$(PAGE): report/html/join.sh $(PAGE_FILES)
	@mkdir -p $(@D)
	$(call step,JOIN,$@)
	$(call run,report/html/join.sh >$@)

$(PAGE:.c=.o): $(PAGE)
	$(call step,CC,$<)
	$(call run,$(CC) $(COLOUR) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<)

# Made anew: an archive would keep the objects of sources that are gone.
$(LIBRARY): $(OBJECTS)
	$(call step,AR,$@)
	$(call run,rm -f $@ && $(AR) rcs $@ $(OBJECTS))

$(PROGRAM): $(BUILD)/readperf.o $(OBJECTS)
	$(call step,LINK,$@)
	$(call run,$(CC) $(if $(LTO),$(ALL_CFLAGS)) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LDLIBS))

# The links are found by programs when they are linked, and when they run.
$(SHARED): $(LIBRARY_OBJECTS) lib/readperf.map
	$(call step,LINK,$@)
	$(call run,$(CC) $(if $(LTO),$(ALL_CFLAGS)) $(SHARED_LDFLAGS) -o $@ $(LIBRARY_OBJECTS) \
		$(ALL_LDLIBS))
	@ln -sf $(@F) $(BUILD)/libreadperf.so.$(ABI)
	@ln -sf libreadperf.so.$(ABI) $(BUILD)/libreadperf.so

# One object, in which only what is public has a name for others. libiberty is in it, as in the shared
# library: its own xmalloc(), which ends programs, is not.
$(ARCHIVE): $(LIBRARY_OBJECTS)
	$(call step,AR,$@)
	$(call run,rm -f $@ && $(CC) -r -nostdlib $(if $(LTO),-fno-lto) -o $(BUILD)/libreadperf.o \
		$(LIBRARY_OBJECTS) -liberty && \
		$(OBJCOPY) --wildcard --keep-global-symbol='readperf_*' --remove-section='.gnu.lto_*' \
		$(BUILD)/libreadperf.o && \
		$(AR) rcs $@ $(BUILD)/libreadperf.o)

$(BUILD)/places: places
	@mkdir -p $(@D)
	@echo '$(PLACES)' | cmp -s - $@ || echo '$(PLACES)' >$@

# libutf8proc would give those who use the library its -DUTF8PROC_EXPORTS, of which its headers have no need.
$(PKG_CONFIG_FILE): lib/readperf.pc.in Makefile $(BUILD)/places
	$(call step,SED,$@)
	$(call run,sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|; s|@PACKAGES@|$(filter-out libseccomp libutf8proc,$(LINKED))|' \
		-e 's|@LIBS@|-lbz2 -lm -lutf8proc $(LIBIPT) -pthread|' lib/readperf.pc.in >$@)

# Each of the many test programs holds the whole library. Where nobody debugs them, they do without its
# lines: a third less room on disk, and sanitizers still name functions. The linkers of LLVM and gold
# take half as long as the usual one.
TEST_LDFLAGS := $(if $(CI),-Xlinker --strip-debug $(shell for name in lld gold; do \
	echo 'int main(void) { return 0; }' | $(CC) -fuse-ld=$$name -x c - -o /dev/null 2>/dev/null && \
	echo -fuse-ld=$$name && break; done))

$(UNIT_PROGS:%=%.o): EXTRA_CFLAGS := $(CHECK_CFLAGS)
$(UNIT_PROGS): %: %.o $(HELPER_OBJS) $(LIBRARY)
	$(call step,LINK,$@)
	$(call run,$(CC) $(if $(LTO),-fno-lto) $(ALL_LDFLAGS) $(TEST_LDFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) \
		$(CHECK_LIBS) $(UNIT_LDLIBS) \
		$(ALL_LDLIBS))

$(BUILD)/tests/unit/test_sqlite: UNIT_LDLIBS := $(shell $(PKG_CONFIG) --libs $(filter sqlite3,$(OPTIONAL)) 2>/dev/null)
$(addprefix $(BUILD)/tests/unit/,test_libdw test_libdw_cfi): UNIT_LDLIBS := $(shell $(PKG_CONFIG) --libs libdw 2>/dev/null)
$(BUILD)/tests/unit/test_handlemark: $(DEBUG_OBJECTS)
$(BUILD)/tests/unit/test_mutate: $(patsubst %,$(BUILD)/tests/fuzz/%.o,layout mutate mutate_records)

$(foreach tool,$(TOOLS),$(eval $(BUILD)/tests/$(basename $(notdir $(tool))): $(tool:%.c=$(BUILD)/%.o)))
$(TOOL_PROGS):
	$(call step,LINK,$@)
	$(call run,$(CC) $(if $(LTO),-fno-lto) $(ALL_LDFLAGS) -o $@ $^ $(TOOL_LDLIBS))

$(BUILD)/tests/bigsystem: $(BIGSYSTEM:%.c=$(BUILD)/%.o)
$(BUILD)/tests/attempts: $(ATTEMPTS:%.c=$(BUILD)/%.o) $(WRITER:%.c=$(BUILD)/%.o)
$(BUILD)/tests/attempts: TOOL_LDLIBS := $(ALL_LDLIBS)
$(BUILD)/tests/userchains: $(LIBRARY)
$(BUILD)/tests/userchains: TOOL_LDLIBS := $(ALL_LDLIBS)

$(BUILD)/tests/failalloc.so: tests/hostile/failalloc.c
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(call run,$(CC) -D_GNU_SOURCE -std=c11 $(WARNINGS) $(CFLAGS) -fPIC -shared -o $@ $<)

$(BUILD)/tests/calibrate/calibrate: $(CALIBRATE:%.c=$(BUILD)/%.o)
$(CALIBRATE_PROGS): %: %.o $(LIBRARY)
	$(call step,LINK,$@)
	$(call run,$(CC) $(if $(LTO),-fno-lto) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(ALL_LDLIBS))

$(REPLAY_PROGS): $(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o \
		$(FUZZ_DRIVER:%.c=$(BUILD)/%.o) $(FUZZ_SHARED_OBJS) $(LIBRARY)
	$(call step,LINK,$@)
	$(call run,$(CC) $(if $(LTO),-fno-lto) $(ALL_LDFLAGS) $(TEST_LDFLAGS) -o $@ $^ $(ALL_LDLIBS))

$(FUZZ_TOOLS): %: %.o $(FUZZ_SHARED_OBJS) $(LIBRARY)
	$(call step,LINK,$@)
	$(call run,$(CC) $(if $(LTO),-fno-lto) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LDLIBS))

$(addprefix $(BUILD)/tests/fuzz/,fuzz_libdw replay_libdw): ALL_LDLIBS += \
		$(shell $(PKG_CONFIG) --libs libdw 2>/dev/null)

$(FUZZ_OF_RECORDINGS:%=$(BUILD)/tests/fuzz/fuzz_%): $(BUILD)/tests/fuzz/mutator.o
$(FUZZ_OF_ELF:%=$(BUILD)/tests/fuzz/fuzz_%): $(BUILD)/tests/fuzz/mutator_elf.o

$(FUZZ_PROGS): %: %.o $(FUZZ_SHARED_OBJS) $(LIBRARY)
	$(call step,LINK,$@)
	$(call run,$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(ALL_LDLIBS))

-include $(wildcard $(BUILD)/*.d $(BUILD)/tests/*.d $(BUILD)/tests/*/*.d $(BUILD)/debug/lib/*.d \
	$(addsuffix /*.d,$(addprefix $(BUILD)/,$(ROOMS))))
