/* SPDX-License-Identifier: MIT */
/* test_shebang: what runs a script, by its first line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "shebang.h"

static void names_what_runs_a_script(void **state)
{
	static const struct {
		const char *text;
		const char *program;
	} rows[] = {
		{"#!/bin/sh\n",                       "/bin/sh"},
		{"#! \t/bin/sh -e\nx",                "/bin/sh"},
		{"#!/usr/bin/env python3\n",          "python3"},
		{"#!/usr/bin/env -S node --x\n",      "node"   },
		{"#!/usr/bin/env -S A=b -i /o/p q\n", "/o/p"   },
		{"#!/usr/bin/env\n",                  NULL     },
		{"#!sh\n",			    "sh"     },
		{"#!\n",			      NULL     },
		{"#!  \n",			    NULL     },
		{"#!/bin/sh",                         NULL     },
		{"#",				 NULL     },
		{"",				  NULL     },
		{"\177ELF #!/bin/sh\n",               NULL     },
		{" #!/bin/sh\n",                      NULL     },
	};
	struct arena arena = {NULL};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *program = shebang_program(&arena, rows[i].text,
						      strlen(rows[i].text));
		if (rows[i].program == NULL)
			assert_null(program);
		else
			assert_string_equal(program, rows[i].program);
	}
	assert_null(shebang_program(&arena, "#!/bin\0/sh\n", 11));
	arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_what_runs_a_script),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
