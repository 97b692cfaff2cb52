/* SPDX-License-Identifier: MIT */
/* cgroup: finds where a control group of our own can be made, and makes it. */
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

const struct cgroup_files cgroup_kernel_files = {
	.self = "/proc/self/cgroup",
	.mountinfo = "/proc/self/mountinfo",
};

/* Is @word one of @list's, which are separated by any of @separators? */
static bool has_word(const char *list, const char *separators, const char *word)
{
	size_t wanted = strlen(word);

	while (*list != '\0') {
		size_t len = strcspn(list, separators);
		if (len == wanted && strncmp(list, word, len) == 0)
			return true;
		list += len;
		list += strspn(list, separators);
	}
	return false;
}

/* "HIERARCHY:CONTROLLERS:PATH": our path where @controller is (version 1), or
 * where none is named (version 2). */
static bool own_path(const char *self, const char *controller,
		     char path_out[static PATH_MAX])
{
	char line[PATH_MAX + 256];
	FILE *file = fopen(self, "re");
	bool is_found = false;

	if (file == NULL)
		return false;
	while (!is_found && fgets(line, sizeof(line), file) != NULL) {
		char *list = strchr(line, ':');
		char *path = list == NULL ? NULL : strchr(list + 1, ':');
		if (path == NULL)
			continue;
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		is_found = controller == NULL
				   ? list[1] == '\0'
				   : has_word(list + 1, ",", controller);
		if (is_found && strlen(path) < PATH_MAX)
			memcpy(path_out, path, strlen(path) + 1);
	}
	(void)fclose(file);
	return is_found;
}

/**
 * struct mounted - a hierarchy
 * @root:	which of its groups is seen at @point
 */
struct mounted {
	char root[PATH_MAX];
	char point[PATH_MAX];
};

/* proc_pid_mountinfo(5): "36 35 98:0 ROOT POINT OPTIONS [TAGS] - TYPE SOURCE
 * SUPER-OPTIONS". */
static bool read_mount(char *line, const char *controller, struct mounted *out)
{
	const char *fields[5];
	char *rest = strstr(line, " - ");

	if (rest == NULL)
		return false;
	*rest = '\0';
	rest += 3;
	rest[strcspn(rest, "\n")] = '\0';
	const char *type = controller == NULL ? "cgroup2 " : "cgroup ";
	const char *options = strrchr(rest, ' ');
	if (strncmp(rest, type, strlen(type)) != 0 || options == NULL)
		return false;
	if (controller != NULL && !has_word(options, " ,", controller))
		return false;
	char *at = line;
	for (size_t i = 0; i < 5; i++) {
		size_t len = strcspn(at, " ");
		if (at[len] == '\0' || len >= PATH_MAX)
			return false;
		at[len] = '\0';
		fields[i] = at;
		at += len + 1;
	}
	memcpy(out->root, fields[3], strlen(fields[3]) + 1);
	memcpy(out->point, fields[4], strlen(fields[4]) + 1);
	return true;
}

static bool find_mount(const char *mountinfo, const char *controller,
		       struct mounted *out)
{
	FILE *file = fopen(mountinfo, "re");
	char *line = NULL;
	size_t size = 0;
	bool is_found = false;

	if (file == NULL)
		return false;
	while (!is_found && getline(&line, &size, file) > 0)
		is_found = read_mount(line, controller, out);
	free(line);
	(void)fclose(file);
	return is_found;
}

/* Our own group as a folder. */
static int own_folder(const struct cgroup_files *files, const char *controller,
		      struct mounted *mounted, char folder_out[static PATH_MAX])
{
	char path[PATH_MAX];
	struct text folder;

	if (!find_mount(files->mountinfo, controller, mounted) ||
	    !own_path(files->self, controller, path))
		return -ENOENT;
	const char *rest = path;
	size_t root = strlen(mounted->root);
	if (root > 1 && strncmp(path, mounted->root, root) == 0 &&
	    (path[root] == '/' || path[root] == '\0'))
		rest = path + root;
	/* A group outside of what our namespace shows. */
	if (strstr(rest, "/..") != NULL)
		return -ENOENT;
	text_init(&folder, folder_out, PATH_MAX);
	text_add(&folder, mounted->point);
	if (strcmp(rest, "/") != 0)
		text_add(&folder, rest);
	return folder.is_cut ? -ENOENT : 0;
}

static bool may_write(const char *folder, const char *file)
{
	char path[PATH_MAX];
	struct text text;

	text_init(&text, path, sizeof(path));
	text_addf(&text, "%s%s%s", folder, file[0] == '\0' ? "" : "/", file);
	return !text.is_cut && access(path, W_OK) == 0;
}

static bool is_switched_on(const char *folder, const char *controller)
{
	char path[PATH_MAX];
	char list[512];
	struct text text;

	text_init(&text, path, sizeof(path));
	text_addf(&text, "%s/cgroup.subtree_control", folder);
	int fd = text.is_cut ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, list, sizeof(list) - 1);
	(void)close(fd);
	list[n > 0 ? n : 0] = '\0';
	return has_word(list, " \n", controller);
}

/* Moving a process asks for the right to write to the common ancestor's
 * cgroup.procs, so the first folder upwards that we may write to is it. */
static int find_v2(const struct cgroup_files *files, const char *controller,
		   struct cgroup_place *place)
{
	struct mounted mounted;
	int rc = own_folder(files, NULL, &mounted, place->folder);

	if (rc != 0)
		return rc;
	rc = -ENOENT;
	for (;;) {
		if (is_switched_on(place->folder, controller)) {
			rc = -EACCES;
			if (may_write(place->folder, "") &&
			    may_write(place->folder, "cgroup.procs"))
				break;
		}
		char *slash = strrchr(place->folder, '/');
		if (strcmp(place->folder, mounted.point) == 0 ||
		    slash == NULL || slash == place->folder)
			return rc;
		*slash = '\0';
	}
	place->is_v2 = true;
	return 0;
}

static int find_v1(const struct cgroup_files *files, const char *controller,
		   struct cgroup_place *place)
{
	struct mounted mounted;
	int rc = own_folder(files, controller, &mounted, place->folder);

	if (rc != 0)
		return rc;
	place->is_v2 = false;
	return may_write(place->folder, "") ? 0 : -EACCES;
}

int cgroup_find(const struct cgroup_files *files, const char *controller,
		struct cgroup_place *place_out)
{
	struct cgroup_place place;
	int rc = find_v2(files, controller, &place);

	if (rc != 0) {
		int second = find_v1(files, controller, &place);
		rc = second == -ENOENT ? rc : second;
	}
	if (rc == 0)
		*place_out = place;
	return rc;
}

int cgroup_make(const struct cgroup_place *place, const char *name,
		char path_out[static PATH_MAX])
{
	struct text path;

	text_init(&path, path_out, PATH_MAX);
	text_addf(&path, "%s/%s", place->folder, name);
	if (path.is_cut)
		return -ENAMETOOLONG;
	return mkdir(path_out, 0755) == 0 || errno == EEXIST ? 0 : -errno;
}

int cgroup_write(const char *group, const char *file, const char *text)
{
	char path[PATH_MAX];
	struct text name;

	text_init(&name, path, sizeof(path));
	text_addf(&name, "%s/%s", group, file);
	int fd = name.is_cut ? -1 : open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return name.is_cut ? -ENAMETOOLONG : -errno;
	int rc = write(fd, text, strlen(text)) == (ssize_t)strlen(text)
			 ? 0
			 : -errno;
	(void)close(fd);
	return rc;
}

int cgroup_remove(const char *group)
{
	return rmdir(group) == 0 ? 0 : -errno;
}
