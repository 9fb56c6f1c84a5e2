#include "report/columns.h"

#include "util/digits.h"
#include "util/text.h"

#include <inttypes.h>
#include <string.h>

enum {
	/* functions have this width even where it makes lines too long: numbers alone say nothing
	 */
	MIN_FUNCTION_COLUMNS = 12,
	/* functions are aligned up to this width if lines are not truncated */
	MAX_FUNCTION_COLUMNS = 48,
};

/*
 * The functions are as wide as the widest one. If lines are truncated, they leave up to a third to
 * the binaries; if not, a limit keeps one long C++ name from pushing all binaries out of view.
 */
size_t columns_of_functions(size_t line, size_t numbers, size_t functions, size_t binaries)
{
	size_t left = minus(line, numbers), room = minus(left, 2 + min_size(binaries, left / 3));

	if (line == SIZE_MAX)
		return min_size(functions, MAX_FUNCTION_COLUMNS);
	return min_size(functions, room < MIN_FUNCTION_COLUMNS ? MIN_FUNCTION_COLUMNS : room);
}

void columns_put_cell(FILE *out, size_t columns, const char *text, enum color color)
{
	static const char *const starts[] = {"", "\033[31m", "\033[32m"};

	fprintf(out, "%*s%s%s%s  ", (int)minus(columns, strlen(text)), "", starts[color], text,
		color == COLOR_NONE ? "" : "\033[m");
}

void columns_put_share(FILE *out, size_t columns, uint64_t part, uint64_t whole, bool color)
{
	const double share = 100 * (double)part;
	enum color as = COLOR_NONE;
	char text[DIGITS_PERCENT_MAX + 1];

	if (color && part)
		as = share >= 5 * (double)whole	  ? COLOR_RED
		     : share >= (double)whole / 2 ? COLOR_GREEN
						  : as;
	strcpy(text + digits_percent(text, part, whole, 2), "%");
	columns_put_cell(out, columns, text, as);
}

size_t columns_of_number(uint64_t value)
{
	return (size_t)snprintf(NULL, 0, "%" PRIu64, value);
}

/* A path that is too long is shown as its file name, which tells most. */
void columns_end_line(FILE *out, size_t gap, size_t left, const char *binary)
{
	const char *slash = strrchr(binary, '/');

	if (left && *binary) {
		fprintf(out, "%*s", (int)gap, "");
		text_show_ends(out, slash && text_columns(binary) > left ? slash + 1 : binary,
			       left);
	}
	fputc('\n', out);
}
