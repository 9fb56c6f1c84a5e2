#include "decode/symbol/dwarf.h"

#include "decode/symbol/abbrev.h"
#include "decode/symbol/diescan.h"
#include "decode/symbol/form.h"
#include "decode/symbol/inlines.h"
#include "decode/symbol/ranges.h"
#include "decode/symbol/split.h"
#include "decode/symbol/splitunit.h"
#include "decode/symbol/unitsource.h"
#include "util/array.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_REFERENCES = 16,  /* from a function to its declaration, that are followed */
	MAX_SPLIT_MB = 16384, /* of split units; a browser's have 5 GB */
	MAX_REUSE = 4, /* how often as many abbreviations as .debug_info has bytes are read */
};

struct function {
	Dwarf_Off die;
	uint64_t start;
	bool resolved;
	struct dwarf_function answer;
};

/* A compilation unit; what is below `die` is read when an address falls into it. */
struct unit {
	Dwarf_Off die;
	bool is_skeleton; /* its functions are in a split unit */
	bool has_functions, has_source;
	struct function *functions;
	size_t nr_functions, room;
	struct ranges ranges; /* of function numbers */
	size_t cursor;
	struct inlines inlines;	    /* empty unless they are wanted */
	struct unit_source *source; /* NULL if it has none */
};

/* DWARF that was moved into a file of its own, because several binaries have it (dwz(1)). */
struct alternate {
	Dwarf *dw; /* NULL: there is none */
	struct unit_sources sources;
};

struct dwarf {
	Dwarf *dw;
	struct dwarf_files files;
	struct alternate alternate;
	struct intern *strings;
	bool wants_inlined;
	struct span info, abbrevs; /* .debug_info, .debug_abbrev */
	struct unit_sources sources;
	struct unit *units; /* in the order of .debug_info */
	size_t nr_units, room;
	struct ranges ranges; /* of unit numbers */
	size_t cursor;
	/* How many ranges the file can hold, and how many bytes of abbreviations its units can
	   need, even if they share them: bounds what damage can cost. */
	size_t ranges_left, abbrevs_left;
	uint64_t split_left;		   /* the same for the bytes of split units */
	struct die_layouts layouts;	   /* of the unit that is being read */
	struct span addresses, old_ranges; /* .debug_addr, .debug_ranges */
};

/* The bytes of a section by its name behind ".debug_", compressed the old way or not. */
static struct span debug_section(const struct elf_file *file, const char *name)
{
	const char *const formats[] = {".debug_", ".zdebug_"};
	char full[32];
	size_t number = 0;

	for (size_t i = 0; i < 2 && !number; i++) {
		strcpy(full, formats[i]);
		strncat(full, name, sizeof(full) - strlen(full) - 1);
		number = elf_section_named(file, full);
	}
	return elf_section_bytes(file, number);
}

/* Has libdw read @file; NULL if it has no DWARF. libdw itself would unpack whatever it is. */
static Dwarf *begin(const struct elf_file *file)
{
	if (file->is_bomb)
		return NULL;
	elf_unpack_dwarf(file);
	return dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
}

/* Adds the address ranges of @die as @item; *@any tells if it has one. -1 if memory is out. */
static int add_ranges(struct dwarf *dwarf, Dwarf_Die *die, struct ranges *ranges, uint32_t item,
		      bool *any)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	*any = false;
	while (dwarf->ranges_left && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		dwarf->ranges_left--;
		/* The linker puts functions that it has thrown away at 0. */
		if (start == 0 || end <= start)
			continue;
		if (ranges_add(ranges, start, end, item) < 0)
			return -1;
		*any = true;
	}
	return 0;
}

/* ---- the functions of a unit ----------------------------------------------------------------- */

/* What the header of a unit says, and the entries behind it. */
struct unit_header {
	struct form_context sizes;
	uint64_t abbrevs; /* offset in .debug_abbrev */
	struct span entries;
};

/* Reads the header of the unit whose first entry is @cu: DWARF 5, section 7.5.1. */
static struct unit_header read_header(const struct dwarf *dwarf, Dwarf_Die *cu)
{
	struct unit_header header = {.entries = dwarf->info};
	struct span *unit = &header.entries, rest;
	uint64_t in_unit = dwarf_cuoffset(cu), length, len_size = 4;

	span_skip(unit, dwarf_dieoffset(cu) - in_unit);
	length = span_u32(unit);
	if (length == UINT32_MAX) {
		length = span_u64(unit);
		len_size = 12;
	}
	*unit = span_take(unit, length < span_left(unit) ? length : span_left(unit));
	rest = *unit;
	header.sizes.offset = len_size == 4 ? 4 : 8;
	header.sizes.version = span_u16(&rest);
	if (header.sizes.version >= 5) {
		span_u8(&rest); /* the kind of unit */
		header.sizes.address = span_u8(&rest);
	}
	header.abbrevs = len_size == 4 ? span_u32(&rest) : span_u64(&rest);
	if (header.sizes.version < 5)
		header.sizes.address = span_u8(&rest);
	span_skip(unit, in_unit - len_size);
	return header;
}

/* A unit whose functions are being met. */
struct scan {
	struct dwarf *dwarf;
	struct unit *unit;
	const struct form_context *sizes;
	const struct split_unit *split; /* that has them, or NULL */
};

/* Adds the addresses of the function or copy at @entry to @ranges, as @item. -1: memory is out. */
static int add_extent(const struct scan *scan, const struct die_entry *entry, struct ranges *ranges,
		      uint32_t item, bool *any)
{
	struct dwarf *dwarf = scan->dwarf;
	uint64_t start = 0, end = 0;
	Dwarf_Die die;

	*any = false;
	if (scan->split)
		return split_unit_extent(scan->split, entry, ranges, item, &dwarf->ranges_left,
					 any);
	if (!die_extent(&dwarf->layouts, entry, scan->sizes, &start, &end)) {
		if (!dwarf_offdie(dwarf->dw, scan->unit->die + entry->place, &die))
			return 0;
		return add_ranges(dwarf, &die, ranges, item, any);
	}
	/* As in add_ranges(). */
	*any = start != 0 && end > start;
	return *any ? ranges_add(ranges, start, end, item) : 0;
}

static int add_function(const struct scan *scan, const struct die_entry *entry)
{
	struct unit *unit = scan->unit;
	uint32_t number = (uint32_t)unit->nr_functions;
	bool any;

	if (unit->nr_functions >= INLINE_NONE)
		return 0;
	if (!array_grow(unit->functions, unit->room, unit->nr_functions + 1))
		return -1;
	unit->functions[number] = (struct function){.die = unit->die + entry->place};
	if (add_extent(scan, entry, &unit->ranges, number, &any) < 0)
		return -1;
	unit->nr_functions += any;
	if (!scan->dwarf->wants_inlined)
		return 0;
	return inlines_enter_function(&unit->inlines, entry, any ? number : INLINE_NONE);
}

static int add_inlined(const struct scan *scan, const struct die_entry *entry)
{
	struct inlines *inlines = &scan->unit->inlines;
	uint32_t number;
	bool any;

	if (inlines_enter(inlines, entry, scan->unit->die + entry->place, &number) < 0)
		return -1;
	if (number == INLINE_NONE)
		return 0;
	return add_extent(scan, entry, &inlines->ranges, number, &any);
}

static int add_entry(void *arg, const struct die_entry *entry)
{
	const struct scan *scan = arg;

	return entry->layout->kind == DIE_FUNCTION ? add_function(scan, entry)
						   : add_inlined(scan, entry);
}

/* ---- what is known about a function ---------------------------------------------------------- */

/* True if the value of @attr is in another file that is not there. libdw would look for it. */
static bool is_elsewhere(const struct dwarf *dwarf, Dwarf_Attribute *attr)
{
	switch (dwarf_whatform(attr)) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		return !dwarf->alternate.dw || dwarf_cu_getdwarf(attr->cu) != dwarf->dw;
	default:
		return false;
	}
}

/* Steps from an instance of a function to its abstract one, or from that to its declaration. */
static bool follow(const struct dwarf *dwarf, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die next;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
	    !dwarf_attr(die, DW_AT_specification, &attr))
		return false;
	if (is_elsewhere(dwarf, &attr) || !dwarf_formref_die(&attr, &next))
		return false;
	*die = next;
	return true;
}

/* Finds @name at the function at @die or what it refers to; *@owner gets the entry that has it. */
static bool find_attr(const struct dwarf *dwarf, const Dwarf_Die *die, unsigned name,
		      Dwarf_Attribute *attr, Dwarf_Die *owner)
{
	*owner = *die;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (dwarf_attr(owner, name, attr))
			return !is_elsewhere(dwarf, attr);
		if (!follow(dwarf, owner))
			return false;
	}
	return false;
}

static const char *string_of(const struct dwarf *dwarf, const Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Die owner;

	return find_attr(dwarf, die, name, &attr, &owner) ? dwarf_formstring(&attr) : NULL;
}

/*
 * Where @die is declared, that is, which entry says so. gcc does not say it of a lambda's
 * operator(), but of the lambda's class: it is the type that the object pointer's type leads to.
 */
static Dwarf_Die declared_at(const struct dwarf *dwarf, const Dwarf_Die *die)
{
	Dwarf_Die owner, class = *die;
	Dwarf_Attribute attr;

	if (find_attr(dwarf, die, DW_AT_decl_line, &attr, &owner) ||
	    !find_attr(dwarf, die, DW_AT_object_pointer, &attr, &owner))
		return *die;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (is_elsewhere(dwarf, &attr) || !dwarf_formref_die(&attr, &class))
			return *die;
		if (!dwarf_attr(&class, DW_AT_type, &attr))
			return class;
	}
	return *die;
}

/* Sets *@source to the source of the unit whose first entry is @cu, if it has one. -1: no memory.
 */
static int source_of(struct dwarf *dwarf, const Dwarf_Die *cu, struct unit_sources *sources,
		     struct unit_source **source)
{
	Dwarf_Attribute attr;
	Dwarf_Word offset;
	Dwarf_Die die = *cu;

	*source = NULL;
	if (!dwarf_attr(&die, DW_AT_stmt_list, &attr) || dwarf_formudata(&attr, &offset) != 0)
		return 0;
	*source = unit_sources_get(sources, offset, string_of(dwarf, cu, DW_AT_comp_dir));
	return *source ? 0 : -1;
}

static int read_source(struct dwarf *dwarf, struct unit *unit)
{
	Dwarf_Die cu;

	if (unit->has_source)
		return 0;
	unit->has_source = true;
	if (!dwarf_offdie(dwarf->dw, unit->die, &cu))
		return 0;
	return source_of(dwarf, &cu, &dwarf->sources, &unit->source);
}

/* The number of a file counts in the table of the unit whose entry says it. */
static int resolve_file(struct dwarf *dwarf, const Dwarf_Die *die, struct dwarf_function *out)
{
	struct unit_sources *sources = &dwarf->sources;
	struct unit_source *source;
	Dwarf_Attribute attr;
	Dwarf_Word number;
	Dwarf_Die owner, cu;

	if (!find_attr(dwarf, die, DW_AT_decl_file, &attr, &owner) ||
	    dwarf_formudata(&attr, &number) != 0 || !dwarf_diecu(&owner, &cu, NULL, NULL))
		return 0;
	if (dwarf_cu_getdwarf(cu.cu) != dwarf->dw)
		sources = &dwarf->alternate.sources;
	if (source_of(dwarf, &cu, sources, &source) < 0)
		return -1;
	return source ? unit_source_path(sources, source, number, &out->filename) : 0;
}

/* Finds out how the function at @offset is called and where it stands. -1 if memory is out. */
static int resolve(struct dwarf *dwarf, Dwarf_Off offset, struct dwarf_function *out)
{
	Dwarf_Attribute attr;
	const char *name;
	Dwarf_Die die, owner;
	Dwarf_Word line;

	*out = (struct dwarf_function){.name = "", .filename = ""};
	if (!dwarf_offdie(dwarf->dw, offset, &die))
		return 0;
	name = string_of(dwarf, &die, DW_AT_linkage_name);
	if (!name)
		name = string_of(dwarf, &die, DW_AT_MIPS_linkage_name);
	if (!name)
		name = string_of(dwarf, &die, DW_AT_name);
	out->name = name ? intern_keep(dwarf->strings, name) : "";
	if (!out->name)
		return -1;
	die = declared_at(dwarf, &die);
	if (resolve_file(dwarf, &die, out) < 0)
		return -1;
	if (find_attr(dwarf, &die, DW_AT_decl_line, &attr, &owner) &&
	    dwarf_formudata(&attr, &line) == 0 && line <= UINT32_MAX)
		out->line = (uint32_t)line;
	return 0;
}

/* ---- split units ----------------------------------------------------------------------------- */

/* The number that attribute @name of @die is, 0 if it has none. */
static uint64_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	return dwarf_attr(die, name, &attr) && dwarf_formudata(&attr, &number) == 0 ? number : 0;
}

/* What the skeleton @cu says of where the rest is, and of the sections that this refers to. */
static struct skeleton read_skeleton(const struct dwarf *dwarf, Dwarf_Die *cu,
				     struct split_addresses *binary)
{
	struct skeleton skeleton = {.comp_dir = string_of(dwarf, cu, DW_AT_comp_dir)};
	const bool has_base = dwarf_hasattr(cu, DW_AT_addr_base);
	Dwarf_Addr base;

	if (dwarf_cu_info(cu->cu, NULL, NULL, NULL, NULL, &skeleton.id, NULL, NULL) != 0)
		skeleton.id = 0;
	skeleton.name = string_of(dwarf, cu, DW_AT_dwo_name);
	if (!skeleton.name)
		skeleton.name = string_of(dwarf, cu, DW_AT_GNU_dwo_name);
	*binary = (struct split_addresses){dwarf->addresses, dwarf->old_ranges, 0};
	span_skip(&binary->addresses,
		  number_of(cu, has_base ? DW_AT_addr_base : DW_AT_GNU_addr_base));
	span_skip(&binary->ranges, number_of(cu, DW_AT_GNU_ranges_base));
	if (dwarf_lowpc(cu, &base) == 0)
		binary->base = base;
	return skeleton;
}

/* As resolve(), for the function at @die of a split unit, which counts from the skeleton's. */
static int resolve_split(struct dwarf *dwarf, struct unit *unit, const struct split_unit *split,
			 uint64_t die, struct dwarf_function *out)
{
	struct split_function function = split_unit_function(split, die - unit->die);

	*out = (struct dwarf_function){.filename = "", .line = function.line};
	out->name = intern_keep(dwarf->strings, function.name);
	if (!out->name || read_source(dwarf, unit) < 0)
		return -1;
	if (!function.has_file || !unit->source)
		return 0;
	return unit_source_path(&dwarf->sources, unit->source, function.file, &out->filename);
}

/* All at once: the split file is closed then. */
static int resolve_all(struct dwarf *dwarf, struct unit *unit, const struct split_unit *split)
{
	for (size_t i = 0; i < unit->nr_functions; i++) {
		struct function *function = &unit->functions[i];

		function->resolved = true;
		if (resolve_split(dwarf, unit, split, function->die, &function->answer) < 0)
			return -1;
	}
	for (size_t i = 0; i < unit->inlines.nr; i++) {
		struct inlined *inlined = &unit->inlines.list[i];

		inlined->answer = calloc(1, sizeof(*inlined->answer));
		if (!inlined->answer ||
		    resolve_split(dwarf, unit, split, inlined->die, inlined->answer) < 0)
			return -1;
	}
	return 0;
}

static int scan_split(struct dwarf *dwarf, struct unit *unit, struct split_unit *split, uint64_t id)
{
	const struct scan scan = {dwarf, unit, &split->split.sizes, split};
	bool found;

	if (split_unit_read(split, id, dwarf->wants_inlined, &found) < 0)
		return -1;
	if (!found)
		return 0;
	dwarf->ranges_left += span_left(&split->split.info) + span_left(&split->split.rnglists);
	if (die_scan(&split->layouts, split_entries(&split->split), add_entry, (void *)&scan) < 0)
		return -1;
	return resolve_all(dwarf, unit, split);
}

/* Meets the functions of the unit whose skeleton @cu is. */
static int read_split(struct dwarf *dwarf, struct unit *unit, Dwarf_Die *cu)
{
	struct split_unit split = {0};
	struct skeleton skeleton = read_skeleton(dwarf, cu, &split.binary);
	bool nomem = false;
	int rc = 0;

	if (split_open(&split.split, &skeleton, dwarf->files.package, dwarf->files.root,
		       &dwarf->split_left, &nomem))
		rc = scan_split(dwarf, unit, &split, skeleton.id);
	split_unit_free(&split);
	return nomem ? -1 : rc;
}

/* Meets the functions of the unit that is in the binary itself. */
static int scan_unit(struct dwarf *dwarf, struct unit *unit, Dwarf_Die *cu)
{
	struct unit_header header = read_header(dwarf, cu);
	struct scan scan = {dwarf, unit, &header.sizes, NULL};
	const unsigned flags = dwarf->wants_inlined ? ABBREVS_INLINED : 0;
	struct span table = dwarf->abbrevs;

	span_skip(&table, header.abbrevs);
	if (abbrevs_read(&dwarf->layouts, table, &header.sizes, flags, &dwarf->abbrevs_left) < 0)
		return -1;
	return die_scan(&dwarf->layouts, header.entries, add_entry, &scan);
}

static int read_functions(struct dwarf *dwarf, struct unit *unit)
{
	Dwarf_Die cu;
	int rc;

	if (unit->has_functions)
		return 0;
	unit->has_functions = true;
	if (!dwarf_offdie(dwarf->dw, unit->die, &cu))
		return 0;
	rc = unit->is_skeleton ? read_split(dwarf, unit, &cu) : scan_unit(dwarf, unit, &cu);
	if (rc < 0 || inlines_build(&unit->inlines) < 0)
		return -1;
	return ranges_build(&unit->ranges);
}

/* ---- the units ------------------------------------------------------------------------------- */

static int add_unit(struct dwarf *dwarf, Dwarf_Die *cu, bool is_skeleton)
{
	bool any;

	if (dwarf->nr_units >= UINT32_MAX)
		return 0;
	if (!array_grow(dwarf->units, dwarf->room, dwarf->nr_units + 1))
		return -1;
	dwarf->units[dwarf->nr_units] =
		(struct unit){.die = dwarf_dieoffset(cu), .is_skeleton = is_skeleton};
	return add_ranges(dwarf, cu, &dwarf->ranges, (uint32_t)dwarf->nr_units++, &any);
}

/* Units that do not say which addresses they cover: their functions say it, all read at once. */
static int take_ranges_of_functions(struct dwarf *dwarf)
{
	for (size_t i = 0; i < dwarf->nr_units; i++) {
		struct unit *unit = &dwarf->units[i];

		if (read_functions(dwarf, unit) < 0)
			return -1;
		for (size_t k = 0; k < unit->ranges.nr; k++)
			if (ranges_add(&dwarf->ranges, unit->ranges.list[k].start,
				       unit->ranges.list[k].end, (uint32_t)i) < 0)
				return -1;
	}
	return 0;
}

static int read_units(struct dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die;

	/* No place for the split unit is passed, so that libdw opens no other file. */
	while (dwarf_get_units(dwarf->dw, cu, &cu, &version, &type, &die, NULL) == 0) {
		if (type == DW_UT_type && version < 5)
			break; /* .debug_types comes last and counts its offsets anew */
		if (die.addr && add_unit(dwarf, &die, type == DW_UT_skeleton) < 0)
			return -1;
	}
	if (dwarf->ranges.nr == 0 && take_ranges_of_functions(dwarf) < 0)
		return -1;
	return ranges_build(&dwarf->ranges);
}

static void open_line_sections(struct unit_sources *sources, const struct elf_file *file)
{
	sources->sections.line = debug_section(file, "line");
	sources->sections.line_str = debug_section(file, "line_str");
	sources->sections.str = debug_section(file, "str");
	sources->bytes_left = MAX_REUSE * span_left(&sources->sections.line);
}

static void open_sections(struct dwarf *dwarf, const struct elf_file *file)
{
	struct span new_lists = debug_section(file, "rnglists");

	dwarf->addresses = debug_section(file, "addr");
	dwarf->old_ranges = debug_section(file, "ranges");
	dwarf->split_left = MAX_SPLIT_MB * UINT64_C(1048576);
	dwarf->abbrevs = debug_section(file, "abbrev");
	dwarf->info = debug_section(file, "info");
	dwarf->abbrevs_left = MAX_REUSE * span_left(&dwarf->info) + span_left(&dwarf->abbrevs);
	dwarf->ranges_left =
		span_left(&dwarf->info) + span_left(&dwarf->old_ranges) + span_left(&new_lists);
	open_line_sections(&dwarf->sources, file);
}

static void open_alternate(struct alternate *alternate, const struct elf_file *file)
{
	alternate->dw = begin(file);
	if (alternate->dw)
		open_line_sections(&alternate->sources, file);
}

struct dwarf *dwarf_open(const struct dwarf_files *files, struct intern *strings,
			 bool wants_inlined, bool *nomem)
{
	struct dwarf *dwarf;
	struct span info = debug_section(files->main, "info");
	Dwarf *dw;

	*nomem = false;
	if (!span_left(&info))
		return NULL;
	dw = begin(files->main);
	if (!dw)
		return NULL;
	dwarf = calloc(1, sizeof(*dwarf));
	if (!dwarf) {
		*nomem = true;
		dwarf_end(dw);
		return NULL;
	}
	dwarf->dw = dw;
	dwarf->files = *files;
	dwarf->strings = dwarf->sources.strings = dwarf->alternate.sources.strings = strings;
	dwarf->wants_inlined = wants_inlined;
	open_sections(dwarf, files->main);
	if (files->alternate)
		open_alternate(&dwarf->alternate, files->alternate);
	dwarf_setalt(dw, dwarf->alternate.dw);
	if (read_units(dwarf) < 0) {
		*nomem = true;
		dwarf_close(dwarf);
		return NULL;
	}
	return dwarf;
}

static struct unit *unit_at(struct dwarf *dwarf, uint64_t address)
{
	const struct range *range = ranges_find(&dwarf->ranges, address, &dwarf->cursor);

	return range ? &dwarf->units[range->item] : NULL;
}

int dwarf_find(struct dwarf *dwarf, uint64_t address, const struct dwarf_function **function)
{
	struct unit *unit = unit_at(dwarf, address);
	const struct range *range;
	struct function *found;

	*function = NULL;
	if (!unit)
		return 0;
	if (read_functions(dwarf, unit) < 0)
		return -1;
	range = ranges_find(&unit->ranges, address, &unit->cursor);
	if (!range)
		return 0;
	found = &unit->functions[range->item];
	if (!found->resolved && resolve(dwarf, found->die, &found->answer) < 0)
		return -1;
	found->resolved = true;
	found->answer.start = range->start;
	*function = &found->answer;
	return 0;
}

int dwarf_find_inlined(struct dwarf *dwarf, uint64_t address, const struct dwarf_function *function,
		       const struct dwarf_function *chain[DWARF_MAX_INLINED], size_t *nr)
{
	struct unit *unit = unit_at(dwarf, address);
	uint32_t number = unit ? inlines_find(&unit->inlines, address) : INLINE_NONE;

	*nr = 0;
	for (; number != INLINE_NONE && *nr < DWARF_MAX_INLINED; (*nr)++) {
		struct inlined *inlined = &unit->inlines.list[number];

		if (&unit->functions[inlined->function].answer != function)
			break; /* damage: it says that it is in two functions */
		if (!inlined->answer) {
			inlined->answer = calloc(1, sizeof(*inlined->answer));
			if (!inlined->answer || resolve(dwarf, inlined->die, inlined->answer) < 0)
				return -1;
		}
		chain[*nr] = inlined->answer;
		number = inlined->caller;
	}
	return 0;
}

int dwarf_find_line(struct dwarf *dwarf, uint64_t address, struct source_line *line, bool *found)
{
	struct unit *unit = unit_at(dwarf, address);

	*found = false;
	if (!unit)
		return 0;
	if (read_source(dwarf, unit) < 0)
		return -1;
	if (!unit->source)
		return 0;
	return unit_source_line(&dwarf->sources, unit->source, address, line, found);
}

void dwarf_close(struct dwarf *dwarf)
{
	if (!dwarf)
		return;
	for (size_t i = 0; i < dwarf->nr_units; i++) {
		free(dwarf->units[i].functions);
		ranges_free(&dwarf->units[i].ranges);
		inlines_free(&dwarf->units[i].inlines);
	}
	free(dwarf->units);
	ranges_free(&dwarf->ranges);
	die_layouts_free(&dwarf->layouts);
	unit_sources_free(&dwarf->sources);
	unit_sources_free(&dwarf->alternate.sources);
	dwarf_end(dwarf->dw);
	dwarf_end(dwarf->alternate.dw);
	free(dwarf);
}
