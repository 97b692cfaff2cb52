/* SPDX-License-Identifier: MIT */
/* tunnel_capture: clients that know nothing of a proxy; inside of tunnel. */
#ifndef TUNNEL_CAPTURE_H
#define TUNNEL_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct authority;
struct tunnel;
struct tunnel_input;

/* What the client's first bytes look like. */
enum tunnel_speech {
	TUNNEL_SPEAKS_NOTHING = 0, /* so far */
	TUNNEL_SPEAKS_TLS,
	TUNNEL_SPEAKS_HTTP,
	TUNNEL_SPEAKS_OTHER,
};

/** tunnel_take_captured() - where was it meant to go? */
void tunnel_take_captured(struct tunnel *tunnel);
/** tunnel_note_speech() - the first bytes of a captured client */
void tunnel_note_speech(struct tunnel *tunnel, const uint8_t *data, size_t len);
/** tunnel_look() - whom do the first bytes name? Return: false: they are a
 * request's. */
bool tunnel_look(struct tunnel *tunnel, const struct tunnel_input *input);
/** tunnel_refuse_captured() - it named nobody in time */
void tunnel_refuse_captured(struct tunnel *tunnel);
/** tunnel_choose_answer() - how a refused client is told, by what it speaks.
 * Return: false: it has not said anything yet. */
bool tunnel_choose_answer(struct tunnel *tunnel);
/** tunnel_name_synthetic() - an address that stands for a name becomes that
 * name. Return: false: it could, but stands for none. */
bool tunnel_name_synthetic(const struct tunnel *tunnel, struct authority *to);

/* tunnel_dial.c */
/** tunnel_dial_loopback() - join to the host's loopback */
void tunnel_dial_loopback(struct tunnel *tunnel);

#endif
