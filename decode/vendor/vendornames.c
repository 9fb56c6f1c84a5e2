#include "decode/vendor/vendornames.h"

#include "decode/vendor/pmucodes.h"
#include "perffile/format.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vendor_code {
	uint64_t code; /* bits of the form only */
	struct pmu_code of;
	uint32_t number; /* in the order of the list */
};

/* A field of config beside event and umask. */
struct modifier {
	const char *name;
	unsigned shift;
	uint64_t mask; /* of the value */
};

/* What the bits of config are. The kernel ignores some on raw events, but scripts have them. */
struct code_bits {
	uint64_t event, umask, ignored;
	const struct modifier *modifiers;
	size_t nr_modifiers;
	char separator; /* between event and umask */
};

static const struct modifier intel_modifiers[] = {
	{"edge", 18, 1},    {"pc", 19, 1},    {"any", 21, 1},	   {"inv", 23, 1},
	{"cmask", 24, 255}, {"in_tx", 32, 1}, {"in_tx_cp", 33, 1}, {"eq", 36, 1},
};
static const struct modifier amd_modifiers[] = {
	{"edge", 18, 1}, {"inv", 23, 1}, {"cmask", 24, 255}};

/* Ignored are user, kernel, interrupt and enable; AMD's guest and host, too. */
enum { X86_UMASK = 0xff00, X86_IGNORED = 1 << 16 | 1 << 17 | 1 << 20 | 1 << 22 };

static const struct code_bits forms[] = {
	[CODE_FORM_INTEL] = {0xff, X86_UMASK, X86_IGNORED, intel_modifiers,
			     sizeof(intel_modifiers) / sizeof(intel_modifiers[0]), '.'},
	[CODE_FORM_AMD] = {0xf000000ff, X86_UMASK, X86_IGNORED | 3ULL << 40, amd_modifiers,
			   sizeof(amd_modifiers) / sizeof(amd_modifiers[0]), ':'},
	[CODE_FORM_ARM] = {0xffff, 0, 0, NULL, 0, ':'},
};

static uint64_t modifier_bits(const struct code_bits *form)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < form->nr_modifiers; i++)
		bits |= form->modifiers[i].mask << form->modifiers[i].shift;
	return bits;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Of two names of a code the better one, by what it is; 0 is best. */
static unsigned rank(const struct pmu_code *of)
{
	return (of->deprecated ? 4u : 0) + (of->alias ? 2u : 0) + (*of->umask ? 0 : 1u);
}

static int compare(const void *a, const void *b)
{
	const struct vendor_code *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	if (rank(&x->of) != rank(&y->of))
		return rank(&x->of) < rank(&y->of) ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static bool take_code(void *arg, const struct pmu_code *code)
{
	struct vendor_list *list = arg;
	const struct code_bits *form = &forms[list->model.form];

	if (!array_grow(list->codes, list->room, list->nr + 1))
		return false;
	list->codes[list->nr] = (struct vendor_code){
		.code = code->config & (form->event | form->umask | modifier_bits(form)),
		.of = *code,
		.number = (uint32_t)list->nr,
	};
	list->nr++;
	return true;
}

/* Sets *@ret to the list of the CPU, which is empty if nothing is known of it, or to NULL. */
static int find_list(struct vendornames *names, const char *cpuid, const char *pmu,
		     const struct vendor_list **ret, struct error *err)
{
	struct cpu_model model;
	struct vendor_list *list;

	*ret = NULL;
	if (!cpuid || !cpumodel_find(&model, cpuid, pmu))
		return 0;
	for (size_t i = 0; i < names->nr; i++) {
		if (strcmp(names->lists[i].model.events, model.events) == 0) {
			*ret = &names->lists[i];
			return 0;
		}
	}
	if (names->nr == VENDOR_LISTS_MAX)
		return 0;
	list = &names->lists[names->nr++];
	list->model = model;
	if (pmucodes_list(model.events, take_code, list) < 0)
		return error_nomem(err, "naming events");
	if (list->nr)
		qsort(list->codes, list->nr, sizeof(*list->codes), compare);
	*ret = list;
	return 0;
}

/* The first with at least @code, in the order of the list; the end if there is none. */
static const struct vendor_code *first_from(const struct vendor_list *list, uint64_t code)
{
	size_t from = 0, to = list->nr;

	while (from < to) {
		const size_t middle = from + (to - from) / 2;

		if (list->codes[middle].code < code)
			from = middle + 1;
		else
			to = middle;
	}
	return list->codes + from;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A name that grows; what does not fit is cut. */
struct text {
	char *name;
	size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text->name + text->len, VENDOR_NAME_MAX - text->len, format, args);
	va_end(args);
	text->len += len > 0 ? (size_t)len : 0;
	if (text->len >= VENDOR_NAME_MAX)
		text->len = VENDOR_NAME_MAX - 1;
}

static void add_modifiers(struct text *text, const struct code_bits *form, uint64_t config)
{
	for (size_t i = 0; i < form->nr_modifiers; i++) {
		const struct modifier *modifier = &form->modifiers[i];
		const uint64_t value = config >> modifier->shift & modifier->mask;

		if (value)
			add(text, ":%s=%" PRIu64, modifier->name, value);
	}
}

static void add_umask(struct text *text, const struct code_bits *form, const struct pmu_code *code)
{
	if (*code->umask)
		add(text, "%c%s", form->separator, code->umask);
}

/*
 * Names @code, if the list has it. Codes that need config1 may be several; if none has this one,
 * the name of one that needs none counts, or if there is a single one, that; else only the event's
 * name.
 */
static bool add_known(struct text *text, const struct vendor_list *list, uint64_t code,
		      uint64_t config1)
{
	const struct code_bits *form = &forms[list->model.form];
	const struct vendor_code *first = first_from(list, code), *best = NULL;
	bool several = false;

	for (const struct vendor_code *at = first; at < list->codes + list->nr && at->code == code;
	     at++) {
		if (at->of.has_config1 && at->of.config1 == config1) {
			add(text, "%s", at->of.event);
			add_umask(text, form, &at->of);
			return true;
		}
		several |= at->of.has_config1 && !at->of.alias && at != first;
		if (!best || (best->of.has_config1 && !at->of.has_config1))
			best = at;
	}
	if (!best)
		return false;
	add(text, "%s", best->of.event);
	if (!best->of.has_config1 || !several)
		add_umask(text, form, &best->of);
	if (config1)
		add(text, best->of.has_config1 ? ":0x%" PRIx64 : ":config1=0x%" PRIx64, config1);
	return true;
}

/* Names an event of which the list has other umasks. Those of event 0 have nothing in common. */
static bool add_event(struct text *text, const struct vendor_list *list, uint64_t config,
		      uint64_t config1)
{
	const struct code_bits *form = &forms[list->model.form];
	const struct vendor_code *best = NULL;

	for (size_t i = 0; i < list->nr && config & form->event; i++) {
		const struct vendor_code *at = &list->codes[i];

		if ((at->code & form->event) == (config & form->event) &&
		    (!best || rank(&at->of) < rank(&best->of) ||
		     (rank(&at->of) == rank(&best->of) && at->number < best->number)))
			best = at;
	}
	if (!best)
		return false;
	add(text, "%s:umask=0x%" PRIx64, best->of.event, (config & form->umask) >> 8);
	if (config1)
		add(text, ":config1=0x%" PRIx64, config1);
	return true;
}

/* Of all that a list may have, first the whole code, then without modifiers, then the event. */
static void make_name(struct text *text, const struct vendor_list *list, const struct attr *attr)
{
	const struct code_bits *form = &forms[list->model.form];
	const uint64_t modifiers = modifier_bits(form), config = attr->config & ~form->ignored;

	if (config & ~(form->event | form->umask | modifiers))
		return;
	if (add_known(text, list, config, attr->config1))
		return;
	if (add_known(text, list, config & ~modifiers, attr->config1) ||
	    add_event(text, list, config, attr->config1))
		add_modifiers(text, form, config);
}

bool vendornames_are_there(void)
{
	return pmucodes_are_there();
}

bool vendornames_is_raw(const struct event *event, const char *pmu)
{
	static const char *const cores[] = {"cpu_core", "cpu_atom", "armv8_", "armv9_"};

	if (event->attr.type == ATTR_TYPE_RAW)
		return true;
	if (!pmu || event->attr.type < ATTR_TYPE_RAW)
		return false;
	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
		if (strncmp(pmu, cores[i], strlen(cores[i])) == 0)
			return true;
	return false;
}

int vendornames_find(struct vendornames *names, const char *cpuid, const char *pmu,
		     const struct event *event, char name[VENDOR_NAME_MAX], struct error *err)
{
	const struct vendor_list *list;
	struct text text = {.name = name};

	name[0] = '\0';
	if (find_list(names, cpuid, pmu, &list, err) < 0)
		return -1;
	if (list && list->nr)
		make_name(&text, list, &event->attr);
	return 0;
}

int vendornames_know(struct vendornames *names, const char *cpuid, const char *pmu,
		     struct error *err)
{
	const struct vendor_list *list;

	if (find_list(names, cpuid, pmu, &list, err) < 0)
		return -1;
	return list && list->nr;
}

void vendornames_free(struct vendornames *names)
{
	for (size_t i = 0; i < names->nr; i++)
		free(names->lists[i].codes);
	*names = (struct vendornames){0};
}
