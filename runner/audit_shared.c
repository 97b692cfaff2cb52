/* SPDX-License-Identifier: MIT */
/* audit_shared: hosts where anybody can have a place, so that allowing the name
 * is allowing everybody behind it. */
#include "audit_shared.h"

#include <string.h>

/* The name itself and all below. Not complete, and cannot be. */
static const struct {
	const char *name;
	const char *kind;
} shared[] = {
	{"amazonaws.com",            "cloud, object store"   },
	{"storage.googleapis.com",   "object store"          },
	{"storage.cloud.google.com", "object store"          },
	{"core.windows.net",         "object store"          },
	{"digitaloceanspaces.com",   "object store"          },
	{"backblazeb2.com",          "object store"          },
	{"r2.cloudflarestorage.com", "object store"          },
	{"r2.dev",		   "object store"          },
	{"wasabisys.com",            "object store"          },
	{"aliyuncs.com",             "object store"          },
	{"cloudfront.net",           "content network"       },
	{"azureedge.net",            "content network"       },
	{"fastly.net",               "content network"       },
	{"akamaihd.net",             "content network"       },
	{"b-cdn.net",                "content network"       },
	{"jsdelivr.net",             "content of any package"},
	{"unpkg.com",                "content of any package"},
	{"github.com",               "code of anybody"       },
	{"githubusercontent.com",    "code of anybody"       },
	{"github.io",                "sites of anybody"      },
	{"gitlab.com",               "code of anybody"       },
	{"gitlab.io",                "sites of anybody"      },
	{"bitbucket.org",            "code of anybody"       },
	{"codeberg.org",             "code of anybody"       },
	{"huggingface.co",           "files of anybody"      },
	{"pastebin.com",             "pastes"                },
	{"paste.ee",                 "pastes"                },
	{"transfer.sh",              "file drop"             },
	{"file.io",                  "file drop"             },
	{"0x0.st",		   "file drop"             },
	{"dropboxusercontent.com",   "files of anybody"      },
	{"docs.google.com",          "files of anybody"      },
	{"drive.google.com",         "files of anybody"      },
	{"script.google.com",        "programs of anybody"   },
	{"ngrok.io",                 "tunnel"                },
	{"ngrok.app",                "tunnel"                },
	{"ngrok-free.app",           "tunnel"                },
	{"trycloudflare.com",        "tunnel"                },
	{"loca.lt",                  "tunnel"                },
	{"serveo.net",               "tunnel"                },
	{"webhook.site",             "request catcher"       },
	{"requestbin.com",           "request catcher"       },
	{"pipedream.net",            "request catcher"       },
	{"workers.dev",              "programs of anybody"   },
	{"pages.dev",                "sites of anybody"      },
	{"vercel.app",               "sites of anybody"      },
	{"netlify.app",              "sites of anybody"      },
	{"herokuapp.com",            "programs of anybody"   },
	{"run.app",                  "programs of anybody"   },
	{"azurewebsites.net",        "programs of anybody"   },
	{"web.app",                  "sites of anybody"      },
	{"firebaseapp.com",          "sites of anybody"      },
	{"firebaseio.com",           "databases of anybody"  },
	{"discord.com",              "messages, webhooks"    },
	{"hooks.slack.com",          "webhooks"              },
	{"api.telegram.org",         "messages"              },
};

const char *audit_shared_kind(const struct hostname *host)
{
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		size_t len = strlen(shared[i].name);

		if (host->len < len || memcmp(host->text + host->len - len,
					      shared[i].name, len) != 0)
			continue;
		if (host->len == len || host->text[host->len - len - 1] == '.')
			return shared[i].kind;
	}
	return NULL;
}
