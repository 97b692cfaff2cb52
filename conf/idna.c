/* SPDX-License-Identifier: MIT */
/* idna: international names in policies, as the A-labels that the wire has. */
#include "idna.h"

#include <idn2.h>
#include <string.h>
#include <strings.h>

#define IDNA_MAX_BYTES 1024

static bool needs_library(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)s[i] >= 0x80)
			return true;
		if (len - i >= 4 && strncasecmp(s + i, "xn--", 4) == 0)
			return true;
	}
	return false;
}

const char *idna_to_hostname(const char *s, size_t len,
			     struct hostname *name_out)
{
	char text[IDNA_MAX_BYTES];
	uint8_t *ascii = NULL;

	if (!needs_library(s, len)) {
		enum hostname_result rc = hostname_parse(s, len, name_out);
		return rc == HOSTNAME_OK ? NULL : hostname_result_text(rc);
	}
	if (len >= sizeof(text) || memchr(s, '\0', len) != NULL)
		return "it is no international name";
	memcpy(text, s, len);
	text[len] = '\0';
	int rc = idn2_lookup_u8((const uint8_t *)text, &ascii,
				IDN2_NFC_INPUT | IDN2_NO_TR46);
	if (rc != IDN2_OK)
		return idn2_strerror(rc);
	const char *name = (const char *)ascii;
	enum hostname_result parsed =
		hostname_parse(name, strlen(name), name_out);
	idn2_free(ascii);
	return parsed == HOSTNAME_OK ? NULL : hostname_result_text(parsed);
}
