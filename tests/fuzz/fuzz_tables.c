/*
 * The program as a whole, but for what it opens of the machine: a recording's bytes become all the
 * tables and the overview, and a comparison of the recording with itself.
 *
 * The first byte chooses the command line.
 */
#include "tests/fuzz/commands.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choices choices = fuzz_choices_of(data, size);
	unsigned number = fuzz_u8(&choices);
	struct fuzz_file input;
	const uint8_t *bytes;
	size_t left;

	bytes = fuzz_bytes(&choices, size, &left);
	input = fuzz_file_make(bytes, left);
	command_run(number, &(struct command_paths){.input = input.path,
						    .output = fuzz_dir(),
						    .empty = fuzz_empty_dir(),
						    .build_ids = "/nonexistent"});
	fuzz_file_close(&input);
	return 0;
}
