/* SPDX-License-Identifier: MIT */
/* conf_proxy: the setters of where exeat-proxy listens and goes out through. */
#include <string.h>

#include "conf_endpoint.h"
#include "conf_internal.h"
#include "idna.h"
#include "proxy_url.h"
#include "text.h"

/* "ADDRESS:PORT", where 0 is any free port. */
static bool is_tcp_place(const char *s, size_t len)
{
	struct conf_endpoint e;
	struct netaddr addr;
	uint64_t port;

	return conf_endpoint_split(s, len, &e) && e.port != NULL &&
	       conf_endpoint_address(&e, &addr) &&
	       text_parse_decimal(e.port, e.port_len, UINT16_MAX, &port);
}

/* As it is, but "unix:" with an absolute path; NULL with @diag set. */
static const char *read_place(struct conf *conf, const struct conf_key *key,
			      const struct conf_value *value, struct diag *diag)
{
	static const char unix_prefix[] = "unix:";
	const size_t prefix_len = sizeof(unix_prefix) - 1;
	struct arena *arena = &conf->owned->arena;
	char *place;

	if (value->type != CONF_TEXT ||
	    strncmp(value->text, unix_prefix, prefix_len) != 0) {
		if (value->type != CONF_TEXT ||
		    !is_tcp_place(value->text, value->len)) {
			(void)conf_refuse(key, value, diag);
			return NULL;
		}
		place = arena_strndup(arena, value->text, value->len);
	} else {
		struct conf_value file = *value;
		file.text += prefix_len;
		file.len -= prefix_len;
		const char *path = conf_path(conf, key, &file, diag);
		if (path == NULL)
			return NULL;
		place = arena_alloc(arena, prefix_len + strlen(path) + 1);
		if (place != NULL) {
			memcpy(place, unix_prefix, prefix_len);
			memcpy(place + prefix_len, path, strlen(path));
		}
	}
	if (place == NULL)
		(void)conf_out_of_memory(diag);
	return place;
}

int conf_add_place(struct conf *conf, const struct conf_key *key,
		   const struct conf_value *value, struct diag *diag)
{
	const char *place = read_place(conf, key, value, diag);

	return place == NULL ? -1 : conf_append_string(conf, key, place, diag);
}

int conf_set_place(struct conf *conf, const struct conf_key *key,
		   const struct conf_value *value, struct diag *diag)
{
	const char *place = read_place(conf, key, value, diag);

	if (place == NULL)
		return -1;
	conf->owned->policy.proxy.admin = place;
	return 0;
}

/* A proxy that we go through: TLS or not, but no SOCKS. */
static bool is_upstream(const char *s, size_t len)
{
	struct proxy_url url;
	bool is_one = proxy_url_parse(s, len, &url) == NULL &&
		      url.scheme != PROXY_URL_SOCKS5;

	explicit_bzero(&url, sizeof(url));
	return is_one;
}

int conf_set_url(struct conf *conf, const struct conf_key *key,
		 const struct conf_value *value, struct diag *diag)
{
	size_t len = value->len;

	if (value->type != CONF_TEXT)
		return conf_refuse(key, value, diag);
	/* A command line can be read by every process of the machine. */
	if (strncmp(value->where, "--", 2) == 0 &&
	    memchr(value->text, '@', len) != NULL) {
		diag_set(diag,
			 "--upstream: credentials belong into a policy "
			 "file (upstream.url), not on a command line, where "
			 "others can read them");
		return -1;
	}
	if (len > 0 && value->text[len - 1] == '/')
		len--;
	if (!is_upstream(value->text, len))
		return conf_refuse(key, value, diag);
	const char *copy = arena_strndup(&conf->owned->arena, value->text, len);
	if (copy == NULL)
		return conf_out_of_memory(diag);
	conf->owned->policy.upstream.url = copy;
	return 0;
}

/* A host name, a pattern, an address or a block, in its one spelling. */
static bool read_pattern(const struct conf_value *value, struct text *out)
{
	struct netaddr_block block;
	struct hostname name;
	bool is_below = value->len > 2 && strncmp(value->text, "*.", 2) == 0;
	size_t skip = is_below ? 2 : 0;

	if (netaddr_parse_block(value->text, value->len, &block)) {
		text_add_bytes(out, value->text, value->len);
		return true;
	}
	if (idna_to_hostname(value->text + skip, value->len - skip, &name) !=
	    NULL)
		return false;
	text_addf(out, "%s%s", is_below ? "*." : "", name.text);
	return true;
}

int conf_add_except(struct conf *conf, const struct conf_key *key,
		    const struct conf_value *value, struct diag *diag)
{
	char buf[HOSTNAME_MAX_BYTES + 3];
	struct text t;

	text_init(&t, buf, sizeof(buf));
	if (value->type != CONF_TEXT || !read_pattern(value, &t))
		return conf_refuse(key, value, diag);
	const char *copy = arena_strndup(&conf->owned->arena, buf, t.len);
	return copy == NULL ? conf_out_of_memory(diag)
			    : conf_append_string(conf, key, copy, diag);
}
