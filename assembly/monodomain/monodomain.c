/* The monodomain problem on an Exec: the object and what it is made of. The arithmetic is in monodomain_rows.h, its
 * order in monodomain_apply.c. */
#include "assembly/monodomain/monodomain_data.h"
#include "core/memory.h"

#include <math.h>

/* Which state of a kind has a name, and how many there are at most. */
static Status create_slots(Monodomain *m) {
  Status status = OK;
  int32_t *slot = NULL;
  const int64_t n = (int64_t)ionic_state_count() * m->n_constants;
  ALLOC_DONE(slot, n, "states of ionic models");
  for (int32_t k = 0; k < m->n_constants; ++k) {
    const int kind = m->constants[k].kind, n_state = ionic_type(kind)->n_state;
    m->n_state = n_state > m->n_state ? n_state : m->n_state;
    for (int i = 0; i < ionic_state_count(); ++i)
      slot[(int64_t)i * m->n_constants + k] = ionic_state(kind, ionic_state_word(i));
  }
  TRY_DONE(exec_alloc_upload(m->exec, n, sizeof *slot, slot, "states of ionic models", (void **)&m->slot));
done:
  FREE(slot);
  return status;
}

static int state_sets(const Monodomain *m) { return m->keeps == MONODOMAIN_STATES_FIRST ? 2 : 1; }

static Status create_states(Monodomain *m) {
  const int64_t n = monodomain_states(m);
  EXEC_ALLOC(m->exec, m->state, n * state_sets(m), "states of cells");
  /* a cell whose model has fewer states than another leaves places free, which go to checkpoints too */
  TRY(exec_zero(m->exec, m->state, (size_t)(n * state_sets(m)) * sizeof *m->state));
  if (m->keeps == MONODOMAIN_STATES_FIRST) return monodomain_first_create(m);
  if (m->keeps != MONODOMAIN_NONE) EXEC_ALLOC(m->exec, m->history, n, "history of the states of cells");
  return OK;
}

static Status check_params(const MonodomainParams *params) {
  const DiffusionParams *diffusion = &params->diffusion;
  CHECK(diffusion->n_load == 0, ERR_BUG, "a monodomain problem takes currents as stimuli, not as loads");
  CHECK(params->n_region > 0, ERR_BUG, "a monodomain problem without an ionic model");
  CHECK(params->scheme == MONODOMAIN_NODAL || diffusion->n_link == 0, ERR_BUG, "links have cells only at nodes");
  for (int32_t r = 0; r < params->n_region; ++r) {
    TRY_CONTEXT(ionic_check(&params->region[r]), "in region %d", (int)r + 1);
    const IonicType *type = ionic_type(params->region[r].kind);
    CHECK(type->implicit || params->history == MONODOMAIN_STATES_FIRST, ERR_INPUT,
          "the states of the ionic model '%s' in region %d cannot be eliminated; only schemes whose states go first "
          "(rush-larsen) step them",
          type->name, (int)r + 1);
  }
  return OK;
}

static Status monodomain_fill(Monodomain *m, const MonodomainParams *params) {
  TRY(check_params(params));
  DiffusionParams diffusion = params->diffusion;
  diffusion.lumped = m->scheme == MONODOMAIN_NODAL;
  TRY(diffusion_create(m->exec, &diffusion, &m->diffusion));
  TRY(monodomain_kinds(m, params));
  TRY(monodomain_currents(m, params));
  if (m->n_constants > 1) TRY(incidence_fetch(m->diffusion->space->solver_incidence));
  TRY(m->scheme == MONODOMAIN_NODAL ? monodomain_node_cells(m, params) : monodomain_point_cells(m));
  TRY(monodomain_whole_find(m));
  TRY(create_slots(m));
  TRY(create_states(m));
  return m->scheme == MONODOMAIN_GAUSS ? monodomain_measure(m) : OK;
}

Status monodomain_create(Exec *exec, const MonodomainParams *params, Monodomain **out) {
  Monodomain *m = NULL;
  *out = NULL;
  ALLOC(m, 1, "monodomain problem");
  m->exec = exec;
  m->scheme = params->scheme;
  m->keeps = params->history;
  m->local = params->diffusion.share ? params->diffusion.share->local : NULL;
  const Status status = monodomain_fill(m, params);
  if (status != OK) monodomain_destroy(&m);
  *out = m;
  return status;
}

static void release_bound(Monodomain *m) {
  EXEC_RELEASE(m->exec, m->stiffness_values, m->n_value);
  EXEC_RELEASE(m->exec, m->mass_values, m->n_value);
}

static void release_blocks(Monodomain *m) {
  for (int32_t k = 0; m->diffusion && k < m->diffusion->space->set.n_solved_block; ++k)
    EXEC_RELEASE(m->exec, m->block[k].kind, m->diffusion->space->set.block[k].n);
}

void monodomain_destroy(Monodomain **monodomain) {
  Monodomain *m = *monodomain;
  if (!m) return;
  Exec *exec = m->exec;
  release_bound(m);
  release_blocks(m);
  EXEC_RELEASE(exec, m->exec_constants, m->n_constants);
  EXEC_RELEASE(exec, m->slot, (int64_t)ionic_state_count() * m->n_constants);
  EXEC_RELEASE(exec, m->state, monodomain_states(m) * state_sets(m));
  EXEC_RELEASE(exec, m->history, monodomain_states(m));
  monodomain_first_release(m);
  EXEC_RELEASE(exec, m->current_node, m->n_stimulated);
  EXEC_RELEASE(exec, m->current_start, m->n_stimulated + 1);
  EXEC_RELEASE(exec, m->current_stimulus, m->n_current);
  EXEC_RELEASE(exec, m->current_amplitude, m->n_current);
  EXEC_RELEASE(exec, m->kind, m->n_cell);
  EXEC_RELEASE(exec, m->next, m->n_cell);
  EXEC_RELEASE(exec, m->mass, m->n_cell);
  EXEC_RELEASE(exec, m->measure, m->n_cell);
  EXEC_RELEASE(exec, m->slope, m->n_cell);
  if (m->diffusion) EXEC_RELEASE(exec, m->weight, m->diffusion->space->n_node);
  diffusion_destroy(&m->diffusion);
  FREE(m->constants);
  FREE(m->start);
  FREE(m->element_kind);
  FREE(m->region_kind);
  FREE(m->link_kind);
  FREE(m->cell_kind);
  FREE(m->cell_next);
  FREE(*monodomain);
}

Diffusion *monodomain_diffusion(const Monodomain *m) { return m->diffusion; }

double monodomain_max_slope(const Monodomain *m) {
  double max_slope = 0;
  for (int32_t k = 0; k < m->n_constants; ++k)
    max_slope = fmax(max_slope, ionic_type(m->constants[k].kind)->max_slope(&m->constants[k]));
  return max_slope;
}

static Status keep_operators(Monodomain *m, const SlotMap *slots) {
  m->n_value = slots->n_value;
  EXEC_ALLOC(m->exec, m->stiffness_values, m->n_value, "stiffness values");
  EXEC_ALLOC(m->exec, m->mass_values, m->n_value, "mass values");
  return diffusion_operators(m->diffusion, m->stiffness_values, m->mass_values);
}

Status monodomain_bind(Monodomain *m, const SlotMap *slots) {
  release_bound(m);
  TRY(diffusion_bind(m->diffusion, slots));
  if (m->scheme == MONODOMAIN_NODAL) return OK;
  const Status status = keep_operators(m, slots);
  if (status != OK) release_bound(m);
  return status;
}
