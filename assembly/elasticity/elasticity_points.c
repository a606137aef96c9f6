/* Laws and states of materials that are integrated point by point. */
#include "assembly/elasticity/bubble.h"
#include "assembly/elasticity/rows.h"
#include "assembly/space/space.h"
#include "core/memory.h"
#include "physics/material.h"

#include <limits.h>
#include <math.h>

typedef struct LawWork {
  const ElasticityParams *params;
  const ElementSet *set;
  int32_t *const *order; /* Numbering.element */
  int32_t *material_row; /* owned, [n_material], -1: not yet */
  int64_t *curves;       /* owned, [n_material]: where those of a material are in the table of laws */
  ElasticityPoints *out;
} LawWork;

static const MaterialValues *material_of(const LawWork *w, int32_t block, int32_t e) {
  return &w->params->material[w->params->element_material[w->set->block[block].first_id + e]];
}

static bool has_own_block(const LawWork *w, const MaterialValues *m, int32_t block) {
  return !w->out->mean_modes[block] && !w->params->finite && material_type(m->kind)->constants &&
         w->params->model != MODEL_AXISYMMETRIC && m->n_varying == 0 && !m->initial &&
         !(elasticity_reads(m) & w->out->renewed);
}

/* How many laws an element of this material has: one shared by all of them (0), its own, or one for each point. */
typedef enum LawShare { LAW_SHARED, LAW_OF_ELEMENT, LAW_OF_POINT } LawShare;
static LawShare law_share(const MaterialValues *m) {
  LawShare share = m->axes.kind == AXES_ELEMENT ? LAW_OF_ELEMENT : LAW_SHARED;
  for (int k = 0; m->initial && k < 6; ++k) {
    if (m->initial->points[k] || scalar_source_by_point(&m->initial->stress[k])) return LAW_OF_POINT;
    if (m->initial->stress[k].element) share = LAW_OF_ELEMENT;
  }
  for (int32_t i = 0; i < m->n_varying; ++i) {
    if (scalar_source_by_point(&m->varying[i].source)) return LAW_OF_POINT;
    if (m->varying[i].source.element) share = LAW_OF_ELEMENT;
  }
  return m->axes.kind == AXES_CYLINDER || m->axes.kind == AXES_PLACE ? LAW_OF_POINT : share;
}

static Status check_material(const LawWork *w, const MaterialValues *m) {
  const MaterialType *type = material_type(m->kind);
  CHECK(!type->shape.finite || w->params->model != MODEL_PLANE_STRESS || w->params->finite, ERR_INPUT,
        "material '%s' has no plane-stress form; use 'model: plane-strain', axisymmetric or 3d", type->name);
  CHECK(type->shape.symmetric, ERR_INPUT, "material '%s' has an unsymmetric tangent, which no solver here supports",
        type->name);
  CHECK(type->shape.n_state <= POINT_MAX_STATES && (type->moduli || type->n_param <= LAW_SWELL), ERR_BUG,
        "material '%s' has %d states and %d parameters; there is room for %d and %d", type->name,
        (int)type->shape.n_state, type->n_param, POINT_MAX_STATES, LAW_SWELL);
  CHECK(!type->shape.linear || !type->shape.n_state, ERR_BUG, "material '%s' is linear and has states", type->name);
  return OK;
}

/* The next row of the table, or the one that elements of the material share. */
static Status next_row(LawWork *w, const MaterialValues *m, int32_t n_q, int32_t *row) {
  ElasticityPoints *out = w->out;
  int32_t *shared = &w->material_row[m - w->params->material];
  CHECK(out->n_law < INT32_MAX - ELEMENT_MAX_QUADRATURE, ERR_INPUT,
        "more than %d points with a law of their own: use fewer elements there", INT32_MAX);
  const int32_t next = (int32_t)out->n_law;
  const LawShare share = law_share(m);
  *row = share == LAW_OF_POINT ? -1 - next : next;
  if (share == LAW_SHARED && *shared >= 0) {
    *row = *shared;
    return OK;
  }
  if (share == LAW_SHARED) *shared = next;
  out->n_law += share == LAW_OF_POINT ? n_q : 1;
  return OK;
}

/* Rows of the table that each element gets, and their number. */
static Status number_laws(LawWork *w) {
  ElasticityPoints *out = w->out;
  int64_t s = 0;
  for (int32_t k = 0; k < w->set->n_solved_block; ++k)
    for (int32_t e = 0; e < w->set->block[k].n; ++e, ++s) {
      const MaterialValues *m = material_of(w, k, e);
      const MaterialShape *shape = &material_type(m->kind)->shape;
      const bool own = has_own_block(w, m, k);
      int32_t row = LAW_NONE;
      if (!own || out->any_row) TRY(next_row(w, m, out->n_q[k], &row));
      if (out->any_row) out->any_row[s] = row;
      out->law_row[s] = own ? LAW_NONE : row;
      out->by_block[k] |= own;
      out->by_point[k] |= !own;
      out->nonlinear |= !own && (!shape->linear || out->finite);
    }
  return OK;
}

static Status check_axes(const LawWork *w, const MaterialValues *m, const double x[3], bool there, const double *R) {
  const char *where = m->axes.where ? m->axes.where : "", *colon = m->axes.where ? ": " : "";
  CHECK(there, ERR_INPUT, "%s%sthe axes of a material are not defined at (%g, %g, %g), %s", where, colon, x[0], x[1],
        x[2],
        m->axes.kind == AXES_CYLINDER
            ? "which lies on the line of its cylinder\n  remedy: another 'origin', so that the line passes beside that "
              "point"
            : "where the expressions of x and y have no length, are not finite or lie along one line\n  remedy: "
              "expressions that span a plane all over the body");
  if (w->params->model == MODEL_SOLID || !material_type(m->kind)->shape.axes) return OK;
  int along = 0;
  for (int k = 0; k < 3; ++k) along += fabs(fabs(R[3 * k + 2]) - 1) < 1e-9;
  CHECK(along == 1, ERR_INPUT,
        "%s%san axis of a material leaves the plane at (%g, %g, %g): in a model of two directions one of its axes is "
        "at right angles to the plane; for others use 'model: 3d'",
        where, colon, x[0], x[1], x[2]);
  return OK;
}

/* The place is that of the parameter that the message names first, of those that vary. */
static Status varying_fails(Status status, const MaterialValues *m, const double x[3]) {
  const MaterialVarying *of = m->varying;
  int first = INT_MAX;
  for (int32_t i = 0; i < m->n_varying; ++i) {
    const int at = material_called(m->kind, m->varying[i].parameter, status_message());
    if (at >= 0 && at < first) first = at, of = &m->varying[i];
  }
  return FAIL(status, "%s%s%s\n  at (%g, %g, %g), where parameters of the material vary",
              of->source.where ? of->source.where : "", of->source.where ? ": " : "", status_message(), x[0], x[1],
              x[2]);
}

/* The material's numbers at x of element e. */
static Status values_at(const MaterialValues *m, const SetBlock *b, int32_t e, const double *N, const double x[3],
                        double *value) {
  const int n = MATERIAL_MAX_PARAMS + material_curves(m->kind, m->value);
  for (int i = 0; i < n; ++i) value[i] = m->value[i];
  Status status = OK;
  for (int32_t i = 0; i < m->n_varying && status == OK; ++i) {
    const int k = m->varying[i].parameter;
    value[k] = scalar_source_at(&m->varying[i].source, b->first_id + e, b->type->n_node,
                                b->nodes + (int64_t)e * b->type->n_node, N, x);
    const Param *param = &material_type(m->kind)->param[k];
    if (param_is_warm(param) && value[k] <= -PARAM_MOST) /* no place of a curve (core/param.h) */
      status = FAIL(ERR_INPUT, "%s is %g, must be above %d", param->name, value[k],
                    isinf(param->min) ? -PARAM_MOST : (int)param->min);
  }
  if (m->n_varying == 0) return OK; /* checked */
  if (status == OK) status = material_check(m->kind, value);
  return status == OK ? OK : varying_fails(status, m, x);
}

/* A law of a body that begins with a stress: at x, point q of element e. */
static Status begin_law(const LawWork *w, const SetBlock *b, int32_t e, int32_t q, const MaterialValues *m,
                        const double *N, const double x[3], const double *value, double *law) {
  double stress[6];
  for (int k = 0; k < 6; ++k) {
    const ScalarSource *source = &m->initial->stress[k];
    const double *points = m->initial->points[k];
    const int64_t id = b->first_id + (int64_t)e;
    stress[k] =
        points ? points[id * m->initial->n_point + q]
               : scalar_source_at(source, (int32_t)id, b->type->n_node, b->nodes + (int64_t)e * b->type->n_node, N, x);
    CHECK(isfinite(stress[k]), ERR_INPUT, "%s: the initial stress is not finite at (%g, %g, %g)",
          source->where ? source->where : "", x[0], x[1], x[2]);
    CHECK(stress[k] == 0 || k == 0 || k == 1 || k == 3 || (w->params->model != MODEL_PLANE_STRESS && k == 2) ||
              w->params->model == MODEL_SOLID,
          ERR_INPUT, "%s: the initial stress has a component %s of %g at (%g, %g), which this model does not have",
          source->where ? source->where : "", (const char *[]){"xx", "yy", "zz", "xy", "yz", "xz"}[k], stress[k], x[0],
          x[1]);
  }
  material_law_initial(m->kind, value, stress, law);
  return OK;
}

/* Law of element e at its point q, where its shape functions are N. */
static Status make_law(const LawWork *w, const SetBlock *b, int32_t e, int32_t q, const double *N, double *law) {
  const MaterialValues *m = &w->params->material[w->params->element_material[b->first_id + e]];
  double x[3] = {0}, R[9], value[MATERIAL_NUMBERS];
  for (int32_t a = 0; a < b->type->n_node; ++a)
    for (int i = 0; i < 3; ++i) x[i] += N[a] * w->params->mesh->x[b->nodes[(int64_t)e * b->type->n_node + a]][i];
  const bool there = axes_at(&m->axes, b->first_id + e, x, R);
  TRY(check_axes(w, m, x, there, R));
  TRY(values_at(m, b, e, N, x, value));
  const bool local = w->params->finite && w->params->model == MODEL_PLANE_STRESS; /* material_plane_stress */
  material_law(m->kind, local ? MODEL_SOLID : w->params->model, value, R, law);
  if (m->initial) TRY(begin_law(w, b, e, q, m, N, x, value, law));
  if (w->params->small_first) material_law_later(m->kind, law);
  material_law_curves(m->kind, value, w->curves[m - w->params->material] - (law - w->out->law), law);
  return OK;
}

static Status make_laws_of_element(const LawWork *w, int32_t k, int32_t e, int32_t row, const double *N) {
  ElasticityPoints *out = w->out;
  const SetBlock *b = &w->set->block[k];
  const int32_t first = row < 0 ? -1 - row : row;
  for (int32_t q = 0; q < (row < 0 ? out->n_q[k] : 1); ++q)
    TRY(make_law(w, b, e, q, N + (int64_t)q * b->type->n_node, out->law + (int64_t)LAW_SIZE * (first + q)));
  return OK;
}

/* Laws that elements share are made by the first of them, those of their own by all threads; where one fails, one
 * thread goes through all of them in order, for the message of the first. */
static Status make_laws_of(const LawWork *w, int32_t k, const double *N) {
  ElasticityPoints *out = w->out;
  const SetBlock *b = &w->set->block[k];
  const int32_t *rows = (out->any_row ? out->any_row : out->law_row) + out->first_element[k];
  bool good = true;
  int32_t last = LAW_NONE;
  for (int32_t e = 0; e < b->n; ++e) {
    if (rows[e] == LAW_NONE || rows[e] == last || law_share(material_of(w, k, e)) != LAW_SHARED) continue;
    TRY(make_laws_of_element(w, k, e, rows[e], N));
    last = rows[e];
  }
#pragma omp parallel for schedule(static) reduction(&& : good)
  for (int32_t e = 0; e < b->n; ++e)
    if (rows[e] != LAW_NONE && law_share(material_of(w, k, e)) != LAW_SHARED)
      good = good && make_laws_of_element(w, k, e, rows[e], N) == OK;
  for (int32_t e = 0; !good && e < b->n; ++e)
    if (rows[e] != LAW_NONE) TRY(make_laws_of_element(w, k, e, rows[e], N));
  return OK;
}

/* Room for all laws, and curves behind them. */
static Status alloc_laws(LawWork *w) {
  ElasticityPoints *out = w->out;
  ALLOC(w->curves, w->params->n_material, "materials");
  out->n_law_number = out->n_law * LAW_SIZE;
  for (int32_t m = 0; m < w->params->n_material; ++m) {
    w->curves[m] = out->n_law_number;
    out->n_law_number += material_curves(w->params->material[m].kind, w->params->material[m].value);
  }
  ALLOC(out->law, out->n_law_number, "laws of the materials");
  for (int32_t m = 0; m < w->params->n_material; ++m) {
    const MaterialValues *of = &w->params->material[m];
    for (int k = 0, n = material_curves(of->kind, of->value); k < n; ++k)
      out->law[w->curves[m] + k] = of->value[MATERIAL_MAX_PARAMS + k];
  }
  return OK;
}

static Status make_laws(LawWork *w) {
  Status status = OK;
  double *N = NULL;
  TRY_DONE(alloc_laws(w));
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
  TRY(exec_alloc_upload(exec, out->n_law_number, sizeof *out->law, out->law, "laws of the materials",
                        (void **)&out->exec_law));
  for (int32_t k = 0; k < set->n_solved_block; ++k)
    TRY(element_upload(exec, numbering->element[k], set->block[k].n, sizeof *out->law_row,
                       out->law_row + out->first_element[k], "laws of the elements", (void **)&out->exec_row[k]));
  for (int32_t k = 0; out->any_row && k < set->n_solved_block; ++k)
    TRY(element_upload(exec, numbering->element[k], set->block[k].n, sizeof *out->any_row,
                       out->any_row + out->first_element[k], "laws of the elements", (void **)&out->exec_any_row[k]));
  if (!out->nonlinear) return OK;
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    out->first_modes[k] = out->n_modes;
    if (out->bubbles[k]) out->n_modes += point_modes_numbers(out->dim[k]) * out->n_elem[k];
  }
  if (out->n_modes) EXEC_ALLOC(exec, out->modes, out->n_modes, "incompatible modes");
  EXEC_ALLOC(exec, out->failed, set->n_solved, "elements without an answer");
  EXEC_ALLOC(exec, out->n_failed, 1, "elements without an answer");
  if (out->finite) EXEC_ALLOC(exec, out->lowest, set->n_solved, "determinants of elements");
  return exec_zero(exec, out->failed, (size_t)set->n_solved);
}

/* What the points of a material begin with, of[POINT_MAX_STATES]. */
static void states_begin(const MaterialValues *m, double *of) {
  static const double more[] = {
#define STATE(word, meaning, unit, initial) initial,
      active_states(STATE)
#undef STATE
  };
  const PointActive *active = &m->active.point;
  material_initial(m->kind, of);
  if (active->form == ACTIVE_NONE || active->model < 0) return;
  const int32_t first = material_type(m->kind)->shape.n_state + active->n_state;
  for (int32_t k = 0; k < ACTIVE_STATES; ++k) of[first + k] = more[k];
}

/* The states that points begin with. */
static Status make_states(Exec *exec, const LawWork *w) {
  ElasticityPoints *out = w->out;
  Status status = OK;
  double *initial = NULL, of[POINT_MAX_STATES];
  if (!out->state.n_state) return OK;
  ALLOC(initial, out->state.n_state * out->n_point, "states of the materials");
  for (int32_t k = 0; k < w->set->n_solved_block; ++k)
    for (int32_t e = 0; e < out->n_elem[k]; ++e) {
      const int32_t *order = w->order[k];
      states_begin(material_of(w, k, order ? order[e] : e), of);
      for (int32_t q = 0; q < out->n_q[k]; ++q)
        for (int32_t j = 0; j < out->state.n_state; ++j)
          initial[j * out->n_point + out->first_point[k] + q * out->n_elem[k] + e] = of[j];
    }
  status = point_state_create(exec, out->state.n_state, out->n_point, initial, &out->state);
  FREE(initial);
  return status;
}

/* What the blocks of elements are, before any law. */
static Status count_points(const ElementSet *set, ElasticityPoints *out) {
  for (int32_t k = 0, first = 0; k < set->n_solved_block; first += set->block[k++].n) {
    Quadrature rule;
    TRY(element_stiffness_quadrature(set->block[k].type, &rule));
    out->n_node[k] = set->block[k].type->n_node;
    out->dim[k] = set->block[k].type->dim;
    out->n_q[k] = rule.n;
    out->first_element[k] = first;
    out->first_point[k] = out->n_point;
    out->n_elem[k] = set->block[k].n;
    out->n_point += (int64_t)rule.n * set->block[k].n;
  }
  return OK;
}

/* Those in use; of muscle those of its model and ACTIVE_STATES behind all that the material may have. */
static int32_t states_of(const MaterialValues *m) {
  const PointActive *active = &m->active.point;
  if (active->form == ACTIVE_NONE || active->model < 0) return material_states(m->kind, m->value);
  return material_type(m->kind)->shape.n_state + active->n_state + ACTIVE_STATES;
}

static Status points_fill(Exec *exec, LawWork *w, const Numbering *numbering) {
  ElasticityPoints *out = w->out;
  out->state.exec = exec;
  const bool heated = w->params->temperature != NULL && !w->params->heat_in_steps;
  bool any = heated, all_by_block = !heated;
  for (int32_t k = 0; k < w->set->n_solved_block; ++k) {
    const ElementType *type = w->set->block[k].type;
    if (w->params->formulation == FORMULATION_MEAN_DILATATION && w->params->model != MODEL_PLANE_STRESS)
      out->mean_modes[k] = type->mean_modes;
    out->bubbles[k] = type->bubbles && w->params->formulation == FORMULATION_INCOMPATIBLE_MODES;
  }
  ALLOC(w->material_row, w->params->n_material, "materials");
  for (int32_t m = 0; m < w->params->n_material; ++m) {
    w->material_row[m] = -1;
    TRY(check_material(w, &w->params->material[m]));
    const int32_t n_state = states_of(&w->params->material[m]);
    if (n_state > out->state.n_state) out->state.n_state = n_state;
    for (int32_t k = 0; k < w->set->n_solved_block; ++k)
      all_by_block = all_by_block && has_own_block(w, &w->params->material[m], k);
  }
  TRY(count_points(w->set, out));
  TRY(point_places_whole(w->params->mesh, out->local, &out->state.n_whole));
  TRY(bubbles_upload(exec, w->set, out));
  for (int32_t k = 0; all_by_block && k < w->set->n_solved_block; ++k) out->by_block[k] = w->set->block[k].n > 0;
  if (all_by_block) return OK;
  ALLOC(out->law_row, w->set->n_solved, "laws of the elements");
  if (heated) ALLOC(out->any_row, w->set->n_solved, "laws of the elements");
  TRY(number_laws(w));
  for (int32_t k = 0; k < w->set->n_solved_block; ++k) any |= out->by_point[k];
  if (!any) {
    FREE(out->law_row);
    return OK;
  }
  TRY(make_laws(w));
  TRY(points_upload(exec, w->set, numbering, out));
  TRY(make_states(exec, w));
  const PointSum heat = {.what = "temperature", .mesh = w->params->mesh, .n = 1, .source = &w->params->temperature};
  return heated ? point_input_sum(exec, &heat, w->set, numbering, &out->input[POINT_TEMPERATURE]) : OK;
}

Status points_create(Exec *exec, const ElasticityParams *params, const ElementSet *set, const Numbering *numbering,
                     ElasticityPoints *out) {
  LawWork w = {.params = params, .set = set, .order = numbering->element, .out = out};
  *out = (ElasticityPoints){.axisymmetric = params->model == MODEL_AXISYMMETRIC,
                            .finite = params->finite,
                            .plane_stress = params->model == MODEL_PLANE_STRESS,
                            .renewed = ~(params->heat_in_steps ? 0u : POINT_INPUT_BIT(TEMPERATURE)),
                            .local = params->share ? params->share->local : NULL};
  for (int32_t m = 0; m < params->n_material; ++m) out->reads |= elasticity_reads(&params->material[m]);
  const Status status = points_fill(exec, &w, numbering);
  FREE(w.material_row);
  FREE(w.curves);
  return status;
}

void points_release(Exec *exec, const ElementSet *set, ElasticityPoints *points) {
  FREE(points->law);
  FREE(points->law_row);
  FREE(points->any_row);
  EXEC_RELEASE(exec, points->exec_law, points->n_law_number);
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    EXEC_RELEASE(exec, points->exec_row[k], set->block[k].n);
    EXEC_RELEASE(exec, points->exec_any_row[k], set->block[k].n);
  }
  for (int i = 0; i < N_POINT_INPUTS; ++i) point_input_release(exec, &points->input[i]);
  point_state_release(&points->state);
  EXEC_RELEASE(exec, points->failed, set->n_solved);
  EXEC_RELEASE(exec, points->n_failed, 1);
  EXEC_RELEASE(exec, points->room, points->n_room);
  EXEC_RELEASE(exec, points->head, points->n_head);
  EXEC_RELEASE(exec, points->modes, points->n_modes);
  EXEC_RELEASE(exec, points->lowest, set->n_solved);
  EXEC_RELEASE(exec, points->kept, points->n_kept);
  EXEC_RELEASE(exec, points->accepted, points->n_kept);
  EXEC_RELEASE(exec, points->couple, points->n_couple);
  EXEC_RELEASE(exec, points->lag, points->n_kept);
  EXEC_RELEASE(exec, points->rest, points->n_rest);
  EXEC_RELEASE(exec, points->share, set->n_solved);
  bubbles_release(exec, points);
}

static PointViews views(const ElasticityPoints *points, unsigned which, int32_t k, int64_t first) {
  return (PointViews){
#define POINT_INPUT(NAME, member, word, unit, meaning)                                                                 \
  .member =                                                                                                            \
      which & POINT_INPUT_BIT(NAME) ? point_input_view(&points->input[POINT_##NAME], k, first) : (PointInputView){0},
#include "physics/point_inputs.def"
  };
}

PointArgs points_args(const ElasticityPoints *points, int32_t k, int64_t first, const ElementArgs *element,
                      const double *N) {
  const int64_t at = points->first_element[k] + first;
  return (PointArgs){
      .e = *element,
      .N = points->axisymmetric ? N : NULL,
      .mean_modes = points->mean_modes[k],
      .kept = points->augmented && points->kept && points->mean_modes[k] ? points->kept + points->first_kept[k] + first
                                                                         : NULL,
      .share = points->share ? points->share + at : NULL,
      .kept_m = points->n_elem[k],
      .shape = N,
      .bubble = points->bubble[k],
      .modes = points->modes && points->bubbles[k] ? points->modes + points->first_modes[k] + first : NULL,
      .modes_k = points->n_elem[k],
      .law = points->exec_law,
      .law_row = points->exec_row[k] ? points->exec_row[k] + first : NULL,
      .old = points->state.old,
      .state = points->state.now,
      .n_point = points->n_point,
      .point_first = points->first_point[k] + first,
      .point_q = points->n_elem[k],
      .failed = points->failed ? points->failed + at : NULL,
      .n_state = points->state.n_state,
      .input = views(points, points->renewed, k, first),
      .dt = points->dt,
      .kink = points->kink,
      .n_node = points->n_node[k],
      .dim = points->dim[k],
      .nonlinear = points->nonlinear,
      .room = points->nonlinear || points->mean_modes[k] ? points->room : NULL,
      .n_room = points->n_room,
      .head = points->mean_modes[k] ? points->head : NULL,
      .plane_stress = points->plane_stress,
      .finite = points->finite,
      .lowest = points->lowest ? points->lowest + at : NULL};
}

PointArgs points_heated_args(const ElasticityPoints *points, int32_t k, const ElementArgs *element, const double *N) {
  PointArgs args = points_args(points, k, 0, element, N);
  args.law_row = points->exec_any_row[k];
  args.input = views(points, points->renewed | POINT_INPUT_BIT(TEMPERATURE), k, 0);
  return args;
}

void points_blocks(const ElasticityPoints *points, PointBlock block[ELEMENT_SET_BLOCKS]) {
  for (int k = 0; k < ELEMENT_SET_BLOCKS; ++k)
    block[k] = (PointBlock){points->n_q[k], points->first_point[k], points->n_elem[k], 1};
}
