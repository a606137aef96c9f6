/* The table of models of active tension, made from tensions.def. */
#include "physics/tension.h"

#include <string.h>

#define TENSION_TABLES
#define TENSION_HEADERS
#include "physics/tensions.def"
#undef TENSION_HEADERS

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))
#define TENSION_STATE(name, meaning) {name, meaning},

/* The inline functions as functions with an address. */
#define TENSION(name, word)                                                                                            \
  static const TensionState name##_state_table[] = {name##_states(TENSION_STATE)};                                     \
  _Static_assert(COUNT(name##_state_table) <= TENSION_STATES, "raise TENSION_STATES");                                 \
  _Static_assert(COUNT(name##_param) <= TENSION_PARAMS, "raise TENSION_PARAMS");                                       \
  static void name##_step(const double *value, const TensionIn *in, TensionOut *out) {                                 \
    name##_tension(value, in, out);                                                                                    \
  }                                                                                                                    \
  static void name##_begin(const double *value, double drive, double stretch, double *state) {                         \
    name##_tension_begin(value, drive, stretch, state);                                                                \
  }
#include "physics/tensions.def"
#undef TENSION

#define TENSION(name_, word)                                                                                           \
  {.name = word,                                                                                                       \
   .meaning = name_##_meaning,                                                                                         \
   .n_state = COUNT(name_##_state_table),                                                                              \
   .n_param = COUNT(name_##_param),                                                                                    \
   .n_preset = COUNT(name_##_preset),                                                                                  \
   .state = name_##_state_table,                                                                                       \
   .param = name_##_param,                                                                                             \
   .preset = name_##_preset,                                                                                           \
   .shape = name_##_shape,                                                                                             \
   .check = name_##_check,                                                                                             \
   .step = name_##_step,                                                                                               \
   .begin = name_##_begin},
static const TensionType tensions[] = {
#include "physics/tensions.def"
};
#undef TENSION

int tension_count(void) { return COUNT(tensions); }

const TensionType *tension_type(int kind) { return kind >= 0 && kind < tension_count() ? &tensions[kind] : NULL; }

int tension_by_name(const char *name) {
  for (int i = 0; i < tension_count(); ++i)
    if (strcmp(tensions[i].name, name) == 0) return i;
  return -1;
}

int tension_preset(int kind, const char *name) {
  const TensionType *type = tension_type(kind);
  for (int i = 0; type && i < type->n_preset; ++i)
    if (strcmp(type->preset[i].name, name) == 0) return i;
  return -1;
}

Status tension_check(int kind, const double *value) {
  const TensionType *type = tension_type(kind);
  CHECK(type, ERR_BUG, "tension model %d is not in the registry of %d", kind, tension_count());
  for (int i = 0; i < type->n_param; ++i) TRY(param_check(&type->param[i], value[i]));
  return type->check(value);
}
