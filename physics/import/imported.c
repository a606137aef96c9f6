#include "physics/import/imported.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "core/percent.h"
#include "physics/import/cell_batch.h"
#include "physics/import/cell_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MOST_CHANGE = 0.005;

/* type first: an IonicType of an imported model is one of these. */
typedef struct Imported {
  IonicType type;
  IonicProgram step, rate;
  CellBatch step_alone, rate_alone; /* the same for one cell */
  double V, initial[IONIC_IMPORTED_STATES];
  double max_slope, front_slope;
  int n_block, n_together; /* blocks of states that step together, and states of those */
  CellAccuracy accuracy;
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

static int blocks_of(const CellGraph *c, int *n_together) {
  int most = 0;
  *n_together = 0;
  for (int j = 0; j < c->n_state; ++j) {
    *n_together += c->block[j] > 0;
    if (c->block[j] > most) most = c->block[j];
  }
  return most;
}

static void release(Imported **m) {
  if (!*m) return;
  cell_program_release(&(*m)->step);
  cell_program_release(&(*m)->rate);
  cell_batch_release(&(*m)->step_alone);
  cell_batch_release(&(*m)->rate_alone);
  FREE(*m);
}

static Status check_units(const ImportParams *params, const CellModel *model) {
  if (params->units == UNITS_IGNORE) return OK;
  if (params->units == UNITS_CHECK || !model->cellml) return cell_model_check_units(model);
  if (!params->again) cell_model_warn_units(model);
  return OK;
}

static Status fill(const ImportParams *params, Imported *m) {
  CellModel *model = NULL;
  CellPlan plan = {0};
  Status status = cell_model_load(params->path, &model);
  if (status == OK) status = cell_model_choose(model, params->potential, params->stimulus);
  if (status == OK) status = check_units(params, model);
  const CellGraphParams settings = {.n_setting = params->n_setting, .setting = params->setting};
  if (status == OK) status = cell_plan_create(model, &settings, &plan);
  if (status == OK) {
    m->step = plan.step, m->rate = plan.rate;
    plan.step = plan.rate = (IonicProgram){0};
    m->max_slope = plan.trial.max_slope, m->front_slope = plan.trial.front_slope;
    m->accuracy = plan.accuracy;
    m->n_block = blocks_of(plan.graph, &m->n_together);
    status = cell_batch_create(&m->step, plan.graph->n_state, &m->step_alone);
  }
  if (status == OK) status = cell_batch_create(&m->rate, plan.graph->n_state, &m->rate_alone);
  if (status == OK) name_states(model, plan.graph, m), fill_type(params->path, plan.graph, m);
  cell_plan_release(&plan);
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

Status imported_check_step(int kind, double step) {
  if (!ionic_type(kind)->program) return OK;
  const Imported *m = imported(&(IonicConstants){.kind = kind});
  const CellAccuracy *a = &m->accuracy;
  char share[32];
  const double change = fabs(a->change) * step / a->tried;
  if (step <= a->longest * (1 + 1e-9)) return OK;
  CHECK(a->longest > 0, ERR_INPUT,
        "the cell model '%s' has no reliable beat: with steps of %g to %g ms each beat differs from that with half the "
        "step, or does not reach the potential of a cell (%.3g mV)\n  remedy: other parameters, or another model",
        m->name, CELL_STEP_TRIED, 2 * a->tried, a->peak);
  CHECK(change > MOST_CHANGE, ERR_INPUT,
        "steps of %g ms are too long for the cell model '%s': with them, or with %g ms, its beat differs from that "
        "with half the step\n  allowed: steps up to %.2g ms",
        step, m->name, 2 * a->tried, a->longest);
  return FAIL(ERR_INPUT,
              "steps of %g ms are too long for the cell model '%s': its beats last about %s too %s (with steps of %g "
              "ms, compared with shorter ones)\n  allowed: steps up to %.2g ms, which keep that within 0.5 %%",
              step, m->name, percent_text(change, share), a->change > 0 ? "long" : "short", a->tried,
              0.995 * a->longest);
}

const char *imported_text(int kind, char text[IMPORTED_TEXT]) {
  const Imported *m = imported(&(IonicConstants){.kind = kind});
  const CellAccuracy *a = &m->accuracy;
  char share[32];
  int n = snprintf(text, IMPORTED_TEXT, "%d states besides the potential, %d of them gates", m->type.n_state,
                   m->type.n_gate);
  if (m->n_block)
    n += snprintf(text + n, IMPORTED_TEXT - (size_t)n, ", %d in %d block%s that step%s together", m->n_together,
                  m->n_block, m->n_block > 1 ? "s" : "", m->n_block > 1 ? "" : "s");
  n += snprintf(text + n, IMPORTED_TEXT - (size_t)n, "; %d operations a step; ", (int)m->step.n_step);
  if (a->beat)
    snprintf(text + n, IMPORTED_TEXT - (size_t)n, "durations within %s with steps of %g ms",
             percent_text(fabs(a->change), share), a->tried);
  else
    snprintf(text + n, IMPORTED_TEXT - (size_t)n,
             "no beat within a second, so that the error of durations is not known");
  return text;
}
