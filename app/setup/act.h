/* What acts on a body, one row each, in any physics: whoever asks of an entry of `boundary:` what is in it loops over them. */
#pragma once
#include "app/input/case.h"
#include "app/setup/setup.h"
#include "assembly/space/load.h"

enum { NO_LOAD = -1, ACT_NAMES = 256 };
typedef struct Act {
  const char *key;
  ValueType type;
  size_t offset, size; /* in the entry */
  int load;            /* LoadKind that its value becomes; NO_LOAD: none, or one that is made otherwise */
  GroupUse on;
  unsigned roles; /* bits of the physics */
} Act;
#define ACT_ROW(Entry, member, value, load, on, roles)                                                                 \
  {#member, value, offsetof(Entry, member), sizeof((Entry *)0)->member, load, on, roles},

typedef struct ActTable {
  const Act *row;
  int32_t n;
} ActTable;

/* The next row behind `after` (NULL: the first) with one of the roles that the entry gives; NULL: none is left. */
const Act *acts_next(const ActTable *acts, const void *entry, unsigned roles, const Act *after);
Place act_place(const Act *act, const void *entry);
/* The value of a row that becomes a load; n 0: it is not given. */
ExprsValue act_value(const Act *act, const void *entry);
/* "fix, traction, pressure": the keys with one of the roles. Returns `text`. */
const char *acts_list(const ActTable *acts, unsigned roles, char text[ACT_NAMES]);
/* What the case calls a load of this kind. */
const char *acts_word(const ActTable *acts, LoadKind load);
/* An entry on `on` that gives none. */
void acts_check_any(const ActTable *acts, const void *entry, Place place, const NamesValue *on, Diagnostics *out);
