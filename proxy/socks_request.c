/* SPDX-License-Identifier: MIT */
/* socks_request: the client's half of SOCKS5 (RFC 1928) and SOCKS4a. */
#include "socks_request.h"

#include <string.h>

#include "reader.h"

#define VERSION_4        4
#define VERSION_5        5
#define VERSION_PASSWORD 1 /* RFC 1929 s2 */
#define COMMAND_CONNECT  1

/* RFC 1928 s3 */
#define METHOD_NONE     0
#define METHOD_PASSWORD 2
#define METHOD_NO_MATCH 0xff

/* RFC 1928 s5 */
#define TYPE_IPV4 1
#define TYPE_NAME 3
#define TYPE_IPV6 4

/* RFC 1928 s6 */
enum socks5_reply {
	REPLY_SUCCEEDED = 0,
	REPLY_FAILURE = 1,
	REPLY_NOT_ALLOWED = 2,
	REPLY_HOST_UNREACHABLE = 4,
	REPLY_REFUSED = 5,
	REPLY_TTL_EXPIRED = 6,
	REPLY_COMMAND = 7,
	REPLY_ADDRESS_TYPE = 8,
};

/* SOCKS4: "request granted", "rejected or failed" */
#define REPLY4_GRANTED  90
#define REPLY4_REJECTED 91

static size_t put_reply5(enum socks5_reply code, uint8_t *buf)
{
	/* No address of ours is named: 0.0.0.0:0. */
	const uint8_t reply[] = {
		VERSION_5, (uint8_t)code, 0, TYPE_IPV4, 0, 0, 0, 0, 0, 0};

	memcpy(buf, reply, sizeof(reply));
	return sizeof(reply);
}

static size_t put_reply4(uint8_t code, uint8_t *buf)
{
	const uint8_t reply[] = {0, code, 0, 0, 0, 0, 0, 0};

	memcpy(buf, reply, sizeof(reply));
	return sizeof(reply);
}

static enum socks_result bad(struct socks_output *out, const char *reason)
{
	out->reason = reason;
	return SOCKS_BAD;
}

static enum socks_result bad5(struct socks_output *out, enum socks5_reply code,
			      const char *reason)
{
	out->reply_len = put_reply5(code, out->reply);
	return bad(out, reason);
}

static enum socks_result bad4(struct socks_output *out, const char *reason)
{
	out->reply_len = put_reply4(REPLY4_REJECTED, out->reply);
	return bad(out, reason);
}

static enum socks_result reply2(struct socks_output *out, uint8_t a, uint8_t b)
{
	out->reply[0] = a;
	out->reply[1] = b;
	out->reply_len = 2;
	return SOCKS_REPLY;
}

static bool offers(struct reader methods, uint8_t method)
{
	return methods.left > 0 &&
	       memchr(methods.at, method, methods.left) != NULL;
}

static enum socks_result read_methods(struct socks_request *socks,
				      struct reader *r,
				      struct socks_output *out)
{
	struct reader methods;
	uint8_t version;

	if (!reader_u8(r, &version) || !reader_vector8(r, &methods))
		return SOCKS_MORE;
	if (offers(methods, METHOD_NONE)) {
		socks->stage = SOCKS_STAGE_REQUEST;
		return reply2(out, VERSION_5, METHOD_NONE);
	}
	if (offers(methods, METHOD_PASSWORD)) {
		socks->stage = SOCKS_STAGE_PASSWORD;
		return reply2(out, VERSION_5, METHOD_PASSWORD);
	}
	(void)reply2(out, VERSION_5, METHOD_NO_MATCH);
	return bad(out, "no authentication method that is spoken here");
}

static enum socks_result read_password(struct socks_request *socks,
				       struct reader *r,
				       struct socks_output *out)
{
	struct reader user;
	struct reader password;
	uint8_t version;

	if (!reader_u8(r, &version))
		return SOCKS_MORE;
	if (version != VERSION_PASSWORD)
		return bad(out, "password message of unknown version");
	if (!reader_vector8(r, &user) || !reader_vector8(r, &password))
		return SOCKS_MORE;
	socks->stage = SOCKS_STAGE_REQUEST;
	return reply2(out, VERSION_PASSWORD, 0);
}

static void take_address(struct authority *authority, sa_family_t family,
			 struct reader bytes)
{
	*authority = (struct authority){.kind = AUTHORITY_ADDRESS};
	authority->address.family = family;
	memcpy(authority->address.bytes, bytes.at, bytes.left);
}

static void keep_target(struct socks_output *out, struct reader host)
{
	out->target = (struct http_span){(const char *)host.at, host.left};
}

/* NULL: taken, or more is needed (then *@is_whole is false). */
static const char *read_host5(struct reader *r, uint8_t type,
			      struct socks_output *out, bool *is_whole)
{
	struct reader host;

	switch (type) {
	case TYPE_IPV4:
		*is_whole = reader_take(r, 4, &host);
		if (*is_whole)
			take_address(&out->authority, AF_INET, host);
		return NULL;
	case TYPE_IPV6:
		*is_whole = reader_take(r, 16, &host);
		if (*is_whole)
			take_address(&out->authority, AF_INET6, host);
		return NULL;
	default:
		*is_whole = reader_vector8(r, &host);
		if (!*is_whole)
			return NULL;
		keep_target(out, host);
		return authority_parse_host((const char *)host.at, host.left,
					    &out->authority);
	}
}

static enum socks_result read_request5(struct socks_request *socks,
				       struct reader *r,
				       struct socks_output *out)
{
	struct reader fixed;
	bool is_whole;

	if (!reader_take(r, 4, &fixed))
		return SOCKS_MORE;
	if (fixed.at[0] != VERSION_5 || fixed.at[2] != 0)
		return bad5(out, REPLY_FAILURE, "request is malformed");
	if (fixed.at[1] != COMMAND_CONNECT)
		return bad5(out, REPLY_COMMAND, "only CONNECT is served");
	uint8_t type = fixed.at[3];
	if (type != TYPE_IPV4 && type != TYPE_IPV6 && type != TYPE_NAME)
		return bad5(out, REPLY_ADDRESS_TYPE, "unknown address type");
	const char *why = read_host5(r, type, out, &is_whole);
	if (!is_whole || !reader_u16(r, &out->authority.port))
		return SOCKS_MORE;
	if (why == NULL && out->authority.port == 0)
		why = "port is 0";
	if (why != NULL)
		return bad5(out, REPLY_FAILURE, why);
	socks->stage = SOCKS_STAGE_END;
	return SOCKS_OK;
}

/* A string that ends in a NUL; false: the NUL has not come. */
static bool take_string(struct reader *r, struct reader *string_out)
{
	const uint8_t *nul = r->left > 0 ? memchr(r->at, 0, r->left) : NULL;
	struct reader end;

	if (nul == NULL)
		return false;
	return reader_take(r, (size_t)(nul - r->at), string_out) &&
	       reader_take(r, 1, &end);
}

static bool names_a_host(struct reader address)
{
	return address.at[0] == 0 && address.at[1] == 0 && address.at[2] == 0 &&
	       address.at[3] != 0;
}

static enum socks_result read_request4(struct socks_request *socks,
				       struct reader *r,
				       struct socks_output *out)
{
	const char *why = NULL;
	struct reader address;
	struct reader user;
	struct reader host;
	uint8_t version;
	uint8_t command;
	uint16_t port;

	if (!reader_u8(r, &version) || !reader_u8(r, &command))
		return SOCKS_MORE;
	if (command != COMMAND_CONNECT)
		return bad4(out, "only CONNECT is served");
	if (!reader_u16(r, &port) || !reader_take(r, 4, &address) ||
	    !take_string(r, &user))
		return SOCKS_MORE;
	if (names_a_host(address)) {
		if (!take_string(r, &host))
			return SOCKS_MORE;
		keep_target(out, host);
		why = authority_parse_host((const char *)host.at, host.left,
					   &out->authority);
	} else {
		take_address(&out->authority, AF_INET, address);
	}
	if (why == NULL && port == 0)
		why = "port is 0";
	if (why != NULL)
		return bad4(out, why);
	out->authority.port = port;
	socks->stage = SOCKS_STAGE_END;
	return SOCKS_OK;
}

static enum socks_result read_message(struct socks_request *socks,
				      struct reader *r,
				      struct socks_output *out)
{
	switch (socks->stage) {
	case SOCKS_STAGE_START:
		socks->version = r->at[0];
		if (socks->version == VERSION_4)
			return read_request4(socks, r, out);
		if (socks->version == VERSION_5)
			return read_methods(socks, r, out);
		return bad(out, "first byte is not SOCKS's");
	case SOCKS_STAGE_PASSWORD:
		return read_password(socks, r, out);
	case SOCKS_STAGE_REQUEST:
		return read_request5(socks, r, out);
	case SOCKS_STAGE_END:
		break;
	}
	return bad(out, "request was read already");
}

enum socks_result socks_request_read(struct socks_request *socks,
				     const uint8_t *data, size_t len,
				     struct socks_output *out)
{
	struct reader whole = reader_over(data, len);
	struct reader r = reader_take_up_to(&whole, SOCKS_MESSAGE_MAX_BYTES);
	struct socks_output found = {.used = 0};
	size_t shown = r.left;

	if (shown == 0)
		return SOCKS_MORE;
	enum socks_result result = read_message(socks, &r, &found);
	if (result == SOCKS_MORE && shown < SOCKS_MESSAGE_MAX_BYTES)
		return SOCKS_MORE;
	if (result == SOCKS_MORE)
		result = bad4(&found, "message is too long");
	found.used = shown - r.left;
	*out = found;
	return result;
}

static enum socks5_reply reply_for(enum reason reason)
{
	switch ((int)reason) {
	case REASON_NONE:
		return REPLY_SUCCEEDED;
	case REASON_HTTP_REQUEST_DENIED:
	case REASON_PORT_NOT_ALLOWED:
	case REASON_DESTINATION_IP_PROHIBITED:
		return REPLY_NOT_ALLOWED;
	case REASON_DNS_ERROR:
	case REASON_DNS_TIMEOUT:
		return REPLY_HOST_UNREACHABLE;
	case REASON_CONNECTION_REFUSED:
		return REPLY_REFUSED;
	case REASON_CONNECTION_TIMEOUT:
		return REPLY_TTL_EXPIRED;
	default:
		return REPLY_FAILURE;
	}
}

size_t socks_write_reply(const struct socks_request *socks, enum reason reason,
			 uint8_t buf[static SOCKS_REPLY_MAX_BYTES])
{
	if (socks->version == VERSION_4)
		return put_reply4(reason == REASON_NONE ? REPLY4_GRANTED
							: REPLY4_REJECTED,
				  buf);
	return put_reply5(reply_for(reason), buf);
}
