#include "main/screen.h"

#include "util/clock.h"
#include "util/text.h"
#include "util/textfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_heading(FILE *out, const struct screen_mark *mark)
{
	fprintf(out, "%" PRIu64 ".%06" PRIu64 " s, %" PRIu64 " records\n",
		mark->time / NS_PER_SECOND, mark->time % NS_PER_SECOND / 1000, mark->nr_records);
}

struct console_settings screen_console(const struct screen_settings *settings)
{
	enum { COLUMNS_ELSEWHERE = 100 };
	struct console_settings console = {.top = settings->top,
					   .totals = settings->totals,
					   .columns = settings->width,
					   .callers = settings->callers,
					   .callees = settings->callees,
					   .called = settings->called};
	const char *no_color = getenv("NO_COLOR");

	if (!settings->has_width)
		console.columns = text_terminal_columns(stdout);
	if (!settings->has_width && !console.columns)
		console.columns = COLUMNS_ELSEWHERE;
	console.color = settings->color == SCREEN_COLOR_ALWAYS ||
			(settings->color == SCREEN_COLOR_AUTO && text_terminal_redraws(stdout) &&
			 !(no_color && *no_color));
	return console;
}

void screen_add_needs(const struct screen_settings *settings, struct needs *needs)
{
	const struct console_settings console = screen_console(settings);

	report_add_console_needs(&console, needs);
}

static int show(FILE *out, const struct screen *screen, const struct results *results,
		const struct screen_mark *mark, struct error *err)
{
	const struct console_settings console = screen_console(&screen->settings);

	return report_console(out, results, mark->span, &console, err);
}

/* Prints the first @lines lines of @text over the previous output. */
static void draw(FILE *out, const char *text, size_t lines)
{
	fputs("\033[H", out);
	for (; *text && lines > 0; lines--) {
		size_t len = strcspn(text, "\n");

		fwrite(text, 1, len, out);
		fputs("\033[K\n", out);
		text += len + (text[len] == '\n');
	}
	fputs("\033[J", out);
}

static int flush(FILE *out, struct error *err)
{
	if (fflush(out) || ferror(out))
		return error_io(err, "standard output", "cannot be written", errno);
	return 0;
}

/* Formats heading and overview; the caller frees the text. NULL with @err filled on error. */
static char *compose(const struct screen *screen, const struct results *results,
		     const struct screen_mark *mark, struct error *err)
{
	struct textfile file;
	char *text;
	int rc = -1;

	if (textfile_open(&file)) {
		print_heading(file.out, mark);
		rc = show(file.out, screen, results, mark, err);
	}
	text = textfile_close(&file);
	if (rc == 0 && text)
		return text;
	error_nomem(err, "showing the overview");
	free(text);
	return NULL;
}

static int redraw(struct screen *screen, const struct results *results,
		  const struct screen_mark *mark, struct error *err)
{
	size_t lines = text_terminal_lines(stdout);
	char *text = compose(screen, results, mark, err);

	if (!text)
		return -1;
	draw(stdout, text, lines > 1 ? lines - 1 : 1); /* the last line is for the progress */
	free(text);
	return flush(stdout, err);
}

int screen_update(struct screen *screen, const struct results *results,
		  const struct screen_mark *mark, struct error *err)
{
	screen->nr_updates++;
	if (text_terminal_redraws(stdout))
		return redraw(screen, results, mark, err);
	if (screen->nr_updates > 1)
		putchar('\n');
	print_heading(stdout, mark);
	return show(stdout, screen, results, mark, err);
}

int screen_finish(struct screen *screen, const struct results *results,
		  const struct screen_mark *mark, struct error *err)
{
	if (screen->nr_updates > 0 && text_terminal_redraws(stdout)) {
		fputs("\033[H\033[J", stdout);
	} else if (screen->nr_updates > 0) {
		putchar('\n');
		print_heading(stdout, mark);
	}
	return show(stdout, screen, results, mark, err);
}
