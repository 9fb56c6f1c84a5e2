#include "decode/symbol/jit/perfmap.h"

#include "decode/symbol/jit/overlay.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Parses and skips a hexadecimal number at *@pos, with or without "0x", and blanks after it. */
static bool take_hex(char **pos, uint64_t *value)
{
	char *end;

	if (strchr("+- \t\r", **pos)) /* strtoull() would accept these */
		return false;
	*value = strtoull(*pos, &end, 16);
	if (end == *pos || (*end != ' ' && *end != '\t'))
		return false;
	*pos = end + strspn(end, " \t");
	return true;
}

/* Adds the code in the line @text; ignores a malformed line. -1 if memory is out. */
static int read_line(struct overlay *overlay, char *text)
{
	uint64_t start, size;

	if (!take_hex(&text, &start) || !take_hex(&text, &size) || text[0] == '\0')
		return 0;
	return overlay_add(overlay, start, size, text);
}

int perfmap_read(struct symtab *table, char *text, size_t size)
{
	struct overlay overlay = {0};
	char *end = text + size;
	int rc = 0;

	for (char *at = text, *next; at < end && rc == 0; at = next) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		next = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		rc = read_line(&overlay, at);
	}
	if (rc == 0)
		rc = overlay_build(&overlay, table);
	overlay_free(&overlay);
	return rc;
}
