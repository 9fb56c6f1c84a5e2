/* The index of a package of split units (.dwp): where in its sections the parts of each unit are.
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_PACKAGE_H
#define READPERF_DECODE_SYMBOL_DWARF_PACKAGE_H

#include "decode/symbol/dwarf/debugsections.h"
#include "decode/symbol/elf/elffile.h"

#include <stdbool.h>
#include <stdint.h>

/** Sets *@sections to the parts of unit @id in @package; false if it is not there. */
bool package_find(const struct elffile *package, uint64_t id, struct debug_sections *sections);

#endif
