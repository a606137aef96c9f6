/* States for checkpoints, which do not know how many ranks there are: each cell has its place among those of the whole
 * (assembly/space/point_places.h). */
#include "assembly/monodomain/monodomain_data.h"
#include "assembly/space/point_places.h"
#include "core/memory.h"

static const char *const WHAT = "states of cells on their way";

Status monodomain_whole_find(Monodomain *m) {
  const int64_t n = monodomain_rows(m);
  if (m->scheme == MONODOMAIN_GAUSS) return point_places_whole(m->diffusion->space->mesh, m->local, &m->n_whole);
  TRY(rank_run_find(m->exec->comm, n, &m->run[0]));
  TRY(rank_run_find(m->exec->comm, m->n_cell - n, &m->run[1]));
  m->n_whole = m->run[0].all + m->run[1].all;
  return OK;
}

int64_t monodomain_state_size(const Monodomain *m) { return m->n_state * m->n_whole * (m->history ? 2 : 1); }

static Status places_of_nodes(const Monodomain *m, PointPlaces *out) {
  const int64_t n = monodomain_rows(m);
  TRY(point_places_alloc(m->n_cell, out));
  for (; out->n < m->n_cell; ++out->n) {
    const int64_t k = out->n;
    out->here[k] = k;
    out->place[k] = k < n ? m->run[0].first + k : m->run[0].all + m->run[1].first + k - n;
  }
  return OK;
}

static Status places_find(const Monodomain *m, bool own, PointPlaces *out) {
  PointBlock block[ELEMENT_SET_BLOCKS];
  if (m->scheme == MONODOMAIN_NODAL) return places_of_nodes(m, out);
  for (int k = 0; k < ELEMENT_SET_BLOCKS; ++k) {
    const MonodomainBlock *b = &m->block[k];
    block[k] = (PointBlock){b->n_q, b->first, b->step_q, b->step_e};
  }
  return point_places_find(m->diffusion->space, m->local, block, own, out);
}

static int64_t state_arrays(const Monodomain *m) { return m->n_state * (m->history ? 2 : 1); }

/* Alone at nodes every cell is where it is in the whole. */
static bool whole_is_local(const Monodomain *m) { return !m->local && m->scheme == MONODOMAIN_NODAL; }

Status monodomain_state_save(const Monodomain *m, double *state) {
  Status status = OK;
  double *own = NULL;
  PointPlaces places = {0};
  if (whole_is_local(m)) return monodomain_local_save(m, state);
  ALLOC_DONE(own, monodomain_local_size(m), WHAT);
  TRY_DONE(monodomain_local_save(m, own));
  TRY_DONE(places_find(m, true, &places));
  status = point_places_collect(m->exec->comm, &places, state_arrays(m), m->n_cell, own, m->n_whole, state);
done:
  FREE(own);
  point_places_release(&places);
  return status;
}

Status monodomain_state_load(Monodomain *m, const double *state) {
  Status status = OK;
  double *own = NULL;
  PointPlaces places = {0};
  if (whole_is_local(m)) return monodomain_local_load(m, state);
  ALLOC_DONE(own, monodomain_local_size(m), WHAT);
  TRY_DONE(places_find(m, false, &places));
  point_places_deal(&places, state_arrays(m), m->n_cell, own, m->n_whole, state);
  status = monodomain_local_load(m, own);
done:
  FREE(own);
  point_places_release(&places);
  return status;
}
