/* SPDX-License-Identifier: MIT */
/* gate_service: what the gate does for exeat-proxy while a command runs. */
#ifndef GATE_SERVICE_H
#define GATE_SERVICE_H

#include <sys/types.h>

/**
 * struct gate_service - embedded
 * @pair:	to exeat-proxy (service.h); -1 once that is gone
 * @diag:	of the sandbox's network namespace, or -errno: nothing is known
 * @proc:	the sandbox's /proc, or -1 so far
 * @last:	the process that was found last: it may connect again
 */
struct gate_service {
	int pair;
	int diag;
	int proc;
	pid_t last;
};

/** gate_service_init() - for a gate that has joined the network namespace;
 * takes @pair_own over */
void gate_service_init(struct gate_service *service, int pair_own);

/** gate_service_enter() - once the gate is in the sandbox's mount namespace:
 * look at processes in @proc. Return: 0 or -errno. */
int gate_service_enter(struct gate_service *service, const char *proc)
	__attribute__((warn_unused_result));

/** gate_service_serve() - answer what has been asked; when the proxy is gone,
 * @pair becomes -1 */
void gate_service_serve(struct gate_service *service);

#endif
