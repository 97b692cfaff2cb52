/* SPDX-License-Identifier: MIT */
/*
 * fence_plan: what the command will see and may touch, before any back end.
 *
 * How it works: policy + facts + request -> a plan; back ends are writers over
 * it (bwrap_argv.h, sbpl.h, plan_text.h) and decide nothing. The file part is
 * a list of entries in order: a later one lies over what earlier ones show.
 */
#ifndef FENCE_PLAN_H
#define FENCE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "diag.h"
#include "fence_facts.h"
#include "fence_query.h"
#include "policy.h"

/* Where exeat-init is put. */
#define FENCE_INIT_PATH "/run/exeat/init"
/* The same program by the name that makes it `exeat connect`. */
#define FENCE_CONNECT_PATH "/run/exeat/connect"

/* The name of the machine, as the command sees it. */
#define FENCE_HOSTNAME "exeat"

struct plan_file;

/**
 * struct fence_request - how this run differs from others; all borrowed
 * @query:	the same that the facts were gathered for
 * @init_path:	exeat-init on the host, or NULL: none will be shown
 * @script:	a file that the command gets, with its @path and bytes; or NULL
 * @proxy_port:	on 127.0.0.1 inside; 0: there is no proxy
 * @environ:	the caller's environment ("NAME=VALUE", NULL-terminated), from
 *		which only what the policy and the fence name is taken; or NULL
 * @has_capture: connections that ignore the proxy are captured, so variables
 *		that only lead to it are left out
 * @tmp_dir:	a private folder on the host, real, for TMPDIR and HOME, where
 *		files cannot be put elsewhere (Seatbelt); or NULL
 * @openings:	of enum plan_opening
 */
struct fence_request {
	const struct fence_query *query;
	const char *init_path;
	const struct plan_file *script;
	uint16_t proxy_port;
	const char *const *environ;
	bool has_capture;
	const char *tmp_dir;
	unsigned int openings;
};

/* Services of macOS that real tools need and that are ways out, if narrow ones:
 * closed unless named. */
enum plan_opening {
	PLAN_OPEN_TRUSTD = 1,    /* Go verifies certificates; it also fetches
				    what a certificate names */
	PLAN_OPEN_TERMINALS = 2, /* new pseudo-terminals */
	PLAN_OPEN_BROWSER = 4,   /* LaunchServices: Chromium, Electron */
};

/* What an entry does at its path. */
enum plan_access {
	PLAN_READ = 0,    /* shows @source, read-only */
	PLAN_WRITE,       /* shows @source, writable */
	PLAN_PRIVATE,     /* an empty writable folder, gone after the run */
	PLAN_FOLDER,      /* an empty folder for what comes below it */
	PLAN_HIDE_FOLDER, /* an empty folder over one that exists */
	PLAN_HIDE_FILE,   /* nothing can be read from there */
	PLAN_LINK,        /* a symbolic link whose text is @source */
	PLAN_FILE,        /* files[@file] */
	PLAN_PROC,        /* the sandbox's own /proc */
	PLAN_DEV,         /* a minimal /dev */
	PLAN_SEAL,   /* what was built at @path is read-only from here on */
	PLAN_SOCKET, /* the host's Unix socket @source */
};

/* Why it is there: the word of the plan's text. */
enum plan_why {
	PLAN_FOR_SYSTEM = 0, /* system root */
	PLAN_FOR_ETC,        /* what programs need of /etc */
	PLAN_FOR_PRIVATE,    /* home, /tmp, /run of the run's own */
	PLAN_FOR_TOOL,       /* found through PATH */
	PLAN_FOR_CWD,        /* working directory */
	PLAN_FOR_GRANT,      /* files.read, files.write */
	PLAN_FOR_MOUNT,      /* files.mounts */
	PLAN_FOR_SOCKET,     /* unix */
	PLAN_FOR_SECRET,     /* hidden by default */
	PLAN_FOR_HIDE,       /* files.hide */
	PLAN_FOR_PROTECT,    /* would be executed or obeyed later */
	PLAN_FOR_PIN,        /* ancestor of a protected path: stays in place */
	PLAN_FOR_OWN,        /* exeat's policy and records: never writable */
	PLAN_FOR_KERNEL,     /* /proc and /sys files that root could write */
	PLAN_FOR_EXEAT,      /* exeat's own */
};

/**
 * struct plan_entry - one thing in the command's view of the files
 * @path:	where, as the command sees it; absolute
 * @source:	real path on the host, or the link's text; else NULL
 * @is_folder:	@source is one
 * @is_over_host: something of the host is shown at @path already
 * @file:	index into files, for PLAN_FILE
 */
struct plan_entry {
	enum plan_access access;
	enum plan_why why;
	const char *path;
	const char *source;
	bool is_folder;
	bool is_over_host;
	size_t file;
};

/**
 * struct plan_file - a file that we provide
 * @bytes, @len: what is in it, where @source is NULL
 * @source:	a file of the host that it is a copy of: whoever raises the
 *		fence opens it. A copy costs less than a mount of its own
 * @is_program:	it is executed
 */
struct plan_file {
	const char *path;
	const char *bytes;
	size_t len;
	const char *source;
	bool is_program;
};

/**
 * struct fence_plan - immutable; every pointer in @arena unless said
 * @policy:	borrowed: must outlive the plan
 * @facts:	borrowed: must outlive the plan
 * @environ:	"NAME=VALUE", sorted by name, and a final NULL
 * @cwd:	where the command starts
 * @init_path:	exeat-init as seen inside, or NULL; then it is files[0]
 * @unprotected: paths that others obey or execute later and that the command
 *		can write: they do not exist yet, or files.protect is "list"
 * @notes:	what the user should know: sentences without a full stop
 */
struct fence_plan {
	const struct policy *policy;
	const struct fence_facts *facts;
	const struct plan_entry *entries;
	size_t entry_count;
	const struct plan_file *files;
	size_t file_count;
	const char *const *environ;
	size_t environ_count;
	const char *cwd;
	const char *home;
	const char *tmp;
	const char *hostname;
	const char *init_path;
	uint16_t proxy_port;
	unsigned int openings;
	const char *const *unprotected;
	size_t unprotected_count;
	const char *const *notes;
	size_t note_count;
	struct arena arena;
};

/**
 * fence_plan_new() - work out the plan
 *
 * Refuses, with what, why and the remedy in @diag: a working directory, mount
 * or grant that DESIGN.md section 5 forbids; a mount or a write grant that does
 * not exist; a mount whose target would have to be made on the host; variables
 * that make programs load code, unless named as such.
 *
 * Return: the caller's, freed with fence_plan_free(); NULL with @diag set.
 */
struct fence_plan *
fence_plan_new(const struct policy *policy, const struct fence_facts *facts,
	       const struct fence_request *request, struct diag *diag)
	__attribute__((warn_unused_result));

/** fence_plan_free() - NULL does nothing */
void fence_plan_free(struct fence_plan *plan);

#endif
