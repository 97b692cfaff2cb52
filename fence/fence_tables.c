/* SPDX-License-Identifier: MIT */
/* fence_tables: the paths that mean something. */
#include "fence_tables.h"

#include <stddef.h>
#include <string.h>

#include "paths.h"

const char *const fence_system_roots[] = {
	"/usr",       "/bin",    "/sbin", "/lib",       "/lib32",
	"/lib64",     "/libx32", "/opt",  "/nix/store", /* NixOS, and Nix
							   elsewhere */
	"/gnu/store",                                   /* Guix */
	NULL,
};

const char *const fence_system_links[] = {
	"/home",                     /* a link to /var/home or /usr/home */
	"/run/current-system",       /* NixOS, Guix: the generation in use */
	"/run/booted-system",        /* the same */
	"/var/guix/profiles/system", /* Guix */
	"/nix/var/nix/profiles/default",
	NULL,
};

const char *const fence_etc_shown[] = {
	"/etc/ssl",             /* certificates: Debian, Alpine, SUSE, Arch */
	"/etc/pki",             /* Fedora */
	"/etc/crypto-policies", /* Fedora: OpenSSL reads it */
	"/etc/ld.so.cache",
	"/etc/alternatives", /* /usr/bin/java leads through it */
	"/etc/static",       /* NixOS: all of /etc leads there */
	"/etc/localtime",
	"/etc/os-release",
	"/etc/locale.conf",
	"/etc/fonts",
	"/etc/java-8-openjdk", /* Debian: the JDK's conf leads there */
	"/etc/java-11-openjdk",
	"/etc/java-17-openjdk",
	"/etc/java-21-openjdk",
	"/etc/java-25-openjdk",
	"/etc/java", /* Fedora */
	"/etc/maven",
	"/etc/gitconfig",
	NULL,
};

const char *const fence_system_secrets[] = {
	"/etc/shadow",
	"/etc/shadow-",
	"/etc/gshadow",
	"/etc/gshadow-",
	"/etc/sudoers",
	"/etc/sudoers.d",
	"/etc/ssl/private",
	"/etc/pki/tls/private",
	"/etc/letsencrypt",
	"/etc/wireguard",
	"/etc/openvpn",
	"/etc/ipsec.secrets",
	"/etc/krb5.keytab",
	"/etc/kubernetes",
	"/etc/rancher",
	"/etc/NetworkManager/system-connections",
	"/etc/wpa_supplicant",
	"/etc/iwd",
	"/etc/cups",
	"/etc/machine-id",
	"/etc/ssh/ssh_host_rsa_key",
	"/etc/ssh/ssh_host_ecdsa_key",
	"/etc/ssh/ssh_host_ed25519_key",
	"/var/lib/dbus",
	"/var/lib/docker",
	"/var/lib/containerd",
	"/var/lib/containers",
	"/var/lib/kubelet",
	"/var/lib/rancher",
	"/var/lib/etcd",
	"/var/lib/lxd",
	"/var/lib/incus",
	"/var/lib/libvirt",
	"/var/lib/mysql",
	"/var/lib/postgresql",
	"/var/lib/redis",
	"/var/lib/samba/private",
	"/var/lib/sss",
	"/var/lib/NetworkManager",
	"/var/lib/iwd",
	"/var/lib/cloud",
	"/var/lib/systemd/random-seed",
	"/var/snap/lxd",
	"/var/log",
	"/var/spool",
	"/var/mail",
	"/var/backups",
	"/var/cache/debconf/passwords.dat",
	"/nix/var/nix/daemon-socket",
	"/var/guix/daemon-socket",
	"/boot",
	"/mnt/wslg", /* WSL: display and audio of the Windows host */
	NULL,
};

const char *const fence_home_sealed[] = {
	".ssh",
	".aws",
	".gnupg",
	".kube",
	".docker",
	".config/gcloud",
	".local/share/keyrings",
	"Library/Keychains",
	".local/state/exeat",
	".config/exeat",
	NULL,
};

const char *const fence_home_secrets[] = {
	".netrc",
	".git-credentials",
	".config/git/credentials",
	".npmrc",
	".yarnrc.yml",
	".pypirc",
	".config/pip",
	".pip",
	".gem/credentials",
	".cargo/credentials",
	".cargo/credentials.toml",
	".composer/auth.json",
	".config/composer/auth.json",
	".m2/settings.xml",
	".m2/settings-security.xml",
	".gradle/gradle.properties",
	".config/gh",
	".config/hub",
	".config/glab-cli",
	".config/doctl",
	".config/rclone",
	".config/op",
	".config/sops",
	".config/age",
	".config/containers",
	".config/helm",
	".config/heroku",
	".config/netlify",
	".config/configstore",
	".config/google-chrome",
	".config/chromium",
	".config/BraveSoftware",
	".config/microsoft-edge",
	".config/Slack",
	".config/Signal",
	".config/discord",
	".azure",
	".oci",
	".boto",
	".s3cfg",
	".terraform.d",
	".terraformrc",
	".vault-token",
	".vagrant.d",
	".databrickscfg",
	".kaggle",
	".password-store",
	".local/share/kwalletd",
	".pki",
	".mozilla",
	".thunderbird",
	".var/app", /* Flatpak programs' own data */
	"snap",
	".pgpass",
	".my.cnf",
	".mylogin.cnf",
	".rediscli_auth",
	".mongodb",
	".irssi",
	".weechat",
	".mutt",
	".muttrc",
	".msmtprc",
	".fetchmailrc",
	".electrum",
	".bitcoin",
	".ethereum",
	".bash_history",
	".zsh_history",
	".ash_history",
	".python_history",
	".node_repl_history",
	".psql_history",
	".mysql_history",
	".sqlite_history",
	".lesshst",
	".viminfo",
	".local/share/fish/fish_history",
	".local/state/bash",
	".Xauthority",
	".ICEauthority",
	".colima",
	".lima",
	".orbstack",
	".rd",
	"Library/Application Support/Google/Chrome",
	"Library/Application Support/Firefox",
	"Library/Application Support/com.apple.TCC",
	"Library/Cookies",
	"Library/Mail",
	"Library/Messages",
	"Library/Safari",
	"Library/Containers",
	"Library/Group Containers",
	NULL,
};

const char *const fence_forbidden_exact[] = {
	"/",        "/etc",         "/usr",         "/var",   "/System", "/run",
	"/tmp",     "/boot",        "/home",        "/Users", "/opt",    "/nix",
	"/var/tmp", "/private/tmp", "/private/var", NULL,
};

const char *const fence_forbidden_trees[] = {
	"/proc",
	"/sys",
	"/dev",
	NULL,
};

const char *const fence_protected[] = {
	".git", /* where it is a file: it names the real folder */
	".git/config",
	".git/config.worktree",
	".git/hooks",
	".git/commondir",
	".envrc",
	".direnv",
	".mise.toml",
	".bashrc",
	".bash_profile",
	".bash_login",
	".bash_logout",
	".profile",
	".zshrc",
	".zshenv",
	".zprofile",
	".zlogin",
	".inputrc",
	".exrc",
	".vimrc",
	".nvimrc",
	".nvim.lua",
	".vscode",
	".idea",
	".zed",
	".cursor",
	".devcontainer",
	".mcp.json",
	".husky",
	".npmrc",
	".yarnrc",
	".yarnrc.yml",
	".ripgreprc",
	NULL,
};

const struct fence_tool fence_tools[] = {
	{".pyenv", true,  {NULL}							     },
	{".rbenv", true,  {NULL}							     },
	{".asdf",  true,  {NULL}							     },
	{".volta", true,  {NULL}							     },
	{".rye",   true,  {NULL}							     },
	{".cargo", false, {".rustup", NULL}						  },
	{"go",     false, {NULL}							     },
	{".local",
	 false,	   {".local/share/pipx", ".local/share/uv", ".local/share/mise", NULL}},
	{NULL,     false, {NULL}							     },
};

const char *const fence_tool_bins[] = {
	"bin", "sbin", "shims", "libexec", NULL,
};

bool fence_is_system_text(const char *path)
{
	if (strstr(path, "/..") != NULL)
		return false;
	for (size_t i = 0; fence_system_roots[i] != NULL; i++)
		if (path_is_within(path, fence_system_roots[i]))
			return true;
	return false;
}
