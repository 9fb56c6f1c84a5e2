#include "decode/symbol/loader.h"

#include "decode/symbol/find/user.h"
#include "decode/symbol/jit/dumpsymbols.h"
#include "decode/symbol/jit/mapsymbols.h"
#include "decode/symbol/kernel/module.h"
#include "decode/symbol/kernel/vdso.h"
#include "decode/symbol/kernel/vmlinux.h"

struct loader {
	enum dso_kind kind;
	/* Fills the empty @binary or refuses it with a reason; -1 if memory is out. */
	int (*load)(struct binary *binary, const struct dso *dso, struct load_context *context);
	enum reason refusal; /* without load: why there never is a symbol */
};

static const struct loader loaders[] = {
	{DSO_USER, user_load, REASON_NONE},
	{DSO_VDSO, vdso_load, REASON_NONE},
	{DSO_KERNEL, vmlinux_load, REASON_NONE},
	{DSO_MODULE, module_load, REASON_NONE},
	{DSO_KSYMBOL, module_load_ksymbol, REASON_NONE},
	{DSO_GUEST, NULL, REASON_GUEST},
	{DSO_JIT, mapsymbols_load, REASON_NONE},
	{DSO_JITDUMP, dumpsymbols_load, REASON_NONE},
	{DSO_NONE, NULL, REASON_NO_FILE},
	{DSO_UNMAPPED, NULL, REASON_NO_MAPPING},
};

int loader_load(struct binary *binary, const struct dso *dso, struct load_context *context)
{
	for (size_t i = 0; i < sizeof(loaders) / sizeof(loaders[0]); i++) {
		if (loaders[i].kind != dso->kind)
			continue;
		if (loaders[i].load)
			return loaders[i].load(binary, dso, context);
		binary_set_reason(binary, loaders[i].refusal);
		return 0;
	}
	binary_set_reason(binary, REASON_NO_FILE);
	return 0;
}
