/* See point_places.h. Several ranks may have an element: the one that owns its first node sends it. */
#include "assembly/space/point_places.h"
#include "core/collect.h"
#include "core/memory.h"

static const char *const WHAT = "states of points on their way";

/* The element of the whole mesh that block b of this rank's begins with there; b = n_block: how many there are. */
static int32_t block_first(const Mesh *mesh, const LocalMesh *local, int32_t b) {
  if (local) return local->block_first[b];
  return b < mesh->n_block ? mesh->block[b].first : mesh->n_element;
}

/* Points of all elements in blocks before b of the mesh, in the whole. */
static Status points_before(const Mesh *mesh, const LocalMesh *local, int32_t b, int64_t *n) {
  Quadrature rule;
  *n = 0;
  for (int32_t k = 0; k < b; ++k) {
    const ElementType *type = element_type(mesh->block[k].kind);
    if (type->dim != mesh->dim) continue;
    TRY(element_stiffness_quadrature(type, &rule));
    *n += (int64_t)(block_first(mesh, local, k + 1) - block_first(mesh, local, k)) * rule.n;
  }
  return OK;
}

Status point_places_whole(const Mesh *mesh, const LocalMesh *local, int64_t *n) {
  return points_before(mesh, local, mesh->n_block, n);
}

Status point_places_alloc(int64_t n, PointPlaces *out) {
  *out = (PointPlaces){0};
  ALLOC(out->here, n, WHAT);
  ALLOC(out->place, n, WHAT);
  return OK;
}

void point_places_release(PointPlaces *places) {
  FREE(places->here);
  FREE(places->place);
}

static Status places_of_block(const Space *s, const LocalMesh *local, int32_t k, const PointBlock *block, bool own,
                              PointPlaces *out) {
  const SetBlock *solver = &s->solver_set->block[k];
  const int32_t first = s->set.block[k].first_id, *order = s->numbering.element[k];
  const int32_t b = (int32_t)(mesh_block_of(s->mesh, first) - s->mesh->block);
  const int64_t rows = s->n_dof / s->n_component;
  int64_t before;
  TRY(points_before(s->mesh, local, b, &before));
  for (int32_t e = 0; e < solver->n; ++e) {
    const int32_t id = first + (order ? order[e] : e);
    const int64_t at =
        before + (int64_t)((local ? local->element[id] : id) - block_first(s->mesh, local, b)) * block->n_q;
    if (own && solver->nodes[(int64_t)e * solver->type->n_node] >= rows) continue;
    for (int32_t q = 0; q < block->n_q; ++q, ++out->n) {
      out->here[out->n] = block->first + q * block->step_q + e * block->step_e;
      out->place[out->n] = at + q;
    }
  }
  return OK;
}

Status point_places_find(const Space *s, const LocalMesh *local, const PointBlock *block, bool own, PointPlaces *out) {
  int64_t n = 0;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) n += (int64_t)s->set.block[k].n * block[k].n_q;
  TRY(point_places_alloc(n, out));
  for (int32_t k = 0; k < s->set.n_solved_block; ++k)
    if (s->set.block[k].n) TRY(places_of_block(s, local, k, &block[k], own, out));
  return OK;
}

Status point_places_collect(Comm *comm, const PointPlaces *p, int64_t n_array, int64_t n_here, const double *here,
                            int64_t n_whole, double *whole) {
  Status status = OK;
  const bool has = comm_rank(comm) == 0;
  int64_t *place = NULL;
  double *packed = NULL, *all = NULL;
  RankRun run;
  TRY(rank_run_find(comm, p->n, &run));
  ALLOC_DONE(place, has ? run.all : 0, WHAT);
  ALLOC_DONE(all, has ? run.all : 0, WHAT);
  ALLOC_DONE(packed, p->n, WHAT);
  TRY_DONE(rank_collect(comm, &run, sizeof *place, p->place, place));
  for (int64_t a = 0; a < n_array; ++a) {
    for (int64_t k = 0; k < p->n; ++k) packed[k] = here[a * n_here + p->here[k]];
    TRY_DONE(rank_collect(comm, &run, sizeof *packed, packed, all));
    for (int64_t k = 0; k < run.all && has; ++k) whole[a * n_whole + place[k]] = all[k];
  }
done:
  FREE(packed);
  FREE(all);
  FREE(place);
  return status;
}

void point_places_deal(const PointPlaces *p, int64_t n_array, int64_t n_here, double *here, int64_t n_whole,
                       const double *whole) {
  for (int64_t a = 0; a < n_array; ++a)
    for (int64_t k = 0; k < p->n; ++k) here[a * n_here + p->here[k]] = whole[a * n_whole + p->place[k]];
}
