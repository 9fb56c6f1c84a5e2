#include "util/textfile.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Appends @len bytes and keeps room for a NUL. Returns 0, an error for stdio, if memory is out. */
static ssize_t append(void *cookie, const char *bytes, size_t len)
{
	struct textfile *text = cookie;

	if (!array_grow(text->text, text->room, text->len + len + 1))
		return 0;
	memcpy(text->text + text->len, bytes, len);
	text->len += len;
	return (ssize_t)len;
}

bool textfile_open(struct textfile *text)
{
	*text = (struct textfile){0};
	text->out = fopencookie(text, "w", (cookie_io_functions_t){.write = append});
	return text->out;
}

char *textfile_close(struct textfile *text)
{
	bool whole = text->out && !ferror(text->out);

	if (text->out && fclose(text->out) != 0)
		whole = false;
	if (!whole || !array_grow(text->text, text->room, text->len + 1)) {
		free(text->text);
		return NULL;
	}
	text->text[text->len] = '\0';
	return text->text;
}
