/* SPDX-License-Identifier: MIT */
/* tunnel_who: which process is the client; inside of tunnel. */
#ifndef TUNNEL_WHO_H
#define TUNNEL_WHO_H

struct netaddr;
struct tunnel;

/* tunnel_who.c */
/** tunnel_ask_who() - begin to find out; tunnel->who is set meanwhile */
void tunnel_ask_who(struct tunnel *tunnel);
/** tunnel_ask_server() - the same for the server inside at @address */
void tunnel_ask_server(struct tunnel *tunnel, const struct netaddr *address);
void tunnel_forget_who(struct tunnel *tunnel);

/* tunnel_dial.c */
/** tunnel_resume_open() - it is known now: go on with an origin that waits */
void tunnel_resume_open(struct tunnel *tunnel);

/* tunnel_refuse.c */
/** tunnel_resume_refusal() - it is known now: record and say no */
void tunnel_resume_refusal(struct tunnel *tunnel);

/* tunnel_record.c */
/** tunnel_record_refusal() - the decision record, where it is due */
void tunnel_record_refusal(struct tunnel *tunnel);

#endif
