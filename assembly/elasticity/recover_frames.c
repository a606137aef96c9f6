/* Strengths of the materials and the axes of elements and points, for fields in these. */
#include "assembly/elasticity/recovery.h"
#include "core/memory.h"

#include <limits.h>

typedef struct FrameWork {
  const Elasticity *p;
  int32_t *row;  /* owned, [n_solved], RecoverBlock.frame_row */
  double *frame; /* owned, [n][9]; the first are those of materials whose elements share one */
  int64_t n;
} FrameWork;

static bool by_point(const MaterialAxes *axes) { return axes->kind == AXES_CYLINDER || axes->kind == AXES_PLACE; }

static Status number_frames(FrameWork *w) {
  const Elasticity *p = w->p;
  const ElementSet *set = &p->space->set;
  int32_t s = 0;
  w->n = p->n_material;
  for (int32_t k = 0; k < set->n_solved_block; ++k)
    for (int32_t e = 0; e < set->block[k].n; ++e, ++s) {
      const int32_t m = p->material[s];
      const bool points = by_point(&p->axes[m]), shared = !points && p->axes[m].kind != AXES_ELEMENT;
      CHECK(w->n < INT32_MAX - ELEMENT_MAX_QUADRATURE, ERR_INPUT,
            "more than %d points with axes of their own: use fewer elements there", INT32_MAX);
      w->row[s] = shared ? m : points ? -1 - (int32_t)w->n : (int32_t)w->n;
      w->n += shared ? 0 : points ? p->space->block[k].stiffness.n_q : 1;
    }
  return OK;
}

/* Laws have been made at the same points: there are axes (elasticity_points.c). */
static void fill_element(const FrameWork *w, const SetBlock *b, int32_t s, int32_t e, int32_t n_q, const double *N) {
  const Mesh *mesh = w->p->space->mesh;
  const int32_t *nodes = b->nodes + (int64_t)e * b->type->n_node, row = w->row[s];
  const MaterialAxes *axes = &w->p->axes[w->p->material[s]];
  if (row >= 0 && row < w->p->n_material) return;
  for (int32_t q = 0; q < (row < 0 ? n_q : 1); ++q) {
    double x[3] = {0};
    for (int32_t a = 0; a < b->type->n_node; ++a)
      for (int i = 0; i < 3; ++i) x[i] += N[q * b->type->n_node + a] * mesh->x[nodes[a]][i];
    (void)axes_at(axes, b->first_id + e, x, w->frame + 9 * (int64_t)(row < 0 ? -1 - row + q : row));
  }
}

static Status fill_frames(const FrameWork *w) {
  const ElementSet *set = &w->p->space->set;
  const double origin[3] = {0};
  double *N = NULL;
  for (int32_t m = 0; m < w->p->n_material; ++m)
    if (!by_point(&w->p->axes[m]) && w->p->axes[m].kind != AXES_ELEMENT)
      (void)axes_at(&w->p->axes[m], 0, origin, w->frame + 9 * (int64_t)m);
  ALLOC(N, ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES, "shape functions");
  Status status = OK;
  for (int32_t k = 0, s = 0; k < set->n_solved_block && status == OK; s += set->block[k++].n) {
    Quadrature rule;
    status = element_stiffness_quadrature(set->block[k].type, &rule);
    if (status != OK) break;
    element_tabulate(set->block[k].type, &rule, N, NULL);
#pragma omp parallel for schedule(static)
    for (int32_t e = 0; e < set->block[k].n; ++e) fill_element(w, &set->block[k], s + e, e, rule.n, N);
  }
  FREE(N);
  return status;
}

Status recovery_frames_create(const Elasticity *p, ElasticRecovery *r) {
  static const char *const WHAT = "axes of materials";
  FrameWork w = {.p = p};
  Status status = OK;
  bool axes = (r->which & (FIELD_STRESS_MATERIAL | FIELD_STRAIN_MATERIAL | FIELD_FIBER_STRESS)) != 0;
  if (r->which & FIELD_SAFETY) {
    for (int32_t m = 0; m < p->n_material; ++m) axes = axes || p->strength[m].criterion >= STRENGTH_TSAI_HILL;
    TRY(recovery_upload(r, p->n_material, sizeof *r->strength, p->strength, "strengths of materials",
                        (void **)&r->strength));
  }
  if (!axes) return OK;
  ALLOC_DONE(w.row, p->space->set.n_solved, WHAT);
  TRY_DONE(number_frames(&w));
  ALLOC_DONE(w.frame, 9 * w.n, WHAT);
  TRY_DONE(fill_frames(&w));
  TRY_DONE(recovery_upload(r, 9 * w.n, sizeof *w.frame, w.frame, WHAT, (void **)&r->frame));
  TRY_DONE(recovery_upload(r, p->space->set.n_solved, sizeof *w.row, w.row, WHAT, (void **)&r->frame_row));
done:
  FREE(w.row);
  FREE(w.frame);
  return status;
}
