/* SPDX-License-Identifier: MIT */
/* fence_options: the command line of exeat-fence. */
#include "fence_options.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

struct cursor {
	int left;
	char **words;
	struct diag *diag;
	bool is_bad;
};

/* The value of an option, "--name VALUE" or "--name=VALUE"; NULL: it is not
 * this option, or (is_bad) it has none. */
static const char *value_of(struct cursor *c, const char *name)
{
	size_t len = strlen(name);
	const char *word = c->words[0];

	if (word == NULL || strncmp(word, name, len) != 0)
		return NULL;
	if (word[len] == '=')
		return word + len + 1;
	if (word[len] != '\0')
		return NULL;
	if (c->left < 2 || c->words[1] == NULL) {
		diag_set(c->diag, "%s needs a value", name);
		c->is_bad = true;
		return NULL;
	}
	c->words++;
	c->left--;
	return c->words[0];
}

static bool take_switch(struct cursor *c, struct fence_options *o)
{
	const char *word = c->words[0];

	if (strcmp(word, "-0") == 0)
		o->has_nul_form = true;
	else if (strcmp(word, "--explain") == 0)
		o->verb = FENCE_EXPLAIN;
	else if (strcmp(word, "--print-facts") == 0)
		o->verb = FENCE_FACTS;
	else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		o->verb = FENCE_HELP;
	else if (strcmp(word, "--version") == 0)
		o->verb = FENCE_VERSION;
	else
		return false;
	return true;
}

static bool take_port(struct cursor *c, struct fence_options *o)
{
	const char *value = value_of(c, "--proxy-port");

	if (value == NULL)
		return false;
	if (!text_parse_port(value, strlen(value), &o->proxy_port)) {
		diag_set(c->diag, "--proxy-port %s: is a port, 1 to 65535",
			 value);
		c->is_bad = true;
	}
	return true;
}

static bool add_opening(const char *name, size_t len, unsigned int *openings)
{
	static const struct {
		const char *name;
		unsigned int opening;
	} known[] = {
		{"trustd",    PLAN_OPEN_TRUSTD   },
		{"terminals", PLAN_OPEN_TERMINALS},
		{"browser",   PLAN_OPEN_BROWSER  },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strlen(known[i].name) != len ||
		    memcmp(known[i].name, name, len) != 0)
			continue;
		*openings |= known[i].opening;
		return true;
	}
	return false;
}

static bool take_openings(struct cursor *c, struct fence_options *o)
{
	const char *value = value_of(c, "--open");

	if (value == NULL)
		return false;
	for (const char *at = value;; at++) {
		size_t len = strcspn(at, ",");
		if (!add_opening(at, len, &o->openings)) {
			diag_set(c->diag,
				 "--open %s: is a list of trustd, terminals, "
				 "browser",
				 value);
			c->is_bad = true;
			return true;
		}
		at += len;
		if (*at == '\0')
			return true;
	}
}

static bool take_value(struct cursor *c, struct fence_options *o)
{
	const struct {
		const char *name;
		const char **value;
	} options[] = {
		{"--backend", &o->backend    },
                {"--facts",   &o->facts_file },
		{"--policy",  &o->policy_file},
                {"--init",    &o->init_path  },
		{"--tmp-dir", &o->tmp_dir    },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *value = value_of(c, options[i].name);
		if (value != NULL)
			*options[i].value = value;
		if (value != NULL || c->is_bad)
			return true;
	}
	return take_openings(c, o) || c->is_bad || take_port(c, o);
}

int fence_options_read(int argc, char *argv[],
		       struct fence_options *options_out, struct diag *diag)
{
	struct cursor c = {.left = argc, .words = argv, .diag = diag};
	struct fence_options *o = options_out;

	*o = (struct fence_options){.backend = "plan"};
	o->policy_words = calloc((size_t)argc + 1, sizeof(char *));
	if (o->policy_words == NULL) {
		diag_set(diag, "out of memory");
		return -1;
	}
	for (; c.left > 0 && !c.is_bad; c.left--, c.words++) {
		if (strcmp(c.words[0], "--") == 0) {
			o->command = c.left > 1 ? c.words[1] : NULL;
			break;
		}
		if (!take_switch(&c, o) && !take_value(&c, o))
			o->policy_words[o->policy_word_count++] = c.words[0];
	}
	return c.is_bad ? -1 : 0;
}
