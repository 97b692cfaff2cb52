/* SPDX-License-Identifier: MIT */
/* fuzz_shebang: what is named is a word of the first line. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shebang.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct arena arena = {NULL};
	const char *program = shebang_program(&arena, text, size);

	if (program != NULL) {
		size_t len = strlen(program);
		if (len == 0 || program[strcspn(program, " \t\n")] != '\0' ||
		    memmem(data, size, program, len) == NULL ||
		    memcmp(data, "#!", 2) != 0)
			abort();
	}
	arena_clear(&arena);
	return 0;
}
