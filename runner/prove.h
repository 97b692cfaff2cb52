/* SPDX-License-Identifier: MIT */
/*
 * prove: `exeat prove`, live attacks on the fence from inside, with a control.
 *
 * How it works: prove_target.c listens on this machine, prove_stage.c lays out
 * a folder with a secret, and exeat-prove itself is the attacker: it is run
 * behind the fence and tries every row of prove_table, then once more without
 * the fence, where each of those steps must succeed. A step that reaches
 * nothing there proves nothing, and is said to be broken.
 */
#ifndef PROVE_H
#define PROVE_H

#include <stdbool.h>
#include <stddef.h>

#define PROVE_MAX        48
#define PROVE_VALUE_MAX  512
#define PROVE_SECRET     "EXEAT_PROVE_SECRET"
#define PROVE_SECRET_FD  7
#define PROVE_GUARANTEES 13

enum prove_answer {
	PROVE_UNTRIED = 0,
	PROVE_REACHED,
	PROVE_BLOCKED,
};

/* What shows that a step that is blocked could have succeeded. */
enum prove_control {
	PROVE_OUTSIDE = 0, /* the same without the fence */
	PROVE_PERHAPS,     /* the same, where this machine permits it */
	PROVE_TWIN,        /* the wanted row of the same guarantee, inside */
};

/**
 * struct prove_probe - one step of the attacker
 * @name:	one word
 * @guarantee:	1 to 13
 * @what:	what is tried, for the report
 * @attempt:	0 where it worked, else -errno
 * @is_wanted:	it must work, inside
 */
struct prove_probe {
	const char *name;
	int guarantee;
	const char *what;
	int (*attempt)(const char *value);
	enum prove_control control;
	bool is_wanted;
};

/* Ends with a NULL name. */
extern const struct prove_probe prove_table[];

/** prove_attack() - as the attacker: try every NAME=VALUE, a line for each.
 * Return: an exit code. */
int prove_attack(char *const *words);

/** prove_serve() - as the attacker: listen on @ports and greet whoever comes.
 * Return: an exit code. */
int prove_serve(char *const *ports);

/** enum prove_verdict - of one attempt */
enum prove_verdict {
	PROVE_HOLDS = 0,
	PROVE_FAILS,   /* the attacker got there */
	PROVE_BROKEN,  /* its control did not get there either */
	PROVE_NOTHING, /* cannot be tried on this machine */
};

/**
 * struct prove_case - a row of the table and what came of it
 * @value:	for the attempt
 * @host_path:	not empty: it worked if this is there afterwards, on the host
 */
struct prove_case {
	const struct prove_probe *probe;
	char value[PROVE_VALUE_MAX];
	char host_path[PROVE_VALUE_MAX];
	enum prove_answer inside;
	enum prove_answer control;
};

#endif
