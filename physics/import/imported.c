#include "physics/import/imported.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "physics/import/cell_batch.h"
#include "physics/import/cell_sums.h"
#include "physics/import/cell_trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* type first: an IonicType of an imported model is one of these. */
typedef struct Imported {
  IonicType type;
  IonicProgram step, rate;
  CellBatch step_alone, rate_alone; /* the same for one cell */
  double V, initial[IONIC_IMPORTED_STATES];
  double max_slope, front_slope;
  IonicState state[IONIC_IMPORTED_STATES];
  char name[NAME_TEXT], state_name[IONIC_IMPORTED_STATES][NAME_TEXT], state_unit[IONIC_IMPORTED_STATES][UNIT_TEXT];
} Imported;

static const Imported *imported(const IonicConstants *c) { return (const Imported *)(const void *)ionic_type(c->kind); }

static double imported_first(const IonicConstants *c, double V, double stimulus, double dt, double *s, double *by_V) {
  return cell_batch_run(&imported(c)->step_alone, s, s, V, stimulus, dt, by_V);
}

static void imported_rate(const IonicConstants *c, double V, const double *s, double *g) {
  double by_V;
  (void)cell_batch_run(&imported(c)->rate_alone, s, g, V, 0, 0, &by_V);
}

static double imported_reaction(const IonicConstants *c, double V, const double *s, double *by_V, double *by_s) {
  double g[IONIC_IMPORTED_STATES];
  const Imported *m = imported(c);
  for (int j = 0; j < m->type.n_state; ++j) by_s[j] = 0;
  return cell_batch_run(&m->rate_alone, s, g, V, 0, 0, by_V);
}

static double imported_rest(const IonicConstants *c, double *s) {
  const Imported *m = imported(c);
  memcpy(s, m->initial, (size_t)m->type.n_state * sizeof *s);
  return m->V;
}
static double imported_max_slope(const IonicConstants *c) { return imported(c)->max_slope; }
static double imported_front_slope(const IonicConstants *c) { return imported(c)->front_slope; }

static void name_states(const CellModel *model, const CellGraph *c, Imported *m) {
  for (int j = 0; j < c->n_state; ++j) {
    cell_state_word(model, c, j, m->state_name[j]);
    unit_text(model->variable[c->variable[j]].unit, m->state_unit[j]);
    m->state[j] = (IonicState){m->state_name[j], m->state_unit[j]};
  }
}

static void fill_type(const char *path, const CellGraph *c, Imported *m) {
  static const IonicPreset none[] = {{"file", "as the file has it", {0}}};
  const char *slash = strrchr(path, '/');
  snprintf(m->name, sizeof m->name, "%s", slash ? slash + 1 : path);
  m->V = c->V;
  memcpy(m->initial, c->initial, sizeof m->initial);
  m->type = (IonicType){.name = m->name,
                        .meaning = "read from a file",
                        .n_state = c->n_state,
                        .n_gate = c->n_gate,
                        .n_preset = 1,
                        .state = m->state,
                        .preset = none,
                        .program = &m->step,
                        .first = imported_first,
                        .rate = imported_rate,
                        .reaction = imported_reaction,
                        .rest = imported_rest,
                        .max_slope = imported_max_slope,
                        .front_slope = imported_front_slope};
}

static void release(Imported **m) {
  if (!*m) return;
  cell_program_release(&(*m)->step);
  cell_program_release(&(*m)->rate);
  cell_batch_release(&(*m)->step_alone);
  cell_batch_release(&(*m)->rate_alone);
  FREE(*m);
}

static Status fill(const ImportParams *params, Imported *m) {
  CellModel *model = NULL;
  CellGraph *graph = NULL;
  CellTrial trial;
  Status status = cell_model_load(params->path, &model);
  if (status == OK) status = cell_model_choose(model, params->potential, params->stimulus);
  if (status == OK && !params->ignore_units) status = cell_model_check_units(model);
  const CellGraphParams settings = {.n_setting = params->n_setting, .setting = params->setting};
  if (status == OK) status = cell_graph_create(model, &settings, &graph);
  if (status == OK) status = cell_trial(graph, &trial);
  if (status == OK) status = cell_program_create(graph, CELL_RATE, NULL, &m->rate); /* as the file has them */
  if (status == OK) status = cell_keep_sums(graph, trial.stiff);
  if (status == OK) status = cell_program_create(graph, CELL_STEP, trial.stiff, &m->step);
  if (status == OK) status = cell_batch_create(&m->step, graph->n_state, &m->step_alone);
  if (status == OK) status = cell_batch_create(&m->rate, graph->n_state, &m->rate_alone);
  if (status == OK) m->max_slope = trial.max_slope, m->front_slope = trial.front_slope;
  if (status == OK) name_states(model, graph, m), fill_type(params->path, graph, m);
  cell_graph_destroy(&graph);
  cell_model_destroy(&model);
  return status;
}

Status imported_open(const ImportParams *params, int *kind) {
  Imported *m = NULL;
  *kind = -1;
  ALLOC(m, 1, "a cell model");
  Status status = fill(params, m);
  if (status == OK) status = ionic_add(&m->type, kind);
  if (status != OK) release(&m);
  return status;
}

void imported_close(int kind) {
  if (kind < 0) return;
  Imported *m = (Imported *)(uintptr_t)ionic_type(kind);
  ionic_remove(kind);
  release(&m);
}

uint64_t imported_hash(int kind) {
  const Imported *m = imported(&(IonicConstants){.kind = kind});
  uint64_t hash = fnv_words(FNV_BASIS, m->step.step, (size_t)m->step.n_step * sizeof *m->step.step);
  hash = fnv_words(hash, m->step.constant, (size_t)m->step.n_constant * sizeof *m->step.constant);
  hash = fnv_words(hash, m->initial, (size_t)m->type.n_state * sizeof *m->initial);
  return fnv_words(hash, &m->V, sizeof m->V);
}
