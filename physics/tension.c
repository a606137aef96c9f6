/* The table of models of active tension, made from tensions.def. */
#include "physics/tension.h"
#include "physics/tension_program.h"

#include <pthread.h>
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

/* Those that were read from files; several threads may do so at once. */
static const TensionType *added[TENSION_ADDED];
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

const TensionType *tension_type(int kind) {
  const int more = kind - tension_count();
  if (more >= 0) return more < TENSION_ADDED ? added[more] : NULL;
  return kind >= 0 ? &tensions[kind] : NULL;
}

Status tension_add(const TensionType *type, int *kind) {
  int k = 0;
  pthread_mutex_lock(&adding);
  while (k < TENSION_ADDED && added[k]) ++k;
  if (k < TENSION_ADDED) added[k] = type;
  pthread_mutex_unlock(&adding);
  *kind = k < TENSION_ADDED ? tension_count() + k : -1;
  CHECK(k < TENSION_ADDED, ERR_INPUT, "more than %d models of tension from files", TENSION_ADDED);
  return OK;
}

void tension_remove(int kind) {
  pthread_mutex_lock(&adding);
  if (kind >= tension_count() && kind < tension_count() + TENSION_ADDED) added[kind - tension_count()] = NULL;
  pthread_mutex_unlock(&adding);
}

void tension_type_step(const TensionType *type, const double *value, const TensionIn *in, TensionOut *out) {
  if (type->program) tension_program_step(type->program, type->n_state, in, out);
  else type->step(value, in, out);
}

void tension_type_begin(const TensionType *type, const double *value, double drive, double stretch, double *state) {
  if (type->program) memcpy(state, value, (size_t)type->n_state * sizeof *state);
  else type->begin(value, drive, stretch, state);
}

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
  return type->check ? type->check(value) : OK;
}
