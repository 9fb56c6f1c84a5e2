/* The index of a package of split units (.dwp): where each unit's parts are in the sections. */
#ifndef READPERF_DECODE_SYMBOL_DWARF_PACKAGE_H
#define READPERF_DECODE_SYMBOL_DWARF_PACKAGE_H

#include "decode/symbol/dwarf/debugsections.h"
#include "decode/symbol/elf/elffile.h"

#include <stdbool.h>
#include <stdint.h>

/** Sets *@sections to the parts of the unit @id in @package. Returns false if it is not there. */
bool package_find(const struct elffile *package, uint64_t id, struct debug_sections *sections);

#endif
