/* Laws and states of materials that are integrated point by point. */
#include "assembly/elasticity/elasticity_points.h"
#include "assembly/space/space.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

typedef struct LawWork {
  const ElasticityParams *params;
  const ElementSet *set;
  int32_t *material_row; /* owned, [n_material], -1: not yet */
  ElasticityPoints *out;
} LawWork;

static const MaterialValues *material_of(const LawWork *w, int32_t block, int32_t e) {
  return &w->params->material[w->params->element_material[w->set->block[block].first_id + e]];
}

static bool has_own_block(const LawWork *w, const MaterialValues *m) {
  return material_type(m->kind)->constants && w->params->model != MODEL_AXISYMMETRIC;
}

static Status check_material(const LawWork *w, const MaterialValues *m) {
  const MaterialType *type = material_type(m->kind);
  CHECK(type->shape.linear || w->params->model != MODEL_PLANE_STRESS, ERR_INPUT,
        "material '%s' has no plane-stress form; use 'model: plane-strain', axisymmetric or 3d", type->name);
  CHECK(type->shape.symmetric, ERR_INPUT, "material '%s' has an unsymmetric tangent, which no solver here takes",
        type->name);
  CHECK(type->shape.n_state <= POINT_MAX_STATES && type->n_param <= LAW_AXES, ERR_BUG,
        "material '%s' has %d states and %d parameters; there is room for %d and %d", type->name,
        (int)type->shape.n_state, type->n_param, POINT_MAX_STATES, LAW_AXES);
  return OK;
}

/* Rows of the table that each element gets, and their number. */
static Status number_laws(LawWork *w) {
  ElasticityPoints *out = w->out;
  int32_t *row = out->law_row;
  for (int32_t k = 0; k < w->set->n_solved_block; ++k)
    for (int32_t e = 0; e < w->set->block[k].n; ++e, ++row) {
      const MaterialValues *m = material_of(w, k, e);
      const MaterialShape *shape = &material_type(m->kind)->shape;
      int32_t *shared = &w->material_row[m - w->params->material];
      *row = LAW_NONE;
      out->by_block[k] |= has_own_block(w, m);
      if (has_own_block(w, m)) continue;
      out->by_point[k] = true;
      out->nonlinear |= !shape->linear;
      if (shape->n_state > out->n_state) out->n_state = shape->n_state;
      CHECK(out->n_law < INT32_MAX - ELEMENT_MAX_QUADRATURE, ERR_INPUT,
            "more than %d points with material axes of their own: use fewer elements there", INT32_MAX);
      const int32_t next = (int32_t)out->n_law;
      if (m->axes.kind == AXES_CYLINDER) *row = -1 - next;
      else if (m->axes.kind == AXES_ELEMENT) *row = next;
      else {
        if (*shared < 0) *shared = next, ++out->n_law;
        *row = *shared;
        continue;
      }
      out->n_law += m->axes.kind == AXES_CYLINDER ? out->n_q[k] : 1;
    }
  return OK;
}

static Status check_axes(const LawWork *w, const MaterialValues *m, const double x[3], bool there, const double *R) {
  CHECK(there, ERR_INPUT,
        "the axes of a material are not defined at (%g, %g, %g), which lies on the line of its cylinder", x[0], x[1],
        x[2]);
  if (w->params->model == MODEL_SOLID || !material_type(m->kind)->shape.axes) return OK;
  int along = 0;
  for (int k = 0; k < 3; ++k) along += fabs(fabs(R[3 * k + 2]) - 1) < 1e-9;
  CHECK(along == 1, ERR_INPUT,
        "an axis of a material leaves the plane at (%g, %g, %g): in a model of two directions one of its axes is at "
        "right angles to the plane; for others use 'model: 3d'",
        x[0], x[1], x[2]);
  return OK;
}

/* Law of element e at its point q, or of all its points where q < 0. */
static Status make_law(const LawWork *w, const SetBlock *b, int32_t e, const MaterialValues *m, const double *N,
                       double *law) {
  double x[3] = {0}, R[9];
  for (int32_t a = 0; a < b->type->n_node; ++a)
    for (int i = 0; i < 3; ++i) x[i] += N[a] * w->params->mesh->x[b->nodes[(int64_t)e * b->type->n_node + a]][i];
  const bool there = axes_at(&m->axes, b->first_id + e, x, R);
  TRY(check_axes(w, m, x, there, R));
  material_law(m->kind, w->params->model, m->value, R, law);
  return OK;
}

static Status make_laws_of(const LawWork *w, int32_t k, const double *N) {
  ElasticityPoints *out = w->out;
  const SetBlock *b = &w->set->block[k];
  const int32_t n = b->type->n_node, *rows = out->law_row + out->first_element[k];
  int32_t last = -1;
  for (int32_t e = 0; e < b->n; ++e) {
    const int32_t row = rows[e] < 0 ? -1 - rows[e] : rows[e];
    if (rows[e] == LAW_NONE || row == last) continue;
    const MaterialValues *m = material_of(w, k, e);
    for (int32_t q = 0; q < (rows[e] < 0 ? out->n_q[k] : 1); ++q)
      TRY(make_law(w, b, e, m, N + (int64_t)q * n, out->law + (int64_t)LAW_SIZE * (row + q)));
    last = row;
  }
  return OK;
}

static Status make_laws(const LawWork *w) {
  Status status = OK;
  double *N = NULL;
  ALLOC_DONE(w->out->law, w->out->n_law * LAW_SIZE, "laws of the materials");
  ALLOC_DONE(N, ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES, "shape functions");
  for (int32_t k = 0; k < w->set->n_solved_block; ++k) {
    Quadrature rule;
    TRY_DONE(element_stiffness_quadrature(w->set->block[k].type, &rule));
    element_tabulate(w->set->block[k].type, &rule, N, NULL);
    TRY_DONE(make_laws_of(w, k, N));
  }
done:
  FREE(N);
  return status;
}

static Status points_upload(Exec *exec, const ElementSet *set, const Numbering *numbering, ElasticityPoints *out) {
  TRY(exec_alloc_upload(exec, out->n_law * LAW_SIZE, sizeof *out->law, out->law, "laws of the materials",
                        (void **)&out->exec_law));
  for (int32_t k = 0; k < set->n_solved_block; ++k)
    TRY(element_upload(exec, numbering->element[k], set->block[k].n, sizeof *out->law_row,
                       out->law_row + out->first_element[k], "laws of the elements", (void **)&out->exec_row[k]));
  const int64_t n = out->n_state * out->n_point;
  if (out->n_state) {
    EXEC_ALLOC(exec, out->old, n, "states of the materials");
    EXEC_ALLOC(exec, out->state, n, "states of the materials");
    TRY(exec_zero(exec, out->old, (size_t)n * sizeof *out->old));
    TRY(exec_zero(exec, out->state, (size_t)n * sizeof *out->state));
  }
  if (!out->nonlinear) return OK;
  EXEC_ALLOC(exec, out->failed, set->n_solved, "elements without an answer");
  return exec_zero(exec, out->failed, (size_t)set->n_solved);
}

static Status points_fill(Exec *exec, LawWork *w, const Numbering *numbering) {
  ElasticityPoints *out = w->out;
  bool any = false;
  bool all_by_block = true;
  ALLOC(w->material_row, w->params->n_material, "materials");
  for (int32_t m = 0; m < w->params->n_material; ++m) {
    w->material_row[m] = -1;
    TRY(check_material(w, &w->params->material[m]));
    all_by_block = all_by_block && has_own_block(w, &w->params->material[m]);
  }
  for (int32_t k = 0, first = 0; k < w->set->n_solved_block; ++k) {
    const SetBlock *b = &w->set->block[k];
    Quadrature rule;
    TRY(element_stiffness_quadrature(b->type, &rule));
    out->n_q[k] = rule.n;
    out->first_element[k] = first;
    out->first_point[k] = out->n_point;
    out->n_point += (int64_t)rule.n * b->n;
    first += b->n;
  }
  for (int32_t k = 0; all_by_block && k < w->set->n_solved_block; ++k) out->by_block[k] = w->set->block[k].n > 0;
  if (all_by_block) return OK;
  ALLOC(out->law_row, w->set->n_solved, "laws of the elements");
  TRY(number_laws(w));
  for (int32_t k = 0; k < w->set->n_solved_block; ++k) any |= out->by_point[k];
  if (!any) {
    FREE(out->law_row);
    return OK;
  }
  TRY(make_laws(w));
  return points_upload(exec, w->set, numbering, out);
}

Status points_create(Exec *exec, const ElasticityParams *params, const ElementSet *set, const Numbering *numbering,
                     ElasticityPoints *out) {
  LawWork w = {.params = params, .set = set, .out = out};
  *out = (ElasticityPoints){.axisymmetric = params->model == MODEL_AXISYMMETRIC};
  const Status status = points_fill(exec, &w, numbering);
  FREE(w.material_row);
  return status;
}

void points_release(Exec *exec, const ElementSet *set, ElasticityPoints *points) {
  FREE(points->law);
  FREE(points->law_row);
  EXEC_RELEASE(exec, points->exec_law, points->n_law * LAW_SIZE);
  for (int32_t k = 0; k < set->n_solved_block; ++k) EXEC_RELEASE(exec, points->exec_row[k], set->block[k].n);
  EXEC_RELEASE(exec, points->old, points->n_state * points->n_point);
  EXEC_RELEASE(exec, points->state, points->n_state * points->n_point);
  EXEC_RELEASE(exec, points->failed, set->n_solved);
}

PointArgs points_args(const ElasticityPoints *points, int32_t k, const ElementArgs *element, const double *N) {
  return (PointArgs){.e = *element,
                     .N = points->axisymmetric ? N : NULL,
                     .law = points->exec_law,
                     .law_row = points->exec_row[k],
                     .old = points->old,
                     .state = points->state,
                     .n_point = points->n_point,
                     .point_first = points->first_point[k],
                     .failed = points->failed ? points->failed + points->first_element[k] : NULL,
                     .n_state = points->n_state,
                     .dt = points->dt};
}

Status points_commit(Exec *exec, ElasticityPoints *points) {
  const int64_t n = points->n_state * points->n_point;
  return n ? exec_copy(exec, points->old, points->state, (size_t)n * sizeof *points->old) : OK;
}

/* Solved element s of the solver's order, for a message. */
static Status tell_failed(const Mesh *mesh, const ElementSet *set, const Numbering *numbering, int32_t s, int64_t n) {
  int32_t k = 0;
  while (s >= set->block[k].n) s -= set->block[k++].n;
  const SetBlock *b = &set->block[k];
  const int32_t e = numbering->element[k] ? numbering->element[k][s] : s;
  const double *x = mesh->x[b->nodes[(int64_t)e * b->type->n_node]];
  return FAIL(ERR_NUMERIC,
              "the material of %lld element%s has no answer: the first is %s element %lld near (%g, %g, %g), which is "
              "turned inside out or beyond what its material bears; take smaller steps",
              (long long)n, n == 1 ? "" : "s", b->type->name, (long long)mesh_block_of(mesh, b->first_id)->tag[e], x[0],
              x[1], x[2]);
}

Status points_check_answer(Exec *exec, const ElasticityPoints *points, const Mesh *mesh, const ElementSet *set,
                           const Numbering *numbering) {
  Status status = OK;
  uint8_t *failed = NULL;
  int32_t first = -1;
  int64_t n = 0;
  if (!points->failed) return OK;
  ALLOC_DONE(failed, set->n_solved, "elements without an answer");
  TRY_DONE(exec_download(exec, failed, points->failed, (size_t)set->n_solved));
  for (int32_t s = set->n_solved - 1; s >= 0; --s)
    if (failed[s]) first = s, ++n;
  if (n) status = tell_failed(mesh, set, numbering, first, n);
done:
  FREE(failed);
  return status;
}
