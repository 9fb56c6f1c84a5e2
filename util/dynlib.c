#include "util/dynlib.h"

#include <dlfcn.h>
#include <string.h>

void *dynlib_open(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_NODELETE);
}

bool dynlib_find(void *library, const char *name, void *function)
{
	void *address = library ? dlsym(library, name) : NULL;

	memcpy(function, &address, sizeof(address));
	return address;
}
