/* In which direction a node in space slides. With lambda in the bound g = mu lambda as last seen, and s what it has slid, friction is
 *   tau = g z / |z|,   z = tau + c s,   any c > 0,
 * and Newton's method for it is tau = g t + h (1 - t t^T) s with t = z / |z| and h = g c / (|z| - g): a known force and a spring across
 * it, so that the matrix stays symmetric, and definite even where all nodes slide, if not all in one direction. A node with |z| <= g
 * sticks (Hueeber, Stadler and Wohlmuth, A primal-dual active set algorithm for three-dimensional contact problems with Coulomb friction,
 * SIAM Journal on Scientific Computing 30, 2008). */
#include "assembly/contact/contact_surface.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const double STEEPEST = 30; /* h over c at most: stiffer springs cost iterations of linear solves */

/* ---- c ---- */

/* The mean shear modulus beside facets of a group; 0: not known. */
static double shear_beside(const ContactParams *p, const Group *group) {
  double sum = 0;
  for (int32_t i = 0; i < group->n; ++i) {
    Facet facet;
    facet_sides(p->mesh, p->set, p->incidence, group->element[i], &facet);
    const int32_t e = facet.n_side ? space_element_index(p->set, facet.side[0]) : -1;
    if (e < 0 || !p->shear.value) return 0;
    const double shear = p->shear.value[p->shear.index ? p->shear.index[e] : e];
    if (!(shear > 0)) return 0;
    sum += shear / group->n;
  }
  return sum;
}

/* What a strain of 0.01 bears: of a run that begins without load. */
static void borne_begin(Contact *c, double shear) {
  static const double STRAIN = 1e-2;
  double most = 0, all = 0;
  for (int32_t k = 0; k < c->nodes.n; ++k) most = fmax(most, c->area[k]), all += fmax(0, c->area[k]);
  const double borne[N_BORNE] = {STRAIN * shear, STRAIN * shear * most, STRAIN * shear * all};
  memcpy(c->borne, borne, sizeof borne);
}

Status friction_scale(const ContactParams *p, Contact *c) {
  static const double OF_SHEAR = 2; /* a node of a block: 2.1 to 2.9 times the shear modulus and the root of its area */
  Friction *f = &c->friction;
  double stiffest = 0;
  ALLOC(f->resists, c->nodes.n, "friction of contact");
  for (int32_t i = 0; i < c->n_item; ++i) {
    const Obstacle *o = &c->item[i];
    double shear = shear_beside(p, o->on);
    stiffest = fmax(stiffest, shear);
    if (o->kind == OBSTACLE_BODY) stiffest = fmax(stiffest, shear_beside(p, o->body));
    if (!obstacle_rubs(o) || p->set->dim < 3) continue;
    if (o->kind == OBSTACLE_BODY) {
      const double other = shear_beside(p, o->body);
      shear = shear > 0 && other > 0 ? shear * other / (shear + other) : 0;
    }
    for (int32_t k = 0; k < c->nodes.n; ++k)
      if (c->of[k] == i) f->resists[k] = OF_SHEAR * shear * sqrt(fmax(0, c->area[k]));
  }
  borne_begin(c, stiffest);
  return OK;
}

/* ---- t and h ---- */

/* A unit vector across t among the node's two tangents. */
static void across(const Friction *f, int32_t k, const double t[3], double d[3]) {
  const double *a = f->tangent[k], *b = f->tangent[k] + 3;
  for (int i = 0; i < 3; ++i) d[i] = vec3_dot(a, t) * b[i] - vec3_dot(b, t) * a[i];
  (void)vec3_normalize(d);
}

void friction_groove(Friction *f, int32_t k) {
  double t[3];
  memcpy(t, f->force[k], sizeof t);
  f->next_lateral[k].stiffness = vec3_normalize(t) > 0 ? STEEPEST * f->resists[k] : 0;
  across(f, k, t, f->next_lateral[k].d);
}

bool friction_turn(Contact *c, int32_t k, double bound, double back, double applied[3]) {
  Friction *f = &c->friction;
  const bool slides = f->grip[k] == GRIP_SLIDE;
  const Lateral *now = &f->lateral[k];
  Lateral *next = &f->next_lateral[k];
  double way[3] = {0}, t[3], resists = f->resists[k];
  if (slides) {
    vec3_minus(c->across[k], f->from[k], t);
    for (int a = 0; a < 2; ++a)
      for (int d = 0; d < 3; ++d) way[d] += vec3_dot(f->tangent[k] + 3 * a, t) * f->tangent[k][3 * a + d];
    const double turn = now->stiffness * vec3_dot(now->d, way);
    for (int d = 0; d < 3; ++d) applied[d] = f->applied[k][d] + turn * now->d[d];
  } else {
    memcpy(applied, f->force[k], 3 * sizeof *applied);
  }
  const double length = sqrt(vec3_dot(way, way));
  if (!(resists > 0)) resists = length > back ? bound / length : 0;
  for (int d = 0; d < 3; ++d) t[d] = applied[d] + resists * way[d];
  const double size = vec3_normalize(t);
  const bool against = slides && vec3_dot(way, applied) < -back * sqrt(vec3_dot(applied, applied));
  if (slides && (!(size > bound) || against) && bound > 0 && f->n_change[k] < FRICTION_CHANGES) return true;
  if (slides && f->n_change[k] >= FRICTION_CHANGES) friction_part(f, k, against);
  for (int d = 0; d < 3; ++d) f->force[k][d] = f->part[k] * bound * t[d];
  next->stiffness = bound > 0 ? bound * resists / fmax(size - bound, bound / STEEPEST) : 0;
  across(f, k, t, next->d);
  return false;
}
