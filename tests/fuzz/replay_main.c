/* SPDX-License-Identifier: MIT */
/* replay_main: feeds every file of a corpus to a fuzz target, once each. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	static uint8_t bytes[1 << 20];
	FILE *f = fopen(path, "rb");

	if (f == NULL) {
		perror(path);
		return -1;
	}
	size_t n = fread(bytes, 1, sizeof(bytes), f);
	(void)fclose(f);
	/* A copy of the exact size lets ASan see a read past the end. */
	uint8_t *copy = malloc(n > 0 ? n : 1);
	if (copy == NULL)
		return -1;
	for (size_t i = 0; i < n; i++)
		copy[i] = bytes[i];
	(void)LLVMFuzzerTestOneInput(copy, n);
	free(copy);
	return 0;
}

int main(int argc, char **argv)
{
	int count = 0;

	for (int i = 1; i < argc; i++) {
		DIR *dir = opendir(argv[i]);

		if (dir == NULL) {
			perror(argv[i]);
			return 1;
		}
		for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
			char path[4096];

			if (e->d_name[0] == '.')
				continue;
			(void)snprintf(path, sizeof(path), "%s/%s", argv[i],
				       e->d_name);
			if (replay(path) != 0)
				return 1;
			count++;
		}
		(void)closedir(dir);
	}
	printf("%d inputs replayed\n", count);
	return count > 0 ? 0 : 1;
}
