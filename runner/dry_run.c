/* SPDX-License-Identifier: MIT */
/* dry_run: what `exeat run` would do, as text. */
#include "dry_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "handoff.h"
#include "plan_text.h"
