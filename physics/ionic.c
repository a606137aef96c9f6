/* The table of ionic models, made from ionics.def. */
#include "physics/ionic.h"

#include <math.h>
#include <string.h>

#define IONIC_TABLES
#include "physics/ionic_kernels.h"

/* The inline kernels as functions with an address. */
#define IONIC(name, text, n)                                                                                           \
  static void name##_state_host(const IonicConstants *c, double V, const double *known, double step, double *s,        \
                                double *by_V) {                                                                        \
    name##_state(c, V, known, step, s, by_V);                                                                          \
  }                                                                                                                    \
  static void name##_rate_host(const IonicConstants *c, double V, const double *s, double *g) {                        \
    name##_rate(c, V, s, g);                                                                                           \
  }                                                                                                                    \
  static double name##_reaction_host(const IonicConstants *c, double V, const double *s, double *by_V, double *by_s) { \
    return name##_reaction(c, V, s, by_V, by_s);                                                                       \
  }                                                                                                                    \
  static double name##_rest_host(const IonicConstants *c, double *s) { return name##_rest(c, s); }                     \
  static double name##_steepest_host(const IonicConstants *c) { return name##_steepest(c); }                           \
  _Static_assert(sizeof name##_param / sizeof name##_param[0] <= IONIC_PARAMS, "raise IONIC_PARAMS");                  \
  _Static_assert(sizeof name##_state_name / sizeof name##_state_name[0] == n, "one name for each state");              \
  _Static_assert(n >= 1 && n <= IONIC_STATES, "1 to IONIC_STATES states");
#include "physics/ionics.def"
#undef IONIC

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))
#define IONIC(name, text, n)                                                                                           \
  {text,                                                                                                               \
   name##_meaning,                                                                                                     \
   n,                                                                                                                  \
   COUNT(name##_param),                                                                                                \
   COUNT(name##_preset),                                                                                               \
   name##_state_name,                                                                                                  \
   name##_param,                                                                                                       \
   name##_preset,                                                                                                      \
   name##_state_host,                                                                                                  \
   name##_rate_host,                                                                                                   \
   name##_reaction_host,                                                                                               \
   name##_rest_host,                                                                                                   \
   name##_steepest_host},
static const IonicType ionics[] = {
#include "physics/ionics.def"
};
#undef IONIC

int ionic_count(void) { return COUNT(ionics); }

const IonicType *ionic_type(int kind) { return kind >= 0 && kind < ionic_count() ? &ionics[kind] : NULL; }

int ionic_by_name(const char *name) {
  for (int i = 0; i < ionic_count(); ++i)
    if (!strcmp(ionics[i].name, name)) return i;
  return -1;
}

int ionic_parameter(int kind, const char *name) {
  const IonicType *type = ionic_type(kind);
  for (int i = 0; type && i < type->n_param; ++i)
    if (!strcmp(type->param[i].name, name)) return i;
  return -1;
}

int ionic_preset(int kind, const char *name) {
  const IonicType *type = ionic_type(kind);
  for (int i = 0; type && i < type->n_preset; ++i)
    if (!strcmp(type->preset[i].name, name)) return i;
  return -1;
}

const char *ionic_state_word(IonicStateName name) {
  static const char *const words[] = {
#define IONIC_STATE(id, name) name,
#include "physics/ionic_states.def"
#undef IONIC_STATE
  };
  return words[name];
}

int ionic_state_index(int kind, IonicStateName name) {
  const IonicType *type = ionic_type(kind);
  for (int j = 0; type && j < type->n_state; ++j)
    if (type->state_name[j].name == name) return j;
  return -1;
}

IonicConstants ionic_constants(int kind, int preset) {
  IonicConstants c = {.kind = kind};
  memcpy(c.value, ionics[kind].preset[preset].value, sizeof c.value);
  return c;
}

Status ionic_check(const IonicConstants *c) {
  const IonicType *type = ionic_type(c->kind);
  CHECK(type, ERR_BUG, "ionic model %d is not in the registry of %d", (int)c->kind, ionic_count());
  for (int i = 0; i < type->n_param; ++i) TRY(param_check(&type->param[i], c->value[i]));
  return OK;
}

bool ionic_same(const IonicConstants *a, const IonicConstants *b) {
  if (a->kind != b->kind) return false;
  for (int i = 0; i < ionics[a->kind].n_param; ++i)
    if (a->value[i] < b->value[i] || a->value[i] > b->value[i]) return false;
  return true;
}

double ionic_largest_step(const IonicConstants *c, double mass_factor) {
  const double steepest = ionics[c->kind].steepest(c);
  return steepest > 0 ? mass_factor / steepest : HUGE_VAL;
}
