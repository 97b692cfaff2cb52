/* SPDX-License-Identifier: MIT */
/* netns: join another process's namespaces and make sockets there. */
#ifndef NETNS_H
#define NETNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * netns_join() - enter the network namespace of @pid for good
 *
 * Joins the user namespace that owns it first (ioctl_ns(2)): bubblewrap may
 * nest two, and /proc/PID/ns/user can be the inner one, which has no say over
 * the network.
 *
 * Return: 0 or -errno; -EXDEV: it is our own, so there is no sandbox.
 */
int netns_join(pid_t pid) __attribute__((warn_unused_result));

/**
 * mntns_join() - enter the mount namespace of @pid for good, at its root
 *
 * netns_join() must have been there before: it takes the user namespace.
 *
 * Return: 0 or -errno; -EXDEV: it is our own, so there is no sandbox.
 */
int mntns_join(pid_t pid) __attribute__((warn_unused_result));

/**
 * netns_wait_loopback() - wait until lo is up
 * @watch:	stop at end of file or an error of this descriptor too
 *
 * Only waits: whoever raises lo before bubblewrap does makes it fail.
 *
 * Return: 0; -ECANCELED: @watch is gone; -ETIMEDOUT; another -errno.
 */
int netns_wait_loopback(int watch, int timeout_ms)
	__attribute__((warn_unused_result));

/**
 * netns_listen_loopback() - a TCP listener on 127.0.0.1 or ::1
 * @family:	AF_INET or AF_INET6
 *
 * Return: a descriptor (non-blocking, close-on-exec) or -errno.
 */
int netns_listen_loopback(int family, uint16_t port)
	__attribute__((warn_unused_result));

/**
 * struct netns_socket - a socket on every address, of both families where the
 * kernel has both
 * @type:	SOCK_STREAM: it listens; SOCK_DGRAM: each datagram comes with
 *		the address that it was sent to
 * @is_transparent: it takes connections to addresses that are not ours
 * @is_ipv4_only: not of both families
 */
struct netns_socket {
	int type;
	uint16_t port;
	bool is_transparent;
	bool is_ipv4_only;
};

/** netns_socket() - Return: a descriptor (non-blocking, close-on-exec) or
 * -errno. */
int netns_socket(const struct netns_socket *wanted)
	__attribute__((warn_unused_result));

/** netns_open_low_ports() - ports below 1024 can be bound by anybody there; a
 * kernel without that setting has none to open */
void netns_open_low_ports(void);

#endif
