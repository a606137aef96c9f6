/* The rule of Bayer et al. 2012: their algorithm DefineFibers, with axis, orient and bislerp of mesh/fibers/frame.h,
 * but for one thing. The paper turns the endocardial frame by an angle that only depends on the place between the two
 * endocardia, the epicardial one by the angle of the depth, and blends the two by the depth: where they are more than
 * 90 degrees apart (60 to -60 is, from depth 3/4 on) the shortest way between axes changes sides and fibres jump. Here
 * both are turned by the angle of the depth: the same on the surfaces and in the septum, linear and without a jump
 * between. */
#include "app/fibers/ldrb.h"
#include "app/fibers/ldrb_laplace.h"
#include "app/fibers/ldrb_surfaces.h"
#include "app/fibers/segments.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/fibers/frame.h"

#include <math.h>
#include <string.h>

LdrbParams ldrb_params_default(void) {
  return (LdrbParams){.alpha_endo = 60, .alpha_epi = -60, .beta_endo = -65, .beta_epi = 25};
}

/* Solutions and the directions in which they grow, [n_node]. */
typedef struct Solutions {
  double *epi, *lv, *rv, *ab; /* 1 on that surface, 0 on the others; ab: 0 at the apex, 1 at the base */
  double (*to_epi)[3], (*to_lv)[3], (*to_rv)[3], (*to_base)[3];
} Solutions;

static void release_ldrb(Solutions *s) {
  FREE(s->epi);
  FREE(s->lv);
  FREE(s->rv);
  FREE(s->ab);
  FREE(s->to_epi);
  FREE(s->to_lv);
  FREE(s->to_rv);
  FREE(s->to_base);
}

static Status solve_one(const Laplace *l, const uint8_t *set, const double *value, double **u, double (**gradient)[3]) {
  ALLOC(*u, l->mesh->n_node, "a solution of Laplace's equation");
  ALLOC(*gradient, l->mesh->n_node, "its gradient");
  TRY(laplace_solve(l, set, value, *u));
  laplace_gradient(l, *u, *gradient);
  return OK;
}

/* One ventricle has one solution across its wall. */
static Status ldrb_mirror(const LdrbParams *params, Solutions *s) {
  const int32_t n = params->mesh->n_node;
  ALLOC(s->lv, n, "a solution of Laplace's equation");
  ALLOC(s->to_lv, n, "its gradient");
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i) {
    s->lv[i] = 1 - s->epi[i];
    for (int k = 0; k < 3; ++k) s->to_lv[i][k] = -s->to_epi[i][k];
  }
  return OK;
}

static Status solve_across(const Laplace *l, const LdrbParams *params, const LdrbSurfaces *surfaces, Solutions *s) {
  static const double epi[LAPLACE_SETS] = {[LDRB_EPI - 1] = 1}, lv[LAPLACE_SETS] = {[LDRB_LV - 1] = 1},
                      rv[LAPLACE_SETS] = {[LDRB_RV - 1] = 1};
  TRY(solve_one(l, surfaces->across, epi, &s->epi, &s->to_epi));
  if (!params->rv) return ldrb_mirror(params, s);
  TRY(solve_one(l, surfaces->across, lv, &s->lv, &s->to_lv));
  return solve_one(l, surfaces->across, rv, &s->rv, &s->to_rv);
}

/* The axis instead of a solution. */
static Status along_axis(const LdrbParams *params, Solutions *s) {
  const Mesh *mesh = params->mesh;
  double low = INFINITY, high = -INFINITY;
  ALLOC(s->ab, mesh->n_node, "apicobasal coordinate");
  ALLOC(s->to_base, mesh->n_node, "apicobasal direction");
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node)) reduction(min : low) reduction(max : high)
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    for (int k = 0; k < 3; ++k) s->ab[i] += params->axis[k] * mesh->x[i][k];
    memcpy(s->to_base[i], params->axis, sizeof params->axis);
    low = fmin(low, s->ab[i]);
    high = fmax(high, s->ab[i]);
  }
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i) s->ab[i] = (s->ab[i] - low) / (high - low);
  return OK;
}

static Status solve_along(const Laplace *l, const LdrbParams *params, const LdrbSurfaces *surfaces, Solutions *s) {
  static const double base[LAPLACE_SETS] = {[LDRB_BASE - 1] = 1};
  return params->base ? solve_one(l, surfaces->along, base, &s->ab, &s->to_base) : along_axis(params, s);
}

static double ldrb_share(double a, double b) {
  a = fmax(a, 0);
  b = fmax(b, 0);
  return a + b > 0 ? b / (a + b) : 0.5;
}

/* The frame that belongs to the endocardia, seen from the left: in the septum angles go from + to -, and on the right,
 * where this frame's outward is inward, - is +. False where there is none. */
static bool ldrb_endocardial(const LdrbParams *p, const Solutions *s, int32_t i, double alpha_here, double beta_here,
                             Frame *out) {
  const double d = p->rv ? ldrb_share(s->lv[i], s->rv[i]) : 0;
  const double alpha = alpha_here * (1 - 2 * d), beta = beta_here * (1 - 2 * d);
  const double from_lv[3] = {-s->to_lv[i][0], -s->to_lv[i][1], -s->to_lv[i][2]};
  Frame lv, rv;
  const bool has_lv = frame_of(s->to_base[i], from_lv, &lv);
  const bool has_rv = p->rv && frame_of(s->to_base[i], s->to_rv[i], &rv);
  if (has_lv) lv = frame_turn(&lv, alpha, beta);
  if (has_rv) rv = frame_turn(&rv, alpha, beta);
  if (has_lv && has_rv) *out = frame_blend(&lv, &rv, d);
  else if (has_lv || has_rv) *out = has_lv ? lv : rv;
  return has_lv || has_rv;
}

static Frame frame_at(const LdrbParams *p, const Solutions *s, int32_t i) {
  const double d = fmin(fmax(s->epi[i], 0), 1);
  const double alpha = p->alpha_endo * (1 - d) + p->alpha_epi * d, beta = p->beta_endo * (1 - d) + p->beta_epi * d;
  Frame endo, epi;
  const bool has_endo = ldrb_endocardial(p, s, i, alpha, beta, &endo),
             has_epi = frame_of(s->to_base[i], s->to_epi[i], &epi);
  if (has_epi) epi = frame_turn(&epi, alpha, beta);
  if (has_endo && has_epi) return frame_blend(&endo, &epi, d);
  if (has_endo || has_epi) return has_endo ? endo : epi;
  const Frame any = frame_any(s->to_base[i]); /* the very apex, where apicobasal and transmural are one direction */
  return frame_turn(&any, alpha, beta);
}

static void follow_rule(const LdrbParams *p, const Solutions *s, const uint8_t *in_body, LdrbFields *out) {
#pragma omp parallel for schedule(static) num_threads(parts_of(p->mesh->n_node))
  for (int32_t i = 0; i < p->mesh->n_node; ++i) {
    if (!in_body[i]) continue;
    const Frame frame = frame_at(p, s, i);
    memcpy(out->fiber[i], frame.axis[0], sizeof out->fiber[i]);
    memcpy(out->sheet[i], frame.axis[2], sizeof out->sheet[i]);
    out->transmural[i] = fmin(fmax(s->epi[i], 0), 1);
    out->apicobasal[i] = fmin(fmax(s->ab[i], 0), 1);
  }
}

static Status create_ldrb(Exec *exec, const LdrbParams *params, LdrbSurfaces *surfaces, Laplace *l, Solutions *s,
                          LdrbFields *out) {
  TRY(ldrb_surfaces_create(params, surfaces));
  TRY(laplace_create(exec, params->mesh, l));
  TRY_CONTEXT(solve_across(l, params, surfaces, s), "while solving for the depth in the wall, for fibres by rule");
  TRY_CONTEXT(solve_along(l, params, surfaces, s), "while solving from apex to base, for fibres by rule");
  ALLOC(out->fiber, params->mesh->n_node, "fibres by rule");
  ALLOC(out->sheet, params->mesh->n_node, "sheets by rule");
  ALLOC(out->transmural, params->mesh->n_node, "transmural coordinate");
  ALLOC(out->apicobasal, params->mesh->n_node, "apicobasal coordinate");
  follow_rule(params, s, surfaces->in_body, out);
  return segments_create(params, surfaces, s->ab, (const double(*)[3])s->to_lv,
                         params->rv ? (const double(*)[3])s->to_rv : NULL, out);
}

Status ldrb_create(Exec *exec, const LdrbParams *params, LdrbFields *out) {
  LdrbSurfaces surfaces = {0};
  Laplace laplace = {0};
  Solutions solutions = {0};
  *out = (LdrbFields){0};
  const Status status = create_ldrb(exec, params, &surfaces, &laplace, &solutions, out);
  release_ldrb(&solutions);
  laplace_release(&laplace);
  ldrb_surfaces_release(&surfaces);
  if (status != OK) ldrb_release(out);
  return status;
}

void ldrb_release(LdrbFields *fields) {
  FREE(fields->fiber);
  FREE(fields->sheet);
  FREE(fields->transmural);
  FREE(fields->apicobasal);
  FREE(fields->rotational);
  FREE(fields->segment);
}

static Status copy_numbers(const double *from, int64_t n, double **out) {
  if (!from) return OK;
  ALLOC(*out, n, "fibres by rule");
  memcpy(*out, from, (size_t)n * sizeof *from);
  return OK;
}

Status ldrb_copy(const LdrbFields *from, int64_t n_node, LdrbFields *out) {
  *out = (LdrbFields){0};
  Status status = copy_numbers((const double *)from->fiber, 3 * n_node, (double **)(void *)&out->fiber);
  if (status == OK) status = copy_numbers((const double *)from->sheet, 3 * n_node, (double **)(void *)&out->sheet);
  if (status == OK) status = copy_numbers(from->transmural, n_node, &out->transmural);
  if (status == OK) status = copy_numbers(from->apicobasal, n_node, &out->apicobasal);
  if (status == OK) status = copy_numbers(from->rotational, n_node, &out->rotational);
  if (status == OK) status = copy_numbers(from->segment, n_node, &out->segment);
  if (status != OK) ldrb_release(out);
  return status;
}
