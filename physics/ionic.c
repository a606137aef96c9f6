/* The table of ionic models, made from ionics.def. */
#include "physics/ionic.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define IONIC_TABLES
#include "physics/ionic_kernels.h"

/* The inline kernels as functions with an address, and what all models have. */
#define IONIC_STATE(name, meaning) {name, meaning},
#define IONIC_FIRST(name)                                                                                              \
  static double name##_first_host(const IonicConstants *c, double V, double stimulus, double dt, double *s,            \
                                  double *by_V) {                                                                      \
    return name##_first(c, V, stimulus, dt, s, s, 1, by_V);                                                            \
  }
#define IONIC_ALL(name, n)                                                                                             \
  static const IonicState name##_state_table[] = {name##_states(IONIC_STATE)};                                         \
  IONIC_FIRST(name)                                                                                                    \
  static double name##_rest_host(const IonicConstants *c, double *s) { return name##_rest(c, s); }                     \
  static double name##_max_slope_host(const IonicConstants *c) { return name##_max_slope(c); }                         \
  static double name##_front_slope_host(const IonicConstants *c) { return name##_front_slope(c); }                     \
  _Static_assert(sizeof name##_param / sizeof name##_param[0] <= IONIC_PARAMS, "raise IONIC_PARAMS");                  \
  _Static_assert(sizeof name##_state_table / sizeof name##_state_table[0] == n, "one name for each state");
#define IONIC(name, text, n)                                                                                           \
  static double name##_front_slope(const IonicConstants *c) { return name##_max_slope(c); }                            \
  IONIC_ALL(name, n)                                                                                                   \
  _Static_assert(n >= 1 && n <= IONIC_ELIMINATED, "states that are many go first: IONIC_GATES");                       \
  static void name##_implicit_host(const IonicConstants *c, double V, const double *known, double step, double *s,     \
                                   double *by_V) {                                                                     \
    name##_state(c, V, known, step, s, by_V);                                                                          \
  }                                                                                                                    \
  static void name##_rate_host(const IonicConstants *c, double V, const double *s, double *g) {                        \
    name##_rate(c, V, s, g);                                                                                           \
  }                                                                                                                    \
  static double name##_reaction_host(const IonicConstants *c, double V, const double *s, double *by_V, double *by_s) { \
    return name##_reaction(c, V, s, by_V, by_s);                                                                       \
  }
#define IONIC_RATE(REAL, NAMED, name, model, n, n_gate)                                                                \
  static void name##_rate_host(const IonicConstants *c, double V, const double *s, double *g) {                        \
    double decay[n], by_V;                                                                                             \
    REAL rate[n], target[n];                                                                                           \
    NAMED(model##_gates)(c, V, s, rate, target);                                                                       \
    (void)model##_currents(c, V, 0, s, &by_V, g, decay);                                                               \
    for (int j = 0; j < n_gate; ++j) g[j] = (double)rate[j] * ((double)target[j] - s[j]);                              \
  }
#define IONIC_GATES(name, text, n, n_gate)                                                                             \
  IONIC_ALL(name, n)                                                                                                   \
  _Static_assert(n_gate >= 0 && n_gate <= n, "gates are states");                                                      \
  IONIC_RATE(double, IONIC_IN_DOUBLE, name, name, n, n_gate)                                                           \
  static double name##_reaction_host(const IonicConstants *c, double V, const double *s, double *by_V, double *by_s) { \
    double g[n], decay[n];                                                                                             \
    for (int j = 0; j < n; ++j) by_s[j] = 0;                                                                           \
    return name##_currents(c, V, 0, s, by_V, g, decay);                                                                \
  }
#define IONIC_FLOAT(name, text, n, n_gate)                                                                             \
  IONIC_FIRST(name##_float)                                                                                            \
  IONIC_RATE(float, IONIC_IN_FLOAT, name##_float, name, n, n_gate)
#include "physics/ionics.def"
#undef IONIC

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))
/* of `model`, with the steps and rates of its own */
#define IONIC_TYPE(name_, model, text, n, n_gates, implicit_)                                                          \
  {.name = text,                                                                                                       \
   .meaning = model##_meaning,                                                                                         \
   .n_state = n,                                                                                                       \
   .n_gate = n_gates,                                                                                                  \
   .n_param = COUNT(model##_param),                                                                                    \
   .n_preset = COUNT(model##_preset),                                                                                  \
   .state = model##_state_table,                                                                                       \
   .param = model##_param,                                                                                             \
   .preset = model##_preset,                                                                                           \
   .implicit = implicit_,                                                                                              \
   .first = name_##_first_host,                                                                                        \
   .abreast = name_##_abreast,                                                                                         \
   .rate = name_##_rate_host,                                                                                          \
   .reaction = model##_reaction_host,                                                                                  \
   .rest = model##_rest_host,                                                                                          \
   .max_slope = model##_max_slope_host,                                                                                \
   .front_slope = model##_front_slope_host},
#define IONIC(name, text, n) IONIC_TYPE(name, name, text, n, 0, name##_implicit_host)
#define IONIC_GATES(name, text, n, n_gate) IONIC_TYPE(name, name, text, n, n_gate, NULL)
#define IONIC_FLOAT(name, text, n, n_gate) IONIC_TYPE(name##_float, name, text, n, n_gate, NULL)
static const IonicType ionics[] = {
#include "physics/ionics.def"
};
#undef IONIC

/* The kinds that have a name of their own come first. */
enum {
#define IONIC_LISTED
#define IONIC(name, text, n) LISTED_##name,
#include "physics/ionics.def"
#undef IONIC
#undef IONIC_LISTED
  N_LISTED
};
/* Of those behind them, the kind of the same cell with its gates in double. */
static const int of_float[] = {
#define IONIC(name, text, n)
#define IONIC_GATES(name, text, n, n_gate)
#define IONIC_FLOAT(name, text, n, n_gate) LISTED_##name,
#include "physics/ionics.def"
#undef IONIC
};

int ionic_listed(void) { return N_LISTED; }

int ionic_in_float(int kind) {
  for (int k = 0; k < COUNT(of_float); ++k)
    if (of_float[k] == kind) return N_LISTED + k;
  return -1;
}

IonicPulse ionic_pulse(int kind) {
  static const IonicPulse any = {52, 1};
  static const struct {
    int kind;
    IonicPulse pulse;
  } own[] = {{LISTED_courtemanche, {92.36, 0.5}}, {LISTED_ohara_rudy, {116, 0.5}}, {LISTED_tor_ord, {106, 0.5}}};
  for (int k = 0; k < COUNT(own); ++k)
    if (ionic_in_double(kind) == own[k].kind) return own[k].pulse;
  return any;
}

int ionic_in_double(int kind) {
  const int k = kind - N_LISTED;
  return k >= 0 && k < COUNT(of_float) ? of_float[k] : kind;
}

const char *ionic_text(int kind, char text[IONIC_TEXT]) {
  const int base = ionic_in_double(kind);
  snprintf(text, IONIC_TEXT, "%s%s", ionic_type(base)->name, base != kind ? ", gates in float" : "");
  return text;
}

int ionic_count(void) { return COUNT(ionics); }

/* Those that were read from files; several threads may do so at once. */
static const IonicType *added[IONIC_ADDED];
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

const IonicType *ionic_type(int kind) {
  const int more = kind - ionic_count();
  if (more >= 0) return more < IONIC_ADDED ? added[more] : NULL;
  return kind >= 0 ? &ionics[kind] : NULL;
}

Status ionic_add(const IonicType *type, int *kind) {
  int k = 0;
  pthread_mutex_lock(&adding);
  while (k < IONIC_ADDED && added[k]) ++k;
  if (k < IONIC_ADDED) added[k] = type;
  pthread_mutex_unlock(&adding);
  *kind = k < IONIC_ADDED ? ionic_count() + k : -1;
  CHECK(k < IONIC_ADDED, ERR_INPUT, "more than %d cell models from files", IONIC_ADDED);
  return OK;
}

void ionic_remove(int kind) {
  pthread_mutex_lock(&adding);
  if (kind >= ionic_count() && kind < ionic_count() + IONIC_ADDED) added[kind - ionic_count()] = NULL;
  pthread_mutex_unlock(&adding);
}

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

int ionic_state(int kind, const char *name) {
  const IonicType *type = ionic_type(kind);
  for (int j = 0; type && j < type->n_state; ++j)
    if (!strcmp(type->state[j].name, name)) return j;
  return -1;
}

int ionic_state_count(void) {
  int n = 0;
  for (int kind = 0; kind < ionic_listed(); ++kind) n += ionics[kind].n_state;
  return n;
}

const char *ionic_state_word(int index) {
  int kind = 0;
  while (index >= ionics[kind].n_state) index -= ionics[kind++].n_state;
  return ionics[kind].state[index].name;
}

int ionic_state_index(const char *name) {
  for (int kind = 0, first = 0; kind < ionic_listed(); first += ionics[kind++].n_state)
    if (ionic_state(kind, name) >= 0) return first + ionic_state(kind, name);
  return -1;
}

IonicConstants ionic_constants(int kind, int preset) {
  IonicConstants c = {.kind = kind};
  memcpy(c.value, ionic_type(kind)->preset[preset].value, sizeof c.value);
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
  for (int i = 0; i < ionic_type(a->kind)->n_param; ++i)
    if (a->value[i] < b->value[i] || a->value[i] > b->value[i]) return false;
  return true;
}

double ionic_largest_step(const IonicConstants *c, double mass_factor) {
  const double max_slope = ionic_type(c->kind)->max_slope(c);
  return max_slope > 0 ? mass_factor / max_slope : HUGE_VAL;
}
