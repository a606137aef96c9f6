/* What a run has warned of, for its report: warnings are printed where they arise and forgotten by status.h. */
#pragma once
#include "output/json.h"

/* Keeps a text that is printed, by thread; beyond some it is left out. */
void said_keep(const char *text);
/* All of them and those that are not printed yet, as a list of texts `key`. */
void said_save(Json *json, const char *key);
/* All but the first of them, so many bytes, are forgotten. */
void said_back(int mark);
/* How much is kept, bytes. What was kept since then is taken away as a text of n bytes, the caller's (n 0: NULL), and given back. */
int said_mark(void);
Status said_take(int mark, char **text, int *n);
void said_give(const char *text, int n);
