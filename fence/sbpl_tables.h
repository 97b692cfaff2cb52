/* SPDX-License-Identifier: MIT */
/* sbpl_tables: the paths and services of macOS that a profile speaks of. */
#ifndef SBPL_TABLES_H
#define SBPL_TABLES_H

/* Every list ends with NULL; paths are real. */

/* Programs, libraries, frameworks. */
extern const char *const sbpl_read_roots[];
/* Single files and folders that programs read to start at all. */
extern const char *const sbpl_read_literals[];
/* A second address of every file of the data volume, below a root. */
extern const char *const sbpl_read_aliases[];
/* System libraries that live below it all the same. */
extern const char *const sbpl_read_cryptexes[];
/* Links of the root that programs look at by name. */
extern const char *const sbpl_links[];
/* Devices that anything may write to. */
extern const char *const sbpl_write_devices[];
/* Secrets outside homes. */
extern const char *const sbpl_system_secrets[];
/* Sockets through which a daemon would act for the command. */
extern const char *const sbpl_control_sockets[];
extern const char *const sbpl_home_control_sockets[];

/**
 * struct sbpl_service - a Mach service that acts for whoever asks
 * @opened_by:	enum plan_opening that leaves it open, or 0
 */
struct sbpl_service {
	const char *name;
	unsigned int opened_by;
};

/* Ends with a NULL name. */
extern const struct sbpl_service sbpl_services_denied[];

#endif
