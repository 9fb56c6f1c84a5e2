#include "decode/symbol/loader.h"

#include "decode/symbol/find/user.h"
#include "decode/symbol/jit/dumpsymbols.h"
#include "decode/symbol/jit/mapsymbols.h"
#include "decode/symbol/kernel/module.h"
#include "decode/symbol/kernel/vdso.h"
#include "decode/symbol/kernel/vmlinux.h"

struct loader {
	enum dso_kind kind;
	enum reason refusal; /* if load is NULL: why there are no symbols */
	/* Fills the empty @binary or sets the reason why it cannot; -1 if memory is out. */
	int (*load)(struct binary *binary, const struct dso *dso, struct load_context *context);
};

static const struct loader loaders[] = {
	{DSO_USER, REASON_NONE, user_load},
	{DSO_VDSO, REASON_NONE, vdso_load},
	{DSO_KERNEL, REASON_NONE, vmlinux_load},
	{DSO_MODULE, REASON_NONE, module_load},
	{DSO_KSYMBOL, REASON_NONE, module_load_ksymbol},
	{DSO_GUEST, REASON_GUEST, NULL},
	{DSO_JIT, REASON_NONE, mapsymbols_load},
	{DSO_JITDUMP, REASON_NONE, dumpsymbols_load},
	{DSO_NONE, REASON_NO_FILE, NULL},
	{DSO_UNMAPPED, REASON_NO_MAPPING, NULL},
};

/* Returns the one for dsos of @kind, or NULL. */
static const struct loader *loader_of(enum dso_kind kind)
{
	for (size_t i = 0; i < sizeof(loaders) / sizeof(loaders[0]); i++)
		if (loaders[i].kind == kind)
			return &loaders[i];
	return NULL;
}

int loader_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	const struct loader *loader = loader_of(dso->kind);
	int rc;

	if (!loader || !loader->load) {
		binary_set_reason(binary, loader ? loader->refusal : REASON_NO_FILE);
		return 0;
	}
	rc = loader->load(binary, dso, context);
	binary_set_helpers(binary, &context->helpers);
	return rc;
}
