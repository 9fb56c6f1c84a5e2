/*
 * Resolving attribute values to strings, addresses and entries, which may be in other sections, in
 * other units or in the alternate file of dwz(1).
 */
#ifndef READPERF_DECODE_SYMBOL_DWARF_VALUE_H
#define READPERF_DECODE_SYMBOL_DWARF_VALUE_H

#include "decode/symbol/dwarf/die.h"
#include "decode/symbol/dwarf/form.h"
#include "decode/symbol/dwarf/unit.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Returns the bases of the values of @unit, as its own entry gives them. Valid as long as the unit.
 */
const struct unit_bases *value_bases(struct unit *unit);

/**
 * Returns the string of @value of an entry of @unit, valid as long as the file; NULL if it is not a
 * string.
 */
const char *value_string(struct unit *unit, struct form_value value);

/**
 * Sets *@address to the virtual address of @value, 0 if .debug_addr lacks it. Returns false if
 * @value is not an address.
 */
bool value_address(struct unit *unit, struct form_value value, uint64_t *address);

/** Returns address @number of the part of .debug_addr that belongs to @unit; 0 if there is none. */
uint64_t value_address_at(struct unit *unit, uint64_t number);

/**
 * Sets *@die to the entry that @value refers to. Returns false if there is none, or if memory is
 * out (nomem of the entry's unit set).
 */
bool value_reference(struct unit *unit, struct form_value value, struct die *die);

/**
 * Replaces *@number, an index, by that element of @array, whose elements have @size bytes (4 or 8)
 * and begin at byte @base. Returns false if there is no such element.
 */
bool value_element(struct span array, uint64_t base, unsigned size, uint64_t *number);

#endif
