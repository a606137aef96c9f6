/* States for checkpoints, which do not know how many ranks there are: each cell has its place among those of the whole. A
 * cell at a point belongs to an element, which several ranks may have: the one that owns its first node sends it. */
#include "assembly/monodomain/monodomain_data.h"
#include "core/memory.h"

static const char *const WHAT = "states of cells on their way";

/* The element of the whole mesh that block b of this rank's begins with there; b = n_block: how many there are. */
static int32_t block_first(const Monodomain *m, int32_t b) {
  const Mesh *mesh = m->diffusion->space->mesh;
  if (m->local) return m->local->block_first[b];
  return b < mesh->n_block ? mesh->block[b].first : mesh->n_element;
}

/* Points of all elements in blocks before b of the mesh, in the whole. */
static Status points_before(const Monodomain *m, int32_t b, int64_t *n) {
  const Mesh *mesh = m->diffusion->space->mesh;
  Quadrature rule;
  *n = 0;
  for (int32_t k = 0; k < b; ++k) {
    const ElementType *type = element_type(mesh->block[k].kind);
    if (type->dim != mesh->dim) continue;
    TRY(element_stiffness_quadrature(type, &rule));
    *n += (int64_t)(block_first(m, k + 1) - block_first(m, k)) * rule.n;
  }
  return OK;
}

Status monodomain_whole_find(Monodomain *m) {
  const int64_t n = monodomain_rows(m);
  if (m->scheme == MONODOMAIN_GAUSS) return points_before(m, m->diffusion->space->mesh->n_block, &m->n_whole);
  TRY(rank_run_find(m->exec->comm, n, &m->run[0]));
  TRY(rank_run_find(m->exec->comm, m->n_cell - n, &m->run[1]));
  m->n_whole = m->run[0].all + m->run[1].all;
  return OK;
}

int64_t monodomain_state_size(const Monodomain *m) { return m->n_state * m->n_whole * (m->history ? 2 : 1); }

/* Cells of this rank and where they lie in the whole. */
typedef struct CellPlaces {
  int64_t n;
  int64_t *cell, *place; /* owned, [n] */
} CellPlaces;

static void places_release(CellPlaces *p) {
  FREE(p->cell);
  FREE(p->place);
}

static void places_of_nodes(const Monodomain *m, CellPlaces *out) {
  const int64_t n = monodomain_rows(m);
  for (out->n = 0; out->n < m->n_cell; ++out->n) {
    const int64_t k = out->n;
    out->cell[k] = k;
    out->place[k] = k < n ? m->run[0].first + k : m->run[0].all + m->run[1].first + k - n;
  }
}

/* own: of the elements whose first node this rank owns. */
static Status places_of_block(const Monodomain *m, int32_t k, bool own, CellPlaces *out) {
  const Space *s = m->diffusion->space;
  const MonodomainBlock *block = &m->block[k];
  const SetBlock *solver = &s->solver_set->block[k];
  const int32_t first = s->set.block[k].first_id, *order = s->numbering.element[k];
  const int32_t b = (int32_t)(mesh_block_of(s->mesh, first) - s->mesh->block);
  int64_t before;
  TRY(points_before(m, b, &before));
  for (int32_t e = 0; e < solver->n; ++e) {
    const int32_t id = first + (order ? order[e] : e);
    const int64_t at = before + (int64_t)((m->local ? m->local->element[id] : id) - block_first(m, b)) * block->n_q;
    if (own && solver->nodes[(int64_t)e * solver->type->n_node] >= s->n_dof) continue;
    for (int32_t q = 0; q < block->n_q; ++q, ++out->n) {
      out->cell[out->n] = block->first + q * block->step_q + e * block->step_e;
      out->place[out->n] = at + q;
    }
  }
  return OK;
}

static Status places_find(const Monodomain *m, bool own, CellPlaces *out) {
  ALLOC(out->cell, m->n_cell, WHAT);
  ALLOC(out->place, m->n_cell, WHAT);
  if (m->scheme == MONODOMAIN_NODAL) places_of_nodes(m, out);
  for (int32_t k = 0; k < m->diffusion->space->set.n_solved_block && m->scheme == MONODOMAIN_GAUSS; ++k)
    TRY(places_of_block(m, k, own, out));
  return OK;
}

static int64_t state_arrays(const Monodomain *m) { return m->n_state * (m->history ? 2 : 1); }

/* own [state_arrays][n_cell] of each rank to whole [state_arrays][n_whole] of rank 0. */
static Status states_collect(const Monodomain *m, const CellPlaces *p, const double *own, double *whole) {
  Status status = OK;
  Comm *comm = m->exec->comm;
  const bool has = comm_rank(comm) == 0;
  int64_t *place = NULL;
  double *packed = NULL, *all = NULL;
  RankRun run;
  TRY(rank_run_find(comm, p->n, &run));
  ALLOC_DONE(place, has ? run.all : 0, WHAT);
  ALLOC_DONE(all, has ? run.all : 0, WHAT);
  ALLOC_DONE(packed, p->n, WHAT);
  TRY_DONE(rank_collect(comm, &run, sizeof *place, p->place, place));
  for (int64_t a = 0; a < state_arrays(m); ++a) {
    for (int64_t k = 0; k < p->n; ++k) packed[k] = own[a * m->n_cell + p->cell[k]];
    TRY_DONE(rank_collect(comm, &run, sizeof *packed, packed, all));
    for (int64_t k = 0; k < run.all && has; ++k) whole[a * m->n_whole + place[k]] = all[k];
  }
done:
  FREE(packed);
  FREE(all);
  FREE(place);
  return status;
}

/* Alone at nodes every cell is where it is in the whole. */
static bool whole_is_local(const Monodomain *m) { return !m->local && m->scheme == MONODOMAIN_NODAL; }

Status monodomain_state_save(const Monodomain *m, double *state) {
  Status status = OK;
  double *own = NULL;
  CellPlaces places = {0};
  if (whole_is_local(m)) return monodomain_local_save(m, state);
  ALLOC_DONE(own, monodomain_local_size(m), WHAT);
  TRY_DONE(monodomain_local_save(m, own));
  TRY_DONE(places_find(m, true, &places));
  status = states_collect(m, &places, own, state);
done:
  FREE(own);
  places_release(&places);
  return status;
}

Status monodomain_state_load(Monodomain *m, const double *state) {
  Status status = OK;
  double *own = NULL;
  CellPlaces places = {0};
  if (whole_is_local(m)) return monodomain_local_load(m, state);
  ALLOC_DONE(own, monodomain_local_size(m), WHAT);
  TRY_DONE(places_find(m, false, &places));
  for (int64_t a = 0; a < state_arrays(m); ++a)
    for (int64_t k = 0; k < places.n; ++k)
      own[a * m->n_cell + places.cell[k]] = state[a * m->n_whole + places.place[k]];
  status = monodomain_local_load(m, own);
done:
  FREE(own);
  places_release(&places);
  return status;
}
