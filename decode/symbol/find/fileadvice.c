#include "decode/symbol/find/fileadvice.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Why a server gave no file; FATE_NR if none was asked. */
static enum fate fate_at_servers(const struct candidates *tried)
{
	for (size_t i = 0; i < tried->nr; i++)
		if (strcmp(tried->list[i].rule, "debuginfod") == 0 &&
		    tried->list[i].fate != FATE_USED)
			return tried->list[i].fate;
	return FATE_NR;
}

static const char *on_missing(const struct file_search *search)
{
	if (search->is_barred)
		return "run readperf as root while the process that has it runs";
	if (!search->has_build_id && search->is_deleted)
		return "put the file that ran below --symfs=DIR: it was deleted before perf record "
		       "looked at it";
	if (!search->has_build_id)
		return "put the file that ran below --symfs=DIR, or record build ids (perf record "
		       "--buildid-mmap)";
	switch ((int)fate_at_servers(search->tried)) {
	case FATE_NO_ANSWER:
		return "point --symfs or --buildid-dir at it: no debuginfod server answered";
	case FATE_NO_LIBRARY:
		return "point --symfs or --buildid-dir at it, or install libdebuginfod";
	case FATE_MISSING:
		return "point --symfs or --buildid-dir at it: no debuginfod server has it";
	default:
		return NULL;
	}
}

const char *fileadvice_on_failure(enum fate fate)
{
	switch ((int)fate) {
	case FATE_NO_DESCRIPTOR:
		return "too many files were open: see 'ulimit -n'";
	case FATE_NO_MEMORY:
		return "there was not enough memory to open it";
	case FATE_DEFECTIVE:
		return "reading it failed with an input/output error";
	default:
		return NULL;
	}
}

static const char *on_unreadable(const struct candidates *tried)
{
	for (size_t i = 0; i < tried->nr; i++) {
		const char *failure = fileadvice_on_failure(tried->list[i].fate);

		if (failure)
			return failure;
		switch ((int)tried->list[i].fate) {
		case FATE_EMPTY:
			return "it is empty: put the file that ran there, or below --symfs=DIR";
		case FATE_NOT_ELF:
			return "it is not an ELF file: put the file that ran there, or below "
			       "--symfs=DIR";
		case FATE_DIRECTORY:
			return "it is a directory: put the file that ran there, or below "
			       "--symfs=DIR";
		case FATE_SPARSE:
			return "it is sparse in the archive: unpack that, and point --buildid-dir "
			       "at the directory";
		case FATE_UNREADABLE:
			return geteuid() == 0 ? "it is not a regular file, or nobody may read it"
					      : NULL;
		}
	}
	return NULL;
}

const char *fileadvice_on_binary(const struct file_search *search, enum reason reason)
{
	if (reason == REASON_FILE_MISSING)
		return on_missing(search);
	return reason == REASON_FILE_UNREADABLE ? on_unreadable(search->tried) : NULL;
}

const char *fileadvice_on_symbols(const struct file_search *search)
{
	if (!search->has_build_id)
		return "install its debug symbols";
	switch ((int)fate_at_servers(search->tried)) {
	case FATE_NO_ANSWER:
		return "install its debug symbols: no debuginfod server answered";
	case FATE_NO_LIBRARY:
		return "install its debug symbols, or libdebuginfod";
	case FATE_MISSING:
		return "install its debug symbols: no debuginfod server has them";
	default:
		return search->asks_servers ? "install its debug symbols" : NULL;
	}
}
