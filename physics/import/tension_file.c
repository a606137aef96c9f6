#include "physics/import/tension_file.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "physics/import/cell_program.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* type first: a TensionType of a model from a file is one of these. */
typedef struct FileTension {
  TensionType type;
  IonicProgram step;
  TensionPreset begin; /* states */
  TensionState state[TENSION_STATES];
  char name[NAME_TEXT], word[TENSION_STATES][NAME_TEXT];
} FileTension;

/* What variables are called, in small letters without underscores; the first that there is. */
enum { CALLED_MOST = 8 };
static const struct Called {
  const char *what, *key, *name[CALLED_MOST];
} called[] = {
    {"calcium", "drive-variable", {"cai", "ca", "calcium", "ca2i", "cacyt", NULL}},
    {"stretch", "stretch-variable", {"lambda", "lmbda", "stretch", "fiberstretch", "fibrestretch", NULL}},
    {"rate of the stretch",
     "rate-variable",
     {"dellambda", "dlambdadt", "dlambda", "lambdarate", "dlmbdadt", "stretchrate", "dstretchdt", NULL}},
    {"tension", "tension-variable", {"tension", "ta", "activetension", "tactive", "tensionactive", NULL}},
    {"potential", "drive-variable", {"vm", "v", NULL}},
};
enum { CALLED_TENSION = N_CELL_INPUTS, CALLED_POTENTIAL };

static bool is_called(Name name, const char *word) {
  int n = 0;
  for (int32_t k = 0; k < name.n; ++k) {
    if (name.text[k] == '_') continue;
    if (!word[n] || tolower((unsigned char)name.text[k]) != word[n]) return false;
    ++n;
  }
  return name.n > 0 && !word[n];
}

/* The variable that is given, or so called, what other programs call it first; NONE. */
static Status find(const CellModel *m, int which, const char *given, int32_t *out) {
  *out = given ? cell_model_find(m, given) : NONE;
  if (given) return *out >= 0 ? OK : cell_model_unknown(m, given);
  for (int inside = 0; inside < 2; ++inside)
    for (int k = 0; called[which].name[k]; ++k)
      for (int32_t i = 0; i < m->n_variable; ++i)
        if (is_called(inside ? m->variable[i].name : m->variable[i].outside, called[which].name[k])) {
          *out = i;
          return OK;
        }
  return OK;
}

static Status none(const CellModel *m, int which, const char *more) {
  return FAIL(
      ERR_INPUT,
      "%s: no variable of this model of tension is its %s%s\n  allowed names: %s, %s and the like\n  remedy: say "
      "which one, '%s: component.name'",
      m->path, called[which].what, more, called[which].name[0], called[which].name[1], called[which].key);
}

/* Who is what; of the inputs the roles are set, so that nobody else may set them. */
static Status find_all(const TensionFile *file, CellModel *m, CellTension *out, TensionShape *shape) {
  const char *given[] = {file->drive, file->stretch, file->rate};
  char name[NAME_TEXT];
  *shape = (TensionShape){.drive = TENSION_BY_CALCIUM};
  *out = (CellTension){.unit = {"uM", "1", "1/ms"}};
  for (int k = 0; k < N_CELL_INPUTS; ++k) TRY(find(m, k, given[k], &out->input[k]));
  if (out->input[CELL_DRIVE] < 0) TRY(find(m, CALLED_POTENTIAL, NULL, &out->input[CELL_DRIVE]));
  if (out->input[CELL_DRIVE] < 0) return none(m, CELL_DRIVE, " and none a potential");
  ModelVariable *drive = &m->variable[out->input[CELL_DRIVE]];
  Unit volt;
  (void)unit_named("V", 1, &volt);
  const bool named = is_called(drive->name, "v") || is_called(drive->name, "vm") || is_called(drive->outside, "vm");
  if (drive->unit.known ? unit_same_powers(drive->unit, volt) : named)
    shape->drive = TENSION_BY_POTENTIAL, out->unit[CELL_DRIVE] = "mV";
  shape->stretches = out->input[CELL_STRETCH] >= 0 || out->input[CELL_STRETCH_RATE] >= 0;
  TRY(find(m, CALLED_TENSION, file->tension, &out->tension));
  if (out->tension < 0) return none(m, CALLED_TENSION, "");
  for (int k = 0; k < N_CELL_INPUTS; ++k) {
    const int32_t i = out->input[k];
    if (i < 0) continue;
    if (m->variable[i].is_state)
      return model_fail(m, m->variable[i].place, "'%s' is a state, and the body gives a model of tension its %s",
                        cell_model_name(m, i, name), called[k].what);
    if (m->variable[i].role == ROLE_INPUT)
      return model_fail(m, m->variable[i].place, "'%s' is named twice", cell_model_name(m, i, name));
    m->variable[i].role = ROLE_INPUT;
  }
  for (int32_t i = 0; i < m->n_variable; ++i)
    if (m->variable[i].role == ROLE_OUTSIDE)
      return model_fail(
          m, m->variable[i].place,
          "'%s' comes from outside (.external()), and a model of tension is told calcium or the potential, the "
          "stretch and its rate\n  remedy: write %s_init = ..;, or say that it is one of these: "
          "'drive-variable', 'stretch-variable', 'rate-variable'",
          cell_model_name(m, i, name), cell_model_name(m, i, name));
  return OK;
}

/* Gates are those whose way depends on no other state; all else goes together. */
static Status keep_gates(CellGraph *c) {
  bool is_gate[IONIC_IMPORTED_STATES] = {false};
  uint8_t *mark = NULL;
  ALLOC(mark, c->graph.n, "a model of tension");
  for (int j = 0; j < c->n_gate; ++j) {
    is_gate[j] = true;
    for (int k = 0; k < c->n_state; ++k)
      if (k != j && graph_needs(&c->graph, c->rate[j], c->leaf[k], mark)) is_gate[j] = false;
  }
  FREE(mark);
  cell_graph_gates_first(c, is_gate);
  return OK;
}

/* A twitch at rest length, in steps of 1 ms: numbers, and tension at all. */
static Status check_twitch(const CellModel *m, const FileTension *t) {
  const bool calcium = t->type.shape.drive == TENSION_BY_CALCIUM;
  double old[TENSION_STATES], now[TENSION_STATES], most = 0;
  TensionOut out = {.state = now};
  memcpy(old, t->begin.value, sizeof old);
  for (int i = 1; i <= 400; ++i) {
    const double bump = fmax(0, sin(3.141592653589793 * i / 200));
    const TensionIn in = {1, calcium ? 0.14 + 0.86 * bump : -80 + 110 * bump, 1, 1, old};
    tension_type_step(&t->type, t->begin.value, &in, &out);
    for (int k = 0; k < t->type.n_state; ++k) out.tension += 0 * now[k]; /* not a number where one of them is not */
    CHECK(isfinite(out.tension) && isfinite(out.slope), ERR_INPUT,
          "%s: the tension is not a number %d ms after the begin of a twitch at a stretch of 1, with %s of %.3g %s\n"
          "  remedy: other parameters, or initial values",
          m->path, i, calcium ? "calcium" : "a potential", in.drive, calcium ? "uM" : "mV");
    memcpy(old, now, sizeof old);
    most = fmax(most, out.tension);
  }
  if (!(most > 0))
    status_warn(
        "%s: no tension comes of a twitch with %s from %s: is that the unit?\n  remedy: a unit of the variable that "
        "it goes by, such as .units(mM), or 'drive-variable' for another one",
        m->path, calcium ? "calcium" : "a potential", calcium ? "0.14 to 1 uM" : "-80 to 30 mV");
  return OK;
}

static void name_all(const CellModel *m, const CellGraph *c, FileTension *t, TensionShape shape) {
  const char *slash = strrchr(m->path, '/');
  snprintf(t->name, sizeof t->name, "%s", slash ? slash + 1 : m->path);
  for (int j = 0; j < c->n_state; ++j) {
    t->begin.value[j] = c->initial[j];
    t->state[j] = (TensionState){cell_state_word(m, c, j, t->word[j]), "of the file"};
  }
  t->begin.name = "file", t->begin.meaning = "as the file has it";
  t->type = (TensionType){.name = t->name,
                          .meaning = "read from a file",
                          .n_state = c->n_state,
                          .n_preset = 1,
                          .state = t->state,
                          .preset = &t->begin,
                          .shape = shape,
                          .program = &t->step};
}

static Status check_states(const CellModel *m, const CellGraph *c) {
  CHECK(c->n_state >= 1 && c->n_state <= TENSION_STATES, ERR_INPUT,
        "%s: %d states, and a model of tension has 1 to %d of them", m->path, (int)c->n_state, TENSION_STATES);
  return OK;
}

static Status fill(const TensionFile *file, FileTension *t) {
  CellModel *m = NULL;
  CellGraph *c = NULL;
  CellTension who;
  TensionShape shape;
  Status status = OK;
  TRY_DONE(cell_model_load_tension(file->path, &m));
  TRY_DONE(find_all(file, m, &who, &shape));
  if (file->units == UNITS_CHECK || (file->units == UNITS_BY_FORMAT && !m->cellml)) TRY_DONE(cell_model_check_units(m));
  else if (file->units == UNITS_BY_FORMAT) cell_model_warn_units(m);
  TRY_DONE(cell_graph_create(
      m, &(CellGraphParams){.n_setting = file->n_setting, .setting = file->setting, .tension = &who}, &c));
  TRY_DONE(check_states(m, c));
  TRY_DONE(keep_gates(c));
  TRY_DONE(cell_program_create(c, CELL_TENSION, NULL, &t->step));
  name_all(m, c, t, shape);
  TRY_DONE(check_twitch(m, t));
done:
  cell_graph_destroy(&c);
  cell_model_destroy(&m);
  return status;
}

static void release(FileTension **t) {
  if (!*t) return;
  cell_program_release(&(*t)->step);
  FREE(*t);
}

Status tension_open(const TensionFile *file, int *kind) {
  FileTension *t = NULL;
  *kind = -1;
  ALLOC(t, 1, "a model of tension");
  Status status = fill(file, t);
  if (status == OK) status = tension_add(&t->type, kind);
  if (status != OK) release(&t);
  return status;
}

void tension_close(int kind) {
  const TensionType *type = kind < 0 ? NULL : tension_type(kind);
  if (!type || !type->program) return;
  FileTension *t = (FileTension *)(uintptr_t)type;
  tension_remove(kind);
  release(&t);
}

uint64_t tension_hash(int kind) {
  const FileTension *t = (const FileTension *)(const void *)tension_type(kind);
  uint64_t hash = fnv_words(FNV_BASIS, t->step.step, (size_t)t->step.n_step * sizeof *t->step.step);
  hash = fnv_words(hash, t->step.constant, (size_t)t->step.n_constant * sizeof *t->step.constant);
  return fnv_words(hash, t->begin.value, sizeof t->begin.value);
}
