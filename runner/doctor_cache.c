/* SPDX-License-Identifier: MIT */
/* doctor_cache: what a group of probes said, for a few seconds. */
#include "doctor_cache.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime_dir.h"

/**
 * struct head - before the results
 * @key:	what they depend on beside the machine
 */
struct head {
	char magic[16];
	int64_t at;
	uint64_t key;
	uint64_t count;
};

static const char magic[16] = "exeat-doctor 1\n";

/* FNV-1a: two values that differ by chance are told apart, which is enough. */
static uint64_t hash(uint64_t sum, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		sum = (sum ^ (unsigned char)*text) * 0x100000001b3ULL;
	return (sum ^ 0xff) * 0x100000001b3ULL;
}

static uint64_t key(void)
{
	uint64_t sum = hash(0xcbf29ce484222325ULL, EXEAT_VERSION);

	sum = hash(sum, getenv("DOCKER_HOST"));
	return hash(sum, getenv("PATH"));
}

static bool find_path(enum probe_group group, char path_out[static PATH_MAX])
{
	static const char *const names[PROBE_GROUPS] = {
		[PROBE_FOR_BWRAP] = "doctor-bwrap",
		[PROBE_FOR_SEATBELT] = "doctor-seatbelt",
		[PROBE_FOR_DOCKER] = "doctor-docker",
		[PROBE_FOR_ALL] = "doctor-machine",
	};

	return runtime_dir_path(names[group], path_out) == 0;
}

static bool is_fit(const struct head *head, time_t now, size_t count)
{
	return memcmp(head->magic, magic, sizeof(magic)) == 0 &&
	       head->at <= now && now - head->at <= DOCTOR_CACHE_SECONDS &&
	       head->key == key() && head->count == count;
}

static bool is_whole(struct probe_result *result)
{
	result->found[sizeof(result->found) - 1] = '\0';
	result->meaning[sizeof(result->meaning) - 1] = '\0';
	result->remedy[sizeof(result->remedy) - 1] = '\0';
	return result->state < PROBE_STATES;
}

bool doctor_cache_get(enum probe_group group, time_t now,
		      struct probe_result *results_out, size_t count)
{
	struct probe_result results[PROBE_MAX];
	char path[PATH_MAX];
	struct head head;
	size_t size = count * sizeof(results[0]);

	if (count > PROBE_MAX || !find_path(group, path))
		return false;
	int fd = runtime_dir_open(path);
	if (fd < 0)
		return false;
	bool is_good = read(fd, &head, sizeof(head)) == (ssize_t)sizeof(head) &&
		       is_fit(&head, now, count) &&
		       read(fd, results, size) == (ssize_t)size;
	(void)close(fd);
	for (size_t i = 0; is_good && i < count; i++)
		is_good = is_whole(&results[i]);
	if (is_good)
		memcpy(results_out, results, size);
	return is_good;
}

void doctor_cache_put(enum probe_group group, time_t now,
		      const struct probe_result *results, size_t count)
{
	char path[PATH_MAX], fresh[PATH_MAX];
	struct head head = {.at = now, .key = key(), .count = count};
	size_t size = count * sizeof(results[0]);

	memcpy(head.magic, magic, sizeof(magic));
	if (!find_path(group, path) ||
	    snprintf(fresh, sizeof(fresh), "%s.%d", path, getpid()) >=
		    (int)sizeof(fresh))
		return;
	int fd = runtime_dir_create(fresh);
	if (fd < 0)
		return;
	bool is_good =
		write(fd, &head, sizeof(head)) == (ssize_t)sizeof(head) &&
		write(fd, results, size) == (ssize_t)size;
	(void)close(fd);
	/* Whole or not at all: another doctor may be reading. */
	if (!is_good || rename(fresh, path) != 0)
		(void)unlink(fresh);
}
