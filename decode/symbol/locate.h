/*
 * Which files hold a binary that was recorded: the one that ran, and its separate debug file.
 *
 * A file whose build id is not the recorded one is never used; without a recorded build id the
 * recorded path is taken at its word.
 */
#ifndef READPERF_DECODE_SYMBOL_LOCATE_H
#define READPERF_DECODE_SYMBOL_LOCATE_H

#include "decode/symbol/elf.h"
#include "decode/symbol/symbol.h"

/**
 * Opens the files of the DSO_USER @dso: *@runtime, and *@debug where @runtime lacks symbols or
 * DWARF and such a file exists (else NULL). If the file that ran is gone but its debug file says
 * where the code was, that is *@runtime.
 *
 * @return REASON_NONE, or why there is no *@runtime. With *@nomem set memory is out.
 */
enum reason locate_files(const struct dso *dso, const struct symbol_settings *settings,
			 struct elf_file **runtime, struct elf_file **debug, bool *nomem);

#endif
