/* The width of a character: the only file that includes utf8proc. */
#include "util/charwidth.h"

#include <stdbool.h>
#include <utf8proc.h>

enum {
	/* [start, end) of Hangul vowels and finals, which are drawn into the preceding syllable. */
	HANGUL_VOWEL = 0x1160,
	HANGUL_END = 0x1200,
};

/* True for invisible ones: controls, formats, line separators, and what Unicode calls ignorable by
 * default: fillers, joiners, selectors of variants. The page's text.js has the same ones. */
static bool is_unseen(uint32_t code, utf8proc_category_t category)
{
	switch (category) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
	case UTF8PROC_CATEGORY_CF:
		return true;
	default:
		return utf8proc_get_property((utf8proc_int32_t)code)->ignorable;
	}
}

int charwidth(uint32_t code)
{
	utf8proc_category_t category;

	if (code >= 0x20 && code < 0x7f)
		return 1;
	category = utf8proc_category((utf8proc_int32_t)code);
	if (is_unseen(code, category))
		return -1;
	/* Terminals draw surrogates and private code points as a box, spacing marks separately. */
	if (category == UTF8PROC_CATEGORY_CO || category == UTF8PROC_CATEGORY_CS ||
	    category == UTF8PROC_CATEGORY_MC)
		return 1;
	if (code >= HANGUL_VOWEL && code < HANGUL_END)
		return 0;
	return utf8proc_charwidth((utf8proc_int32_t)code);
}
