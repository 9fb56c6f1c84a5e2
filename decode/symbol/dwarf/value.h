/*
 * What the values of attributes stand for: strings, addresses and other entries, by way of other
 * sections, other units and the file that this one shares with others (dwz(1)).
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_VALUE_H
#define READPERF_DECODE_SYMBOL_DWARF_VALUE_H

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/form.h"
#include "decode/symbol/dwarf/unit.h"

#include <stdbool.h>
#include <stdint.h>

/** What the values of @unit count from; its own entry says it. They live as long as the unit. */
const struct unit_bases *value_bases(struct unit *unit);

/** The string that @value of an entry of @unit is, which lives in the file; NULL if it is none. */
const char *value_string(struct unit *unit, struct form_value value);

/** Sets *@address to the virtual address that @value is, 0 for one that is missing; false if none.
 */
bool value_address(struct unit *unit, struct form_value value, uint64_t *address);

/** The address with @number in the part of .debug_addr that is @unit's; 0 if there is none. */
uint64_t value_address_at(struct unit *unit, uint64_t number);

/**
 * Sets *@die to the entry that @value refers to. False if it refers to none, or memory is out: the
 * unit's set tells.
 */
bool value_reference(struct unit *unit, struct form_value value, struct die *die);

/**
 * Sets *@number to element @number of @array, numbers of @size bytes from byte @base on; false if
 * it is not there.
 */
bool value_element(struct span array, uint64_t base, unsigned size, uint64_t *number);

#endif
