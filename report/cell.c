#include "report/cell.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void cell_format(struct cell *cell, struct scratch *scratch, const char *format, ...)
{
	char *to = scratch->bytes + scratch->used;
	size_t room = sizeof(scratch->bytes) - scratch->used;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(to, room, format, args);
	va_end(args);
	if (len < 0)
		len = 0;
	if ((size_t)len >= room)
		len = (int)room - 1;
	scratch->used += (size_t)len;
	cell_bytes(cell, to, (size_t)len);
}

double cell_ratio_from(unsigned decimals)
{
	double least = 0.1;

	for (unsigned i = CELL_RATIO_DECIMALS_MIN; i < decimals; i++)
		least /= 10;
	return least * (1 - 5e-7); /* what is rounded up to it has its digits */
}

void cell_ratio_if(struct cell *cell, bool known, double value)
{
	unsigned decimals = CELL_RATIO_DECIMALS_MIN;

	while (value != 0 && decimals < CELL_RATIO_DECIMALS_MAX &&
	       fabs(value) < cell_ratio_from(decimals))
		decimals++;
	cell_decimal_if(cell, known, value, decimals);
	if (known)
		cell->type = CELL_RATIO;
}

const char *cell_type_name(enum cell_type type)
{
	static const char *const names[NR_CELL_TYPES] = {
		[CELL_EMPTY] = "empty",	  [CELL_U64] = "u64",	      [CELL_I32] = "i32",
		[CELL_HEX] = "hex",	  [CELL_DECIMAL] = "decimal", [CELL_PERCENT] = "decimal",
		[CELL_TEXT] = "text",	  [CELL_MIXED] = "text",      [CELL_NUMBER] = "number",
		[CELL_RATIO] = "decimal",
	};

	return names[type];
}
