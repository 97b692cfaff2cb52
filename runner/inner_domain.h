/* SPDX-License-Identifier: MIT */
/*
 * inner_domain: the Landlock domain that the command runs in.
 *
 * How it works: it holds no files, which bubblewrap's mounts do better. Where
 * the kernel can (ABI 6), signals and abstract sockets stay inside, and with
 * any domain the command cannot trace the sandbox's first process, which is
 * outside of it. With ports.private_loopback = false, TCP ports that are not
 * declared cannot be bound (ABI 4); port 0 can, and listen(2) without a bind
 * gets some port, which nobody but the command can reach either way.
 */
#ifndef INNER_DOMAIN_H
#define INNER_DOMAIN_H

struct policy;

/**
 * inner_domain_open() - the ruleset, for exeat-init
 * @note_out:	what the policy asks for and this kernel cannot, in words, or
 *		NULL
 *
 * Return: a descriptor; -ENOSYS: this kernel has nothing to offer; -errno.
 */
int inner_domain_open(const struct policy *policy, const char **note_out)
	__attribute__((warn_unused_result));

#endif
