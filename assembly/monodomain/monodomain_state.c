/* States on their way between host and Exec: cells at rest, wholly or where asked for. */
#include "assembly/monodomain/monodomain_data.h"
#include "core/memory.h"
#include "core/parts.h"

#include <string.h>

/* Cells at rest, by their kind. */
typedef struct Rest {
  double *V;     /* owned, [n_constants] */
  double *state; /* owned, [n_constants][n_state] */
} Rest;

static void rest_release(Rest *rest) {
  FREE(rest->V);
  FREE(rest->state);
}

static Status rest_create(const Monodomain *m, Rest *out) {
  ALLOC(out->V, m->n_constants, "cells at rest");
  ALLOC(out->state, (int64_t)m->n_constants * m->n_state, "cells at rest");
  for (int32_t k = 0; k < m->n_constants; ++k) {
    const IonicType *type = ionic_type(m->constants[k].kind);
    double *state = out->state + (int64_t)k * m->n_state;
    if (m->start) memcpy(state, m->start[k].state, (size_t)type->n_state * sizeof *state);
    out->V[k] = m->start ? m->start[k].V : type->rest(&m->constants[k], state);
  }
  return OK;
}

/* Kind of the cell whose resting potential a node takes: its first in NODAL, that of its first element in GAUSS. */
static uint16_t kind_at_node(const Monodomain *m, int32_t i) {
  if (m->n_constants == 1) return 0;
  if (m->scheme == MONODOMAIN_NODAL) return m->cell_kind[i];
  const Incidence *incidence = m->diffusion->space->solver_incidence;
  if (incidence->start[i] == incidence->start[i + 1]) return 0;
  const ElementRef touch = incidence->touch[incidence->start[i]];
  const MonodomainBlock *block = &m->block[touch.block];
  return m->cell_kind[block->first + touch.element * block->step_e];
}

int64_t monodomain_local_size(const Monodomain *m) { return monodomain_states(m) * (m->history ? 2 : 1); }

Status monodomain_local_save(const Monodomain *m, double *state) {
  const int64_t n = monodomain_states(m);
  const size_t bytes = (size_t)n * sizeof *state;
  int32_t turn = 0;
  if (m->turn) TRY(exec_download(m->exec, &turn, m->turn, sizeof turn));
  TRY(exec_download(m->exec, state, m->state + (turn ? n : 0), bytes));
  return m->history ? exec_download(m->exec, state + n, m->history, bytes) : OK;
}

Status monodomain_local_load(Monodomain *m, const double *state) {
  const int64_t n = monodomain_states(m);
  const size_t bytes = (size_t)n * sizeof *state;
  if (m->turn) TRY(exec_zero(m->exec, m->turn, sizeof *m->turn));
  TRY(exec_upload(m->exec, m->state, state, bytes));
  return m->history ? exec_upload(m->exec, m->history, state + n, bytes) : OK;
}

static void rest_cell(const Monodomain *m, const Rest *rest, double *state, int64_t k) {
  const double *own = rest->state + (int64_t)m->cell_kind[k] * m->n_state;
  for (int32_t j = 0; j < m->n_state; ++j) {
    state[j * m->n_cell + k] = own[j];
    if (m->history) state[(m->n_state + j) * m->n_cell + k] = 0;
  }
}

Status monodomain_rest(Monodomain *m, double *V) {
  Status status = OK;
  const int32_t n = (int32_t)monodomain_rows(m);
  double *state = NULL, *potential = NULL;
  Rest rest = {0};
  ALLOC_DONE(state, monodomain_local_size(m), "cells at rest");
  ALLOC_DONE(potential, n, "resting potentials");
  TRY_DONE(rest_create(m, &rest));
#pragma omp parallel for schedule(static) num_threads(parts_of(m->n_cell))
  for (int64_t k = 0; k < m->n_cell; ++k) rest_cell(m, &rest, state, k);
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i) potential[i] = rest.V[kind_at_node(m, i)];
  TRY_DONE(monodomain_local_load(m, state));
  TRY_DONE(exec_upload(m->exec, V, potential, (size_t)n * sizeof *potential));
done:
  FREE(state);
  FREE(potential);
  rest_release(&rest);
  return status;
}

/* A function of the mesh's nodes at the points of block k: point[n_cell]. */
static Status at_points(const Monodomain *m, int32_t k, const double *value, double *point) {
  const Diffusion *p = m->diffusion;
  const SetBlock *b = &p->space->set.block[k];
  const MonodomainBlock *block = &m->block[k];
  const int32_t n = b->type->n_node, *order = p->space->numbering.element[k];
  Quadrature rule;
  double *N = NULL;
  TRY(element_stiffness_quadrature(b->type, &rule));
  ALLOC(N, (int64_t)rule.n * n, "shape functions");
  element_tabulate(b->type, &rule, N, NULL);
  for (int32_t e = 0; e < b->n; ++e) {
    const int32_t *nodes = b->nodes + (int64_t)(order ? order[e] : e) * n;
    for (int32_t q = 0; q < rule.n; ++q) {
      double sum = 0;
      for (int32_t a = 0; a < n; ++a) sum += N[q * n + a] * value[nodes[a]];
      point[block->first + q * block->step_q + e * block->step_e] = sum;
    }
  }
  FREE(N);
  return OK;
}

/* The same in all cells: cell[n_cell]. */
static Status at_cells(const Monodomain *m, const double *value, double *cell) {
  for (int32_t k = 0; k < m->diffusion->space->set.n_solved_block && m->scheme == MONODOMAIN_GAUSS; ++k)
    TRY(at_points(m, k, value, cell));
  const int32_t n = m->scheme == MONODOMAIN_NODAL ? (int32_t)monodomain_rows(m) : 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i)
    for (int32_t k = i; k >= 0; k = m->cell_next ? m->cell_next[k] : -1)
      cell[k] = value[diffusion_node(m->diffusion, i)];
  return OK;
}

/* State j of the cells where it has the name, by their kind: index[n_constants]. row[n_cell]: work space. */
static Status set_row(Monodomain *m, int j, const int *index, const double *cell, double *row) {
  int32_t turn = 0;
  if (m->turn) TRY(exec_download(m->exec, &turn, m->turn, sizeof turn));
  double *state = m->state + (turn ? monodomain_states(m) : 0) + j * m->n_cell;
  if (m->n_constants > 1) TRY(exec_download(m->exec, row, state, (size_t)m->n_cell * sizeof *row));
#pragma omp parallel for schedule(static) num_threads(parts_of(m->n_cell))
  for (int64_t k = 0; k < m->n_cell; ++k)
    if (index[m->cell_kind[k]] == j) row[k] = cell[k];
  return exec_upload(m->exec, state, row, (size_t)m->n_cell * sizeof *row);
}

Status monodomain_set_state(Monodomain *m, const char *name, const double *value) {
  Status status = OK;
  double *row = NULL, *cell = NULL;
  int *index = NULL;
  ALLOC_DONE(row, m->n_cell, "a state of cells");
  ALLOC_DONE(cell, m->n_cell, "a state of cells");
  ALLOC_DONE(index, m->n_constants, "a state of cells");
  for (int32_t c = 0; c < m->n_constants; ++c) index[c] = ionic_state(m->constants[c].kind, name);
  TRY_DONE(at_cells(m, value, cell));
  for (int32_t c = 0; c < m->n_constants; ++c) {
    bool before = index[c] < 0;
    for (int32_t k = 0; k < c; ++k) before |= index[k] == index[c];
    if (!before) TRY_DONE(set_row(m, index[c], index, cell, row));
  }
done:
  FREE(row);
  FREE(cell);
  FREE(index);
  return status;
}

Status monodomain_reset(Monodomain *m, const uint8_t *inside, double *V) {
  Status status = OK;
  const int32_t n = (int32_t)monodomain_rows(m);
  double *state = NULL, *potential = NULL, *one = NULL, *cell = NULL;
  Rest rest = {0};
  ALLOC_DONE(state, monodomain_local_size(m), "cells at rest");
  ALLOC_DONE(potential, n, "resting potentials");
  ALLOC_DONE(one, m->diffusion->space->n_node, "nodes at rest");
  ALLOC_DONE(cell, m->n_cell, "cells at rest");
  TRY_DONE(rest_create(m, &rest));
  TRY_DONE(monodomain_local_save(m, state));
  TRY_DONE(exec_download(m->exec, potential, V, (size_t)n * sizeof *V));
  for (int32_t i = 0; i < m->diffusion->space->n_node; ++i) one[i] = inside[i] ? 1 : 0;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t node = diffusion_node(m->diffusion, i);
    if (inside[node]) potential[i] = rest.V[kind_at_node(m, i)];
  }
  TRY_DONE(at_cells(m, one, cell));
  for (int64_t k = 0; k < m->n_cell; ++k)
    if (cell[k] >= 0.5 - 1e-9) rest_cell(m, &rest, state, k);
  TRY_DONE(monodomain_local_load(m, state));
  TRY_DONE(exec_upload(m->exec, V, potential, (size_t)n * sizeof *V));
done:
  rest_release(&rest);
  FREE(state);
  FREE(potential);
  FREE(one);
  FREE(cell);
  return status;
}
