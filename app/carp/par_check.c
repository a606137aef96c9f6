/* Parameters that no part has read: nothing is left out without a word. */
#include "app/carp/par.h"
#include "app/input/carp_names.h"

#include <stdlib.h>
#include <string.h>

typedef enum ParFate { SILENT, REFUSED } ParFate;
typedef struct ParName {
  const char *name;
  ParFate fate;
  const char *text;
} ParName;
static const ParName names[] = {
#define PAR_NAME_ROW(name, what, text) {name, what, text},
#include "app/carp/par_names.def"
#undef PAR_NAME_ROW
};

static void without_indices(const char *name, char out[PAR_NAME]) {
  size_t n = 0;
  for (bool inside = false; *name && n + 1 < PAR_NAME; ++name) {
    inside = *name == '[' || (inside && *name != ']');
    if (!inside && *name != ']') out[n++] = *name;
  }
  out[n] = 0;
}

static const ParName *name_of(const char *name) {
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    const size_t n = strlen(names[k].name);
    const bool all = names[k].name[n - 1] == '*';
    if (all ? !strncmp(names[k].name, name, n - 1) : !strcmp(names[k].name, name)) return &names[k];
  }
  return NULL;
}

/* The array of a line whose entry is not counted. */
static const ParArray *beyond_count(const Par *par, const ParLine *line) {
  for (int32_t k = 0; k < par->n_array; ++k) {
    const ParArray *a = &par->array[k];
    const size_t n = strlen(a->name);
    if (!strncmp(line->name, a->name, n) && line->name[n] == '[' && strtol(line->name + n + 1, NULL, 10) >= a->n)
      return a;
  }
  return NULL;
}

/* The last line of a name counts. */
static void tell_repeated(Par *par) {
  for (int32_t i = 0; i < par->n; ++i)
    for (int32_t k = i + 1; k < par->n; ++k) {
      if (strcmp(par->item[i].name, par->item[k].name) != 0) continue;
      par_leave(par, &par->item[i], "is given again in line %d, which counts", par->item[k].line);
      break;
    }
}

/* 0 and an empty name are what openCARP has without the line. */
static bool says_nothing(const char *value) { return !*value || !strcmp(value, "0"); }

void par_check(Par *par) {
  char name[PAR_NAME];
  const ParLine *kind = par_find(par, "experiment");
  if (kind && !says_nothing(kind->value))
    par_refuse(par, kind, "is %s: runs in time alone (0) can be had", kind->value);
  tell_repeated(par);
  for (int32_t i = 0; i < par->n; ++i) {
    const ParLine *line = &par->item[i];
    if (line->used) continue;
    without_indices(line->name, name);
    const ParName *known = name_of(name);
    const bool off = strcmp(name, "diffusionOn") == 0 ? strcmp(line->value, "1") == 0 : says_nothing(line->value);
    const ParArray *array = beyond_count(par, line);
    if (array) {
      par_leave(par, line, "%s is %d: entries from %s[%d] on are not read", array->counter, array->n, array->name,
                array->n);
      continue;
    }
    if (known && (known->fate == SILENT || off)) continue;
    if (known) par_refuse(par, line, "%s", known->text);
    else par_leave(par, line, "%s", carp_key(line->name) ? carp_key(line->name) : "is not understood");
  }
}
