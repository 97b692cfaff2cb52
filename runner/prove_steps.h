/* SPDX-License-Identifier: MIT */
/* prove_steps: what the attacker can do. Each returns 0 where it worked, else
 * -errno; @value says with what. */
#ifndef PROVE_STEPS_H
#define PROVE_STEPS_H

#include "prove.h"

/** step_proxy() - "HOST:PORT" by way of the proxy that http_proxy names */
int step_proxy(const char *value);

/** step_hello() - "HOST:PORT NAME": the same, and a ClientHello with NAME */
int step_hello(const char *value);

/** step_tcp() - "ADDRESS PORT" */
int step_tcp(const char *value);

/** step_udp() - "ADDRESS PORT", and back */
int step_udp(const char *value);

/** step_unix() - connect to a path; "@NAME": an abstract one */
int step_unix(const char *value);

int step_vsock(const char *value);
int step_packet(const char *value);

int step_icmp(const char *value);
int step_mptcp(const char *value);

/** step_ring() - io_uring, which makes system calls that no filter sees */
int step_ring(const char *value);

/** step_namespace() - a user namespace, with all its capabilities */
int step_namespace(const char *value);

/** step_keyring() - the kernel's keys */
int step_keyring(const char *value);

/** step_signal() - see a process of the host, by its pid */
int step_signal(const char *value);

/** step_env() - find PROVE_SECRET in a process's environment */
int step_env(const char *value);

/** step_fd() - read from PROVE_SECRET_FD */
int step_fd(const char *value);

/** step_read(), step_write() - a path; what is written is one line */
int step_read(const char *value);
int step_write(const char *value);

/** step_write_only() - open a path for writing and write nothing */
int step_write_only(const char *value);

#endif
