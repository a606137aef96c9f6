/* What a run has warned of, for its report: warnings are printed where they arise and forgotten by status.h. */
#pragma once
#include "output/json.h"

/* Keeps a text that is printed, by thread; beyond some it is left out. */
void said_keep(const char *text);
/* All of them and those that are not printed yet, as a list of texts `key`. */
void said_save(Json *json, const char *key);
void said_clear(void);
